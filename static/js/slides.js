// Slides in the recorder: a PDF file becomes pictures on the stage, and each change is timed.

import { recording, seconds } from "./recording.js";
import { csrfToken } from "./sending.js";

const ASK_MS = 1500; // a worker opens a file in a few seconds
const SAME_S = 0.05; // while a recording is paused only the last slide counts
const KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }; // as presenters send them

let setup = null;
let stage = null;
let deck = null; // { id, pages, titles }
let at = 0;
let log = null; // { deck, changes: [[seconds, slide]] } of the take that is recorded

const part = (name) => setup.querySelector(`[data-slides-${name}]`);

// What was shown in a take that begins now; it grows with each change. Null without slides.
export function beginShown() {
  log = deck ? { deck: deck.id, changes: [[0, at]] } : null;
  return log;
}

// With a take that is used. A failure costs the times alone: they are estimated then.
export async function sendShown(row, upload) {
  if (!row.slides || !setup) return;
  const headers = { "X-CSRFToken": csrfToken(), "Content-Type": "application/json", Accept: "application/json" };
  const url = setup.dataset.shown.replace("00000000-0000-0000-0000-000000000000", upload);
  await fetch(url, { method: "POST", headers, body: JSON.stringify(row.slides) }).catch(() => {});
}

function note() {
  if (!log) return;
  const now = seconds();
  const last = log.changes.at(-1);
  if (now - last[0] < SAME_S) last[1] = at;
  else log.changes.push([Math.round(now * 100) / 100, at]);
}

function draw() {
  stage.hidden = !deck;
  stage.parentElement.dataset.slides = deck ? setup.querySelector("[name=slides-mode]:checked").value : "";
  if (!deck) return;
  const words = setup.dataset.of.replace("{n}", at + 1).replace("{total}", deck.pages.length);
  const picture = stage.querySelector("[data-slides-picture]");
  picture.src = deck.pages[at];
  picture.alt = [words, deck.titles[at]].filter(Boolean).join(": ");
  stage.querySelector("[data-slides-number]").textContent = `${at + 1} / ${deck.pages.length}`;
  stage.querySelector("[data-turn='-1']").disabled = at === 0;
  stage.querySelector("[data-turn='1']").disabled = at === deck.pages.length - 1;
  new Image().src = deck.pages[Math.min(at + 1, deck.pages.length - 1)]; // the next one is there at once
}

function turn(by) {
  if (!deck) return;
  const next = Math.min(Math.max(at + by, 0), deck.pages.length - 1);
  if (next === at) return;
  at = next;
  note();
  draw();
}

function use(found) {
  deck = found?.pages.length ? found : null;
  at = 0;
  draw();
}

const say = (sentence) => { part("state").textContent = sentence; };

// Until a worker has opened it. A newer choice ends the asking.
let asking = 0;

async function ask(url) {
  asking += 1;
  const mine = asking;
  for (;;) {
    const found = await (await fetch(url, { headers: { Accept: "application/json" } })).json();
    if (mine !== asking) return;
    say(found.message);
    if (found.state !== "waiting") {
      use(found.state === "ready" ? found : null);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

async function add(file) {
  const body = new FormData();
  body.set("file", file);
  body.set("talk", setup.dataset.talk);
  const headers = { "X-CSRFToken": csrfToken(), Accept: "application/json" };
  const answer = await fetch(setup.dataset.add, { method: "POST", body, headers });
  const found = await answer.json();
  say(found.message);
  if (answer.ok) await ask(found.url);
}

const tried = (act) => act.catch(() => say(setup.dataset.failed));

function press(event) {
  if (!deck || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!KEYS[event.key] || event.target.closest("input, select, textarea, video, audio")) return;
  event.preventDefault();
  turn(KEYS[event.key]);
}

function connect() {
  setup = document.querySelector("[data-slides]");
  const place = document.querySelector("[data-studio] [data-stage]");
  if (!setup || !place || stage) return;
  stage = setup.querySelector("template[data-slides-stage]").content.firstElementChild;
  place.append(stage);
  stage.hidden = true;
  for (const button of stage.querySelectorAll("[data-turn]")) {
    button.addEventListener("click", () => turn(Number(button.dataset.turn)));
  }
  stage.querySelector("[data-slides-picture]").addEventListener("click", (event) => {
    turn(event.offsetX < event.target.clientWidth / 3 ? -1 : 1);
  });
  setup.querySelector("input[type=file]").addEventListener("change", ({ target }) => {
    if (target.files[0]) tried(add(target.files[0]));
  });
  for (const choice of setup.querySelectorAll("[name=slides-mode]")) choice.addEventListener("change", draw);
  const chosen = part("deck");
  const choose = () => { if (chosen.value) tried(ask(chosen.value)); else { asking += 1; use(null); say(""); } };
  chosen?.addEventListener("change", choose);
  if (chosen) choose();
  document.addEventListener("keydown", press);
  recording.addEventListener("ended", () => { log = null; });
}

document.addEventListener("htmx:load", connect);
connect();
