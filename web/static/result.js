// The result as a picture: drawn here, with a photo that never leaves this phone, then shared or saved.
(() => {
  "use strict";
  const QUALITY = 0.92;
  const SHAPE = 3 / 4; // height of the photo for its width
  const place = document.getElementById("result");
  const [drawn, canvas] = [place.querySelector("img.result"), place.querySelector("canvas")];
  const part = (name) => place.querySelector(`[data-${name}]`);
  const [share, save, chosen, without] = ["share", "save", "photo", "without"].map(part);
  let photo = null;
  let file = null; // made before the tap, as a browser shares only what is there at once

  // The middle of the photo, as large as its place.
  const cover = (pen, width, height) => {
    const scale = Math.max(width / photo.naturalWidth, height / photo.naturalHeight);
    const [w, h] = [width / scale, height / scale];
    pen.drawImage(photo, (photo.naturalWidth - w) / 2, (photo.naturalHeight - h) / 2, w, h, 0, 0, width, height);
  };
  const draw = async () => {
    const above = photo ? Math.round(drawn.naturalWidth * SHAPE) : 0;
    [canvas.width, canvas.height] = [drawn.naturalWidth, drawn.naturalHeight + above];
    const pen = canvas.getContext("2d");
    if (photo) cover(pen, canvas.width, above);
    pen.drawImage(drawn, 0, above);
    const data = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
    file = new File([data], place.dataset.file, { type: data.type });
    URL.revokeObjectURL(save.href);
    Object.assign(save, { href: URL.createObjectURL(file), download: file.name });
    drawn.hidden = true;
    canvas.hidden = false;
    without.hidden = !photo;
    share.hidden = !navigator.canShare?.({ files: [file] });
    save.classList.toggle("primary", share.hidden);
    place.dataset.ready = photo ? "photo" : "plain";
  };

  share.addEventListener("click", async () => {
    const refused = await navigator.share({ files: [file], title: place.dataset.title }).then(() => null, (error) => error);
    if (refused && refused.name !== "AbortError") save.click();
  });
  chosen.addEventListener("change", async () => {
    if (!chosen.files.length) return;
    const taken = Object.assign(new Image(), { src: URL.createObjectURL(chosen.files[0]) });
    try { await taken.decode(); } catch { return document.dispatchEvent(new CustomEvent("tell", { detail: place.dataset.unread })); }
    document.getElementById("notice").replaceChildren();
    photo = taken;
    await draw();
  });
  without.addEventListener("click", () => { photo = null; chosen.value = ""; draw(); });
  chosen.closest("label").hidden = false;
  place.querySelector(".js-only").hidden = false;
  drawn.decode().then(draw);
})();
