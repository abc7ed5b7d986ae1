// The owner's transcript: every word opens a menu, by touch, mouse and keyboard.

const box = document.querySelector("[data-words]");
const menu = document.querySelector("[data-word-menu]");
const FORWARD = { ArrowRight: 1, ArrowLeft: -1 };
const DOWN = { ArrowDown: 1, ArrowUp: -1 };

const wordsIn = (place) => [...place.querySelectorAll(".w")];

// One tab stop for all words; the arrow keys move it.
function stopAt(word) {
  for (const each of box.querySelectorAll(".w")) each.tabIndex = -1;
  if (word) word.tabIndex = 0;
}

function neighbour(word, key) {
  if (FORWARD[key]) {
    const words = wordsIn(box);
    return words[words.indexOf(word) + FORWARD[key]];
  }
  const line = word.closest("p");
  const next = DOWN[key] > 0 ? line.nextElementSibling : line.previousElementSibling;
  if (!next) return undefined;
  const words = wordsIn(next);
  return words[Math.min(wordsIn(line).indexOf(word), words.length - 1)];
}

function connect() {
  stopAt(box.querySelector(".w"));
  box.addEventListener("keydown", (event) => {
    const word = event.target.closest(".w");
    if (!word || !(FORWARD[event.key] || DOWN[event.key])) return;
    const next = neighbour(word, event.key);
    event.preventDefault();
    if (!next) return;
    stopAt(next);
    next.focus();
  });
  box.addEventListener("focusin", (event) => {
    if (event.target.matches(".w")) stopAt(event.target);
  });
}

// The menu came: it opens on its heading, so that a screen reader says the word first.
let place = "";
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "word-menu") return;
  const title = menu.querySelector("h2");
  place = title.dataset.place ?? "";
  menu.close();
  menu.showModal();
  title.focus();
});

// Undone in the list: it stays open, and the focus with it.
function showList() {
  const summary = document.getElementById("corrected-title");
  summary.parentElement.open = true;
  summary.focus();
}

// Saved: the menu closes, and the focus returns to the word, or to the one that took its place.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "corrections") return;
  const wasOpen = menu.open;
  menu.close();
  const seconds = Number(place.slice(2));
  const words = wordsIn(box);
  const word = document.getElementById(place)
    ?? words.find((each) => Number(each.value.replace("p", "")) >= seconds) ?? words[0];
  stopAt(word);
  if (wasOpen) word?.focus({ preventScroll: false });
  else showList();
});

if (box && menu) connect();
