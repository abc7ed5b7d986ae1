// Single-key shortcuts: when they may act, and the switch that turns them off. It goes with the account;
// for visitors, who have none, with this device.

const STORE = "rostrum.single-keys";
const TYPED = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";
// A form of the desk in which somebody writes: the letters that follow a choice in it are the beginning of their words.
const WRITTEN_IN = ".desk form:has(textarea, input:not([type])):not([data-rubric]), .desk-head form:has(textarea)";
const NATIVE = "a[href], button, summary, input, [role=slider]";
const ARROWED = "input, [role=slider], video, audio, [data-transcript], .lane-text";

const kept = () => document.querySelector("form[data-keys-kept]");

export function keysAreOn() {
  if (kept()) return kept().elements.on.checked;
  try {
    return localStorage.getItem(STORE) !== "off";
  } catch {
    return true;
  }
}

function remember(on) {
  if (kept()) {
    const words = new URLSearchParams(new FormData(kept()));
    // Kept alive: who turns them off and goes on at once has turned them off.
    const sent = { method: "POST", body: words, headers: { "HX-Request": "true" }, keepalive: true };
    fetch(kept().getAttribute("action"), sent).catch(() => {});
    return;
  }
  try {
    localStorage.setItem(STORE, on ? "on" : "off");
  } catch {
    // Storage is refused: the switch then holds for this page only.
  }
}

// True when the key belongs to the page: nobody is typing, no modifier is held, and a control
// that has focus does not want the key for itself.
export function keyIsOurs(event) {
  if (event.defaultPrevented || event.metaKey) return false;
  // AltGr writes brackets on many keyboards; browsers report it as Ctrl and Alt as well.
  if ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph")) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest(TYPED)) return false;
  if (event.key.length === 1 && target.closest(WRITTEN_IN) && !choosesReason(event.key, target)) return false;
  if (event.key.startsWith("Arrow")) return !target.closest(ARROWED);
  const native = event.key === " " || event.key === "Enter";
  return !(native && target.closest(`${NATIVE}, video, audio`));
}

const choosesReason = (key, target) => /^[1-9]$/.test(key) && target.closest("form").querySelector("input[name=reason]") !== null;

export function connectSwitch(onChange = () => {}) {
  for (const box of document.querySelectorAll("[data-single-keys]")) {
    box.checked = keysAreOn();
    box.addEventListener("change", () => {
      remember(box.checked);
      onChange(box.checked);
    });
  }
}
