// Correcting what the eye saw: tap a card, zoom with two fingers, walk from doubt to doubt. The server keeps every tap.
(() => {
  "use strict";
  const REACH_PX = 22; // half a finger: a tap this near to a card is meant for it
  const MOST = 8;
  const CLOSE_UP = 0.22; // share of the picture's width that a doubtful card fills
  let walking = null; // the step whose doubts are walked, and where the walk is
  let chosen = null; // the shape whose sheet is open

  const part = (own) => document.getElementById(`seen-${own}`);
  const list = (own) => document.getElementById(`list-${own}`);
  const field = (own, name) => part(own)?.querySelector(`[name="${name}.${own}"]`);
  const marks = (own) => [...document.querySelectorAll(`.pan[data-step="${own}"] :is(.suspect, .spot)`)];
  const place = (mark) => [Number(mark.dataset.x), Number(mark.dataset.y)];

  // Zoom: the picture grows inside its frame, which scrolls by itself.
  const zoomOf = (view) => Number(view.dataset.zoom ?? 1);
  const zoomTo = (view, zoom, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const [before, now] = [zoomOf(view), Math.min(MOST, Math.max(1, zoom))];
    const [left, top] = [(view.scrollLeft + x) / before, (view.scrollTop + y) / before];
    view.dataset.zoom = now;
    view.firstElementChild.style.width = `${now * 100}%`;
    view.scrollTo({ left: left * now - x, top: top * now - y, behavior: "instant" });
  };
  const closeUp = (view, mark) => {
    const svg = view.querySelector("svg");
    const { width, height } = svg.viewBox.baseVal;
    const [x, y] = place(mark);
    const wide = mark.getBBox().width || width / 20;
    zoomTo(view, Math.max(zoomOf(view), Math.min(5, (CLOSE_UP * width) / wide)));
    const zoom = zoomOf(view);
    const whole = [view.clientWidth * zoom, (view.clientWidth * zoom * height) / width];
    view.scrollTo({ left: (x / width) * whole[0] - view.clientWidth / 2, top: (y / height) * whole[1] - view.clientHeight / 2, behavior: "instant" });
  };
  let pinch = null;
  document.addEventListener("touchstart", (event) => {
    const view = event.target.closest?.(".pan-view");
    pinch = view && event.touches.length === 2 ? { view, apart: apart(event), zoom: zoomOf(view) } : null;
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault();
    const frame = pinch.view.getBoundingClientRect();
    const [a, b] = event.touches;
    zoomTo(pinch.view, (pinch.zoom * apart(event)) / pinch.apart, (a.clientX + b.clientX) / 2 - frame.left, (a.clientY + b.clientY) / 2 - frame.top);
  }, { passive: false });
  const apart = ({ touches: [a, b] }) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  document.addEventListener("wheel", (event) => {
    const view = event.target.closest?.(".pan-view");
    if (!view || !(event.ctrlKey || event.metaKey || view.contains(document.activeElement))) return;
    event.preventDefault();
    const frame = view.getBoundingClientRect();
    zoomTo(view, zoomOf(view) * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });

  // Which card a tap means: the one it lies on, whose middle is nearest, else the nearest within a finger's reach.
  const corners = (shape) => shape.querySelector("polygon").getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number));
  const within = (polygon, x, y) => polygon.reduce((inside, [ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length];
    return (ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !inside : inside;
  }, false);
  const toEdge = ([ax, ay], [bx, by], x, y) => {
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
  };
  const farFrom = (shape, x, y) => {
    const [mx, my] = place(shape);
    if (shape.matches(".spot")) return Math.hypot(x - mx, y - my);
    const polygon = corners(shape);
    return Math.min(...polygon.map((corner, k) => toEdge(corner, polygon[(k + 1) % polygon.length], x, y)));
  };
  const hit = (svg, x, y, reach) => {
    const far = (shape) => Math.hypot(x - Number(shape.dataset.x), y - Number(shape.dataset.y));
    const shapes = [...svg.querySelectorAll("[data-x]")];
    const under = shapes.filter((shape) => shape.matches(".shape") && within(corners(shape), x, y)).sort((a, b) => far(a) - far(b));
    if (under.length) return under[(under.indexOf(chosen) + 1) % under.length];
    const near = shapes.map((shape) => [farFrom(shape, x, y), shape]).sort(([a], [b]) => a - b)[0];
    return near && near[0] < reach ? near[1] : null;
  };
  const tapped = (event, view) => {
    const svg = view.querySelector("svg");
    const frame = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / frame.width;
    const [x, y] = [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
    const pan = view.closest(".pan");
    walking = null;
    open(pan, hit(svg, x, y, REACH_PX * scale), [x, y]);
  };

  // The sheet: the same list that serves without touch, risen from below for one card.
  const open = (pan, mark, [x, y] = place(mark)) => {
    close();
    const own = pan.dataset.step;
    const sheet = list(own);
    const number = mark?.dataset.card ?? "more";
    const kind = mark?.dataset.card ? "card" : mark ? "spot" : "more";
    field(own, "card").value = number;
    field(own, "spot").value = number === "more" ? `${pan.dataset.picture} ${x.toFixed(1)} ${y.toFixed(1)}` : "";
    const title = sheet.querySelector(".sheet-title");
    title.textContent = kind === "more" ? title.dataset.more : mark.getAttribute("aria-label");
    for (const button of sheet.querySelectorAll("[data-for]")) button.hidden = button.dataset.for !== kind && !(kind === "spot" && button.dataset.for === "more");
    sheet.querySelector(".nothing").value = `none ${mark?.dataset.doubt ?? ""}`;
    offer(sheet, mark?.dataset.what ?? "", mark?.dataset.others ? mark.dataset.others.split("|") : []);
    chosen = mark;
    mark?.classList.add("chosen");
    if (!mark) point(pan, x, y);
    sheet.open = true;
    sheet.classList.add("risen");
    document.documentElement.classList.add("correcting");
    bringUp(pan, mark, sheet);
    sheet.querySelector(".sheet").focus({ preventScroll: true });
  };
  const offer = (sheet, what, others) => {
    for (const button of sheet.querySelectorAll(".owner")) {
      const owner = button.value.slice(3);
      button.setAttribute("aria-pressed", String(owner === what));
      button.classList.toggle("likely", others.includes(owner));
    }
    const suit = sheet.querySelector(`.suits input[value="${what.slice(-1)}"]`);
    for (const input of sheet.querySelectorAll(".suits input")) input.checked = input === suit;
    const likely = sheet.querySelector("[data-guesses]");
    if (!likely) return;
    const codes = [what, ...others].filter((code) => /^(A|K|Q|J|10|[2-9])[SHDC]$/.test(code)).slice(0, 4);
    likely.hidden = !codes.length;
    likely.replaceChildren(...codes.map((code) => {
      const label = sheet.querySelector(`.suits input[value="${code.slice(-1)}"] + span`);
      const button = Object.assign(document.createElement("button"), { type: "button", className: `button ${label.className}`, textContent: code.slice(0, -1) + label.textContent });
      button.setAttribute("aria-pressed", String(code === what));
      button.dataset.code = code;
      return button;
    }));
  };
  const point = (pan, x, y) => {
    const svg = pan.querySelector("svg");
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ class: "pointed", cx: x, cy: y, r: svg.viewBox.baseVal.width / 40 })) ring.setAttribute(name, value);
    svg.append(ring);
  };
  const bringUp = (pan, mark, sheet) => {
    const room = sheet.querySelector(".sheet").getBoundingClientRect().top;
    const box = (mark ?? pan.querySelector(".pointed")).getBoundingClientRect();
    if (getComputedStyle(sheet.querySelector(".sheet")).position !== "fixed") return;
    if (box.bottom > room - 12) window.scrollBy({ top: box.bottom - room / 2, behavior: "instant" });
    else if (box.top < 0) window.scrollBy({ top: box.top - room / 2, behavior: "instant" });
  };
  const close = () => {
    for (const sheet of document.querySelectorAll(".by-list.risen")) {
      sheet.classList.remove("risen");
      sheet.open = false;
    }
    for (const ring of document.querySelectorAll(".pointed")) ring.remove();
    chosen?.classList.remove("chosen");
    chosen = null;
    document.documentElement.classList.remove("correcting");
  };

  // From doubt to doubt.
  const walk = (own) => {
    const left = marks(own);
    if (!left.length) {
      walking = null;
      for (const view of document.querySelectorAll(`.pan[data-step="${own}"] .pan-view`)) zoomTo(view, 1);
      return;
    }
    const at = walking?.own === own ? walking.at % left.length : 0;
    walking = { own, at };
    const mark = left[at];
    const pan = mark.closest(".pan");
    pan.scrollIntoView({ block: "start", behavior: "instant" });
    closeUp(pan.querySelector(".pan-view"), mark);
    open(pan, mark);
  };

  const visit = (own, doubts) => {
    const at = marks(own).findIndex((mark) => (mark.dataset.doubts ?? mark.dataset.doubt).split(" ").some((number) => doubts.includes(number)));
    if (at < 0) return;
    walking = { own, at };
    walk(own);
  };

  document.addEventListener("click", (event) => {
    const target = event.target;
    const bare = target.closest?.("[data-bare]");
    if (bare) return bare.setAttribute("aria-pressed", String(bare.closest(".pan, .card").classList.toggle("bare")));
    const chip = target.closest?.("[data-chip]");
    if (chip) {
      const own = chip.closest("[data-seen]").dataset.seen;
      const shape = document.querySelector(`.pan[data-step="${own}"] [data-card="${chip.dataset.chip}"]`);
      if (shape) open(shape.closest(".pan"), shape);
      return;
    }
    const view = target.closest?.(".pan-view");
    if (view) return tapped(event, view);
    const zoom = target.closest?.("[data-zoom]:not(.pan-view)");
    if (zoom) {
      const frame = zoom.closest(".pan").querySelector(".pan-view");
      return zoomTo(frame, Number(zoom.dataset.zoom) * zoomOf(frame));
    }
    const code = target.closest?.("[data-code]")?.dataset.code;
    if (code) {
      const sheet = target.closest(".by-list");
      sheet.querySelector(`.suits input[value="${code.slice(-1)}"]`).checked = true;
      return sheet.querySelector(`.rank[value="rank ${code.slice(0, -1)}"]`).click();
    }
    const asked = target.closest?.("[data-doubts]");
    if (asked) return visit(asked.closest("[data-seen]").dataset.seen, asked.dataset.doubts.split(" "));
    const next = target.closest?.("[data-walk]");
    if (next) {
      walking = walking?.own === next.dataset.walk ? { ...walking, at: walking.at + 1 } : null;
      return walk(next.dataset.walk);
    }
    if (target.closest?.(".sheet .close")) {
      walking = null;
      close();
    }
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".by-list") && !event.target.open) close();
  }, true);

  // Keys: arrows move from card to card, Enter opens its sheet, Escape closes it.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.querySelector(".risen")) {
      const back = chosen;
      close();
      return back?.focus();
    }
    const shape = event.target.closest?.(".layer [role=button]");
    if (!shape) return;
    const all = [...shape.closest("svg").querySelectorAll("[role=button]")];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const other = all[(all.indexOf(shape) + step + all.length) % all.length];
      shape.setAttribute("tabindex", "-1");
      other.setAttribute("tabindex", "0");
      other.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(shape.closest(".pan"), shape);
    }
  });

  // After each answer: on to the next doubt, or the sheet is gone; the picture stays as it was zoomed.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.closest(".by-list.risen") && event.detail.elt.matches("[name=fix]")) event.detail.elt.classList.add("sent");
  });
  document.addEventListener("htmx:sendError", () => document.querySelectorAll(".sent").forEach((button) => button.classList.remove("sent")));
  document.addEventListener("htmx:afterSettle", (event) => {
    const own = event.detail.target?.dataset?.seen;
    if (!own) return;
    close();
    if (walking?.own === own && !part(own).querySelector(".trouble")) walk(own);
  });
})();
