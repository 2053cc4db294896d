// The clock of the hand in play, on every phone by the server's time.
(() => {
  "use strict";
  const ahead = Date.now() - Number(document.currentScript.dataset.now);
  const two = (number) => String(number).padStart(2, "0");
  const words = (seconds) => {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-clock]")) {
      const { before, since } = clock.dataset;
      const running = since ? Math.max(0, Date.now() - ahead - Number(since)) : 0;
      clock.textContent = words(Math.floor(Number(before) + running / 1000));
    }
  };
  // Three, two, one, Go: the stream says when, and every screen counts to it.
  const COUNTED_MS = 3000;
  const SAID_MS = 1200;
  let counting = 0;
  const count = (at) => {
    const [shown, left] = [document.getElementById("countdown"), at - (Date.now() - ahead)];
    clearTimeout(counting);
    if (!shown) return;
    shown.hidden = left > COUNTED_MS || left < -SAID_MS;
    const word = left > 0 ? String(Math.ceil(left / 1000)) : shown.dataset.go;
    if (!shown.hidden && shown.textContent !== word) {
      shown.textContent = word;
      document.dispatchEvent(new CustomEvent("counted", { detail: word }));
    }
    if (left >= -SAID_MS) counting = setTimeout(count, 50, at);
  };
  document.addEventListener("htmx:sseOpen", (event) => event.detail.source.addEventListener("go", ({ data }) => count(Number(data))));
  setInterval(tick, 250);
  document.addEventListener("htmx:afterSwap", tick);
  tick();
})();
