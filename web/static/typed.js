// Fields that save themselves: what the server has of such a field, what it shows now, and how both come together after a reload.
(() => {
  "use strict";
  const named = (form, name) => [...form.elements].filter((field) => field.name === name);
  const ticks = (field) => field.matches("[type=checkbox], [type=radio]");
  const now = (form, name) => String(new FormData(form).get(name) ?? "");
  // As the server drew the field, or took it since: that is what its default says.
  const drawn = (field) => {
    if (ticks(field)) return field.defaultChecked ? field.value : "";
    return field.options ? [...field.options].find((option) => option.defaultSelected)?.value : field.defaultValue;
  };
  const stood = (form, name) => named(form, name).map(drawn).find(Boolean) ?? "";
  const put = (form, name, value) => {
    for (const field of named(form, name)) {
      if (ticks(field)) field.checked = field.value === value;
      else field.value = value;
    }
  };
  const took = (form, name, value) => {
    for (const field of named(form, name)) {
      if (ticks(field)) field.defaultChecked = field.value === value;
      else if (field.options) for (const option of field.options) option.defaultSelected = option.value === value;
      else field.defaultValue = value;
    }
  };
  const touched = ({ form, name }) => Boolean(form) && now(form, name) !== stood(form, name);
  const texts = (formData) => [...formData].filter(([, value]) => !(value instanceof File));
  const said = (body, name) => new URLSearchParams(body).get(name) ?? "";

  // The form of this page that is about the same hand.
  const formOf = ({ url, body }) => {
    const form = document.querySelector(`[data-save="${CSS.escape(url)}"]`)?.form;
    return form && ["hand", "number"].every((name) => (form.elements[name]?.value ?? "") === said(body, name)) ? form : null;
  };
  const label = (field) => [
    field.closest(".row")?.querySelector("h3")?.firstChild.textContent.trim(),
    field.dataset.label ?? field.closest("label")?.querySelector("span")?.textContent.trim(),
  ].filter(Boolean).join(", ");

  // The change of one field as it waits, *before* it the one that waited of the same field. It names every value that
  // the server may have of it by this phone: another one there is somebody else's, who came later.
  const item = (field, before) => {
    const body = new URLSearchParams(texts(new FormData(field.form))).toString();
    const was = before && formOf(before) ? [...before.was, ...(before.posted ? [said(before.body, field.name)] : [])] : [stood(field.form, field.name)];
    const number = field.matches("[type=text]") ? field.value : "";
    const { save: url, into: target } = field.dataset;
    return { id: Date.now() + Math.random(), name: field.name, field: field.name, was, url, body, target, label: [label(field), number].filter(Boolean).join(": ") };
  };
  // What is sent: the form as this page shows it now, so that the points in the answer are those of its numbers.
  const body = (each, late) => {
    const form = formOf(each);
    const fields = new URLSearchParams(form ? texts(new FormData(form)) : each.body);
    fields.set(each.field, said(each.body, each.field));
    fields.set("field", each.field);
    if (late) for (const [name, value] of [["late", "1"], ...each.was.map((value) => ["was", value])]) fields.append(name, value);
    return fields.toString();
  };
  const saved = (each, sent) => {
    const form = formOf(each);
    if (form) took(form, each.field, said(sent, each.field));
  };
  // After a reload the field shows again what was typed, unless somebody else changed it since.
  const restore = (each) => {
    const form = formOf(each);
    if (form && each.was.includes(stood(form, each.field))) put(form, each.field, said(each.body, each.field));
  };
  const fill = (each) => {
    const form = formOf(each);
    if (form) put(form, each.field, said(each.body, each.field));
  };
  // What is typed while *form* is drawn anew stays: takes what it showed, gives what to do afterwards.
  const shown = (form) => new Map([...form.querySelectorAll("[data-save]")].map(({ name }) => [name, now(form, name)]));
  const since = (form, before) => [...shown(form)].filter(([name, value]) => before.has(name) && before.get(name) !== value);
  const keep = (form, before) => {
    const changed = since(form, before);
    return (anew) => {
      for (const [name, value] of changed) {
        put(anew, name, value);
        named(anew, name)[0]?.dispatchEvent(new Event("input", { bubbles: true }));
      }
    };
  };
  window.typed = { texts, now, stood, touched, item, body, saved, restore, fill, shown, since, keep, said };
})();
