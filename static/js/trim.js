// Where a recorded take begins and ends: two sliders, and both edges to hear.

import { clock } from "./clock.js";

const LEAST_S = 10; // no rate is measured below (`LEAST_PART_SECONDS`)
const HEARD_S = 3;

export class Trim {
  constructor(shown, player, seconds, changed) {
    const part = (name) => shown.querySelector(`[data-${name}]`);
    Object.assign(this, { part, player, seconds, changed });
    this.shown = part("trim");
    if (!this.shown || seconds < LEAST_S + 1) return;
    this.shown.hidden = false;
    [this.start, this.end] = [part("start"), part("end")];
    // In steps of half a second: the last one lies at the end or after it.
    this.most = Math.ceil(seconds * 2) / 2;
    this.start.max = this.end.max = this.end.value = this.most;
    this.start.addEventListener("input", () => this.move(this.start));
    this.end.addEventListener("input", () => this.move(this.end));
    part("hear-start").addEventListener("click", () => this.hear(Number(this.start.value)));
    part("hear-end").addEventListener("click", () => this.hear(Math.max(Number(this.end.value) - HEARD_S, 0), Number(this.end.value)));
    this.tell();
  }

  move(edge) {
    const [start, end] = [Number(this.start.value), Number(this.end.value)];
    if (end - start < LEAST_S) {
      if (edge === this.start) this.start.value = end - LEAST_S;
      else this.end.value = start + LEAST_S;
    }
    this.player.pause();
    this.player.currentTime = Number(edge.value);
    this.tell();
    this.changed(this.length());
  }

  hear(from, to = from + HEARD_S) {
    this.player.currentTime = from;
    this.player.play();
    clearInterval(this.hearing);
    this.hearing = setInterval(() => {
      if (this.player.currentTime < to && !this.player.paused) return;
      clearInterval(this.hearing);
      this.player.pause();
    }, 50);
  }

  tell() {
    for (const edge of ["start", "end"]) {
      const at = clock(this.at(edge));
      this.part(`${edge}-at`).textContent = at;
      this[edge].setAttribute("aria-valuetext", at);
    }
    const { part_start: start, part_end: end } = this.values();
    this.part("trimmed").textContent = start || end ? `${clock(this.at("start"))}–${clock(this.at("end"))}` : "";
  }

  at(edge) {
    return Math.min(Number(this[edge].value), this.seconds);
  }

  length() {
    return this.at("end") - this.at("start");
  }

  // As the form's fields: empty where nothing was trimmed.
  values() {
    if (!this.start) return {};
    const values = {};
    if (Number(this.start.value) > 0) values.part_start = this.start.value;
    if (Number(this.end.value) < this.most) values.part_end = this.end.value;
    return values;
  }
}
