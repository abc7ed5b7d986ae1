// The queue: one key takes the next take, one takes back what was released just now.

import { register } from "./shortcuts.js";

const press = (selector) => () => {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
};
register("next", press("[data-next]"));
register("look", press("[data-look]"));
register("undo-release", press("[data-take-back]"));

// Somebody comes back to a queue that stood open: what colleagues answered, took or handed over since is told by the
// site. Without a line, or while the site is away behind its proxy, it stays as it is.
const LONG = 60_000; // milliseconds
let leftAt = Date.now();
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") leftAt = Date.now();
  else if (Date.now() - leftAt > LONG) readAnew();
});
async function readAnew() {
  const answer = await fetch("/alive/", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
