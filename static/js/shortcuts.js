// Single keys: the list on the page says which key stands for what, scripts say what is then done.
// `register("accept", act)`: an act that returns false leaves the key to the next one that asked for it.
// `{ once: true }`: a key that is held down does it once, whatever the keyboard repeats.
// `{ toWords: true }`: a key that leads to a field of the page which no act brings anew.

import { nameOf } from "./key-names.js";
import { connectSwitch, keyIsOurs, keysAreOn } from "./keys.js";

const acts = new Map();
const toWordsOf = new Set();

export function register(name, act, { once = false, toWords = false } = {}) {
  if (toWords) toWordsOf.add(name);
  const heard = once ? (key, event) => event.repeat || act(key) : act;
  acts.set(name, [...(acts.get(name) ?? []), heard]);
}

// Behind a panel that is open nothing is decided: only the keys of panels are heard.
const PANELS = new Set(["keys", "summary", "takes", "facts"]);

function namesFor(key) {
  const isBehind = document.querySelector("dialog:modal") !== null;
  return [...document.querySelectorAll("[data-shortcut]")]
    .filter((row) => row.dataset.key.split(" ").includes(key))
    .map((row) => row.dataset.shortcut)
    .filter((name) => !isBehind || PANELS.has(name));
}

export const goesToWords = (event) => "key" in event && namesFor(nameOf(event)).some((name) => toWordsOf.has(name));

document.addEventListener("keydown", (event) => {
  if (!keysAreOn() || !keyIsOurs(event)) return;
  const key = nameOf(event);
  for (const act of namesFor(key).flatMap((name) => acts.get(name) ?? [])) {
    if (act(key, event) === false) continue;
    event.preventDefault();
    return;
  }
});

register("keys", () => {
  const list = document.getElementById("keys");
  list?.togglePopover();
});
connectSwitch();
