// What the pages do beyond htmx: keep the board in touch, check pictures before they travel, and guard against double taps.
(() => {
  "use strict";
  const SILENCE_MS = 20000; // the server beats every 8 s
  const POLL_MS = 4000;
  const PICTURE_LIMIT = 40 * 1024 * 1024;
  document.documentElement.classList.replace("no-js", "js");
  // A browser that does not say where a post comes from shows by this word that it comes from our page.
  document.addEventListener("submit", ({ target }) => {
    if (target.method !== "post" || !document.body.dataset.token || target.elements.token) return;
    target.append(Object.assign(document.createElement("input"), { type: "hidden", name: "token", value: document.body.dataset.token }));
  }, true);
  document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

  // The board: a stream, and polling whenever the stream is silent.
  const board = document.getElementById("board");
  if (board) {
    let heard = Date.now();
    let lost = 0;
    const said = document.getElementById("connection");
    const touch = () => { heard = Date.now(); lost = 0; said.hidden = true; };
    // What the table plays now: the page goes along to its next game, and is drawn anew when the last of its games was deleted or comes back.
    // Who opened an older game later stays there.
    const told = { next: "", deleted: "" };
    const follow = () => {
      const { next = "", deleted = "" } = document.body.dataset;
      if (!board.isConnected || (told.next ? told.next === next : !next && told.deleted === deleted)) return;
      location.replace(location.pathname.replace(/^\/g\/[^/]+/, (own) => (told.next ? `/g/${told.next}` : own)) + location.search);
    };
    const hear = ({ type, data }) => { told[type] = data; };
    const beat = () => { touch(); follow(); };
    const version = () => board.querySelector("[data-version]")?.dataset.version ?? "";
    document.body.addEventListener("htmx:sseOpen", (event) => {
      for (const name of Object.keys(told)) {
        told[name] = "";
        event.detail.source.addEventListener(name, hear);
      }
      event.detail.source.addEventListener("board", touch);
      event.detail.source.addEventListener("beat", beat); // comes after what is told beside the game
    });
    document.body.addEventListener("htmx:sseError", () => { heard = Math.min(heard, Date.now() - SILENCE_MS); });
    // The stream tells the whole state when it opens: what is on the screen already is not drawn again.
    document.body.addEventListener("htmx:sseBeforeMessage", (event) => {
      if (event.detail.lastEventId === version()) event.preventDefault();
    });
    // Of two taps the answers may cross: an older state never replaces a newer one.
    document.body.addEventListener("htmx:beforeSwap", (event) => {
      const told = /data-version="(\d+)"/.exec(event.detail.serverResponse ?? "")?.[1];
      if (event.detail.target === board && told && Number(told) < Number(version())) event.detail.shouldSwap = false;
    });
    const poll = async () => {
      if (Date.now() - heard < SILENCE_MS || document.hidden || !board.isConnected) return;
      try {
        const answer = await fetch(`${board.dataset.poll}?seen=${version()}`);
        Object.assign(told, { next: answer.headers.get("X-Next-Game") ?? "", deleted: answer.headers.get("X-Game-Deleted") ?? "" });
        if (answer.status === 200) htmx.swap(board, await answer.text(), { swapStyle: "innerHTML" });
        lost = 0;
        said.hidden = true;
        follow();
      } catch { lost += 1; said.hidden = lost < 2 && !document.documentElement.dataset.seen; }
    };
    setInterval(poll, POLL_MS);
    for (const change of ["online", "offline"]) window.addEventListener(change, () => { heard = 0; poll(); });
    document.addEventListener("visibilitychange", poll);
  }

  // Pictures: too large ones are refused before they travel.
  const tell = (text) => {
    const notice = document.getElementById("notice");
    notice.replaceChildren(Object.assign(document.createElement("p"), { className: "trouble", textContent: text }));
    notice.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("tell", (event) => tell(event.detail));
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !("picture" in input.dataset)) return;
    const large = [...input.files].find((file) => file.size > PICTURE_LIMIT);
    if (large) {
      input.value = "";
      event.stopImmediatePropagation();
      tell(document.body.dataset.tooLarge.replace("{name}", large.name));
    } else if ("autosubmit" in input.dataset && input.files.length) input.form.requestSubmit();
  }, true);
  document.addEventListener("htmx:beforeRequest", () => document.getElementById("notice").replaceChildren());
  let unreached = false;
  document.addEventListener("htmx:sendError", () => {
    unreached = true;
    tell(document.body.dataset.unreached);
  });
  document.addEventListener("htmx:afterOnLoad", () => {
    if (unreached) document.getElementById("notice").replaceChildren();
    unreached = false;
  });

  // Enter moves on to the next field instead of sending the form.
  const TYPED = "input:not([type]), input[type=text]";
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || !target.form?.matches("[data-onward]") || !target.matches(TYPED)) return;
    event.preventDefault();
    window.onward(target);
  });
  // The next field of its kind; a side that called has nothing left, and what is optional is not asked for.
  const caller = (field) => field.name.startsWith("left.") && field.value === "" && field.closest(".row")?.querySelector(".toggle input")?.checked;
  const optional = (field) => field.closest("[data-optional]");
  window.onward = (field) => {
    const kind = field.name === "name" ? "[name=name]" : TYPED;
    const fields = [...field.form.querySelectorAll(kind)].filter((each) => each.offsetParent);
    const next = fields.slice(fields.indexOf(field) + 1).find((each) => !caller(each) && (!optional(each) || optional(each) === optional(field)));
    (next ?? field.form.querySelector("[data-last]"))?.focus();
  };
  if (sessionStorage.getItem("start.sent") && location.pathname.startsWith("/g/")) for (const name of ["start", "start.sent"]) sessionStorage.removeItem(name);

  // A phone that is offline keeps the page with what was typed, unless the server answers all the same.
  const answered = new WeakSet();
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || navigator.onLine !== false || form.method !== "post" || form.matches("[data-keep], .sending")) return;
    if (answered.delete(form)) return;
    event.preventDefault();
    const there = await fetch("/ping", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    form.classList.remove("sending");
    if (!there) return tell(document.body.dataset.unreached);
    answered.add(form);
    form.requestSubmit(submitter);
  });

  // What can't be taken back asks first.
  document.addEventListener("submit", (event) => {
    const { ask } = event.submitter?.dataset ?? {};
    if (!ask || window.confirm(ask)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // A second tap while the first travels is dropped; the server would not count it twice either.
  document.addEventListener("submit", (event) => {
    if (event.target.classList.contains("sending")) event.preventDefault();
    else event.target.classList.add("sending");
  });
  window.addEventListener("pageshow", () => document.querySelectorAll(".sending").forEach((form) => form.classList.remove("sending")));

  // What a penalty will do, in words, while it is typed.
  document.addEventListener("input", ({ target }) => {
    const says = document.getElementById(target.dataset?.effect ?? "");
    if (!says) return;
    const [, sign, digits] = target.value.trim().replace(/[‐‑‒–—―−﹣－]/, "-").match(/^([+-]?)([0-9]{1,6})$/) ?? [];
    const { off, add, idle } = says.dataset;
    says.textContent = Number(digits) ? (sign === "+" ? add : off).replace("{number}", Number(digits)) : idle;
  });

  // The start page: a side's mark follows its colour and pattern.
  document.addEventListener("input", (event) => {
    const row = event.target.closest?.(".side-row");
    if (!row || !/^(color|pattern)\./.test(event.target.name)) return;
    const mark = row.querySelector("[data-preview]");
    mark.style.setProperty("--side", row.querySelector("[name^=color]").value);
    mark.className = `mark p-${row.querySelector("[name^=pattern]").value}`;
  });
})();
