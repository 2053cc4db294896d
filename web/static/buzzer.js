// The player's phone: compares its clock with the server's, stamps the press, and keeps the page in step with the hand.
(() => {
  "use strict";
  const PINGS = 8; // round trips of one comparison; the quickest counts
  const APART_MS = 150;
  const AGAIN_MS = 30000;
  const JUMP_MS = 50;
  const KEPT = 12;
  const address = document.currentScript.dataset.ping;
  let pings = [];
  let gap = Date.now() - performance.now();
  let pressed = null;

  // The steady clock may stand still while the phone sleeps: then all comparisons are forgotten.
  const slept = () => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - gap) > JUMP_MS) pings = [];
    gap = now;
  };
  const ping = async () => {
    const sent = performance.now();
    const answer = await fetch(address, { cache: "no-store" });
    const server = Number(await answer.text());
    const heard = performance.now();
    if (answer.ok && server) pings.push([sent.toFixed(2), server, heard.toFixed(2)]);
    pings = pings.sort((one, other) => (one[2] - one[0]) - (other[2] - other[0])).slice(0, KEPT);
  };
  const compare = async () => {
    slept();
    pings = pings.filter((each) => performance.now() - each[2] < 10 * AGAIN_MS);
    for (let round = 0; round < PINGS && !document.hidden; round += 1) {
      try { await ping(); } catch { return; }
      await new Promise((resolve) => setTimeout(resolve, APART_MS));
    }
  };
  compare();
  setInterval(compare, AGAIN_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) compare(); });

  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-buzz]")) pressed = event.timeStamp;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-buzz]");
    if (!button) return;
    pressed ??= event.timeStamp;
    button.classList.add("pressed");
    navigator.vibrate?.(60);
  });
  document.addEventListener("htmx:configRequest", (event) => {
    if (!event.detail.elt.matches("[data-buzz]")) return;
    slept();
    event.detail.parameters.append("pressed", (pressed ?? performance.now()).toFixed(2));
    event.detail.parameters.append("pings", pings.map((each) => each.join(",")).join(";"));
    pressed = null;
  });

  // Enter in the number only closes the keyboard: it is told already.
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "left") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.activeElement?.blur();
  }, true);

  // With the next hand what was typed for the last one goes.
  const follow = () => {
    const number = document.querySelector("#play-now")?.dataset.number;
    const left = document.getElementById("left");
    if (!number || document.querySelector("[data-hand]")?.value === number) return;
    for (const field of document.querySelectorAll("[data-hand]")) field.value = number;
    if (!left) return;
    for (const field of left.querySelectorAll("[type=text]")) field.value = "";
    left.querySelector("#left-said").textContent = "";
    left.querySelector(".own-look")?.remove();
  };
  document.addEventListener("htmx:afterSettle", follow);
})();
