// The live scan: the picture goes on, outlines and counts follow, and one tap acts on what this screen shows.
(() => {
  "use strict";
  const STATE_MS = 250;
  const PICTURE_MS = 200;
  const view = document.getElementById("scan");
  if (!view) return;
  const [picture, marks, now, trouble, acts] = ["scan-picture", "scan-marks", "scan-now", "scan-trouble", "scan-acts"].map((id) => document.getElementById(id));
  const tell = (text) => { trouble.textContent = text; trouble.hidden = !text; };
  let acting = false;

  // Which buttons fit, and which will once the counts are locked; the server refuses all others anyway.
  const soon = ["use", "next-batch"];
  const fit = (phase, batches) => {
    for (const button of acts.querySelectorAll("[data-in]")) {
      const fits = button.dataset.in.split(" ").includes(phase) && !("batches" in button.dataset && !batches) && !("banked" in button.dataset && phase === "clear-table" && !batches);
      button.disabled = !fits;
      button.hidden = !fits && !(soon.includes(button.value) && ["waiting", "counting"].includes(phase));
    }
  };

  const show = (state) => {
    if (state.go) { location.assign(state.go); return; }
    if (state.phase) {
      const locked = state.phase === "locked" && view.dataset.phase !== "locked";
      view.dataset.seen = state.seen;
      view.dataset.phase = now.dataset.phase = state.phase;
      if (state.size[0]) view.style.setProperty("--ratio", state.size.join(" / "));
      marks.innerHTML = state.marks;
      now.innerHTML = state.now;
      acts.elements.number.value = state.number;
      fit(state.phase, state.batches);
      if (locked) { beep(); speak(state.spoken); }
    }
  };

  let lost = 0;
  const ask = async () => {
    if (!document.hidden && !acting) {
      try {
        const answer = await fetch(`${view.dataset.state}?seen=${encodeURIComponent(view.dataset.seen)}`);
        if (lost > 1) tell("");
        lost = 0;
        if (answer.status === 200 && !acting) show(await answer.json());
      } catch { lost += 1; if (lost > 1) tell(view.dataset.lost); }
    }
    setTimeout(ask, STATE_MS);
  };

  // The next picture is asked for when the last one is there; an unplugged camera leaves the last one standing.
  const look = async () => {
    if (!document.hidden) {
      const next = Object.assign(new Image(), { src: `${view.dataset.picture}?t=${Date.now()}` });
      try { await next.decode(); picture.src = next.src; } catch { /* the state says why */ }
    }
    setTimeout(look, PICTURE_MS);
  };

  acts.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (acting) return;
    acting = true;
    const form = new FormData(acts, event.submitter);
    form.append("live", "1");
    try {
      const state = await (await fetch(acts.action, { method: "POST", body: form })).json();
      tell(state.trouble ?? "");
      show(state);
    } catch { tell(view.dataset.lost); }
    acting = false;
  });

  // Sound, for those who look at the cards and not at the screen: off until somebody wants it.
  const switched = (id) => {
    const box = document.getElementById(id);
    try { box.checked = localStorage.getItem(id) === "1"; } catch { /* no storage, no memory */ }
    box.addEventListener("change", () => {
      try { localStorage.setItem(id, box.checked ? "1" : "0"); } catch { /* for this page only */ }
      if (box.checked) { if (id === "scan-beep") beep(); else speak(box.parentElement.textContent); }
    });
    return box;
  };
  const wantsBeep = switched("scan-beep");
  const wantsVoice = switched("scan-voice");
  let audio = null;
  function beep() {
    if (!wantsBeep.checked || !window.AudioContext) return;
    audio ??= new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.25, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.25);
  }
  function speak(text) {
    if (!wantsVoice.checked || !text || !window.speechSynthesis) return;
    speechSynthesis.cancel();
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang }));
  }

  fit(view.dataset.phase, 0);
  ask();
  look();
})();
