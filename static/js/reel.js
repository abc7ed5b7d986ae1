// Plays passages and coded moments: one at a press, or in a reel one after another. What plays is marked, and said above.
// Without this script each is a link to its moment in the recording.

import { register } from "./shortcuts.js";

const stage = document.querySelector("[data-screening]");
const media = stage.querySelector("video");
const now = stage.querySelector("[data-now]");
const said = stage.querySelector("[data-said]");
const clips = [...document.querySelectorAll("[data-clip]")];
const isReel = "reel" in stage.dataset;
const EARLY = 0.05; // seconds: the time is told about four times a second

let at = 0;
let isOn = false; // whether the moment that is marked is loaded

const starts = () => Number(clips[at].dataset.start);
const ends = () => Number(clips[at].dataset.end);

function select(place) {
  at = Math.max(0, Math.min(place, clips.length - 1));
  isOn = false;
  document.querySelector("[data-clip][aria-current]")?.removeAttribute("aria-current");
  clips[at].setAttribute("aria-current", "true");
  const about = clips[at].querySelector("[data-about]").textContent.trim();
  const quote = clips[at].querySelector("q");
  said.textContent = quote?.textContent ?? "";
  said.lang = quote?.lang ?? "";
  now.textContent = isReel ? `${at + 1}/${clips.length} · ${about}` : about;
}

// Nothing is loaded before something is played: an opened recording is logged.
function start() {
  stage.hidden = false;
  isOn = true;
  const source = clips[at].dataset.src;
  if (media.getAttribute("src") === source && media.readyState) media.currentTime = starts();
  else {
    media.src = source;
    media.addEventListener("loadedmetadata", () => { media.currentTime = starts(); }, { once: true });
  }
  media.play().catch(() => {}); // refused, or another one was asked for meanwhile
  clips[at].scrollIntoView({ block: "nearest" });
  return true;
}

function go(place) {
  if (place < 0 || place >= clips.length) return false;
  const plays = isOn && !media.paused;
  select(place);
  if (plays) return start();
  media.pause();
  return true;
}

function toggle() {
  if (!isOn) return start();
  if (media.paused) media.play().catch(() => {});
  else media.pause();
  return true;
}

function move(seconds) {
  if (isOn) media.currentTime = Math.max(media.currentTime + seconds, 0);
  return isOn;
}

function over() {
  media.pause();
  isOn = false;
  if (!isReel) return;
  if (at < clips.length - 1) {
    select(at + 1);
    start();
  } else document.querySelector("[data-next-page]")?.focus();
}

media.addEventListener("timeupdate", () => {
  if (isOn && !media.seeking && !media.paused && media.currentTime >= ends() - EARLY) over();
});
media.addEventListener("ended", () => { if (isOn) over(); });
// Consent is asked for at each request: it may have ended since the page was made.
media.addEventListener("error", () => {
  if (!media.getAttribute("src")) return;
  isOn = false;
  now.textContent = stage.dataset.gone;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-play]");
  if (link) {
    event.preventDefault();
    select(clips.indexOf(link.closest("[data-clip]")));
    start();
  }
  const step = event.target.closest?.("[data-step]");
  if (step) go(at + Number(step.dataset.step));
  if (event.target.closest?.("[data-toggle]")) toggle();
});

register("reel-play", toggle);
register("reel-next", () => go(at + 1));
register("reel-before", () => go(at - 1));
register("reel-again", start);
register("reel-back", () => move(-5));
register("reel-forward", () => move(5));

if (isReel) {
  stage.hidden = false;
  select(0);
}
