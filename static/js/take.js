// One take on the record page: on its way to the site, played, used or discarded.

import { clock } from "./clock.js";
import { csrfToken, Sending } from "./sending.js";
import { sendShown } from "./slides.js";
import { forget, keep, reader, Source, wholeOf } from "./takes.js";
import { Trim } from "./trim.js";
import { fill, nameAfter, tellOnce, words } from "./words.js";

// As pages of the site write a day: 23 November 2026.
const dates = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

export function nameOf(began, kind) {
  const write = (parts) => new Intl.DateTimeFormat(dates, parts).format(began);
  const day = write({ day: "numeric", month: "long", year: "numeric" }).replace(/^1 /, dates === "fr" ? "1er " : "1 ");
  const when = `${day}, ${write({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`;
  return `${fill(words.recording_name, { when })}.${kind.includes("mp4") ? "mp4" : "webm"}`;
}

// To the first button that is there now: which ones are depends on what the devices do.
export function focusButton(studio) {
  [...studio.querySelectorAll(".booth__buttons button")].find((button) => button.offsetParent)?.focus();
}

// For a header, which has no room for pages of notes: they are sent once the take is used.
function shortOf(answers) {
  const { key_words: _notes, ...others } = JSON.parse(answers || "{}");
  return JSON.stringify(others);
}

// A take as the page shows it, on its way to the site from its first piece on. `answers`: what stands
// beside it now, where it was recorded on this page; else as it was begun.
export class Take {
  constructor(row, { studio, tellNow, leave, answers }) {
    Object.assign(this, { row, studio, tellNow, leave, answers: answers ?? (() => row.answers) });
    this.source = new Source(row);
    this.arrival = new Promise((resolve) => { this.hasArrived = resolve; });
    this.sending = new Sending({
      source: this.source,
      fileReader: reader,
      endpoint: this.studio.dataset.tus,
      url: row.url,
      metadata: {
        filename: row.name, filetype: row.kind, answers: shortOf(row.answers), capture: JSON.stringify(row.capture),
      },
      told: {
        begun: (url) => { row.url = url; keep(row); },
        sent: (bytes) => this.tell(
          words.sending, fill(words.on_its_way, { share: Math.floor((100 * bytes) / Math.max(row.bytes, 1)) }),
        ),
        waits: () => this.tell(words.waits),
        refused: (sentence, status) => this.refuse(sentence, status),
        arrived: (url) => this.arrive(url),
      },
    });
    this.sending.start();
  }

  // How much of it is there changes with each piece: seen, and not read out each time.
  tell(sentence, share = "") {
    Object.assign(this, { said: sentence, share });
    if (!this.shown) { // while somebody speaks: only what went wrong
      this.tellNow?.(share ? "" : sentence);
      return;
    }
    tellOnce(this.shown.querySelector("[data-state]"), sentence);
    this.shown.querySelector("[data-figures]").textContent = share;
  }

  // Signed out, or the site does not take it: it stays here, and can be tried again.
  refuse(sentence, status) {
    this.tell(status === 401 || status === 403 ? words.signed_out : sentence);
    this.wasRefused = true;
    this.letUse(true);
    if (this.shown) this.shown.querySelector("[data-again]").hidden = false;
  }

  async arrive(url) {
    Object.assign(this.row, { url, arrived: true });
    await forget(this.row.id); // the site has all of it: nothing stays on a machine that others use
    this.tell(words.here);
    this.hasArrived(url);
  }

  list() {
    return this.studio.querySelector("[data-takes]");
  }

  async show() {
    const shown = document.getElementById("take-row").content.firstElementChild.cloneNode(true);
    this.shown = shown;
    const player = document.createElement(this.row.kind.startsWith("video") ? "video" : "audio");
    player.controls = player.playsInline = true;
    player.preload = "metadata";
    player.setAttribute("aria-label", this.row.name);
    this.address = URL.createObjectURL(await wholeOf(this.row));
    player.src = this.address;
    shown.querySelector("[data-player]").append(player);
    shown.querySelector("[data-name]").textContent = `${clock(this.row.seconds)} · ${this.row.name.replace(/\.\w+$/, "")}`;
    shown.querySelector("[data-cut]").hidden = !this.row.wasCut;
    this.tellShort(this.row.seconds);
    this.trim = new Trim(shown, player, this.row.seconds, (seconds) => this.tellShort(seconds));
    nameAfter(shown);
    shown.querySelector("[data-use]").addEventListener("click", () => this.use());
    shown.querySelector("[data-discard]").addEventListener("click", () => this.discard());
    shown.querySelector("[data-again]").addEventListener("click", () => this.again());
    this.list().prepend(shown);
    this.studio.querySelector("[data-kept]").hidden = false;
    if (this.row.arrived) this.tell(words.here);
    else this.tell(this.said ?? words.sending, this.share);
    if (this.wasRefused) shown.querySelector("[data-again]").hidden = false;
  }

  // Said before it is used: of the notes for short takes, the one for the least length.
  tellShort(seconds) {
    const notes = [...this.shown.querySelectorAll("[data-short]")];
    const short = notes.find((note) => seconds < Number(note.dataset.short));
    for (const note of notes) note.hidden = note !== short;
  }

  again() {
    this.wasRefused = false;
    this.shown.querySelector("[data-again]").hidden = true;
    this.sending.again();
  }

  letUse(isFree) {
    for (const button of this.list().querySelectorAll("[data-use]")) button.disabled = !isFree;
  }

  // With what is answered beside the recorder: analysed at once, or its page asks for the rest.
  async next(page) {
    const body = new FormData();
    const shown = JSON.parse(this.row.answers || "{}").notes ?? ""; // as it was while it was recorded
    const answers = { ...JSON.parse(this.answers()), notes: shown, ...this.trim.values() };
    for (const [name, value] of Object.entries(answers)) body.set(name, value);
    const headers = { "X-CSRFToken": csrfToken(), Accept: "application/json" };
    try {
      const { next } = await (await fetch(`${page}use/`, { method: "POST", body, headers })).json();
      this.studio.querySelector("[data-talk]")?.dispatchEvent(new CustomEvent("taken", { bubbles: true }));
      return next;
    } catch { // the line broke, or somebody signed out meanwhile
      return page;
    }
  }

  async use() {
    this.letUse(false);
    if (this.wasRefused) this.again();
    this.tell(words.sending);
    if (this.isWanted) return;
    this.isWanted = true;
    const url = await this.arrival;
    const id = new URL(url, location.href).pathname.split("/").filter(Boolean).pop();
    await sendShown(this.row, id);
    this.leave();
    const form = this.studio.querySelector("[data-hand-in]");
    if (form) {
      form.elements.upload.value = id;
      form.elements.csrfmiddlewaretoken.value = csrfToken(); // the page's own is old after another sign-in
      form.submit();
      return;
    }
    const page = this.studio.dataset.page.replace("00000000-0000-0000-0000-000000000000", id);
    location.assign(await this.next(page));
  }

  async discard() {
    await this.sending.drop();
    await forget(this.row.id);
    this.letUse(true);
    URL.revokeObjectURL(this.address);
    this.shown.remove();
    this.studio.querySelector("[data-kept]").hidden = !this.list().children.length;
    focusButton(this.studio);
  }
}
