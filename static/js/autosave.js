// Saves what is typed into a form on the server within two seconds, and on this device until it is there.
// It is restored after a crash, also in another browser, and deleted when the form is accepted.
// This applies to every form that is sent by POST and has a text field. `data-autosave="KEY"` names a form of
// the review page, whose views delete its draft; `data-autosave="off"` turns it off.

const WAIT = 1000; // milliseconds after the last key
const RETRY = 5000;
const PATIENCE = 3000; // a form that is sent waits so long for what of it is on its way
const PREFIX = "rostrum.unsent.";
const WORDS = "textarea, input:not([type]), input[type=text]";
const NEVER = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);
const { draftsUrl, owner, restored: restoredWords, discard: discardWords, address: ownAddress } = document.body.dataset;

// A page that is drawn again with a refused form has the address that the form was sent to, which nobody
// can open: it gets its own address back, and drafts are saved under that.
if (ownAddress && ownAddress !== location.pathname) history.replaceState(history.state, "", ownAddress);
const here = location.pathname;
const waiting = new Map(); // key of a form: its timer
const onItsWay = new Map(); // key of a form: its request that is not answered yet
const place = (key, page = here) => `${PREFIX}${owner}.${page}.${key}`;

const keys = new WeakMap();

function keyOf(form) {
  if (keys.has(form)) return keys.get(form);
  const given = form.dataset.autosave;
  const { pathname, search } = new URL(form.getAttribute("action") || here, location.href);
  const address = pathname + search;
  const same = [...document.forms].filter((each) => each.getAttribute("action") === form.getAttribute("action"));
  const key = given ?? `${address}#${same.indexOf(form)}`;
  keys.set(form, key);
  return key;
}

function isKept(form) {
  if (form.getAttribute("method") !== "post" || form.dataset.autosave === "off") return false;
  if (!draftsUrl) return false;
  return Boolean(form.querySelector(WORDS)) && !form.querySelector("input[type=password]");
}

const formOf = (key) => [...document.forms].find((form) => isKept(form) && keyOf(form) === key);

// Each control with a name of its own: the second "note" of a form is "note#1".
function controls(form) {
  const seen = new Map();
  const found = [];
  for (const field of form.elements) {
    if (!field.name || NEVER.has(field.type) || field instanceof HTMLFieldSetElement) continue;
    const count = seen.get(field.name) ?? 0;
    seen.set(field.name, count + 1);
    found.push([field.type === "radio" || !count ? field.name : `${field.name}#${count}`, field]);
  }
  return found;
}

const isTick = (field) => field.type === "checkbox" || field.type === "radio";

// Of a list that names none, a browser chooses the first: that is nobody's choice.
function hasChosenOther(list) {
  const all = [...list.options];
  if (list.multiple || all.some((each) => each.defaultSelected)) return all.some((each) => each.selected !== each.defaultSelected);
  return list.selectedOptions[0] !== all.find((each) => !each.disabled);
}

function hasChanged(field) {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement) return hasChosenOther(field);
  return field.value !== field.defaultValue;
}

function fieldsOf(form) {
  const fields = {};
  for (const [name, field] of controls(form)) {
    if (!hasChanged(field) || (field.type === "radio" && !field.checked)) continue;
    if (field.type === "checkbox") fields[name] = field.checked ? "on" : "off";
    else fields[name] = field.value;
  }
  return fields;
}

function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(place(key)) ?? "null");
  } catch {
    return null; // storage is refused, or holds something else
  }
}

function store(key, kept) {
  try {
    if (kept) localStorage.setItem(place(key), JSON.stringify(kept));
    else localStorage.removeItem(place(key));
  } catch {
    // Storage is refused: the server alone keeps it.
  }
}

function tell(key, fields) {
  const told = sendTo(key, fields).catch(() => false);
  onItsWay.set(key, told);
  told.then(() => { if (onItsWay.get(key) === told) onItsWay.delete(key); });
  return told;
}

async function sendTo(key, fields) {
  const answer = await fetch(draftsUrl, {
    method: "POST",
    redirect: "manual",
    keepalive: !Object.keys(fields).length, // a discarded draft is deleted although the page is left
    headers: {
      "HX-Request": "true", // so that an expired session is a notice, not a redirect
      "HX-Current-URL": location.href,
      "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "",
    },
    body: new URLSearchParams({ page: here, form: key, fields: JSON.stringify(fields) }),
  });
  for (const [name, detail] of Object.entries(JSON.parse(answer.headers.get("HX-Trigger") ?? "{}"))) {
    if (!document.querySelector(".signed-out")) document.body.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
  return answer.ok;
}

async function send(key) {
  const form = formOf(key);
  if (!form) return;
  const fields = fieldsOf(form);
  waiting.set(key, setTimeout(send, RETRY, key)); // until the answer says that it has arrived
  const has = await tell(key, fields);
  if (!has || JSON.stringify(fieldsOf(form)) !== JSON.stringify(fields)) return; // or more was typed meanwhile
  stop(key);
  store(key, null);
}

function stop(key) {
  clearTimeout(waiting.get(key));
  waiting.delete(key);
}

function forget(key) {
  stop(key);
  store(key, null);
}

// A hidden field names the draft, which the server deletes once it accepts the form.
function name(form, key) {
  if (form.dataset.autosave) return;
  if (!form.elements.draft) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "draft" }));
  form.elements.draft.value = `${here} ${key}`;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form");
  if (!form || !isKept(form)) return;
  const key = keyOf(form);
  name(form, key);
  store(key, { page: here, key, fields: fieldsOf(form) });
  stop(key);
  waiting.set(key, setTimeout(send, WAIT, key));
});

// What comes to the site behind the form itself would be there again, as if it had never been sent: the form
// waits for it, before any other script hears of it.
let held = null;
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.hasAttribute("hx-post") || !isKept(form)) return;
  const told = onItsWay.get(keyOf(form));
  if (!told && form !== held) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form === held) return; // pressed twice
  held = form;
  const key = keyOf(form);
  Promise.race([told, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]).then(() => {
    held = null;
    if (onItsWay.get(key) === told) onItsWay.delete(key); // what was told since is waited for, too
    form.requestSubmit(event.submitter);
  });
}, true);

// Something is about to be shown that says what was typed and not sent (on-its-way.js).
document.addEventListener("tellNow", (event) => {
  for (const [key, timer] of waiting) {
    clearTimeout(timer);
    event.detail.push(send(key));
  }
});

// Sent: what stays here is only looked at again where the server still has it, so did not take it.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!isKept(form)) return;
  const key = keyOf(form);
  const isUntold = waiting.has(key);
  stop(key);
  if (form.hasAttribute("hx-post")) {
    if (onItsWay.has(key)) overtaken.add(form);
    return;
  }
  const kept = stored(key);
  if (kept) store(key, { ...kept, isSent: true });
  setTimeout(() => {
    if (!event.defaultPrevented || form.dataset.sent) return;
    if (kept) store(key, kept); // a script sends it or does not: until it says so, it is being typed
    if (isUntold) send(key);
  });
});
// The desk goes on meanwhile; what may have come behind a form is told as it is now, once that was taken.
const overtaken = new WeakSet();
async function tellOnce(key) {
  await onItsWay.get(key);
  const form = formOf(key);
  if (!waiting.has(key)) tell(key, form ? fieldsOf(form) : {});
}

// What a script sent was taken.
document.addEventListener("taken", (event) => {
  if (!isKept(event.target)) return;
  const key = keyOf(event.target);
  forget(key);
  tell(key, {});
});
document.addEventListener("htmx:afterRequest", (event) => {
  // The answer may have replaced the form that asked. What only looks at what is typed does not take it.
  const { elt: asked, verb } = event.detail.requestConfig ?? {};
  const form = asked?.matches("form, button") ? asked.closest("form") : null;
  if (!form || !isKept(form) || !event.detail.successful || verb !== "post") return;
  if (document.querySelector("#items [data-problem], #notes [data-problem]")) return;
  forget(keyOf(form));
  if (overtaken.delete(form)) tellOnce(keyOf(form));
});

// Signing out leaves nothing on this device, once it goes out (app.js has asked); nor does somebody else who signs in.
function clear(isToGo) {
  try {
    for (const each of Object.keys(localStorage)) if (each.startsWith(PREFIX) && isToGo(each)) localStorage.removeItem(each);
  } catch {
    // Storage is refused: there is nothing.
  }
}
window.addEventListener("submit", (event) => {
  if ("signOut" in event.target.dataset && !event.defaultPrevented) clear(() => true);
});
if (draftsUrl) clear((each) => !each.startsWith(`${PREFIX}${owner}.`));

function fill(form, fields) {
  let isFilled = false;
  for (const [own, field] of controls(form)) {
    if (!(own in fields) || hasChanged(field)) continue; // typed already
    if (field.type === "radio") field.checked = field.value === fields[own];
    else if (field.type === "checkbox") field.checked = fields[own] === "on";
    else field.value = fields[own];
    isFilled ||= hasChanged(field);
  }
  name(form, keyOf(form)); // also one that was refused, and is drawn as it was sent
  if (!isFilled) return;
  for (let fold = form.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  if (!form.dataset.autosave) say(form);
}

function say(form) {
  form.querySelector(".restored")?.remove();
  const line = Object.assign(document.createElement("p"), { className: "restored" });
  line.setAttribute("role", "status");
  const away = Object.assign(document.createElement("button"), { className: "quiet", type: "button", textContent: discardWords });
  away.addEventListener("click", () => {
    const key = keyOf(form);
    form.reset();
    forget(key);
    tell(key, {});
    line.remove();
    form.querySelector(WORDS)?.focus();
  });
  line.append(restoredWords, " ", away);
  form.prepend(line);
}

async function draftsOf(page) {
  const answer = await fetch(`${draftsUrl}?${new URLSearchParams({ page })}`, { redirect: "manual" });
  return answer.ok ? (await answer.json()).forms : [];
}

async function restore() {
  const forms = [...document.forms].filter(isKept);
  if (!forms.length) return;
  const ofPage = await draftsOf(here).catch(() => null);
  const onServer = new Map((ofPage ?? []).map(({ form, fields }) => [form, fields]));
  for (const form of forms) {
    const key = keyOf(form);
    const kept = stored(key);
    if (kept?.isSent && ofPage && !onServer.has(key)) continue; // taken
    if (kept?.fields && Object.keys(kept.fields).length) {
      fill(form, kept.fields); // newer than what had reached the server
      if (hasWords(form)) waiting.set(key, setTimeout(send, WAIT, key));
    } else if (onServer.has(key)) fill(form, onServer.get(key));
  }
}

const hasWords = (form) => Object.keys(fieldsOf(form)).length > 0;

// What was sent from any page and is not on the server any more was accepted: it is removed from this device.
async function removeAccepted() {
  const sent = [];
  try {
    for (const each of Object.keys(localStorage)) {
      if (each.startsWith(PREFIX)) sent.push(JSON.parse(localStorage.getItem(each)));
    }
  } catch {
    return; // storage is refused
  }
  for (const { page, key, isSent } of sent) {
    if (!isSent) continue;
    const left = await draftsOf(page).catch(() => null);
    if (left && !left.some(({ form }) => form === key)) localStorage.removeItem(place(key, page));
  }
}

if (draftsUrl) restore().then(removeAccepted);
