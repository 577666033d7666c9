// The pictures of "The grouping effect": samples over W on one rail, and beside them what a sample is made of,
// the cloud of two columns, these columns of W, and all columns of W, group by group.

import { circle, ink, openSheet, trace, write } from "../lib/canvas.js";
import { drawGroove } from "../lib/groove.js";
import { fillCells } from "../lib/pictures.js";
import { canvasOf, largest, title } from "../lib/toy.js";
import { COLUMNS, GROUPS, ROWS, columnOf, groupOf } from "./samples.js";
import { columnsOf, correlationText, countOf, hundredths, nice } from "./words.js";

const MARKS = ["●", "△", "■", "✕"]; // of the groups
const LIMIT = 2.6; // of a sample's entries: what is larger has the same colour
const REACH = 4; // of the cloud

export function draw(view) {
  drawStack(view, openSheet(canvasOf(view.root, "stack")));
  [drawRecipe, drawCloud, drawTwo, drawGroups][view.step - 1](view, openSheet(canvasOf(view.root, "side")));
  if (view.step === 4 && view.isTold) drawPrice(view);
}

function writeLarge(context, theme, text, times, x, y) {
  context.save();
  ink(context, theme.text);
  context.font = `600 ${context.font}`.replace(/[\d.]+(?=px)/, (size) => times * size);
  write(context, text, x, y, "center", "middle");
  context.restore();
}

function shade(context, theme, ...box) {
  ink(context, theme.text, 0.06);
  context.fillRect(...box);
}

// ---- the rail ------------------------------------------------------------------------------

// The last step is about all groups.
export const hasPair = ({ step }) => step === 2 || step === 3;

// Where things stand on the rail; W begins at the same height in both pictures.
function measure(view, { width, height, size }) {
  const { step, shown } = view;
  const [x, pins, gap] = [1.6 * size, hasPair(view) ? 1.8 * size : 0, 4];
  const top = pins + 1.4 * size + gap;
  const bottom = step < 3 ? height : Math.round(top + (step === 3 ? 0.54 : 0.32) * (height - top));
  const each = Math.floor((bottom - top) / shown.length - gap);
  return { x, pins, top, bottom, gap, each, cell: (width - x - 2) / COLUMNS, yW: bottom + 1.7 * size };
}

function drawMarks(context, { places, theme }, x, cell, y, h) {
  shade(context, theme, x, y, COLUMNS * cell, h);
  places.forEach((at, column) => writeLarge(context, theme, MARKS[groupOf(column)], 1.3, x + (at + 0.5) * cell, y + h / 2));
}

// A matrix whose columns stand where they are by now.
function drawMatrix(context, view, matrix, limit, x, cell, y, h) {
  const steps = Float64Array.from({ length: ROWS * COLUMNS }, (_, at) => (127 * columnOf(matrix, at % COLUMNS)[Math.floor(at / COLUMNS)]) / limit);
  fillCells(view.cells, [ROWS, COLUMNS], steps, view.theme.diverging);
  ink(context, view.theme.border);
  view.places.forEach((at, column) => {
    const [from, to] = [at, at + 1].map((place) => Math.round(x + place * cell)); // no gaps between them
    context.drawImage(view.cells, column, 0, 1, ROWS, from, y, to - from, h);
  });
  context.strokeRect(x, y, COLUMNS * cell, h);
}

function framePair(context, { pair, places, theme }, { x, cell }, y, h) {
  ink(context, theme.accent, 1, 2.5);
  for (const column of pair) context.strokeRect(x + places[column] * cell, y, cell, h);
}

function drawStack(view, sheet) {
  const { context, height } = sheet;
  const { step, shown, samples: { y: labels }, set, theme, at, found, tau } = view;
  const places = (view.measures = measure(view, sheet));
  const { x, pins, top, bottom, gap, each, cell, yW } = places;
  drawMarks(context, view, x, cell, pins, top - pins - gap);
  shown.forEach((i, k) => {
    const y = top + k * (each + gap);
    drawMatrix(context, view, set.X[i], LIMIT, x, cell, y, each);
    writeLarge(context, theme, labels[i] > 0 ? "+" : "−", 1.3, x / 2, y + each / 2);
  });
  title(view.root, "stack", `${shown.length} of 60 samples`, `columns ${at.order ? "sorted" : "shuffled"}; + and − are labels`);
  if (hasPair(view)) framePair(context, view, places, top - 2, bottom - top - gap + 4);
  if (step < 3) return;
  if (view.isCovered) return cover(sheet, theme, x, yW, COLUMNS * cell);
  const [name, colour] = tau === 0 ? ["linear SVM", theme.svm] : ["SMM", theme.smm];
  ink(context, colour);
  const proof = found.gap > 1e-6 ? [] : [`objective ${found.primal.toFixed(3)} = floor ${found.dual.toFixed(3)} ✓`];
  const facts = [`W of the ${name}: rank ${found.rank}`, ...proof, `colours end at ±${nice(largest(found.W))}`];
  while (context.measureText(facts.join(", ")).width > COLUMNS * cell) facts.pop(); // on a phone
  write(context, facts.join(", "), x, bottom + 0.9 * sheet.size, "left", "middle");
  drawMatrix(context, view, found.W, largest(found.W), x, cell, yW, height - yW - 1);
  if (hasPair(view)) framePair(context, view, places, yW - 1, height - yW);
}

function cover({ context, height }, theme, x, y, width) {
  shade(context, theme, x, y, width, height - y);
  writeLarge(context, theme, "W ?", 2, x + width / 2, (y + height) / 2);
}

// ---- step 1: four numbers, repeated, plus noise --------------------------------------------

function drawRecipe(view, { context, width, height, size }) {
  const { samples: { numbers, stripes, noises }, set, shown: [i], delta, theme, places } = view;
  const [cell, mark, threads] = [(width - 2) / COLUMNS, 1.4 * size, 4 * size];
  const texts = numbers[i].map((number, group) => `${MARKS[group]}  ${number.toFixed(1).replace("-", "−")}`);
  const middle = (group) => ((group + 0.5) * width) / GROUPS;
  ink(context, theme.text);
  texts.forEach((text, group) => write(context, text, middle(group), 2, "center", "top"));
  ink(context, theme.text, 0.5);
  places.forEach((at, column) => trace(context, [middle(groupOf(column)), 1.5 * size], [(at + 0.5) * cell + 1, threads]).stroke());
  drawMarks(context, view, 1, cell, threads, mark);
  const rows = [["", stripes[i]], ["+ δ × noise", noises[i].map((entry) => delta * entry)], ["= the first sample", set.X[i]]];
  let y = threads + mark + 4;
  const h = (height - y - 3.2 * size) / 3;
  for (const [name, matrix] of rows) {
    ink(context, theme.text);
    if (name) write(context, name, 1, (y += 1.6 * size) - 0.8 * size, "left", "middle");
    drawMatrix(context, view, matrix, LIMIT, 1, cell, y, h - 1);
    y += h;
  }
  title(view.root, "side", "How a sample is made", "four numbers, repeated", "in their columns, plus noise");
}

// ---- steps 2 and 3: two columns ------------------------------------------------------------

// A dot for each row of each sample.
function drawCloud(view, { context, width, height, size }, bottom = height) {
  const { theme, set, pair, correlation, isCovered, distance } = view;
  const side = Math.min(bottom - 1.5 * size, width);
  const [left, at] = [(width - side) / 2, (value) => ((value + REACH) / (2 * REACH)) * side];
  shade(context, theme, left, 0, side, side);
  ink(context, theme.text, 0.4);
  trace(context, [left, side], [left + side, 0]).stroke();
  ink(context, theme.text, 0.6);
  for (const sample of set.X) {
    const [across, up] = pair.map((column) => columnOf(sample, column));
    across.forEach((entry, row) => {
      circle(context, left + at(entry), side - at(up[row]), Math.max(1.7, side / 170));
      context.fill();
    });
  }
  write(context, `${pair[0] + 1} →`, left + side, side + 3, "right", "top");
  write(context, `${pair[1] + 1} ↑`, left, side + 3, "left", "top");
  const apart = view.step < 3 || isCovered ? "" : `in W ${nice(distance)} apart`;
  title(view.root, "side", columnsOf(pair).replace("c", "C"), `correlation ${correlationText(correlation)}`, apart);
}

function drawTwo(view, sheet) {
  const { context, width, height } = sheet;
  const { measures: { bottom, yW }, isCovered, theme, pair } = view;
  drawCloud(view, sheet, bottom);
  if (isCovered) return cover(sheet, theme, 1, yW, width - 2);
  write(context, `${columnsOf(pair)} of W`, width, bottom + 0.9 * sheet.size, "right", "middle");
  drawColumns(view, context, 1, yW, width - 2, height - yW - 1, pair);
}

// Columns of W: rows go down, as beside them, and weights to either side of 0.
function drawColumns({ theme, found }, context, x, y, w, h, columns) {
  const unit = (0.94 * w) / 2 / largest(found.W);
  shade(context, theme, x, y, w, h);
  ink(context, theme.text, 0.5);
  trace(context, [x + w / 2, y], [x + w / 2, y + h]).stroke();
  const isPair = columns.length === 2;
  columns.forEach((column, i) => {
    const points = Array.from(columnOf(found.W, column), (weight, row) => [x + w / 2 + unit * weight, y + (h * (row + 0.5)) / ROWS]);
    ink(context, isPair ? theme.accent : theme.text, isPair ? 0.85 : 0.6, 2);
    trace(context, ...points).stroke();
    for (const point of isPair ? points : []) {
      circle(context, ...point, i ? 5 : 2.5); // the second shows around the first
      context[i ? "stroke" : "fill"]();
    }
  });
}

// ---- step 4: how pure the groups are -------------------------------------------------------

// Both grades, and below them, beside W and row by row, its columns.
function drawGroups(view, { context, width, height, size }) {
  const { yW } = view.measures;
  const [top, room] = [(yW - 5 * size) / 2, width / GROUPS];
  MARKS.forEach((mark, group) => {
    writeLarge(context, view.theme, mark, 1.3, (group + 0.5) * room, yW - 0.8 * size);
    const own = [...view.places.keys()].filter((column) => groupOf(column) === group);
    drawColumns(view, context, group * room + 3, yW, room - 6, height - yW - 1, own);
  });
  const { G, right, isTold, start, theme } = view;
  const bars = [["G", G, hundredths], ["right of 1,000", right, countOf]];
  bars.forEach(([name, share, say], i) => {
    const [left, y, h] = [8 * size, top + 2 * i * size, 1.4 * size];
    const x = (part) => left + part * (width - left - 3.5 * size);
    ink(context, theme.text);
    write(context, name, left - 0.6 * size, y + h / 2, "right", "middle");
    shade(context, theme, left, y, x(1) - left, h);
    ink(context, theme.text, 0.7);
    if (share > 0) context.fillRect(left, y, x(share) - left, h);
    write(context, say(share), x(1) + 0.5 * size, y + h / 2, "left", "middle");
    const before = start?.[["G", "right"][i]];
    if (isTold && before > 0) trace(context, [x(before), y - 3], [x(before), y + h + 3]).stroke(); // where the step opened
  });
  title(view.root, "side", "Two grades", "and the columns of W, a line each");
}

// Both grades along C, in the groove of C. Where W = 0, there is no G.
function drawPrice({ root, theme, curve, drawn, G, tau, data: { prices } }) {
  const known = curve.filter((each) => !Number.isNaN(each.G));
  const at = (place, value) => [place / (prices.length - 1), Math.max(0, value)];
  const follow = (name) => known.map((each) => at(each.place, each[name]));
  drawGroove(root.querySelector(".groove canvas"), theme, {
    curves: [
      { name: "right", points: follow("right"), colour: theme.text, strength: 1.5 },
      { name: "G", points: follow("G"), colour: tau === 0 ? theme.svm : theme.smm },
    ],
    now: Number.isNaN(G) ? [at(drawn.C, 0)[0]] : at(drawn.C, G),
    note: known[0]?.place ? [0, "W = 0"] : [],
  });
}
