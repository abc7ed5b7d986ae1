// Who speaks in an interview: the recording plays, a number says whose the passage is.
// What plays is marked and follows; while nothing plays, a number goes on to the next passage.

import { register } from "./shortcuts.js";
import { comeTo } from "./stepping.js";

const media = document.querySelector("[data-take]");
const rows = () => [...document.querySelectorAll("[data-passage]")];
const SLACK_SECONDS = 0.3; // a player seeks to a frame before, not to the millisecond
const CHANGES = { once: true };
let at = 0;

const isTyping = () => Boolean(document.activeElement?.closest("textarea, input, select"));

function mark() {
  for (const old of document.querySelectorAll("[data-passage][aria-current]")) old.removeAttribute("aria-current");
  rows()[at]?.setAttribute("aria-current", "true");
}

function select(place, { seeks = true } = {}) {
  const all = rows();
  if (!all.length) return false;
  at = Math.max(0, Math.min(place, all.length - 1));
  mark();
  // What is heard goes on by itself, and takes no button from under somebody's fingers.
  const isElsewhere = !seeks && document.activeElement?.matches("a, button:not([data-play]), summary");
  if (isElsewhere) all[at].scrollIntoView({ block: "nearest" });
  else comeTo(all[at]);
  if (seeks) media.currentTime = Number(all[at].dataset.from);
  return true;
}

function play() {
  media.play().catch(() => {}); // refused without a gesture: the controls are there
}

// On another page are other rows: what is heard ends where these do, and the way there has the focus.
function stopOutside() {
  const all = rows();
  const [after, before] = ["next", "previous"].map((name) => document.querySelector(`[data-${name}-page]`));
  const ends = Math.max(...all.map((row) => Number(row.dataset.until)));
  let way = null;
  if (media.currentTime > ends) way = after;
  else if (media.currentTime < Number(all[0]?.dataset.from) - SLACK_SECONDS) way = before;
  if (!way || !all.length) return false;
  media.pause();
  at = way === after ? all.length - 1 : 0;
  mark();
  way.focus();
  return true;
}

function move(seconds) {
  media.currentTime = Math.max(media.currentTime + seconds, 0);
  return true;
}

function goOn() {
  if (!media.paused) return;
  if (at < rows().length - 1) select(at + 1);
  else document.querySelector("[data-next-page]")?.focus();
}

function press(selector) {
  const button = rows()[at]?.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function give(number) {
  const button = number && rows()[at]?.querySelector(`[data-number="${number}"]`);
  if (!button) return false;
  rows()[at].dataset.voice = number; // before the site has answered: the next key may ask for the same
  button.click();
  goOn();
  return true;
}

// Where the site was not told, the passage is whose it was: "next that is nobody's" must find it again.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const row = detail.elt.closest("[data-passage]");
  if (detail.successful || !row) return;
  const told = row.querySelector("[data-number][aria-pressed=true]");
  if (told) row.dataset.voice = told.dataset.number;
  else delete row.dataset.voice;
});

register("voice-play", () => {
  if (media.paused) play();
  else media.pause();
  return true;
});
register("voice-back", () => move(-3));
register("voice-forward", () => move(3));
register("voice-next", () => select(at + 1));
register("voice-before", () => select(at - 1));
register("voice-number", (key) => give(key), CHANGES);
register("voice-same", () => give(rows()[at - 1]?.dataset.voice), CHANGES);
register("voice-open", () => {
  const all = rows();
  const next = all.findIndex((row, place) => place > at && !row.dataset.voice);
  const first = all.findIndex((row) => !row.dataset.voice);
  return next < 0 && first < 0 ? false : select(next < 0 ? first : next);
});
register("voice-rewrite", () => press("[data-rewrite]"), CHANGES);
register("voice-join", () => {
  if (!press("[data-join]")) return false;
  at = Math.max(at - 1, 0); // what is left is the one before
  return true;
}, CHANGES);

// What is heard now is the passage that the keys are about, unless somebody writes.
media.addEventListener("timeupdate", () => {
  if (media.paused || isTyping() || stopOutside()) return;
  const all = rows();
  let heard = all.findIndex((row) => Number(row.dataset.from) > media.currentTime) - 1;
  if (heard === -2) heard = all.length - 1;
  if (heard >= 0 && heard !== at) select(heard, { seeks: false });
});

document.addEventListener("click", (event) => {
  const row = event.target.closest?.("[data-passage]");
  if (!row) return;
  at = rows().indexOf(row);
  mark();
  if (!event.target.closest("[data-play]")) return;
  media.currentTime = Number(row.dataset.from);
  play();
});

document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("[data-text]");
  if (!field) return;
  const row = field.closest("[data-passage]");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) row.querySelector("[data-keep]").click();
  else if (event.key === "Escape") row.querySelector("[data-leave]").click();
  else return;
  event.preventDefault();
});

// Who is quick has several presses under way, and their answers need not come in turn: an older count says nothing.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const came = detail.fragment.querySelector("#count");
  if (came && BigInt(came.dataset.asOf) < BigInt(detail.target.dataset.asOf)) detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSettle", (event) => {
  mark();
  const field = document.querySelector("[data-text]");
  const refusal = event.target.id === "passages" && document.querySelector("#passages > .notice");
  if (field) field.focus({ preventScroll: Boolean(refusal) });
  else if (!document.activeElement || document.activeElement === document.body) select(at, { seeks: false });
  if (refusal) refusal.scrollIntoView({ block: "center" }); // above a list that may be long
});

const named = rows().findIndex((row) => `#${row.id}` === location.hash);
const open = rows().findIndex((row) => !row.dataset.voice);
at = Math.max(named >= 0 ? named : open, 0);
mark();

// What plays first is what the keys are about, on whatever page.
function seek() {
  if (rows().length) media.currentTime = Number(rows()[at].dataset.from);
}
if (media.readyState >= 1) seek();
else media.addEventListener("loadedmetadata", seek, { once: true });

// What is being typed is not left behind unasked.
window.addEventListener("beforeunload", (event) => {
  const isTyped = (field) => field.value !== field.defaultValue;
  if ([...document.querySelectorAll("[data-text]")].some(isTyped)) event.preventDefault();
});
