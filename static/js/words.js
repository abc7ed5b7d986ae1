// Sentences that the page brings along, filled in; sizes and times as the page's language writes them.

export const words = JSON.parse(document.getElementById("upload-words")?.textContent ?? "{}");

export function fill(sentence, values) {
  return (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// Into a place that is read out: the same words a second time would be heard a second time.
export function tellOnce(place, sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

// "Remove" says the same in every row: each button is described by the name in its row.
let rows = 0;
export function nameAfter(row) {
  rows += 1;
  const name = row.querySelector("[data-name]");
  name.id = `name-${rows}`;
  for (const button of row.querySelectorAll("button")) button.setAttribute("aria-describedby", name.id);
}

// 2.5 or 2,5, as the page's language writes it.
const tenths = new Intl.NumberFormat(document.documentElement.lang || "en", {
  minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false,
});

// In steps of 1024, as the server says its limit and what arrived.
export function size(bytes) {
  const [kilo, mega, giga] = [2 ** 10, 2 ** 20, 2 ** 30];
  if (bytes < mega) return fill(words.kilo, { n: Math.ceil(bytes / kilo) });
  if (bytes < giga) return fill(words.mega, { n: tenths.format(bytes / mega) });
  return fill(words.giga, { n: tenths.format(bytes / giga) });
}

export function timeLeft(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 50) return fill(words.seconds_left, { n: Math.max(5, Math.ceil(seconds / 5) * 5) });
  return fill(words.minutes_left, { n: Math.ceil(seconds / 60) });
}
