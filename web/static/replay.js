// The last seconds without a page load for each picture: slider, steps and arrow keys.
(() => {
  "use strict";
  const view = document.querySelector(".replay-view");
  if (!view) return;
  const numbers = JSON.parse(view.dataset.moments);
  const before = JSON.parse(view.dataset.before);
  const image = document.getElementById("replay-picture");
  const slider = document.getElementById("replay-at");
  const decimal = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const address = (at) => view.dataset.picture.replace(/0\.jpg$/, `${numbers[at]}.jpg`);
  const show = (wanted) => {
    const at = Math.max(0, Math.min(numbers.length - 1, wanted));
    slider.value = at;
    image.src = address(at);
    const words = view.dataset.words.replace("{seconds}", decimal.format(before[at])).replace("{at}", at + 1).replace("{all}", numbers.length);
    document.getElementById("replay-words").textContent = words;
    const kept = document.getElementById("replay-keep");
    if (kept) kept.value = at;
  };
  const nearest = (seconds) => before.reduce((best, each, at) => (Math.abs(each - seconds) < Math.abs(before[best] - seconds) ? at : best), 0);
  const jumps = [() => 0, (at) => nearest(before[at] + 1), (at) => at - 1, (at) => at + 1, (at) => nearest(before[at] - 1), () => numbers.length - 1];
  const steps = document.querySelector(".replay-steps");
  steps.replaceChildren(...[...steps.children].map((step, place) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: step.textContent });
    button.setAttribute("aria-label", step.getAttribute("aria-label") ?? step.textContent);
    button.addEventListener("click", () => show(jumps[place](Number(slider.value))));
    return button;
  }));
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, button, a") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    show(Number(slider.value) + (event.key === "ArrowLeft" ? -1 : 1));
  });
})();
