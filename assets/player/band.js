// ---- drawing: W, the band and S --------------------------------------------------------------

import { ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { format, plain } from "../lib/numbers.js";
import { createCanvas } from "./panel.js";
import { drawCells, shapeOf } from "../lib/pictures.js";
import { limitOf, valuesAt } from "../lib/store.js";

const SHOWN_VALUES = 10;

const BELOW = 4.4; // letters below the pictures, for the captions and the singular values

// W and S side by side, and below S its singular values.
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
  return { W, S, bars: { x: S.x, y: below, w, h: height - below } };
}

function paintBand(panel, player) {
  const { shown: run, frame, theme } = player;
  const shape = shapeOf(run, "W");
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const { W, S, bars } = (panel.place = placeBand(sheet, shape));
  const [rank, rho, fit] = ["rank", "rho", "fit"].map((name) => run.metrics[name][frame]);
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
  ink(context, theme.text);
  write(context, `${format(fit, "percent")} of them are right`, W.x, bars.y, "left", "top");
  context.font = `620 ${context.font}`;
  for (const [caption, { x }] of [["W fits the samples", W], [`S has low rank: ${rank}`, S]])
    write(context, caption, x, W.h + size, "left", "middle");
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
