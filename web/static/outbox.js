// The outbox: what can't be sent waits on this phone and goes out, in order and once, when the network is back.
(() => {
  "use strict";
  const KEY = "outbox";
  const PATIENCE_MS = 8000; // a request that takes longer has met a dead network
  const AGAIN_MS = 3000;
  const KEPT = "[data-save], [data-keep]";
  const banner = document.getElementById("waits");
  // What else lies at the foot of a page stays above what waits.
  new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--waiting", `${target.offsetHeight}px`)).observe(banner.parentElement);
  const passing = new WeakSet(); // forms that the browser sends itself
  let sending = false;

  const all = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; } };
  const waiting = () => all().filter((item) => item.refused === undefined);
  const keep = (items) => {
    try { localStorage.setItem(KEY, JSON.stringify(items)); } catch { /* a full or forbidden store: the page still shows what was typed */ }
    show(items);
  };
  const drop = (item) => keep(all().filter((each) => each.id !== item.id));
  // Of two versions of one field, and of two taps of one button, the later one stays.
  const add = (item) => {
    keep([...all().filter((each) => each.name !== item.name || each.url !== item.url), item]);
    flush();
  };

  const words = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const show = (items = all()) => {
    const count = items.filter((item) => item.refused === undefined).length;
    const refused = items.filter((item) => item.refused !== undefined);
    const { one, many } = banner.dataset;
    banner.hidden = !items.length;
    banner.replaceChildren(...(count ? [words("span", count === 1 ? one : many.replace("{count}", count))] : []), ...refused.map(told));
  };
  const told = (item) => {
    const line = words("span", "", { className: "refused" });
    const look = words("button", banner.dataset.show, { className: "link", type: "button", onclick: () => native(item) });
    const away = words("button", banner.dataset.drop, { className: "link", type: "button", onclick: () => drop(item) });
    line.append(words("span", `${banner.dataset.refused} ${item.label}. ${item.refused}`), ...(item.headers ? [] : [look]), away);
    return line;
  };

  const post = (item) => fetch(item.url, {
    method: "POST",
    body: item.body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...item.headers },
    signal: AbortSignal.timeout?.(PATIENCE_MS),
  });
  const busy = (answer) => answer.status === 429 || answer.status >= 500;

  const flush = async () => {
    if (sending) return;
    sending = true;
    try {
      for (let item = waiting()[0]; item; item = waiting()[0]) {
        if (item.form && await window.parcels?.before(item.id)) break; // a hand goes after its pictures
        const answer = await post(item);
        if (busy(answer)) break;
        settle(item, answer, await answer.text());
      }
    } catch { /* still no network */ } finally { sending = false; show(); }
  };
  const settle = (item, answer, text) => {
    const open = item.form && document.querySelector(`form[data-keep] [name=request_id][value="${CSS.escape(item.form)}"]`);
    if (answer.ok) {
      drop(item);
      const target = item.target && document.getElementById(item.target);
      if (open && answer.redirected) location.assign(answer.url);
      else if (target) htmx.swap(target, text, { swapStyle: "innerHTML" });
    } else if (open && !item.headers) native(item);
    else keep(all().map((each) => each.id === item.id ? { ...item, refused: reason(text) } : each));
  };
  const reason = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    return (page.querySelector(".trouble, .problems, main p") ?? page.body).textContent.replace(/\s+/g, " ").trim().slice(0, 300);
  };
  // The browser sends it and shows the answer: the form with what was typed, and why it was not taken.
  const native = (item) => {
    drop(item);
    const form = Object.assign(document.createElement("form"), { method: "post", action: item.url, hidden: true });
    for (const [name, value] of new URLSearchParams(item.body)) form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);
  };

  const encoded = (formData) => new URLSearchParams([...formData].filter(([, value]) => !(value instanceof File))).toString();

  // What htmx sends: fields that save themselves, and taps.
  const fromHtmx = ({ elt, target, requestConfig: { path, formData, headers } }) => ({
    id: Date.now() + Math.random(),
    name: elt.matches("[data-save]") || elt.matches("input") ? elt.name : `${elt.name} ${elt.value} ${formData.get("request_id")}`,
    url: path,
    body: encoded(formData),
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === "string" && /^[\x20-\x7e]*$/.test(value))),
    target: elt.matches("input") ? target?.id : undefined,
    label: [elt.dataset.keep || elt.closest(".field")?.querySelector("span")?.textContent || elt.textContent.trim(), elt.matches("input[type=text]") ? elt.value : ""].filter(Boolean).join(": "),
  });
  const plain = (formData) => ![...formData.values()].some((value) => value instanceof File && value.size);
  const waits = (event) => {
    const { elt, requestConfig } = event.detail;
    if (!elt.matches(KEPT) || requestConfig.verb !== "post" || !plain(requestConfig.formData)) return false;
    add(fromHtmx(event.detail));
    return true;
  };
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.matches(KEPT)) event.detail.timeout = PATIENCE_MS;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if ((navigator.onLine === false || waiting().length) && waits(event)) event.preventDefault();
  });
  for (const lost of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(lost, (event) => { if (waits(event)) event.stopImmediatePropagation(); });
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
    const later = () => { add(item); form.classList.remove("sending"); };
    if (navigator.onLine === false || waiting().length) return setTimeout(later);
    try {
      const answer = await post(item);
      if (answer.ok && answer.redirected) return location.assign(answer.url);
      if (answer.status >= 502) return later();
    } catch { return later(); }
    passing.add(form);
    form.classList.remove("sending");
    form.requestSubmit(submitter);
  });

  // A picture is read after what was typed before it, and before the hand it belongs to is recorded.
  window.outbox = { reason, typed: () => waiting().length > 0 && !waiting()[0].form };
  window.addEventListener("online", flush);
  window.addEventListener("storage", () => show());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) flush(); });
  setInterval(() => { if (waiting().length) flush(); }, AGAIN_MS);
  show();
  flush();
})();
