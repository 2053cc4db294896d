// The hand page: what players typed fills empty fields; what the scorekeeper typed stays, with the other number beside it.
(() => {
  "use strict";
  const fieldOf = (note) => note.closest(".row").querySelector("[name^='left.']");
  const filled = new WeakMap(); // the number that a player's phone put into a field

  const show = (note) => {
    const field = fieldOf(note);
    const said = note.querySelector("[data-told]")?.dataset.told;
    if (!field) return;
    const differs = said !== undefined && field.value.trim() !== said;
    note.classList.toggle("differs", differs);
    note.querySelector("[data-take]")?.toggleAttribute("hidden", !differs);
  };
  const put = (field, said) => {
    field.value = said;
    filled.set(field, said);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const heard = (note) => {
    const said = note.querySelector("[data-told]")?.dataset.told;
    const field = fieldOf(note);
    const untouched = field && (field.value.trim() === "" || filled.get(field) === field.value);
    if (said !== undefined && untouched && field.value !== said && field !== document.activeElement) put(field, said);
    show(note);
  };
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.matches?.(".told")) heard(event.detail.target);
  });
  document.addEventListener("input", (event) => {
    const note = event.target.closest?.(".row")?.querySelector(".told");
    if (!note || !event.target.name?.startsWith("left.")) return;
    if (event.isTrusted) filled.delete(event.target);
    show(note);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-take]");
    if (!button) return;
    const note = button.closest(".told");
    put(fieldOf(note), note.querySelector("[data-told]").dataset.told);
    show(note);
  });
  for (const change of ["htmx:afterSettle", "redrawn"]) document.addEventListener(change, () => document.querySelectorAll(".told").forEach(show));
  document.querySelectorAll(".told").forEach(show);
})();
