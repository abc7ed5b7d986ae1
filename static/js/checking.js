// Asks the site what a picture and the last seconds of sound say; nothing of it is kept there.

import { csrfToken } from "./sending.js";

const EVERY_MS = 2500;
const FIRST_MS = 800; // a camera that was just turned on is dark for a moment (a rule of thumb)
const LONGEST_SIDE_PX = 640;

async function ask(address, body) {
  const answer = await fetch(address, {
    method: "POST", body,
    headers: { Accept: "application/json", "Content-Type": "application/octet-stream", "X-CSRFToken": csrfToken() },
  });
  return answer.ok ? (await answer.json()).findings : null;
}

function picture(video) {
  const scale = LONGEST_SIDE_PX / Math.max(video.videoWidth, video.videoHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.75));
}

// What the check needs is loaded while somebody reads the page: its first answer comes at once.
export function warmUp(address) {
  ask(`${address}?kind=sound`, new ArrayBuffer(32_000)).catch(() => {});
}

// Calls `show` with the findings, again and again until it is stopped, and with whether all that there is was looked at
// and heard; null while there are none yet.
export function check({ address, video, microphone, show }) {
  let going = true;
  let [seen, heard] = [null, null];

  async function once() {
    if (video?.videoWidth && !document.hidden) {
      const about = `kind=picture&width=${video.videoWidth}&height=${video.videoHeight}`;
      seen = (await ask(`${address}?${about}`, await picture(video))) ?? seen;
    }
    const sample = document.hidden ? null : microphone?.sample();
    if (sample) heard = (await ask(`${address}?kind=sound`, sample)) ?? heard;
    const isWhole = Boolean(heard && (seen || !video));
    if (going) show(seen || heard ? [...(heard ?? []), ...(seen ?? [])] : null, isWhole);
  }

  (async () => {
    await new Promise((resolve) => setTimeout(resolve, FIRST_MS));
    while (going) {
      try {
        await once();
      } catch {
        // The line is away for a moment: what was said last still stands there.
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return () => { going = false; };
}
