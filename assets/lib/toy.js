// What the pictures that one touches share. Each has a `view` with its `root`, and a `paint`.

import { listenTo } from "./dom.js";
import { colourTable, ink, openSheet, readTheme } from "./canvas.js";
import { expectPicture, tellPicture } from "./pages.js";
import { drawCells } from "./pictures.js";
import { pull } from "./pull.js";
import { QUIET, listenToSettings, turn } from "./settings.js";
import { newRun } from "./store.js";

const views = new WeakMap();
export const THUMB = 16; // px, of a slider over a canvas
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// What Streamlit calls at first and with each change of the data or the theme, on the same element.
export const toy = (create, adopt, host) => ({ parentElement, data, setTriggerValue }) => {
  const isNew = !views.has(parentElement);
  const view = isNew ? create(parentElement, data) : views.get(parentElement);
  views.set(parentElement, view);
  view.host = { ...READER, ...host };
  if (isNew) {
    const sizes = new ResizeObserver(() => (view.root.isConnected ? invalidate(view) : sizes.disconnect()));
    for (const each of [view.root, document.querySelector(".stMainBlockContainer")]) if (each) sizes.observe(each); // above it, too
    listenToSettings(view, () => view.adopt());
    listenTo(view, "paint", () => view.root.clientWidth && view.host.paint(view));
  }
  view.send = setTriggerValue;
  view.theme = readTheme(view.root);
  view.adopt = () => {
    adopt(view, data);
    invalidate(view);
  };
  view.adopt();
  document.fonts.ready.then(() => invalidate(view)); // letters on a canvas do not change by themselves
};

// A section for each canvas, with its title, what is said beside it, and what lies over the canvas.
export const sections = (titles) =>
  Object.entries(titles)
    .map(
      ([name, [title, text = "", over = ""]]) => `<section data-panel="${name}">
        <header><b>${title}</b> <span>${text}</span> <span></span></header>
        <div class="sheet">${over}<canvas role="img"></canvas></div>
      </section>`,
    )
    .join("");

export const canvasOf = (root, name) => root.querySelector(`[data-panel=${name}] canvas`);
export const say = (root, name, text) => (root.querySelector(`[data-panel=${name}] header span`).textContent = text);

// Say a sentence of the picture, in HTML; it is read out once, when the hand rests (see `hush`).
export function saySentence({ root }, text) {
  const line = root.querySelector("[role=status]");
  if (line.innerHTML !== text) line.innerHTML = text;
}

// The title of a panel, what is said beside it, and what is added where there is room.
export function title(root, name, bold, text, more = "") {
  const texts = [bold, text, more];
  root.querySelectorAll(`[data-panel=${name}] header > *`).forEach((node, i) => (node.textContent = texts[i]));
  canvasOf(root, name).ariaLabel = texts.filter(Boolean).join(", ");
}

export function place(parent, name, html) {
  const root = document.createElement("div");
  root.className = `toy ${name}`;
  root.innerHTML = html;
  parent.append(root);
  return root;
}

export function invalidate(view) {
  view.ticket ||= requestAnimationFrame(() => {
    view.ticket = 0;
    if (!view.root.isConnected || !view.root.clientWidth) return; // beside the stage alone, it has no room
    hush(view, true);
    view.host.paint(view);
    if (fitWall(view)) view.host.paint(view);
    hush(view, false);
    if (view.root.getBoundingClientRect().top > window.innerHeight) return;
    expectPicture();
    if (view.shown || !view.latest) tellPicture(); // else it waits for the frames of a run
  });
}

// On the wall a picture takes what the lines above and below leave of the window: anew with each step, and
// within a step only less, so that no line of words moves it to and fro. Return whether its size has changed.
const EDGE = 4; // px below it
function fitWall(view) {
  const { root } = view;
  const { style, dataset } = root;
  const isOnWall = document.documentElement.matches(".presenting") && root.getRootNode().host.closest(".st-key-stage");
  const end = (side) => root.getBoundingClientRect()[side] + document.querySelector(".stMain").scrollTop;
  const room = isOnWall ? String([innerWidth, innerHeight, root.className, dataset.step, Math.round(end("top"))]) : "";
  const isNew = room !== (view.room ?? "");
  const isOver = () => end("bottom") > innerHeight - EDGE;
  if (!isNew && (!isOnWall || view.above >= innerHeight || !isOver())) return false;
  Object.assign(view, { room, above: 0 });
  style.removeProperty("--above");
  if (!isOnWall) return true;
  for (let part = innerHeight / 2; part > 0.5; part /= 2) {
    style.setProperty("--above", `${view.above + part}px`);
    if (isOver()) view.above += part;
  }
  style.setProperty("--above", `${(view.above += 1)}px`);
  return true;
}

// A line that follows the hand is read out when the hand rests.
function hush(view, isBefore) {
  for (const line of view.root.querySelectorAll("[role=status]")) {
    if (isHeld(view)) line.ariaLive = "off";
    else if (!isBefore && line.ariaLive) {
      line.ariaLive = null;
      line.append(...line.childNodes); // which is news
    }
  }
}

// Call `draw` with the milliseconds since now, until it returns false or `view.animation` is another.
export function animate(view, draw) {
  const [start, own] = [performance.now(), {}];
  view.animation = own;
  const move = (now) => {
    if (view.animation !== own || !view.root.isConnected) return;
    if (draw(Math.max(0, now - start))) requestAnimationFrame(move);
    else view.animation = null;
  };
  requestAnimationFrame(move);
}

// ---- the hand and the page -----------------------------------------------------------------

// What happens when a pointer comes down on a handle; of a mouse, its main button.
export const onPress = (handle, act) => (handle.onpointerdown = (event) => event.button === 0 && act(event));

// React to the arrow keys, and to some others: `act` is told the way that the key points, and the event.
export const onArrows = (act, ...others) => (event) => {
  if (!(event.key in ARROWS || others.includes(event.key))) return;
  event.preventDefault();
  event.stopPropagation(); // keys of Streamlit
  act(ARROWS[event.key] ?? [0, 0], event);
};

// Follow the pointer that has come down on a handle, until it is lifted or, a finger, scrolls the page.
export function drag(view, handle, event, onMove, onEnd) {
  event.preventDefault();
  handle.focus({ preventScroll: true, focusVisible: false });
  handle.setPointerCapture(event.pointerId);
  view.held = handle;
  handle.onpointermove = onMove;
  handle.onpointerup = handle.onpointercancel = ({ type }) => {
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
    view.held = null;
    onEnd(type);
  };
}

// Follow a slider of the picture; `onMove` is told its place, and `onRest` called when it rests.
export function watchSlider(view, slider, onMove, onRest) {
  let before = slider.value;
  slider.onpointerdown = () => (before = slider.value);
  slider.onpointercancel = () => {
    slider.value = before; // the finger scrolls the page
    slider.oninput();
    slider.onchange();
  };
  slider.oninput = () => {
    view.held = slider;
    onMove(Number(slider.value));
    invalidate(view);
  };
  slider.onchange = () => {
    view.held = null;
    afterKeys(view, onRest);
  };
  slider.onkeydown = (event) => event.stopPropagation(); // keys of Streamlit
}

// Put a slider over a canvas where the pointer is, and return its place; by the height of the pointer if it is
// upright, since not every browser can draw a range so.
export function putUnder(slider, { clientX, clientY }) {
  const { left, bottom, width, height } = slider.getBoundingClientRect();
  const isUpright = slider.ariaOrientation === "vertical";
  const [from, room] = isUpright ? [bottom - clientY, height] : [clientX - left, width];
  slider.value = (slider.max * (from - THUMB / 2)) / (room - THUMB); // which rounds it
  return Number(slider.value);
}

// Follow the pointer on such a slider.
export function dragSlider(view, slider) {
  const follow = (event) => {
    putUnder(slider, event);
    slider.oninput();
  };
  onPress(slider, (event) => {
    drag(view, slider, event, follow, slider.onchange);
    follow(event);
  });
}

// Do something after the last of several keys, or when the reader leaves: not on the next page.
export function afterKeys(view, then) {
  clearTimeout(view.settling);
  removeEventListener("leave", view.settle, true);
  const path = location.pathname;
  view.settle = () => {
    clearTimeout(view.settling);
    removeEventListener("leave", view.settle, true);
    view.settling = 0;
    if (location.pathname === path) then();
  };
  addEventListener("leave", view.settle, true);
  view.settling = setTimeout(view.settle, QUIET);
}

// Set what the hand has moved: a list of a setting and its place.
export function sayMoved(view, changes) {
  turn(changes, true);
  view.adopt();
}

// Whether the hand is where the address is not yet.
export const isHeld = (view) => Boolean(view.held || view.settling);

// Follow the knob that belongs to the picture; `onMove` takes its place.
export function watchKnob(view, onMove) {
  listenTo(view, "knob", ({ key, place }) => {
    if (key !== view.data.knob.key) return;
    view.animation = null; // the hand has it
    onMove(place);
    invalidate(view);
  });
}

// ---- the frames of a run -------------------------------------------------------------------

// What `pull` in lib/pull.js asks of a view.
const READER = {
  invalidate,
  isCovered: () => false,
  isCurrent: () => false,
  arrange: (view) => view.host.show(view, view.shown),
};

export function watchRun(view, url) {
  if (view.latest?.url !== url) {
    view.latest?.abort.abort();
    view.latest = newRun(url, null);
    view.told ??= new Set();
    Object.assign(view, { path: location.pathname, answered: performance.now() });
  }
  if (!view.latest.pulling) pull(view, view.latest);
}

// ---- drawing -------------------------------------------------------------------------------

// A matrix that fills a canvas; its entries are steps of -127 ... 127.
export function paintMatrix(view, canvas, shape, steps, colours = view.theme.diverging) {
  const sheet = openSheet(canvas);
  ink(sheet.context, view.theme.border);
  drawCells(sheet.context, view, shape, steps, colours, { x: 0, y: 0, w: sheet.width, h: sheet.height });
  return sheet;
}

// A plane whose origin is the middle of a canvas, and which reaches so far to either side.
export function openPlane(canvas, reach) {
  const sheet = openSheet(canvas);
  const { width, height } = sheet;
  const scale = Math.min(width, height) / (2 * reach);
  return { ...sheet, scale, at: ([x, y]) => [width / 2 + scale * x, height / 2 - scale * y] };
}

// The point of such a plane below the pointer.
export function pointUnder(canvas, reach, { clientX, clientY }) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const scale = (2 * reach) / Math.min(width, height);
  return [(clientX - left - width / 2) * scale, (height / 2 - (clientY - top)) * scale];
}

// The nearest point of a grid.
export function snap(point, most, grain) {
  const nearest = (part) => Math.round(Math.max(-most, Math.min(most, part)) / grain) * grain;
  return point.map((part) => Number(nearest(part).toFixed(9)) + 0);
}

// Lay a slider that is not seen over a canvas, from a place to another.
export function layOver({ style }, left, right) {
  Object.assign(style, { left: `${left - THUMB / 2}px`, width: `${right - left + THUMB}px` });
}

// Move a slider of the picture, and say where it stands.
export function slide(slider, value, text) {
  slider.value = value;
  slider.ariaValueText = text;
  slider.style.setProperty("--share", (value - slider.min) / (slider.max - slider.min));
}

export const GREYS = colourTable(["rgb(0 0 0)", "rgb(255 255 255)"]);
export const total = (values) => values.reduce((sum, value) => sum + value, 0);
export const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
