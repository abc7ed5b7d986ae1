// What the site answers to an act stands at the top of the items. It comes to where its coach is:
// above a column that has been scrolled nobody reads it.

let sent = null; // the form that was sent, and where its coach was in it

export function noteSent(form) {
  for (const copy of document.querySelectorAll("[data-refusal]")) copy.remove();
  sent = { form, field: form.contains(document.activeElement) ? document.activeElement : null };
}

const isOpen = (form) => form?.isConnected && form.closest("[data-form][open], [data-own][open]");

function isInSight(words) {
  const room = words.closest("[data-scroll]")?.getBoundingClientRect();
  const { top, bottom } = words.getBoundingClientRect();
  return top >= Math.max(room?.top ?? 0, 0) && bottom <= Math.min(room?.bottom ?? innerHeight, innerHeight);
}

// Beside what was typed, and the next letters go on there: elsewhere they would be keys that decide.
function refuse(words) {
  const { form, field } = sent;
  const copy = words.cloneNode(true); // the first one says to others that it was refused
  copy.toggleAttribute("data-problem", false);
  copy.toggleAttribute("data-refusal", true);
  words.hidden = true;
  const button = form.querySelector("button[type=submit]");
  button.before(copy);
  (field && !field.disabled ? field : form.querySelector("[data-clips], textarea"))?.focus({ preventScroll: true });
  button.scrollIntoView({ block: "nearest", behavior: "instant" }); // the words stand right above it
}

// `isAbout`: the words are about this very item, and stand in it wherever the page is scrolled to.
export function tell(item, { isAbout = false } = {}) {
  for (const words of document.querySelectorAll("#items > [data-told]")) {
    if (words.matches("[data-problem]") && isOpen(sent?.form)) refuse(words);
    else if (isAbout || !isInSight(words)) {
      item?.querySelector("[data-fold][open] > div")?.prepend(words);
      words.scrollIntoView({ block: "nearest", behavior: "instant" });
    }
  }
}
