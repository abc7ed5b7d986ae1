// Coding a text: words are marked with the mouse, a finger or the arrow keys, and a key puts a code on them.
// Positions are counted in UTF-16 units, as browsers do, within the words of one turn; the site makes code
// points of them. Without this script whole turns are ticked.

import { connectCodes } from "./codes.js";
import { register } from "./shortcuts.js";

const apply = document.getElementById("apply");
const list = document.querySelector(".turns");
const shown = document.querySelector("[data-marked-words]");

let marked = null; // {first, begins, last, ends}: numbers of turns, units in their words

const turns = () => [...document.querySelectorAll("[data-turn]")].filter((turn) => wordsOf(turn));
const wordsOf = (turn) => turn?.querySelector("[data-words]");
const turnNumbered = (number) => document.getElementById(`turn-${number}`);
const current = () => document.querySelector("[data-turn][data-current]");

// --- from a place in the page to units in a turn, and back ---
function unitsAt(words, node, offset) {
  const range = document.createRange();
  range.selectNodeContents(words);
  range.setEnd(node, offset);
  return range.toString().length;
}

function placeOf(words, units) {
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  let left = units;
  let node = walker.nextNode();
  let before = node;
  while (node && left > node.data.length) {
    left -= node.data.length;
    before = node;
    node = walker.nextNode();
  }
  return node ? [node, left] : [before ?? words, before ? before.data.length : 0];
}

// The end of a selection may lie in a gap between turns: it then belongs to the words that it covers.
function ends(range) {
  const inside = turns().filter((turn) => range.intersectsNode(wordsOf(turn)));
  if (!inside.length) return null;
  const [first, last] = [inside[0], inside[inside.length - 1]];
  const [from, to] = [wordsOf(first), wordsOf(last)];
  const begins = from.contains(range.startContainer) ? unitsAt(from, range.startContainer, range.startOffset) : 0;
  const stops = to.contains(range.endContainer) ? unitsAt(to, range.endContainer, range.endOffset) : to.textContent.length;
  return { first: first.dataset.turn, begins, last: last.dataset.turn, ends: stops };
}

function show(place) {
  const [from, to] = [wordsOf(turnNumbered(place.first)), wordsOf(turnNumbered(place.last))];
  if (!from || !to) return;
  const range = document.createRange();
  range.setStart(...placeOf(from, place.begins));
  range.setEnd(...placeOf(to, place.ends));
  const selection = document.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function note(place) {
  marked = place;
  for (const name of ["first", "begins", "last", "ends"]) apply.elements[name].value = place ? place[name] : "";
  const words = place ? document.getSelection().toString().trim() : "";
  // Read out in the language in which it was said, whatever the page speaks.
  if (words) shown.lang = list.lang;
  else shown.removeAttribute("lang");
  shown.textContent = words || shown.dataset.nothing;
  tellIdle();
}

// On a phone the codes come up once there is something to put them on.
function tellIdle() {
  const isReplacing = Boolean(apply.elements.replace?.value);
  apply.toggleAttribute("data-idle", !marked && !isReplacing && !list.querySelector("[name=turn]:checked"));
}

function makeCurrent(turn) {
  current()?.removeAttribute("data-current");
  turn?.setAttribute("data-current", "");
}

// A click on a button must not lose what is marked, so only selections in the text count.
document.addEventListener("selectionchange", () => {
  if (!apply) return;
  const selection = document.getSelection();
  if (!selection.rangeCount || !list.contains(selection.anchorNode)) return;
  if (selection.isCollapsed) {
    if (marked && document.activeElement === document.body) note(null);
    return;
  }
  const place = ends(selection.getRangeAt(0));
  if (!place || (place.first === place.last && place.begins === place.ends)) return;
  note(place);
  makeCurrent(turnNumbered(place.first));
});

// --- the arrow keys: turns, words, one word more or less ---
function segments(turn) {
  const words = wordsOf(turn);
  const language = list.lang || undefined;
  return [...new Intl.Segmenter(language, { granularity: "word" }).segment(words.textContent)]
    .filter((each) => each.isWordLike)
    .map((each) => [each.index, each.index + each.segment.length]);
}

function mark(turn, begins, stops) {
  makeCurrent(turn);
  const place = { first: turn.dataset.turn, begins, last: turn.dataset.turn, ends: stops };
  show(place);
  note(place);
  turn.scrollIntoView({ block: "nearest" });
}

function toTurn(step) {
  const all = turns();
  const at = all.indexOf(current());
  const turn = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
  if (turn) mark(turn, 0, wordsOf(turn).textContent.length);
  return true;
}

function here() {
  const turn = marked && turnNumbered(marked.first);
  return turn && marked.first === marked.last ? turn : null;
}

function isWhole(turn) {
  return marked.begins === 0 && marked.ends === wordsOf(turn).textContent.length;
}

function toWord(step) {
  const turn = here() ?? current() ?? turns()[0];
  if (!turn) return false;
  const words = segments(turn);
  if (!words.length) return true;
  const forward = step * (getComputedStyle(wordsOf(turn)).direction === "rtl" ? -1 : 1) > 0;
  if (!here() || isWhole(turn)) return markWord(turn, forward ? words[0] : words[words.length - 1]);
  const next = forward ? words.find(([from]) => from >= marked.ends) : words.findLast(([, to]) => to <= marked.begins);
  return markWord(turn, next ?? (forward ? words[words.length - 1] : words[0]));
}

function markWord(turn, [from, to]) {
  mark(turn, from, to);
  return true;
}

function stretch(step) {
  const turn = here();
  if (!turn) return toWord(step);
  const words = segments(turn);
  const forward = step * (getComputedStyle(wordsOf(turn)).direction === "rtl" ? -1 : 1) > 0;
  const covered = words.filter(([from, to]) => from >= marked.begins && to <= marked.ends);
  const to = forward ? words.find(([from]) => from >= marked.ends)?.[1] : covered.at(-2)?.[1];
  if (to) mark(turn, marked.begins, to);
  return true;
}

// --- codes ---
// Those of others have no button that takes them away.
const lastOwn = () => [...(current()?.querySelectorAll("[data-coding]:has([data-unmark])") ?? [])].at(-1);

function refocus() {
  if (marked) show(marked);
}

if (apply) {
  shown.hidden = false;
  note(null);
  connectCodes({ list, lastOwn, refocus, tellIdle });

  list.addEventListener("change", (event) => {
    if (event.target.name !== "turn") return;
    if (event.target.checked) note(null); // what is ticked counts, not what was marked
    tellIdle();
  });

  register("turn-next", () => toTurn(1));
  register("turn-before", () => toTurn(-1));
  register("word-next", () => toWord(1));
  register("word-before", () => toWord(-1));
  register("longer", () => stretch(1));
  register("shorter", () => stretch(-1));

  // A turn that came back is new: what was marked in it is marked again, unless somebody marks something now.
  let isPressed = false;
  let isNew = false;
  for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(name, () => { isPressed = name === "pointerdown"; });
  }
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const number = event.detail.target?.dataset?.turn;
    isNew ||= Boolean(marked && number && Number(number) >= Number(marked.first) && Number(number) <= Number(marked.last));
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (isNew && !current()) makeCurrent(turnNumbered(marked.first));
    if (isNew && !isPressed && !document.activeElement.matches("textarea, input")) show(marked);
    isNew = false;
    for (const box of document.querySelectorAll("[data-turn] input[name=turn]:checked")) box.checked = false;
    tellIdle();
  });
}

// The button that takes a code away goes with the turn that comes anew: the focus stays in that turn.
let taken = null;
document.addEventListener("htmx:beforeRequest", (event) => {
  const button = event.target.querySelector?.("[data-unmark]");
  taken = button && button === document.activeElement ? button.closest("[data-turn]").dataset.turn : null;
});
document.addEventListener("htmx:afterSettle", () => {
  if (!taken || document.activeElement !== document.body) return;
  const turn = turnNumbered(taken);
  taken = null;
  const place = turn.querySelector("[data-unmark]") ?? turn;
  if (place === turn) {
    turn.tabIndex = -1;
    turn.addEventListener("blur", () => turn.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
});

// A code under the pointer, or with the focus, shows its words.
for (const [name, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  list?.addEventListener(name, (event) => {
    const chip = event.target.closest("[data-coding]");
    if (!chip) return;
    for (const piece of list.querySelectorAll(`[data-of~="${chip.dataset.coding}"]`)) piece.toggleAttribute("data-shown", on);
  });
}
