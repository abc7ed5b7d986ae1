// The form of a rule comes anew whenever a row is added, copied or removed, and the button that was pressed
// goes with it. The focus goes into the new row, or to the button that stands where the pressed one stood.

let pressed = null; // what the button does, and the section that it stands in

const form = () => document.getElementById("rule-form");
const buttonThat = (does) => [...form().querySelectorAll("button[name=do]:not([disabled])")].find((each) => each.value === does);
const fieldsOf = (row) => [...(row?.querySelectorAll("input:not([type=hidden]), select, textarea") ?? [])];

// "copy|when|all|0", one further: "copy|when|all|1".
const beside = (does, by) => does.replace(/\d+$/, (index) => Number(index) + by);

function newField(adder) {
  const before = adder?.closest(".adders").previousElementSibling;
  return before?.matches(".group--row") ? fieldsOf(before)[0] : fieldsOf(before).at(-1);
}

function placeAfter(does) {
  const [verb] = does.split("|");
  if (verb === "copy") return fieldsOf(buttonThat(beside(does, 1).replace("copy", "remove"))?.closest(".group--row"))[0];
  if (verb === "remove") return buttonThat(does) ?? buttonThat(beside(does, -1));
  if (verb === "save") return form().querySelector("[aria-invalid=true]") ?? buttonThat(does);
  return verb === "adapt" ? buttonThat(does) : (newField(buttonThat(does)) ?? buttonThat(does));
}

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  pressed = event.submitter && { does: event.submitter.value, section: event.submitter.closest("details")?.id };
});

// The answer to the live check holds the problems that there are, so those that were shown go first.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "checked" || !event.detail.shouldSwap) return;
  for (const place of form().querySelectorAll("[data-problems]")) if (place.firstElementChild) place.replaceChildren();
});

// Sections that somebody opened or closed stay so in the form that comes anew.
const folds = new Map();
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "editor") return;
  for (const fold of form()?.querySelectorAll("details[id]") ?? []) folds.set(fold.id, fold.open);
});

function foldAsBefore() {
  for (const [id, isOpen] of folds) {
    const fold = document.getElementById(id);
    if (fold && !fold.querySelector("[aria-invalid=true]")) fold.open = isOpen;
  }
  folds.clear();
}

document.addEventListener("htmx:afterSettle", () => {
  if (folds.size && form()) foldAsBefore();
  if (!pressed || !form() || document.activeElement !== document.body) return;
  const section = document.getElementById(pressed.section ?? "");
  const place = placeAfter(pressed.does) ?? section?.querySelector("summary") ?? document.getElementById("state");
  pressed = null;
  const fold = place.closest("details");
  if (fold) fold.open = true;
  place.focus();
});
