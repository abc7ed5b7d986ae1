// What is read out: one place that is on every page from its beginning. A place that comes with an answer
// is new to a reader, be it called a status, and most of them pass it over in silence.

const WAIT = 100; // what comes together is one announcement
const STAYS = 5000; // who reads the page line by line afterwards finds it where it stands, and not here again
let waiting = [];
let leaving = 0;

export function say(sentence) {
  if (!sentence) return;
  if (!waiting.length) {
    setTimeout(() => {
      const place = document.getElementById("said");
      place.textContent = waiting.join(" ");
      waiting = [];
      clearTimeout(leaving);
      leaving = setTimeout(() => place.replaceChildren(), STAYS);
    }, WAIT);
  }
  waiting.push(sentence);
}

// Each `data-say` that an answer brought, once; what was on the page from its beginning is read with the page.
const known = new WeakSet(document.querySelectorAll("[data-say]"));

export function sayWhatCame() {
  for (const place of document.querySelectorAll("[data-say]")) {
    if (known.has(place)) continue;
    known.add(place);
    say(place.textContent.replace(/\s+/g, " ").trim());
  }
}
