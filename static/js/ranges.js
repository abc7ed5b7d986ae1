// Moments of an item by dragging: on the timeline, or across words of the transcript. The field of moments is what is sent;
// each of its moments is also a row that plays it, and a band on the timeline whose ends can be moved by pointer or key.

import { secondsOf } from "./clock.js";
import { exactly, markedBox, writeMark } from "./marks.js";

const media = document.querySelector("[data-player]");
const section = document.querySelector("[data-lanes]");
const bar = document.querySelector("[data-range-bar]");

const SLIP = 4; // pixels up to which a press is a press (rule of thumb)
const LEAST = 0.3; // seconds: shorter moments cannot be heard (rule of thumb)
const LAST_WORD = 1; // seconds at most of the last word, which has no end of its own (rule of thumb)
const STEPS = { ArrowLeft: -0.1, ArrowDown: -0.1, ArrowRight: 0.1, ArrowUp: 0.1, PageDown: -1, PageUp: 1 };

const total = () => Number(section?.dataset.duration) || media?.duration || 0;
const within = (seconds) => Math.min(Math.max(seconds, 0), total());
const fill = (text, value) => text.replace("{}", value); // the template has the sentence

let pending = null; // what is marked while no form is open

// --- the field of moments: "0:12.3-0:15, 1:05" ---------------------------------------------------------

const listOf = (box) => box?.querySelector("[data-clips]") ?? null;
const openList = () => listOf(markedBox());

function readRanges(list) {
  const parts = list.value.replaceAll("\u2013", "-").split(/[,;]/).map((each) => each.trim()).filter(Boolean);
  return parts.map((part) => {
    const [start, end] = part.split("-").map((each) => (each.trim() ? secondsOf(each) : NaN));
    return { start, end: Number.isNaN(end ?? NaN) ? within(start + 6) : end };
  });
}

const isWhole = (ranges) => ranges.every(({ start, end }) => start >= 0 && end > start);

function writeRanges(list, ranges) {
  list.value = ranges.map(({ start, end }) => `${exactly(start)}-${exactly(end)}`).join(", ");
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

function add(list, range) {
  const ranges = readRanges(list);
  if (!isWhole(ranges)) list.value = `${list.value.trim().replace(/[,;]$/, "")}, ${exactly(range.start)}-${exactly(range.end)}`;
  else return writeRanges(list, [...ranges, range].sort((one, other) => one.start - other.start));
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

// --- a row for each moment, under its field -----------------------------------------------------------

function drawRows(list) {
  const rows = list.closest(".field").querySelector("[data-ranges]");
  if (!rows) return;
  const ranges = readRanges(list);
  const row = rows.querySelector("template").content.firstElementChild;
  for (const each of rows.querySelectorAll(":scope > li")) each.remove();
  rows.hidden = !ranges.length || !isWhole(ranges);
  if (rows.hidden) return;
  ranges.forEach(({ start, end }, index) => {
    const made = row.cloneNode(true);
    const label = `${exactly(start)}–${exactly(end)}`;
    const [play, remove] = made.querySelectorAll("button");
    Object.assign(play.dataset, { start, end });
    play.textContent = label;
    play.setAttribute("aria-label", fill(play.getAttribute("aria-label"), label));
    remove.setAttribute("aria-label", fill(remove.getAttribute("aria-label"), label));
    remove.addEventListener("click", () => {
      writeRanges(list, readRanges(list).filter((_range, place) => place !== index));
      list.focus();
    });
    rows.append(made);
  });
}

// --- the timeline: bands with two ends, and a new one by dragging -------------------------------------

const slider = () => section?.querySelector(".lanes__cursor");
let sheet = null;

function layer() {
  if (sheet?.isConnected) return sheet;
  sheet = document.createElement("div");
  sheet.className = "lanes__ranges";
  slider().after(sheet);
  return sheet;
}

function timeAt(event) {
  const box = slider().getBoundingClientRect();
  return within((event.clientX - box.left) / box.width * total());
}

function placeBand(band, { start, end }) {
  band.style.left = `${start / total() * 100}%`;
  band.style.width = `${(end - start) / total() * 100}%`;
}

function drawBands() {
  if (!slider()) return;
  const list = openList();
  const ranges = list ? readRanges(list) : pending ? [pending] : [];
  const bands = layer();
  const focused = bands.contains(document.activeElement) ? document.activeElement.dataset.end : null;
  bands.replaceChildren();
  section.toggleAttribute("data-marking", Boolean(list));
  if (!isWhole(ranges)) return;
  ranges.forEach((range, index) => {
    const band = document.createElement("div");
    band.className = "lanes__band";
    placeBand(band, range);
    if (list) for (const which of ["start", "end"]) band.append(handle(list, index, which, range));
    bands.append(band);
  });
  if (focused) bands.querySelector(`[data-end="${focused}"]`)?.focus();
}

function handle(list, index, which, range) {
  const end = document.createElement("div");
  end.className = "lanes__end";
  end.tabIndex = 0;
  end.dataset.end = `${index}-${which}`;
  end.setAttribute("role", "slider");
  end.setAttribute("aria-label", fill(bar.dataset[which], index + 1));
  end.setAttribute("aria-valuemin", "0");
  end.setAttribute("aria-valuemax", total().toFixed(1));
  const say = () => {
    end.setAttribute("aria-valuenow", range[which].toFixed(1));
    end.setAttribute("aria-valuetext", exactly(range[which]));
  };
  const set = (seconds) => {
    range[which] = which === "start" ? Math.max(0, Math.min(seconds, range.end - LEAST)) : within(Math.max(seconds, range.start + LEAST));
    placeBand(end.parentElement, range);
    media.currentTime = range[which];
    say();
  };
  const keep = () => writeRanges(list, readRanges(list).map((each, place) => (place === index ? range : each)));
  say();
  end.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    end.focus();
    end.setPointerCapture(event.pointerId);
  });
  end.addEventListener("pointermove", (event) => {
    if (end.hasPointerCapture(event.pointerId)) set(timeAt(event));
  });
  end.addEventListener("pointerup", keep);
  end.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      writeRanges(list, readRanges(list).filter((_range, place) => place !== index));
      list.focus();
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(range[which] + (event.shiftKey ? 10 * step : step));
    keep();
  });
  return end;
}

// A drag marks while a form is open, or with Shift; otherwise it moves through the recording, as before.
let drag = null;

function beginDrag(event) {
  if (event.button !== 0 || !event.target.closest(".lanes__cursor")) return;
  if (!openList() && !(event.shiftKey && bar)) return;
  drag = { from: timeAt(event), x: event.clientX, band: null };
}

function goOnDragging(event) {
  if (!drag || Math.abs(event.clientX - drag.x) < SLIP) return;
  if (!drag.band) {
    drag.band = document.createElement("div");
    drag.band.className = "lanes__band";
    layer().append(drag.band);
  }
  placeBand(drag.band, rangeTo(timeAt(event)));
}

const rangeTo = (seconds) => ({ start: Math.min(drag.from, seconds), end: Math.max(drag.from, seconds) });

function endDrag(event) {
  if (!drag) return;
  const range = drag.band && event.type === "pointerup" ? rangeTo(timeAt(event)) : null;
  drag.band?.remove();
  drag = null;
  if (!range || range.end - range.start < LEAST) return;
  media.currentTime = range.start;
  const list = openList();
  if (list) add(list, range);
  else offer(range);
}

// --- the transcript: the words that are selected -------------------------------------------------------

function selectedRange() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const box = document.querySelector("[data-transcript]");
  if (!box?.contains(range.commonAncestorContainer)) return null;
  const all = [...box.querySelectorAll("[data-s]")];
  const chosen = all.filter((each) => range.intersectsNode(each) && (each.textContent.trim() ? touches(range, each) : false));
  if (!chosen.length) return null;
  const next = all[all.indexOf(chosen.at(-1)) + 1];
  const last = Number(chosen.at(-1).dataset.s);
  const end = within(Math.min(next ? Number(next.dataset.s) : last + LAST_WORD, last + LAST_WORD));
  return { start: Number(chosen[0].dataset.s), end: Math.max(end, Number(chosen[0].dataset.s) + LEAST) };
}

// A selection that only reaches the edge of a word has none of its letters.
function touches(range, word) {
  const whole = document.createRange();
  whole.selectNodeContents(word);
  return range.compareBoundaryPoints(Range.END_TO_START, whole) < 0 && range.compareBoundaryPoints(Range.START_TO_END, whole) > 0;
}

// --- what is marked while no form is open, and what becomes of it --------------------------------------

function offer(range) {
  pending = range;
  bar.hidden = false;
  bar.querySelector("[data-range-label]").textContent = `${exactly(range.start)}–${exactly(range.end)}`;
  const item = document.querySelector("[data-item][data-current] [data-form=edit]");
  bar.querySelector("[data-range-to=edit]").hidden = Boolean(openList()) || !item;
  bar.querySelector("[data-range-to=own]").hidden = Boolean(openList());
  bar.querySelector("[data-range-to=form]").hidden = !openList();
  drawBands();
}

function forget() {
  if (!pending) return;
  pending = null;
  bar.hidden = true;
  drawBands();
}

function use(list) {
  const range = pending;
  getSelection().removeAllRanges();
  forget();
  add(list, range);
}

const TO = {
  form: () => use(openList()),
  own: () => openForm(document.querySelector("[data-own]")),
  edit: () => {
    const form = document.querySelector("[data-item][data-current] [data-form=edit]");
    form.closest("[data-fold]").open = true;
    openForm(form);
  },
  note: () => document.querySelector("[data-note-text]")?.focus(),
};

function openForm(details) {
  details.open = true; // its toggle takes what is marked
  details.scrollIntoView({ block: "nearest" });
  details.querySelector("textarea").focus();
}

if (media && section && bar) {
  section.addEventListener("pointerdown", beginDrag);
  section.addEventListener("pointermove", goOnDragging);
  for (const name of ["pointerup", "pointercancel"]) section.addEventListener(name, endDrag);
  document.addEventListener("selectionchange", () => {
    const range = selectedRange();
    if (range) offer(range);
  });
  // A press elsewhere lets go of it, as it lets go of the selection.
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("[data-range-bar], [data-transcript], [data-lanes], summary")) forget();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !pending) return;
    getSelection().removeAllRanges();
    forget();
  });
  bar.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays until it is used
  bar.addEventListener("click", (event) => {
    const to = event.target.closest("[data-range-to]")?.dataset.rangeTo;
    if (to) TO[to]();
  });
  // However a form or a note is opened (by its button or its key), it takes what is marked.
  document.addEventListener("toggle", (event) => {
    const opened = event.target;
    if (!opened.matches?.("[data-form], [data-own], [data-fold]")) return;
    const list = listOf(opened);
    if (opened.open && list && pending && !opened.matches("[data-fold]")) use(list);
    if (list) drawRows(list);
    drawBands();
  }, true);
  document.addEventListener("focusin", (event) => {
    if (!pending || !event.target.matches("[data-note-text]")) return;
    const { start, end } = pending;
    getSelection().removeAllRanges();
    forget();
    writeMark(event.target.form, "in", start);
    writeMark(event.target.form, "out", end);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches?.("[data-clips]")) return;
    drawRows(event.target);
    drawBands();
  });
  document.addEventListener("reset", () => setTimeout(() => {
    for (const list of document.querySelectorAll("[data-clips]")) drawRows(list);
    drawBands();
  }));
  document.addEventListener("htmx:afterSettle", drawBands);
  for (const list of document.querySelectorAll("[data-clips]")) drawRows(list);
  drawBands();
}
