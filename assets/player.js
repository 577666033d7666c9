// The player: holds one run of a solver in the browser and plays it at the viewer's pace.
//
// The solver runs ahead on the server. `pull` fetches what is missing, `append` stores it, and one
// requestAnimationFrame loop shows it and rests while nothing changes. Streamlit calls the default
// export again whenever data or theme change, on the same DOM: the state lives in `players`, keyed
// by the parent element, and every loop ends by itself once the player has left the page.

const players = new WeakMap();

// ---- protocol ------------------------------------------------------------------------------

const TYPES = {
  ...{ "<u4": Uint32Array, "<i4": Int32Array, "<f4": Float32Array, "<f8": Float64Array },
  ...{ u1: Uint8Array, "|u1": Uint8Array, i1: Int8Array, "|i1": Int8Array },
};

function decode(buffer, layout) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const records = (start, count, block) =>
    Array.from({ length: count }, (_, i) => ({ buffer, at: start + i * block.itemsize }));
  const middle = 4 + length + header.count * layout.curves.itemsize;
  const end = middle + header.pictures * layout.pictures.itemsize;
  if (end !== buffer.byteLength) throw new Error(`${buffer.byteLength} bytes, announced ${end}`);
  const curves = records(4 + length, header.count, layout.curves);
  return { header, curves, pictures: records(middle, header.pictures, layout.pictures) };
}

// The values of a field, of a scalar one too. Fields may lie unaligned, hence the copy.
function read({ buffer, at }, block, name) {
  const [dtype, shape, offset] = block.fields[name];
  const Type = TYPES[dtype];
  const bytes = shape.reduce((product, side) => product * side, Type.BYTES_PER_ELEMENT);
  return new Type(buffer.slice(at + offset, at + offset + bytes));
}

async function request(run) {
  const signal = AbortSignal.any([run.abort.signal, AbortSignal.timeout(30000)]);
  const query = `first=${run.count}&wait=${document.hidden ? 0 : 1}`;
  const response = await fetch(`${run.url}?${query}`, { cache: "no-store", signal });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

// ---- store ---------------------------------------------------------------------------------

const ENDED = ["finished", "stopped", "failed"];

function newRun(url, layout, axis) {
  return {
    url,
    layout,
    axis,
    phase: "waiting",
    message: "",
    total: 0, // frames that the server has
    count: 0, // frames held here
    over: false, // nothing more will come
    stopping: false,
    pulling: false,
    curves: Object.fromEntries(Object.keys(layout.curves.fields).map((name) => [name, []])),
    pictures: [], // {frame, sizes, buffer, at}: the records stay in the answers that they came in
    extents: {}, // of the curves
    abort: new AbortController(),
  };
}

function widen(extents, name, value) {
  if (!Number.isFinite(value)) return;
  const extent = (extents[name] ??= { low: Infinity, high: -Infinity, positive: Infinity });
  extent.low = Math.min(extent.low, value);
  extent.high = Math.max(extent.high, value);
  if (value > 0) extent.positive = Math.min(extent.positive, value);
}

function appendCurves(run, record) {
  for (const [name, values] of Object.entries(run.curves)) {
    values.push(read(record, run.layout.curves, name)[0]);
    widen(run.extents, name, values.at(-1));
  }
  run.count += 1;
}

function appendPicture(run, record) {
  const block = run.layout.pictures;
  const frame = read(record, block, "frame")[0];
  if (frame <= (run.pictures.at(-1)?.frame ?? -1)) return;
  const sizes = {};
  for (const [name, [, shape]] of Object.entries(block.fields)) {
    if (shape.length === 2) continue; // its scale is a field of its own
    sizes[name] = Math.max(...read(record, block, name).filter(Number.isFinite));
  }
  run.pictures.push({ ...record, frame, sizes });
}

// The end of a scale that all pictures share: the largest value in the later half of those held. An
// early iterate may be a thousand times the last; it goes beyond the scale and pales nothing else.
function limitOf(run, field) {
  const later = run.pictures.filter(({ frame }) => 2 * frame >= run.count - 1);
  return roundUp(Math.max(0, ...later.map(({ sizes }) => sizes[field])) || 1);
}

// Idempotent: what is held already is skipped, an answer that would leave a hole is dropped.
function append(run, { header, curves, pictures }) {
  run.phase = header.status;
  run.message = header.message;
  run.total = header.total;
  if (header.first <= run.count) {
    for (const record of curves.slice(run.count - header.first)) appendCurves(run, record);
    for (const record of pictures) appendPicture(run, record);
  }
  run.over = ENDED.includes(run.phase) && run.count >= run.total;
}

// A field of the last picture at or before a frame: long runs keep every second, fourth, ... only.
function valuesAt(run, frame, field) {
  let [low, high] = [0, run.pictures.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.pictures[middle].frame <= frame) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? [] : read(run.pictures[low - 1], run.layout.pictures, field);
}

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

async function pull(player, run) {
  run.pulling = true;
  let failures = 0;
  while (!run.over && player.root.isConnected) {
    const held = run.count;
    const buffer = await request(run).catch(() => undefined);
    if (player.latest !== run) break;
    failures = buffer === undefined ? failures + 1 : 0;
    if (failures === 0) receive(player, run, buffer);
    else Object.assign(run, { phase: "reconnecting", stopping: false }); // a stop may be lost, too
    invalidate(player);
    if (failures > 0) await sleep(Math.min(8000, 250 * 2 ** failures));
    else if (document.hidden) await sleep(3000);
    // A trickle is gathered, a backlog fetched at once.
    else if (run.count >= run.total || run.count === held) await sleep(150);
  }
  run.pulling = false;
}

function receive(player, run, buffer) {
  try {
    if (buffer === null) run.phase = "lost";
    else append(run, decode(buffer, run.layout));
  } catch (error) {
    console.error("player:", error);
    run.phase = "unreadable";
  }
  const ended = ENDED.includes(run.phase);
  if (run.phase === "lost" || run.phase === "unreadable") run.over = true;
  if (run !== player.shown && (run.count > 0 || ended)) show(player, run);
  if (run.phase === "lost") tell(player, "lost", run.url);
  if (ended && run.over) tell(player, "finished", run.url);
}

// News makes Streamlit rerun the page that it believes to be on. Until the server has answered a
// click on a link, that is still the old page, and the rerun would undo the click. So news waits for
// a while after a click elsewhere, and on a page that is still being opened, from which a click may
// have led already; it is dropped if it did.
const PATIENCE = 2000;

async function tell(player, event, url) {
  const news = `${event} ${url}`;
  if (player.told.has(news)) return;
  player.told.add(news);
  while (performance.now() < player.quietUntil) await sleep(100);
  if (player.root.isConnected && location.pathname === player.path) player.send(event, url);
}

function heedClicks(player) {
  const onClick = (event) => {
    if (!player.root.isConnected) document.removeEventListener("click", onClick, true);
    if (event.composedPath().includes(player.root)) return;
    player.quietUntil = performance.now() + PATIENCE;
  };
  document.addEventListener("click", onClick, true);
}

// ---- numbers -------------------------------------------------------------------------------

const power = (exponent) =>
  "10" + String(exponent).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
const minus = (text) => text.replace("-", "−");

function scientific(value, digits, times) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  return minus(mantissa) + times + power(Number(exponent));
}

function plain(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return scientific(value, 1, "·");
  return minus(String(Number(value.toPrecision(3))));
}

const FORMATS = {
  int: (value) => minus(value.toFixed(0)),
  sci: (value) => {
    const near = value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1000);
    return near ? plain(value) : scientific(value, 2, " × ");
  },
  percent: (value) => `${(100 * value).toFixed(1)} %`,
  number: plain,
};

const format = (value, kind) => (Number.isFinite(value) ? FORMATS[kind](value) : "–");

const leastAbove = (value, steps) => {
  const decade = 10 ** Math.floor(Math.log10(value));
  return Number((steps.find((s) => s * decade >= value * (1 - 1e-9)) * decade).toPrecision(2));
};

// Limits move in steps, so that a growing maximum seldom rescales what is being looked at.
const roundUp = (value) => leastAbove(value, [1, 1.5, 2, 3, 4, 5, 6, 8, 10]);

function multiples(low, high, step) {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const stepFor = (range, room) => leastAbove(range / Math.max(1, room), [1, 2, 5, 10]);

// Whole numbers to print along an axis, at most `room` or so; rows are counted from 1.
const counts = (low, high, room) => multiples(low, high, Math.max(1, stepFor(high - low, room)));
const ordinals = (count, room) => [...new Set([1, ...counts(0, count, room).slice(1)])];

// ---- drawing: colours and canvas -----------------------------------------------------------

const RED_BLUE = "#2166ac,#67a9cf,#d1e5f0,#f7f7f7,#fddbc7,#ef8a62,#b2182b"; // ColorBrewer's RdBu
const BLUES = "#f7fbff,#c6dbef,#6baed6,#2171b5,#08306b"; // and its Blues
const OKABE_ITO = "#0072b2,#d55e00,#009e73,#cc79a7";

function readTheme(root) {
  const style = getComputedStyle(root);
  const read = (name, fallback) => {
    const value = style.getPropertyValue(`--st-${name}`).trim();
    return value === "" || value === "unset" ? fallback : value;
  };
  const list = (name, fallback) => read(name, fallback).split(/,(?![^(]*\))/);
  const background = read("background-color", "#ffffff");
  return {
    stamp: performance.now(),
    background,
    text: read("text-color", "#31333f"),
    border: read("border-color", "#d5d6d9"),
    lines: list("chart-categorical-colors", OKABE_ITO),
    diverging: colourTable(centred(list("chart-diverging-colors", RED_BLUE), background)),
    // Without the palest, which would not be told from what is blank.
    sequential: colourTable(list("chart-sequential-colors", BLUES).slice(1)),
  };
}

// A palette with an even number of stops has none for zero: there zero takes the background's.
function centred(stops, background) {
  const middle = stops.length / 2;
  if (Number.isInteger(middle)) stops.splice(middle, 0, background);
  return stops;
}

// 255 colours for -127 ... 127, as little-endian RGBA.
function colourTable(stops) {
  const colours = stops.map(toRgb);
  return Uint32Array.from({ length: 255 }, (_, i) => {
    const at = (i / 254) * (colours.length - 1);
    const from = Math.min(Math.floor(at), colours.length - 2);
    const [r, g, b] = colours[from].map((c, j) => c + (at - from) * (colours[from + 1][j] - c));
    return (255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r);
  });
}

function toRgb(colour) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

// Resizing clears a canvas: it happens here only, in the very frame that paints it again.
function openSheet(canvas, like = canvas) {
  const { clientWidth: width, clientHeight: height } = like;
  const ratio = window.devicePixelRatio;
  const { fontSize, fontFamily } = getComputedStyle(like);
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `${fontSize} ${fontFamily}`;
  context.lineJoin = context.lineCap = "round";
  context.imageSmoothingEnabled = false;
  return { context, width, height, ratio, size: parseFloat(fontSize) };
}

function ink(context, colour, alpha = 1, width = 1) {
  context.fillStyle = context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
}

function write(context, text, x, y, align, baseline) {
  context.textAlign = align;
  context.textBaseline = baseline;
  context.fillText(text, x, y);
}

function trace(context, ...points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  return context;
}

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

// ---- drawing: axes -------------------------------------------------------------------------

// A vertical axis is {y: value -> height or NaN, ticks: [[height, label]]}.
function verticalAxis(scale, extents, top, bottom, size) {
  const known = extents.filter(Boolean);
  const high = Math.max(...known.map((extent) => extent.high));
  const low = Math.min(...known.map((extent) => extent.low));
  const positive = Math.min(...known.map((extent) => extent.positive));
  if (scale === "log") return logAxis(positive, high, top, bottom, size);
  return linearAxis(...(known.length ? [low, high] : [0, 1]), top, bottom, size);
}

function logAxis(positive, high, top, bottom, size) {
  const ceiling = high > 0 ? Math.ceil(Math.log10(high) - 1e-9) : 0;
  const lowest = high > 0 ? Math.floor(Math.log10(positive)) : ceiling;
  const floor = Math.min(Math.max(lowest, ceiling - 20), ceiling - 1);
  const y = (value) => {
    const share = value > 0 ? (Math.log10(value) - floor) / (ceiling - floor) : NaN;
    return bottom - Math.max(0, share) * (bottom - top);
  };
  const every = Math.ceil(((ceiling - floor) * 2 * size) / (bottom - top));
  const exponents = multiples(floor, ceiling, every);
  return { y, ticks: exponents.map((exponent) => [y(10 ** exponent), power(exponent)]) };
}

function linearAxis(low, high, top, bottom, size) {
  let [base, peak] = [low, high];
  if (base > 0 && (base <= peak / 2 || base === peak)) base = 0;
  if (base === peak) peak = base + 1;
  const step = stepFor(peak - base, (bottom - top) / (2.6 * size));
  const floor = Math.floor(base / step + 1e-9) * step;
  const ceiling = Math.ceil(peak / step - 1e-9) * step;
  const y = (value) => {
    const share = (value - floor) / (ceiling - floor);
    return bottom - Math.min(1, Math.max(0, share)) * (bottom - top);
  };
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const far = decimals > 6 || Math.max(Math.abs(floor), Math.abs(ceiling)) >= 1e6;
  const label = (value) => (far ? plain(value) : minus(value.toFixed(decimals)));
  return { y, ticks: multiples(floor, ceiling, step).map((value) => [y(value), label(value)]) };
}

const leftOf = (context, { ticks }) =>
  Math.max(56, ...ticks.map(([, label]) => context.measureText(label).width + 12));

function drawVerticalAxis(context, axis, left, right, theme) {
  for (const [y, label] of axis.ticks) {
    ink(context, theme.border, 0.6);
    trace(context, [left, y], [right, y]).stroke();
    ink(context, theme.text, 0.8);
    write(context, label, left - 8, y, "right", "middle");
  }
}

function drawNumbers(context, numbers, x, y, theme) {
  ink(context, theme.text, 0.8);
  for (const number of numbers) write(context, String(number), x(number), y, "center", "top");
}

// ---- drawing: picture and map --------------------------------------------------------------

const BAR = 16; // width of the colour bar, and the gap before it
const DOWNWARDS = Int8Array.from({ length: 255 }, (_, i) => 127 - i);

const shapeOf = (run, field) => run.layout.pictures.fields[field][1];

// Square cells, stretched only where the picture would be a thread; whole pixels if near.
function placePicture({ width, height, size, ratio }, [p, q]) {
  const [left, top] = [2.8 * size, 0.7 * size];
  const wide = Math.max(1, width - left - 2 * BAR - 4.8 * size);
  const tall = Math.max(1, height - top - 2 * size);
  const square = Math.min(wide / q, tall / p);
  const extent = (room, count) => {
    const cell = Math.min(room / count, Math.max(1.15 * square, (0.5 * room) / count)) * ratio;
    return (count * (Math.floor(cell) > 0.93 * cell ? Math.floor(cell) : cell)) / ratio;
  };
  const [w, h] = [extent(wide, q), extent(tall, p)];
  return { x: Math.round(left + (wide - w) / 2), y: Math.round(top), w, h };
}

// Cells in steps of -127 ... 127, what is beyond like these; a NaN is left blank.
function drawCells(context, { cells }, [p, q], steps, colours, { x, y, w, h }) {
  [cells.width, cells.height] = [q, p];
  const image = new ImageData(q, p);
  const pixels = new Uint32Array(image.data.buffer);
  steps.forEach((step, i) => {
    pixels[i] = colours[127 + Math.max(-127, Math.min(Math.round(step), 127))];
  });
  cells.getContext("2d").putImageData(image, 0, 0);
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
  const { field } = panel.spec;
  const [rows, columns] = shapeOf(run, field);
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const { x, y, w, h } = (panel.box = placePicture(sheet, [rows, columns]));
  const limit = limitOf(run, `${field}_scale`);
  const [scale] = valuesAt(run, frame, `${field}_scale`);
  panel.values = valuesAt(run, frame, field);
  panel.unit = scale / 127;
  const steps = Float32Array.from(panel.values, (value) => value * (scale / limit));
  drawMap(context, panel, [rows, columns], steps, theme.diverging, theme);
  const middleOf = (column) => x + ((column - 0.5) / columns) * w;
  drawNumbers(context, ordinals(columns, w / 70), middleOf, y + h + 8, theme);
  for (const row of ordinals(rows, h / 45)) {
    write(context, String(row), x - 8, y + ((row - 0.5) / rows) * h, "right", "middle");
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
  if (column < 0 || column >= columns || value === undefined) return "";
  return `row ${row + 1}, column ${column + 1}\n${plain(value * unit)}`;
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
    const value = run.curves[field][(p - 1 - Math.floor(i / q)) * q + (i % q)];
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
  return at(rows, row) + at(columns, column) + `${label}  ${format(run.curves[field][cell], kind)}`;
}

// ---- drawing: bars -------------------------------------------------------------------------

const NOTHING = 1e-9; // of the largest: below is rounding, and drawn as zero

function paintBars(panel, { shown: run, frame, theme }) {
  const { field } = panel.spec;
  const { context, width, height, size } = openSheet(panel.canvas);
  const [right, top, bottom] = [width - 10, 10, height - size - 14];
  const high = limitOf(run, field);
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
  ink(context, theme.lines[0], 1, 1.25);
  panel.values.forEach((value, i) => {
    const above = Math.max(0, axis.y(value)); // beyond the scale: through the top of the picture
    const tall = value > NOTHING * high ? Math.max(2, bottom - above) : 0;
    context.fillRect(x(i + 1) - thick / 2, bottom - tall, thick, tall);
    if (tall > 0) return;
    circle(context, x(i + 1), bottom, Math.min(3.5, 0.7 * thick)); // not a bar too small to see
    context.stroke();
  });
}

function describeBars({ indexAt, values }, player, px) {
  const value = values[indexAt(px)];
  return value === undefined ? "" : `number ${indexAt(px) + 1}\n${plain(value)}`;
}

// ---- drawing: lines ------------------------------------------------------------------------

// The last frame on the axes of frames: ahead of a run that grows, exact when it is over.
const lastFrame = (run) =>
  Math.max(1, (run.over ? run.count : (run.axis.count ?? roundUp(Math.max(20, run.total)))) - 1);

// What a frame is called: its number, or the value of a field of its own.
const nameOf = (run, frame) =>
  run.axis.field ? plain(run.curves[run.axis.field][frame]) : firstNumber(run) + frame;
const firstNumber = (run) => (run.axis.field ? 0 : (run.curves.k?.[0] ?? 1));

// A frame's name in full, with the further values that belong to it.
function inFull(run, frame) {
  const { name, also = [] } = run.axis;
  const further = also.map(({ name, field }) => `${name} ${plain(run.curves[field][frame])}`);
  return [`${name} ${nameOf(run, frame)}`, ...further];
}
const colourOf = (theme, i) => theme.lines[i % theme.lines.length];

// The extent of a curve, but for what is ten times farther from 0 than all of its later half: a bad
// start would leave nothing to see of the rest. It runs along the edge there.
function nearby(run, name) {
  const extent = run.extents[name];
  const later = run.curves[name].slice(run.count >> 1).filter(Number.isFinite);
  if (!extent || later.length === 0) return extent;
  const far = 10 * later.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || Infinity;
  return { ...extent, low: Math.max(extent.low, -far), high: Math.min(extent.high, far) };
}

function placeLines({ fields, scale, span }, { context, width, height, size }, run) {
  const [top, bottom] = [10, height - size - 14];
  const extent = scale === "log" ? (name) => run.extents[name] : (name) => nearby(run, name);
  const least = span && { low: span[0], high: span[1], positive: span[0] };
  const extents = [least, ...fields.map(({ name }) => extent(name))];
  const axis = verticalAxis(scale, extents, top, bottom, size);
  const left = leftOf(context, axis);
  const names = fields.map(({ label }) => context.measureText(label).width);
  const right = width - Math.max(...names) - 16;
  const x = (frame) => left + (frame / lastFrame(run)) * (right - left);
  return { axis, left, right, top, bottom, x };
}

function drawCurve(context, values, { x, axis }, step) {
  let down = false;
  context.beginPath();
  values.forEach((value, frame) => {
    const y = axis.y(value);
    if (down && step) context.lineTo(x(frame), axis.y(values[frame - 1]));
    if (down && Number.isFinite(y)) context.lineTo(x(frame), y);
    else context.moveTo(x(frame), y);
    down = Number.isFinite(y);
  });
  context.stroke();
}

// Two kinds of marks stand on the axis of frames, and before their names in the panel's head.
const MARKS = {
  flag: {
    sign: "▲",
    at: (values, frame) => values[frame],
    draw: (context, x, y) => trace(context, [x, y - 9], [x - 4, y], [x + 4, y]).fill(),
  },
  change: {
    sign: "|",
    at: (values, frame) => frame > 0 && values[frame] !== values[frame - 1],
    draw: (context, x, y) => trace(context, [x, y - 14], [x, y]).stroke(),
  },
};

function drawMarks(context, { kind, field }, curves, { x, bottom }, theme) {
  ink(context, theme.text, 0.6, 2);
  curves[field].forEach((_, frame, values) => {
    if (MARKS[kind].at(values, frame)) MARKS[kind].draw(context, x(frame), bottom);
  });
}

// What is chosen of the frames, and what comes near it, is marked on the curves themselves. Where
// several curves meet, each mark goes around the one before.
const [STAR, RING] = ["★ chosen", "○ near-tie"];

function drawChoices({ context, size }, fields, run, { x, axis }, theme) {
  const marks = fields.flatMap(({ name, chosen, near = [] }, i) =>
    near.map((frame) => ({ i, frame, star: frame === chosen, y: axis.y(run.curves[name][frame]) })),
  );
  const meets = (one, other) => one.frame === other.frame && Math.abs(one.y - other.y) < 5;
  marks.forEach((mark, at) => {
    mark.around = marks.slice(0, at).filter((other) => meets(mark, other)).length;
  });
  for (const { i, frame, star, y, around } of marks.reverse()) {
    if (!Number.isFinite(y)) continue;
    ink(context, colourOf(theme, i), 1, 1.5);
    if (star) drawStar(context, x(frame), y, (0.55 + 0.3 * around) * size, theme);
    else circle(context, x(frame), y, (0.3 + 0.2 * around) * size);
    context.stroke();
  }
}

function drawStar(context, x, y, radius, { background }) {
  const corner = (_, i) => {
    const [angle, length] = [(i * Math.PI) / 5, i % 2 ? 0.45 * radius : radius];
    return [x + length * Math.sin(angle), y - length * Math.cos(angle)];
  };
  trace(context, ...Array.from({ length: 10 }, corner)).closePath();
  context.fill();
  context.strokeStyle = background; // tells it from the star around it
}

// Names stand at the ends of their curves, pushed apart where these meet, and above the bottom.
function drawNames(context, fields, run, { axis, right, bottom }, size, theme) {
  const heightOf = ({ name }) =>
    axis.y(run.curves[name].findLast((value) => Number.isFinite(axis.y(value))));
  const ends = fields.map((field, i) => ({ y: heightOf(field), label: field.label, i }));
  const sorted = ends.filter(({ y }) => Number.isFinite(y)).sort((a, b) => a.y - b.y);
  const gap = 1.25 * size;
  sorted.forEach((end, i) => (end.y = Math.max(end.y, (sorted[i - 1]?.y ?? -Infinity) + gap)));
  sorted.reduceRight((limit, end) => (end.y = Math.min(end.y, limit)) - gap, bottom);
  for (const { y, label, i } of sorted) {
    ink(context, colourOf(theme, i));
    write(context, label, right + 10, y, "left", "middle");
  }
}

// Where round values stand on a log axis: its frames are in equal ratios of the axis's field.
function decadesOf(run) {
  const values = run.curves[run.axis.field];
  const [first, newest] = [values[0], values.at(-1)].map(Math.log10);
  const perFrame = (newest - first) / (values.length - 1);
  if (!Number.isFinite(1 / perFrame)) return [];
  const [low, high] = [first, first + perFrame * lastFrame(run)].sort((a, b) => a - b);
  const few = high - low < 1.5;
  return multiples(Math.floor(low), Math.ceil(high), 1)
    .flatMap((k) => (few ? [1, 2, 5] : [1]).map((digit) => [Math.log10(digit) + k, digit, k]))
    .filter(([at]) => at > low - 1e-9 && at < high + 1e-9)
    .map(([at, digit, k]) => [(at - first) / perFrame, few ? plain(digit * 10 ** k) : power(k)]);
}

function countedFrames(run, room) {
  const [first, last] = [firstNumber(run), firstNumber(run) + lastFrame(run)];
  return [...new Set([first, ...counts(first, last, room)])]
    .filter((k) => !run.axis.field || k - first < run.count)
    .map((k) => [k - first, String(nameOf(run, k - first))]);
}

function drawFrameAxis({ context, width, size }, run, { x, left, right, bottom }, theme) {
  const { label, field, log } = run.axis;
  const widthOf = (text) => context.measureText(text).width;
  const widest = field ? widthOf("0.000888") : widthOf(firstNumber(run) + lastFrame(run));
  const room = (right - left) / (widest + 0.9 * size);
  const edge = width - widthOf(label) - widest / 2 - size;
  ink(context, theme.text, 0.8);
  for (const [frame, name] of log ? decadesOf(run) : countedFrames(run, room))
    if (x(frame) < edge) write(context, name, x(frame), bottom + 9, "center", "top");
  write(context, label, width, bottom + 9, "right", "top");
}

// Axes and whole curves are drawn once for each arrival, on two layers. A frame only cuts the
// curves off at the playhead, so that it costs the same however long the run is.
function drawLayers(panel, { shown: run, theme }) {
  const { fields, marks = [], step } = panel.spec;
  const [ground, curves] = panel.layers.map((layer) => openSheet(layer, panel.canvas));
  const place = placeLines(panel.spec, ground, run);
  drawVerticalAxis(ground.context, place.axis, place.left, place.right, theme);
  drawFrameAxis(ground, run, place, theme);
  drawNames(ground.context, fields, run, place, ground.size, theme);
  for (const mark of marks) drawMarks(curves.context, mark, run.curves, place, theme);
  fields.forEach(({ name }, i) => {
    ink(curves.context, colourOf(theme, i), 1, 2.5);
    drawCurve(curves.context, run.curves[name], place, step);
  });
  return place;
}

function paintLines(panel, player) {
  const { shown: run, frame, theme } = player;
  const sheet = openSheet(panel.canvas);
  const { context, width, height, ratio } = sheet;
  const stamp = [run.url, run.count, run.total, run.over, theme.stamp, width, height, ratio].join();
  if (stamp !== panel.stamp) panel.place = drawLayers(panel, player);
  panel.stamp = stamp;
  const { place } = panel;
  const [ground, curves] = panel.layers;
  const paste = (layer, from, to, alpha) => {
    const [x, w] = [Math.round(from * ratio), Math.round((to - from) * ratio)];
    context.globalAlpha = alpha;
    if (w > 0) context.drawImage(layer, x, 0, w, layer.height, x / ratio, 0, w / ratio, height);
  };
  const x = place.x(frame);
  paste(ground, 0, width, 1);
  paste(curves, x, width, 0.28);
  paste(curves, 0, x, 1);
  if (run.count === 0) return;
  ink(context, theme.text, 0.45, 1.5);
  trace(context, [x, place.top], [x, place.bottom]).stroke();
  panel.spec.fields.forEach(({ name }, i) => {
    ink(context, colourOf(theme, i), 1, 2);
    context.strokeStyle = theme.background;
    circle(context, x, place.axis.y(run.curves[name][frame]), 5.5);
    context.fill();
    context.stroke();
  });
  drawChoices(sheet, panel.spec.fields, run, place, theme);
}

function frameUnder({ place }, run, px) {
  const frame = Math.round(((px - place.left) / (place.right - place.left)) * lastFrame(run));
  return Math.min(Math.max(0, frame), run.count - 1);
}

function describeLines(panel, { shown: run }, px) {
  if (run.count === 0) return "";
  const frame = frameUnder(panel, run, px);
  const values = panel.spec.fields.map(({ name, label, chosen, near }) => {
    const choice = frame === chosen ? STAR : near?.includes(frame) ? RING : "";
    return `${label}  ${format(run.curves[name][frame], "number")}  ${choice}`;
  });
  return [...inFull(run, frame), ...values].join("\n");
}

// ---- panels --------------------------------------------------------------------------------

const PAINT = {
  ...{ picture: paintPicture, map: paintMap, bars: paintBars, lines: paintLines },
  readout: paintReadout,
};
const DESCRIBE = {
  ...{ picture: describePicture, map: describeMap, bars: describeBars, lines: describeLines },
};
const FRAME_UNDER = { map: cellUnder, lines: frameUnder }; // in these the pointer seeks

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A picture that is alone gets a column to itself; the numbers and every third of the other panels
// stand under it, which fills the two columns about evenly. The narrow page keeps the given order.
function mountPanels(player, specs, layout) {
  player.observer.disconnect();
  player.panels = specs.map((spec) =>
    spec.kind === "readout" ? createReadout(spec) : createCanvas(player, spec, layout),
  );
  player.panels.forEach(({ root }, i) => (root.style.order = i));
  const all = player.panels.map(({ root }) => root);
  const graphs = all.filter((root) => root.matches(".bars, .lines"));
  const beside = graphs.filter((_, i) => i % 3 !== 2);
  const solo = graphs.length > 0 && all.filter((root) => root.matches(".picture")).length === 1;
  player.grid.classList.toggle("solo", solo);
  const main = all.filter((root) => !beside.includes(root));
  if (solo) all.splice(0, all.length, element("div", {}, ...main), element("div", {}, ...beside));
  player.grid.replaceChildren(...all);
}

function createReadout(spec) {
  const numbers = spec.fields.map(() => element("b"));
  const cells = spec.fields.map(({ label }, i) =>
    element("div", {}, element("span", {}, label), numbers[i]),
  );
  return { spec, numbers, root: element("section", { class: "readout" }, ...cells) };
}

function paintReadout({ spec, numbers }, { shown: run, frame }) {
  spec.fields.forEach((field, i) => {
    numbers[i].textContent = format(run.curves[field.name][frame], field.format);
  });
}

function createCanvas(player, spec, layout) {
  const canvas = element("canvas", { role: "img", "aria-label": spec.title });
  const tip = element("div", { class: "tip", hidden: "" });
  const head = element("header", {}, element("h3", {}, spec.title));
  const legend = spec.marks?.map(({ kind, label }) => `${MARKS[kind].sign} ${label}`) ?? [];
  if (spec.kind === "map") legend.push(`↑ ${spec.rows.label}`, `→ ${spec.columns.label}`);
  if (spec.fields?.some(({ near }) => near)) legend.push(STAR, RING);
  head.append(element("span", {}, legend.join("  ")));
  const sheet = element("div", { class: "sheet" }, canvas, tip);
  const root = element("section", { class: spec.kind }, head, sheet);
  const panel = { spec, root, canvas, tip, pointer: null };
  const spare = () => new OffscreenCanvas(1, 1);
  if (spec.kind === "lines") panel.layers = [spare(), spare()];
  if (spec.kind === "picture" || spec.kind === "map") {
    const [p, q] = spec.kind === "map" ? cellsOf(panel) : layout.pictures.fields[spec.field][1];
    panel.cells = spare();
    root.style.setProperty("--aspect", q / p);
  }
  listen(player, panel);
  player.observer.observe(canvas);
  return panel;
}

function listen(player, panel) {
  const { canvas, spec } = panel;
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    panel.pointer = [event.offsetX, event.offsetY];
    if (spec.kind in FRAME_UNDER && event.buttons === 1 && player.shown.count > 0) {
      canvas.setPointerCapture(event.pointerId);
      const frame = FRAME_UNDER[spec.kind](panel, player.shown, ...panel.pointer);
      if (frame !== null) seek(player, frame);
    }
    updateTip(player, panel);
  };
  canvas.onpointerleave = () => {
    panel.pointer = null;
    updateTip(player, panel);
  };
}

function updateTip(player, panel) {
  const { tip, pointer, canvas } = panel;
  const text = pointer ? DESCRIBE[panel.spec.kind](panel, player, ...pointer) : "";
  tip.hidden = text === "";
  if (tip.hidden) return;
  tip.textContent = text;
  const side = pointer[0] > canvas.clientWidth / 2 ? "calc(-100% - 14px)" : "14px";
  tip.style.transform = `translate(${pointer[0]}px, ${pointer[1]}px) translate(${side}, -50%)`;
}

// ---- transport -----------------------------------------------------------------------------

const button = (action, label, path, text = "") =>
  `<button type="button" data-action="${action}" title="${label}" aria-label="${label}">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>${text}</button>`;
const PLAY = "M7 4.5v15L19.5 12z";
const PAUSE = "M6.5 5h4v14h-4zM13.5 5h4v14h-4z";
const SKELETON = `
  <div class="transport">
    <div class="buttons">
      ${button("start", "To the start (Home)", "M6 5h2.5v14H6zM19 5v14L9.5 12z")}
      ${button("back", "One step back (arrow; shift: ten)", "M15.5 5v14L6 12zM17 5h2.5v14H17z")}
      ${button("play", "Play (space)", PLAY)}
      ${button("on", "One step on (arrow; shift: ten)", "M8.5 5v14L18 12zM4.5 5H7v14H4.5z")}
      ${button("live", "To the newest, and follow (End)", "M5 5v14l9.5-7zM15.5 5H18v14h-2.5z")}
    </div>
    <input type="range" min="0" value="0" aria-label="Go to">
    <select title="Speed" aria-label="Speed">
      <option value="0.25">¼×</option>
      <option value="1" selected>1×</option>
      <option value="4">4×</option>
      <option value="16">16×</option>
      <option value="Infinity">as fast as it goes</option>
    </select>
    ${button("stop", "Stop the run on the server", "M6 6h12v12H6z", "Stop")}
  </div>
  <div class="status"><span class="place"></span><span role="status"></span></div>
  <div class="panels"></div>`;

const ACTIONS = {
  start: (player) => seek(player, 0),
  back: (player, by = 1) => seek(player, player.frame - by),
  play: togglePlay,
  on: (player, by = 1) => seek(player, player.frame + by),
  live: follow,
  stop,
};
const KEYS = { " ": "play", ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "live" };

const SENTENCES = {
  lost: "The server no longer holds this run; change a setting or reload to run it again.",
  reconnecting: "Reconnecting…",
  unreadable: "The server's answer cannot be read; reload the page.",
  stopping: "Stopping…",
  beginning: "Computing the first frame…",
};

function seek(player, frame) {
  player.playing = player.following = false;
  player.frame = player.position = Math.max(0, Math.min(frame, player.shown.count - 1));
  invalidate(player);
}

function togglePlay(player) {
  const { shown: run, frame } = player;
  player.playing = !(player.playing || player.following);
  player.following = false;
  if (player.playing && run.over && frame >= run.count - 1) player.position = 0;
  invalidate(player);
}

function follow(player) {
  player.following = true;
  player.playing = false;
  invalidate(player);
}

function stop(player) {
  const run = player.latest;
  if (run.over || run.stopping) return;
  run.stopping = true;
  player.playing = player.following = false;
  player.send("stop", run.url);
  invalidate(player);
}

function onKey(player, event) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "SELECT") return;
  if (event.key === " " && event.target.tagName === "BUTTON") return; // the browser presses it
  event.preventDefault();
  event.stopPropagation(); // single keys are Streamlit's shortcuts, too
  ACTIONS[action](player, event.shiftKey ? 10 : 1);
}

function updateTransport(player) {
  const { shown: run, latest, frame, root, scrubber } = player;
  const [moving, last] = [player.playing || player.following, lastFrame(run)];
  const [play, live, end] = ["play", "live", "stop"].map((action) =>
    root.querySelector(`[data-action=${action}]`),
  );
  play.title = play.ariaLabel = moving ? "Pause (space)" : "Play (space)";
  play.querySelector("path").setAttribute("d", moving ? PAUSE : PLAY);
  live.ariaPressed = player.following;
  end.ariaDisabled = latest.over || latest.stopping;
  scrubber.max = last;
  scrubber.value = frame;
  scrubber.style.setProperty("--shown", frame / last);
  scrubber.style.setProperty("--held", Math.max(0, run.count - 1) / last);

  const first = firstNumber(run);
  const phase = latest.stopping && !latest.over ? "stopping" : latest.phase;
  const inAll = run.axis.count ? `; ${run.axis.count} in all` : "";
  const going = phase === "running" ? ` so far, running${inAll}` : "";
  const place = run.axis.field
    ? `${run.count ? inFull(run, frame).join(", ") : ""} (${frame + 1} of ${run.total}${going})`
    : `${run.axis.name} ${first + frame} of ${first + run.total - 1}${going}`;
  const news = latest.count > 0 || latest.over ? latest.message : SENTENCES.beginning;
  const sentence = SENTENCES[phase] ?? news;
  scrubber.ariaValueText = place;
  root.querySelector(".place").textContent = run === latest && run.count > 0 ? place : "";
  const message = root.querySelector("[role=status]");
  if (message.textContent !== sentence) message.textContent = sentence;
  root.classList.toggle("pending", run !== latest);
  Object.assign(root.dataset, { frame, total: run.total, status: phase });
}

// ---- entry ---------------------------------------------------------------------------------

function createPlayer(parent) {
  const root = element("div", { class: "player", tabindex: 0, role: "group" });
  root.ariaLabel = "Player";
  root.innerHTML = SKELETON;
  const player = {
    root,
    grid: root.querySelector(".panels"),
    scrubber: root.querySelector("input"),
    speed: root.querySelector("select"),
    observer: new ResizeObserver(() => invalidate(player)),
    shown: null, // the run that is drawn
    latest: null, // the run that is asked for; the old one stays until its first frame is here
    position: 0, // in frames; `frame` is its whole part
    frame: 0,
    playing: false,
    following: false,
    clock: null,
    ticket: 0,
    told: new Set(),
    path: location.pathname,
    quietUntil: performance.now() + PATIENCE / 2,
  };
  root.onkeydown = (event) => onKey(player, event);
  root.onclick = ({ target }) => ACTIONS[target.closest("[data-action]")?.dataset.action]?.(player);
  player.scrubber.oninput = () => seek(player, Number(player.scrubber.value));
  parent.append(root);
  heedClicks(player);
  return player;
}

function show(player, run) {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  player.shown = run;
  player.position = player.frame = 0;
  player.playing = !still;
  player.following = false;
  arrange(player);
}

// Panels are built anew only when they, or the pictures in them, are described differently.
function arrange(player) {
  const { data, shown: run } = player;
  const design = JSON.stringify([data.panels, run.layout.pictures.fields]);
  if (design === player.design) return;
  player.design = design;
  mountPanels(player, data.panels, run.layout);
  paint(player); // in the same task: new canvases are never seen, or pointed at, unpainted
}

const FRAME_RATE = 8; // a second, at speed 1
const LONGEST = 20; // seconds, at speed 1: a run of thousands of frames is not watched for minutes

// As fast as it goes: what is held is caught up with in an eighth of a second or so, by every paint
// a part of it, so that frames which arrive in bursts still flow.
function framesPerSecond({ speed: { value }, shown: run, position }) {
  const pace = Number(value) * Math.max(FRAME_RATE, run.count / LONGEST);
  return Number.isFinite(pace) ? pace : Math.max(FRAME_RATE, 8 * (run.count - position));
}

function advance(player, now) {
  const run = player.shown;
  const newest = Math.max(0, run.count - 1);
  const seconds = player.clock === null ? 0 : Math.min(0.1, (now - player.clock) / 1000);
  if (player.following) player.position = newest;
  if (player.playing) player.position += seconds * framesPerSecond(player);
  player.position = Math.min(newest, player.position);
  player.frame = Math.floor(player.position);
  if (run.over && player.frame === newest) player.playing = player.following = false;
  const moving = player.playing && player.frame < newest;
  player.clock = moving ? now : null;
  return moving;
}

function invalidate(player) {
  player.dirty = true;
  schedule(player);
}

function schedule(player) {
  player.ticket ||= requestAnimationFrame((now) => tick(player, now));
}

function tick(player, now) {
  player.ticket = 0;
  if (!player.root.isConnected) return;
  const { frame } = player;
  const moving = advance(player, now);
  if (player.dirty || player.frame !== frame) paint(player);
  if (moving) schedule(player);
}

function paint(player) {
  player.dirty = false;
  for (const panel of player.panels) {
    PAINT[panel.spec.kind](panel, player);
    if (panel.pointer) updateTip(player, panel);
  }
  updateTransport(player);
}

export default function ({ parentElement, data, setTriggerValue }) {
  const player = players.get(parentElement) ?? createPlayer(parentElement);
  players.set(parentElement, player);
  player.data = data;
  player.send = setTriggerValue;
  player.theme = readTheme(player.root);
  if (player.latest?.url !== data.url) {
    if (player.latest) player.quietUntil = 0; // this is the answer to the last click
    player.latest?.abort.abort();
    player.latest = newRun(data.url, data.layout, data.axis);
  }
  if (player.shown === null) show(player, player.latest);
  else if (player.shown === player.latest) arrange(player);
  if (!player.latest.pulling) pull(player, player.latest);
  invalidate(player);
  document.fonts.ready.then(() => {
    player.theme = readTheme(player.root); // letters on a canvas do not change by themselves
    invalidate(player);
  });
}
