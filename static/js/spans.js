// Coding a take: a passage is marked by keys while it plays, on the timeline, or in the transcript. Its times are written
// into their fields, which are what is sent; a key puts a code on it, and the recording goes on.

import { clock, secondsOf } from "./clock.js";
import { connectCodes } from "./codes.js";
import { register } from "./shortcuts.js";

const media = document.querySelector("[data-take]");
const apply = document.getElementById("apply");
const transcript = document.querySelector("[data-transcript]");
const shown = document.querySelector("[data-marked-words]");
const SLIP = 4; // pixels up to which a press is a press (rule of thumb)

const strip = () => document.querySelector("[data-strip]");
const total = () => Number(strip()?.dataset.seconds) || media?.duration || 0;
const within = (seconds) => Math.min(Math.max(seconds, 0), total());

function play() {
  media.play().catch(() => {}); // refused without a gesture: the controls are there
}

function move(seconds) {
  media.currentTime = Math.max(media.currentTime + seconds, 0);
  return true;
}

function exact(seconds) {
  const thousandths = Math.round(seconds * 1000);
  return `${clock(Math.floor(thousandths / 1000))}.${String(thousandths % 1000).padStart(3, "0")}`;
}

// --- what is marked ---
function times() {
  const [start, end] = ["start", "end"].map((name) => apply.elements[name].value.trim());
  return { start: start ? secondsOf(start) : NaN, end: end ? secondsOf(end) : NaN };
}

function draw() {
  const band = strip()?.querySelector("[data-marked]");
  if (!band || !apply) return;
  const { start, end } = times();
  band.setAttribute("x", `${(start / total()) * 1000 || 0}`);
  band.setAttribute("width", `${end > start ? Math.max(((end - start) / total()) * 1000, 1) : 0}`);
}

function tellIdle() {
  const { start, end } = times();
  const isReplacing = Boolean(apply.elements.replace?.value);
  apply.toggleAttribute("data-idle", Number.isNaN(start) && Number.isNaN(end) && !isReplacing);
}

function tell() {
  if (shown) shown.textContent = said() || shown.dataset.nothing;
  draw();
  tellIdle();
}

function write(name, seconds = media.currentTime) {
  if (!apply) return false;
  apply.elements[name].value = exact(within(seconds));
  tell();
  return true;
}

// --- the transcript ---
const words = () => [...(transcript?.querySelectorAll("[data-s]") ?? [])];
const middle = (word) => (Number(word.dataset.s) + Number(word.dataset.e)) / 2;

// As the site does: a word belongs to a passage that has at least half of it.
function inside() {
  const { start, end } = times();
  return words().filter((word) => middle(word) >= start && middle(word) < end);
}

const said = () => inside().map((word) => word.textContent).join(" ");

let isOurs = false; // a selection that a key made writes nothing

function mark(first, last) {
  apply.elements.start.value = exact(Number(first.dataset.s));
  apply.elements.end.value = exact(within(Number(last.dataset.e)));
  if (transcript) transcript.querySelector("[data-current]")?.removeAttribute("data-current");
  first.closest("[data-line]").setAttribute("data-current", "");
  const range = document.createRange();
  range.setStartBefore(first);
  range.setEndAfter(last);
  isOurs = true;
  document.getSelection().removeAllRanges();
  document.getSelection().addRange(range);
  last.scrollIntoView({ block: "nearest" });
  if (media?.paused) media.currentTime = Number(first.dataset.s);
  tell();
  return true;
}

function toLine(step) {
  const lines = [...(transcript?.querySelectorAll("[data-line]") ?? [])];
  if (!lines.length || !apply) return false;
  const here = lines.findIndex((line) => line.hasAttribute("data-current"));
  // The first time: the line that is heard now.
  const heard = lines.findLastIndex((line) => Number(line.querySelector("[data-s]")?.dataset.s) <= media.currentTime);
  const line = lines[here < 0 ? Math.max(heard, 0) : here + step];
  const all = line ? [...line.querySelectorAll("[data-s]")] : [];
  return all.length ? mark(all[0], all.at(-1)) : true;
}

function stretch(step) {
  const marked = apply ? inside() : [];
  if (!marked.length) return toLine(1);
  const all = words();
  const last = all.indexOf(marked.at(-1)) + step;
  if (last >= all.indexOf(marked[0]) && all[last]) mark(marked[0], all[last]);
  return true;
}

if (apply && transcript) {
  shown.hidden = false;
  shown.lang = transcript.lang;
  document.addEventListener("selectionchange", () => {
    if (isOurs) {
      isOurs = false;
      return;
    }
    const selection = document.getSelection();
    if (selection.isCollapsed || !selection.rangeCount || !transcript.contains(selection.anchorNode)) return;
    const range = selection.getRangeAt(0);
    const chosen = words().filter((word) => range.intersectsNode(word));
    if (!chosen.length) return;
    apply.elements.start.value = exact(Number(chosen[0].dataset.s));
    apply.elements.end.value = exact(within(Number(chosen.at(-1).dataset.e)));
    tell();
  });
}

// --- the timeline: a press goes there, a drag marks ---
let drag = null;

function timeAt(event) {
  const box = strip().getBoundingClientRect();
  return within(((event.clientX - box.left) / box.width) * total());
}

document.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.target.closest?.("[data-strip]")) return;
  event.preventDefault();
  drag = { from: timeAt(event), x: event.clientX, isLong: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag || !apply || (!drag.isLong && Math.abs(event.clientX - drag.x) < SLIP)) return;
  drag.isLong = true;
  const ends = [drag.from, timeAt(event)];
  apply.elements.start.value = exact(Math.min(...ends));
  apply.elements.end.value = exact(Math.max(...ends));
  tell();
});
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    if (drag && media) media.currentTime = drag.isLong ? times().start : drag.from;
    drag = null;
  });
}

media?.addEventListener("timeupdate", () => {
  strip()?.querySelector("[data-head]").setAttribute("x", `${(media.currentTime / total()) * 1000 - 1}`);
});

// --- keys ---
register("span-play", () => {
  if (!media) return false;
  if (media.paused) play();
  else media.pause();
  return true;
});
register("span-back", () => Boolean(media) && move(-5));
register("span-forward", () => Boolean(media) && move(5));
register("span-in", () => write("start"));
register("span-out", () => write("end"));
register("span-next", () => toLine(1));
register("span-before", () => toLine(-1));
register("span-longer", () => stretch(1));
register("span-shorter", () => stretch(-1));

const codings = () => document.getElementById("take-codings");

if (apply) {
  // What has the focus, else what was coded last.
  const lastOwn = () => {
    const own = [...codings().querySelectorAll("[data-coding]:has([data-unmark])")];
    return own.find((each) => each.contains(document.activeElement)) ?? own.find((each) => "last" in each.dataset) ?? own.at(-1);
  };
  connectCodes({ list: document.querySelector(".coder__main"), lastOwn, refocus: () => {}, tellIdle });
  for (const name of ["start", "end"]) apply.elements[name].addEventListener("input", tell);
  document.addEventListener("htmx:afterSettle", draw);
  tell();
}

// The button that takes a code away goes with the list that comes anew: the focus stays there.
let isTaken = false;
document.addEventListener("htmx:beforeRequest", (event) => {
  const button = event.target.querySelector?.("[data-unmark]");
  isTaken = Boolean(button) && button === document.activeElement;
});
document.addEventListener("htmx:afterSettle", () => {
  if (!isTaken || document.activeElement !== document.body) return;
  isTaken = false;
  (codings().querySelector("[data-unmark]") ?? media)?.focus({ preventScroll: true });
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest?.("[data-from]");
  if (!chip || !media) return;
  media.currentTime = Number(chip.dataset.from);
  play();
});
