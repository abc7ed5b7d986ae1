// What every page has: menus that close, forms that are sent once, tables that sort, quiet progress news.

import { secondsOf } from "./clock.js";
import { sayWhatCame } from "./say.js";
import "./zone.js";

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.open = false;
  }
}

// On a press already, and when the focus goes elsewhere: some things keep their clicks to themselves.
for (const name of ["pointerdown", "click", "focusin"]) {
  document.addEventListener(name, (event) => closeMenus(event.target.closest("details[data-menu]")), true);
}

// A double click on a button that opens something opens it, and does not close it again.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("summary.button")) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A second press of the same button sends nothing. Forms that htmx or upload.js send look after themselves.
// How a form sends is asked by attribute: where a field is called "method", the property of that name is the field.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || form.hasAttribute("hx-post")) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  if ((!navigator.onLine || "signOut" in form.dataset) && !form.dataset.reached) {
    event.preventDefault();
    sendIfReached(form, event.submitter);
    return;
  }
  form.dataset.sent = "1";
  for (const button of form.querySelectorAll("button[type=submit]")) button.setAttribute("aria-disabled", "true");
});

// A browser that says it has no line would put its own page in the place of this one, and of what was typed. The
// site is asked first: it may be on this very machine. Signing out, which takes what was typed off this machine,
// always asks: one that says it has a line knows of its network alone.
function sendIfReached(form, submitter) {
  fetch("/alive/", { cache: "no-store" }).then(() => {
    form.dataset.reached = "1";
    form.requestSubmit(submitter);
    delete form.dataset.reached;
  }, tellLost);
}

// Coming back with the Back button: forms may be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled=true]")) button.removeAttribute("aria-disabled");
  }
});

// The sign-in has run out: the page stays as it is, with everything typed on it, and says so.
let leftField = null; // in which somebody wrote when they were told
document.addEventListener("signedOut", (event) => {
  if (document.activeElement?.matches("textarea, input, select")) leftField = document.activeElement;
  document.querySelector(".signed-out")?.remove();
  const notice = document.createElement("div");
  notice.className = "notice notice--attention signed-out";
  notice.setAttribute("role", "alert");
  const words = document.createElement("p");
  words.textContent = event.detail.words;
  const link = document.createElement("a");
  link.className = "button button--small";
  link.href = event.detail.url;
  link.target = "_blank";
  link.textContent = document.body.dataset.signIn;
  notice.append(words, link);
  document.body.prepend(notice);
});

// Back from signing in again in another tab: nothing is in the way any more, and whoever was writing goes on there.
async function lookWhetherSignedIn() {
  const notice = document.querySelector("div.signed-out");
  if (!notice || document.visibilityState !== "visible" || !document.body.dataset.draftsUrl) return;
  const url = `${document.body.dataset.draftsUrl}?${new URLSearchParams({ page: location.pathname })}`;
  const answer = await fetch(url, { redirect: "manual", cache: "no-store" }).catch(() => null);
  if (!answer?.ok || String((await answer.json()).owner) !== document.body.dataset.owner) return;
  const isNowhere = document.activeElement === document.body || notice.contains(document.activeElement);
  notice.remove();
  if (isNowhere && leftField?.isConnected) leftField.focus({ preventScroll: true });
  leftField = null;
}
document.addEventListener("visibilitychange", lookWhetherSignedIn);
window.addEventListener("focus", lookWhetherSignedIn);

// What was pressed did not get through: said, with everything typed left as it is. The desk says it itself.
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, (event) => {
    const { xhr, requestConfig } = event.detail;
    const isPressed = requestConfig && requestConfig.verb !== "get"; // what a page asks by itself, it asks again
    if (!isPressed || xhr?.status === 401 || document.querySelector("[data-trouble], .signed-out")) return;
    tellLost();
  });
}
function tellLost() {
  document.querySelector("p.signed-out")?.remove();
  const notice = document.createElement("p");
  notice.className = "notice notice--error signed-out";
  notice.setAttribute("role", "alert");
  notice.textContent = document.body.dataset.lost;
  document.body.prepend(notice);
}
window.addEventListener("online", () => document.querySelector("p.signed-out")?.remove());
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.successful) document.querySelector("p.signed-out")?.remove();
});

// Signed in again in another tab: the forms here learn it, and what was pressed is sent once more.
document.addEventListener("staleForm", (event) => {
  const { token } = event.detail;
  for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = token;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
  document.querySelector(".signed-out")?.remove();
  const form = event.target.closest("form");
  if (!form?.hasAttribute("hx-post") || form.dataset.sentAgain === token) return;
  form.dataset.sentAgain = token;
  setTimeout(() => form.requestSubmit()); // once htmx has put the answer away
});

// After a refused form: to the first field that needs another look.
(document.querySelector("[aria-invalid=true]") ?? document.querySelector("[data-begin] input:not([type=hidden])"))?.focus();

// What an act led to stands on the page from its beginning, and a reader tells only what changes: the
// same words once more, when the page has been taken in.
for (const told of document.querySelectorAll("[data-told-late]")) {
  setTimeout(() => told.replaceChildren(...[...told.childNodes].map((node) => node.cloneNode(true))), 500);
}

// A list that is searched here: its rows narrow while one types, and Enter does what it did before.
for (const field of document.querySelectorAll("input[data-narrows]")) {
  const rows = [...document.querySelectorAll(`${field.dataset.narrows} tbody tr`)];
  const nothing = document.querySelector("[data-nothing-fits]");
  field.addEventListener("input", () => {
    const wanted = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const words = row.textContent.toLocaleLowerCase();
      row.hidden = !wanted.every((word) => words.includes(word));
    }
    if (nothing) nothing.hidden = rows.some((row) => !row.hidden);
  });
}

// Progress: say the stage that runs now, once, not every two seconds.
function tellProgress() {
  const status = document.getElementById("progress-news");
  const news = document.querySelector("[data-news]")?.dataset.news;
  if (status && news && status.textContent !== news) status.textContent = news;
}
document.addEventListener("htmx:afterSettle", tellProgress);
document.addEventListener("htmx:afterSettle", sayWhatCame);
tellProgress();

// Tables: `data-sort` on a head cell is "text", "clock" (times and numbers) or "order" (as given).
function sortKey(row, column, kind) {
  if (kind === "order") return Number(row.dataset.order);
  const words = row.cells[column].innerText.trim();
  if (kind !== "clock") return words.toLocaleLowerCase();
  return secondsOf(words);
}

function sortBy(table, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  const { cellIndex } = head;
  const kind = head.dataset.sort;
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const [left, right] = [sortKey(a, cellIndex, kind), sortKey(b, cellIndex, kind)];
    const order = typeof left === "number" ? left - right : left.localeCompare(right);
    return down ? -order : order;
  });
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  [...table.tBodies[0].rows].forEach((row, index) => { row.dataset.order = index; });
  for (const head of table.tHead.rows[0].querySelectorAll("[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, head));
  }
}

// A long list of boxes can be ticked at once, and emptied again.
for (const button of document.querySelectorAll("[data-tick-all]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const boxes = [...button.closest("fieldset").querySelectorAll("input[type=checkbox]")];
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !all;
    boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// For the offline page. Each language is another worker, which stores that page again.
window.addEventListener("load", () => {
  const worker = `/service-worker.js?language=${document.documentElement.lang}`;
  navigator.serviceWorker?.register(worker).catch(() => {}); // a private window may refuse it
});
