// In and out marks: a time of the recording in a field, and where in that second in the hidden one beside it.

import { clock } from "./clock.js";

// A mark in a field of moments keeps its tenth: "0:12.3", and "0:12" where it fell on the second.
export function exactly(seconds) {
  const tenths = Math.max(0, Math.floor(seconds * 10 + 1e-6));
  return clock(Math.floor(tenths / 10)) + (tenths % 10 ? `.${tenths % 10}` : "");
}

export function writeMark(box, which, seconds) {
  const list = box.querySelector("[data-clips]");
  if (list) return writeClip(list, which, seconds);
  const field = box.querySelector(`[data-mark="${which}"]`);
  const exact = box.querySelector(`[data-mark-exact="${which}"]`);
  if (!field) return false;
  field.value = clock(seconds);
  if (exact) exact.value = seconds.toFixed(3);
  box.toggleAttribute("data-marked", true);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

// A field that takes several moments: a new one begins, and the last one ends.
function writeClip(list, which, seconds) {
  const moments = list.value.split(",").map((each) => each.trim()).filter(Boolean);
  if (which === "in") moments.push(exactly(seconds));
  else moments.push(`${(moments.pop() ?? exactly(seconds - 6)).split("-")[0]}-${exactly(seconds)}`);
  list.value = moments.join(", ");
  list.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

// Where a mark goes: the form that is open on the current item, an item or a note that is being
// written, else the next note.
export function markedBox() {
  const open = "[data-item][data-current] [data-form][open], [data-own][open], [data-note-edit][open]";
  const boxes = [...document.querySelectorAll(open), ...document.querySelectorAll("[data-note-form]")];
  return boxes.find((box) => box.querySelector("[data-mark], [data-clips]")) ?? null;
}
