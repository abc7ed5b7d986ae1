// Captions of a recording without a picture: browsers show none in an audio player, so the line below it does.

document.addEventListener("play", (event) => {
  const sound = event.target;
  const line = sound.closest?.("[data-reply]")?.querySelector("[data-cue]");
  const [track] = sound.textTracks ?? [];
  if (!line || !track || track.oncuechange) return;
  line.hidden = false;
  track.mode = "hidden"; // its cues are fetched, and told below
  track.oncuechange = () => {
    line.textContent = [...track.activeCues].map((cue) => cue.text).join(" ");
  };
}, true);
