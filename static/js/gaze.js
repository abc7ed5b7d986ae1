// Ten points, one after another: the site measures head and eyes in a few pictures of each, and keeps the numbers.

import { markOf, reason } from "./devices.js";
import { csrfToken } from "./sending.js";
import { fill, tellOnce, words } from "./words.js";

const LONGEST_SIDE_PX = 960; // as recordings are watched
const MOST_BYTES = 120_000; // as the site takes
const CARD_MM = 53.98; // the short side of a bank card (ISO/IEC 7810)
const MM_PER_PX = { phone: 0.16, screen: 0.21 }; // usual screens (rules of thumb)
const LENS_ABOVE_CM = { phone: 0, screen: 0.8 }; // above the top edge of what is shown (rule of thumb)
const SETTLE_MS = 900;
const LENS_MS = 2000; // a sentence is to be read first
const PICTURES = 4;
const BETWEEN_MS = 200;
const LEAST_LOOKS = 2;
const TRIES = 4;
const EDGES = [0.06, 0.5, 0.94];
const LENS = 9;

const box = document.querySelector("[data-gaze]");
const part = (name) => box.querySelector(`[data-${name}]`);
const screenKind = matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) < 600 ? "phone" : "screen";

let stream = null;
let knowsScreen = false;
let round = 0; // the newest one counts; stopping ends it

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const mmPerPx = () => CARD_MM / Number(part("card").value);

const say = (sentence) => {
  part("problem").textContent = sentence;
  part("problem").hidden = !sentence;
};

// ---- the screen

function showBar() {
  part("bar").style.width = `${part("card").value}px`;
}

// Centimetres from the lens, which is taken to be in the middle above the screen.
function place(x, y) {
  const full = Boolean(document.fullscreenElement);
  const left = full ? 0 : window.screenX - (screen.availLeft ?? 0) + (window.outerWidth - window.innerWidth) / 2;
  const top = full ? 0 : window.screenY - (screen.availTop ?? 0) + Math.max(0, window.outerHeight - window.innerHeight);
  const perPx = mmPerPx() / 10;
  return [(left + x - screen.width / 2) * perPx, (top + y) * perPx + LENS_ABOVE_CM[screenKind]];
}

// ---- the camera

const named = () => new URLSearchParams(location.hash.slice(1)).get("camera");

async function turnOn() {
  say("");
  const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 }, facingMode: "user" };
  const chosen = named() ? { deviceId: named() } : {};
  part("on").disabled = true; // a second click would open a second stream that nobody stops
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { ...picture, ...chosen }, audio: false });
  } catch (error) {
    say(reason(error));
    return;
  } finally {
    part("on").disabled = false;
  }
  part("preview").srcObject = stream;
  part("camera").hidden = part("begin").hidden = false;
  part("on").hidden = true;
  part("begin").focus();
  stream.getVideoTracks()[0].addEventListener("ended", shut);
  showWhetherSeen();
}

function shut() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  part("camera").hidden = part("begin").hidden = true;
  part("on").hidden = false;
}

async function showWhetherSeen() {
  tellOnce(part("seen"), words.looking);
  while (stream && part("points").hidden) {
    try {
      const found = await lookAt(await picture());
      if (stream) tellOnce(part("seen"), found ? words.seen : words.dark);
    } catch {
      // The line is away for a moment: what was said last still stands there.
    }
    await wait(2000);
  }
}

const asJpeg = (canvas, quality) => new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", quality); });

async function picture() {
  const video = part("preview");
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  const sharp = await asJpeg(canvas, 0.8);
  return sharp.size <= MOST_BYTES ? sharp : asJpeg(canvas, 0.4);
}

function post(address, body) {
  return fetch(address, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrfToken() } });
}

// The angles in a picture, or null where the eyes cannot be read. The check may be busy for a moment.
async function lookAt(blob) {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answer = await post(box.dataset.look, blob);
    if (answer.ok) return (await answer.json()).look;
    if (answer.status !== 503) break;
    await wait(400);
  }
  throw new Error("the site did not measure the picture");
}

// ---- the points

function moveDot(point) {
  const area = part("points").getBoundingClientRect();
  const [x, y] = point === LENS
    ? [area.width / 2, 0]
    : [EDGES[point % 3] * area.width, EDGES[Math.floor(point / 3)] * area.height];
  const dot = part("dot");
  dot.hidden = point === LENS;
  dot.style.left = `${x}px`;
  dot.style.top = `${y}px`;
  part("points").dataset.lens = point === LENS;
  return point === LENS ? [0, 0] : place(area.left + x, area.top + y);
}

// Shows the points and gathers what is measured at each; null if somebody stops.
async function gather(points, mine, looks) {
  let line = Promise.resolve();
  for (const [index, point] of points.entries()) {
    const where = moveDot(point);
    part("said").textContent = point === LENS ? words.lens : fill(words.point, { n: index + 1, total: points.length });
    await wait(point === LENS ? LENS_MS : SETTLE_MS);
    for (let taken = 0; taken < PICTURES; taken += 1) {
      if (mine !== round || !stream) return null;
      const blob = await picture();
      line = line.then(async () => {
        const found = await lookAt(blob);
        if (found) looks.push([point, ...where, ...found]);
      });
      line.catch(() => {}); // thrown where it is waited for
      await wait(BETWEEN_MS);
    }
  }
  await line;
  return mine === round ? looks : null;
}

async function run(mine) {
  const every = [...Array(LENS + 1).keys()];
  const looks = [];
  if (!(await gather(every, mine, looks))) return null;
  const missed = every.filter((point) => looks.filter(([of]) => of === point).length < LEAST_LOOKS);
  if (missed.length) {
    part("said").textContent = words.again;
    await wait(LENS_MS);
    if (!(await gather(missed, mine, looks))) return null;
  }
  const video = part("preview");
  const form = new FormData();
  form.set("camera", markOf(stream, { isKept: true }));
  if (video.videoHeight > video.videoWidth) form.set("is_upright", "on");
  if (knowsScreen) form.set("knows_screen", "on");
  form.set("shown", every.length);
  form.set("looks", JSON.stringify(looks));
  part("said").textContent = words.measuring;
  return post(box.dataset.save, form);
}

async function begin() {
  say("");
  part("told").textContent = "";
  round += 1;
  const mine = round;
  part("points").hidden = false;
  part("stop").focus();
  await part("points").requestFullscreen?.().catch(() => {}); // a phone may have none: its bars are reckoned with
  await wait(500);
  let answer = null;
  try {
    answer = await run(mine);
  } catch {
    if (mine === round) end(words.line);
    return;
  }
  if (!answer || mine !== round) return;
  const read = await answer.json().catch(() => ({}));
  if (answer.ok) {
    shut();
    location.assign(read.next);
  } else {
    end(read.message ?? words.line);
  }
}

function end(problem) {
  round += 1;
  part("points").hidden = true;
  if (document.fullscreenElement) document.exitFullscreen();
  say(problem);
  part("begin").focus();
  if (stream) showWhetherSeen();
}

function stop() {
  if (part("points").hidden) return;
  end("");
  part("told").textContent = words.stopped;
}

if (box && navigator.mediaDevices?.getUserMedia) {
  part("card").value = Math.round(CARD_MM / MM_PER_PX[screenKind]);
  part("card").addEventListener("input", () => {
    knowsScreen = true;
    showBar();
  });
  showBar();
  part("on").addEventListener("click", turnOn);
  part("begin").addEventListener("click", begin);
  part("stop").addEventListener("click", stop);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) stop(); });
  window.addEventListener("pagehide", shut);
}
