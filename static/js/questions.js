// Questions after a talk: a question read out by a voice of this device, moments of an answer to play.

const button = document.querySelector("[data-read-aloud]");
const WAIT_MS = 2000; // browsers list their voices a moment after the page (rule of thumb)

// A voice that is not local sends the words to its maker: never offered.
function localVoice() {
  const wanted = button.dataset.language;
  return speechSynthesis.getVoices().find((voice) => voice.localService && voice.lang.toLowerCase().startsWith(wanted));
}

function offer() {
  const isAble = Boolean(localVoice());
  button.hidden = !isAble;
  if (isAble) document.querySelector("[data-no-voice]").hidden = true;
  return isAble;
}

function readAloud() {
  if (speechSynthesis.speaking) {
    speechSynthesis.cancel();
    return;
  }
  const spoken = new SpeechSynthesisUtterance(document.querySelector("[data-question]").textContent);
  spoken.voice = localVoice();
  spoken.lang = spoken.voice.lang;
  speechSynthesis.speak(spoken);
}

function refuse() {
  if (!("speechSynthesis" in window) || !offer()) document.querySelector("[data-no-voice]").hidden = false;
}

if (button) {
  if ("speechSynthesis" in window) {
    offer();
    speechSynthesis.addEventListener("voiceschanged", offer);
    button.addEventListener("click", readAloud);
    window.addEventListener("pagehide", () => speechSynthesis.cancel());
    setTimeout(refuse, WAIT_MS);
  } else refuse();
}

// ---- moments of an answer

let stopAt = () => {};

function release(answer) {
  for (const chip of answer.querySelectorAll("[data-clip][aria-pressed=true]")) chip.setAttribute("aria-pressed", "false");
}

function playClip(chip) {
  const answer = chip.closest("[data-answer]");
  const media = answer?.querySelector("[data-answer-media]");
  if (!media) return;
  stopAt();
  const wasPressed = chip.getAttribute("aria-pressed") === "true";
  release(answer);
  if (wasPressed) {
    media.pause();
    return;
  }
  const { start, end } = chip.dataset;
  const loop = () => { if (media.currentTime >= Number(end)) media.currentTime = Number(start); };
  const leave = () => {
    media.removeEventListener("timeupdate", loop);
    release(answer);
  };
  stopAt = () => {
    leave();
    media.pause();
  };
  chip.setAttribute("aria-pressed", "true");
  media.currentTime = Number(start);
  media.addEventListener("timeupdate", loop);
  media.addEventListener("pause", leave, { once: true });
  media.play().catch(leave);
}

document.addEventListener("click", (event) => {
  const chip = event.target.closest?.("[data-clip]");
  if (chip) playClip(chip);
});
