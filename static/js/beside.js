// Two takes: a pressed sentence plays in the first one, then in the second.

const takes = [...document.querySelectorAll(".beside__film")].map((film) => film.querySelector("[data-take]"));
const list = document.querySelector("[data-sentences]");
const EDGE = 0.25; // seconds before and after, so that no sound is cut
let turn = 0; // the newest press; older ones stop
let shown = null;

function loaded(media) {
  if (media.readyState > 0) return Promise.resolve();
  return new Promise((resolve) => {
    media.addEventListener("loadedmetadata", resolve, { once: true });
    media.addEventListener("error", resolve, { once: true });
    media.load();
  });
}

// Resolves at the end of the stretch, or once it was paused by hand.
async function playStretch(media, [start, end], mine) {
  await loaded(media);
  if (mine !== turn) return;
  media.currentTime = Math.max(start - EDGE, 0);
  await media.play().catch(() => {});
  await new Promise((resolve) => {
    const look = () => {
      const isOver = media.currentTime >= end + EDGE;
      if (isOver) media.pause();
      if (!isOver && !media.paused && mine === turn) return;
      media.removeEventListener("timeupdate", look);
      media.removeEventListener("pause", look);
      resolve();
    };
    media.addEventListener("timeupdate", look);
    media.addEventListener("pause", look);
    look();
  });
}

async function playBoth(button) {
  const mine = ++turn;
  for (const media of takes) media?.pause();
  shown?.removeAttribute("aria-current");
  shown = button;
  shown.setAttribute("aria-current", "true");
  const stretches = [button.dataset.first, button.dataset.second].map((words) => words?.split(",").map(Number));
  for (const [place, stretch] of stretches.entries()) {
    if (stretch && takes[place] && mine === turn) await playStretch(takes[place], stretch, mine);
  }
}

list?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-play]");
  if (button) playBoth(button);
});
