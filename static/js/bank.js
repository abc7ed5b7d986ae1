// The comment bank: "/" at the beginning of a word offers sentences that are kept, in any text that asks for it.

const LEAST_WAIT = 120; // milliseconds after the last key before the list is asked for
const STARTS = /(^|\s)\/([^/\n]{0,60})$/;

let list = null;
let text = null;
let waiting = 0;
let asked = 0;

function close() {
  clearTimeout(waiting);
  asked += 1;
  list?.remove();
  list = null;
  text?.removeAttribute("aria-activedescendant");
  text?.setAttribute("aria-expanded", "false");
  text = null;
}

function open(field) {
  if (list && text === field) return;
  close();
  text = field;
  list = document.createElement("ul");
  list.className = "bank";
  list.id = "bank-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.querySelector("[data-bank-url]").dataset.bankLabel);
  field.after(list);
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "true");
  field.setAttribute("aria-autocomplete", "list");
  list.addEventListener("pointerdown", (event) => {
    const option = event.target.closest("[role=option]");
    event.preventDefault(); // the text keeps the focus
    if (option) take(option);
  });
}

const options = () => [...(list?.querySelectorAll("[role=option]") ?? [])];
const chosen = () => list?.querySelector("[aria-selected=true]") ?? null;

function choose(option) {
  for (const other of options()) other.setAttribute("aria-selected", String(other === option));
  if (!option) return;
  text.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = options();
  if (!all.length) return;
  choose(all[(all.indexOf(chosen()) + by + all.length) % all.length]);
}

// Puts the sentence where "/" and the words after it stand, and counts that it was used.
function take(option) {
  const field = text;
  const at = field.selectionStart;
  const before = field.value.slice(0, at).replace(STARTS, "$1");
  const sentence = option.dataset.text;
  field.setRangeText(sentence, before.length, at, "end");
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
  // Kept alive: who saves the note at once and opens the next take has used the sentence all the same.
  fetch(option.dataset.used, { method: "POST", headers: { "X-CSRFToken": token }, keepalive: true }).catch(() => {});
  close();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

async function ask(field, words) {
  const mine = ++asked;
  const url = new URL(document.querySelector("[data-bank-url]").dataset.bankUrl, location.href);
  url.searchParams.set("q", words);
  let answer = null;
  try {
    answer = await fetch(url, { headers: { "HX-Request": "true" } });
  } catch {
    return;
  }
  if (!answer.ok || mine !== asked || document.activeElement !== field) return;
  const found = await answer.text();
  if (mine !== asked) return;
  open(field);
  asked = mine;
  list.innerHTML = found;
  choose(options()[0] ?? null);
}

document.addEventListener("input", (event) => {
  const field = event.target.closest?.("textarea[data-bank]");
  if (!field || !document.querySelector("[data-bank-url]")) return;
  const typed = field.value.slice(0, field.selectionStart).match(STARTS);
  if (!typed) {
    if (list) close();
    return;
  }
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(field, typed[2].trim()), LEAST_WAIT);
});

// Before the note's own Enter and Escape: while the list is open, keys are the list's.
document.addEventListener("keydown", (event) => {
  if (!list || event.target !== text) return;
  const acts = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => (chosen() ? take(chosen()) : close()),
    Tab: () => (chosen() ? take(chosen()) : close()),
    Escape: close,
  };
  if (!(event.key in acts)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}, true);

document.addEventListener("focusout", (event) => {
  if (event.target === text) close();
});
