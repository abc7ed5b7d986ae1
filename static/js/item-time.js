// How long a coach works on each item: it goes along with what the desk sends anyway.
// Only while the page can be seen, and its coach has acted, or the recording has played, just now. The
// site believes no more than has passed by its own clock (coach/review/item_times.py).

const AWAKE = 30000; // milliseconds after the last sign of the coach (rule of thumb)
const TICK = 1000;
const FIELD = "item_times";
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart", "input"];

const lease = () => document.querySelector("#lease[hx-post]"); // only who has the take in hand is timed
const media = document.querySelector("[data-player]");
const untold = new Map(); // seconds by item
let lastSign = performance.now();
let lastTick = lastSign;

function sign() {
  lastSign = performance.now();
}

// The open item, unless its coach writes or reads somewhere else: a note, the word, what goes out.
function itemAtWork() {
  const item = document.querySelector("#items [data-item][data-current]");
  if (!item?.querySelector("[data-fold]")?.open || document.querySelector("dialog[open]")) return null;
  const typedIn = document.activeElement?.closest("textarea, input, select");
  return typedIn && !item.contains(typedIn) ? null : item.dataset.item;
}

function tick() {
  const now = performance.now();
  const passed = Math.min(now - lastTick, 2 * TICK); // a machine that slept was not worked at
  lastTick = now;
  if (media && !media.paused) sign();
  const item = document.visibilityState === "visible" && now - lastSign < AWAKE ? itemAtWork() : null;
  if (item) untold.set(item, (untold.get(item) ?? 0) + passed / 1000);
}

// What is on its way is no longer untold; what did not arrive is again.
function take() {
  tick();
  const told = Object.fromEntries([...untold].map(([item, seconds]) => [item, Number(seconds.toFixed(1))]));
  untold.clear();
  return told;
}

function giveBack(told) {
  for (const [item, seconds] of Object.entries(told)) untold.set(item, (untold.get(item) ?? 0) + seconds);
}

const hasAny = (told) => Object.keys(told).length > 0;
const onItsWay = new WeakMap();

function isOfDesk(event) {
  return event.detail.verb === "post" && (event.target.id === "lease" || event.target.closest("#items, #release, [data-own]"));
}

document.addEventListener("htmx:configRequest", (event) => {
  if (!isOfDesk(event)) return;
  const told = take();
  if (!hasAny(told)) return;
  event.detail.parameters[FIELD] = JSON.stringify(told);
  onItsWay.set(event.target, told);
});
document.addEventListener("htmx:afterRequest", (event) => {
  const told = onItsWay.get(event.detail.elt);
  if (!told) return;
  onItsWay.delete(event.detail.elt);
  if (!event.detail.successful) giveBack(told);
});

// A release, giving back, handing over: the page is left, and its claim ends.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post") || !lease()) return;
  const told = take();
  if (!hasAny(told)) return;
  const field = form.elements[FIELD] ?? document.createElement("input");
  Object.assign(field, { type: "hidden", name: FIELD, value: JSON.stringify(told) });
  form.append(field);
});

// Another tab, another page: what is untold goes out now, as the sign of life that it is.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden" || !lease()) return;
  const told = take();
  if (!hasAny(told)) return;
  const words = new FormData();
  words.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "");
  words.set(FIELD, JSON.stringify(told));
  if (!navigator.sendBeacon(lease().getAttribute("hx-post"), words)) giveBack(told);
});

for (const name of SIGNS) document.addEventListener(name, sign, { capture: true, passive: true });
if (lease()) setInterval(tick, TICK);
