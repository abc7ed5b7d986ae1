// In and out marks: a time of the recording in a field, and where in that second in the hidden one beside it.

import { clock } from "./clock.js";

export function writeMark(box, which, seconds) {
  const field = box.querySelector(`[data-mark="${which}"]`);
  const exact = box.querySelector(`[data-mark-exact="${which}"]`);
  if (!field) return false;
  field.value = clock(seconds);
  if (exact) exact.value = seconds.toFixed(3);
  box.toggleAttribute("data-marked", true);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

// Where a mark goes: the form that is open on the current item, an item or a note that is being
// written, else the next note.
export function markedBox() {
  const open = "[data-item][data-current] details[open], [data-own][open], [data-note-edit][open]";
  const boxes = [...document.querySelectorAll(open), ...document.querySelectorAll("[data-note-form]")];
  return boxes.find((box) => box.querySelector("[data-mark]")) ?? null;
}
