// Single keys: the list on the page says which key stands for what, scripts say what is then done.
// `register("accept", act)`: an act that returns false leaves the key to the next one that asked for it.
// `{ once: true }`: a key that is held down does it once, whatever the keyboard repeats.

import { nameOf } from "./key-names.js";
import { connectSwitch, keyIsOurs, keysAreOn } from "./keys.js";

const acts = new Map();

export function register(name, act, { once = false } = {}) {
  const heard = once ? (key, event) => event.repeat || act(key) : act;
  acts.set(name, [...(acts.get(name) ?? []), heard]);
}

// Behind a panel that is open nothing is decided: only the keys of panels are heard.
const PANELS = new Set(["keys", "summary", "takes"]);

function namesFor(key) {
  const isBehind = document.querySelector("dialog:modal") !== null;
  return [...document.querySelectorAll("[data-shortcut]")]
    .filter((row) => row.dataset.key.split(" ").includes(key))
    .map((row) => row.dataset.shortcut)
    .filter((name) => !isBehind || PANELS.has(name));
}

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
