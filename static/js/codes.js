// The codes of a coding page, for texts and takes alike: a key applies one, letters find one, a new one is named, one's
// last one is replaced or taken away. The page says what is marked; `refocus` goes back to that after a field was used.

import { register } from "./shortcuts.js";

const apply = document.getElementById("apply");
const finder = document.getElementById("find-code");
const newName = document.getElementById("new-code");

let lastCode = null;

const buttons = () => [...document.querySelectorAll("[data-code]")];
const visible = () => buttons().filter((button) => !button.parentElement.hidden);

function press(button) {
  button?.click(); // htmx sends the button that was clicked
  return Boolean(button);
}

// Enter takes the first whose name begins with the letters, else the first that has them.
function narrow() {
  const wanted = finder.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const button of buttons()) {
    const letters = button.textContent.toLocaleLowerCase();
    button.parentElement.hidden = !wanted.every((each) => letters.includes(each));
  }
  document.querySelector("[data-no-code]").hidden = visible().length > 0;
}

function best() {
  const letters = finder.value.trim().toLocaleLowerCase();
  return visible().find((button) => button.textContent.trim().toLocaleLowerCase().startsWith(letters)) ?? visible()[0];
}

// `list` holds the codings, `lastOwn` returns the element of the coding that keys are about, `refocus` marks again what
// was marked, `tellIdle` hears of a change.
export function connectCodes({ list, lastOwn, refocus, tellIdle }) {
  // Free coding: the next code replaces this one; Escape, or the key once more, leaves it.
  function replace(link) {
    if (!newName) return false;
    const [field, told] = [apply.elements.replace, document.getElementById("replacing")];
    field.value = link && link.dataset.replace !== field.value ? link.dataset.replace : "";
    told.hidden = !field.value;
    told.textContent = field.value ? `${told.dataset.words} ${link.dataset.name}` : "";
    tellIdle();
    return true;
  }

  function leaveFinder() {
    finder.value = "";
    narrow();
    finder.blur();
    refocus();
  }

  for (const hidden of document.querySelectorAll("[data-scripted]")) hidden.hidden = false;

  apply.addEventListener("submit", (event) => {
    lastCode = event.submitter?.value ?? lastCode;
  });
  // A code may wait behind the one before, and the marking goes on meanwhile: it is about what was marked when it was
  // pressed. What takes something away waits for all of them, else it would take the one before.
  const meant = new WeakMap(); // what was sent: its fields
  let underWay = 0;
  let later = [];
  const inTurn = (act) => () => {
    if (!underWay) return act();
    later.push(act);
    return true;
  };
  document.addEventListener("submit", (event) => {
    if (event.target !== apply) return;
    const fields = new FormData(apply);
    if (event.submitter) fields.set(event.submitter.name, event.submitter.value);
    fields.delete("csrfmiddlewaretoken"); // the newest one counts
    meant.set(event, fields);
    if (newName) {
      newName.value = "";
      replace(null);
    }
    underWay += 1;
  }, true);
  apply.addEventListener("htmx:configRequest", (event) => {
    const fields = meant.get(event.detail.triggeringEvent);
    for (const name of new Set(fields?.keys())) event.detail.parameters[name] = fields.getAll(name);
  });
  apply.addEventListener("htmx:afterRequest", () => {
    underWay = Math.max(underWay - 1, 0);
    if (underWay) return;
    const acts = later;
    later = [];
    for (const act of acts) act();
  });
  newName?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Enter") apply.querySelector("[value=named]").click();
    else newName.value = "";
    newName.blur();
    refocus();
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("[data-replace]");
    if (!link) return;
    event.preventDefault();
    replace(link);
  });
  finder.addEventListener("input", narrow);
  finder.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaveFinder();
    if (event.key !== "Enter") return;
    event.preventDefault();
    const button = best();
    leaveFinder();
    press(button);
  });

  register("code", (key) => press(buttons().find((button) => button.dataset.number === key)));
  register("again", () => press(buttons().find((button) => button.value === lastCode)));
  register("find-code", () => {
    finder.focus();
    return true;
  });
  register("new-code", () => {
    newName?.focus();
    return Boolean(newName);
  });
  register("in-vivo", () => press(apply.querySelector("[value=in-vivo]")));
  register("replace-code", () => replace(lastOwn()?.querySelector("[data-replace]")));
  register("undo-coding", inTurn(() => {
    document.querySelector("[data-undo]")?.click();
    return true;
  }));
  register("remove-coding", inTurn(() => {
    const button = lastOwn()?.querySelector("[data-unmark]");
    button?.click();
    return Boolean(button);
  }));
  register("coding-memo", () => {
    const details = lastOwn()?.querySelector("details");
    if (!details) return false;
    details.open = true;
    details.querySelector("textarea").focus();
    return true;
  });
  register("text-memo", () => {
    document.getElementById("text-memo")?.focus();
    return true;
  });

  // Escape leaves a field and gives the keys back to the page.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") replace(null);
    if (event.key === "Escape" && event.target.matches("textarea")) {
      event.target.blur();
      refocus();
    }
  });
}
