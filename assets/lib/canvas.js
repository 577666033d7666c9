// Colours of the theme, canvases, and axes on them.

import { multiples, plain, power, stepFor, typeset } from "./numbers.js";

// The colours of the methods among the categories, as in pages/shared/methods.py; a test compares.
export const METHODS = { smm: 0, svm: 3 };

// The colours of `.streamlit/config.toml`, in which zero has the colour of the background.
export function readTheme(root) {
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const list = (name) => read(name).split(/,(?![^(]*\))/);
  const background = read("background-color");
  const lines = list("chart-categorical-colors");
  lines.forEach((colour, i) => root.style.setProperty(`--line-${i}`, colour)); // styles cannot index a list
  const diverging = list("chart-diverging-colors");
  diverging.splice(diverging.length / 2, 0, background);
  return {
    background,
    text: read("text-color"),
    border: read("border-color"),
    accent: read("primary-color"), // of what can be dragged, and of now
    event: lines[5], // of a restart, a loss and what is wrong
    lines,
    ...{ smm: lines[METHODS.smm], svm: lines[METHODS.svm] },
    diverging: colourTable(diverging),
  };
}

// 255 colours for -127 ... 127, as little-endian RGBA.
export function colourTable(stops) {
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

// Pixels of a canvas for each of the page: those of the screen, or so many as a saved picture asks for.
let askedRatio = 0;
const pixelRatio = () => askedRatio || window.devicePixelRatio;

// Let all pictures be painted with so many pixels while `act` copies them.
export function paintAt(ratio, act) {
  const paint = (asked) => {
    askedRatio = asked;
    document.dispatchEvent(new Event("paint"));
  };
  paint(ratio);
  act();
  paint(0);
}

// Resizing clears a canvas: it happens here only, in the very frame that paints it again.
export function openSheet(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = pixelRatio();
  const { fontSize, fontFamily } = getComputedStyle(canvas);
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

export function ink(context, colour, alpha = 1, width = 1) {
  context.fillStyle = context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
}

export function write(context, text, x, y, align, baseline) {
  context.textAlign = align;
  context.textBaseline = baseline;
  context.fillText(text, x, y);
}

export function trace(context, ...points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  return context;
}

export function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

// Letters that are read on whatever lies below them.
export function writeOver(context, text, x, y, align, baseline, theme, colour = theme.text) {
  ink(context, theme.background, 0.85, 4);
  context.textAlign = align;
  context.textBaseline = baseline;
  context.strokeText(text, x, y);
  ink(context, colour);
  write(context, text, x, y, align, baseline);
}

// A vertical axis is {y: value -> height or NaN, ticks: [[height, label]]}.
export function verticalAxis({ scale, format: kind }, extents, top, bottom, size) {
  const known = extents.filter(Boolean);
  const high = Math.max(...known.map((extent) => extent.high));
  const low = Math.min(...known.map((extent) => extent.low));
  const positive = Math.min(...known.map((extent) => extent.positive));
  if (scale === "log") return logAxis(low, positive, high, top, bottom, size);
  return linearAxis(...(known.length ? [low, high] : [0, 1]), top, bottom, size, kind);
}

// A 0, which has no place on it, is drawn at its floor, and the floor says so.
export function logAxis(low, positive, high, top, bottom, size) {
  const ceiling = high > 0 ? Math.ceil(Math.log10(high) - 1e-9) : 0;
  const lowest = high > 0 ? Math.floor(Math.log10(positive)) : ceiling;
  const floor = Math.min(Math.max(lowest, ceiling - 20), ceiling - 1);
  const y = (value) => {
    if (value === 0) return bottom;
    const share = value > 0 ? (Math.log10(value) - floor) / (ceiling - floor) : NaN;
    return bottom - Math.max(0, share) * (bottom - top);
  };
  const every = Math.ceil(((ceiling - floor) * 2 * size) / (bottom - top));
  const exponents = multiples(floor, ceiling, every);
  const ticks = exponents.map((exponent) => [y(10 ** exponent), power(exponent)]);
  if (low === 0) ticks.splice(0, bottom - ticks[0]?.[0] < size ? 1 : 0, [bottom, "0"]);
  return { y, ticks };
}

// A log axis that stays; what is beyond, and 0, runs along its edge. Ticks are values with labels.
export function fixedAxis([low, high], ticks, top, bottom) {
  const [from, to] = [low, high].map(Math.log10);
  const y = (value) => {
    const share = (Math.log10(Math.max(value, low)) - from) / (to - from);
    return bottom - Math.min(1, share) * (bottom - top);
  };
  const valueAt = (height) => 10 ** (from + ((bottom - height) / (bottom - top)) * (to - from));
  return { y, valueAt, ticks: ticks.map(([value, label]) => [y(value), label]) };
}

// Values that differ by rounding only are one. Ticks of whole numbers are whole.
export function linearAxis(low, high, top, bottom, size, kind) {
  const whole = kind === "int";
  let [base, peak] = [low, high];
  if (peak - base <= 1e-12 * Math.max(Math.abs(base), Math.abs(peak))) peak = base;
  if (base > 0 && (base <= peak / 2 || base === peak)) [base, peak] = [0, high];
  if (base === peak) peak = base + 1;
  const step = Math.max(whole ? 1 : 0, stepFor(peak - base, (bottom - top) / (2.6 * size)));
  const floor = Math.floor(base / step + 1e-9) * step;
  const ceiling = Math.ceil(peak / step - 1e-9) * step;
  const y = (value) => {
    const share = (value - floor) / (ceiling - floor);
    return bottom - Math.min(1, Math.max(0, share)) * (bottom - top);
  };
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const most = Math.max(Math.abs(floor), Math.abs(ceiling));
  const far = decimals > 6 || most >= 1e6;
  const digits = Math.max(3, 2 + Math.ceil(Math.log10(most / step))); // ticks differ in the last
  const percent = (value) => `${(100 * value).toFixed(Math.max(0, decimals - 2))} %`;
  const label = kind === "percent" ? percent : (value) => (far ? plain(value, digits) : typeset(value.toFixed(decimals)));
  return { y, ticks: multiples(floor, ceiling, step).map((value) => [y(value), label(value)]) };
}

export const leftOf = (context, { ticks }) =>
  Math.max(56, ...ticks.map(([, label]) => context.measureText(label).width + 12));

export function drawVerticalAxis(context, axis, left, right, theme) {
  for (const [y, label] of axis.ticks) {
    ink(context, theme.border, 0.6);
    trace(context, [left, y], [right, y]).stroke();
    ink(context, theme.text, 0.8);
    write(context, label, left - 8, y, "right", "middle");
  }
}

export function drawNumbers(context, numbers, x, y, theme) {
  ink(context, theme.text, 0.8);
  for (const number of numbers) write(context, String(number), x(number), y, "center", "top");
}
