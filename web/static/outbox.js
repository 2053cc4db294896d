// The outbox: what is typed and tapped is written down on this phone, goes out in order and once, and outlives a reload and a dead network.
(() => {
  "use strict";
  const KEY = "outbox";
  const PATIENCE_MS = 8000; // a request that takes longer has met a dead network
  const AGAIN_MS = 3000;
  const REST_MS = 200; // what is typed goes out when the keys rest
  const banner = document.getElementById("waits");
  // What else lies at the foot of a page stays above what waits.
  new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--waiting", `${target.offsetHeight}px`)).observe(banner.parentElement);
  const passing = new WeakSet(); // forms that the browser sends itself
  const travelling = new Map(); // what others than the outbox send just now, by what sends it
  const fresh = new Set(); // what this page has typed and not yet failed to send
  let spare = null; // a full or forbidden store: this page alone remembers
  let sending = false;
  let lost = navigator.onLine === false; // whether nobody took it the last time
  let trouble = ""; // why, in the server's own words: a full disk is no dead network

  const all = () => { try { return spare ?? JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; } };
  const waiting = () => all().filter((item) => item.refused === undefined && ![...travelling.values()].includes(item.id));
  const keep = (items) => {
    try { localStorage.setItem(KEY, JSON.stringify(items)); spare = null; } catch { spare = items; }
    show(items);
  };
  const drop = (item) => keep(all().filter((each) => each.id !== item.id));
  const change = (item, more) => keep(all().map((each) => each.id === item.id ? { ...each, ...more } : each));
  // Of two versions of one field, and of two taps of one button, the later one stays.
  const twin = (item) => (each) => each.name === item.name && each.url === item.url;
  const add = (item) => keep([...all().filter((each) => !twin(item)(each)), item]);

  const words = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const show = (items = all()) => {
    const count = lost ? waiting().length : 0;
    const refused = items.filter((item) => item.refused !== undefined);
    const { one, many } = banner.dataset;
    banner.hidden = !count && !refused.length;
    banner.replaceChildren(...(count ? [words("span", trouble || (count === 1 ? one : many.replace("{count}", count)))] : []), ...together(refused).map(told));
  };
  // Fields that are refused for one reason share one line.
  const together = (refused) => {
    const groups = new Map();
    for (const item of refused) {
      const why = item.field ? `${item.url} ${item.refused}` : item.id;
      groups.set(why, [...(groups.get(why) ?? []), item]);
    }
    return [...groups.values()];
  };
  const told = (group) => {
    const [item] = group;
    const line = words("span", "", { className: "refused" });
    const look = words("button", banner.dataset.show, { className: "link", type: "button", onclick: () => native(item) });
    const away = words("button", banner.dataset.drop, { className: "link", type: "button", onclick: () => group.forEach(drop) });
    const again = words("button", banner.dataset.again, { className: "link", type: "button", onclick: () => group.forEach(insist) });
    const more = item.over ? [] : item.field ? [again] : item.headers ? [] : [look];
    line.append(words("span", `${banner.dataset.refused} ${group.map(({ label }) => label).join(" · ")}. ${item.refused}`), ...more, away);
    return line;
  };

  const post = (item, body = item.body) => fetch(item.url, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...(item.field ? { "HX-Request": "true" } : item.headers) },
    signal: AbortSignal.timeout?.(PATIENCE_MS),
  });
  const busy = (answer) => answer.status === 429 || answer.status >= 500;
  const over = (answer) => answer.status === 410; // its hand is recorded: the same again can't be taken
  const ours = (answer) => answer.status === 500 || answer.status === 503; // 502 and 504 come from what stands between

  const pictures = () => (window.parcels instanceof Element ? null : window.parcels); // without parcels.js the name is its element's
  const flush = async () => {
    if (sending) return;
    sending = true;
    try {
      for (let item = waiting()[0]; item; item = waiting()[0]) {
        if (item.form && await pictures()?.before(item.id)) throw new Error("a hand goes after its pictures");
        if (item.field) change(item, { posted: true });
        const body = item.field ? window.typed.body(item, !fresh.has(item.id)) : item.body;
        trouble = "";
        const answer = await post(item, body);
        if (ours(answer)) trouble = reason(await answer.text());
        if (busy(answer)) throw new Error("nobody has time for it");
        settle(item, answer, await answer.text(), body);
        lost = false;
      }
    } catch { lost = true; } finally {
      sending = false;
      if (lost) fresh.clear();
      show();
      pictures()?.flush();
    }
  };
  const settle = (item, answer, text, body) => {
    const open = openForm(item);
    const target = item.target && document.getElementById(item.target);
    const said = answer.ok || (item.field && answer.status === 422);
    if (target && said) htmx.swap(target, text, { swapStyle: "innerHTML" });
    if (answer.ok) {
      drop(item);
      if (item.field) window.typed.saved(item, body);
      if (open && answer.redirected) location.assign(answer.url);
      else if (open) redrawn(open, item.body, text);
    } else if (open) {
      drop(item);
      if (!redrawn(open, item.body, text)) native(item);
    } else if (target && said) drop(item); // the field is there, and says why
    else change(item, { refused: reason(text), over: over(answer) });
  };
  // The page shows the form itself, or after a reload the same one once more.
  const openForm = (item) => item.form && [...document.querySelectorAll("form[data-keep]")].find((form) =>
    new URL(form.getAttribute("action"), location).href === item.url && (form.elements.hand?.value ?? "") === window.typed.said(item.body, "hand"));
  const insist = (item) => {
    window.typed.fill(item);
    fresh.add(item.id);
    change(item, { refused: undefined });
    flush();
  };
  const reason = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    return (page.querySelector(".trouble, .problems, main p") ?? page.body).textContent.replace(/\s+/g, " ").trim().slice(0, 300);
  };
  // The browser sends it and shows the answer: the page with what was typed, and why it was not taken.
  const native = (item) => {
    drop(item);
    const form = Object.assign(document.createElement("form"), { method: "post", action: item.url, hidden: true });
    for (const [name, value] of new URLSearchParams(item.body)) form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);
  };

  // A refused form is drawn anew where it stands, with why, and the first wrong field has the focus: the page does not jump.
  const redrawn = (form, body, html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const drawn = form.id && !page.querySelector(".announced") && page.getElementById(form.id);
    if (!drawn) return false;
    const sent = new Map([...window.typed.shown(form).keys()].map((name) => [name, window.typed.said(body, name)]));
    const put = window.typed.keep(form, sent);
    form.replaceWith(drawn);
    htmx.process(drawn);
    put(drawn);
    document.dispatchEvent(new Event("redrawn"));
    drawn.querySelector("[autofocus]")?.focus();
    return true;
  };

  const encoded = (formData) => new URLSearchParams(window.typed.texts(formData)).toString();

  // What is typed is written down with every key.
  let rest = 0;
  const write = (field) => {
    const item = window.typed.item(field, all().find(twin({ name: field.name, url: field.dataset.save })));
    fresh.add(item.id);
    add(item);
    clearTimeout(rest);
    rest = setTimeout(flush, REST_MS);
  };
  document.addEventListener("input", ({ target: field }) => { if (field.matches("[data-save]") && field.form) write(field); });

  // What htmx sends: taps.
  const fromHtmx = ({ elt, requestConfig: { path, formData, headers } }) => ({
    id: Date.now() + Math.random(),
    name: `${elt.name} ${elt.value} ${formData.get("request_id")}`,
    url: path,
    body: encoded(formData),
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === "string" && /^[\x20-\x7e]*$/.test(value))),
    label: elt.dataset.keep || elt.textContent.trim(),
  });
  const plain = (formData) => ![...formData.values()].some((value) => value instanceof File && value.size);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.matches("[data-keep]")) detail.timeout = PATIENCE_MS;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig, xhr } = event.detail;
    if (!elt.matches("[data-keep]") || requestConfig.verb !== "post" || !plain(requestConfig.formData)) return;
    const item = fromHtmx(event.detail);
    const later = navigator.onLine === false || waiting().length;
    if (!later) travelling.set(xhr, item.id);
    // Heard of the request itself: the button may be gone by then, as the page is drawn anew with every call.
    xhr.addEventListener("load", () => { if (travelling.delete(xhr)) drop(item); });
    add(item);
    if (!later) return;
    event.preventDefault();
    flush();
  });
  for (const gone of ["htmx:sendError", "htmx:timeout", "htmx:sendAbort"]) {
    document.addEventListener(gone, (event) => {
      if (!travelling.delete(event.detail.xhr)) return;
      event.stopImmediatePropagation();
      flush();
    });
  }

  // Plain forms: sent from here, so that no dead network takes the page away.
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (passing.delete(form) || !form.matches("form[data-keep][method=post]") || submitter?.hasAttribute("formaction")) return;
    if (form.classList.contains("sending")) return;
    const fields = new FormData(form, submitter);
    if (!plain(fields)) return;
    event.preventDefault();
    const own = fields.get("request_id");
    const item = { id: Date.now(), name: own, form: own, url: new URL(form.getAttribute("action"), location).href, body: encoded(fields), label: form.dataset.keep };
    const later = async () => {
      travelling.delete(form);
      await flush();
      form.classList.remove("sending");
    };
    const now = navigator.onLine !== false && !waiting().length;
    travelling.set(form, item.id);
    add(item);
    if (!now) return setTimeout(later);
    try {
      const answer = await post(item);
      if (answer.status >= 502) return later();
      drop(item);
      if (answer.ok && answer.redirected) return location.assign(answer.url);
      const text = await answer.text();
      travelling.delete(form);
      if (redrawn(form, item.body, text)) return;
    } catch { return later(); }
    travelling.delete(form);
    passing.add(form);
    form.classList.remove("sending");
    form.requestSubmit(submitter);
  });

  // A picture is read after what was typed before it, and before the hand it belongs to is recorded.
  window.outbox = { over, reason, words, typed: () => waiting().length > 0 && !waiting()[0].form, lost: () => lost };
  window.addEventListener("online", flush);
  window.addEventListener("storage", () => show());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) flush(); });
  setInterval(() => { if (waiting().length) flush(); }, AGAIN_MS);
  for (const field of document.querySelectorAll("[data-save]")) if (window.typed.touched(field)) write(field); // before this script had come
  for (const item of waiting()) if (item.field) window.typed.restore(item);
  show();
  document.addEventListener("DOMContentLoaded", flush); // when parcels.js has come
})();
