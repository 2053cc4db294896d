// The number pad: digits, one more and one less, the next field; where a finger types and the screen has room for it.
(() => {
  "use strict";
  const pad = () => document.getElementById("pad"); // drawn anew after a refusal
  const fits = matchMedia("(pointer: coarse) and (min-height: 480px)");
  const NUMBERS = "input[data-pad]";
  let field = null; // what the pad types into
  let pressed = false; // a finger is down: what moves under it would not be tapped

  // Where the pad shows, the phone's own keyboard does not, except in a field that asked for it.
  const prepare = () => {
    for (const input of document.querySelectorAll(NUMBERS)) {
      input.dataset.keyboard ??= input.inputMode;
      input.inputMode = fits.matches && input.dataset.letters === undefined ? "none" : input.dataset.keyboard;
    }
  };
  const turn = (target) => {
    field = fits.matches && target?.matches?.(NUMBERS) && target.dataset.letters === undefined ? target : null;
    pad().hidden = !field;
    if (!field) return;
    field.select();
    field.scrollIntoView({ block: "nearest" });
  };
  const rest = () => { if (!document.activeElement?.matches(NUMBERS)) turn(null); };
  const put = (text) => {
    if (text.length > 8) return;
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // A count goes one up or down; a number that may be below 0 gets its sign.
  const step = (sign) => {
    const { value, dataset } = field;
    if (dataset.pad === "sign") return put(`${sign < 0 ? "-" : "+"}${value.replace(/^[+-]/, "")}`);
    const number = Number(value || 0) + sign;
    if (Number.isInteger(number) && number >= 0) put(String(number));
  };
  const keys = {
    back: () => put(picked() ? "" : field.value.slice(0, -1)),
    less: () => step(-1),
    more: () => step(1),
    next: () => window.onward(field),
    letters: () => {
      const input = field;
      input.dataset.letters = "";
      input.blur();
      prepare();
      input.focus();
    },
  };
  const picked = () => field.value !== "" && field.selectionStart === 0 && field.selectionEnd === field.value.length;

  const inPad = (target) => target.closest?.("#pad");
  for (const press of ["pointerdown", "mousedown"]) {
    document.addEventListener(press, (event) => {
      if (inPad(event.target)) event.preventDefault(); // the field keeps the focus
      else pressed = true;
    });
  }
  document.addEventListener("click", ({ target }) => {
    pressed = false;
    const key = target.closest(".key");
    if (!key || !field?.isConnected) return setTimeout(rest);
    if (key.dataset.key) keys[key.dataset.key]();
    else put(`${picked() ? "" : field.value}${key.textContent}`);
    if (key.dataset.key === "next") rest();
    else field?.setSelectionRange(field.value.length, field.value.length);
  });
  document.addEventListener("focusin", ({ target }) => { if (target.matches(NUMBERS) || !pressed) turn(target); });
  // Who called has the finger on the row: its numbers come next.
  document.addEventListener("change", ({ target }) => {
    if (!fits.matches || !target.matches(".toggle input")) return;
    [...target.closest(".row").querySelectorAll(NUMBERS)].find((each) => each.offsetParent && each.value === "")?.focus();
  });
  for (const change of ["htmx:afterSettle", "redrawn"]) document.addEventListener(change, prepare);
  fits.addEventListener("change", prepare);
  prepare();
  if (document.activeElement === document.body) document.querySelector("[autofocus]")?.focus();
  turn(document.activeElement);
})();
