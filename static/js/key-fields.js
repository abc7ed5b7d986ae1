// Fields that take a key by pressing it; Backspace empties one. Tab, Enter and Escape stay what they are, so that nobody is caught.

import { nameOf } from "./key-names.js";

const words = JSON.parse(document.getElementById("key-words")?.textContent ?? "{}");
const LEFT_ALONE = new Set(["Tab", "Enter", "Escape", "Shift", "Control", "Alt", "Meta", "AltGraph", "Dead", "Process", "Unidentified"]);

// As it stands on the key: ⇧↑ for "Shift+ArrowUp", K for "k".
function inWords(name) {
  const shift = name.startsWith("Shift+");
  const last = shift ? name.slice("Shift+".length) : name;
  const said = words[last] ?? (last.length === 1 ? last.toUpperCase() : last);
  return shift ? `⇧${said}` : said;
}

document.querySelector("[data-key-fields]")?.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!field.matches("input[data-usual]") || LEFT_ALONE.has(event.key) || event.isComposing) return;
  if (event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"))) return;
  event.preventDefault();
  const keys = new Set(field.value.split(" ").filter(Boolean)).add(inWords(nameOf(event)));
  field.value = event.key === "Backspace" ? "" : [...keys].join(" ");
});
