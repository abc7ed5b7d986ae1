// Looks for words in the transcript: counts them, marks them, goes from one to the next.

import { fill } from "./words.js";
import { register } from "./shortcuts.js";

const LEAST_LETTERS = 2;

// Without accents, case and marks, so that "eleve" finds « élève, ».
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}%€$]+/gu, " ").trim();
}

export function connectSearch(box, whenFresh) {
  const form = document.querySelector("[data-search]");
  if (!form) return;
  const field = form.querySelector("input");
  const told = form.querySelector("output");
  const moves = form.querySelectorAll("button");
  let hits = [];
  let at = -1;

  // Each word with where it begins in the whole text, so that a search goes over several words.
  const read = () => {
    let text = "";
    const words = [];
    for (const word of box.querySelectorAll("[data-s]:not(.missing)")) {
      const letters = plain(word.textContent);
      if (!letters) continue;
      words.push({ word, from: text.length, to: text.length + letters.length });
      text += `${letters} `;
    }
    return { text, words };
  };
  const clear = () => {
    for (const word of box.querySelectorAll(".hit")) word.classList.remove("hit", "hit--now");
  };
  const find = () => {
    clear();
    hits = [];
    const wanted = plain(field.value);
    if (wanted.length >= LEAST_LETTERS) {
      const { text, words } = read();
      for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
        hits.push(words.filter((each) => each.from < from + wanted.length && from < each.to).map((each) => each.word));
      }
      for (const word of hits.flat()) word.classList.add("hit");
    }
    at = -1;
    if (hits.length) show(0);
    else say(wanted.length >= LEAST_LETTERS ? form.dataset.none : "");
    for (const button of moves) button.disabled = hits.length < 2;
  };
  const say = (words) => { told.textContent = words; };
  const show = (index) => {
    for (const word of hits[at] ?? []) word.classList.remove("hit--now");
    at = (index + hits.length) % hits.length;
    for (const word of hits[at]) word.classList.add("hit--now");
    const line = hits[at][0].closest("p");
    box.scrollTo({ top: line.offsetTop - box.clientHeight / 3 });
    say(fill(form.dataset.found, { n: at + 1, all: hits.length }));
  };

  field.addEventListener("input", find);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (hits.length) show(at + 1);
  });
  moves[0].addEventListener("click", () => show(at - 1));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.shiftKey && hits.length) {
      event.preventDefault();
      show(at - 1);
    }
    if (event.key === "Escape" && field.value) {
      event.preventDefault();
      field.value = "";
      find();
    }
  });
  whenFresh(box, find);
  register("search", () => field.focus());
  form.hidden = false;
}
