// What is pressed while an act is under way has its turn once that is answered: which item a key is about, and whether
// letters are keys or words, is known then; the form of a button that was clicked may come anew with the answer. After a
// refusal what would decide is dropped, since something else is to be read; what is written for good (a word, a note)
// is written all the same.
// What the keyboard repeats is known as such, so that a key that is held down decides one item and not the next ones.

import { keyIsOurs, keysAreOn } from "./keys.js";
import { goesToWords } from "./shortcuts.js";

const WRITTEN = "input:not([type=checkbox], [type=radio], [type=button]), textarea";
const OF_BROWSER = /^(Tab|Shift|AltGraph|F\d+|Page(Up|Down)|Home|End)$/;
let sent = null; // the form of the act under way, and its request
let waiting = [];

export const isUnderWay = (form) => sent !== null && form === sent.form;

export function beginAct(form, request) {
  const act = { form };
  sent = act;
  // Nothing came, or nothing that the page could put anywhere: keys are not kept for ever.
  request.addEventListener("loadend", () => { if (sent === act) endAct({ goesOn: false }); });
}

export function endAct({ goesOn }) {
  sent = null;
  const first = goesOn ? 0 : waiting.findIndex(goesToWords);
  const next = first < 0 ? [] : waiting.slice(first).filter((each) => goesOn || !each.form);
  waiting = [];
  const field = document.activeElement.matches(WRITTEN) ? document.activeElement : null;
  for (const key of next) {
    if (sent) waiting.push(key); // the one before began another act
    else if (key.form) sendOn(key);
    else if ("pasted" in key) put(document.activeElement, key.pasted);
    else type(key, document.activeElement === field ? document.body : document.activeElement);
  }
  if (next.length) field?.focus(); // whoever went into a field meanwhile is left there
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
  const { key, code, repeat, shiftKey, ctrlKey, metaKey, altKey } = event;
  const modifierAltGraph = event.getModifierState("AltGraph");
  waiting.push({ key, code, repeat, shiftKey, ctrlKey, metaKey, altKey, modifierAltGraph, bubbles: true, cancelable: true });
}, true);
window.addEventListener("paste", (event) => {
  const isIntoField = event.target.matches?.(WRITTEN) && !isUnderWay(event.target.form);
  if (!sent || !waiting.length || isIntoField) return;
  event.preventDefault();
  waiting.push({ pasted: event.clipboardData.getData("text/plain") });
}, true);

// A button was clicked; of the same form pressed twice, once is meant.
window.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!sent || form.getAttribute("hx-target") !== sent.form.getAttribute("hx-target")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form !== sent.form && !waiting.some((each) => each.form === form)) waiting.push({ form, submitter });
}, true);

const OF_THE_MOMENT = new Set(["csrfmiddlewaretoken", "seen"]);

function whatItIsAbout(form) {
  const hidden = [...form.querySelectorAll("input[type=hidden]")].filter(({ name }) => !OF_THE_MOMENT.has(name));
  return JSON.stringify([form.getAttribute("action"), ...hidden.map(({ name, value }) => [name, value])]);
}

// The form, or where the answer brought it anew that one, with what was typed and chosen in it.
function asItIsNow(form) {
  if (form.isConnected) return form;
  const now = [...document.forms].find((each) => whatItIsAbout(each) === whatItIsAbout(form));
  for (const field of now ? form.querySelectorAll("textarea, select, input:not([type=hidden])") : []) {
    const same = [...now.elements].find(({ name, type, value }) => name === field.name && (type !== "radio" || value === field.value));
    if (same) Object.assign(same, field.type === "checkbox" || field.type === "radio" ? { checked: field.checked } : { value: field.value });
  }
  return now;
}

function sendOn({ form, submitter }) {
  const now = asItIsNow(form);
  const button = [...now?.elements ?? []].find(({ type, name, value }) => type === "submit" && name === submitter?.name && value === submitter.value);
  if (button) button.click(); // htmx goes by the click, and the desk by where it was
  else if (!submitter) now?.requestSubmit();
}

function type(key, place) {
  const isLeft = place.dispatchEvent(new KeyboardEvent("keydown", key));
  if (!isLeft || key.ctrlKey || key.metaKey) return;
  if (key.key === "Enter" && place.matches("button, summary, a[href]")) place.click();
  else if (key.key === "Enter" && place.matches("input")) place.form?.requestSubmit();
  else if (key.key === "Enter") put(place, "\n");
  else if (key.key.length === 1) put(place, key.key);
  else if (place.matches(WRITTEN)) edit(place, key.key);
}

// As the browser does it: with its limits, its events and its Undo.
function put(place, words) {
  if (place.matches(WRITTEN)) document.execCommand("insertText", false, words);
}

function edit(field, key) {
  if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else if (key === "ArrowLeft" || key === "ArrowRight") {
    const at = key === "ArrowLeft" ? Math.max(field.selectionStart - 1, 0) : field.selectionEnd + 1;
    field.setSelectionRange(at, at);
  }
}
