// Sending recordings: limits checked before the first byte, progress, pause; left and come back to.
// Without this module the same form is an ordinary upload.

import { csrfToken, Sending, speedometer } from "./sending.js";
import { hasSound, lengthOf } from "./tracks.js";
import { fill, nameAfter, size, tellOnce, words } from "./words.js";

const HEAD_BYTES = 64 * 1024; // enough for the site to tell what kind of file it is
const NO_ANSWERS = new Set(["draft", "csrfmiddlewaretoken", "token", "recording"]);

const form = document.querySelector("form[data-upload]");
const unfinished = JSON.parse(document.getElementById("unfinished")?.textContent ?? "[]");

// Why the site would not take this file now; empty where it would, or where it cannot be asked.
async function objection(file) {
  try {
    const answer = await fetch(`${form.dataset.check}?bytes=${file.size}`, {
      method: "POST",
      body: file.slice(0, HEAD_BYTES),
      headers: {
        Accept: "application/json",
        "Content-Type": "application/octet-stream",
        "X-CSRFToken": csrfToken(),
      },
    });
    return (await answer.json()).message ?? "";
  } catch {
    return "";
  }
}

function tooLarge(file) {
  const most = Number(form.dataset.maxBytes);
  return most && file.size > most ? fill(words.large, { size: size(file.size), most: size(most) }) : "";
}

async function tooLong(file) {
  const most = Number(form.dataset.maxMinutes) * 60;
  const seconds = most ? await lengthOf(file) : undefined;
  if (seconds === undefined || seconds <= most) return "";
  return fill(words.long, { length: Math.round(seconds / 60), most: Math.round(most / 60) });
}

// What a short recording can and cannot say, before it is sent; empty where it is long enough, or of unknown length.
async function shortWords(file) {
  const seconds = (await lengthOf(file)) ?? Number.POSITIVE_INFINITY;
  if (seconds < 60) return words.short_60;
  return seconds < 90 ? words.short_90 : "";
}

function answers() {
  const given = [...new FormData(form)].filter(([name, value]) => !NO_ANSWERS.has(name) && typeof value === "string");
  return JSON.stringify(Object.fromEntries(given));
}

// A form that is filled in once makes one take, however often it is sent.
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// As the site keeps it: without marks that turn round what stands next to a name (`direction.py`).
const nameOf = (file) => file.name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");

const isSame = (file) => (other) =>
  other.name === nameOf(file) && other.size === file.size && Number(other.modified) === file.lastModified;

// One file on its way, with its row on the page.
class Entry {
  constructor(file, changed) {
    this.file = file;
    this.token = newToken();
    this.changed = changed;
    this.refusal = "";
    this.url = unfinished.find(isSame(file))?.url ?? "";
    this.row = document.getElementById("file-row").content.firstElementChild.cloneNode(true);
    const name = Object.assign(document.createElement("bdi"), { textContent: nameOf(file) });
    this.row.querySelector("[data-name]").append(name, ` · ${size(file.size)}`);
    this.bar = this.row.querySelector("progress");
    this.bar.setAttribute("aria-label", nameOf(file));
    this.pauseButton = this.row.querySelector("[data-pause]");
    this.pauseButton.addEventListener("click", () => (this.sending?.going ? this.pause() : this.goOn()));
    this.row.querySelector("[data-remove]").addEventListener("click", () => this.remove());
    nameAfter(this.row);
  }

  // Figures change many times a second: they stand beside what is read out, and are no part of it.
  say(sentence, tone = "", figures = "") {
    tellOnce(this.row.querySelector("[data-state]"), sentence);
    this.row.querySelector("[data-figures]").textContent = figures;
    this.row.dataset.tone = tone;
  }

  refuse(sentence) {
    this.refusal = sentence;
    this.say(sentence, sentence ? "refused" : "");
  }

  async check() {
    this.refuse(this.file.size ? tooLarge(this.file) : words.empty);
    if (this.refusal) return;
    this.refuse(await objection(this.file));
    if (this.refusal) return;
    this.refuse(await tooLong(this.file));
    if (this.refusal) return;
    const before = unfinished.find(isSame(this.file));
    if (before) this.say(fill(words.part_here, { size: size(before.received) }));
    else if ((await hasSound(this.file)) === false) this.say(words.silent, "attention");
    else this.say(await shortWords(this.file));
  }

  // Ends once everything is here; what cannot go on by itself says why and ends it as well.
  send() {
    if (this.arrived) return Promise.resolve(true);
    this.figures = speedometer();
    return new Promise((resolve) => {
      this.end = resolve;
      // The same one each time the button is pressed: it knows the address of what has arrived.
      this.sending ??= new Sending({
        source: this.file,
        endpoint: form.dataset.tus,
        url: this.url,
        metadata: {
          filename: nameOf(this.file), filetype: this.file.type,
          modified: String(this.file.lastModified),
          get answers() { return answers(); }, // as they stand when an upload begins
        },
        told: {
          begun: (url) => { this.url = url; },
          sent: (bytes, total) => {
            this.bar.max = total;
            this.bar.value = bytes;
            this.say(words.sending, "", this.figures(bytes, total));
          },
          waits: () => this.say(words.waits, "attention"),
          refused: (sentence) => {
            this.bar.hidden = this.pauseButton.hidden = true;
            this.say(sentence, "refused");
            this.end(false);
          },
          arrived: (url) => {
            this.url = url;
            this.arrived = true;
            this.pauseButton.hidden = true;
            this.say(words.arrived);
            this.end(true);
          },
        },
      });
      this.bar.hidden = this.pauseButton.hidden = false;
      this.goOn();
    });
  }

  goOn() {
    this.say(words.sending);
    this.pauseButton.textContent = words.pause;
    this.sending.again();
  }

  pause() {
    this.sending.pause();
    this.pauseButton.textContent = words.go_on;
    this.say(words.paused);
  }

  remove() {
    this.sending?.drop();
    this.row.remove();
    this.end?.(false);
    this.changed(this);
    if (document.activeElement === document.body) form.querySelector("input[type=file]").focus();
  }

  // The form's answers make a take of what arrived: the page to go to, or what is to be mended.
  // Once the last one is taken the site forgets what was begun: the others still need the answers.
  async handIn(isLast) {
    const body = new FormData(form);
    body.delete("recording");
    if (!isLast) body.delete("draft");
    body.set("token", this.token);
    body.set("csrfmiddlewaretoken", csrfToken()); // the page's own is old after another sign-in
    const id = new URL(this.url, location.href).pathname.split("/").filter(Boolean).pop();
    const answer = await fetch(form.dataset.page.replace("00000000-0000-0000-0000-000000000000", id), {
      method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
    });
    return answer.redirected ? { message: words.signed_out } : answer.json();
  }
}

function connect() {
  const input = form.querySelector("input[type=file]");
  const drop = form.querySelector("[data-drop]");
  const list = form.querySelector("[data-files]");
  const problem = form.querySelector("[data-problem]");
  const button = form.querySelector("button[type=submit]");
  let entries = [];
  let busy = false;

  input.required = false; // the list below the field is what counts
  const isSingle = "single" in form.dataset;
  input.multiple = !isSingle;

  const complain = (sentence) => {
    problem.textContent = sentence;
    problem.hidden = !sentence;
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };

  // A field is described by its help, and by what is to be mended as long as that stands there.
  const describe = (field, id, isThere) => {
    const ids = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each && each !== id);
    if (isThere) ids.push(id);
    field.setAttribute("aria-describedby", ids.join(" "));
  };
  for (const id of ["limits", problem.id]) describe(input, id, true);

  function add(files) {
    if (isSingle && files.length) for (const entry of [...entries]) entry.remove();
    for (const file of isSingle ? [...files].slice(0, 1) : files) {
      const twin = { name: nameOf(file), size: file.size, modified: file.lastModified };
      if (entries.some((entry) => isSame(entry.file)(twin))) continue;
      const entry = new Entry(file, (gone) => { entries = entries.filter((each) => each !== gone); });
      entries.push(entry);
      list.append(entry.row);
      entry.checked = entry.check();
    }
    list.hidden = !entries.length;
    complain("");
  }

  function showErrors(answer) {
    for (const old of form.querySelectorAll("ul.errorlist")) {
      const field = document.getElementById(old.id.replace(/_error$/, ""));
      field?.removeAttribute("aria-invalid");
      if (field) describe(field, old.id, false);
      old.remove();
    }
    const left = [];
    for (const [name, sentences] of Object.entries(answer.errors ?? {})) {
      const field = name === "recording" ? null : form.elements[name];
      if (!field?.insertAdjacentElement) {
        left.push(...sentences);
        continue;
      }
      const errors = document.createElement("ul");
      errors.className = "errorlist";
      errors.id = `${field.id}_error`;
      errors.append(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
      field.insertAdjacentElement("beforebegin", errors);
      field.setAttribute("aria-invalid", "true");
      describe(field, errors.id, true);
      const fold = field.closest("details"); // nobody comes to a field that is folded away
      if (fold) fold.open = true;
    }
    complain([...left, left.length ? "" : answer.message].filter(Boolean).join(" ") || words.refused);
    (form.querySelector("[aria-invalid=true]:not([type=file])") ?? form.querySelector("[aria-invalid=true]") ?? button).focus();
  }

  // One after the other; where something is in the way it stops there, and what arrived stays.
  async function sendAll() {
    let next = "";
    for (const entry of [...entries]) {
      if (!(await entry.send())) {
        if (entries.includes(entry)) return;
        continue;
      }
      let answer = {};
      try {
        answer = await entry.handIn(entries.length === 1);
      } catch {
        complain(words.broken);
        return;
      }
      if (!answer.next) {
        showErrors(answer);
        return;
      }
      next = next ? form.dataset.home : answer.next;
      entries = entries.filter((each) => each !== entry);
      entry.say(words.handed_in);
    }
    if (!next) return;
    form.dispatchEvent(new CustomEvent("taken", { bubbles: true }));
    location.assign(next);
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    button.setAttribute("aria-disabled", "true"); // and not `disabled`: who pressed it keeps the place
    complain("");
    await Promise.all(entries.map((entry) => entry.checked));
    for (const entry of entries) {
      // What was in the way may have passed; what is now in the way is said before a byte is sent.
      if (!entry.arrived && !entry.url) await entry.check();
    }
    const refused = entries.find((entry) => entry.refusal);
    if (!entries.length) complain(words.missing);
    else if (!refused) await sendAll();
    busy = false;
    button.removeAttribute("aria-disabled");
    // Why a file is refused stands in its row, and is said there once: the way on is to take it out.
    if (refused) refused.row.querySelector("[data-remove]").focus();
    else if (!problem.hidden && !form.querySelector("ul.errorlist[id]")) input.focus();
  });

  input.addEventListener("change", () => {
    add(input.files);
    input.value = ""; // choosing the same file again is heard as well
  });
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.dataset.over = ""; });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => { delete drop.dataset.over; });
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) add(event.dataTransfer.files);
  });
  if (input.files.length) add(input.files); // kept by the browser over a reload
}

if (form) connect();
