// The pictures of "Be the SVM": W, the samples at their scores, the bar, and the layers of the SMM.
// A sample is a tag whose tip points where it wants to go, and stands at its score.

import { circle, ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { paintMatrix } from "../lib/toy.js";
import { BEST, C, COUNT, HALF, INK, SIDE, y } from "./samples.js";
import { decimals } from "./words.js";

const STRONGEST = 2; // what is larger has the same colour
export const toSteps = (W, strongest = STRONGEST) => W.map((weight) => (127 * weight) / strongest);
const bold = (context) => (context.font = `600 ${context.font}`);
const corner = (k, cell) => [(k % SIDE) * cell, Math.floor(k / SIDE) * cell];

// ---- W -------------------------------------------------------------------------------------

function ruleCells(context, { text }, x, y, side) {
  ink(context, text, 0.12);
  for (let i = 1; i < SIDE; i++) {
    const at = (i * side) / SIDE;
    trace(context, [x + at, y], [x + at, y + side]).stroke();
    trace(context, [x, y + at], [x + side, y + at]).stroke();
  }
}

export function drawW(view) {
  const { theme, canvases: { W: canvas }, shown, pointed, step, pull, hint, isHinted, X, levels } = view;
  const { context, width } = paintMatrix(view, canvas, [SIDE, SIDE], toSteps(shown.W));
  const cell = width / SIDE;
  ruleCells(context, theme, 0, 0, width);
  if (pull && step === 4) { // as it was before, in the middle of each cell
    fillCells(view.cells, [SIDE, SIDE], toSteps(pull.W), theme.diverging);
    pull.W.forEach((_, k) => context.drawImage(view.cells, ...corner(k, 1), 1, 1, ...corner(k, cell).map((at) => at + 0.32 * cell), 0.36 * cell, 0.36 * cell));
  }
  const mark = (k) => {
    ink(context, theme.accent, 1, 4);
    context.strokeRect(...corner(k, cell).map((at) => at + 2), cell - 4, cell - 4);
  };
  if (pointed >= 0 && step < 4) { // its ink, laid on W
    ink(context, theme.background, 0.86);
    X[pointed].forEach((entry, k) => entry < INK / 2 && context.fillRect(...corner(k, cell), cell, cell));
    X[pointed].forEach((entry, k) => entry > INK / 2 && mark(k));
  }
  if (view.stroke !== null || canvas.matches(":focus-visible")) mark(view.stroke ?? view.cell);
  if (!isHinted || !hint?.levels) return;
  context.font = `700 ${0.4 * cell}px ${getComputedStyle(canvas).fontFamily}`;
  hint.levels.forEach((level, k) => {
    if (level === levels[k]) return;
    mark(k);
    const [x, top] = corner(k, cell);
    writeOver(context, level > levels[k] ? "+" : "−", x + cell / 2, top + cell / 2, "center", "middle", theme);
  });
}

// ---- the samples ---------------------------------------------------------------------------

const LIMIT = 1.5; // of the scores that are in view

// Where things stand on the axis; what is further out stands at its end.
function measure({ shown, centre, cost }, { width, height, size, ratio }) {
  const foot = 2 * size;
  const pitch = (height - foot - 4) / (HALF + 0.5);
  const side = (SIDE * Math.floor((Math.min(pitch - 0.5, 2.4 * size) * ratio) / SIDE)) / ratio; // whole pixels
  const unit = (width / 2 - 0.2 * side) / LIMIT;
  const line = width / 2 - unit * (shown.b + centre);
  const tip = side / 3;
  const room = 1.4 * side; // for a sample of either class at the end of the axis
  const tips = Array.from(cost.scores, (score, i) => [
    Math.max(room, Math.min(width - room, line + unit * score)),
    2 + pitch * ((i % HALF) + (i < HALF ? 0.5 : 1)),
  ].map((at) => Math.round(at * ratio) / ratio));
  return { foot, side, tip, unit, line, tips, bottom: height - foot, middle: width / 2 - unit * centre };
}

export function drawAxis(view) {
  const { theme, step, cost, pointed, pull, canvases } = view;
  const sheet = openSheet(canvases.axis);
  const { context } = sheet;
  const { line, unit, bottom, tips } = (view.places = measure(view, sheet));
  if (step > 1) drawMargin(context, view);
  ink(context, step < 4 ? theme.accent : theme.text, 1, 3);
  trace(context, [line, 0], [line, bottom]).stroke();
  cost.losses.forEach((loss, i) => {
    if (step === 1 || loss < 1e-6) return;
    const [[x, middle], end] = [tips[i], line + y[i] * unit];
    ink(context, theme.event, 1, 2.6);
    trace(context, [x, middle], [end, middle]).stroke();
    circle(context, end, middle, 3.4);
    context.fill();
  });
  const order = [...tips.keys()].sort((a, b) => (a === pointed) - (b === pointed));
  for (const i of order) drawTag(context, view, i);
  if (pull?.pointer) { // W gives way: the sample stays behind the hand
    ink(context, theme.accent, 1, 2);
    trace(context, tips[pull.i], [pull.pointer, tips[pull.i][1]]).stroke();
  }
  writeFoot(sheet, view);
}

function drawMargin(context, { theme, places: { line, unit, bottom } }) {
  ink(context, theme.text, 0.05);
  context.fillRect(line - unit, 0, 2 * unit, bottom);
  ink(context, theme.text, 1, 2);
  for (const edge of [-unit, unit]) trace(context, [line + edge, 0], [line + edge, bottom]).stroke();
}

// A wrong one has a tip in the colour of loss. In step 4 a tip is filled up to the load, and a sample
// without load is pale.
function drawTag(context, { theme, X, cost, step, best, pointed, places: { tips, side, tip } }, i) {
  const [x, middle] = tips[i];
  const load = step === 4 ? best.alpha[i] / C : null;
  const [top, base] = [middle - side / 2, x - y[i] * tip];
  const back = base - y[i] * side;
  const outline = [[back, top], [base, top], [x, middle], [base, top + side], [back, top + side]];
  ink(context, theme.background);
  trace(context, ...outline).fill();
  if (load === null) ink(context, ...(y[i] * cost.scores[i] > 1e-9 ? [theme.text, 0.1] : [theme.event]));
  else ink(context, theme.text);
  context.save();
  trace(context, ...outline.slice(1, 4)).clip();
  const full = load ?? 1;
  context.fillRect(Math.min(base, x), top + (1 - full) * side, tip, full * side);
  context.restore();
  const strength = load === 0 ? 0.35 : 1;
  X[i].forEach((entry, k) => {
    const [across, down] = corner(k, side / SIDE);
    ink(context, theme.text, strength * Math.max(0, Math.min(1, entry / INK)));
    context.fillRect(Math.min(base, back) + across, top + down, side / SIDE, side / SIDE);
  });
  if (i === pointed) ink(context, theme.accent, 1, 3);
  else ink(context, theme.text, strength, load > 0 ? 2 : 1.2);
  trace(context, ...outline, outline[0]).stroke();
}

function writeFoot({ context, size, width }, { theme, step, places: { line, unit, bottom, foot } }) {
  const base = bottom + foot / 2;
  ink(context, theme.text, 0.75);
  const room = step > 1 ? unit : width / 2; // beside the line; from step 2 on there are edges, with their numbers
  const hasRoom = room > 8 * size && Math.abs(line - width / 2) < size;
  write(context, hasRoom ? "◂ frames" : "◂", 2, base, "left", "middle");
  write(context, hasRoom ? "crosses ▸" : "▸", width - 2, base, "right", "middle");
  const inMargin = step > 1 && hasRoom ? [-0.5, 0.5] : [];
  for (const half of inMargin) write(context, "margin", line + half * unit, base, "center", "middle");
  ink(context, theme.accent);
  circle(context, line, base, 0.44 * foot);
  if (step < 4) context.fill();
  bold(context);
  ink(context, step < 4 ? theme.background : theme.text);
  write(context, "0", line, base + 1, "center", "middle");
  ink(context, theme.text);
  if (step > 1) for (const edge of [-1, 1]) write(context, edge < 0 ? "−1" : "1", line + edge * unit, base, "center", "middle");
}

// ---- the bar -------------------------------------------------------------------------------

const FEW_THREADS = 12; // their length, in step 2

// What the height of a bar stands for: a unit, doubled until the bar fits. So each change of the bar is seen.
const heightFor = (value, unit) => unit * 2 ** Math.max(0, Math.ceil(Math.log2(value / unit)));

// Step 1 counts what is wrong, step 2 piles the threads up; then each costs C, and the size of W is below.
export function drawBar({ theme, step, cost, best, canvases }) {
  const { context, width, height, size } = openSheet(canvases.bar);
  const wrong = Array.from({ length: COUNT - cost.right }, () => 1);
  const [foot, parts] = step === 1 ? [0, wrong] : step === 2 ? [0, cost.losses] : [cost.size, cost.losses.map((loss) => C * loss)];
  const total = [wrong.length, cost.loss, cost.objective, cost.objective][step - 1];
  const full = step === 1 ? COUNT : heightFor(total, step === 2 ? FEW_THREADS : 2 * BEST.dual); // `best` moves with the samples
  const [ground, ceiling, wide] = [height - 2, 1.8 * size, Math.min(3.8 * size, 0.4 * width)];
  const at = (value) => ground - ((ground - ceiling) * value) / full;
  if (step > 2) drawFloor(context, theme, at(best.dual), ground, width);
  context.clearRect(0, at(full), wide, ground - at(full));
  ink(context, theme.text, 0.06);
  context.fillRect(0, at(full), wide, ground - at(full));
  ink(context, theme.text, 0.75);
  context.fillRect(0, at(foot), wide, ground - at(foot));
  ink(context, theme.event);
  let top = foot;
  for (const part of parts) {
    const from = at(top);
    top += part;
    if (part > 1e-6) context.fillRect(0, at(top), wide, Math.max(0.6, from - at(top) - 1));
  }
  const floor = at(best.dual) + 0.9 * size; // its letters; others give way
  const clear = (middle, other) => (Math.abs(middle - other) < 1.3 * size ? other + 1.3 * size : middle);
  const threads = clear((at(foot) + at(total)) / 2, floor);
  const labels = [["threads", threads, theme.event], ["size of W", clear(clear((ground + at(foot)) / 2, floor), threads), theme.text]];
  for (const [name, middle, colour] of step > 2 ? labels : []) writeOver(context, name, wide + 8, middle, "left", "middle", theme, colour);
  bold(context);
  if (step > 2) writeOver(context, width > 10 * size ? `floor ${decimals(best.dual, 2)}` : "floor", wide + 8, floor, "left", "middle", theme);
  if (step > 1) writeOver(context, decimals(total, step === 4 ? 2 : 1), wide / 2, at(total) - 0.8 * size, "center", "middle", theme);
}

function drawFloor(context, theme, floor, ground, width) {
  ink(context, theme.border);
  for (let x = 0; x < width + ground - floor; x += 9) trace(context, [x, floor], [x - ground + floor, ground]).stroke();
  ink(context, theme.text, 1, 3);
  trace(context, [0, floor], [width, floor]).stroke();
}

// ---- the last step -------------------------------------------------------------------------

// W of the SMM, and its first two layers, each a column times a row.
export function drawLayers(view) {
  const { theme, smm: { W, kept, rank, layers: { U, V } }, canvases } = view;
  const { context, width, height, size } = openSheet(canvases.axis);
  const strip = 0.9 * size;
  const tile = Math.min(height / 2 - 3.2 * size, 0.36 * width);
  const side = Math.min(height - 2, width - tile - 3.4 * size);
  const show = (entries, strongest, shape, x, top, w, h) => {
    ink(context, theme.border);
    drawCells(context, view, shape, toSteps(entries, strongest), theme.diverging, { x, y: top, w, h });
  };
  show(W, STRONGEST, [SIDE, SIDE], 1, 1, side, side);
  ruleCells(context, theme, 1, 1, side);
  bold(context);
  for (let i = 0; i < Math.min(2, rank); i++) {
    const [x, top] = [width - tile - 1, (i * height) / 2 + 3 * size];
    const [column, row] = [U, V].map((vectors) => Float64Array.from({ length: SIDE }, (_, k) => vectors[k * SIDE + i]));
    ink(context, theme.text);
    write(context, `${i ? "+" : "="} layer ${i + 1}${i && rank > 2 ? ` (+ ${rank - 2} more)` : ""}${width > 30 * size ? `, height ${decimals(kept[i])}` : ""}`, x - strip - 4, top - 2 * size, "left", "middle");
    show(column, 0.8, [SIDE, 1], x - strip - 4, top, strip, tile);
    show(row, 0.8, [1, SIDE], x, top - strip - 4, tile, strip);
    show(W.map((_, k) => kept[i] * column[Math.floor(k / SIDE)] * row[k % SIDE]), STRONGEST, [SIDE, SIDE], x, top, tile, tile);
    ruleCells(context, theme, x, top, tile);
  }
}

// Mistakes of 1,000 new samples.
export function drawMistakes({ theme, svm, smm, canvases }) {
  const { context, width, height, size } = openSheet(canvases.bar);
  const bars = [[svm.mistakes, "SVM", theme.svm], [smm.mistakes, "SMM", theme.smm]];
  const [ground, most] = [height - 1.6 * size, Math.max(...bars.map(([count]) => count))];
  bars.forEach(([count, name, colour], k) => {
    const [x, wide, tall] = [(width * (k + 0.5)) / 2, 0.3 * width, ((ground - 2 * size) * count) / most];
    ink(context, colour);
    context.fillRect(x - wide / 2, ground - tall, wide, tall);
    ink(context, theme.text);
    write(context, decimals(count, 0), x, ground - tall - 0.8 * size, "center", "middle");
    write(context, name, x, ground + 0.9 * size, "center", "middle");
  });
}
