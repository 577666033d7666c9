// The contours of a least-squares loss, dragged over a ball: the touching point follows at once.
//
// What was dragged is set at the end of the drag. The picture follows the page's sliders, too.

import { answer } from "../lib/answer.js";
import { corner, curvature, exponent, lossAt, mapOfZeros, minus, outline, touchingPoints } from "./balls.js";
import { listenTo } from "../lib/dom.js";
import { circle, colourTable, ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { format, nearest, plain, typeset } from "../lib/numbers.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { placeOf } from "../lib/settings.js";
import { afterKeys, drag, invalidate, isHeld, onArrows, onPress, openPlane, place, pointUnder, sayMoved, snap, toy } from "../lib/toy.js";

const CELLS = 400; // along each side of the map; half as many where each asks for all rivals
const FEWER = 80; // while the contours turn, and it changes with each paint
const TINT = 0.24; // opacity of the map
const BRUSH = 0.13; // half the side of what a place of the minimum colours, before the map is seen
const MARGIN = 0.25; // of the plane, around the square of minima
const SHORT = 0.5; // the short half axis of the contour with the handle
const [PURPLE, BROWN] = [7, 8]; // of the theme: the common colour-vision deficiencies leave them apart
const DEGREE = Math.PI / 180;

const SKELETON = `
  <div class="pair">
    <div class="sheet">
      <canvas></canvas>
      <div class="handle" data-handle="minimum" tabindex="0" role="slider"
        aria-label="Minimum of the loss; arrow keys move it, with Shift in small steps"></div>
      <div class="handle" data-handle="axis" tabindex="0" role="slider"
        aria-label="Long axis of the contours; left and right turn it, up and down stretch it"></div>
    </div>
    <div class="beside">
      <div class="sheet weights"><canvas role="img" aria-label="The two weights at the minimum and at θ̂"></canvas></div>
      <div class="key">
        <span><i style="--colour: var(--line-8)"></i>minima with θ̂₁&nbsp;=&nbsp;0</span>
        <span><i style="--colour: var(--line-7)"></i>minima with θ̂₂&nbsp;=&nbsp;0</span>
        <span class="neither"><i></i>minima with no&nbsp;0</span>
      </div>
      <p class="note" role="status"></p>
    </div>
  </div>`;

function createView(parent) {
  const root = place(parent, "contours", SKELETON);
  const handles = [...root.querySelectorAll(".handle")];
  const view = {
    root,
    canvas: root.querySelector("canvas"),
    cells: new OffscreenCanvas(1, 1), // of the map
    weights: { canvas: root.querySelector(".weights canvas"), cells: new OffscreenCanvas(1, 1) },
    handles: Object.fromEntries(handles.map((handle) => [handle.dataset.handle, handle])),
    trail: [], // where the minimum has been, and which weight was 0
    flipped: false, // whether the handle of the axis is at its other end
  };
  for (const [name, handle] of Object.entries(view.handles)) {
    onPress(handle, (event) => grasp(view, name, event));
    handle.onkeydown = onArrows((way, { shiftKey }) => onKey(view, name, way, shiftKey));
  }
  onPress(view.canvas, (event) => {
    if (event.pointerType !== "mouse") return; // a finger may scroll the page here
    pullTo(view, "minimum", event);
    grasp(view, "minimum", event);
  });
  listenTo(view, "reveal", () => invalidate(view));
  listenTo(view, "knob", () => follow(view));
  return view;
}

// ---- what is dragged -----------------------------------------------------------------------

function grasp(view, name, event) {
  drag(view, view.handles[name], event, (moved) => pullTo(view, name, moved), () => tell(view));
}

function pullTo(view, name, event) {
  const point = pointUnder(view.canvas, view.data.most + MARGIN, event);
  if (name === "minimum") moveTo(view, point);
  else {
    const away = minus(point, view.state.minimum);
    const turn = Math.atan2(away[1], away[0]) / DEGREE;
    view.flipped = turn < 0 || turn >= 179.5;
    shape(view, turn, Math.hypot(...away) / SHORT);
  }
}

function moveTo(view, point) {
  view.state.minimum = snap(point, view.data.most, view.data.step);
  invalidate(view);
}

function shape(view, tilt, ratio) {
  view.state.tilt = ((Math.round(tilt) % 180) + 180) % 180;
  view.state.ratio = Number(Math.min(view.data.widest, Math.max(1, ratio)).toFixed(1));
  invalidate(view);
}

function onKey(view, name, way, isFine) {
  const { minimum, tilt, ratio } = view.state;
  const step = isFine ? view.data.step : 0.1;
  if (name === "minimum") moveTo(view, minimum.map((part, i) => part + step * way[i]));
  else shape(view, tilt - 3 * way[0], ratio + 0.1 * way[1]);
  afterKeys(view, () => tell(view));
}

function tell(view) {
  invalidate(view);
  const { state: { minimum, tilt, ratio }, data: { settings } } = view;
  const moved = [[settings.first, minimum[0]], [settings.second, minimum[1]], [settings.tilt, tilt], [settings.ratio, ratio]];
  sayMoved(view, moved.map(([setting, value]) => [setting, nearest(setting.values, value)]));
}

// What the settings say, also while a slider of the page moves one of them.
function follow(view) {
  if (isHeld(view)) return;
  const { form, bound, first, second, tilt, ratio } = Object.fromEntries(
    Object.entries(view.data.settings).map(([name, setting]) => [name, setting.values[placeOf(setting)]]),
  );
  view.ball = view.data.isElastic ? { tau: form, bound } : { p: form, bound: form === 0 ? 1 : bound };
  view.state = { minimum: [first, second], tilt, ratio };
  invalidate(view);
}

// ---- what is drawn -------------------------------------------------------------------------

// The slow parts change with the ball and the shape of the contours only, not with the minimum.
function prepare(view) {
  const { ball, data: { most }, state: { tilt, ratio }, theme, handles } = view;
  const cells = view.held === handles.axis ? FEWER : corner(ball) === Infinity ? CELLS / 2 : CELLS;
  const prepared = JSON.stringify([ball, tilt, ratio, cells, theme.background]);
  if (view.prepared === prepared) return;
  const H = curvature(view.state);
  const map = mapOfZeros(ball, H, most, cells);
  const outside = map.filter((zero) => zero !== 3);
  const share = outside.filter((zero) => zero !== 0).length / outside.length;
  const steps = Array.from(map, (zero) => [NaN, -127, 127, NaN][zero]);
  fillCells(view.cells, [cells, cells], steps, colourTable([theme.lines[BROWN], theme.lines[PURPLE]]));
  Object.assign(view, { prepared, H, share, points: outline(ball), trail: [] });
}

function paint(view) {
  prepare(view);
  const { theme, state, H, points, ball, data: { most } } = view;
  const half = most + MARGIN;
  const plane = { ...openPlane(view.canvas, half), theme, half };
  const { context, scale, at } = plane;
  const covered = answer.isHidden(); // the map of all minima would answer the lesson's question
  const found = touchingPoints(ball, H, state.minimum, points);
  context.imageSmoothingEnabled = true;
  ink(context, theme.text, TINT);
  if (!covered) context.drawImage(view.cells, ...at([-most, most]), 2 * most * scale, 2 * most * scale);
  else drawTrail(plane, view, found[0]);
  drawAxes(plane, most);
  drawContours(plane, state);
  drawBall(plane, ball, points);
  const level = Math.sqrt(lossAt(H, state.minimum, found[0]));
  ink(context, theme.event, 1, 2.5);
  if (level > 0) ellipse(plane, state, level).stroke();
  drawHandles(plane, view);
  drawSolutions(plane, state, found);
  paintWeights(view, found[0]);
  readOut(view, found, covered);
}

// The hand makes the map itself: where the minimum has been, a colour says which weight was 0, or a dot that
// none was.
function drawTrail({ context, theme, scale, at }, { trail, state: { minimum } }, point) {
  if (String(trail.at(-1)?.minimum) !== String(minimum)) trail.push({ minimum, zero: point.indexOf(0) });
  for (const { minimum: [x, y], zero } of trail) {
    const half = zero < 0 ? BRUSH / 6 : BRUSH;
    ink(context, zero < 0 ? theme.text : theme.lines[zero === 0 ? BROWN : PURPLE], 0.5);
    context.fillRect(...at([x - half, y + half]), 2 * half * scale, 2 * half * scale);
  }
}

// The touching point and, where the ball is not convex, hollow ones at other local minima.
function drawSolutions(plane, state, [best, ...others]) {
  const { context, theme, size, at } = plane;
  ink(context, theme.text, 1, 2.5);
  for (const other of others) {
    circle(context, ...at(other), 0.4 * size);
    context.stroke();
  }
  circle(context, ...at(best), 0.5 * size);
  context.fill();
  if (best !== state.minimum) label(plane, "θ̂", at(best));
}

// Both weights at the minimum, and beside them at the touching point, as cells of W.
function paintWeights({ weights: { canvas, cells }, theme, state, data: { most } }, point) {
  const { context, width, height, size } = openSheet(canvas);
  const [left, top, gap] = [1.7 * size, 1.9 * size, 0.6 * size];
  const [w, h] = [(width - left - gap) / 2, height - top - 1];
  [["minimum", state.minimum], ["θ̂", point]].forEach(([name, values], i) => {
    const x = left + i * (w + gap);
    ink(context, theme.border);
    drawCells(context, { cells }, [2, 1], values.map((value) => (127 * value) / most), theme.diverging, { x, y: top, w, h });
    ink(context, theme.text);
    write(context, name, x + w / 2, top - 4, "center", "bottom");
    values.forEach((value, row) => {
      const y = top + ((row + 0.5) * h) / 2;
      writeOver(context, plain(value, 2), x + w / 2, y, "center", "middle", theme);
      if (i === 0) write(context, ["θ₁", "θ₂"][row], 0, y, "left", "middle");
    });
  });
}

function drawAxes({ context, theme, half, at }, most) {
  ink(context, theme.text, 0.35);
  trace(context, at([-half, 0]), at([half, 0])).stroke();
  trace(context, at([0, -half]), at([0, half])).stroke();
  ink(context, theme.text, 0.75);
  for (let k = -most; k <= most; k++) {
    if (k === 0) continue;
    const [x, y] = at([k, k]);
    const [left, bottom] = at([0, 0]);
    write(context, typeset(String(k)), x, bottom + 5, "center", "top");
    write(context, typeset(String(k)), left - 6, y, "right", "middle");
  }
  ink(context, theme.text);
  const [right, middle] = at([half, 0]);
  write(context, "θ₁", right - 4, middle - 6, "right", "bottom");
  const [centre, top] = at([0, half]);
  write(context, "θ₂", centre + 8, top + 4, "left", "top");
}

function drawBall({ context, theme, half, at }, ball, points) {
  ink(context, theme.text, 1, 2);
  if (exponent(ball) === 0) {
    context.lineWidth = 4;
    trace(context, at([-half, 0]), at([half, 0])).stroke();
    trace(context, at([0, -half]), at([0, half])).stroke();
    return;
  }
  trace(context, ...points.map(at)).closePath();
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
}

function drawContours(plane, state) {
  ink(plane.context, plane.theme.text, 0.3);
  for (let k = 1; k <= 6; k++) ellipse(plane, state, k * SHORT).stroke();
}

function ellipse({ context, scale, at }, { minimum, tilt, ratio }, short) {
  context.beginPath();
  context.ellipse(...at(minimum), short * ratio * scale, short * scale, -DEGREE * tilt, 0, 2 * Math.PI);
  return context;
}

function drawHandles(plane, { state, handles, held, flipped }) {
  const { context, theme, size, at } = plane;
  const axis = [Math.cos, Math.sin].map((f) => SHORT * state.ratio * f(DEGREE * state.tilt));
  const ahead = state.minimum[0] * axis[0] + state.minimum[1] * axis[1] > 0; // it would leave the square
  const sign = (held === handles.axis ? flipped : ahead) ? -1 : 1;
  const end = state.minimum.map((part, i) => part + sign * axis[i]);
  const places = { minimum: at(state.minimum), axis: at(end) };
  for (const [name, [x, y]] of Object.entries(places)) {
    handles[name].style.transform = `translate(${x}px, ${y}px)`;
    ink(context, theme.background, 1, 2);
    circle(context, x, y, 0.5 * size);
    context.fill();
    ink(context, theme.accent, 1, 2);
    context.stroke();
  }
  circle(context, ...places.minimum, 0.22 * size);
  context.fill();
  label(plane, "turn", places.axis);
  label(plane, "minimum", places.minimum);
}

function label({ context, size, theme }, text, [x, y]) {
  const right = context.canvas.clientWidth - context.measureText(text).width;
  const isHigh = y < 3.3 * size; // where the axis has its name
  const [left, bottom] = [Math.min(x + 0.8 * size, right), y + (isHigh ? 2.1 : -0.7) * size];
  writeOver(context, text, left, bottom, "left", "bottom", theme);
}

const told = (part) =>
  part === 0 ? "0" : Math.abs(part) < 0.0005 ? plain(part, 2) : typeset(part.toFixed(3));
const pair = (point) => `(${point.map(told).join(", ")})`;

function remark(ball, { minimum }, found) {
  if (found[0] === minimum) return "The minimum lies in the ball, so the constraint changes nothing.";
  if (found.length > 1) {
    return (
      "Not convex: the filled point has the smallest loss. A hollow point is only a local " +
      "minimum, where an algorithm may end."
    );
  }
  if (corner(ball) === 0) return "No corner on an axis: nearly every minimum gives a θ̂ without zeros.";
  return found[0].includes(0)
    ? "A corner holds θ̂: one weight is exactly 0. Drag on: how far does it hold?"
    : "θ̂ slides along the boundary, and no weight is 0. Drag on, until a corner catches it.";
}

// Before the answer: what the reader has found.
function tried(point, trail) {
  const [zeros, places] = [zerosOf(trail), trail.length];
  if (places === 1) return "The bold ring is the first that touches the shape: at θ̂. Drag the minimum, and watch θ̂.";
  const here = point.includes(0) ? `Here θ̂${"₁₂"[point.indexOf(0)]} is 0.` : "Here neither weight is 0.";
  return `${here} Of the ${places} places that you tried, ${zeros} gave a 0. Try all sides, then guess.`;
}

const zerosOf = (trail) => trail.filter(({ zero }) => zero >= 0).length;

function readOut({ root, state, share, trail, handles, ball, data: { most } }, found, covered) {
  const point = `θ̂ = ${pair(found[0])}`;
  root.classList.toggle("covered", covered);
  root.querySelector(".note").textContent = covered
    ? tried(found[0], trail)
    : `${point}. ${remark(ball, state, found)} ${format(share, "percent")} of the minima outside the ball, in this square, give a zero.`;
  const zeros = zerosOf(trail);
  Object.assign(root.dataset, { trail: `${zeros} of ${trail.length}`, point: JSON.stringify(found[0]), state: JSON.stringify(state), share });
  Object.assign(handles.minimum, {
    ...{ ariaValueNow: state.minimum[0], ariaValueMin: -most, ariaValueMax: most },
    ariaValueText: `minimum ${pair(state.minimum)}, touching point ${point}`,
  });
  Object.assign(handles.axis, {
    ...{ ariaValueNow: state.tilt, ariaValueMin: 0, ariaValueMax: 179 },
    ariaValueText: `tilt ${state.tilt} degrees, ratio ${state.ratio}`,
  });
}

export default toy(createView, (view, data) => {
  view.data = data;
  follow(view);
}, { paint });
