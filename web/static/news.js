// The hand page: says when somebody else changed the hand, and leaves what is typed here alone.
(() => {
  "use strict";
  const WAIT_MS = 1200; // as long, what this page itself has just sent may not be shown here yet
  const form = () => document.getElementById("hand"); // drawn anew after a refusal
  const news = () => document.getElementById("hand-news");
  // No news is what the field shows, and what it showed before this page changed it and was not heard yet.
  const known = (name, value) => value === window.typed.now(form(), name) || value === window.typed.stood(form(), name);
  const asked = (name) => name.startsWith("look.") || form().elements.namedItem(name);

  let waiting = 0;
  const judge = () => {
    const kept = JSON.parse(document.querySelector("[data-kept]")?.dataset.kept ?? "{}");
    tell(Object.entries(kept).some(([name, value]) => asked(name) && !known(name, value)));
  };
  const tell = (changed) => {
    const line = news();
    if (changed === (line.textContent !== "")) return;
    line.textContent = "";
    if (!changed) return;
    const show = Object.assign(document.createElement("a"), { className: "button", href: line.dataset.page, textContent: line.dataset.show });
    line.append(`${line.dataset.said} `, show);
  };
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(judge, WAIT_MS); };

  document.addEventListener("change", ({ target }) => { if (target.form === form()) soon(); });
  document.addEventListener("htmx:oobAfterSwap", (event) => { if (event.detail.target.id === "hand-kept") soon(); });
})();
