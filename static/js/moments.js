// Moments of one's own: a press writes the time of the recording into the row.

import { clock } from "./clock.js";

const media = document.querySelector("[data-player]");

for (const row of document.querySelectorAll("[data-moment]")) {
  const button = row.querySelector("[data-now]");
  button.hidden = !media;
  button.addEventListener("click", () => {
    media.pause();
    row.querySelector("input").value = clock(media.currentTime);
    row.querySelector("select").focus();
  });
}
