// What is typed at the desk is kept on the server within two seconds, and on this device until it is there.
// `<form data-autosave="KEY">`: filled in again when the page comes back, also in another browser.

const WAIT = 1000; // milliseconds after the last key
const RETRY = 5000;
const sender = document.getElementById("unsent-sender");
const waiting = new Map(); // key of a form: its timer
const place = (key) => `rostrum.unsent.${location.pathname}.${key}`;

function fieldsOf(form) {
  const fields = Object.fromEntries(new FormData(form));
  for (const name of ["csrfmiddlewaretoken", "seen", "action"]) delete fields[name];
  // What stands there from the beginning was not typed.
  const typed = [...form.elements].some((field) => field.type === "radio" ? field.checked : field.defaultValue !== undefined && field.type !== "hidden" && field.value !== field.defaultValue);
  return typed ? fields : {};
}

function here(key, fields) {
  try {
    if (fields) localStorage.setItem(place(key), JSON.stringify(fields));
    else localStorage.removeItem(place(key));
  } catch {
    // Storage is refused: the server alone keeps it.
  }
}

function send(key) {
  const form = document.querySelector(`form[data-autosave="${key}"]`);
  if (!form) return;
  const fields = fieldsOf(form);
  waiting.set(key, setTimeout(() => send(key), RETRY)); // until the answer says that it has arrived
  window.htmx.ajax("POST", sender.dataset.unsentUrl, {
    source: sender,
    swap: "none",
    values: { form: key, fields: JSON.stringify(fields) },
  });
}

sender?.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful) return;
  const { form: key, fields } = event.detail.requestConfig.parameters;
  const form = document.querySelector(`form[data-autosave="${key}"]`);
  if (form && JSON.stringify(fieldsOf(form)) !== fields) return; // more was typed meanwhile
  forget(key);
});

function forget(key) {
  clearTimeout(waiting.get(key));
  waiting.delete(key);
  here(key, null);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-autosave]");
  if (!form || !sender) return;
  const key = form.dataset.autosave;
  here(key, fieldsOf(form));
  clearTimeout(waiting.get(key));
  waiting.set(key, setTimeout(() => send(key), WAIT));
});

// Sent for good: nothing of it is unsent any more.
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target.closest?.("form[data-autosave]");
  if (form && event.detail.successful && !document.querySelector("#items [data-problem]")) forget(form.dataset.autosave);
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = event.target.closest?.("form[data-autosave]");
  if (form) clearTimeout(waiting.get(form.dataset.autosave));
});

function fill(key, fields) {
  const form = document.querySelector(`form[data-autosave="${key}"]`);
  if (!form) return;
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements[name];
    if (!field) continue;
    if (field instanceof RadioNodeList) field.value = value;
    else if (field.type !== "hidden") field.value = value;
  }
  const details = form.closest("details");
  if (details) details.open = true;
}

function bringBack() {
  for (const { form, fields } of JSON.parse(document.getElementById("unsent")?.textContent ?? "[]")) fill(form, fields);
  for (const form of document.querySelectorAll("form[data-autosave]")) {
    const key = form.dataset.autosave;
    try {
      const kept = JSON.parse(localStorage.getItem(place(key)) ?? "null");
      if (!kept || !Object.keys(kept).length) continue;
      fill(key, kept); // newer than what had reached the server
      waiting.set(key, setTimeout(() => send(key), WAIT));
    } catch {
      // Storage is refused, or holds something else.
    }
  }
}

if (sender) bringBack();
