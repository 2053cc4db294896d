// Starting a game: who played here before sits down by one tap, in the order of the taps, and a reload loses nothing.
(() => {
  "use strict";
  const KEY = "start"; // of this tab: the form as typed; "start.sent" says that it is on its way to the server
  const form = () => document.getElementById("start");
  const chips = () => [...form().querySelectorAll("[data-chip]")];
  const rows = () => [...form().querySelectorAll(".side-row")];
  const name = (row) => row.querySelector("[name=name]");
  const part = (row, what) => row.querySelector(`[name^="${what}."]`);
  const look = (row) => ({ color: part(row, "color").value, pattern: part(row, "pattern").value });
  const put = (row, fields) => {
    for (const [what, value] of Object.entries(fields)) part(row, what).value = value;
    part(row, "color").dispatchEvent(new Event("input", { bubbles: true })); // the mark beside the name follows
  };
  const same = (one, other) => one.color === other.color && one.pattern === other.pattern;

  // Sits down in the first empty row, in the look of last time unless somebody else has it by now.
  const sit = ({ value, dataset: { color, pattern, deck, people } }) => {
    const row = rows().find((each) => !name(each).value.trim());
    if (!row) return; // the server adds a row
    const [free, own] = [look(row), { color, pattern }];
    const alike = rows().find((each) => each !== row && same(look(each), own));
    if (alike && !name(alike).value.trim()) put(alike, free);
    name(row).value = value;
    put(row, { ...(alike && name(alike).value.trim() ? {} : own), deck, people });
  };
  const rise = ({ value }) => {
    const row = rows().find((each) => name(each).value.trim() === value);
    if (!row) return;
    name(row).value = "";
    put(row, { deck: "", people: "" });
  };
  // Without rows, on the front page, the order of the taps goes along in fields before the chips.
  const seat = (chip) => {
    const known = [...form().querySelectorAll("[type=hidden][name=known]")];
    if (!chip.checked) known.find((each) => each.value === chip.value)?.remove();
    else form().insertBefore(Object.assign(document.createElement("input"), { type: "hidden", name: "known", value: chip.value }), chip.closest(".chips").previousElementSibling);
    const order = [...form().querySelectorAll("[type=hidden][name=known]")].map((each) => each.value);
    for (const each of chips()) each.closest(".chip").dataset.seat = order.indexOf(each.value) + 1 || "";
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-chip]")) return;
    if (!rows().length) return seat(target);
    if (target.checked) sit(target); else rise(target);
    save();
  });

  const save = () => {
    if (!rows().length) return;
    const fields = [...new FormData(form())].filter(([what, value]) => !(value instanceof File) && what !== "token");
    sessionStorage.setItem(KEY, new URLSearchParams(fields).toString());
  };
  document.addEventListener("input", ({ target }) => {
    if (target.name === "name") for (const chip of chips()) chip.checked = rows().some((row) => name(row).value.trim() === chip.value);
    if (target.form === form()) save();
  });
  document.addEventListener("htmx:afterSettle", save);
  document.addEventListener("submit", ({ target, submitter }) => {
    if (target === form() && submitter?.value === "start") sessionStorage.setItem(`${KEY}.sent`, "1");
  });
  // After a reload the server draws the form again as it was typed.
  const restore = async () => {
    const body = new URLSearchParams(sessionStorage.getItem(KEY) ?? "");
    if (!("fresh" in form().dataset) || location.search || !body.getAll("name").some((each) => each.trim())) return;
    body.set("action", "show");
    body.delete("known");
    const answer = await fetch(form().getAttribute("action"), { method: "POST", body, headers: { "X-Token": document.body.dataset.token ?? "" } });
    const drawn = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("start");
    if (!drawn) return;
    form().replaceWith(drawn);
    htmx.process(drawn);
  };
  sessionStorage.removeItem(`${KEY}.sent`); // it did not get through, or it was refused
  if (rows().length && "fresh" in form().dataset) restore();
  else save();
})();
