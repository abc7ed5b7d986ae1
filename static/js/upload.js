// Sending a recording: limits checked before the first byte, progress, speed, time left, cancel.
// Without this module the same form is an ordinary upload.

const HEAD_BYTES = 64 * 1024; // enough for the site to tell what kind of file it is

const form = document.querySelector("form[data-upload]");
const words = JSON.parse(document.getElementById("upload-words")?.textContent ?? "{}");

function fill(sentence, values) {
  return (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// 2.5 or 2,5, as the page's language writes it.
const tenths = new Intl.NumberFormat(document.documentElement.lang || "en", {
  minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false,
});

// In steps of 1024, as the server says its limit and what arrived.
function size(bytes) {
  const [kilo, mega, giga] = [2 ** 10, 2 ** 20, 2 ** 30];
  if (bytes < mega) return fill(words.kilo, { n: Math.ceil(bytes / kilo) });
  if (bytes < giga) return fill(words.mega, { n: tenths.format(bytes / mega) });
  return fill(words.giga, { n: tenths.format(bytes / giga) });
}

function timeLeft(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 50) return fill(words.seconds_left, { n: Math.max(5, Math.ceil(seconds / 5) * 5) });
  return fill(words.minutes_left, { n: Math.ceil(seconds / 60) });
}

// Length in seconds as far as this browser can tell; undefined where it cannot read the file.
function lengthOf(file) {
  return new Promise((resolve) => {
    const probe = document.createElement("video");
    const url = URL.createObjectURL(file);
    const finish = (seconds) => {
      URL.revokeObjectURL(url);
      resolve(Number.isFinite(seconds) ? seconds : undefined);
    };
    probe.preload = "metadata";
    probe.onloadedmetadata = () => finish(probe.duration);
    probe.onerror = () => finish(undefined);
    setTimeout(() => finish(undefined), 4000);
    probe.src = url;
  });
}

// Why the site would not take this file now; empty where it would, or where it cannot be asked.
async function objection(file) {
  try {
    const answer = await fetch(`${form.dataset.check}?bytes=${file.size}`, {
      method: "POST",
      body: file.slice(0, HEAD_BYTES),
      headers: {
        Accept: "application/json",
        "Content-Type": "application/octet-stream",
        "X-CSRFToken": form.elements.csrfmiddlewaretoken?.value ?? "",
      },
    });
    return (await answer.json()).message ?? "";
  } catch {
    return "";
  }
}

function connect() {
  const input = form.querySelector("input[type=file]");
  const drop = form.querySelector("[data-drop]");
  const chosen = form.querySelector("[data-chosen]");
  const problem = form.querySelector("[data-problem]");
  const panel = form.querySelector("[data-sending]");
  const bar = panel.querySelector("progress");
  const figures = panel.querySelector("[data-figures]");
  const status = panel.querySelector("[data-status]");
  const button = form.querySelector("button[type=submit]");
  let request = null;
  let checked = 0;
  let asking = false;
  let refused = false; // this file breaks a limit: it is not sent

  const complain = (sentence) => {
    problem.textContent = sentence;
    problem.hidden = !sentence;
    input.toggleAttribute("aria-invalid", Boolean(sentence));
    if (sentence) input.setAttribute("aria-invalid", "true");
  };

  const tooLarge = (file) => {
    const most = Number(form.dataset.maxBytes);
    return most && file.size > most ? fill(words.large, { size: size(file.size), most: size(most) }) : "";
  };

  async function check() {
    const file = input.files[0];
    const turn = ++checked;
    form.elements.expected_bytes.value = file ? file.size : "";
    chosen.textContent = file ? `${file.name} · ${size(file.size)}` : "";
    const refuse = (sentence) => {
      refused = Boolean(sentence);
      complain(sentence);
    };
    refuse(file && !file.size ? words.empty : "");
    if (!file || refused) return;
    refuse(tooLarge(file));
    if (refused) return;
    const why = await objection(file);
    if (turn !== checked) return;
    complain(why); // asked again before it is sent: what is in the way may have passed
    if (why) return;
    const most = Number(form.dataset.maxMinutes) * 60;
    const seconds = most ? await lengthOf(file) : undefined;
    if (turn !== checked || seconds === undefined || seconds <= most) return;
    refuse(fill(words.long, { length: Math.round(seconds / 60), most: Math.round(most / 60) }));
  }

  function leaving(event) {
    event.preventDefault();
  }

  function rest() {
    window.removeEventListener("beforeunload", leaving);
    request = null;
    panel.hidden = true;
    button.disabled = false;
    button.hidden = false;
  }

  function showErrors(answer) {
    for (const old of form.querySelectorAll("ul.errorlist")) old.remove();
    const left = [];
    for (const [name, sentences] of Object.entries(answer.errors ?? {})) {
      const field = name === "recording" ? null : form.elements[name];
      if (!field?.insertAdjacentElement) {
        left.push(...sentences);
        continue;
      }
      const list = document.createElement("ul");
      list.className = "errorlist";
      list.id = `${field.id}_error`;
      list.append(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
      field.insertAdjacentElement("beforebegin", list);
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", list.id);
    }
    complain([...left, left.length ? "" : answer.message].filter(Boolean).join(" ") || words.refused);
    (form.querySelector("[aria-invalid=true]") ?? button).focus();
  }

  function answered() {
    let answer = {};
    try {
      answer = JSON.parse(request.responseText);
    } catch {
      // Not ours: a proxy or an error page. Said below.
    }
    const { status: code, responseURL } = request;
    rest();
    // Not JSON, but another page: the server sent us on, for example to an upload that stopped midway.
    if (!answer.next && code === 200 && responseURL && responseURL !== location.href) answer.next = responseURL;
    if (answer.next) location.assign(answer.next);
    else if (answer.errors || answer.message) showErrors(answer);
    else complain(code === 413 ? words.refused_size : words.refused);
  }

  function send() {
    const began = performance.now();
    request = new XMLHttpRequest();
    request.open("POST", form.action || location.href);
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = ({ loaded, total }) => {
      const speed = loaded / Math.max((performance.now() - began) / 1000, 0.1);
      bar.max = total;
      bar.value = loaded;
      figures.textContent = [
        fill(words.sent, { sent: size(loaded), total: size(total) }),
        fill(words.speed, { speed: size(speed) }),
        loaded < total ? timeLeft((total - loaded) / speed) : "",
      ].filter(Boolean).join(" · ");
    };
    request.upload.onload = () => { status.textContent = words.arrived; };
    request.onload = answered;
    request.onerror = () => { rest(); complain(words.broken); };
    request.onabort = () => { rest(); complain(words.cancelled); };
    complain("");
    status.textContent = words.sending;
    figures.textContent = "";
    bar.removeAttribute("value");
    panel.hidden = false;
    button.disabled = true;
    button.hidden = true;
    window.addEventListener("beforeunload", leaving);
    request.send(new FormData(form));
    panel.querySelector("[data-cancel]").focus();
  }

  input.addEventListener("change", check);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = input.files[0];
    if (request || asking) return;
    if (!file) complain(words.missing);
    else if (!refused) {
      asking = true;
      const why = await objection(file); // what held when it was chosen may have changed
      asking = false;
      if (file !== input.files[0] || refused) return;
      complain(why);
      if (!why) {
        send();
        return;
      }
    }
    input.focus();
  });
  panel.querySelector("[data-cancel]").addEventListener("click", () => request?.abort());

  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.dataset.over = ""; });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => { delete drop.dataset.over; });
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    check();
  });
  if (input.files.length) check(); // kept by the browser over a reload
}

if (form) connect();
