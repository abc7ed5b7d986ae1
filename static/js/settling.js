// Settling disagreements: the arrows go from one to the next, a key decides, and the next open one has the focus.

import { beginAct, endAct, isUnderWay } from "./in-turn.js";
import { register } from "./shortcuts.js";
import { beside, comeTo } from "./stepping.js";

const all = () => [...document.querySelectorAll("[data-difference]")];
const focused = () => document.activeElement?.closest("[data-difference]");
const atHash = () => (location.hash ? document.getElementById(location.hash.slice(1)) : null);
let at = 0;

function current() {
  const rows = all();
  const here = rows.indexOf(focused() ?? null);
  if (here >= 0) at = here;
  return rows[Math.min(at, rows.length - 1)] ?? null;
}

function go(to) {
  if (!to) return false;
  comeTo(to);
  at = all().indexOf(to);
  return true;
}

// The next open one, and after the last of them the first.
function nextOpen() {
  const rows = all();
  return [...rows.slice(at), ...rows.slice(0, at)].find((row) => "open" in row.dataset) ?? rows[at];
}

function press(selector) {
  const button = current()?.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function write(selector) {
  const field = current()?.querySelector(selector);
  if (!field) return false;
  field.closest("details").open = true;
  field.focus();
  return true;
}

const ONCE = { once: true };
register("settle-next", () => go(focused() ? beside(all(), focused(), 1) : current()));
register("settle-before", () => go(beside(all(), current(), -1)));
register("settle-coder", (key) => press(`[data-coder="${key}"]`), ONCE);
register("settle-none", () => press("[data-none]"), ONCE);
register("settle-whole", () => press("[data-whole]"), ONCE);
register("settle-code", () => write("[data-other]"), { toWords: true });
register("settle-why", () => write("[data-why]"), { toWords: true });
register("settle-undo", () => {
  document.querySelector("[data-undo]:not([aria-disabled])")?.click();
  return true;
}, ONCE);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.detail.target?.matches("[data-difference]")) return;
  at = all().indexOf(event.detail.target);
  beginAct(event.detail.elt, event.detail.xhr);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!isUnderWay(event.detail.requestConfig?.elt)) return;
  const isRefused = document.querySelector("#settling-state .coder__refused") !== null;
  const open = "decision" in event.detail.requestConfig.parameters && event.detail.requestConfig.parameters.decision === "open";
  go(isRefused || open ? all()[at] : nextOpen());
  endAct({ goesOn: !isRefused });
});

const first = atHash()?.closest("[data-difference]");
if (first) go(first);
else at = Math.max(all().findIndex((row) => "open" in row.dataset), 0);
