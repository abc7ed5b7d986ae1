// Recording in the browser: devices, level, check, count-down, light, pause; takes that nothing loses.

import { check, warmUp } from "./checking.js";
import { clock } from "./clock.js";
import { Cue } from "./cue.js";
import { fillDevices, markOf, reason, wanted } from "./devices.js";
import { kindOf } from "./encoders.js";
import { Microphone } from "./microphone.js";
import { Prompter } from "./prompter.js";
import { announce, follow } from "./recording.js";
import { beginShown } from "./slides.js";
import { focusButton, nameOf, Take } from "./take.js";
import { forget, keep, keepPiece, takesOf } from "./takes.js";
import { tellOnce, words } from "./words.js";

const PIECE_MS = 2000; // no more than this is lost, whatever happens
const COUNT_DOWN = 3;
const NOTHING_S = 10; // five pieces should have come by then (a rule of thumb)
const LENS_MS = 3000; // as the analysis takes it to be
const CHECK_MS = 4000; // nobody waits longer for the check to speak (a rule of thumb)

const studio = document.querySelector("[data-studio]");
const part = (name) => studio.querySelector(`[data-${name}]`);
const known = JSON.parse(document.getElementById("known")?.textContent ?? "{}");
const calibrations = JSON.parse(document.getElementById("gaze-calibrations")?.textContent ?? "[]") ?? [];

let stream = null;
let microphone = null;
let stopChecking = () => {};
let running = null; // the take that is being recorded
let prompter = null;
let cue = null;
let opening = 0; // how often devices were asked for: the newest asking counts

const say = (sentence) => {
  part("problem").textContent = sentence;
  part("problem").hidden = !sentence;
};

// What one does not see is heard: that it records, that the time limit is near.
const tell = (sentence) => tellOnce(part("said"), sentence);

const withPicture = () => studio.querySelector("input[name=with]:checked").value === "picture";

// What is to be turned on, in words and in what is shown.
const tellWith = () => {
  studio.dataset.with = withPicture() ? "picture" : "sound";
  tellCalibration();
};

// ---- camera and microphone

function shut() {
  stopChecking();
  microphone?.close();
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = microphone = null;
}

async function turnOn() {
  say("");
  shut();
  opening += 1;
  const mine = opening;
  let opened;
  try {
    opened = await navigator.mediaDevices.getUserMedia(wanted(part, withPicture()));
  } catch (error) {
    if (mine !== opening) return;
    studio.dataset.state = "off";
    say(reason(error));
    return;
  }
  if (mine !== opening) { // pressed twice: a camera that nothing shows any more goes off
    for (const track of opened.getTracks()) track.stop();
    return;
  }
  stream = opened;
  holdRecord(); // before it is seen: a press that finds it disabled halfway is lost
  studio.dataset.state = "ready";
  tellWith();
  part("preview").srcObject = withPicture() ? stream : null;
  await fillDevices(stream, part, withPicture());
  if (mine !== opening) return;
  for (const track of stream.getTracks()) {
    track.addEventListener("ended", () => lost(track));
    track.addEventListener("mute", () => gone(track));
    track.addEventListener("unmute", () => back(track));
  }
  microphone = new Microphone();
  microphone.open(stream, studio.dataset.listener).catch(() => {}); // no level, and all else as it is
  showLevel();
  lookAgain({ isRead: true });
}

// The check speaks before the button can be pressed, if it speaks soon.
function holdRecord() {
  part("record").disabled = true;
  setTimeout(letRecord, CHECK_MS);
}

function letRecord() {
  if (!part("record").disabled) return;
  part("record").disabled = false;
  const isFree = !document.activeElement || document.activeElement === document.body || document.activeElement === part("on");
  if (isFree && studio.dataset.state === "ready") part("record").focus();
}

function lost(track) {
  if (!stream?.getTracks().includes(track)) return;
  say(words.unplugged);
  const isHeld = document.activeElement?.closest(".booth__buttons");
  running?.stop();
  shut();
  studio.dataset.state = "off";
  if (isHeld) focusButton(studio);
}

// A call, another program or a switch on the device takes it for a while: silence would be recorded unseen.
function gone(track) {
  if (stream?.getTracks().includes(track)) say(track.kind === "audio" ? words.sound_gone : words.picture_gone);
}

function back(track) {
  if (stream?.getTracks().includes(track)) sayGoneOr(running ? words.was_gone : "");
}

function sayGoneOr(sentence) {
  const away = stream.getTracks().find((each) => each.muted);
  if (away) gone(away);
  else say(sentence);
}

function showLevel() {
  const bar = part("level");
  const show = () => {
    if (!microphone) return;
    const level = microphone.level();
    bar.value = level;
    bar.textContent = `${Math.round(level * 100)} %`;
    requestAnimationFrame(show);
  };
  show();
}

// All that is as it should be, in one line: what would help is not lost among it.
function fineWords(others, isWhole) {
  if (!isWhole) return others ? "" : words.fine_so_far;
  if (others) return words.rest_fine;
  return withPicture() ? words.all_fine : words.all_fine_sound;
}

function lookAgain({ isRead = false } = {}) {
  stopChecking();
  const checking = document.createElement("li");
  checking.textContent = withPicture() ? words.checking : words.checking_sound;
  checking.dataset.checking = "";
  part("findings").replaceChildren(checking);
  part("findings").setAttribute("aria-live", isRead ? "polite" : "off");
  stopChecking = check({
    address: studio.dataset.look,
    video: withPicture() ? part("preview") : null,
    microphone,
    show: (findings, isWhole) => {
      if (!findings) return;
      letRecord();
      const order = { improve: 0, unknown: 1 };
      const rows = findings.filter((finding) => finding.state !== "fine")
        .toSorted((one, other) => order[one.state] - order[other.state]);
      const fine = fineWords(rows.length, isWhole);
      if (fine && rows.length < findings.length) rows.push({ state: "fine", words: fine });
      part("findings").replaceChildren(...rows.map((finding) => {
        const row = document.createElement("li");
        row.dataset.finding = finding.state;
        row.textContent = finding.words;
        return row;
      }));
      // What the first look found is read out; each later one would chatter.
      setTimeout(() => part("findings").setAttribute("aria-live", "off"), 1000);
    },
  });
}

// ---- one take

function unable() {
  part("unable").hidden = false;
  part("room").hidden = true;
}

// The microphone alone is left where a picture cannot be written down, and the page says why.
function offerSound() {
  if (!kindOf("sound")) return false;
  const choice = (value) => studio.querySelector(`input[name=with][value=${value}]`);
  choice("sound").checked = choice("picture").disabled = true;
  part("no-picture").hidden = false;
  tellWith();
  return true;
}

// No room for the first line of a take: room can be made, and nothing was said yet.
function tellFull() {
  running = null;
  studio.dataset.state = stream ? "ready" : "off";
  say(words.no_room_at_all);
  focusButton(studio);
}

// Nobody speaks to a machine that keeps nothing.
function giveUp() {
  running = null;
  shut();
  studio.dataset.state = "off";
  if (withPicture() && offerSound()) {
    focusButton(studio);
    return;
  }
  unable();
  part("unable").querySelector("a").focus();
}

function capture() {
  const settings = stream.getAudioTracks()[0].getSettings();
  return {
    picture: withPicture(),
    echo_cancellation: Boolean(settings.echoCancellation),
    noise_suppression: Boolean(settings.noiseSuppression),
    auto_gain_control: Boolean(settings.autoGainControl),
  };
}

function answers() {
  const given = { ...known };
  const talk = part("talk");
  for (const field of talk?.elements ?? []) delete given[field.name];
  for (const [name, value] of talk ? new FormData(talk) : []) if (value) given[name] = value;
  const minutes = part("limit").value;
  if (minutes) given.time_limit_minutes = minutes;
  given.notes = prompter.mode;
  const gaze = calibration();
  if (gaze) given.gaze_calibration = gaze.id;
  if (part("looks").checked && withPicture()) given.looks_into_lens_first = "on";
  else delete given.looks_into_lens_first;
  return JSON.stringify(given);
}

// The gaze calibration that was made with this camera, held as it is now.
function calibration() {
  if (!withPicture() || !stream?.getVideoTracks().length) return null;
  const camera = markOf(stream);
  const isUpright = part("preview").videoHeight > part("preview").videoWidth;
  return calibrations.find((each) => each.camera === camera && each.is_upright === isUpright) ?? null;
}

function tellCalibration() {
  if (!part("gaze")) return;
  const mine = calibration();
  const camera = stream?.getVideoTracks()[0]?.getSettings().deviceId;
  part("gaze").hidden = !withPicture();
  part("gaze-link").hash = camera ? `camera=${encodeURIComponent(camera)}` : "";
  part("gaze-words").textContent = mine?.words ?? "";
  part("gaze-this").hidden = !mine;
  part("gaze-other").hidden = Boolean(mine) || !calibrations.length || !camera;
}

// As the page was made, and on from there: what this machine takes for the date may be years off.
function siteTime() {
  return Number(studio.dataset.now) * 1000 + performance.now();
}

// ---- recording

const isNear = (seconds, end) => seconds > end - Math.min(60, end / 10);

class Running {
  constructor() {
    const kind = kindOf(withPicture() ? "picture" : "sound");
    this.recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 2_500_000, audioBitsPerSecond: 128_000 });
    this.passed = 0;
    this.queue = Promise.resolve();
  }

  async begin() {
    const began = Date.now();
    const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const kind = this.recorder.mimeType;
    this.row = {
      id, owner: studio.dataset.owner, began, since: siteTime(), kind, name: nameOf(began, kind), bytes: 0, pieces: 0, seconds: 0,
      place: studio.dataset.place, ended: false, url: "", capture: capture(), answers: answers(),
      slides: beginShown(),
    };
    await keep(this.row);
    // Held while this page records: another tab that finds the take knows that it goes on.
    navigator.locks?.request(`take-${id}`, () => new Promise((resolve) => { this.letGo = resolve; }));
    this.take = new Take(this.row, {
      studio, answers, tellNow: (sentence) => { part("sent").textContent = sentence; }, leave: shut,
    });
    this.recorder.ondataavailable = ({ data }) => {
      this.hasCome ||= data.size > 0; // a slow disk keeps it later: no reason to stop
      this.queue = this.queue.then(() => this.store(data));
    };
    this.recorder.onstop = () => { this.queue = this.queue.then(() => this.finish()); };
    this.recorder.onerror = () => { say(words.unplugged); this.stop(); };
    this.recorder.start(PIECE_MS);
    this.since = performance.now();
    this.ticking = setInterval(() => this.tick(), 250);
    prompter.begin();
    cue.begin();
    follow(() => this.total ?? this.seconds());
    announce("begun");
    await this.stayAwake();
  }

  // A browser lets the screen sleep again once another page was in front.
  async stayAwake() {
    const wake = await navigator.wakeLock?.request("screen").catch(() => null);
    if (this.recorder.state === "inactive") wake?.release();
    else this.wake = wake;
  }

  seconds() {
    const now = this.recorder.state === "recording" ? performance.now() - this.since : 0;
    return (this.passed + now) / 1000;
  }

  async store(blob) {
    if (!blob.size || this.isFull) return;
    const row = this.row;
    const grown = { ...row, bytes: row.bytes + blob.size, pieces: row.pieces + 1, seconds: this.seconds() };
    try {
      await keepPiece(grown, grown.pieces, blob);
    } catch {
      this.isFull = true; // what was kept before stays whole
      say(words.no_room);
      this.stop();
      return;
    }
    Object.assign(row, { bytes: grown.bytes, pieces: grown.pieces, seconds: grown.seconds });
    this.take.source.tell();
  }

  tick() {
    const seconds = this.seconds();
    part("clock").textContent = clock(seconds);
    const limit = Number(part("limit").value) * 60;
    part("of").textContent = limit ? ` / ${clock(limit)}` : "";
    if (this.recorder.state === "recording") cue.tick(seconds, limit, microphone?.decibels());
    const light = !limit ? "" : seconds > limit ? "over" : isNear(seconds, limit) ? "near" : "inside";
    part("stage").dataset.light = light;
    const longest = Number(studio.dataset.maxMinutes) * 60;
    const told = isNear(seconds, longest) ? words.longest_near : { over: words.limit_over, near: words.limit_near }[light];
    if (this.recorder.state === "recording") tell(told ?? words.recording);
    const looks = part("looks").checked && withPicture() && seconds * 1000 < LENS_MS;
    part("count").textContent = looks ? words.look : "";
    this.expectPieces(seconds);
    if (seconds < longest) return;
    say(words.longest);
    this.stop();
  }

  // A browser without an encoder records for as long as one likes, and hands over nothing.
  expectPieces(seconds) {
    if (this.hasCome || seconds < NOTHING_S) return;
    if (!this.wasAsked) this.recorder.requestData();
    this.wasAsked = true;
    if (seconds > NOTHING_S * 1.5) this.stop();
  }

  pause() {
    if (this.recorder.state === "recording") {
      this.passed = this.seconds() * 1000;
      this.recorder.pause();
      this.recorder.requestData();
      prompter.stop();
    } else {
      this.since = performance.now();
      this.recorder.resume();
      prompter.start();
    }
    const paused = this.recorder.state === "paused";
    studio.dataset.state = paused ? "paused" : "recording";
    part("pause").textContent = paused ? words.go_on : words.pause;
    if (paused) tell(words.paused);
    announce(paused ? "paused" : "resumed");
  }

  stop() {
    if (this.recorder.state === "inactive") return;
    this.total = this.seconds();
    this.recorder.stop();
    announce("ended");
  }

  async finish() {
    clearInterval(this.ticking);
    prompter.stop();
    cue.hide();
    this.wake?.release();
    this.letGo?.();
    Object.assign(this.row, { ended: true, seconds: this.total ?? this.row.seconds });
    const take = this.take;
    running = take.tellNow = null;
    part("stage").dataset.light = "";
    part("sent").textContent = part("of").textContent = part("count").textContent = part("clock").textContent = part("said").textContent = "";
    studio.dataset.state = stream ? "ready" : "off";
    if (!this.row.bytes) {
      await take.sending.drop();
      await forget(this.row.id);
      if (this.total > 1 && !this.isFull) return giveUp(); // what is full has its sentence, and the takes that fill it
      focusButton(studio);
    } else {
      await keep(this.row);
      await take.show();
      take.source.tell();
      take.shown.querySelector("[data-use]").focus();
    }
    if (stream) lookAgain();
  }
}

let counts = 0; // one that was stopped does not go on in the next one

async function countDown() {
  counts += 1;
  const mine = counts;
  for (let left = COUNT_DOWN; left; left -= 1) {
    part("count").textContent = left;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (mine !== counts || studio.dataset.state !== "counting") return false;
  }
  part("count").textContent = "";
  return true;
}

async function record() {
  if (running || studio.dataset.state !== "ready") return;
  sayGoneOr("");
  stopChecking();
  part("findings").querySelector("[data-checking]")?.remove(); // nothing is looked at any more
  studio.dataset.state = "counting";
  part("stop").focus();
  if (!(await countDown())) return;
  part("pause").textContent = words.pause;
  try {
    running = new Running();
    studio.dataset.state = "recording";
    await running.begin();
  } catch (error) {
    if (error?.name === "QuotaExceededError") tellFull();
    else giveUp();
  }
}

// The second half of a double click falls on the button that took the first one's place.
const single = (act) => (event) => { if (event.detail < 2) act(); };

function stop() {
  if (running) running.stop();
  else if (studio.dataset.state === "counting") {
    studio.dataset.state = "ready";
    part("count").textContent = "";
    part("record").focus();
    lookAgain();
  }
}

// What an earlier page left behind: a crash, a closed tab, a line that broke.
async function recover() {
  let rows;
  try {
    rows = await takesOf(studio.dataset.owner, siteTime());
  } catch { // a browser that lets nothing be kept
    unable();
    return;
  }
  const held = new Set(((await navigator.locks?.query())?.held ?? []).map((lock) => lock.name));
  for (const row of rows) {
    if (held.has(`take-${row.id}`) || (row.place ?? "") !== studio.dataset.place) continue;
    if (!row.bytes) {
      await forget(row.id);
      continue;
    }
    if (!row.ended) {
      Object.assign(row, { ended: true, wasCut: true });
      await keep(row);
    }
    await new Take(row, { studio, leave: shut }).show();
  }
}

function connect() {
  const able = navigator.mediaDevices?.getUserMedia && window.MediaRecorder && window.indexedDB && window.AudioWorkletNode;
  if (!able) {
    unable();
    return;
  }
  part("room").hidden = false;
  prompter = new Prompter(studio);
  cue = new Cue(part("cue"), part("cue-on"));
  warmUp(studio.dataset.look);
  part("on").addEventListener("click", turnOn);
  part("preview").addEventListener("resize", tellCalibration); // also where a phone is turned
  part("record").addEventListener("click", single(record));
  part("stop").addEventListener("click", single(stop));
  part("pause").addEventListener("click", () => running?.pause());
  for (const choice of studio.querySelectorAll("input[name=with], [data-cameras], [data-microphones]")) {
    choice.addEventListener("change", () => {
      if (running) return;
      tellWith();
      if (stream) turnOn();
    });
  }
  tellWith(); // what a browser keeps over a reload
  if (!kindOf("picture")) offerSound();
  window.addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) running?.stayAwake(); });
  window.addEventListener("pagehide", () => running?.recorder.requestData());
  recover();
}

if (studio) connect();
