// What was misheard or misseen is put right in one place: a word, a filler, a look away.

import { register } from "./shortcuts.js";

const media = document.querySelector("[data-player]");
const form = document.querySelector("[data-word-form]");
const list = document.querySelector("[data-put-right]");
const REACH = 1.5; // seconds before the playhead in which a place still is the one just heard

let goesOn = false;

function wordAt(seconds) {
  const words = [...document.querySelectorAll("[data-transcript] [data-s]:not(.missing)")];
  return words.filter((word) => Number(word.dataset.s) <= seconds + 0.05).at(-1) ?? null;
}

function open(word) {
  if (!form || !word) return false;
  goesOn = Boolean(media) && !media.paused;
  media?.pause();
  word.scrollIntoView({ block: "nearest", behavior: "instant" });
  form.elements.start.value = word.dataset.s;
  form.elements.before.value = word.textContent;
  form.elements.after.value = word.textContent;
  form.querySelector("[data-word-read]").textContent = `“${word.textContent}”`;
  form.showPopover();
  form.elements.after.focus();
  form.elements.after.select();
  return true;
}

function close() {
  if (!form?.matches(":popover-open")) return;
  form.hidePopover();
  if (goesOn) media?.play().catch(() => {});
  goesOn = false;
}

register("correct", () => open(wordAt(media?.currentTime ?? 0)));

// Strikes the filler or look away at the playhead, or the one that has just gone by.
register("strike", () => {
  const now = media?.currentTime ?? 0;
  const near = [...document.querySelectorAll("[data-strike]")]
    .map((each) => ({ each, from: Number(each.dataset.from), to: Number(each.dataset.to) }))
    .filter(({ from, to }) => from <= now && now <= to + REACH)
    .sort((left, right) => right.from - left.from)[0];
  if (!near) return false;
  showStriking(near.each);
  near.each.requestSubmit();
  return true;
});

// The list and the timeline come anew with the answer: until then it says that it is on its way.
function showStriking(each) {
  const words = document.querySelector("[data-striking]");
  if (!words) return;
  words.textContent = `${each.querySelector("button").getAttribute("aria-label")} …`;
  words.hidden = false;
}
document.addEventListener("htmx:afterRequest", (event) => {
  const words = document.querySelector("[data-striking]");
  if (words && event.detail.target?.id === "corrections") words.hidden = true;
});

// The list comes anew without the button that was pressed: the focus goes to the one that took its place.
let pressed = null;
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id !== "corrections" || !list.contains(event.target)) return;
  const kind = event.target.matches("[data-strike]") ? "[data-strike]" : "form:not([data-strike])";
  pressed = { kind, index: [...list.querySelectorAll(kind)].indexOf(event.target) };
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "corrections" || !pressed) return;
  const forms = [...list.querySelectorAll(pressed.kind)];
  const isLost = list.matches(":popover-open") && document.activeElement === document.body;
  if (isLost) ((forms[pressed.index] ?? forms.at(-1))?.querySelector("button") ?? list.querySelector("h2")).focus();
  pressed = null;
});

document.addEventListener("dblclick", (event) => {
  const word = event.target.closest?.("[data-transcript] [data-s]:not(.missing)");
  if (!word) return;
  getSelection().removeAllRanges();
  open(word);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-word-close]")) close();
});
form?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  close();
});

// Kept: the field goes. Refused: the list says why, and what was typed stays.
form?.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful) return;
  if (document.querySelector("#corrections [data-problem]")) list?.showPopover();
  else close();
});

// A form of an item in which nobody has typed gives way to the fresh one, with the fresh figures.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "corrections") return;
  for (const kept of document.querySelectorAll("#items [hx-preserve]")) {
    const fields = [...kept.querySelectorAll("textarea, input:not([type=hidden])")];
    if (fields.every((field) => field.value === field.defaultValue && !field.checked)) kept.removeAttribute("id");
  }
});
