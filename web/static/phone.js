// At home on a phone: the screen stays awake at the table, and the last board stays when the server is gone.
(() => {
  "use strict";
  const STEADY_MS = 60000;
  const SOON_MS = 400;
  const AGAIN_MS = 4000;
  const BREATH_MS = 30000; // a server that answers pings but no pages is not asked for them again and again

  // Without the wake lock (no https, an old browser) the phone sleeps as it always does.
  const stay = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  if (document.body.matches(".board-page, .referee-page, .hand-page, .play-page")) {
    stay();
    document.addEventListener("visibilitychange", stay);
  }

  if (!("serviceWorker" in navigator) || !("caches" in window)) return;
  navigator.serviceWorker.register("/service-worker.js").then(() => document.getElementById("trusted")?.removeAttribute("hidden"), () => {});

  const { seen } = document.documentElement.dataset;
  const said = document.getElementById("connection");
  const trying = said?.textContent;
  if (seen && said) {
    const time = new Date(Number(seen)).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    said.textContent = document.body.dataset.lastSeen.replace("{time}", time);
    said.hidden = false;
  }

  const board = document.querySelector(".board-page #board");
  const own = board?.dataset.poll.replace(/\/board$/, "");

  // Shown in place of the page that was wanted: that one comes by itself as soon as the server answers.
  const instead = document.body.matches(".offline-page") || (seen && own !== location.pathname);
  const fetched = () => Date.now() - Number(sessionStorage.getItem("fetched")) < BREATH_MS;
  let leaving = false;
  const want = async () => {
    if (document.hidden || fetched()) return;
    try { if (!(await fetch("/ping", { cache: "no-store" })).ok) return; } catch { return; }
    if (leaving) return;
    sessionStorage.setItem("fetched", String(Date.now()));
    location.reload();
  };
  if (instead) {
    setInterval(want, AGAIN_MS);
    window.addEventListener("online", want);
    window.addEventListener("beforeunload", () => { leaving = true; });
  }

  // The page has the worker keep what it shows; nothing is asked of the server for it.
  if (!board) return;
  let connected = !seen;
  const keep = async () => {
    if (!connected || instead) return;
    const page = document.documentElement.cloneNode(true);
    delete page.dataset.seen;
    for (const part of page.querySelectorAll("#connection, #waits, #parcels")) part.hidden = true;
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ board: own, html: `<!doctype html>${page.outerHTML}` });
  };
  let soon = 0;
  const later = () => { clearTimeout(soon); soon = setTimeout(keep, SOON_MS); };
  document.body.addEventListener("htmx:sseOpen", () => {
    connected = true;
    delete document.documentElement.dataset.seen;
    said.textContent = trying;
    later();
  });
  document.body.addEventListener("htmx:sseError", () => { connected = false; });
  document.addEventListener("htmx:afterSettle", later);
  setInterval(keep, STEADY_MS);
  later();
})();
