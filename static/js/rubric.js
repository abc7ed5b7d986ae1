// The rubric: 1 to 5 choose a level, 0 says that it cannot be judged; then the next quality is asked.

import { keyIsOurs, keysAreOn } from "./keys.js";
import { register } from "./shortcuts.js";

const form = document.querySelector("[data-rubric]");
const qualities = () => [...form.querySelectorAll("[data-quality]")];
const isOpen = (quality) => !quality.querySelector("input:checked");

function show(quality) {
  const chosen = quality.querySelector("input:checked");
  quality.querySelector("[data-chosen]").textContent = chosen ? chosen.value : "";
}

// One at a time, so that the page stays short: the one with the focus, else the first without a level.
function asked() {
  return document.activeElement?.closest("[data-quality]") ?? qualities().find(isOpen) ?? null;
}

function goOn(from) {
  const all = qualities();
  const here = all.indexOf(from);
  const next = [...all.slice(here + 1), ...all.slice(0, here)].find(isOpen);
  from.open = false;
  const place = next ? next.querySelector("summary") : form.querySelector("button[name=finish]");
  if (next) next.open = true;
  place.focus();
  (next ?? place).scrollIntoView({ block: "nearest" });
}

function choose(event) {
  if (!keysAreOn() || !keyIsOurs(event) || !/^[0-5]$/.test(event.key)) return;
  const quality = asked();
  const level = quality?.querySelector(`input[value="${event.key}"]`);
  if (!level) return;
  event.preventDefault();
  event.stopPropagation();
  level.checked = true;
  level.dispatchEvent(new Event("change", { bubbles: true }));
  goOn(quality);
}

// On the desk it is folded: the key opens it where the next level is asked, or closes it again.
register("rubric", () => {
  const fold = form?.closest("details") ?? null;
  if (!fold) return false;
  fold.open = !fold.open;
  const next = qualities().find(isOpen) ?? qualities()[0];
  if (fold.open) {
    next.open = true;
    next.querySelector("summary").focus();
    next.scrollIntoView({ block: "nearest" });
  } else fold.querySelector("summary").focus();
  return true;
});

if (form) {
  const first = qualities().find(isOpen);
  for (const quality of qualities()) {
    quality.open = quality === first;
    show(quality);
    quality.addEventListener("change", () => show(quality));
  }
  // What was changed in another window, too, is said below the three, which may be below the fold.
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.elt !== form) return;
    document.querySelector("#rubric-elsewhere.conflict")?.scrollIntoView({ block: "nearest" });
  });
  (form.dataset.rubric === "page" ? document : form).addEventListener("keydown", choose);
}
