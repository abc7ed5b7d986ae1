// An exercise with its count-down: one step after the other, to be paused and to be hurried.

import { clock } from "./clock.js";

const drill = document.querySelector("[data-drill]");
const part = (name) => drill.querySelector(`[data-${name}]`);
const steps = [...drill.querySelectorAll("[data-step]")];
const [begin, pause, goOn, again] = part("start").dataset.words.split("|");
const WHOLE = steps.length;

let at = WHOLE; // the step that runs; WHOLE: none
let left = 0; // seconds of it that remain
let due = 0; // when it ends, on the page's own clock; 0 while it stands still
let ticking = 0;

const secondsOf = (step) => Number(step.dataset.seconds);
const now = () => performance.now() / 1000;
const remaining = () => Math.max(0, due ? due - now() : left);

function show() {
  const rest = steps.slice(at + 1).reduce((sum, step) => sum + secondsOf(step), 0);
  const whole = steps.reduce((sum, step) => sum + secondsOf(step), 0);
  const running = at < WHOLE;
  part("clock").textContent = running
    ? `${clock(Math.ceil(remaining()))} · ${clock(Math.ceil(remaining()) + rest)}`
    : clock(whole);
  steps.forEach((step, index) => {
    if (index === at) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
    step.toggleAttribute("data-past", running && index < at);
  });
  part("next").hidden = !running;
}

function enter(index) {
  at = index;
  if (at >= WHOLE) return end();
  left = secondsOf(steps[at]);
  due = now() + left;
  part("said").textContent = steps[at].firstElementChild.textContent;
  steps[at].scrollIntoView({ block: "nearest" });
  show();
}

function end() {
  clearInterval(ticking);
  due = 0;
  part("start").textContent = again;
  part("said").textContent = part("said").dataset.end;
  show();
  part("finish").querySelector("button").focus();
}

function tick() {
  if (due && now() >= due) enter(at + 1);
  else show();
}

function press() {
  clearInterval(ticking);
  if (at >= WHOLE) enter(0);
  else if (due) {
    left = remaining();
    due = 0;
  } else due = now() + left;
  part("start").textContent = due ? pause : goOn;
  if (due) ticking = setInterval(tick, 250);
  show();
}

part("start").textContent = begin;
part("start").addEventListener("click", press);
part("next").addEventListener("click", () => {
  const stood = !due;
  enter(at + 1);
  if (stood && at < WHOLE) press(); // it goes on standing still, at the next step
});
part("bar").hidden = false;
