// ---- drawing: lines ------------------------------------------------------------------------

import { circle, drawVerticalAxis, ink, leftOf, openSheet, trace, verticalAxis, write, writeOver } from "./canvas.js";
import { format, multiples, nearest, ordinals, plain, roundUp, stepFor } from "./numbers.js";
import { framesToAsk, valuesAt, widen } from "./store.js";

// The last frame on the axes of frames: ahead of a run that grows, exact when it is over.
export const lastFrame = (run) =>
  Math.max(1, (run.over ? run.count : (run.axis.count ?? roundUp(Math.max(20, run.total)))) - 1);

// What a frame is called: its number, or the value of a metric.
export const nameOf = (run, frame) =>
  run.axis.field ? plain(run.metrics[run.axis.field][frame]) : format(frame + 1, "int");

// A frame's name in full, with the further values that belong to it.
export function inFull(run, frame) {
  const { name, also = [] } = run.axis;
  const further = also.map(({ name, field }) => `${name} ${plain(run.metrics[field][frame])}`);
  return [`${name} ${nameOf(run, frame)}`, ...further];
}

// Curves with their values and colours.
export const curvesOf = (fields, theme, valuesOf) =>
  fields.map((field) => ({ ...field, colour: theme.lines[field.colour], values: valuesOf(field.name) }));

// The extent of a curve, but for what is ten times farther from 0 than all of its later half: a bad
// start would leave nothing to see of the rest. It runs along the edge there.
function nearby(run, name) {
  const extent = run.extents[name];
  const later = run.metrics[name].slice(run.count >> 1).filter(Number.isFinite);
  if (!extent || later.length === 0) return extent;
  const far = 10 * later.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || Infinity;
  return { ...extent, low: Math.max(extent.low, -far), high: Math.min(extent.high, far) };
}

export function extentOf(values) {
  const extents = {};
  for (const value of values) widen(extents, "all", value);
  return extents.all;
}

// A chart has room for its axis at the left, and at the right for names of curves.
function placeChart({ context, width, height, size }, axisOf, margin) {
  const [top, bottom] = [Math.max(10, 0.65 * size), height - size - 14]; // the highest number is whole
  const axis = axisOf(top, bottom, size);
  const [left, right] = [leftOf(context, axis), width - margin];
  return { axis, left, right, top, bottom, at: (share) => left + share * (right - left) };
}

export function placeFrames(sheet, axisOf, margin, run, last = lastFrame(run)) {
  const place = placeChart(sheet, axisOf, margin);
  return { ...place, last, x: (frame) => place.at(run.axis.at?.[frame] ?? frame / last) };
}

const roomFor = (context, texts) => 16 + Math.max(...texts.map((text) => context.measureText(text).width));

const DASHES = { dash: [8, 5], dot: [2, 5] };

export function drawCurve(context, { values, colour, dash }, { x, axis }, step, alpha = 1, width = 2.5) {
  let down = false;
  ink(context, colour, alpha, width);
  context.setLineDash(DASHES[dash] ?? []);
  context.beginPath();
  values.forEach((value, frame) => {
    const y = axis.y(value);
    if (down && step) context.lineTo(x(frame), axis.y(values[frame - 1]));
    if (down && Number.isFinite(y)) context.lineTo(x(frame), y);
    else context.moveTo(x(frame), y);
    down = Number.isFinite(y);
  });
  context.stroke();
  context.setLineDash([]);
}

// Triangles on the axis, at the frames where a metric is not 0; where they crowd, they are thin.
function drawMark(context, values, { x, left, right, bottom }, alpha, theme) {
  const places = [...values.keys()].filter((frame) => values[frame]).map(x);
  const half = Math.min(4, Math.max(1, (right - left) / places.length / 2));
  ink(context, theme.text, 0.6 * alpha);
  for (const place of places)
    trace(context, [place, bottom - 9], [place - half, bottom], [place + half, bottom]).fill();
}

// What is chosen of the frames, and what comes near it, is marked on the curves themselves. The signs of
// a later curve are larger: they are seen around the others where curves meet.
export const [STAR, RING] = ["★ chosen", "○ nearly as good"];

function drawChoices({ context, size }, curves, { x, axis }) {
  const { font } = context;
  curves.toReversed().forEach(({ values, colour, chosen, near = [] }, i) => {
    const extent = (1 + 0.3 * (curves.length - 1 - i)) * size;
    context.font = font.replace(/[\d.]+px/, `${1.6 * extent}px`);
    for (const frame of near) {
      const [place, y] = [x(frame), axis.y(values[frame])];
      ink(context, colour, 1, 1.5);
      circle(context, place, y, 0.3 * extent);
      if (frame === chosen) write(context, "★", place, y, "center", "middle");
      else context.stroke();
    }
  });
  context.font = font;
}

// Names stand at the ends of their curves, pushed apart where these meet, and above the bottom.
function drawNames(context, curves, { axis, right, bottom }, size) {
  const heightOf = ({ values }) =>
    axis.y(values.findLast((value) => Number.isFinite(axis.y(value))));
  const ends = curves.filter(({ aside }) => !aside).map((curve) => ({ ...curve, y: heightOf(curve) }));
  const sorted = ends.filter(({ y }) => Number.isFinite(y)).sort((a, b) => a.y - b.y);
  const gap = 1.25 * size;
  sorted.forEach((end, i) => (end.y = Math.max(end.y, (sorted[i - 1]?.y ?? -Infinity) + gap)));
  sorted.reduceRight((limit, end) => (end.y = Math.min(end.y, limit)) - gap, bottom);
  for (const { y, label, colour } of sorted) {
    ink(context, colour);
    write(context, label, right + 10, y, "left", "middle");
  }
}

// Names below a chart, words first, then from the last one on: one that would touch another, or the
// label, is left out.
function drawBelow({ context, width, size }, ticks, label, bottom, theme) {
  ink(context, theme.text, 0.8);
  write(context, label, width, bottom + 9, "right", "top");
  const taken = [[width - context.measureText(label).width, width]];
  const isWord = ([, name]) => /[a-z]{2}/.test(name);
  for (const [x, name] of ticks.toReversed().sort((one, other) => isWord(other) - isWord(one))) {
    const half = (context.measureText(name).width + size) / 2; // with a gap
    if (taken.some(([from, to]) => x + half > from && x - half < to)) continue;
    taken.push([x - half + size / 2, x + half - size / 2]);
    write(context, name, x, bottom + 9, "center", "top");
  }
}

function placeLines({ fields, scale, format, span }, sheet, run) {
  const extent = scale === "log" ? (name) => run.extents[name] : (name) => nearby(run, name);
  const least = span && { low: span[0], high: span[1], positive: span[0] };
  const extents = [least, ...fields.map(({ name }) => extent(name))];
  const names = fields.filter(({ aside }) => !aside).map(({ label }) => label);
  const { label, ticks = [] } = run.axis;
  const ends = ticks.slice(-1).map(([, name]) => label + name); // it stands beside the label
  const axisOf = (...room) => verticalAxis({ scale, format }, extents, ...room);
  return placeFrames(sheet, axisOf, roomFor(sheet.context, [...names, ...ends]), run);
}

// The ticks below a chart: given ones, or some numbers of frames.
export function ticksOf({ axis: { ticks, isOld } }, { at, last, x, left, right }, { context, size }) {
  if (ticks) return isOld ? [] : ticks.map(([share, name]) => [at(share), name]);
  const widest = context.measureText(format(last + 1, "int")).width + 0.9 * size;
  return ordinals(last + 1, (right - left) / widest).map((k) => [x(k - 1), format(k, "int")]);
}

export const TO_COME = 0.28; // of the ink, for the frames after this one

// Draw what has been in full ink, and what is to come pale.
export function drawAround({ context, width, height }, now, draw, toCome = TO_COME) {
  for (const [from, to, alpha] of [[now, width, toCome], [0, now, 1]]) {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    if (alpha > 0) draw(alpha);
    context.restore();
  }
}

// The line at this frame, with a dot on each curve.
export function drawNow({ context }, curves, frame, { x, axis, top, bottom }, theme) {
  const now = x(frame);
  ink(context, theme.accent, 0.8, 1.5);
  trace(context, [now, top], [now, bottom]).stroke();
  for (const { values, colour } of curves) {
    ink(context, colour, 1, 2);
    context.strokeStyle = theme.background;
    circle(context, now, axis.y(values[frame]), 5.5);
    context.fill();
    context.stroke();
  }
}

export function drawAxes(sheet, place, ticks, label, theme) {
  drawVerticalAxis(sheet.context, place.axis, place.left, place.right, theme);
  drawBelow(sheet, ticks, label, place.bottom, theme);
}

// What a question asks for stays behind a curtain until the guess.
function drawCurtain({ context, size }, from, { right, top, bottom }, theme) {
  const { font } = context;
  ink(context, theme.text, 0.06);
  context.fillRect(from, top, right - from, bottom - top);
  context.font = font.replace(/[\d.]+px/, `${4 * size}px`);
  ink(context, theme.accent);
  write(context, "?", (from + right) / 2, (top + bottom) / 2, "center", "middle");
  context.font = font;
}

export function paintLines(panel, player) {
  const { shown: run, frame, theme, host } = player;
  const { fields, marks = [], step } = panel.spec;
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const place = (panel.place = placeLines(panel.spec, sheet, run));
  const curves = curvesOf(fields, theme, (name) => run.metrics[name]);
  drawAxes(sheet, place, ticksOf(run, place, sheet), run.axis.label, theme);
  if (host.isCovered(player)) drawCurtain(sheet, place.x(framesToAsk(run) - 1), place, theme);
  drawNames(context, curves, place, size);
  drawAround(sheet, place.x(frame), (alpha) => {
    for (const { field } of marks) drawMark(context, run.metrics[field], place, alpha, theme);
    for (const curve of curves) drawCurve(context, curve, place, step, alpha);
  });
  drawNow(sheet, curves, frame, place, theme);
  drawChoices(sheet, curves, place);
}

export function frameUnder({ place }, { axis: { at }, count }, px) {
  const share = (px - place.left) / (place.right - place.left);
  const frame = at ? nearest(at, share) : Math.round(share * place.last);
  return Math.min(Math.max(0, frame), count - 1);
}

export function describeLines(panel, { shown: run }, px) {
  const frame = frameUnder(panel, run, px);
  const { fields, marks = [], format: kind = "number" } = panel.spec;
  const values = fields.map(({ name, label, chosen, near }) => {
    const choice = frame === chosen ? STAR : near?.includes(frame) ? RING : "";
    return `${label}  ${format(run.metrics[name][frame], kind)}  ${choice}`;
  });
  const told = marks.filter(({ field }) => run.metrics[field][frame]).map(({ label }) => `▲ ${label}`);
  return [...inFull(run, frame), ...values, ...told].join("\n");
}

// ---- drawing: curves, functions of x that each frame has anew ------------------------------

export function paintCurve(panel, player) {
  const { shown: run, frame, theme } = player;
  const { fields, x: grid, dots, behind, step, label, stems } = panel.spec;
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const curves = curvesOf(fields, theme, (name) => [...valuesAt(run, frame, name)]);
  const still = { label: behind.label, values: behind.y, colour: theme.text };
  const names = [...curves, still].map(({ label }) => label);
  const axisOf = (...room) => verticalAxis({ scale: "linear" }, [dots.y, behind.y].map(extentOf), ...room);
  const place = placeChart(sheet, axisOf, roomFor(context, names));
  const [first, last] = [grid[0], grid.at(-1)];
  const at = (x) => place.at((x - first) / (last - first));
  Object.assign(panel, { curves, xAt: (px) => first + ((px - place.left) / (place.right - place.left)) * (last - first) });
  const every = stepFor(last - first, (place.right - place.left) / (4 * size));
  const ticks = multiples(first, last, every).map((x) => [at(x), plain(x)]);
  drawAxes(sheet, place, ticks, label, theme);
  ink(context, theme.text, 0.45, 1);
  dots.y.forEach((y, i) => {
    circle(context, at(dots.x[i]), place.axis.y(y), 3.5);
    context.fill();
  });
  drawCurve(context, still, { ...place, x: (k) => at(behind.x[k]) }, step, 0.6, 1.25);
  // The question may be how many of them are 0: until the guess all are alike.
  panel.heights = stems && !player.host.isCovered(player) && valuesAt(run, frame, stems.name);
  const bumps = (heights, ...look) => {
    ink(context, ...look);
    drawBumps(context, heights, panel.spec, (k) => at(grid[k]), place.axis.y);
  };
  if (stems) bumps(panel.heights || dots.x.map(() => UNKNOWN), theme.text, 0.3, 1);
  if (panel.heights) drawStems(context, panel.heights, (j) => at(dots.x[j]), place.axis.y, theme);
  for (const curve of curves.toReversed())
    drawCurve(context, curve, { ...place, x: (k) => at(grid[k]) }, step);
  drawNames(context, [...curves, still], place, size);
  if (!stems || panel.heights) return;
  const one = Math.floor(EXAMPLE * dots.x.length);
  bumps(dots.x.map((_, j) => (j === one ? UNKNOWN : 0)), theme.accent, 1, 2.5);
  const [x, foot, sample] = [at(dots.x[one]), place.axis.y(0), place.axis.y(dots.y[one])];
  trace(context, [x, foot], [x, sample]).stroke();
  circle(context, x, sample, 6);
  context.fill();
  const text = "a sample and its bump: how high?";
  const end = Math.min(place.right, x + context.measureText(text).width / 2);
  writeOver(context, text, end, place.axis.y(UNKNOWN) - 6, "right", "bottom", theme, theme.accent);
}

const [UNKNOWN, EXAMPLE] = [0.2, 0.73]; // before the guess: the height of all bumps, and which one is pointed out
const REACH = 3; // widths from the middle of a bump to its foot

function drawBumps(context, heights, { x: grid, dots, width }, x, y) {
  heights.forEach((height, j) => {
    if (height === 0) return;
    const away = grid.map((place, k) => [k, (place - dots.x[j]) / width]).filter(([, far]) => Math.abs(far) < REACH);
    trace(context, ...away.map(([k, far]) => [x(k), y(height * Math.exp(-(far ** 2) / 2))])).stroke();
  });
}

// A coefficient is the height of its bump: a stem at the place of the bump, and a ring if it is exactly 0.
function drawStems(context, heights, x, y, theme) {
  heights.forEach((height, j) => {
    ink(context, theme.text, 1, 2);
    if (height !== 0) return trace(context, [x(j), y(0)], [x(j), y(height)]).stroke();
    circle(context, x(j), y(0), 3);
    ink(context, theme.background);
    context.fill();
    ink(context, theme.text, 1, 1.5);
    context.stroke();
  });
}

export function describeCurve({ curves, heights, xAt, spec: { x: grid, dots, behind, label } }, player, px) {
  const x = xAt(px);
  if (x < grid[0] || x > grid.at(-1)) return "";
  const k = nearest(grid, x);
  const lines = curves.map(({ label, values }) => `${label}  ${plain(values[k])}`);
  lines.push(`${behind.label}  ${plain(behind.y[nearest(behind.x, x)])}`);
  lines.push(`nearest sample  ${plain(dots.y[nearest(dots.x, x)])}`);
  if (heights) lines.push(`its bump  ${plain(heights[nearest(dots.x, x)])}`);
  return [`${label} = ${plain(grid[k])}`, ...lines].join("\n");
}
