// The review desk: one item is current; single keys decide it; a verdict moves nothing.

import { clock } from "./clock.js";
import { beginAct, endAct, isUnderWay } from "./in-turn.js";
import { allIsThere } from "./on-its-way.js";
import { say } from "./say.js";
import { register } from "./shortcuts.js";
import { beside, comeTo } from "./stepping.js";
import { noteSent, tell } from "./told.js";

const media = document.querySelector("[data-player]");
let currentId = null;

const items = () => [...document.querySelectorAll("#items [data-item]")];
const current = () => items().find((item) => item.dataset.item === currentId) ?? null;

function unfold(item) {
  const fold = item?.querySelector("[data-fold]");
  if (fold && !fold.open) fold.open = true; // the others close by themselves: they share a name, unless somebody waits there
}

function makeCurrent(item, { focus = false } = {}) {
  for (const other of items()) other.toggleAttribute("data-current", other === item);
  currentId = item?.dataset.item ?? null;
  if (!focus || !item) return;
  unfold(item);
  comeTo(item);
}

const step = (by) => makeCurrent(beside(items(), current(), by), { focus: true });

const openFormOf = (item) => item?.querySelector("[data-form][open]") ?? null;

function press(name) {
  const form = openFormOf(current());
  if (form) {
    form.querySelector("textarea, input:not([type=hidden])")?.focus(); // what is begun in it is sent, or left with Escape
    return;
  }
  const button = current()?.querySelector(`[data-verdict="${name}"]`);
  if (button) button.click();
  else tellItStands();
}

// What is decided has no such button: it says how to go on, so that nobody types into nothing.
function tellItStands() {
  const words = current()?.querySelector("[data-stands]");
  if (!words) return;
  unfold(current());
  words.hidden = false;
  words.scrollIntoView({ block: "nearest" });
}

function openForm(name) {
  const details = current()?.querySelector(`[data-form="${name}"]`);
  if (!details) {
    tellItStands();
    return;
  }
  unfold(current());
  details.open = true;
  const field = details.querySelector("textarea, input[type=radio]");
  field.focus();
  if (field.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length);
}

// A number chooses the reason, as long as the form that asks for it is open.
function choose(number) {
  const reasons = current()?.querySelectorAll("[data-form][open] input[name=reason]");
  const reason = reasons?.[Number(number) - 1];
  if (!reason) return false;
  reason.checked = true;
  reason.dispatchEvent(new Event("input", { bubbles: true })); // kept as if it had been pressed
  // What is typed next is why, in their words.
  (reason.form.elements.note ?? reason).focus();
  return true;
}

const own = document.querySelector("[data-own]");

function openOwn() {
  if (!own) return false;
  own.open = true;
  own.scrollIntoView({ block: "nearest" });
  own.querySelector("textarea").focus();
  return true;
}

// A panel that is fetched when it is opened: what goes out, earlier takes.
async function openPanel(name) {
  const panel = document.getElementById(name);
  const link = document.querySelector(`[data-dialog="${name}"]`);
  if (!panel || !link) return;
  if (panel.open) {
    panel.close();
    return;
  }
  const fill = panel.querySelector("[data-fill]");
  fill.replaceChildren(); // what it showed before may be of another state
  panel.showModal();
  await allIsThere();
  await window.htmx.ajax("GET", link.href, { target: fill, swap: "innerHTML" }).catch(() => {});
  if (!fill.childElementCount) {
    panel.close(); // it did not come, and the page says why
    return;
  }
  (panel.querySelector("[data-last]") ?? panel.querySelector("h2"))?.focus({ preventScroll: true });
  panel.scrollTop = 0;
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-dialog]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPanel(link.dataset.dialog);
});

// A fact becomes a card of one's own: its sentence and its moments in the form, after what stands there.
function pick(fact) {
  if (!own) return;
  document.getElementById("facts").close();
  const { claim, clips, quality } = own.querySelector("form").elements;
  claim.value = [claim.value, fact.dataset.claim].filter(Boolean).join(" ");
  clips.value = [clips.value, fact.dataset.typed].filter(Boolean).join(", ");
  quality.value = fact.dataset.quality;
  openOwn();
  claim.dispatchEvent(new Event("input", { bubbles: true })); // kept as if it had been typed
}
document.getElementById("facts")?.addEventListener("click", (event) => {
  const fact = event.target.closest("[data-fact]");
  if (!fact || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pick(fact);
});
document.getElementById("facts")?.addEventListener("keydown", (event) => {
  if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  const fact = event.currentTarget.querySelectorAll("[data-fact]")[Number(event.key) - 1];
  if (!fact) return;
  event.preventDefault();
  pick(fact);
});

// Out of a field, so that single keys act again: to the item, or, on a desk without one, to none.
function leave(field) {
  const item = current();
  if (item) item.focus();
  else field.blur();
}

// That somebody wrote there meanwhile is said below the word, which may be below the fold.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.requestConfig?.elt.id !== "word") return;
  document.querySelector("#word-kept.conflict")?.scrollIntoView({ block: "nearest" });
});

function toWord() {
  const text = document.querySelector("[data-word]");
  if (!text) return false;
  text.focus();
  text.scrollIntoView({ block: "nearest" });
  return true;
}

// The first key on an untouched desk takes the first item that waits for a decision.
const onCurrent = (act) => () => {
  if (!current()) makeCurrent(nextOpen(null) ?? items()[0], { focus: true });
  act();
};
const DECIDES_ONE = { once: true };
register("accept", onCurrent(() => press("accept")), DECIDES_ONE);
register("undo", () => document.querySelector("[data-undo]")?.click(), DECIDES_ONE);
register("replace", onCurrent(() => openForm("replace")));
register("hold", onCurrent(() => press("hold")), DECIDES_ONE);
register("up", onCurrent(() => press("up")));
register("down", onCurrent(() => press("down")));
register("word", toWord, { toWords: true });
register("takes", () => { openPanel("takes"); });
register("facts", () => { openPanel("facts"); });
register("edit", onCurrent(() => openForm("edit")));
register("reject", onCurrent(() => openForm("reject")));
register("reason", choose);
register("add", openOwn, { toWords: true });
register("next-item", () => step(1));
register("previous-item", () => step(-1));
register("summary", () => { openPanel("summary"); });

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (event.defaultPrevented) return; // a list of comments closed
    const open = event.target.closest?.("[data-form][open], [data-own][open]") ?? (event.target.matches?.("[data-item]") ? openFormOf(event.target) : null);
    if (open) open.open = false;
    if (open || event.target.matches?.("[data-word]")) leave(event.target);
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest?.("[data-form] form, [data-own] form, #word");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
    if (form.id === "word") leave(event.target);
  }
});

document.addEventListener("focusin", (event) => {
  const item = event.target.closest("#items [data-item]");
  if (item) makeCurrent(item);
});
document.addEventListener("click", (event) => {
  const item = event.target.closest("#items [data-item]");
  if (!item) return;
  makeCurrent(item);
  if (!event.target.closest("button, a, summary, details[open], input, textarea")) unfold(item);
});
document.addEventListener("toggle", (event) => {
  if (event.target.open && event.target.matches?.("[data-fold]")) makeCurrent(event.target.closest("[data-item]"));
}, true);

// One form open at a time in an item.
document.addEventListener("toggle", (event) => {
  const opened = event.target;
  if (!opened.open || !opened.matches?.("[data-form]")) return;
  for (const other of opened.closest("[data-item]").querySelectorAll("[data-form][open]")) {
    if (other !== opened) other.open = false;
  }
  // With its last button: below the fold of its column nobody would look for it.
  opened.querySelector("form")?.scrollIntoView({ block: "nearest", behavior: "instant" });
}, true);

// An act comes back as a fresh list. After a decision the next open item has its turn; after
// anything else the same item stays, where it was on the screen.
const DECIDES = new Set(["accept", "edit", "reject", "replace", "hold"]);
let heldTop = null;
let decided = false;
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id !== "items") return;
  decided = DECIDES.has(event.target.querySelector?.("input[name=action]")?.value);
  noteSent(event.target);
  beginAct(event.target, event.detail.xhr);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "items") return;
  heldTop = current()?.getBoundingClientRect().top ?? null;
  noteWhereSomebodyWrites();
});

function nextOpen(item) {
  const all = items();
  const open = all.filter((each) => each.dataset.decision === "open" && !each.hasAttribute("data-hidden"));
  const here = all.indexOf(item);
  return open.find((each) => all.indexOf(each) > here) ?? open[0] ?? null;
}

function keepInPlace(item, { focus }) {
  makeCurrent(item);
  unfold(item);
  if (focus) item.focus({ preventScroll: true });
  const room = item.closest("[data-scroll]");
  const scrolls = room && room.scrollHeight > room.clientHeight + 1 ? room : window;
  scrolls.scrollBy({ top: item.getBoundingClientRect().top - heldTop, behavior: "instant" });
  item.querySelector("[data-problem]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
}

// What became of an item is seen in its head, which the focus leaves: it is read out as well, with what goes out now.
function tellWhatBecame(item) {
  const head = [...(item?.querySelectorAll(".card__head > span") ?? [])].map((part) => part.textContent.trim());
  const goesOut = document.querySelector("[data-release-words]")?.textContent.trim() ?? "";
  say(`${head.join(", ")}. ${goesOut}`);
}

// Whoever writes elsewhere by now is left there: their letters would be keys that decide. A field of another item is
// moved into the fresh list, and loses the focus on its way.
let written = null;
function noteWhereSomebodyWrites() {
  const field = document.activeElement;
  const isElsewhere = field.matches("textarea, input:not([type=checkbox], [type=radio])") && !isUnderWay(field.form);
  written = isElsewhere ? { field, from: field.selectionStart, to: field.selectionEnd } : null;
}

function writeOn({ field, from, to }) {
  if (document.activeElement === field) return;
  field.focus({ preventScroll: true });
  if (from !== null) field.setSelectionRange(from, to);
}

function goOn(isRefused) {
  const item = current();
  const next = decided && !isRefused ? nextOpen(item) : null;
  if (!isRefused) tellWhatBecame(item);
  const isWriting = written?.field.isConnected;
  const focus = !isWriting;
  const { takenBack } = document.getElementById("items").dataset;
  const back = items().find((each) => each.dataset.item === takenBack);
  if (back && !(isWriting && written.field.closest("#items"))) makeCurrent(back, { focus });
  else if (isWriting && written.field.closest("#items")) keepInPlace(item, { focus });
  else if (next) makeCurrent(next, { focus });
  else if (item) keepInPlace(item, { focus });
  else makeCurrent(items().at(-1) ?? null, { focus }); // taken out: the last one that is left
  tell(current(), { isAbout: Boolean(back) && current() === back });
  if (isWriting) writeOn(written);
}

// htmx tells it of each part that an answer brought; by the second one the next act may be under way.
document.addEventListener("htmx:afterSettle", (event) => {
  if (!isUnderWay(event.detail.requestConfig?.elt)) return;
  const isRefused = document.querySelector("#items [data-problem]") !== null;
  if (heldTop !== null) goOn(isRefused);
  heldTop = null;
  decided = false;
  endAct({ goesOn: !isRefused });
});

// Refused, since a colleague is to have the take: its place in the head says so at once, with a way back.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.requestConfig?.elt?.id === "lease" || !document.querySelector("span[data-lost]")) return;
  document.body.dispatchEvent(new CustomEvent("refused"));
});

// Sent along with something else (a word was put right): the same item stays current, and open.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.target.id !== "items") return;
  const wasOpen = current()?.querySelector("[data-fold]")?.open;
  setTimeout(() => {
    makeCurrent(current());
    if (wasOpen) unfold(current());
  });
});

// A failed request says so and changes nothing.
const trouble = document.querySelector("[data-trouble]");
const gone = document.querySelector("[data-gone]");
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, (event) => {
    const status = event.detail.xhr?.status;
    const notice = status === 404 ? gone : trouble;
    if (!notice || status === 401 || status === 403) return; // app.js says that one is signed out
    notice.hidden = false;
    notice.scrollIntoView({ block: "nearest" });
  });
}
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (trouble && event.detail.successful) trouble.hidden = true;
});

// "Use the current time": into the field beside it, and into no other.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-take-time]");
  if (!button || !media) return;
  const field = document.getElementById(button.dataset.takeTime);
  const now = clock(media.currentTime);
  field.value = field.value ? `${field.value}, ${now}` : now;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// Added: the form is empty again. Refused: what was typed stays.
own?.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful || document.querySelector("#items [data-problem]")) return;
  event.target.reset();
  own.open = false;
});

// First what is still to be decided, else what the trainee reads.
makeCurrent(nextOpen(null) ?? items().find((item) => !item.hasAttribute("data-hidden")) ?? items()[0] ?? null);
unfold(current());
