// ---- drawing: W, the band and S, and what is still missing -----------------------------------

import { ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { plain } from "../lib/numbers.js";
import { valuesOf } from "./knobs.js";
import { createCanvas } from "./panel.js";
import { drawCells, shapeOf } from "../lib/pictures.js";
import { limitOf, valuesAt } from "../lib/store.js";
import { isCovered } from "./seek.js";

const SHOWN_VALUES = 10;

const BELOW = 4.4; // letters below the pictures, for the captions and the singular values

// W and S side by side, below S its singular values, and below W the residual.
function createBand(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  panel.aspect = 2.13 / (ratioOf(shapeOf("W")) + 0.27);
  panel.cells = new OffscreenCanvas(1, 1);
  return panel;
}

const ratioOf = ([p, q]) => Math.max(0.4, Math.min(1.6, p / q));

function placeBand({ width, height, size }, shape) {
  const gap = 3.2 * size;
  const ratio = ratioOf(shape);
  const w = Math.min((width - gap) / 2, (height - BELOW * size) / ratio);
  const W = { x: 0, y: 0, w, h: w * ratio };
  const S = { ...W, x: w + gap };
  const below = W.h + 2 * size; // the captions
  return { W, S, bars: { x: S.x, y: below, w, h: height - below }, residual: { y: below, w, h: height - below } };
}

function paintBand(panel, player) {
  const { shown: run, frame, theme } = player;
  const shape = shapeOf(run, "W");
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const { W, S, bars, residual } = (panel.place = placeBand(sheet, shape));
  const [rank, rho] = ["rank", "rho"].map((name) => run.metrics[name][frame]);
  panel.images = {};
  for (const [name, box] of [["W", W], ["S", S]]) {
    const [scale] = valuesAt(run, frame, `${name}_scale`);
    const values = valuesAt(run, frame, name);
    panel.images[name] = { values, unit: scale / 127 };
    const steps = Float32Array.from(values, (value) => value * (scale / limitOf(run, "S_scale")));
    ink(context, theme.border);
    drawCells(context, panel, shape, steps, theme.diverging, box);
  }
  drawSpring(context, W.w + 2, S.x - 2, W.h / 2, thicknessOf(rho), theme);
  drawSingularValues(sheet, valuesAt(run, frame, "singular_values"), rank, run, bars, theme);
  const caption = W.h + size;
  drawResidual(sheet, player, caption, residual);
  ink(context, theme.text);
  context.font = `620 ${context.font}`;
  write(context, panel.spec.below, S.x, caption, "left", "middle");
  write(context, `rank ${rank}`, S.x + S.w, caption, "right", "middle");
}

// A stiffer band is drawn thicker: one to five pixels for rho from 0.01 to 100.
const thicknessOf = (rho) => 1 + 4.4 * Math.min(1, Math.max(0, (Math.log10(rho) + 2) / 4));

function drawSpring(context, from, to, y, thickness, theme) {
  const turns = Math.max(4, Math.round((to - from) / 6));
  const points = Array.from({ length: turns + 1 }, (_, i) => {
    const aside = i % turns === 0 ? 0 : i % 2 ? 8 : -8;
    return [from + (i / turns) * (to - from), y + aside];
  });
  ink(context, theme.accent, 1, thickness);
  trace(context, ...points).stroke();
  write(context, "ρ", (from + to) / 2, y - 12, "center", "bottom");
}

// The bars of values above 0 are tall enough to be counted.
function drawSingularValues({ context, size }, values, rank, run, { x, y, w, h }, theme) {
  const slot = w / Math.min(SHOWN_VALUES, values.length);
  const most = limitOf(run, "singular_values");
  values.slice(0, SHOWN_VALUES).forEach((value, i) => {
    const tall = Math.max(i < rank ? 3 : 2, Math.min(1, value / most) * h);
    ink(context, i < rank ? theme.text : theme.border);
    context.fillRect(x + i * slot, y + h - tall, slot - 3, tall);
  });
  writeOver(context, "heights of its layers", x + w, y, "right", "top", theme);
}

const MOVES = 0.4; // of the ink, for the part of the residual that says how far S moves

// The residual of the last step that was kept, and below it that of this step in both its parts, each as long as
// it is large. The line is where a restart begins: at eta times the one before.
function drawResidual({ context, size }, player, caption, { y, w, h }) {
  const { shown: run, frame, theme } = player;
  const [apart, rho, residual, ratio] = ["apart", "rho", "residual", "ratio"].map((name) => run.metrics[name][frame]);
  drawKey(context, size, caption, w, theme);
  const left = context.measureText("before").width + 0.5 * size;
  const before = ratio > 0 ? residual / ratio : 0;
  const scale = (w - left) / Math.max(residual, before);
  const tall = Math.min(1.2 * size, 0.42 * h);
  const top = y + h - 2.2 * tall;
  ink(context, theme.text);
  write(context, "before", 0, top + tall / 2, "left", "middle");
  context.strokeRect(left, top, before * scale, tall);
  const [row, dark] = [y + h - tall, rho * apart ** 2];
  write(context, "now", 0, row + tall / 2, "left", "middle");
  context.fillRect(left, row, dark * scale, tall);
  ink(context, theme.text, MOVES);
  context.fillRect(left + dark * scale, row, (residual - dark) * scale, tall);
  if (!before) return;
  const line = left + valuesOf(player).eta * before * scale;
  ink(context, isCovered(player) ? theme.text : theme.event, 1, 2.2);
  trace(context, [line, top - 4], [line, y + h]).stroke();
  if (!isCovered(player) && top - y > size) write(context, "beyond η × before: restart", w, top - 6, "right", "bottom");
}

// The two parts of a residual, and that they are one where the name has room.
function drawKey(context, size, middle, width, theme) {
  const parts = [["residual = ", 1], ["■ ", 1], ["W, S apart + ", 1], ["■ ", MOVES], ["S moves", 1]];
  const widthOf = ([text]) => context.measureText(text).width;
  const all = parts.reduce((sum, part) => sum + widthOf(part), 0);
  let x = 0;
  for (const [text, alpha] of all < width ? parts : parts.slice(1)) {
    ink(context, theme.text, alpha);
    write(context, text, x, middle, "left", "middle");
    x += widthOf([text]);
  }
}

function describeBand({ place, images }, { shown: run }, px, py) {
  const [rows, columns] = shapeOf(run, "W");
  for (const { x, y, w, h } of [place.W, place.S]) {
    const [row, column] = [Math.floor(((py - y) / h) * rows), Math.floor(((px - x) / w) * columns)];
    if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
    const value = ({ values, unit }) => plain(values[row * columns + column] * unit);
    return `row ${row + 1}, column ${column + 1}\nW  ${value(images.W)}\nS  ${value(images.S)}`;
  }
  return "";
}

export const band = { create: createBand, paint: paintBand, describe: describeBand };
