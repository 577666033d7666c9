// Paint a hidden W*: it labels random samples, and two classifiers look for it in them.
//
// The cells of a painting are -1, 0 and 1. When the hand rests, the page is told, and answers with a
// run, whose frames `pull` in lib/pull.js fetches: each is one draw of samples at one n, with the W of
// that draw and the means over the draws so far.

import { answer } from "../lib/answer.js";
import { circle, ink, openSheet, trace, write } from "../lib/canvas.js";
import { curvesOf, drawCurves, sayRight, sayVerdict, whole } from "../lib/learning.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { SIDE, STRENGTH, encode, paintingOf, rankOf, stepsOf } from "../lib/painting.js";
import { bytesOf } from "../lib/packed.js";
import { photoPill, watchPhoto } from "../lib/photo.js";
import { get, placeOf, set } from "../lib/settings.js";
import { afterKeys, canvasOf, drag, invalidate, isHeld, layOver, onArrows, onPress, paintMatrix, place, sayMoved, sections, slide, title, toy, watchRun, watchSlider } from "../lib/toy.js";

const BRUSHES = { plus: [1], minus: [-1], erase: [0] };
const FOUND = { svm: "SVM", smm: "SMM" };
const GRAIN = 8000; // steps of an entry of 1 in a sample
const PALE = 45; // of 127 colours, that of an entry of 1

const pill = (group) => (name) =>
  `<label class="pill"><input type="radio" name="${group}" value="${name}"><i></i>${name}</label>`;

const skeleton = (paintings) => `
  <div class="panels">
    <div class="left">${sections({ W: [""], strip: ["Six samples", "all noise"] })}</div>
    <div class="right">
      ${sections({ svm: [FOUND.svm], smm: [FOUND.smm] })}
      <div class="tools">
        <div>${Object.keys(paintings).map(pill("painting")).join("")}</div>
        <div>${Object.keys(BRUSHES).map(pill("brush")).join("")}<button>Clear</button>${photoPill("Photo")}</div>
      </div>
      <section class="chart">
        <header><b>Right of 1,000 new samples</b> <span>drag n, the number of training samples</span></header>
        <div class="sheet time"><input type="range" min="0" aria-label="Training samples n"><canvas role="img"></canvas></div>
      </section>
    </div>
    <p class="note" role="status"></p>
  </div>`;

function createView(parent, { paintings, counts }) {
  const root = place(parent, "paint", skeleton(paintings));
  const view = {
    root,
    W: canvasOf(root, "W"),
    slider: root.querySelector("[type=range]"),
    strip: canvasOf(root, "strip"),
    chart: root.querySelector(".time canvas"),
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
  view.W.onkeydown = onArrows((way) => onKey(view, way), " ", "Enter");
  view.W.onfocus = view.W.onblur = () => invalidate(view);
  root.querySelector("button").onclick = () => load(view, new Array(SIDE * SIDE).fill(0));
  watchPhoto(root, [SIDE, SIDE], (greys, name) => {
    const painting = paintingOf(greys);
    if (painting.some(Boolean)) load(view, painting);
    else complain(view, `${name} has a single grey: there is nothing to paint.`);
  }, (sentence) => complain(view, sentence));
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

// Move the cursor, or paint where it is.
function onKey(view, [right, up]) {
  const { painting, brush, cursor: [row, column] } = view;
  if (right || up) view.cursor = [row - up, column + right].map((part) => Math.max(0, Math.min(SIDE - 1, part)));
  else {
    const cell = row * SIDE + column;
    painting[cell] = painting[cell] === brush ? 0 : brush;
    afterKeys(view, () => report(view));
  }
  invalidate(view);
}

function load(view, painting) {
  if (painting) view.painting = [...painting];
  report(view);
}

// What is wrong with a file is said until something is painted.
function complain(view, sentence) {
  view.complaint = sentence;
  invalidate(view);
}

function report(view) {
  view.complaint = "";
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
  const { root, painting, data: { cells }, shown: run, theme } = view;
  const isFresh = run === view.latest && !isPainting(view) && String(painting) === String(cells);
  root.classList.toggle("stale", !isFresh);
  root.classList.toggle("blank", !painting.some(Boolean)); // nothing labels the samples
  paintHidden(view);
  paintStrip(view);
  const curves = curvesOf(run?.metrics, view.data.counts, view.data.counts.indexOf(view.n));
  if (run) {
    for (const name of Object.keys(FOUND)) paintFound(view, name);
    const { x, left, right, bottom } = drawCurves(view.chart, curves, theme);
    layOver(view.slider, left, right);
    const context = view.chart.getContext("2d");
    ink(context, theme.accent);
    circle(context, x(view.n), bottom, 8);
    context.fill();
  }
  readOut(view, rankOf(painting), isFresh ? curves : null);
}

// What both classifiers see: noise, with the sign of <W*, X>, which changes while one paints.
function paintStrip({ strip, samples, cells, painting, theme }) {
  const { context, width, height, size } = openSheet(strip);
  const side = Math.min(height - 1.3 * size, width / samples.length - 0.6 * size);
  context.font = `600 ${context.font}`;
  const signs = samples.map((sample) => Math.sign(sample.reduce((sum, entry, k) => sum + entry * painting[k], 0)));
  samples.forEach((sample, i) => {
    const x = (i * (width - side - 1)) / (samples.length - 1) + 0.5;
    const steps = sample.map((entry) => (PALE * entry) / GRAIN);
    ink(context, theme.border);
    drawCells(context, { cells }, [SIDE, SIDE], steps, theme.diverging, { x, y: 0.5, w: side, h: side });
    ink(context, theme.text);
    write(context, "−?+"[signs[i] + 1], x + side / 2, side + 0.25 * size, "center", "top");
  });
  strip.ariaLabel = `Six samples of noise; W* gives them the signs ${signs.map((sign) => "−?+"[sign + 1]).join(" ")}`;
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
  paintMatrix(view, canvasOf(root, name), [SIDE, SIDE], stepsOf(run, frame, `W_${name}`, run.norm));
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

function sentence(view, rank, curves) {
  const { painting, n } = view;
  const begin = `Rank ${rank} of ${SIDE}`;
  if (!painting.some(Boolean)) return "W* is zero everywhere and labels nothing. Paint some cells.";
  if (!curves?.draws) return isPainting(view) ? `${begin}.` : `${begin}. Both classifiers are being trained on ${n} samples …`;
  const { svm, smm, at, draws } = curves;
  const found = `${begin}, n = ${n}: ${sayRight({ svm: svm[at], smm: smm[at] })}.`;
  if (draws === 1) return `${found} That is one draw of the samples; more are on their way.`;
  return `${found} ${sayVerdict(curves)}`;
}

function readOut(view, rank, curves) {
  const { root, W, painting, slider, data: { paintings, counts }, latest, shown: run, n, cursor: [row, column] } = view;
  const count = (value) => painting.filter((cell) => cell === value).length;
  const here = ["minus", "empty", "plus"][painting[row * SIDE + column] + 1];
  title(root, "W", "W*: paint here", `rank ${rank}`, `of ${SIDE}`);
  W.ariaLabel =
    `W*: ${count(1)} cells plus, ${count(-1)} minus, rank ${rank}. Row ${row + 1}, column ${column + 1}: ${here}`;
  const found = {}; // of each classifier
  for (const [name, label] of Object.entries(FOUND)) {
    const ranks = run?.metrics[`rank_${name}`];
    if (curves?.draws) found[name] = whole(curves[name][curves.at]);
    const texts = found[name] ? [`${found[name]} right`, `rank ${ranks[run.metrics.n.indexOf(n)]}`] : [""];
    title(root, name, label, ...texts);
  }
  const plain = view.complaint || (latest.phase === "failed" && latest.message);
  root.querySelector(".note")[plain ? "textContent" : "innerHTML"] = plain || sentence(view, rank, curves);
  const numbers = found.smm ? `: linear SVM ${found.svm} right, SMM ${found.smm}` : "";
  view.chart.ariaLabel = "Learning curves of both classifiers";
  slide(slider, counts.indexOf(n), `n = ${n}${numbers}`);
  for (const input of root.querySelectorAll("[name=painting]")) {
    input.checked = String(paintings[input.value]) === String(painting);
  }
  Object.assign(root.dataset, { rank, n, draws: curves?.draws || 0, ...found });
}

function adopt(view, data) {
  view.data = data;
  const entries = [...new Int16Array(bytesOf(data.samples).buffer)];
  view.samples = Array.from({ length: entries.length / SIDE ** 2 }, (_, i) => entries.slice(i * SIDE ** 2, (i + 1) * SIDE ** 2));
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
