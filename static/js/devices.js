// Which camera and microphone: what is asked for, which there are, why none could be turned on.

import { fill, words } from "./words.js";

const BROWSER = "gaze-browser";
const RAW = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export function wanted(part, withPicture) {
  const chosen = (select) => (select.value ? { deviceId: { exact: select.value } } : {});
  const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 }, facingMode: "user" };
  return {
    audio: { ...RAW, ...chosen(part("microphones")) },
    video: withPicture ? { ...picture, ...chosen(part("cameras")) } : false,
  };
}

export async function fillDevices(stream, part, withPicture) {
  const devices = await navigator.mediaDevices.enumerateDevices();
  for (const [name, kind, unnamed] of [["cameras", "videoinput", words.camera], ["microphones", "audioinput", words.microphone]]) {
    const select = part(name);
    const found = devices.filter((device) => device.kind === kind && device.deviceId);
    const inUse = stream.getTracks().find((track) => `${track.kind}input` === kind)?.getSettings().deviceId;
    select.replaceChildren(...found.map((device, index) => new Option(device.label || `${unnamed} ${index + 1}`, device.deviceId)));
    if (inUse) select.value = inUse;
    select.closest("[data-device]").hidden = !found.length || (kind === "videoinput" && !withPicture);
  }
}

export function reason(error) {
  if (error.name === "NotAllowedError") return words.not_allowed;
  if (error.name === "NotFoundError" || error.name === "OverconstrainedError") return words.not_found;
  return error.name === "NotReadableError" ? words.in_use : fill(words.no_device, { why: error.message });
}

// This camera in this browser, for a calibration: browsers change their own id of a camera as they like.
export function markOf(stream, { isKept = false } = {}) {
  let browser = "";
  try {
    browser = localStorage.getItem(BROWSER) ?? (isKept ? Math.random().toString(36).slice(2, 10) : "");
    if (isKept) localStorage.setItem(BROWSER, browser);
  } catch {
    // A browser that lets nothing be kept: the name of the camera has to do.
  }
  return `${browser} ${stream.getVideoTracks()[0].label}`.slice(0, 120);
}
