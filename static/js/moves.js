// The keys of the player: play, jump, one frame, marks, loops and speed.

import { markedBox, writeMark } from "./marks.js";
import { register } from "./shortcuts.js";

const SLOWEST = 0.25;
const FASTEST = 3;
const SPEED_STEP = 0.25;
const USUAL_FPS = 25;
const CHIPS = ["[data-item][data-current] [data-clip]", ".card [data-clip]", "[data-clip]"];

// `player`: media, seek(seconds), play(), clip() that is looped now or null, press(button), stop().
export function connectMoves(player) {
  const { media, seek } = player;
  const by = (seconds) => () => seek(media.currentTime + seconds);

  register("play", () => (media.paused ? player.play() : media.pause()));
  register("back", by(-10));
  register("forward", by(10));
  register("step-back", by(-1));
  register("step-forward", by(1));
  register("leap-back", by(-5));
  register("leap-forward", by(5));
  register("frame-back", () => frame(-1));
  register("frame-forward", () => frame(1));
  register("mark-in", () => mark("in"));
  register("mark-out", () => mark("out"));
  register("loop", loop);
  register("slower", () => speed(-SPEED_STEP));
  register("faster", () => speed(SPEED_STEP));

  // To the beginning of the picture before or after, and a hair into it.
  function frame(step) {
    const rate = Number(media.dataset.fps) || USUAL_FPS;
    media.pause();
    seek((Math.floor(media.currentTime * rate + 0.01) + step) / rate + 0.001);
  }

  function mark(which) {
    const box = markedBox();
    return box ? writeMark(box, which, media.currentTime) : false;
  }

  // What is looped is let go; else the first moment of the current item, or of the page, is looped.
  function loop() {
    if (player.clip()) {
      player.stop();
      return true;
    }
    const chip = CHIPS.map((each) => document.querySelector(each)).find(Boolean);
    if (!chip) return false;
    player.press(chip);
    return true;
  }

  function speed(step) {
    const wanted = Math.round((media.playbackRate + step) / SPEED_STEP) * SPEED_STEP;
    media.playbackRate = Math.min(Math.max(wanted, SLOWEST), FASTEST);
  }

  const told = document.querySelector("[data-speed]");
  const format = new Intl.NumberFormat(document.documentElement.lang);
  media.addEventListener("ratechange", () => {
    if (!told) return;
    told.hidden = media.playbackRate === 1;
    told.textContent = `× ${format.format(media.playbackRate)}`;
  });
}
