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
  setInterval(tick, 250);
  document.addEventListener("htmx:afterSwap", tick);
  tick();
})();
