// Matrices as pictures.

import { ink, openSheet } from "./canvas.js";
import { plain } from "./numbers.js";
import { limitOf, valuesAt } from "./store.js";

const EMPTY = -128; // a cell that shows nothing

export const shapeOf = (run, field) => run.images[0].layout.fields[field][1];

// Square cells, stretched only where the picture would be a thread; whole pixels if near.
function placePicture({ width, height, ratio }, [p, q]) {
  const [wide, tall] = [Math.max(1, width - 2), Math.max(1, height - 2)];
  const square = Math.min(wide / q, tall / p);
  const extent = (room, count) => {
    const cell = Math.min(room / count, Math.max(1.15 * square, (0.5 * room) / count)) * ratio;
    return (count * (Math.floor(cell) > 0.93 * cell ? Math.floor(cell) : cell)) / ratio;
  };
  return { x: 1, y: 1, w: extent(wide, q), h: extent(tall, p) };
}

// Cells in steps of -127 ... 127, what is beyond like these; a NaN is left blank.
export function fillCells(cells, [p, q], steps, colours) {
  [cells.width, cells.height] = [q, p];
  const image = new ImageData(q, p);
  const pixels = new Uint32Array(image.data.buffer);
  steps.forEach((step, i) => {
    pixels[i] = colours[127 + Math.max(-127, Math.min(Math.round(step), 127))];
  });
  cells.getContext("2d").putImageData(image, 0, 0);
}

export function drawCells(context, { cells }, shape, steps, colours, { x, y, w, h }) {
  fillCells(cells, shape, steps, colours);
  context.globalAlpha = 1;
  context.drawImage(cells, x, y, w, h);
  context.strokeRect(x, y, w, h);
}

export function paintPicture(panel, { shown: run, frame, theme }) {
  const { field, own } = panel.spec;
  const shape = shapeOf(run, field);
  const sheet = openSheet(panel.canvas);
  const { context } = sheet;
  panel.box = placePicture(sheet, shape);
  const [scale] = valuesAt(run, frame, `${field}_scale`);
  const limit = own ? scale || 1 : limitOf(run, `${field}_scale`);
  panel.values = valuesAt(run, frame, field);
  panel.unit = scale / 127;
  const steps = Float32Array.from(panel.values, (value) =>
    value === EMPTY ? NaN : value * (scale / limit),
  );
  ink(context, theme.border);
  drawCells(context, panel, shape, steps, theme.diverging, panel.box);
}

export function describePicture({ box, values, unit, spec }, { shown: run }, px, py) {
  const [rows, columns] = shapeOf(run, spec.field);
  const row = Math.floor(((py - box.y) / box.h) * rows);
  const column = Math.floor(((px - box.x) / box.w) * columns);
  const value = values[row * columns + column];
  if (column < 0 || column >= columns || value === undefined || value === EMPTY) return "";
  const [p, q] = spec.tile ?? [rows, columns];
  return `row ${(row % p) + 1}, column ${(column % q) + 1}\n${plain(value * unit)}`;
}
