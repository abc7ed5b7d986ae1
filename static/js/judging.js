// Judging blindly: single keys say what one would do with an item; where a coach sees it is marked while it
// plays, and kept as it is typed.

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
  const chosen = chosenIn(item);
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
  const before = { item, field, text: field.value, chosen: chosenIn(item) };
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

const chosenIn = (item) => item.querySelector("[type=radio]:checked");
const tellForm = () => form.dispatchEvent(new Event("change", { bubbles: true }));

function decide(kind) {
  const item = current() ?? items()[0];
  if (!item) return false;
  makeCurrent(item);
  item.querySelector(`[type=radio][value="${kind}"]`).checked = true;
  tellForm();
  if (kind === "keep") goOn(item);
  else comeTo(item);
  return true;
}

// Why, by its number, where one would reject it.
function giveReason(number) {
  const item = current();
  if (!item || chosenIn(item)?.value !== "reject") return false;
  item.querySelector("select").selectedIndex = Number(number); // before them stands that none is chosen
  tellForm();
  goOn(item);
  return true;
}

// To the next one that has to be decided; behind the last one, to handing it in.
function goOn(from) {
  const all = items();
  const here = all.indexOf(from);
  const isOpen = (item) => !chosenIn(item) && !item.hasAttribute("data-optional");
  const next = [...all.slice(here + 1), ...all.slice(0, here)].find(isOpen);
  if (next) makeCurrent(next, { focus: true });
  else comeTo(form.querySelector("button[name=hand_in]"));
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
register("judge-keep", () => decide("keep"));
register("judge-reject", () => decide("reject"));
register("judge-reason", giveReason);

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
    timer = setTimeout(tellForm, WAIT);
  });
  makeCurrent(items().find((item) => !chosenIn(item)) ?? items()[0] ?? null);
}
