// How long a coach works on each item: it goes along with what the desk sends anyway.
// An item's clock runs from when its coach turns to it (presses, opens, focuses, types in it, plays its own moment)
// until they turn to something else. That the desk opens an item by itself is no act of theirs, nor is watching the
// talk. The site believes no more than has passed by its own clock (coach/review/team/item_times.py).

const AWAKE = 30000; // milliseconds after the last sign of the coach (rule of thumb)
const TICK = 1000;
const FIELD = "item_times";
const MOST_BACK = 5; // reports that are kept to be sent once more (rule of thumb); the site remembers more
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart", "input"];
const TURNS = ["pointerdown", "click", "focusin", "input"]; // a key of the desk presses a button: a click
const ELSEWHERE = ".watch, dialog, form, details, button, a, [data-player]"; // scrolling turns to nothing else

const lease = () => document.querySelector("#lease[hx-post]"); // only who has the take in hand is timed
const media = document.querySelector("[data-player]");
const untold = new Map(); // seconds by item
const isTimed = Boolean(document.querySelector("[data-timed]")); // whether the whole page is timed too
let untoldAtDesk = 0; // seconds at the page: with a sign of the coach, or while the talk plays
let back = []; // reports that may not have arrived
let atWork = null; // the item that its coach turned to last
let lastSign = performance.now();
let lastTouch = lastSign; // the last sign in the item itself
let lastTick = lastSign;

const plays = () => Boolean(media && !media.paused);
const itemOf = (node) => node?.closest?.("#items [data-item]") ?? null;
const momentThatPlays = () => (plays() ? document.querySelector("#items [data-item] [data-clip][aria-pressed=true]") : null);

function turnTo(item) {
  const name = item?.dataset.item ?? null;
  if (name !== atWork) tick(); // up to here it was the other's
  atWork = name;
  if (item) lastTouch = performance.now();
}

function turn(event) {
  const item = itemOf(event.target);
  if (item || event.target.closest?.(ELSEWHERE)) turnTo(item);
}

function sign(event) {
  lastSign = performance.now();
  if (atWork && itemOf(event.target)?.dataset.item === atWork) lastTouch = lastSign;
}

// Its own moment counts once through; while the talk plays on, only what is done in the item itself is a sign.
function isAwake(item, now) {
  const moment = momentThatPlays();
  if (moment && itemOf(moment) === item) {
    return now - lastSign < AWAKE + 1000 * (Number(moment.dataset.end) - Number(moment.dataset.start));
  }
  return item.querySelector("[data-fold]")?.open && now - (plays() ? lastTouch : lastSign) < AWAKE;
}

function itemAtWork(now) {
  if (!atWork || document.visibilityState !== "visible" || document.querySelector("dialog[open]")) return null;
  const item = document.querySelector(`#items [data-item="${atWork}"]`);
  return item && isAwake(item, now) ? atWork : null;
}

function tick() {
  const now = performance.now();
  const passed = Math.min(now - lastTick, 2 * TICK); // a machine that slept was not worked at
  lastTick = now;
  const item = itemAtWork(now);
  if (item) untold.set(item, (untold.get(item) ?? 0) + passed / 1000);
  const isAtDesk = document.visibilityState === "visible" && (plays() || now - lastSign < AWAKE);
  if (isTimed && lease() && isAtDesk) untoldAtDesk += passed / 1000;
}

// What is on its way is no longer untold. What may not have arrived goes once more as it was, under its own name:
// the site counts each name once.
function take() {
  tick();
  const reports = back;
  back = [];
  const items = [...untold].map(([item, seconds]) => [item, Number(seconds.toFixed(1))]).filter(([, seconds]) => seconds > 0);
  untold.clear();
  const desk = Number(untoldAtDesk.toFixed(1));
  untoldAtDesk = 0;
  const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 14)}`;
  if (!items.length && !desk) return reports;
  return [...reports, { id, items: Object.fromEntries(items), ...(desk ? { desk } : {}) }];
}

function giveBack(reports) {
  back = [...back, ...reports].slice(-MOST_BACK);
}

const onItsWay = new WeakMap();

function isOfDesk(event) {
  return event.detail.verb === "post" && (event.target.id === "lease" || event.target.closest("#items, #release, [data-own]"));
}

document.addEventListener("htmx:configRequest", (event) => {
  if (!isOfDesk(event)) return;
  const reports = take();
  if (!reports.length) return;
  event.detail.parameters[FIELD] = JSON.stringify(reports);
  onItsWay.set(event.target, reports);
});
document.addEventListener("htmx:afterRequest", (event) => {
  const reports = onItsWay.get(event.detail.elt);
  if (!reports) return;
  onItsWay.delete(event.detail.elt);
  if (!event.detail.successful) giveBack(reports);
});

// What is untold goes out now, as the sign of life that it is.
function tellNow() {
  const reports = take();
  if (!reports.length) return;
  const words = new FormData();
  words.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "");
  words.set(FIELD, JSON.stringify(reports));
  if (!navigator.sendBeacon(lease().getAttribute("hx-post"), words)) giveBack(reports);
}

// A release, giving back, handing over end the claim that the time belongs to: they bring it along. Every other form
// leads to a page that does not count.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || form.hasAttribute("hx-post") || !lease()) return;
  if (!form.hasAttribute("data-counts-times")) {
    tellNow();
    return;
  }
  const reports = take();
  if (!reports.length) return;
  const field = form.elements[FIELD] ?? document.createElement("input");
  Object.assign(field, { type: "hidden", name: FIELD, value: JSON.stringify(reports) });
  form.append(field);
});

// Another tab, another page.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden" && lease()) tellNow();
});

for (const name of SIGNS) document.addEventListener(name, sign, { capture: true, passive: true });
for (const name of TURNS) document.addEventListener(name, turn, { capture: true, passive: true });
media?.addEventListener("play", () => turnTo(itemOf(momentThatPlays()))); // by key too; the talk as a whole is no item's
if (lease()) setInterval(tick, TICK);
