// The pictures of "Be the SVM": W, the samples at their scores, the bar, and two W side by side.

import { circle, ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { drawCells } from "../lib/pictures.js";
import { C, CELLS, COUNT, HALF, INK, SIDE, y } from "./samples.js";
import { decimals } from "./words.js";

const STRONGEST = 2; // what is larger has the same colour
export const toSteps = (W, strongest = STRONGEST) => Float64Array.from(W, (weight) => (127 * weight) / strongest);
const bold = (context) => (context.font = `600 ${context.font.replace(/^600 /, "")}`);
const rowOf = (k) => Math.floor(k / SIDE);

// ---- W -------------------------------------------------------------------------------------

function drawGrid(context, view, W, x, y, side, strongest) {
  ink(context, view.theme.border);
  drawCells(context, view, [SIDE, SIDE], toSteps(W, strongest), view.theme.diverging, { x, y, w: side, h: side });
  ink(context, view.theme.text, 0.12);
  for (let i = 1; i < SIDE; i++) {
    const at = (i * side) / SIDE;
    trace(context, [x + at, y], [x + at, y + side]).stroke();
    trace(context, [x, y + at], [x + side, y + at]).stroke();
  }
}

export function drawW(view) {
  const { theme, canvases, shown, pointed, step, pull, hint, isHinted } = view;
  const { context, width } = openSheet(canvases.W);
  const cell = width / SIDE;
  const corner = (k) => [(k % SIDE) * cell, rowOf(k) * cell];
  drawGrid(context, view, shown.W, 0, 0, width);
  if (pointed >= 0 && step < 4) drawStencil(context, view, cell);
  if (step === 4 && pull && !view.isMine) {
    const inner = 0.36 * cell; // the colour before, in the middle of each cell
    for (let k = 0; k < CELLS; k++) {
      const [x, top] = corner(k).map((at) => at + (cell - inner) / 2);
      context.fillStyle = colourOf(theme, pull.W[k]);
      context.fillRect(x, top, inner, inner);
    }
  }
  ink(context, theme.accent, 1, 4);
  const mark = (k) => context.strokeRect(corner(k)[0] + 2, corner(k)[1] + 2, cell - 4, cell - 4);
  if (canvases.W.matches(":focus-visible") && step < 4) mark(view.cell);
  if (isHinted && hint?.levels) {
    context.font = `700 ${0.42 * cell}px ${context.font.split("px ")[1]}`;
    hint.levels.forEach((level, k) => {
      if (level === view.levels[k]) return;
      ink(context, theme.accent, 1, 4);
      mark(k);
      writeOver(context, level > view.levels[k] ? "+" : "−", corner(k)[0] + cell / 2, corner(k)[1] + cell / 2, "center", "middle", theme);
    });
  }
  if (view.demo !== null) drawHand(context, view, cell);
}

// The ink of the sample that is pointed at, laid on W.
function drawStencil(context, { theme, X, pointed }, cell) {
  const isInk = (row, column) => Math.min(row, column) >= 0 && Math.max(row, column) < SIDE && X[pointed][row * SIDE + column] > INK / 2;
  ink(context, theme.background, 0.86);
  X[pointed].forEach((entry, k) => {
    if (entry < INK / 2) context.fillRect((k % SIDE) * cell, rowOf(k) * cell, cell, cell);
  });
  ink(context, theme.accent, 1, 3);
  for (let row = 0; row <= SIDE; row++) {
    for (let column = 0; column <= SIDE; column++) {
      const [x, top] = [column * cell, row * cell];
      if (isInk(row, column) !== isInk(row - 1, column)) trace(context, [x, top], [x + cell, top]).stroke();
      if (isInk(row, column) !== isInk(row, column - 1)) trace(context, [x, top], [x, top + cell]).stroke();
    }
  }
}

// The hand that paints at the beginning; it comes from the left.
function drawHand(context, { theme, demo, opening }, cell) {
  const middle = (i) => (i < 0 ? [-0.5, 3] : [(opening[i] % SIDE) + 0.5, rowOf(opening[i]) + 0.5]);
  const i = Math.max(0, Math.floor(demo));
  const [from, to] = [middle(i - 1), middle(i)];
  const share = Math.min(1, Math.max(0, (demo - i) * 1.7));
  const [x, top] = from.map((part, axis) => (part + share * (to[axis] - part)) * cell);
  ink(context, theme.accent, 1, 5);
  circle(context, x, top, 0.26 * cell);
  context.stroke();
}

export function colourOf({ diverging }, weight) {
  const colour = diverging[127 + Math.max(-127, Math.min(127, Math.round((127 * weight) / STRONGEST)))];
  return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
}

// ---- the samples ---------------------------------------------------------------------------

export const LIMIT = 1.5; // of the scores that are in view
const TIP = 0.3; // of the side of a sample

// Where things stand on the axis, which is centred on the line as soon as the hand rests.
export function measure(view) {
  const { clientWidth: width, clientHeight: height } = view.canvases.axis;
  const letters = parseFloat(getComputedStyle(view.canvases.axis).fontSize);
  const foot = 2.2 * letters;
  const pitch = (height - foot - 4) / (HALF + 0.5);
  const side = Math.min(0.94 * pitch, 2.3 * letters);
  const unit = (width / 2 - 0.2 * side) / LIMIT;
  const line = width / 2 + unit * (-view.shown.b - view.centre);
  const edge = 0.6 * (1 + TIP) * side;
  const tips = Array.from(view.cost.scores, (score, i) => [
    Math.max(edge, Math.min(width - edge, line + unit * score)),
    2 + pitch * ((i % HALF) + (i < HALF ? 0.5 : 1)),
  ]);
  return { width, height, foot, side, unit, line, tips, bottom: height - foot };
}

export function drawAxis(view) {
  const { theme, step, cost, pointed } = view;
  const { context, size } = openSheet(view.canvases.axis);
  const places = (view.places = measure(view));
  const { line, unit, bottom, tips, side } = places;
  if (step > 1) drawMargin(context, view, places);
  ink(context, step < 4 ? theme.accent : theme.text, 1, 3);
  trace(context, [line, 0], [line, bottom]).stroke();
  if (step > 1) {
    cost.losses.forEach((loss, i) => {
      if (loss < 1e-6) return;
      const [[x, top], end] = [tips[i], line + y[i] * unit];
      ink(context, theme.event, 1, 2.6);
      trace(context, [x, top], [end, top]).stroke();
      circle(context, end, top, 3.4);
      context.fill();
    });
  }
  const order = [...tips.keys()].sort((a, b) => (a === pointed) - (b === pointed));
  for (const i of order) drawTag(context, view, i, tips[i], side);
  if (view.pull?.pointer !== undefined) drawLead(context, view, tips[view.pull.i]);
  writeFoot(context, view, places, size);
}

function drawMargin(context, { theme }, { line, unit, bottom }) {
  ink(context, theme.text, 0.05);
  context.fillRect(line - unit, 0, 2 * unit, bottom);
  ink(context, theme.text, 1, 2);
  for (const edge of [-1, 1]) trace(context, [line + edge * unit, 0], [line + edge * unit, bottom]).stroke();
}

// In step 4 a tip is filled by the load, and what has none is pale; before, what is wrong is marked.
function drawTag(context, view, i, [x, middle], side) {
  const { theme, X, cost, step, isMine, best, pointed, spot } = view;
  const load = step === 4 && !isMine ? best.alpha[i] / C : null;
  const isWrong = load === null && y[i] * cost.scores[i] <= 1e-9;
  const [top, tip, way] = [middle - side / 2, TIP * side, y[i]];
  const [base, back] = [x - way * tip, x - way * (tip + side)];
  const left = Math.min(base, back);
  const nose = () => trace(context, [base, top], [x, middle], [base, top + side]);
  const cell = side / SIDE;
  ink(context, theme.background);
  trace(context, [back, top], [base, top], [x, middle], [base, top + side], [back, top + side]).fill();
  ink(context, isWrong ? theme.event : theme.text, isWrong ? 1 : load === null ? 0.1 : 0);
  nose().fill();
  if (load > 0) {
    context.save();
    context.beginPath();
    context.rect(Math.min(base, x), top + (1 - load) * side, tip, side);
    context.clip();
    ink(context, theme.text);
    nose().fill();
    context.restore();
  }
  const strength = load === 0 ? 0.35 : 1;
  X[i].forEach((entry, k) => {
    const share = Math.max(0, Math.min(1, entry / INK));
    if (share < 0.02) return;
    ink(context, k === spot && step < 4 ? theme.accent : theme.text, strength * share);
    context.fillRect(left + (k % SIDE) * cell, top + rowOf(k) * cell, cell + 0.3, cell + 0.3);
  });
  ink(context, i === pointed ? theme.accent : theme.text, i === pointed ? 1 : strength, i === pointed ? 3 : load > 0 ? 2 : 1.2);
  trace(context, [back, top], [base, top], [x, middle], [base, top + side], [back, top + side]);
  context.closePath();
  context.stroke();
}

// From the tip of a sample to the hand that drags it: W gives way.
function drawLead(context, { theme, pull: { pointer } }, [x, middle]) {
  ink(context, theme.accent, 1, 2);
  context.setLineDash([3, 4]);
  trace(context, [x, middle], [pointer, middle]).stroke();
  context.setLineDash([]);
  circle(context, pointer, middle, 5);
  context.fill();
}

function writeFoot(context, { theme, step }, { line, unit, width, bottom, foot }, size) {
  const base = bottom + foot / 2;
  const isFixed = step > 3;
  bold(context);
  ink(context, theme.accent);
  circle(context, line, base, 0.44 * foot);
  if (!isFixed) context.fill();
  ink(context, isFixed ? theme.text : theme.background);
  write(context, "0", line, base + 1, "center", "middle");
  ink(context, theme.text);
  if (step > 1) for (const edge of [-1, 1]) write(context, edge < 0 ? "−1" : "1", line + edge * unit, base, "center", "middle");
  context.font = context.font.replace(/^600 /, "");
  ink(context, theme.text, 0.75);
  const room = (step > 1 ? unit : width) > 8 * size;
  if (step > 1 && room) for (const half of [-0.5, 0.5]) write(context, "margin", line + half * unit, base, "center", "middle");
  write(context, room ? "◂ frames" : "◂", 2, base, "left", "middle");
  write(context, room ? "crosses ▸" : "▸", width - 2, base, "right", "middle");
}

// ---- the bar -------------------------------------------------------------------------------

const MOST_LOSS = 12; // in view, in step 2

// Step 1 counts what is wrong, step 2 piles the threads up, then they cost C each, beside the size of W.
export function drawBar(view) {
  const { theme, step, cost, best } = view;
  const { context, width, height, size } = openSheet(view.canvases.bar);
  const full = step === 1 ? COUNT : step === 2 ? MOST_LOSS : 2 * best.dual;
  const [ground, ceiling, wide] = [height - 2, 1.8 * size, Math.min(3.6 * size, 0.36 * width)];
  const left = step > 2 ? 14 : 0;
  const at = (value) => ground - ((ground - ceiling) * Math.min(value, full)) / full;
  const block = (from, to, gap = 1) => context.fillRect(left, at(to), wide, Math.max(0.6, at(from) - at(to) - gap));
  if (step === 1) {
    for (let i = 0; i < COUNT; i++) {
      ink(context, i < COUNT - cost.right ? theme.event : theme.text, i < COUNT - cost.right ? 1 : 0.08);
      block(i, i + 1, 2);
    }
    return;
  }
  const [foot, price] = step === 2 ? [0, 1] : [cost.size, C];
  const top = foot + price * cost.loss;
  if (step > 2) drawFloor(context, view, { width, ground, size, left, wide }, at);
  ink(context, theme.text, 0.75);
  block(0, foot);
  ink(context, theme.event);
  let from = foot;
  for (const loss of cost.losses) {
    if (loss > 1e-6) block(from, (from += price * loss));
  }
  if (top > full) breakBar(context, theme, left, wide, ceiling);
  const right = left + wide + 8;
  const labels = [[(foot + top) / 2, step === 2 ? "" : `${C} × ${decimals(cost.loss)}`, "threads", theme.event, cost.loss]];
  if (step > 2) labels.push([foot / 2, decimals(foot), "size of W", theme.text, foot]);
  for (const [value, number, name, colour, amount] of labels) {
    if (amount < 0.02) continue;
    let middle = Math.min(at(value), ground - 1.2 * size);
    if (step > 2 && Math.abs(middle - at(best.dual)) < 2.6 * size) middle = at(best.dual) + 2.6 * size * (name === "threads" && value > best.dual ? -1.2 : 1);
    if (name === "size of W") middle = Math.max(middle, ground - 3 * size, at(best.dual) + 5 * size);
    writeOver(context, name, right, middle + 0.6 * size, "left", "middle", theme, colour);
    bold(context);
    writeOver(context, number, right, middle - 0.6 * size, "left", "middle", theme, colour);
    context.font = context.font.replace(/^600 /, "");
  }
  bold(context);
  writeOver(context, decimals(top, step === 4 ? 2 : 1), left + wide / 2, at(top) - 0.8 * size, "center", "middle", theme);
  if (step === 3 && view.record < Infinity) drawRecord(context, theme, left, at(best.dual * (1 + view.record / 100)));
}

function drawFloor(context, { theme, best: { dual } }, { width, ground, size, left, wide }, at) {
  const floor = at(dual);
  context.save();
  context.beginPath();
  context.rect(0, floor, width, ground - floor);
  context.clip();
  ink(context, theme.border);
  for (let x = 0; x < width + ground; x += 9) trace(context, [x, floor], [x - (ground - floor), ground]).stroke();
  context.restore();
  context.clearRect(left, floor, wide, ground - floor);
  ink(context, theme.text, 1, 3);
  trace(context, [0, floor], [width, floor]).stroke();
  bold(context);
  writeOver(context, `floor ${decimals(dual, 2)}`, left + wide + 8, floor + 0.9 * size, "left", "middle", theme);
  context.font = context.font.replace(/^600 /, "");
}

// What is higher than the picture.
function breakBar(context, { background }, left, wide, ceiling) {
  ink(context, background, 1, 5);
  trace(context, [left - 2, ceiling + 16], [left + wide / 3, ceiling + 10], [left + (2 * wide) / 3, ceiling + 18], [left + wide + 2, ceiling + 12]).stroke();
}

function drawRecord(context, { accent }, left, height) {
  ink(context, accent);
  trace(context, [left - 1, height], [left - 12, height - 6], [left - 12, height + 6]).fill();
}

// ---- the last step -------------------------------------------------------------------------

// W of the SMM, and its first two layers, each a column times a row.
export function drawLayers(view) {
  const { theme, smm } = view;
  const { context, width, height, size } = openSheet(view.canvases.axis);
  const [gap, strip] = [1.2 * size, 0.8 * size];
  const side = Math.min(height, 0.58 * width);
  const tile = Math.min(height / 2 - 3.2 * size, width - side - gap - strip - 6);
  drawGrid(context, view, smm.W, 0, 0, side);
  const { kept, layers: { U, V } } = smm;
  for (let i = 0; i < Math.min(2, smm.rank); i++) {
    const [x, top] = [side + gap + strip + 4, i * (height / 2 + 0.4 * size) + 2.6 * size];
    const [column, row] = [U, V].map((vectors) => Float64Array.from({ length: SIDE }, (_, k) => vectors[k * SIDE + i]));
    bold(context);
    ink(context, theme.text);
    write(context, `${i ? "+" : "="} layer ${i + 1}, height ${decimals(kept[i])}`, side + gap, top - 1.8 * size, "left", "middle");
    ink(context, theme.border);
    drawCells(context, view, [SIDE, 1], toSteps(column, 0.8), theme.diverging, { x: x - strip - 4, y: top, w: strip, h: tile });
    drawCells(context, view, [1, SIDE], toSteps(row, 0.8), theme.diverging, { x, y: top - strip - 4, w: tile, h: strip });
    drawGrid(context, view, Float64Array.from({ length: CELLS }, (_, k) => kept[i] * column[rowOf(k)] * row[k % SIDE]), x, top, tile);
  }
}

// Mistakes of 1,000 new samples: the SVM, the SMM, and the SVM at a lower price of an error.
export function drawMistakes(view) {
  const { theme, svm, smm } = view;
  const { context, width, height, size } = openSheet(view.canvases.bar);
  const bars = [[svm.mistakes, "SVM", C, 3], [smm.mistakes, "SMM", C, 0], [svm.low.mistakes, "SVM", svm.low.price, 3]];
  const [ground, most] = [height - 2.8 * size, Math.max(...bars.map(([count]) => count))];
  bars.forEach(([count, name, price, colour], k) => {
    const [x, wide, tall] = [(width * (k + 0.5)) / 3, 0.22 * width, ((ground - 2 * size) * count) / most];
    ink(context, theme.lines[colour]);
    context.fillRect(x - wide / 2, ground - tall, wide, tall);
    ink(context, theme.text);
    bold(context);
    write(context, decimals(count, 0), x, ground - tall - 0.8 * size, "center", "middle");
    write(context, name, x, ground + 0.9 * size, "center", "middle");
    context.font = context.font.replace(/^600 /, "");
    write(context, `C = ${price}`, x, ground + 2.1 * size, "center", "middle");
  });
}

