// The hand page: what players typed fills empty fields; what the scorekeeper typed stays, with the other number beside it.
(() => {
  "use strict";
  const notes = (place = document) => [...place.querySelectorAll(".told-one")];
  const fieldOf = (note) => note.closest(".row").querySelector(`[name^="${note.dataset.of}."]`);
  const saidIn = (note) => note.querySelector("[data-told]").dataset.told;
  const filled = new WeakMap(); // the number that a player's phone put into a field

  const show = (note) => {
    const field = fieldOf(note);
    if (!field) return;
    const differs = field.value.trim() !== saidIn(note);
    note.classList.toggle("differs", differs);
    note.querySelector("[data-take]")?.toggleAttribute("hidden", !differs);
  };
  const put = (field, said) => {
    field.value = said;
    filled.set(field, said);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const heard = (note) => {
    const [said, field] = [saidIn(note), fieldOf(note)];
    const untouched = field && (field.value.trim() === "" || filled.get(field) === field.value);
    if (untouched && field.value !== said && field !== document.activeElement) put(field, said);
    show(note);
  };
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.matches?.(".told")) notes(event.detail.target).forEach(heard);
  });
  document.addEventListener("input", (event) => {
    const row = event.target.closest?.(".row");
    if (!row || !/^(lake|left)\./.test(event.target.name)) return;
    if (event.isTrusted) filled.delete(event.target);
    notes(row).forEach(show);
  });
  document.addEventListener("click", (event) => {
    const note = event.target.closest("[data-take]")?.closest(".told-one");
    if (!note) return;
    put(fieldOf(note), saidIn(note));
    show(note);
  });
  for (const change of ["htmx:afterSettle", "redrawn"]) document.addEventListener(change, () => notes().forEach(show));
  notes().forEach(show);
})();
