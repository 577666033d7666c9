// Momentum is a ball: a valley in two dimensions, and gradient steps with momentum from a start that
// one drags, without restart at the left and with restart at the right, and their errors beside them.
//
// Where the momentum grows, the steps are those of `smmcore.solvers.proximal_gradient` on a quadratic
// function; a test compares.

import { isStill } from "../lib/dom.js";
import { circle, drawNumbers, drawVerticalAxis, ink, leftOf, logAxis, openSheet, trace, write } from "../lib/canvas.js";
import { countNoun, counts, plain } from "../lib/numbers.js";
import { placeOf } from "../lib/settings.js";
import { afterKeys, animate, canvasOf, drag, invalidate, isHeld, onArrows, onPress, openPlane, place, pointUnder, say, sayMoved, sections, snap, toy, watchKnob } from "../lib/toy.js";

const PACE = 40; // ms for a step
const KEY_STEP = 0.1;
const LEVELS = [0.01, 0.05, 0.15, 0.4, 0.8, 1.5, 2.5, 4, 6]; // of the function, of the rings
const FLOOR = 1e-7; // of the errors in the chart: they hardly fall below
const HANDLE = `<div class="handle"></div>`;
const SIDES = { without: ["Never stopped", "", HANDLE], with: ["With restart", "", HANDLE] };
const TITLES = { ...SIDES, errors: ["Distance left", "dashed: never stopped"] };

const SKELETON = `
  <div class="panels">
    ${sections(TITLES)}
  </div>
  <div class="row">
    <button>▶ Let it roll</button>
    <p class="note" role="status"></p>
  </div>`;

function createView(parent) {
  const root = place(parent, "momentum", SKELETON);
  const view = {
    root,
    canvases: Object.fromEntries(Object.keys(TITLES).map((name) => [name, canvasOf(root, name)])),
    start: null,
    step: Infinity, // that is shown; the last one if beyond it
  };
  for (const side of Object.keys(SIDES)) {
    const canvas = view.canvases[side];
    Object.assign(canvas, { tabIndex: 0, role: "application" });
    onPress(canvas.parentElement, (event) => {
      if (event.pointerType !== "mouse" && event.target === canvas) return; // a finger may scroll the page here
      pullTo(view, canvas, event);
      drag(view, canvas, event, (moved) => pullTo(view, canvas, moved), () => {
        tell(view);
        roll(view);
      });
    });
    canvas.onkeydown = onArrows((way) => {
      moveTo(view, view.start.map((part, i) => part + KEY_STEP * way[i]));
      afterKeys(view, () => tell(view));
    });
  }
  root.querySelector("button").onclick = () => roll(view);
  watchKnob(view, (at) => {
    view.momentum = view.data.knob.texts[at];
    view.step = Infinity;
    compute(view);
  });
  return view;
}

// ---- the steps -----------------------------------------------------------------------------

const minus = (a, b) => a.map((part, i) => part - b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const times = (matrix, point) => matrix.map((row) => dot(row, point));

// The momentum is a share of the last move, or grows with the steps since the last restart.
function steps({ hessian, curvature, count, grows }, start, momentum, restarts) {
  let [theta, ahead, t] = [start, start, 1];
  const path = [{ theta, restarted: false }];
  for (let k = 0; k < count; k++) {
    const slope = times(hessian, ahead);
    const next = ahead.map((part, i) => part - slope[i] / curvature);
    const moved = minus(next, theta);
    const restarted = restarts && dot(minus(next, ahead), moved) < 0;
    const grown = restarted ? 1 : (1 + Math.sqrt(1 + 4 * t * t)) / 2;
    const share = restarted ? 0 : momentum === grows ? (t - 1) / grown : Number(momentum);
    ahead = next.map((part, i) => part + share * moved[i]);
    [theta, t] = [next, grown];
    path.push({ theta, restarted });
  }
  return path;
}

const size = (point) => Math.hypot(...point);

// ---- what the reader does ------------------------------------------------------------------

function pullTo(view, canvas, event) {
  moveTo(view, pointUnder(canvas, view.data.reach, event));
}

function moveTo(view, point) {
  view.start = snap(point, view.data.reach, view.data.grain);
  view.step = Infinity;
  view.animation = null;
  compute(view);
  invalidate(view);
}

function tell(view) {
  const { knobs, grain, reach } = view.data;
  sayMoved(view, view.start.map((part, i) => [knobs[i], Math.round((part + reach) / grain)]));
}

function roll(view) {
  if (isStill()) return;
  animate(view, (time) => {
    view.step = time / PACE;
    paint(view);
    return view.step < view.data.count;
  });
}

function compute(view) {
  const path = (restarts) => steps(view.data, view.start, view.momentum, restarts);
  view.paths = { without: path(false), with: path(true) };
}

// ---- what is drawn -------------------------------------------------------------------------

const lastStep = ({ step, data }) => Math.min(Math.floor(step), data.count);

function paint(view) {
  for (const side of Object.keys(SIDES)) paintValley(view, side);
  paintErrors(view);
  readOut(view);
}

function paintValley(view, side) {
  const { theme, data, step, canvases, paths } = view;
  const { context, scale, at } = openPlane(canvases[side], data.reach);
  ink(context, theme.text, 0.25);
  for (const level of LEVELS) {
    context.beginPath();
    const [wide, tall] = data.eigenvalues.map((value) => Math.sqrt((2 * level) / value) * scale);
    context.ellipse(...at([0, 0]), wide, tall, -data.angle, 0, 2 * Math.PI);
    context.stroke();
  }
  const path = paths[side];
  const last = lastStep(view);
  const [left, top] = at(path[0].theta);
  canvases[side].previousSibling.style.transform = `translate(${left}px, ${top}px)`;
  ink(context, theme.text, 0.8, 2);
  trace(context, ...path.slice(0, last + 1).map(({ theta }) => at(theta))).stroke();
  ink(context, theme.accent, 1, 3);
  circle(context, ...at(path[0].theta), 11);
  context.stroke();
  circle(context, ...at(positionAt(path, step)), 7);
  context.fill();
  path.slice(1, last + 1).forEach(({ theta, restarted }) => {
    ink(context, restarted ? theme.event : theme.text);
    circle(context, ...at(theta), restarted ? 4 : 1.5);
    context.fill();
  });
}

// Between two steps while it rolls.
function positionAt(path, step) {
  const before = Math.min(Math.floor(step), path.length - 1);
  const share = Number.isFinite(step) ? step - before : 0;
  const [from, to] = [path[before].theta, path[Math.min(before + 1, path.length - 1)].theta];
  return from.map((part, i) => part + Math.min(1, share) * (to[i] - part));
}

function paintErrors(view) {
  const { theme, data, canvases, paths } = view;
  const { context, width, height, size: letters } = openSheet(canvases.errors);
  const [top, bottom] = [8, height - letters - 14];
  const axis = logAxis(FLOOR, FLOOR, 10, top, bottom, letters);
  const [left, right] = [leftOf(context, axis), width - 3.5 * letters];
  const x = (k) => left + (k / data.count) * (right - left);
  drawVerticalAxis(context, axis, left, right, theme);
  drawNumbers(context, counts(0, data.count, (right - left) / 60), x, bottom + 8, theme);
  write(context, "step", width, bottom + 8, "right", "top");
  const last = lastStep(view);
  for (const side of Object.keys(SIDES)) {
    context.setLineDash(side === "with" ? [] : [5, 4]);
    ink(context, theme.text, 1, 2);
    const errors = paths[side].slice(0, last + 1).map(({ theta }) => size(theta));
    trace(context, ...errors.map((error, k) => [x(k), Math.min(bottom, axis.y(error))])).stroke();
    context.setLineDash([]);
    ink(context, theme.event);
    paths[side].slice(0, last + 1).forEach(({ theta, restarted }, k) => {
      if (!restarted) return;
      circle(context, x(k), Math.min(bottom, axis.y(size(theta))), 4);
      context.fill();
    });
  }
}

function readOut(view) {
  const { root, paths, canvases, start } = view;
  const last = lastStep(view);
  const [free, stopped] = ["without", "with"].map((side) => size(paths[side][last].theta));
  const restarts = paths.with.slice(0, last + 1).filter(({ restarted }) => restarted).length;
  say(root, "with", countNoun(restarts, "restart"));
  root.querySelector(".note").textContent =
    `Drag the start. After ${last} steps the ball is ${plain(free, 2)} away from the lowest point, with restart ${plain(stopped, 2)}.`;
  Object.assign(root.dataset, { free, stopped, restarts, start: start.join(" ") });
  for (const side of Object.keys(SIDES)) {
    canvases[side].ariaLabel = `${SIDES[side][0]}: start at ${start.map((part) => plain(part)).join(", ")}; arrow keys move it`;
  }
  canvases.errors.ariaLabel = root.querySelector(".note").textContent;
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (!isHeld(view)) view.start = data.knobs.map((knob) => data.places[placeOf(knob)]);
  view.momentum = data.knob.texts[placeOf(data.knob)];
  compute(view);
}, { paint });
