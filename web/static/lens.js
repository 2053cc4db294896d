// The table's camera: its picture again and again, or this phone's own, sent to the server.
(() => {
  "use strict";
  const PAUSE_MS = 1000;
  const GAP_MS = 120; // between two pictures that are sent, at least
  const AGAIN_MS = 1000;
  const PATIENCE_MS = 8000;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const shown = document.getElementById("lens-picture");
  if (shown) {
    const trouble = document.getElementById("lens-trouble");
    const tell = (text) => { trouble.textContent = text; trouble.hidden = !text; };
    const look = async () => {
      if (!document.hidden) {
        try {
          const answer = await fetch(shown.getAttribute("data-from"), { cache: "no-store" });
          tell(answer.ok ? "" : await answer.text());
          if (answer.ok) {
            const old = shown.src;
            shown.src = URL.createObjectURL(await answer.blob());
            await shown.decode().catch(() => {});
            shown.parentElement.style.setProperty("--ratio", `${shown.naturalWidth} / ${shown.naturalHeight}`);
            if (old.startsWith("blob:")) URL.revokeObjectURL(old);
          }
        } catch { tell(shown.dataset.lost); }
      }
      setTimeout(look, PAUSE_MS);
    };
    shown.setAttribute("data-from", shown.getAttribute("src"));
    look();
  }

  const lens = document.getElementById("lens");
  if (!lens) return;
  const video = document.getElementById("lens-video");
  const none = document.getElementById("lens-none");
  const said = document.getElementById("lens-said");
  const button = document.getElementById("lens-start");
  const words = lens.dataset;
  let camera = null;
  let awake = null;

  const say = (text, kind = "") => { said.textContent = text; said.className = `lens-said ${kind}`; };
  const going = () => say(`${words.sending} ${awake ? "" : words.asleep}`, "going");

  // The screen stays on; a browser lets go of it when the page is hidden, and is asked again.
  const stayAwake = async () => {
    if (!camera || document.hidden) return;
    try { awake = await navigator.wakeLock.request("screen"); } catch { awake = null; }
  };
  document.addEventListener("visibilitychange", async () => {
    await stayAwake();
    if (camera && video.paused) video.play().catch(() => {});
  });

  const stop = (text = "", kind = "") => {
    camera?.getTracks().forEach((track) => track.stop());
    awake?.release();
    camera = awake = null;
    video.hidden = true;
    none.hidden = false;
    button.textContent = words.start;
    say(text, kind);
  };

  const canvas = document.createElement("canvas");
  const frame = () => new Promise((resolve) => {
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext("2d").drawImage(video, 0, 0);
    canvas.toBlob(resolve, "image/jpeg", 0.85);
  });
  const post = async (address, form) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), PATIENCE_MS);
    try { return await fetch(address, { method: "POST", body: form, signal: late.signal }); } finally { clearTimeout(timer); }
  };
  const begin = async () => (await (await post(words.begin, new FormData())).json()).token;

  const send = async (mine, token) => {
    const form = new FormData();
    form.append("token", token);
    form.append("picture", await frame(), "frame.jpg");
    const answer = await post(words.frame, form);
    const { trouble } = await answer.json();
    if (camera !== mine) return;
    if (trouble && answer.status < 500) stop(trouble, "wrong");
    else if (trouble) say(trouble, "wrong");
    else going();
  };

  // One picture after the other, each when the one before has arrived: a slow Wi-Fi gets fewer, not later ones.
  const run = async (mine) => {
    let token = "";
    while (camera === mine) {
      try {
        token ||= await begin();
        if (video.videoWidth && !document.hidden) await send(mine, token);
        await wait(GAP_MS);
      } catch {
        if (camera === mine) say(words.lost, "wrong");
        await wait(AGAIN_MS);
      }
    }
  };

  const start = async () => {
    if (!navigator.mediaDevices?.getUserMedia) return say(words.insecure, "wrong");
    const size = { width: { ideal: Number(words.width) }, height: { ideal: Number(words.height) } };
    try {
      camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", ...size } });
    } catch { return say(words.denied, "wrong"); }
    const mine = camera;
    camera.getVideoTracks()[0].addEventListener("ended", () => { if (camera === mine) stop(words.ended, "wrong"); });
    video.srcObject = camera;
    video.addEventListener("loadedmetadata", () => lens.querySelector(".view").style.setProperty("--ratio", `${video.videoWidth} / ${video.videoHeight}`));
    await video.play();
    video.hidden = false;
    none.hidden = true;
    button.textContent = words.stop;
    await stayAwake();
    run(mine);
  };
  button.addEventListener("click", () => { if (camera) stop(); else start(); });
})();
