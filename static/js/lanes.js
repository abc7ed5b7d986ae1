// The timeline under the recording: playhead, read-out, the moment that is looped, and a closer look.

import { clock } from "./clock.js";
import { register } from "./shortcuts.js";

const SVG = "http://www.w3.org/2000/svg";
const CLOSEST = 32;
const LEAST_SECONDS = 10; // closer than this a lane shows nothing new
const TICKS = 6;
// French sets a space that does not break before a colon.
const COLON = document.documentElement.lang.startsWith("fr") ? "\u00a0:" : ":";

function svgElement(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

function place(line, share) {
  line.setAttribute("x1", `${share * 100}%`);
  line.setAttribute("x2", `${share * 100}%`);
}

// The marks of all lanes with the words that stand for them in the text alternative.
function readMarks(section, total) {
  const seconds = (mark, name) => parseFloat(mark.getAttribute(name)) / 100 * total;
  const texts = document.querySelectorAll("[data-lanes-text] dl > div");
  return [...section.querySelectorAll(".lane")].flatMap((lane, row) => {
    const words = [...(texts[row]?.querySelectorAll(".marks li") ?? [])];
    return [...lane.querySelectorAll("rect")].map((mark, index) => ({
      from: seconds(mark, "x"),
      to: seconds(mark, "x") + seconds(mark, "width"),
      label: lane.dataset.label,
      words: mark.dataset.words ?? words[index]?.textContent ?? "",
    }));
  });
}

function makeSlider(section, sheet) {
  const slider = document.createElement("div");
  slider.className = "lanes__cursor";
  slider.tabIndex = 0;
  slider.setAttribute("role", "slider");
  slider.setAttribute("aria-label", section.getAttribute("aria-label"));
  slider.setAttribute("aria-valuemin", "0");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  slider.append(svg);
  sheet.append(slider);
  return slider;
}

// `player`: media, length(), seek, stop() of the loop, followTime, whenFresh, whenClip.
export function connectLanes(section, player) {
  const { media, seek } = player;
  const total = Number(section.dataset.duration) || player.length();
  let marks = readMarks(section, total);
  player.whenFresh(section, () => { marks = readMarks(section, total); });
  const sheet = section.querySelector("[data-sheet]");
  const slider = makeSlider(section, sheet);
  const readout = section.querySelector("[data-readout]");
  const looped = svgElement(slider.firstChild, "rect", { class: "lanes__clip", y: "0", height: "100%", visibility: "hidden" });
  const playhead = svgElement(slider.firstChild, "line", { class: "lanes__playhead", y1: "0", y2: "100%" });
  const hover = svgElement(slider.firstChild, "line", { class: "lanes__hover", y1: "0", y2: "100%", visibility: "hidden" });
  slider.setAttribute("aria-valuemax", String(Math.round(total)));
  let hovering = false;
  const view = connectZoom(section, sheet, { media, total });

  const wordsAt = (time) => {
    const near = total / 250 / view.level(); // about two pixels
    const here = marks.filter((mark) => mark.from - near <= time && time < mark.to + near);
    return [clock(time), ...here.slice(0, 2).map(({ label, words }) => (words ? `${label}${COLON} ${words}` : label))].join(" · ");
  };
  const timeAt = (event) => {
    const box = slider.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * total;
  };
  const say = (time) => {
    const words = wordsAt(time);
    if (readout.textContent !== words) readout.textContent = words;
  };

  player.followTime((time) => {
    place(playhead, Math.min(time / total, 1));
    const second = String(Math.round(time));
    if (slider.getAttribute("aria-valuenow") !== second) {
      slider.setAttribute("aria-valuenow", second);
      slider.setAttribute("aria-valuetext", wordsAt(time));
    }
    if (hovering) return;
    view.follow(time);
    say(time);
  });
  player.whenClip((span) => {
    looped.setAttribute("visibility", span ? "visible" : "hidden");
    if (!span) return;
    looped.setAttribute("x", `${span.from / total * 100}%`);
    looped.setAttribute("width", `${Math.max(span.to - span.from, 0) / total * 100}%`);
  });
  place(playhead, media.currentTime / total || 0);
  slider.setAttribute("aria-valuenow", "0");
  slider.setAttribute("aria-valuetext", clock(0));
  say(media.currentTime);

  slider.addEventListener("pointermove", (event) => {
    hovering = true;
    const time = timeAt(event);
    hover.setAttribute("visibility", "visible");
    place(hover, time / total);
    say(time);
    if (slider.hasPointerCapture(event.pointerId)) seek(time);
  });
  slider.addEventListener("pointerleave", () => {
    hovering = false;
    hover.setAttribute("visibility", "hidden");
    say(media.currentTime);
  });
  slider.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    slider.setPointerCapture(event.pointerId);
    player.stop();
    seek(timeAt(event));
  });
  slider.addEventListener("keydown", (event) => {
    const jumps = {
      ArrowRight: media.currentTime + 5, ArrowUp: media.currentTime + 5,
      ArrowLeft: media.currentTime - 5, ArrowDown: media.currentTime - 5,
      PageUp: media.currentTime + 30, PageDown: media.currentTime - 30, Home: 0, End: total,
    };
    if (!(event.key in jumps) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    player.stop();
    seek(jumps[event.key]);
  });
}

// --- a closer look: the sheet grows, its window scrolls, the playhead stays where it is seen --------

function connectZoom(section, sheet, { media, total }) {
  const frame = section.querySelector("[data-window]");
  const axis = section.querySelector("[data-ticks]");
  const wholeTicks = axis.innerHTML;
  const steps = axis.dataset.steps.split(" ").map(Number);
  const buttons = Object.fromEntries([...section.querySelectorAll("[data-zoom-to]")].map((each) => [each.dataset.zoomTo, each]));
  let level = 1;
  let most = 1;
  while (most < CLOSEST && total / (most * 2) >= LEAST_SECONDS) most *= 2;

  const label = () => axis.getBoundingClientRect().left - sheet.getBoundingClientRect().left;
  const across = (time) => label() + (sheet.clientWidth - label()) * Math.min(time / total, 1);
  const follow = (time) => {
    if (level === 1) return;
    const seen = across(time) - frame.scrollLeft;
    if (seen >= label() && seen <= frame.clientWidth - 8) return;
    frame.scrollLeft = across(time) - label() - (frame.clientWidth - label()) * 0.1;
  };
  const drawTicks = () => {
    if (level === 1) {
      axis.innerHTML = wholeTicks;
      return;
    }
    const step = steps.find((each) => total / each <= TICKS * level) ?? steps.at(-1);
    axis.replaceChildren();
    for (let time = 0; time <= total - 0.95 * step; time += step) {
      const x = `${time / total * 100}%`;
      svgElement(axis, "line", { x1: x, x2: x, y1: "0", y2: "5" });
      svgElement(axis, "text", { x, y: "18", "text-anchor": time ? "middle" : "start" }).textContent = clock(time);
    }
    svgElement(axis, "text", { x: "100%", y: "18", "text-anchor": "end" }).textContent = clock(total);
  };
  const zoom = (wanted) => {
    const next = Math.min(Math.max(wanted, 1), most);
    if (next === level) return;
    let seen = across(media.currentTime) - frame.scrollLeft;
    if (seen < label() || seen > frame.clientWidth) seen = (label() + frame.clientWidth) / 2;
    level = next;
    section.dataset.zoom = String(level);
    drawTicks();
    frame.scrollLeft = across(media.currentTime) - seen;
    setButtons();
  };
  const setButtons = () => {
    buttons.in.disabled = level === most;
    buttons.out.disabled = buttons.all.disabled = level === 1;
  };

  buttons.in.closest("[data-zoom-tools]").hidden = most === 1;
  const acts = { in: () => zoom(level * 2), out: () => zoom(level / 2), all: () => zoom(1) };
  for (const [name, act] of Object.entries(acts)) {
    buttons[name].addEventListener("click", act);
    register(`zoom-${name}`, act);
  }
  setButtons();
  return { level: () => level, follow };
}
