// ---- drawing: picture and map --------------------------------------------------------------

const BAR = 16; // width of the colour bar, and the gap before it
const DOWNWARDS = Int8Array.from({ length: 255 }, (_, i) => 127 - i);

const EMPTY = -128; // a cell that shows nothing

const shapeOf = (run, field) => run.images[0].layout.fields[field][1];

// Square cells, stretched only where the picture would be a thread; whole pixels if near.
// A bare one has neither numbers nor a colour bar around it.
function placePicture({ width, height, size, ratio }, [p, q], bare = false) {
  const [left, top] = bare ? [1, 1] : [2.8 * size, 0.7 * size];
  const wide = Math.max(1, width - left - (bare ? 1 : 2 * BAR + 4.8 * size));
  const tall = Math.max(1, height - top - (bare ? 1 : 2 * size));
  const square = Math.min(wide / q, tall / p);
  const extent = (room, count) => {
    const cell = Math.min(room / count, Math.max(1.15 * square, (0.5 * room) / count)) * ratio;
    return (count * (Math.floor(cell) > 0.93 * cell ? Math.floor(cell) : cell)) / ratio;
  };
  const [w, h] = [extent(wide, q), extent(tall, p)];
  return { x: Math.round(left + (bare ? 0 : (wide - w) / 2)), y: Math.round(top), w, h };
}

// Cells in steps of -127 ... 127, what is beyond like these; a NaN is left blank.
function fillCells(cells, [p, q], steps, colours) {
  [cells.width, cells.height] = [q, p];
  const image = new ImageData(q, p);
  const pixels = new Uint32Array(image.data.buffer);
  steps.forEach((step, i) => {
    pixels[i] = colours[127 + Math.max(-127, Math.min(Math.round(step), 127))];
  });
  cells.getContext("2d").putImageData(image, 0, 0);
}

function drawCells(context, { cells }, shape, steps, colours, { x, y, w, h }) {
  fillCells(cells, shape, steps, colours);
  context.globalAlpha = 1;
  context.drawImage(cells, x, y, w, h);
  context.strokeRect(x, y, w, h);
}

// The cells and, beside them, the bar of their colours.
function drawMap(context, panel, shape, steps, colours, theme) {
  const { x, y, w, h } = panel.box;
  ink(context, theme.border);
  drawCells(context, panel, shape, steps, colours, panel.box);
  drawCells(context, panel, [255, 1], DOWNWARDS, colours, { x: x + w + BAR, y, w: BAR, h });
  ink(context, theme.text, 0.8);
}

function paintPicture(panel, { shown: run, frame, theme }) {
  const { field, own } = panel.spec;
  const [rows, columns] = shapeOf(run, field);
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const { x, y, w, h } = (panel.box = placePicture(sheet, [rows, columns], panel.bare));
  const [scale] = valuesAt(run, frame, `${field}_scale`);
  const limit = own ? scale || 1 : limitOf(run, `${field}_scale`);
  panel.values = valuesAt(run, frame, field);
  panel.unit = scale / 127;
  const steps = Float32Array.from(panel.values, (value) =>
    value === EMPTY ? NaN : value * (scale / limit),
  );
  if (panel.bare) {
    ink(context, theme.border);
    drawCells(context, panel, [rows, columns], steps, theme.diverging, panel.box);
    ink(context, theme.text, 1, 2);
    for (const at of panel.spec.columns ?? []) context.strokeRect(x + (at / columns) * w, y, w / columns, h);
    return;
  }
  drawMap(context, panel, [rows, columns], steps, theme.diverging, theme);
  const middleOf = (column) => x + ((column - 0.5) / columns) * w;
  drawNumbers(context, ordinals(columns, w / 70), middleOf, y + h + 8, theme);
  for (const row of ordinals(rows, h / 45)) {
    const name = panel.spec.samples ? (row - 1) * columns + 1 : row;
    write(context, String(name), x - 8, y + ((row - 0.5) / rows) * h, "right", "middle");
  }
  for (const share of h > 8 * size ? [1, 0.5, 0, -0.5, -1] : [1, 0, -1]) {
    const at = y + ((1 - share) / 2) * h;
    const sign = scale > limit ? ({ 1: "≥ ", "-1": "≤ " }[share] ?? "") : "";
    write(context, sign + plain(share * limit), x + w + 2 * BAR + 7, at, "left", "middle");
  }
}

function describePicture({ box, values, unit, spec }, { shown: run }, px, py) {
  const [rows, columns] = shapeOf(run, spec.field);
  const row = Math.floor(((py - box.y) / box.h) * rows);
  const column = Math.floor(((px - box.x) / box.w) * columns);
  const value = values[row * columns + column];
  if (column < 0 || column >= columns || value === undefined || value === EMPTY) return "";
  if (spec.samples) return `sample ${row * columns + column + 1}\n${plain(value * unit)}`;
  const [p, q] = spec.tile ?? [rows, columns];
  return `row ${(row % p) + 1}, column ${(column % q) + 1}\n${plain(value * unit)}`;
}

// A frame is a cell of a map, row by row from the lowest; those to come are blank.
const cellsOf = ({ spec: { rows, columns } }) => [rows.values.length, columns.values.length];

// Every cell has a label, or every second, fourth, ...: on log scales these are the decades.
const labelled = (count, room) => {
  const every = 2 ** Math.max(0, Math.ceil(Math.log2(count / room)));
  return multiples(0, count - 1, every);
};

function paintMap(panel, { shown: run, frame, theme }) {
  const { field, span, format: kind, rows, columns } = panel.spec;
  const [low, high] = span;
  const [p, q] = cellsOf(panel);
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const { x, y, w, h } = (panel.box = placePicture(sheet, [p, q]));
  const steps = Float32Array.from({ length: p * q }, (_, i) => {
    const value = run.metrics[field][(p - 1 - Math.floor(i / q)) * q + (i % q)];
    return 127 * ((2 * (value - low)) / (high - low) - 1);
  });
  drawMap(context, panel, [p, q], steps, theme.sequential, theme);
  for (const column of labelled(q, w / (3 * size))) {
    const label = plain(columns.values[column]);
    write(context, label, x + ((column + 0.5) / q) * w, y + h + 8, "center", "top");
  }
  for (const row of labelled(p, h / (1.5 * size))) {
    write(context, plain(rows.values[row]), x - 8, y + h - ((row + 0.5) / p) * h, "right", "middle");
  }
  const step = stepFor(high - low, h / (2 * size));
  for (const above of multiples(0, high - low, kind === "int" ? Math.max(1, step) : step)) {
    const sign = above === 0 && run.extents[field]?.low < low ? "≤ " : "";
    const at = y + h - (above / (high - low)) * h;
    write(context, sign + format(low + above, kind), x + w + 2 * BAR + 7, at, "left", "middle");
  }
  if (run.count === 0) return;
  ink(context, theme.text, 1, 2);
  const [row, column] = [Math.floor(frame / q), frame % q];
  context.strokeRect(x + (column / q) * w, y + ((p - 1 - row) / p) * h, w / q, h / p);
}

function cellUnder(panel, run, px, py) {
  const [p, q] = cellsOf(panel);
  const { x, y, w, h } = panel.box;
  const column = Math.floor(((px - x) / w) * q);
  const cell = Math.floor(((y + h - py) / h) * p) * q + column;
  return column >= 0 && column < q && cell >= 0 && cell < run.count ? cell : null;
}

function describeMap(panel, { shown: run }, px, py) {
  const { field, label, format: kind, rows, columns } = panel.spec;
  const cell = cellUnder(panel, run, px, py);
  if (cell === null) return "";
  const [row, column] = [Math.floor(cell / columns.values.length), cell % columns.values.length];
  const at = ({ label, values }, i) => `${label} = ${plain(values[i])}\n`;
  return at(rows, row) + at(columns, column) + `${label}  ${format(run.metrics[field][cell], kind)}`;
}

// ---- drawing: bars -------------------------------------------------------------------------

const NOTHING = 1e-9; // of the largest: below is rounding, and drawn as zero

function paintBars(panel, { shown: run, frame, theme }) {
  const { field, behind } = panel.spec;
  const { context, width, height, size } = openSheet(panel.canvas);
  const [right, top, bottom] = [width - 10, 10, height - size - 14];
  const high = Math.max(limitOf(run, field), behind ? limitOf(run, behind.field) : 0);
  const axis = linearAxis(0, high, top, bottom, size);
  const left = leftOf(context, axis);
  drawVerticalAxis(context, axis, left, right, theme);

  const count = shapeOf(run, field)[0];
  const slot = (right - left) / count;
  const thick = Math.min(14, Math.max(2, 0.6 * slot));
  const x = (index) => left + (index - 0.5) * slot;
  panel.values = valuesAt(run, frame, field);
  panel.indexAt = (px) => Math.floor((px - left) / slot);
  drawNumbers(context, ordinals(count, (right - left) / 60), x, bottom + 9, theme);
  ink(context, theme.text, 0.75, 1.25);
  panel.values.forEach((value, i) => {
    const above = Math.max(0, axis.y(value)); // beyond the scale: through the top of the picture
    const tall = value > NOTHING * high ? Math.max(2, bottom - above) : 0;
    context.fillRect(x(i + 1) - thick / 2, bottom - tall, thick, tall);
    if (tall > 0) return;
    circle(context, x(i + 1), bottom, Math.min(3.5, 0.7 * thick)); // not a bar too small to see
    context.stroke();
  });
  panel.behind = behind ? valuesAt(run, frame, behind.field) : [];
  ink(context, theme.accent, 1, 2);
  panel.behind.forEach((value, i) => {
    const [middle, half] = [x(i + 1), Math.min(0.46 * slot, thick)];
    if (value > NOTHING * high)
      trace(context, [middle - half, axis.y(value)], [middle + half, axis.y(value)]).stroke();
  });
}

function describeBars({ indexAt, values, behind, spec }, player, px) {
  const i = indexAt(px);
  if (values[i] === undefined) return "";
  const other = spec.behind ? `\n${spec.behind.label} ${plain(behind[i])}` : "";
  return `number ${i + 1}\n${plain(values[i])}${other}`;
}
