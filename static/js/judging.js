// Judging blindly: where a coach sees an item is marked while it plays, and kept as it is typed.

import { writeMark } from "./marks.js";
import { register } from "./shortcuts.js";
import { beside, comeTo } from "./stepping.js";

const WAIT = 1000; // milliseconds after the last key, as everywhere a text is kept
const DEEP = 10; // marks that can be taken back, as at the desk

const form = document.querySelector("[data-judged]");
const media = document.querySelector("[data-player]");
const items = () => [...(form?.querySelectorAll("[data-item]") ?? [])];
const current = () => items().find((item) => item.hasAttribute("data-current")) ?? null;
const taken = []; // the items as they were before each mark
let timer = 0;

function makeCurrent(item, { focus = false } = {}) {
  for (const other of items()) {
    other.toggleAttribute("data-current", other === item);
    if (other === item) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
  }
  if (!focus || !item) return;
  comeTo(item);
}

const step = (by) => makeCurrent(beside(items(), current(), by), { focus: true });

// Only what somebody would keep is anywhere: a mark says that too, where nothing was said yet.
function keep(item) {
  const chosen = item.querySelector("[type=radio]:checked");
  if (chosen) return chosen.value === "keep";
  item.querySelector('[type=radio][value="keep"]').checked = true;
  return true;
}

// What somebody would reject takes no mark, and says so.
function refuse() {
  const state = form.querySelector("#decided-state");
  if (state) state.textContent = form.dataset.refused;
  return true;
}

// Why a field was not kept is swapped in beside what is typed, which stays as it is.
function showProblems() {
  for (const item of items()) {
    const problem = item.querySelector("[data-clips-problem]");
    const field = item.querySelector("[data-clips]");
    if (problem.textContent.trim()) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

function mark(which, item = current() ?? items()[0]) {
  if (!item || !media) return false;
  makeCurrent(item);
  const field = item.querySelector("[data-clips]");
  const before = { item, field, text: field.value, chosen: item.querySelector("[type=radio]:checked") };
  if (!keep(item)) return refuse();
  taken.push(before);
  if (taken.length > DEEP) taken.shift();
  writeMark(item, which, media.currentTime);
  showUndo();
  return true;
}

function unmark() {
  const last = taken.pop();
  if (!last) return false;
  last.field.value = last.text;
  for (const radio of last.item.querySelectorAll("[type=radio]")) radio.checked = radio === last.chosen;
  last.field.dispatchEvent(new Event("input", { bubbles: true }));
  makeCurrent(last.item, { focus: true });
  showUndo();
  return true;
}

function showUndo() {
  const button = form.querySelector("[data-unmark]");
  button.disabled = !taken.length;
}

register("judge-next", () => step(1));
register("judge-before", () => step(-1));
register("judge-in", () => mark("in"));
register("judge-out", () => mark("out"));
register("judge-undo", unmark);

if (form) {
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mark-now]");
    if (button) mark(button.dataset.markNow, button.closest("[data-item]"));
    else if (event.target.closest("[data-unmark]")) unmark();
  });
  for (const name of ["focusin", "click"]) {
    form.addEventListener(name, (event) => {
      const item = event.target.closest("[data-item]");
      if (item) makeCurrent(item);
    });
  }
  document.body.addEventListener("htmx:afterSettle", showProblems);
  // Typed, not yet left: the form is kept on "change", which a text field says only when it is left.
  form.addEventListener("input", (event) => {
    if (!event.target.matches("[data-clips]")) return;
    clearTimeout(timer);
    timer = setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })), WAIT);
  });
  makeCurrent(items().find((item) => !item.querySelector("[type=radio]:checked")) ?? items()[0] ?? null);
}
