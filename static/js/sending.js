// Sends bytes in pieces that survive a broken line, a restart of the site, or of this page (tus).

import { fill, size, timeLeft, words } from "./words.js";

const PIECE_BYTES = 16 * 2 ** 20; // between two pieces others get their turn at the site
const RETRY_MS = [0, 1000, 2000, 5000, ...new Array(200).fill(10_000)]; // half an hour without a line
const AGAIN = new Set([0, 409, 423]);
const SIGNED_OUT = new Set([401, 403]);

// The newest one: signing in again in another tab makes a new one.
export function csrfToken() {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length)
    ?? document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

function statusOf(error) {
  return error.originalResponse?.getStatus() ?? 0;
}

function sentenceOf(error) {
  try {
    return JSON.parse(error.originalResponse.getBody()).message || words.refused;
  } catch {
    return words.refused;
  }
}

// `told` hears: sent(bytes, total), waits(), arrived(url), refused(sentence, status), begun(url).
export class Sending {
  constructor({ source, endpoint, url, metadata, fileReader, told }) {
    this.upload = new globalThis.tus.Upload(source, {
      endpoint,
      uploadUrl: url || null,
      metadata,
      ...(fileReader ? { fileReader, uploadLengthDeferred: true } : {}),
      chunkSize: PIECE_BYTES,
      retryDelays: RETRY_MS,
      storeFingerprintForResuming: false, // the site knows what is unfinished, on any machine
      headers: { Accept: "application/json" },
      onBeforeRequest: (request) => request.setHeader("X-CSRFToken", csrfToken()),
      onUploadUrlAvailable: () => {
        this.begun = this.upload.url;
        told.begun?.(this.upload.url);
      },
      onProgress: (sent, total) => told.sent?.(sent, total),
      onShouldRetry: (error) => {
        const again = AGAIN.has(statusOf(error)) || statusOf(error) >= 500;
        if (again) told.waits?.();
        return again && statusOf(error) !== 507;
      },
      onError: (error) => {
        // Asked where it stands, the client takes any refusal for an upload that is gone, and begins anew.
        if (SIGNED_OUT.has(statusOf(error)) && this.begun) this.upload.url = this.begun;
        told.refused?.(sentenceOf(error), statusOf(error));
      },
      onSuccess: () => told.arrived?.(this.upload.url),
    });
    window.addEventListener("online", () => { if (this.going) this.again(); });
  }

  start() {
    this.going = true;
    this.upload.start();
  }

  // Asks how far it came, and goes on there; not only when the next try would be due.
  again() {
    this.pause().then(() => this.start());
  }

  pause() {
    this.going = false;
    return this.upload.abort();
  }

  // What arrived is removed from the site as well.
  drop() {
    this.going = false;
    return this.upload.abort(true).catch(() => {});
  }
}

// "12.0 MB of 40.5 MB · 1.1 MB a second · about 25 seconds left", from what one page saw itself.
export function speedometer() {
  let began = 0;
  let first = 0;
  return (sent, total) => {
    if (!began || sent < first) [began, first] = [performance.now(), sent];
    const speed = (sent - first) / Math.max((performance.now() - began) / 1000, 0.1);
    return [
      total ? fill(words.sent, { sent: size(sent), total: size(total) }) : size(sent),
      speed > 0 ? fill(words.speed, { speed: size(speed) }) : "",
      total && sent < total && speed > 0 ? timeLeft((total - sent) / speed) : "",
    ].filter(Boolean).join(" · ");
  };
}
