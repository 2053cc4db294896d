// The board beyond its stream: an announcement only when there is news, and one celebration for each end of a game.
(() => {
  "use strict";
  const PARTY_MS = 6000;
  const board = document.getElementById("board");
  const state = () => board.querySelector("[data-state]")?.dataset.state;
  const known = `celebrated ${location.pathname}`;
  const celebrate = () => {
    if (state() !== "over") return sessionStorage.removeItem(known);
    if (sessionStorage.getItem(known)) return undefined;
    sessionStorage.setItem(known, "1");
    document.body.classList.add("celebrating");
    return setTimeout(() => document.body.classList.remove("celebrating"), PARTY_MS);
  };
  for (const news of ["htmx:afterSwap", "htmx:sseMessage"]) document.addEventListener(news, celebrate);
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (target.id === "news" && fragment.textContent.trim() === target.textContent.trim()) event.detail.shouldSwap = false;
  });
  celebrate();
})();
