// What was pressed or typed at the desk is with the site before something is asked that shows it.

const underWay = new Set();
let waiting = [];
let isUntold = false; // the word to the trainee has changed since it was sent last

const word = () => document.getElementById("word");

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-word]")) isUntold = true;
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (requestConfig.verb !== "post" || !event.target.matches("form")) return;
  underWay.add(xhr);
  if (event.target === word()) isUntold = false;
  // Of a form that is gone by then the page hears nothing else; what waited behind it has begun by then.
  xhr.addEventListener("loadend", () => {
    underWay.delete(xhr);
    if (underWay.size) return;
    for (const goOn of waiting) goOn();
    waiting = [];
  });
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target === word() && !event.detail.successful) isUntold = true;
});

export async function allIsThere() {
  const told = []; // autosave.js adds what it has not told yet
  document.dispatchEvent(new CustomEvent("tellNow", { detail: told }));
  if (isUntold) word()?.requestSubmit();
  if (underWay.size) told.push(new Promise((goOn) => { waiting.push(goOn); }));
  await Promise.all(told);
}
