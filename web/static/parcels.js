// Pictures are kept on this phone before they travel, so that no reload and no dead network loses them; each is read once.
(() => {
  "use strict";
  const PATIENCE_MS = 60000; // a picture travels longer than a number, and then the eye looks at it
  const AGAIN_MS = 3000;
  const SLOW_MS = 600;
  const MOST = 12; // pictures
  const MOST_BYTES = 120 * 1024 * 1024;
  const PICTURE = "input[type=file][data-wait]";
  const place = document.getElementById("parcels");
  if (!place || !window.indexedDB) return;
  const { texts } = window.typed;
  const { words } = window.outbox;
  const LOOK_MS = 700; // how often it is asked how far a picture is
  const cancelled = new Set();
  const fresh = new Set(); // what this page has taken and not yet failed to send
  const taken = new Map(); // what the form showed when its picture was taken
  const posted = new Map(); // and when it left
  let items = [];
  let sending = null;
  let now = ""; // what travels
  let looking = false;
  let shown = "";

  const opened = new Promise((resolve, reject) => {
    const request = indexedDB.open("parcels", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("pictures", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {}); // a private window: pictures are sent at once or not at all
  const work = async (mode, act) => {
    const deal = (await opened).transaction("pictures", mode, { durability: "strict" });
    const request = act(deal.objectStore("pictures"));
    return new Promise((resolve, reject) => {
      deal.oncomplete = () => resolve(request.result);
      deal.onabort = () => reject(deal.error);
    });
  };
  const all = () => work("readonly", (store) => store.getAll());
  const put = (item) => work("readwrite", (store) => store.put(item));
  const drop = (item) => work("readwrite", (store) => store.delete(item.id));
  const waits = (item) => !item.state;
  const newId = () => `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const tell = (text) => document.dispatchEvent(new CustomEvent("tell", { detail: text }));

  // Of two pictures of one thing the later one stays; batches go one by one, and fans of one deck together.
  const add = async (item) => {
    const known = (await all()).filter((each) => each.id !== item.id && each.id !== now);
    const same = item.as === "each" ? [] : known.filter((each) => each.url === item.url);
    if (item.as === "together") item.files.unshift(...same.flatMap((each) => each.files));
    const files = [...known.filter((each) => !same.includes(each)), item].flatMap((each) => each.files);
    const bytes = files.reduce((sum, [, file]) => sum + file.size, 0);
    if (files.length > MOST || bytes > MOST_BYTES) throw new DOMException("too many pictures", "QuotaExceededError");
    await put(item);
    await Promise.all(same.map(drop));
  };
  const missed = (error) => tell(error?.name === "QuotaExceededError" ? place.dataset.full : document.body.dataset.unreached);
  // Kept first, then sent; what finds no room here is sent at once or not at all.
  const bring = async (item) => {
    const step = document.getElementById(item.target);
    const form = formOf(item);
    fresh.add(item.id);
    if (form) taken.set(item.id, window.typed.shown(form));
    step?.classList.add("htmx-request");
    try {
      const kept = await add(item).then(() => true, (error) => { if (navigator.onLine === false) throw error; });
      if (kept) await flush();
      else await settle(item, await post(item));
    } catch (error) { missed(error); }
    step?.classList.remove("htmx-request");
  };

  // The form of a picture, where this page still shows it for the same hand.
  const formOf = (item) => {
    const target = location.pathname === item.page && document.getElementById(item.target);
    const form = target && target.closest("form");
    const hand = item.fields.find(([name]) => name === "hand")?.[1];
    return form && (!hand || form.elements.hand?.value === hand) ? form : null;
  };
  // Of a picture that left later than it was taken, what was typed meanwhile stays.
  const late = (item) => {
    const form = formOf(item);
    return !fresh.has(item.id) || Boolean(form && window.typed.since(form, taken.get(item.id) ?? new Map()).length);
  };
  const pictures = (formData) => [...formData].filter(([, value]) => value instanceof File && value.size);
  const post = (item) => {
    const form = formOf(item);
    if (form) posted.set(item.id, window.typed.shown(form));
    const body = new FormData();
    const own = { ...(late(item) ? { late: "1" } : {}), picture_id: item.id, ...(item.hx ? {} : { request_id: item.id }) };
    for (const [name, value] of form ? texts(new FormData(form)) : item.fields) if (!(name in own)) body.append(name, value);
    for (const [name, value] of Object.entries(own)) body.append(name, value);
    for (const [name, file] of item.files) body.append(name, file, file.name);
    const headers = item.hx ? { "HX-Request": "true" } : {};
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), PATIENCE_MS);
    const done = progress(item, giveUp);
    return fetch(item.url, { method: "POST", body, headers, signal: giveUp.signal }).finally(() => { clearTimeout(patience); done(); });
  };

  // While a picture is read: a moving bar, what is done, the seconds, and a way to stop it.
  const progress = (item, giveUp) => {
    const bar = document.getElementById(item.target)?.querySelector(".busy");
    if (!bar || !place.dataset.looking) return () => {};
    const before = [...bar.childNodes];
    const [what, time, stop] = [words("span", place.dataset.travelling), words("span", ""), words("button", place.dataset.cancel, { type: "button", className: "button quiet" })];
    const started = Date.now();
    const count = () => { time.textContent = place.dataset.seconds.replace("{count}", Math.round((Date.now() - started) / 1000)); };
    const done = [];
    const spread = /\/(spread|decks)/.test(item.url);
    const ask = async () => {
      const answer = await fetch(place.dataset.looking, { cache: "no-store" }).catch(() => null);
      const { stage, waiting } = answer?.ok ? await answer.json() : {};
      const { queued, finding, reading, telling } = place.dataset;
      const second = spread ? telling : reading;
      if (!stage && waiting) what.textContent = queued;
      if (stage === "reading" && !done.length) done.push(finding);
      if (stage) what.textContent = [...done.map((each) => `✓ ${each}`), done.length ? second : finding].join(" · ");
    };
    const steps = [setInterval(count, 1000), setInterval(ask, LOOK_MS)];
    count();
    stop.addEventListener("click", () => {
      cancelled.add(item.id);
      giveUp.abort();
      const way = item.url.replace(/\/(hand|play)\/.*/, "/$1/cancel");
      fetch(way, { method: "POST", body: new URLSearchParams({ picture_id: item.id }), keepalive: true }).catch(() => {});
    });
    bar.replaceChildren(words("span", "", { className: "bar-moving" }), what, time, ...(item.hx ? [stop] : []));
    return () => {
      steps.forEach(clearInterval);
      bar.replaceChildren(...before);
    };
  };
  const busy = (answer) => [429, 502, 504].includes(answer.status);
  const fits = (answer) => answer.ok || [409, 422].includes(answer.status);

  // The answer takes its place: one step of the hand, or all that the page shows.
  const draw = (item, text) => {
    if (item.hx) {
      const back = window.typed.keep(formOf(item), posted.get(item.id) ?? new Map());
      htmx.swap(document.getElementById(item.target), text, { swapStyle: "outerHTML" }, { afterSwapCallback: () => back(formOf(item)) });
      return;
    }
    htmx.swap(document.getElementById("main"), text, { swapStyle: "outerHTML" }, { select: "#main" });
    (document.getElementById(item.target)?.closest(".deck") ?? document.getElementById("main")).scrollIntoView();
  };
  const settle = async (item, answer) => {
    const text = await answer.text();
    if (fits(answer) && formOf(item)) {
      await drop(item).catch(() => {});
      draw(item, text);
    } else if (answer.ok) {
      if (!(await all()).some(({ id }) => id === item.id)) return; // another page of this phone showed it
      const whole = !item.hx && !answer.redirected; // an answer that no address shows again
      const link = whole ? `${item.page}#read-${item.id}` : `${answer.redirected ? answer.url : item.page}#${item.target}`;
      await put({ ...item, files: [], state: "read", link, answer: whole && text });
    } else await put({ ...item, state: "refused", said: window.outbox.reason(text), over: window.outbox.over(answer) });
  };
  const flush = () => sending ??= send().catch(() => fresh.clear()).finally(() => { sending = null; now = ""; show(); });
  const send = async () => {
    const tried = new Set();
    const next = async () => (await all()).find((item) => waits(item) && !tried.has(item.id));
    for (let item = await next(); item; item = await next()) {
      if (window.outbox.typed() && !window.outbox.lost()) return; // it calls again
      if (window.outbox.typed()) throw new Error("a picture goes after what was typed");
      tried.add(item.id);
      now = item.id;
      const slow = setTimeout(() => { looking = true; show(); }, SLOW_MS);
      const answer = await post(item).catch((error) => { if (!cancelled.has(item.id)) throw error; }).finally(() => { clearTimeout(slow); looking = false; });
      if (!answer) {
        await drop(item);
        continue;
      }
      if (busy(answer)) throw new Error("nobody has time for it");
      await settle(item, answer);
      await show();
    }
  };

  // What is said at the foot of every page.
  const button = (text, act) => words("button", text, { className: "link", type: "button", onclick: () => act().then(show) });
  const waitingList = (waiting) => {
    const count = waiting.flatMap((item) => item.files).length;
    const { one, many, sending: eyes, drop: away } = place.dataset;
    const list = words("details", "", { className: "parcels" });
    const lines = waiting.map((item) => {
      const line = words("li", "");
      line.append(...item.files.map(thumbnail), words("span", item.label), button(away, () => drop(item)));
      return line;
    });
    const whole = words("ul", "");
    whole.append(...lines);
    list.append(words("summary", looking ? eyes : count === 1 ? one : many.replace("{count}", count)), whole);
    return list;
  };
  const thumbnail = ([, file]) => {
    const src = URL.createObjectURL(file);
    return Object.assign(new Image(), { src, alt: "", onload: () => URL.revokeObjectURL(src), onerror: (event) => event.target.remove() });
  };
  const refusedLine = (item) => {
    const line = words("span", "", { className: "refused" });
    const { refused, again, drop: away } = place.dataset;
    line.append(words("span", `${refused} ${item.label}. ${item.said}`), ...(item.over ? [] : [button(again, () => put({ ...item, state: undefined }).then(flush))]), button(away, () => drop(item)));
    return line;
  };
  // Readings that one page shows anyway are one line; an answer of its own is another.
  const byPage = (read) => {
    const groups = new Map();
    for (const item of read) {
      const page = item.answer ? item.id : item.page;
      groups.set(page, [...(groups.get(page) ?? []), item]);
    }
    return [...groups.values()];
  };
  const readLine = (group) => {
    const [item] = group;
    const line = words("span", "", { className: "read" });
    const link = words("a", place.dataset.look, { className: "button", href: item.link });
    link.addEventListener("click", (event) => {
      if (location.pathname !== item.page) return;
      event.preventDefault();
      visit(group);
    });
    line.append(words("span", `${place.dataset.read} ${group.map((each) => each.label).join(", ")}`), link);
    return line;
  };
  const visit = async (group) => {
    const [item] = group;
    await Promise.all(group.map(drop));
    if (item.answer) {
      draw(item, item.answer);
      return show();
    }
    history.replaceState(null, "", item.link);
    location.reload();
  };
  const show = async () => {
    items = await all().catch(() => []);
    const state = JSON.stringify([looking, [...fresh], items.map(({ id, state, said, files }) => [id, state, said, files.length])]);
    if (state === shown) return;
    shown = state;
    const open = place.querySelector("details")?.open;
    const waiting = items.filter((item) => waits(item) && !fresh.has(item.id));
    const refused = items.filter((item) => item.state === "refused").map(refusedLine);
    const read = byPage(items.filter((item) => item.state === "read")).map(readLine);
    place.hidden = !waiting.length && !read.length && !refused.length;
    place.replaceChildren(...(waiting.length ? [waitingList(waiting)] : []), ...read, ...refused);
    place.querySelector("details")?.toggleAttribute("open", Boolean(open));
  };

  // What htmx sends by itself: a picture of one step of the hand.
  const fromHtmx = ({ elt, target, requestConfig: { path, formData } }) => ({
    id: newId(), url: path, page: location.pathname, target: target.id, hx: true,
    as: elt.dataset.waitAs, label: elt.dataset.wait, fields: texts(formData), files: pictures(formData),
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt } = event.detail;
    if (!elt.matches(PICTURE) || !elt.files.length) return;
    event.preventDefault();
    bring(fromHtmx(event.detail));
    elt.value = "";
  });

  // Plain forms with a picture: sent from here, so that no dead network takes page and picture away.
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !form.matches("form[data-wait]") || submitter?.name || submitter?.hasAttribute("formaction")) return;
    const fields = new FormData(form);
    const files = pictures(fields);
    if (!files.length || form.classList.contains("sending")) return;
    event.preventDefault();
    const item = {
      id: newId(), url: new URL(form.getAttribute("action"), location).href, page: location.pathname, target: form.id,
      as: form.dataset.waitAs, label: form.dataset.wait, fields: texts(fields), files,
    };
    await bring(item);
    await show();
    for (const input of form.querySelectorAll("input[type=file]")) input.value = "";
    form.classList.remove("sending");
  });

  // A page that a reading was waiting for shows it.
  const arrive = async () => {
    await show();
    const read = items.filter((item) => item.state === "read" && item.page === location.pathname);
    for (const item of read) {
      if (item.answer ? location.hash !== `#read-${item.id}` : !document.getElementById(item.target)) continue;
      await drop(item);
      if (!item.answer) continue;
      draw(item, item.answer);
      history.replaceState(null, "", location.pathname);
    }
    await show();
  };
  window.parcels = {
    flush: () => flush(),
    before: async (time) => {
      await flush();
      return (await all().catch(() => [])).some((item) => waits(item) && Number.parseInt(item.id, 10) < time);
    },
  };
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) show().then(flush); });
  setInterval(() => { if (items.some(waits)) flush(); }, AGAIN_MS);
  arrive().then(flush);
})();
