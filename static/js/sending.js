// Sends bytes in pieces that survive a broken line, a restart of the site, or of this page (tus).

import { fill, size, timeLeft, words } from "./words.js";

const PIECE_BYTES = 16 * 2 ** 20; // between two pieces others get their turn at the site
const RETRY_MS = [0, 1000, 2000, 5000, ...new Array(200).fill(10_000)]; // half an hour without a line
const AGAIN = new Set([0, 409, 423]);
const GONE = new Set([404, 410]);
const SIGNED_OUT = 401;

// The newest one: signing in again in another tab makes a new one.
export function csrfToken() {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length)
    ?? document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

// Asked how far an upload came, the client takes every refusal for an upload that is gone, and begins
// another one at the first byte. Only the site says that it is gone; else its address is kept.
class NotNow extends Error {
  constructor(response) {
    super(`asked how far it came, the site answered ${response.getStatus()}`);
    this.response = response;
  }
}

function keepAddress(request, response) {
  const status = response.getStatus();
  if (request.getMethod() === "HEAD" && status >= 300 && !GONE.has(status)) throw new NotNow(response);
}

const answerTo = (error) => error.originalResponse ?? error.causingError?.response;
const statusOf = (error) => answerTo(error)?.getStatus() ?? 0;

function sentenceOf(error) {
  if (statusOf(error) === SIGNED_OUT) return words.signed_out; // also where the answer has no body
  try {
    return JSON.parse(answerTo(error).getBody()).message || words.refused;
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
      onAfterResponse: keepAddress,
      onUploadUrlAvailable: () => told.begun?.(this.upload.url),
      onProgress: (sent, total) => told.sent?.(sent, total),
      onShouldRetry: (error) => {
        const again = AGAIN.has(statusOf(error)) || statusOf(error) >= 500;
        if (again) told.waits?.();
        return again && statusOf(error) !== 507;
      },
      onError: (error) => {
        this.going = statusOf(error) === 0; // a line that comes back is gone on with, a refusal is not
        told.refused?.(sentenceOf(error), statusOf(error));
      },
      onSuccess: () => {
        this.going = false;
        told.arrived?.(this.upload.url);
      },
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
