// Ten seconds of the microphone: its level, what the check says, and the recording to hear. It stays in the browser.

import { check } from "./checking.js";
import { Microphone } from "./microphone.js";

const SECONDS = 10;
const LATEST_FINDINGS_MS = 30_000; // after the recording: the check may have to start first
const room = document.querySelector("[data-ten]");
const part = (name) => room.querySelector(`[data-${name}]`);
const button = part("begin-ten");

let stopChecking = () => {};

function show(findings) {
  part("findings").replaceChildren(...(findings ?? []).map((finding) => {
    const row = document.createElement("li");
    row.dataset.finding = finding.state;
    row.textContent = finding.words;
    return row;
  }));
}

async function listen(stream) {
  const microphone = new Microphone();
  await microphone.open(stream, room.dataset.listener);
  let isRecording = true;
  stopChecking();
  stopChecking = check({
    address: room.dataset.look,
    microphone,
    show: (findings) => {
      if (findings) show(findings);
      if (findings && !isRecording) stopChecking();
    },
  });
  const recorder = new MediaRecorder(stream);
  const pieces = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.start();
  const end = performance.now() + SECONDS * 1000;
  await new Promise((resolve) => {
    const ticking = setInterval(() => {
      const left = end - performance.now();
      part("level").value = microphone.level();
      part("left").textContent = `${Math.max(0, Math.ceil(left / 1000))} s`;
      if (left > 0 && stream.active) return;
      clearInterval(ticking);
      resolve();
    }, 100);
  });
  isRecording = false;
  if (part("findings").childElementCount) stopChecking();
  else setTimeout(stopChecking, LATEST_FINDINGS_MS);
  await new Promise((resolve) => {
    recorder.onstop = resolve;
    if (recorder.state === "inactive") resolve();
    else recorder.stop();
  });
  microphone.close();
  return new Blob(pieces, { type: recorder.mimeType });
}

async function begin() {
  button.disabled = true;
  part("said").textContent = "";
  part("played").hidden = true;
  show(null);
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    part("meter").hidden = false;
    const sound = await listen(stream);
    URL.revokeObjectURL(part("played").src);
    part("played").src = URL.createObjectURL(sound);
    part("played").hidden = false;
    part("said").textContent = part("said").dataset.done;
  } catch {
    part("said").textContent = part("said").dataset.refused;
  }
  for (const track of stream?.getTracks() ?? []) track.stop();
  part("meter").hidden = true;
  part("left").textContent = "";
  button.textContent = button.dataset.again;
  button.disabled = false;
}

if (navigator.mediaDevices && window.MediaRecorder && window.AudioWorkletNode) {
  button.hidden = false;
  button.addEventListener("click", begin);
}
