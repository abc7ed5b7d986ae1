// Notes on the stage: key words that stand, or a text that scrolls at the speaker's own pace.

import { fill, words } from "./words.js";

const KEPT = "rostrum.pace"; // words a minute, as this browser was set last
const STEP = 10;

export class Prompter {
  constructor(studio) {
    this.studio = studio;
    this.part = (name) => studio.querySelector(`[data-${name}]`);
    this.field = this.part("key-words");
    this.place = this.part("prompter");
    this.settings = this.part("prompter-settings");
    this.at = 0;
    this.goes = false;
    if (!this.field) return;
    this.speed = this.part("pace-value");
    this.speed.value = localStorage.getItem(KEPT) ?? this.speed.value;
    this.field.addEventListener("input", () => this.draw());
    for (const choice of this.settings.querySelectorAll("input")) choice.addEventListener("input", () => this.draw());
    this.place.addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => this.press(event));
    studio.addEventListener("focusin", () => this.draw()); // a restored text tells nobody
    this.draw();
  }

  // How notes are shown: key_words, scrolling, or an empty string for none.
  get mode() {
    if (!this.field?.value.trim()) return "";
    return this.settings.querySelector("input[name=notes]:checked").value;
  }

  get isScrolling() {
    return this.mode === "scrolling";
  }

  draw() {
    localStorage.setItem(KEPT, this.speed.value);
    this.settings.hidden = !this.field.value.trim();
    this.part("pace").hidden = !this.isScrolling;
    this.part("pace-words").textContent = fill(words.pace, { n: this.speed.value });
    this.place.hidden = !this.mode;
    this.place.dataset.mode = this.mode;
    this.place.tabIndex = this.mode === "key_words" ? 0 : -1; // long notes are moved by key
    this.part("prompter-text").replaceChildren(...this.field.value.trim().split(/\n+/).map((line) => {
      const shown = document.createElement("p");
      shown.textContent = line;
      return shown;
    }));
  }

  isLive() {
    return ["recording", "paused"].includes(this.studio.dataset.state) && this.isScrolling;
  }

  press(event) {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (!this.isLive() || (event.key !== "Escape" && !by)) return;
    event.preventDefault();
    if (by) {
      this.speed.value = Number(this.speed.value) + by;
      localStorage.setItem(KEPT, this.speed.value);
    } else this.toggle();
  }

  toggle() {
    if (!this.isLive()) return;
    if (this.goes) this.stop();
    else this.start();
  }

  // From the top, with the recording.
  begin() {
    if (this.field) this.draw();
    this.at = this.place.scrollTop = 0;
    this.start();
  }

  start() {
    if (this.goes || !this.isScrolling) return;
    this.goes = true;
    let before = performance.now();
    const step = (now) => {
      if (!this.goes) return;
      this.at = Math.min(this.at + (this.pixelsPerSecond() * (now - before)) / 1000, this.place.scrollHeight);
      before = now;
      this.place.scrollTop = this.at;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.goes = false;
  }

  pixelsPerSecond() {
    const count = this.field.value.trim().split(/\s+/).length;
    const height = [...this.part("prompter-text").children].reduce((sum, line) => sum + line.offsetHeight, 0);
    return (height / count) * (Number(this.speed.value) / 60);
  }
}
