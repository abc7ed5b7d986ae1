// The recording and everything that follows it: transcript, clips, lanes, keys.

import "./captions.js";
import { clock } from "./clock.js";
import { connectLanes } from "./lanes.js";
import { connectMoves } from "./moves.js";
import { connectSearch } from "./search.js";

const media = document.querySelector("[data-player]");
const LINGER = 1.5; // seconds that a word stays marked when a silence follows it

function length() {
  return Number.isFinite(media.duration) ? media.duration : Number(media.dataset.duration) || 0;
}

function seek(seconds) {
  media.currentTime = Math.min(Math.max(seconds, 0), Math.max(length() - 0.05, 0));
}

function play() {
  media.play().catch(() => {}); // refused without a gesture: the controls are there
}

// Index of the last start that is not after `time`; -1 before the first.
function lastAtOrBefore(starts, time) {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Calls `show(seconds)` on every frame while playing, and once after each seek.
function followTime(show) {
  let frame = 0;
  const tick = () => {
    show(media.currentTime);
    frame = media.paused || media.ended ? 0 : requestAnimationFrame(tick);
  };
  const start = () => { if (!frame) frame = requestAnimationFrame(tick); };
  for (const name of ["play", "seeking", "seeked", "pause", "loadedmetadata"]) media.addEventListener(name, start);
  media.addEventListener("timeupdate", start); // a tab in the background gets no frames
}

// Calls `read` once htmx has put something fresh into the box: a word was put right, a note written.
function whenFresh(box, read) {
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (!box.contains(event.target)) return;
    setTimeout(() => {
      read();
      media.dispatchEvent(new Event("timeupdate")); // what is marked and said follows at once
    });
  });
}

// --- transcript ---------------------------------------------------------------------------------

function connectTranscript(box) {
  let words = [];
  let starts = [];
  let times = [];
  let current = -1;
  const read = () => {
    words = [...box.querySelectorAll("[data-s]")];
    starts = Float64Array.from(words, (word) => Number(word.dataset.s));
    times = [...box.querySelectorAll("[data-seek]")];
    current = -1;
    if (times.length) times[0].tabIndex = 0; // one tab stop for the lines; up and down move between them
  };
  read();
  whenFresh(box, read);
  let touched = 0; // when the reader last scrolled: then the text stays where it is

  const keepInView = (word) => {
    if (performance.now() - touched < 4000) return;
    const line = word.closest("p");
    const top = line.offsetTop - box.scrollTop;
    if (top >= 0 && top + line.offsetHeight <= box.clientHeight) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    box.scrollTo({ top: line.offsetTop - box.clientHeight / 3, behavior: calm ? "auto" : "smooth" });
  };

  followTime((time) => {
    let index = lastAtOrBefore(starts, time);
    if (index >= 0 && time - starts[index] > LINGER) index = -1;
    if (index === current) return;
    words[current]?.removeAttribute("aria-current");
    current = index;
    if (index < 0) return;
    words[index].setAttribute("aria-current", "true");
    if (!media.paused) keepInView(words[index]);
  });

  box.addEventListener("wheel", () => { touched = performance.now(); }, { passive: true });
  box.addEventListener("touchmove", () => { touched = performance.now(); }, { passive: true });
  box.addEventListener("click", (event) => {
    if (!getSelection().isCollapsed) return; // somebody is selecting text
    const time = event.target.closest("[data-seek]")?.dataset.seek ?? event.target.closest("[data-s]")?.dataset.s;
    if (time === undefined) return;
    stopClip();
    seek(Number(time));
  });

  box.addEventListener("keydown", (event) => {
    const here = times.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (here < 0 || !step || !times[here + step]) return;
    event.preventDefault();
    times[here].tabIndex = -1;
    times[here + step].tabIndex = 0;
    times[here + step].focus();
  });
}

// --- clips --------------------------------------------------------------------------------------

let clip = null;
const clipShown = []; // what is told of the moment that is looped now, or of none

function setClip(button) {
  clip?.setAttribute("aria-pressed", "false");
  clip = button;
  clip?.setAttribute("aria-pressed", "true");
  const span = clip && { from: Number(clip.dataset.start), to: Number(clip.dataset.end) };
  for (const show of clipShown) show(span);
}

function stopClip() {
  if (clip) setClip(null);
}

function pressClip(button) {
  if (button === clip && !media.paused) {
    stopClip();
    media.pause();
    return;
  }
  setClip(button);
  seek(Number(button.dataset.start));
  play();
}

function connectClips() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-clip]");
    if (button) pressClip(button);
  });
  const loop = (time) => {
    if (!clip || media.seeking) return;
    if (!clip.isConnected) stopClip(); // the fragment that held it was replaced
    else if (time >= Number(clip.dataset.end) || media.ended) {
      seek(Number(clip.dataset.start));
      play();
    } else if (time < Number(clip.dataset.start) - 1) stopClip();
  };
  followTime(loop);
  media.addEventListener("ended", () => loop(Infinity));
  // The player's own button and the space bar pause too: a chip then offers to play again.
  media.addEventListener("pause", () => {
    if (!media.ended) clip?.setAttribute("aria-pressed", "false");
  });
  media.addEventListener("play", () => clip?.setAttribute("aria-pressed", "true"));
}

// "Use the current time" of the form that marks one's own part.
function connectPart() {
  for (const button of document.querySelectorAll("[data-take-clock]")) {
    button.addEventListener("click", () => {
      document.getElementById(button.dataset.takeClock).value = clock(media.currentTime);
    });
  }
}

// What is read comes first, then the picture, and only then the beginning of the recording: side by
// side, on a slow line, the picture would come three times as late.
function fetchLater() {
  if (!media.dataset.poster) return fetchBeginning();
  const picture = new Image();
  for (const end of ["load", "error"]) picture.addEventListener(end, fetchBeginning, { once: true });
  picture.src = media.dataset.poster;
  media.poster = media.dataset.poster;
}

function fetchBeginning() {
  if (media.preload === "none") media.preload = "metadata";
}

// A file that is missing, or a store that is away, leaves a black picture that says nothing.
function tellWhatDoesNotPlay() {
  const words = media.parentElement.querySelector("[data-unplayable]");
  if (!words) return;
  for (const each of [media, ...media.querySelectorAll("source")]) {
    each.addEventListener("error", () => { words.hidden = false; });
  }
  media.addEventListener("loadedmetadata", () => { words.hidden = true; });
}

if (media) {
  tellWhatDoesNotPlay();
  if (document.readyState === "complete") fetchLater();
  else addEventListener("load", fetchLater, { once: true });
  for (const track of media.textTracks) track.mode = "showing";
  const player = { media, length, seek, play, clip: () => clip, press: pressClip, stop: stopClip };
  const follow = { followTime, whenFresh, whenClip: (show) => clipShown.push(show) };
  for (const box of document.querySelectorAll("[data-transcript]")) {
    connectTranscript(box);
    connectSearch(box, whenFresh);
  }
  for (const section of document.querySelectorAll("[data-lanes]")) connectLanes(section, { ...player, ...follow });
  connectClips();
  connectMoves(player);
  connectPart();
}
