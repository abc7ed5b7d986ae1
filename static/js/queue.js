// The queue: one key takes the next take, one takes back what was released just now.

import { register } from "./shortcuts.js";

const press = (selector) => () => {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
};
register("next", press("[data-next]"));
register("undo-release", press("[data-take-back]"));
