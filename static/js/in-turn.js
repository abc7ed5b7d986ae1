// Keys pressed while an act is under way have their turn once it is answered: which item a key is about, and
// whether letters are keys or words, is known then. After a refusal they are dropped, since something else is to be read.
// A key that is held down is pressed once: what the keyboard repeats meanwhile would decide one item after another.

import { keyIsOurs, keysAreOn } from "./keys.js";

const WRITTEN = "input:not([type=checkbox], [type=radio], [type=button]), textarea";
const OF_BROWSER = /^(Tab|Shift|AltGraph|F\d+|Page(Up|Down)|Home|End)$/;
let sent = null; // the form of the act under way
let waiting = [];

export const isUnderWay = (form) => sent !== null && form === sent;

export function beginAct(form) {
  sent = form;
}

export function endAct({ goesOn }) {
  sent = null;
  const next = goesOn ? waiting : [];
  waiting = [];
  for (const key of next) {
    if (sent) waiting.push(key); // the one before began another act
    else type(key);
  }
}

// A key of the page, one more after such a one, or one in the form that is gone with the answer.
function waits(event) {
  if (!sent || event.isComposing) return false;
  const sends = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  const isMeant = sends || keyIsOurs(event) || isUnderWay(event.target.form);
  const isOfBrowser = !sends && (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  return keysAreOn() && isMeant && !isOfBrowser && !OF_BROWSER.test(event.key);
}

window.addEventListener("keydown", (event) => {
  if (!waits(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.repeat) return;
  const { key, code, shiftKey, ctrlKey, metaKey, altKey } = event;
  const modifierAltGraph = event.getModifierState("AltGraph");
  waiting.push({ key, code, shiftKey, ctrlKey, metaKey, altKey, modifierAltGraph, bubbles: true, cancelable: true });
}, true);

function type(key) {
  const place = document.activeElement ?? document.body;
  const isLeft = place.dispatchEvent(new KeyboardEvent("keydown", key));
  if (!isLeft || key.ctrlKey || key.metaKey) return;
  if (key.key === "Enter" && place.matches("button, summary, a[href]")) place.click();
  else if (key.key.length === 1 && place.matches(WRITTEN)) write(place, key.key);
}

function write(field, letter) {
  field.setRangeText(letter, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: letter }));
}
