// Taking names out: the next proposal has the focus, and what is selected is counted in code points.

import { beginAct, endAct, isUnderWay } from "./in-turn.js";
import { register } from "./shortcuts.js";
import { comeTo } from "./stepping.js";

const groups = () => [...document.querySelectorAll("#redaction [data-open]")];
let at = 0;
let wasOpen = groups().length > 0;

function go(step) {
  const all = groups();
  if (!all.length) return false;
  at = Math.max(0, Math.min(at + step, all.length - 1));
  const group = all[at];
  comeTo(group);
  for (const mark of document.querySelectorAll(".redact[data-here]")) delete mark.dataset.here;
  const place = document.getElementById(group.dataset.place);
  if (place) {
    place.dataset.here = "";
    place.scrollIntoView({ block: "center" });
  }
  return true;
}

function press(name) {
  const all = groups();
  const focused = all.indexOf(document.activeElement?.closest("[data-open]"));
  if (focused >= 0) at = focused;
  const button = all[Math.min(at, all.length - 1)]?.querySelector(`[data-${name}]`);
  button?.click();
  return Boolean(button);
}

// JavaScript counts UTF-16 units; the site counts code points.
const length = (words) => [...words].length;

function chosen() {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const words = range.startContainer.parentElement?.closest(".redaction [data-start]");
  if (!words?.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.setStart(words, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = Number(words.dataset.start) + length(before.toString());
  return { start, end: start + length(range.toString()), words: range.toString() };
}

document.addEventListener("selectionchange", () => {
  const form = document.querySelector("[data-mark]")?.form;
  const found = form && chosen();
  // The selection goes when a field of the form gets the focus; what was chosen stays.
  if (!found) return;
  form.querySelector("[data-from]").value = found.start;
  form.querySelector("[data-to]").value = found.end;
  form.querySelector("[data-chosen]").textContent = `“${found.words}”`;
  form.querySelector("[data-mark]").hidden = false;
});

const DECIDES_ONE = { once: true };
register("redact-take", () => press("take"), DECIDES_ONE);
register("redact-leave", () => press("leave"), DECIDES_ONE);
register("redact-next", () => go(1));
register("redact-previous", () => go(-1));
register("redact-mark", () => {
  const button = document.querySelector("[data-mark]:not([hidden])");
  button?.click();
  return Boolean(button);
});

// A key pressed before the site has answered is about the proposal that comes next.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id === "redaction") beginAct(event.target, event.detail.xhr);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "redaction" && event.detail.elt?.id !== "redaction") return;
  const done = document.querySelector("#redaction [data-all-decided]");
  // Once, after the last decision: who goes on down the text is not taken back up.
  if (!go(0) && done && wasOpen) comeTo(done);
  wasOpen = groups().length > 0;
  if (isUnderWay(event.detail.requestConfig?.elt)) endAct({ goesOn: !document.querySelector("#redaction > * > [role=alert]") });
});
