// At home on a phone: the screen stays awake at the table, and the last board stays when the server is gone.
(() => {
  "use strict";
  const STEADY_MS = 60000;
  const SOON_MS = 400;

  // Without the wake lock (no https, an old browser) the phone sleeps as it always does.
  const stay = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  if (document.body.matches(".board-page, .referee-page, .hand-page, .play-page")) {
    stay();
    document.addEventListener("visibilitychange", stay);
  }

  if (!("serviceWorker" in navigator) || !("caches" in window)) return;
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});

  const { seen } = document.documentElement.dataset;
  const said = document.getElementById("connection");
  if (seen && said) {
    const time = new Date(Number(seen)).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    said.textContent = document.body.dataset.lastSeen.replace("{time}", time);
    said.hidden = false;
  }

  // The page keeps what it shows; nothing is asked of the server for it.
  const board = document.querySelector(".board-page #board");
  if (!board) return;
  let connected = !seen;
  const keep = async () => {
    if (!connected) return;
    const page = document.documentElement.cloneNode(true);
    delete page.dataset.seen;
    for (const part of page.querySelectorAll("#connection, #waits")) part.hidden = true;
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Seen": String(Date.now()) };
    const boards = await caches.open("boards");
    await boards.put(location.pathname, new Response(`<!doctype html>${page.outerHTML}`, { headers }));
  };
  let soon = 0;
  const later = () => { clearTimeout(soon); soon = setTimeout(keep, SOON_MS); };
  document.body.addEventListener("htmx:sseOpen", () => { connected = true; later(); });
  document.body.addEventListener("htmx:sseError", () => { connected = false; });
  document.addEventListener("htmx:afterSettle", later);
  setInterval(keep, STEADY_MS);
  later();
})();
