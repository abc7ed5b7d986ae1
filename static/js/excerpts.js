// Moments of a recording beside its player: a press plays one to its end, another press stops it.
// Without this script, each is a link to that place of the recording.

let playing = null; // the moment that plays now

function stop() {
  playing?.media.pause();
  playing?.link.removeAttribute("data-playing");
  playing = null;
}

function play(link) {
  const media = document.getElementById(link.dataset.excerpt);
  playing = { link, media, end: Number(link.dataset.end) };
  link.setAttribute("data-playing", "");
  media.currentTime = Number(link.dataset.start);
  media.play().catch(stop); // deleted meanwhile, or the browser does not play it
}

for (const media of document.querySelectorAll("[data-excerpts]")) {
  media.addEventListener("timeupdate", () => {
    if (playing?.media === media && media.currentTime >= playing.end) stop();
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-excerpt]");
  if (!link) return;
  event.preventDefault();
  const isSame = playing?.link === link;
  stop();
  if (!isSame) play(link);
});
