// The television: full screen, dark, a call that fills the screen with a sound, the score read aloud, and a way back.
(() => {
  "use strict";
  const KEY = "tv"; // what was chosen on this screen
  const AWAKE_MS = 5000;
  const CALL_MS = 8000;
  const TONES = { call: [[660, 0], [880, 0.18], [1320, 0.36]], count: [[520, 0]], go: [[1040, 0]] };
  const root = document.documentElement;
  const framed = window.top !== window; // in the full screen of another page
  let wish = {};
  try { wish = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { /* this page alone remembers */ }
  root.classList.toggle("dark", Boolean(wish.dark)); // before anything is drawn
  const keep = () => { try { localStorage.setItem(KEY, JSON.stringify(wish)); } catch { /* as above */ } };

  // Sound comes only after somebody has tapped this screen once.
  let speaker = null;
  const ready = () => { speaker ??= new AudioContext(); speaker.resume(); };
  const play = (tones) => {
    if (!wish.sound || speaker?.state !== "running") return;
    for (const [pitch, after] of tones) {
      const [tone, loud, at] = [speaker.createOscillator(), speaker.createGain(), speaker.currentTime + after];
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.3, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
      tone.connect(loud).connect(speaker.destination);
      tone.start(at);
      tone.stop(at + 0.5);
    }
  };
  const speak = (text) => {
    if (!wish.speak || !window.speechSynthesis || !text) return;
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: root.lang }));
  };

  // The full screen holds the board in a frame, so that it stays while the table goes on to its next game.
  const fill = async () => {
    htmx.swap(document.body, `<iframe class="tv-frame" allow="autoplay" src="${location.pathname}${location.search}"></iframe>`, { swapStyle: "innerHTML" });
    const frame = document.querySelector(".tv-frame");
    document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) location.assign(frame.contentWindow.location.href); });
    await frame.requestFullscreen().catch(() => location.reload());
  };

  document.addEventListener("DOMContentLoaded", () => {
    const buttons = [...document.querySelectorAll("[data-tv]")];
    const can = { full: document.fullscreenEnabled && !framed, dark: true, sound: Boolean(window.AudioContext), speak: Boolean(window.speechSynthesis) };
    const show = () => {
      for (const button of buttons) {
        const { tv } = button.dataset;
        button.hidden = !can[tv];
        if (tv !== "full") button.setAttribute("aria-pressed", Boolean(wish[tv]));
      }
    };
    for (const button of buttons) button.addEventListener("click", () => {
      const { tv } = button.dataset;
      if (tv === "full") return fill();
      wish[tv] = !wish[tv];
      if (tv === "sound" && wish.sound) ready();
      keep();
      root.classList.toggle("dark", Boolean(wish.dark));
      show();
      if (tv === "sound") play(TONES.call);
      if (tv === "speak") speak(document.querySelector(".verdict h1").textContent);
      return undefined;
    });
    show();
    if (framed) document.querySelector(".tv-bar a").target = "_top";

    let asleep = 0;
    const wake = () => {
      document.body.classList.add("awake");
      clearTimeout(asleep);
      asleep = setTimeout(() => document.body.classList.remove("awake"), AWAKE_MS);
    };
    for (const act of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(act, wake);
    for (const act of ["pointerdown", "keydown"]) document.addEventListener(act, () => { if (wish.sound) ready(); });
    wake();
    if (wish.sound || framed) ready();

    // A call is shown once, to whoever was watching when it came.
    const call = document.getElementById("call");
    const line = () => document.querySelector("#board .play-line")?.dataset ?? {};
    let [known, away] = [line().callers, 0];
    const look = () => {
      const { call: word, callers, color } = line();
      if (callers === known) return;
      known = callers;
      call.hidden = !callers;
      clearTimeout(away);
      if (!callers) return;
      call.style.setProperty("--side", color);
      [call.firstChild.textContent, call.lastChild.textContent] = [word, callers];
      away = setTimeout(() => { call.hidden = true; }, CALL_MS);
      play(TONES.call);
      speak(callers);
    };
    call.addEventListener("click", () => { call.hidden = true; });
    document.addEventListener("htmx:afterSwap", look);
    document.addEventListener("htmx:sseMessage", look);

    const news = document.getElementById("news");
    new MutationObserver(() => speak(news.textContent)).observe(news, { childList: true, subtree: true, characterData: true });
    document.addEventListener("counted", ({ detail }) => play(/^\d$/.test(detail) ? TONES.count : TONES.go));
  });
})();
