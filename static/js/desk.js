// The review desk: one item is current; single keys decide it; a verdict moves nothing.

import { clock } from "./clock.js";
import { keyIsOurs, keysAreOn } from "./keys.js";

const media = document.querySelector("[data-player]");
let currentId = null;

const items = () => [...document.querySelectorAll("#items [data-item]")];
const current = () => items().find((item) => item.dataset.item === currentId) ?? null;

function makeCurrent(item, { focus = false } = {}) {
  for (const other of items()) other.toggleAttribute("data-current", other === item);
  currentId = item?.dataset.item ?? null;
  if (!focus || !item) return;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = items();
  const here = all.indexOf(current());
  const next = all[here < 0 ? 0 : Math.min(Math.max(here + by, 0), all.length - 1)];
  if (next) makeCurrent(next, { focus: true });
}

function press(name) {
  current()?.querySelector(`[data-verdict="${name}"]`)?.click();
}

function openForm(name) {
  const details = current()?.querySelector(`[data-form="${name}"]`);
  if (!details) return;
  details.open = true;
  const field = details.querySelector("textarea, input[type=radio]");
  field.focus();
  if (field.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length);
}

// A number chooses the reason, as long as the form that asks for it is open.
function choose(number) {
  const reasons = current()?.querySelectorAll("[data-form=reject][open] input[name=reason]");
  const reason = reasons?.[number - 1];
  if (!reason) return;
  reason.checked = true;
  reason.focus();
}

function askToRelease() {
  const ask = document.querySelector("#release details");
  if (!ask) {
    document.getElementById("release")?.scrollIntoView({ block: "nearest" });
    return;
  }
  ask.open = true;
  ask.querySelector("button").focus();
}

const KEYS = {
  a: () => press("accept"),
  u: () => press("undo"),
  e: () => openForm("edit"),
  x: () => openForm("reject"),
  n: () => step(1),
  p: () => step(-1),
  r: askToRelease,
  ...Object.fromEntries([1, 2, 3, 4, 5].map((number) => [String(number), () => choose(number)])),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const open = event.target.closest?.("[data-form][open], #release details[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest?.("[data-form] form, [data-own] form");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  const act = KEYS[event.key.toLowerCase()];
  if (!act || !keysAreOn() || !keyIsOurs(event)) return;
  event.preventDefault();
  if (!current()) step(0);
  act();
});

document.addEventListener("focusin", (event) => {
  const item = event.target.closest("#items [data-item]");
  if (item) makeCurrent(item);
});
document.addEventListener("click", (event) => {
  const item = event.target.closest("#items [data-item]");
  if (item) makeCurrent(item);
});

// One form open at a time in an item.
document.addEventListener("toggle", (event) => {
  const opened = event.target;
  if (!opened.open || !opened.matches?.("[data-form]")) return;
  for (const other of opened.closest("[data-item]").querySelectorAll("[data-form][open]")) {
    if (other !== opened) other.open = false;
  }
}, true);

// The verdict comes back as a fresh list: same place on the screen, same item, focus kept.
let heldTop = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "items") heldTop = current()?.getBoundingClientRect().top ?? null;
});
document.addEventListener("htmx:afterSettle", () => {
  const item = current();
  if (heldTop === null) return;
  if (!item) { // taken out: the last one that is left
    heldTop = null;
    makeCurrent(items().at(-1) ?? null, { focus: true });
    return;
  }
  makeCurrent(item);
  item.focus({ preventScroll: true });
  window.scrollBy({ top: item.getBoundingClientRect().top - heldTop, behavior: "instant" });
  heldTop = null;
});

// A failed request says so and changes nothing.
const trouble = document.querySelector("[data-trouble]");
const gone = document.querySelector("[data-gone]");
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, (event) => {
    const status = event.detail.xhr?.status;
    const notice = status === 404 ? gone : trouble;
    if (!notice || status === 401 || status === 403) return; // app.js says that one is signed out
    notice.hidden = false;
    notice.scrollIntoView({ block: "nearest" });
  });
}
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (trouble && event.detail.successful) trouble.hidden = true;
});

// "Use the current time": into the field beside it, and into no other.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-take-time]");
  if (!button || !media) return;
  const field = document.getElementById(button.dataset.takeTime);
  field.value = clock(media.currentTime);
});

const own = document.querySelector("[data-own]");

// Added: the form is empty again. Refused: what was typed stays.
own?.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful || document.querySelector("#items [data-problem]")) return;
  event.target.reset();
  own.open = false;
});

makeCurrent(items()[0] ?? null);
