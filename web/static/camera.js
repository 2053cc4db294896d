// The set-up check: looks again and again, through the table's camera or this phone's own.
(() => {
  "use strict";
  const PAUSE_MS = 500;
  const LONGEST_PX = 1920;
  if (!document.getElementById("view")) return;
  let view, picture, video, marks, list, trouble, own;
  let phone = null;
  // A picture that waited for the network draws the page anew.
  const meet = () => {
    if (view?.isConnected) return;
    phone?.getTracks().forEach((track) => track.stop());
    phone = null;
    [view, picture, video, marks, list, trouble, own] = ["view", "view-picture", "view-phone", "view-marks", "view-list", "view-trouble", "view-own"].map((id) => document.getElementById(id));
    if (!navigator.mediaDevices?.getUserMedia) return;
    own.hidden = false;
    own.addEventListener("click", () => phone ? stop() : begin());
  };

  const tell = (text) => { trouble.textContent = text; trouble.hidden = !text; };
  const show = async (answer) => {
    tell(answer.trouble);
    if (answer.trouble) return;
    if (!phone) {
      const next = Object.assign(new Image(), { src: answer.picture });
      await next.decode();
      picture.src = answer.picture;
      picture.hidden = false;
    }
    view.style.setProperty("--ratio", answer.size.join(" / "));
    document.getElementById("view-none")?.remove();
    marks.innerHTML = answer.marks;
    list.innerHTML = answer.list;
  };

  const frame = () => new Promise((resolve) => {
    const scale = Math.min(1, LONGEST_PX / Math.max(video.videoWidth, video.videoHeight));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(video.videoWidth * scale), height: Math.round(video.videoHeight * scale) });
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(resolve, "image/jpeg", 0.85);
  });
  const ask = async () => {
    if (!phone) return fetch(view.dataset.now);
    const form = new FormData();
    form.append("live", "1");
    form.append("picture", await frame(), "frame.jpg");
    return fetch(view.dataset.show, { method: "POST", body: form });
  };
  const look = async () => {
    if (!document.hidden && (phone ? video.videoWidth : view.dataset.now)) {
      try { await show(await (await ask()).json()); } catch { tell(view.dataset.lost); }
    }
    setTimeout(look, PAUSE_MS);
  };

  const stop = () => {
    phone?.getTracks().forEach((track) => track.stop());
    phone = null;
    video.hidden = true;
    own.querySelector("span").textContent = own.dataset.start;
  };
  const begin = async () => {
    try {
      phone = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } } });
    } catch { return tell(view.dataset.denied); }
    video.srcObject = phone;
    await video.play();
    marks.replaceChildren();
    picture.hidden = true;
    video.hidden = false;
    own.querySelector("span").textContent = own.dataset.stop;
  };
  meet();
  document.addEventListener("htmx:afterSettle", meet);
  look();
})();
