// Time-coded notes: typing pauses the recording, Enter keeps the note and goes on.
// The panel is swapped as a whole; the form for the next note stays (hx-preserve) with what is in it.

import { writeMark } from "./marks.js";
import { register } from "./shortcuts.js";

const media = document.querySelector("[data-player]");
let goesOn = false; // it played when somebody began to type

const form = () => document.querySelector("[data-note-form]");

function begin(box) {
  if (!media) return;
  goesOn = !media.paused;
  media.pause();
  if (!box.querySelector('[data-mark="in"]').value) writeMark(box, "in", media.currentTime);
}

function goOn() {
  if (goesOn && media?.paused) media.play().catch(() => {});
  goesOn = false;
}

function grow(text) {
  text.rows = Math.min(Math.max(text.value.split("\n").length, Math.ceil(text.value.length / 44)), 6);
}

document.addEventListener("input", (event) => {
  const text = event.target.closest?.("[data-note-text]");
  if (!text) return;
  grow(text);
  if (text.value && media && !media.paused) begin(text.form);
  else if (text.value && !text.form.querySelector('[data-mark="in"]').value) begin(text.form);
});

document.addEventListener("keydown", (event) => {
  const text = event.target.closest?.("[data-note-text]");
  if (!text || event.defaultPrevented || event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    if (text.value.trim()) text.form.requestSubmit();
    else leave(text);
  } else if (event.key === "Escape") {
    event.preventDefault();
    leave(text);
  }
});

register("note", () => {
  const text = form()?.querySelector("[data-note-text]");
  if (!text) return false;
  text.focus();
  return true;
}, { toWords: true });

// Out of the field again: what was typed stays in it, and single keys act once more.
function leave(text) {
  text.blur();
  goOn();
}

// More was typed while the note was on its way: that is the next note already.
function empty(box, more) {
  const text = box.querySelector("[data-note-text]");
  const at = Math.max(0, more.length - text.value.length + text.selectionEnd);
  box.reset();
  box.removeAttribute("data-marked");
  for (const exact of box.querySelectorAll("[data-mark-exact]")) exact.value = "";
  text.value = more;
  text.setSelectionRange(at, at);
  grow(text);
  if (more) text.dispatchEvent(new Event("input", { bubbles: true })); // with a time of its own, and kept
}

// The panel came anew, and with it went the button or the field that had the focus: it goes to the heading,
// which tells how many there are now, and from where single keys act. What was refused goes back to its words.
function keepPlace(isRefused) {
  const asked = document.querySelector("#notes [data-focus]");
  if (asked) asked.focus();
  else if (document.activeElement !== document.body) return;
  else if (isRefused) (document.querySelector("[data-note-edit][open] textarea") ?? form()?.querySelector("[data-note-text]"))?.focus();
  else document.querySelector("#notes-title").focus({ preventScroll: true });
}

let sent = null; // what was in the form when it was sent
let isOurs = false; // somebody did something in this panel: it was not sent along with something else
document.addEventListener("htmx:beforeRequest", (event) => {
  isOurs = event.detail.target?.id === "notes";
  if (event.target.matches?.("[data-note-form]")) sent = event.target.querySelector("[data-note-text]").value;
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "notes" && event.target.id !== "notes") return;
  const box = form();
  const isRefused = document.querySelector("#notes [data-problem]") !== null;
  if (sent !== null && box && !isRefused) {
    const text = box.querySelector("[data-note-text]");
    if (text.value === sent) {
      empty(box, "");
      text.blur();
      goOn();
    } else if (text.value.startsWith(sent)) empty(box, text.value.slice(sent.length).trimStart());
  }
  sent = null;
  if (isOurs) keepPlace(isRefused);
  isOurs = false;
});

// "Record a reply here": its page learns the time of the recording, which is one link for everybody without it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-at-now]");
  if (!link || !media) return;
  const url = new URL(link.href);
  url.searchParams.set("at", media.currentTime.toFixed(2));
  link.href = url.href;
});
