// Quiet signs while somebody records: time left, and a voice that is hardly heard. Off unless asked for; no sound.

import { words } from "./words.js";

const KEPT = "rostrum.cue";
const APART_S = 20; // at most one sign in so many seconds
const SHOWN_S = 6; // a rule of thumb
const LATE_S = 5; // a time that is said later than this would mislead
const QUIET_DB = -35; // as the check before a recording (`capture_check.py`)
const QUIET_S = 5;

// Times left to tell, and what each says; half of a short limit comes too near to the others.
function timesOf(limit) {
  const times = [[limit - 15, words.left_15]];
  if (limit > 120) times.unshift([limit - 60, words.left_60]);
  if (limit > 2 * APART_S + 60) times.unshift([limit / 2, words.left_half]);
  return times.filter(([at]) => at > 0);
}

export class Cue {
  constructor(place, choice) {
    Object.assign(this, { place, choice });
    choice.checked = localStorage.getItem(KEPT) === "on";
    choice.addEventListener("change", () => localStorage.setItem(KEPT, choice.checked ? "on" : "off"));
  }

  begin() {
    this.told = new Set();
    this.shownAt = Number.NEGATIVE_INFINITY;
    this.loudAt = 0;
    this.hide();
  }

  hide() {
    this.place.hidden = true;
  }

  // Called a few times a second with the recorded seconds, the limit (0 for none) and the level of the microphone.
  tick(seconds, limit, decibels) {
    if (!(decibels < QUIET_DB)) this.loudAt = seconds;
    if (seconds - this.shownAt > SHOWN_S) this.hide();
    if (!this.choice.checked) return;
    const times = limit ? timesOf(limit) : [];
    const due = times.find(([at, sign]) => !this.told.has(sign) && seconds >= at && seconds < at + LATE_S);
    if (seconds - this.shownAt < APART_S) return;
    if (due) {
      this.told.add(due[1]);
      this.show(due[1], seconds);
      return;
    }
    const isNear = times.some(([at]) => at > seconds && at < seconds + APART_S);
    if (seconds - this.loudAt < QUIET_S || isNear) return;
    this.loudAt = seconds;
    this.show(words.hardly_heard, seconds);
  }

  show(sign, seconds) {
    this.place.textContent = sign;
    this.place.hidden = false;
    this.shownAt = seconds;
  }
}
