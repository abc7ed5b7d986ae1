// Single keys: the list on the page says which key stands for what, scripts say what is then done.
// `register("accept", act)`: an act that returns false leaves the key to the next one that asked for it.

import { nameOf } from "./key-names.js";
import { connectSwitch, keyIsOurs, keysAreOn } from "./keys.js";

const acts = new Map();

export function register(name, act) {
  acts.set(name, [...(acts.get(name) ?? []), act]);
}

function namesFor(key) {
  return [...document.querySelectorAll("[data-shortcut]")]
    .filter((row) => row.dataset.key.split(" ").includes(key))
    .map((row) => row.dataset.shortcut);
}

document.addEventListener("keydown", (event) => {
  if (!keysAreOn() || !keyIsOurs(event)) return;
  const key = nameOf(event);
  for (const act of namesFor(key).flatMap((name) => acts.get(name) ?? [])) {
    if (act(key) === false) continue;
    event.preventDefault();
    return;
  }
});

register("keys", () => {
  const list = document.getElementById("keys");
  list?.togglePopover();
});
connectSwitch();
