// The hand page: says when somebody else changed the hand, and leaves what is typed here alone.
(() => {
  "use strict";
  const WAIT_MS = 1200; // as long, what this page itself has just sent may not be shown here yet
  const form = document.getElementById("hand");
  const news = document.getElementById("hand-news");
  if (!form || !news) return;
  const held = new Map(); // every value that each field of this page has had

  const values = (name) => new FormData(form).getAll(name).map(String);
  const remember = () => {
    for (const [name, value] of new FormData(form)) {
      if (!held.has(name)) held.set(name, new Set());
      held.get(name).add(String(value));
    }
  };
  const known = (name, value) => (value === "" && !values(name).length) || held.get(name)?.has(value);
  const asked = (name) => name.startsWith("look.") || form.elements.namedItem(name);

  let waiting = 0;
  const judge = () => {
    remember();
    const kept = JSON.parse(document.querySelector("[data-kept]")?.dataset.kept ?? "{}");
    tell(Object.entries(kept).some(([name, value]) => asked(name) && !known(name, value)));
  };
  const tell = (changed) => {
    if (changed === (news.textContent !== "")) return;
    news.textContent = "";
    if (!changed) return;
    const show = Object.assign(document.createElement("a"), { className: "button", href: news.dataset.page, textContent: news.dataset.show });
    news.append(`${news.dataset.said} `, show);
  };
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(judge, WAIT_MS); };

  remember();
  form.addEventListener("input", remember);
  form.addEventListener("change", () => { remember(); soon(); });
  document.addEventListener("htmx:afterSettle", remember);
  document.addEventListener("htmx:oobAfterSwap", (event) => { if (event.detail.target.id === "hand-kept") soon(); });
})();
