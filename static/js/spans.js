// Coding a take: marks write the time of the recording into their fields, a number puts a code on the stretch.
// The page comes anew after each; the recording goes on where it was.

import { clock } from "./clock.js";
import { register } from "./shortcuts.js";

const media = document.querySelector("[data-take]");
const apply = document.getElementById("apply");
const STORE = `rostrum.take.${location.pathname}`;

function play() {
  media.play().catch(() => {}); // refused without a gesture: the controls are there
}

function move(seconds) {
  media.currentTime = Math.max(media.currentTime + seconds, 0);
  return true;
}

function exact(seconds) {
  const thousandths = Math.floor((seconds % 1) * 1000);
  return `${clock(Math.floor(seconds))}.${String(thousandths).padStart(3, "0")}`;
}

function write(name) {
  if (!apply) return false;
  apply.elements[name].value = exact(media.currentTime);
  return true;
}

register("span-play", () => {
  if (media.paused) play();
  else media.pause();
  return true;
});
register("span-back", () => move(-5));
register("span-forward", () => move(5));
register("span-in", () => write("start"));
register("span-out", () => write("end"));
register("span-code", (key) => {
  const button = apply?.querySelector(`[data-number="${key}"]`);
  button?.click();
  return Boolean(button);
});
register("span-undo", () => {
  document.querySelector("[data-undo]")?.click();
  return true;
});
register("span-memo", () => {
  const details = document.querySelector("[data-last]");
  if (!details) return false;
  details.open = true;
  details.querySelector("textarea").focus();
  return true;
});
register("take-memo", () => {
  document.getElementById("take-memo")?.focus();
  return true;
});

for (const chip of document.querySelectorAll("[data-from]")) {
  chip.addEventListener("click", () => {
    media.currentTime = Number(chip.dataset.from);
    play();
  });
}

// Where the recording was when the page was left for its own next version.
window.addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(STORE, String(media.currentTime));
  } catch {
    // Storage is refused: it begins at the beginning.
  }
});
try {
  const left = Number(sessionStorage.getItem(STORE));
  if (left > 0) media.addEventListener("loadedmetadata", () => { media.currentTime = left; }, { once: true });
} catch {
  // The same.
}
