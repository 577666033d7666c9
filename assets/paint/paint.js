// Paint a hidden W*: it labels random samples, and two classifiers look for it in them.
//
// The cells of a painting are -1, 0 and 1. When the hand rests, the page is told, and answers with a
// run, whose frames `pull` in lib/pull.js fetches: each is one draw of samples at one n, with the W of
// that draw and the means over the draws so far.

import { answer } from "../lib/answer.js";
import { circle, ink, trace, write } from "../lib/canvas.js";
import { paintLines } from "../lib/lines.js";
import { format } from "../lib/numbers.js";
import { fillCells } from "../lib/pictures.js";
import { valuesAt } from "../lib/store.js";
import { encode, rankOf } from "./painting.js";
import { get, placeOf, set } from "../lib/settings.js";
import { ARROWS, afterKeys, canvasOf, drag, invalidate, isHeld, layOver, onPress, paintMatrix, place, say, sayMoved, sections, slide, toy, watchRun, watchSlider } from "../lib/toy.js";

const SIDE = 20;
const STRENGTH = 105; // of 127 colours, that of a painted cell
const BRUSHES = { plus: [1], minus: [-1], erase: [0] };
const FOUND = { svm: "Linear SVM", smm: "SMM" };

const pill = (group) => (name) =>
  `<label class="pill"><input type="radio" name="${group}" value="${name}"><i></i>${name}</label>`;

const skeleton = (paintings) => `
  <div class="panels">
    ${sections({ W: ["W*: paint here"], svm: [FOUND.svm], smm: [FOUND.smm] })}
    <div class="row tools">
      <div class="row">${Object.keys(BRUSHES).map(pill("brush")).join("")}<button>Clear</button></div>
      <div class="row">${Object.keys(paintings).map(pill("painting")).join("")}</div>
    </div>
  </div>
  <p class="note" role="status"></p>
  <div class="sheet time"><input type="range" min="0" aria-label="Training samples n"><canvas></canvas></div>`;

function createView(parent, { paintings, chart, counts }) {
  const root = place(parent, "paint", skeleton(paintings));
  const view = {
    root,
    W: canvasOf(root, "W"),
    slider: root.querySelector("[type=range]"),
    chart: { spec: chart, canvas: root.querySelector(".time canvas") },
    cells: new OffscreenCanvas(1, 1),
    cursor: [0, 0], // row and column, of the keyboard
    brush: 1,
  };
  Object.assign(view.W, { tabIndex: 0, role: "application" });
  onPress(view.W, (event) => {
    view.last = null;
    stroke(view, event);
    drag(view, view.W, event, (moved) => stroke(view, moved), () => report(view));
  });
  view.W.onkeydown = (event) => onKey(view, event);
  view.W.onfocus = view.W.onblur = () => invalidate(view);
  root.querySelector("button").onclick = () => load(view, new Array(SIDE * SIDE).fill(0));
  root.querySelector("[value=plus]").checked = true;
  root.onchange = ({ target: { name, value } }) => {
    if (name === "brush") [view.brush] = BRUSHES[value];
    if (name === "painting" && answer.reveal()) load(view, paintings[value]);
    invalidate(view); // with "Ask me first" the answer may still be hidden
  };
  view.slider.max = counts.length - 1;
  watchSlider(view, view.slider, (place) => (view.n = counts[place]), () => report(view));
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

const isPainting = ({ held, W }) => held === W;

// All cells between the last place of the pointer and this one: a quick hand leaves no gaps.
function stroke(view, { clientX, clientY }) {
  const { left, top, width, height } = view.W.getBoundingClientRect();
  const to = [((clientY - top) / height) * SIDE, ((clientX - left) / width) * SIDE].map(Math.floor);
  const from = view.last ?? to;
  const steps = Math.max(1, ...to.map((part, i) => Math.abs(part - from[i])));
  for (let k = 0; k <= steps; k++) {
    const [row, column] = to.map((part, i) => Math.round(from[i] + (k / steps) * (part - from[i])));
    if (Math.min(row, column) >= 0 && Math.max(row, column) < SIDE) view.painting[row * SIDE + column] = view.brush;
  }
  view.last = to;
  invalidate(view);
}

function onKey(view, event) {
  const { painting, brush, cursor: [row, column] } = view;
  const [right, up] = ARROWS[event.key] ?? [0, 0];
  const paints = event.key === " " || event.key === "Enter";
  if (!paints && !(event.key in ARROWS)) return;
  event.preventDefault();
  event.stopPropagation();
  view.cursor = [row - up, column + right].map((part) => Math.max(0, Math.min(SIDE - 1, part)));
  const cell = row * SIDE + column;
  if (paints) painting[cell] = painting[cell] === brush ? 0 : brush;
  if (paints) afterKeys(view, () => report(view));
  invalidate(view);
}

function load(view, painting) {
  if (painting) view.painting = [...painting];
  report(view);
}

function report(view) {
  const { painting, n, data: { counts, nKnob, key, paintings } } = view;
  const name = Object.keys(paintings).find((each) => String(paintings[each]) === String(painting));
  const isUsual = name === Object.keys(paintings)[0];
  if (painting.some(Boolean)) {
    view.text = name ?? encode(painting);
    set({ [key]: isUsual ? null : view.text }, false);
  }
  sayMoved(view, [[nKnob, counts.indexOf(n)]]);
}

// ---- what is drawn -------------------------------------------------------------------------

function show(view, run) {
  if (run.count > 0) view.shown = run; // it may have been stopped before its first frame
  invalidate(view);
}

function paint(view) {
  const { root, painting, data: { cells, counts, axis }, shown: run, chart, theme } = view;
  const frame = counts.indexOf(view.n);
  const isFresh = run === view.latest && !isPainting(view) && String(painting) === String(cells);
  const known = {}; // numbers at this n, of this painting
  root.classList.toggle("stale", !isFresh);
  paintHidden(view);
  if (run) {
    for (const name of Object.keys(FOUND)) paintFound(view, name);
    const means = {}; // over the draws so far, for each n; NaN where there is none yet
    for (const [name, values] of Object.entries(run.metrics)) {
      means[name] = counts.map((n) => values[run.metrics.n.lastIndexOf(n)] ?? NaN);
      if (isFresh) known[name] = means[name][frame];
    }
    const { url, count: total, extents } = run;
    paintLines(chart, { shown: { url, axis, metrics: means, extents, count: counts.length, total }, frame, theme });
    const { left, right, bottom, x } = chart.place;
    layOver(view.slider, left, right);
    const context = chart.canvas.getContext("2d");
    ink(context, theme.accent);
    circle(context, x(frame), bottom, 8);
    context.fill();
    write(context, "drag n", x(frame) + 16, bottom - 4, "left", "bottom");
  }
  readOut(view, rankOf(painting), known);
}

function paintHidden(view) {
  const { W, painting, theme, cursor: [row, column] } = view;
  const steps = painting.map((cell) => STRENGTH * cell);
  const { context, width: w, height: h } = paintMatrix(view, W, [SIDE, SIDE], steps);
  ink(context, theme.border, 0.35);
  for (let i = 1; i < SIDE; i++) {
    trace(context, [0, (i / SIDE) * h], [w, (i / SIDE) * h]).stroke();
    trace(context, [(i / SIDE) * w, 0], [(i / SIDE) * w, h]).stroke();
  }
  if (!W.matches(":focus-visible")) return;
  ink(context, theme.accent, 1, 3);
  context.strokeRect((column / SIDE) * w, (row / SIDE) * h, w / SIDE, h / SIDE);
}

// All three W have norm 1 and one scale, in which a cell of W* has the colour of its painting.
function paintFound(view, name) {
  const { root, shown: run, n } = view;
  const frame = run.metrics.n.indexOf(n); // of the first draw; without one the picture is blank
  const [scale] = valuesAt(run, frame, `W_${name}_scale`);
  const unit = (STRENGTH * scale * run.norm) / 127;
  const steps = Array.from(valuesAt(run, frame, `W_${name}`), (level) => level * unit);
  paintMatrix(view, canvasOf(root, name), [SIDE, SIDE], steps);
}

// Colours of the brushes, and small pictures of the paintings.
function paintPills({ root, data: { paintings }, theme }) {
  const stamp = document.createElement("canvas");
  for (const [name, painting] of Object.entries({ ...BRUSHES, ...paintings })) {
    const side = Math.sqrt(painting.length);
    fillCells(stamp, [side, side], painting.map((cell) => STRENGTH * cell), theme.diverging);
    root.querySelector(`[value="${name}"] + i`).style.backgroundImage = `url(${stamp.toDataURL()})`;
  }
}

const percent = (value) => format(value, "percent");

function sentence(view, rank, { draws, svm, smm, gain, error_gain: error }) {
  const { painting, latest, n } = view;
  const begin = `Rank ${rank} of ${SIDE}`;
  if (!painting.some(Boolean)) return "W* is zero everywhere and labels nothing. Paint some cells.";
  if (latest.phase === "failed") return latest.message;
  if (!draws) return isPainting(view) ? `${begin}.` : `${begin}. Both classifiers are being trained on ${n} samples …`;
  const found = `${begin}: the SMM gets ${percent(smm)} of new samples right, the linear SVM ${percent(svm)}.`;
  if (draws === 1) return `${found} That is one draw of the samples; more are on their way.`;
  const verdict = Math.abs(gain) <= 2 * error ? "A tie:" : gain > 0 ? "A gain of" : "A loss of";
  const points = [Math.abs(gain), error].map((share) => (100 * share).toFixed(1)).join(" ± ");
  return `${found} ${verdict} ${points} points (${draws} draws).`;
}

function readOut(view, rank, known) {
  const { root, W, painting, slider, data: { paintings, counts }, shown: run, n, cursor: [row, column] } = view;
  const count = (value) => painting.filter((cell) => cell === value).length;
  const here = ["minus", "empty", "plus"][painting[row * SIDE + column] + 1];
  say(root, "W", `rank ${rank} of ${SIDE}`);
  W.ariaLabel =
    `W*: ${count(1)} cells plus, ${count(-1)} minus, rank ${rank}. Row ${row + 1}, column ${column + 1}: ${here}`;
  for (const [name, title] of Object.entries(FOUND)) {
    const ranks = run?.metrics[`rank_${name}`];
    const text = known.draws ? `${percent(known[name])}, rank ${ranks[run.metrics.n.indexOf(n)]}` : "";
    say(root, name, text);
    canvasOf(root, name).ariaLabel = `W of the ${title}: ${text}`;
  }
  root.querySelector(".note").textContent = sentence(view, rank, known);
  const numbers = known.draws ? `, linear SVM ${percent(known.svm)}, SMM ${percent(known.smm)}` : "";
  slide(slider, counts.indexOf(n), `n = ${n}${numbers}`);
  for (const input of root.querySelectorAll("[name=painting]")) {
    input.checked = String(paintings[input.value]) === String(painting);
  }
  Object.assign(root.dataset, { rank, n, draws: known.draws || 0, svm: known.svm, smm: known.smm });
}

function adopt(view, data) {
  view.data = data;
  const text = get(data.key) ?? data.usual;
  if (!isHeld(view)) {
    view.n = data.counts[placeOf(data.nKnob)];
    // A script that ran while the hand was still moving speaks of an older painting, and one that is
    // cleared has no address.
    if (text === data.painting && text !== view.text) Object.assign(view, { text, painting: [...data.cells] });
  }
  watchRun(view, data.url);
  view.latest.norm = Math.hypot(...data.cells);
  paintPills(view);
}

export default toy(createView, adopt, { paint, show });
