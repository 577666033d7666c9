// ---- drawing: lines ------------------------------------------------------------------------

// The last frame on the axes of frames: ahead of a run that grows, exact when it is over.
const lastFrame = (run) =>
  Math.max(1, (run.over ? run.count : (run.axis.count ?? roundUp(Math.max(20, run.total)))) - 1);

// What a frame is called: its number, or the value of a field of its own.
const nameOf = (run, frame) =>
  run.axis.field
    ? plain(run.metrics[run.axis.field][frame])
    : format(firstNumber(run) + frame, "int");
const firstNumber = (run) => (run.axis.field ? 0 : (run.metrics.k?.[0] ?? 1));

// A frame's name in full, with the further values that belong to it.
function inFull(run, frame) {
  const { name, also = [] } = run.axis;
  const further = also.map(({ name, field }) => `${name} ${plain(run.metrics[field][frame])}`);
  return [`${name} ${nameOf(run, frame)}`, ...further];
}
const colourOf = (theme, i) => theme.lines[i % theme.lines.length];
const coloursOf = (theme, fields) => fields.map(({ colour }, i) => colourOf(theme, colour ?? i));

// The extent of a curve, but for what is ten times farther from 0 than all of its later half: a bad
// start would leave nothing to see of the rest. It runs along the edge there.
function nearby(run, name) {
  const extent = run.extents[name];
  const later = run.metrics[name].slice(run.count >> 1).filter(Number.isFinite);
  if (!extent || later.length === 0) return extent;
  const far = 10 * later.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || Infinity;
  return { ...extent, low: Math.max(extent.low, -far), high: Math.min(extent.high, far) };
}

function extentOf(values) {
  const extents = {};
  for (const value of values) widen(extents, "all", value);
  return extents.all;
}

function placeLines(spec, { context, width, height, size }, run) {
  const { fields, scale, span, against, levels } = spec;
  const [top, bottom] = [10, height - size * (run.axis.below && !against ? 2.3 : 1) - 14];
  const extent = scale === "log" ? (name) => run.extents[name] : (name) => nearby(run, name);
  const least = span && { low: span[0], high: span[1], positive: span[0] };
  const straight = extentOf(Object.values(levels?.of ?? {}));
  const extents = [least, straight, ...fields.map(({ name }) => extent(name))];
  const axis = verticalAxis(spec, extents, top, bottom, size);
  const left = leftOf(context, axis);
  const names = fields.filter(({ aside }) => !aside).map(({ label }) => context.measureText(label).width);
  const { label, ticks = [] } = run.axis; // of given ticks the last one is shown, beside the label
  const ends = ticks.slice(-1).map(([, name]) => context.measureText(label + name).width);
  const right = width - Math.max(...names, ...ends) - 16;
  const last = lastFrame(run);
  const at = (share) => left + share * (right - left);
  const shareOf = (frame) => run.axis.at?.[frame] ?? frame / last;
  if (!against) return { axis, left, right, top, bottom, last, x: (frame) => at(shareOf(frame)) };
  // Not along the frames, but along a field of each curve's own: its time.
  const most = Math.max(...Object.values(against.of).map((name) => run.extents[name]?.high ?? 0));
  const x = (frame, name) => at(run.metrics[against.of[name]][frame] / (most || 1));
  return { axis, left, right, top, bottom, most, x };
}

const DASHES = { dash: [8, 5], dot: [2, 5] };

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

// What a curve is uncertain by, above and below it.
function drawBand(context, values, halves, { x, axis }) {
  const known = [...values.keys()].filter((frame) => Number.isFinite(halves[frame]));
  const edge = (sign) => (frame) => [x(frame), axis.y(values[frame] + sign * halves[frame])];
  trace(context, ...known.map(edge(1)), ...known.reverse().map(edge(-1))).fill();
}

// Straight lines to hold curves against, each in the colour of its curve.
function drawLevels(context, { fields, levels }, { axis, left, right }, theme) {
  const colours = coloursOf(theme, fields);
  context.setLineDash([2, 5]);
  fields.forEach(({ name }, i) => {
    const y = axis.y(levels.of[name]);
    ink(context, colours[i], 1, 2);
    trace(context, [left, y], [right, y]).stroke();
  });
  context.setLineDash([]);
}

// Two kinds of marks stand on the axis of frames, and before their names in the panel's head.
const MARKS = {
  flag: {
    sign: "▲",
    at: (values, frame) => values[frame],
    draw: (context, x, y, half) => trace(context, [x, y - 9], [x - half, y], [x + half, y]).fill(),
  },
  change: {
    sign: "|",
    at: (values, frame) => frame > 0 && values[frame] !== values[frame - 1],
    draw: (context, x, y) => trace(context, [x, y - 14], [x, y]).stroke(),
  },
};

const CLOSEST = 3; // pixels between two marks; of thousands not all are drawn

// Where they crowd, marks are thin. Those of a curve's own have its colour, and a row for each.
function drawMarks(context, { kind, field, colour }, curves, { x, left, right, bottom }, theme) {
  const { at, draw } = MARKS[kind];
  const places = [...curves[field].keys()].filter((k) => at(curves[field], k)).map((k) => x(k));
  const half = Math.min(4, Math.max(1, (right - left) / places.length / 2));
  ink(context, colour === undefined ? theme.text : colourOf(theme, colour), 0.6, half / 2);
  let last = -Infinity;
  for (const place of places) {
    if (place - last < CLOSEST) continue;
    draw(context, place, bottom - 11 * (colour ?? 0), half);
    last = place;
  }
}

// What is chosen of the frames, and what comes near it, is marked on the curves themselves. Where
// several curves meet, each mark goes around the one before.
const [STAR, RING] = ["★ chosen", "○ nearly as good"];

function drawChoices({ context, size }, fields, run, { x, axis }, theme) {
  const colours = coloursOf(theme, fields);
  const marks = fields.flatMap(({ name, chosen, near = [] }, i) =>
    near.map((frame) => ({ i, frame, star: frame === chosen, y: axis.y(run.metrics[name][frame]) })),
  );
  const meets = (one, other) => one.frame === other.frame && Math.abs(one.y - other.y) < 5;
  marks.forEach((mark, at) => {
    mark.around = marks.slice(0, at).filter((other) => meets(mark, other)).length;
  });
  for (const { i, frame, star, y, around } of marks.reverse()) {
    if (!Number.isFinite(y)) continue;
    ink(context, colours[i], 1, 1.5);
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

// All curves of a panel with their colours.
const curvesOf = ({ fields }, run, theme) =>
  fields.map(({ name, label, dash, aside }, i) => {
    const colour = coloursOf(theme, fields)[i];
    return { name, label, dash, aside, values: run.metrics[name], colour };
  });

// Names stand at the ends of their curves, pushed apart where these meet, and above the bottom.
function drawNames(context, curves, { axis, right, bottom }, size, theme) {
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

// Where round values stand on a log axis: its frames are in equal ratios of the axis's field.
function decadesOf(run, last) {
  const values = run.metrics[run.axis.field];
  const [first, newest] = [values[0], values.at(-1)].map(Math.log10);
  const perFrame = (newest - first) / (values.length - 1);
  if (!Number.isFinite(1 / perFrame)) return [];
  const [low, high] = [first, first + perFrame * last].sort((a, b) => a - b);
  const few = high - low < 1.5;
  return multiples(Math.floor(low), Math.ceil(high), 1)
    .flatMap((k) => (few ? [1, 2, 5] : [1]).map((digit) => [Math.log10(digit) + k, digit, k]))
    .filter(([at]) => at > low - 1e-9 && at < high + 1e-9)
    .map(([at, digit, k]) => [(at - first) / perFrame, few ? plain(digit * 10 ** k) : power(k)]);
}

function countedFrames(run, last, room) {
  const first = firstNumber(run);
  return [...new Set([first, ...counts(first, first + last, room)])]
    .filter((k) => !run.axis.field || k - first < run.count)
    .map((k) => [k - first, nameOf(run, k - first)]);
}

function drawTimeAxis({ context, width, size }, label, { most, left, right, bottom }, theme) {
  const edge = width - context.measureText(label).width - 2 * size;
  ink(context, theme.text, 0.8);
  for (const value of multiples(0, most, stepFor(most || 1, (right - left) / (4 * size)))) {
    const x = left + (value / most) * (right - left);
    if (x < edge) write(context, plain(value), x, bottom + 9, "center", "top");
  }
  write(context, label, width, bottom + 9, "right", "top");
}

function drawFrameAxis({ context, width, size }, run, { x, left, right, bottom, last }, theme) {
  const { label, field, log, below } = run.axis;
  const widthOf = (text) => context.measureText(text).width;
  const widest = field ? widthOf("0.000888") : widthOf(format(firstNumber(run) + last, "int"));
  const room = (right - left) / (widest + 0.9 * size);
  const ticks = log ? decadesOf(run, last) : countedFrames(run, last, room);
  const row = (label, names, top) => {
    const edge = width - widthOf(label) - size;
    for (const [frame, name] of names)
      if (x(frame) + widthOf(name) / 2 < edge) write(context, name, x(frame), top, "center", "top");
    write(context, label, width, top, "right", "top");
  };
  ink(context, theme.text, 0.8);
  row(label, ticks, bottom + 9);
  if (!below) return;
  const values = run.metrics[below.field];
  const names = ticks.map(([frame]) => [frame, plain(values[frame])]);
  row(below.label, names, bottom + 9 + 1.3 * size);
}

// Ticks at given places of the axis, the last one first: one that would touch it is left out.
function drawTicks({ context, width, size }, { label, ticks }, { left, right, bottom }, theme) {
  ink(context, theme.text, 0.8);
  write(context, label, width, bottom + 9, "right", "top");
  let free = Infinity;
  for (const [share, name] of ticks.toReversed()) {
    const [x, half] = [left + share * (right - left), context.measureText(name).width / 2];
    if (x + half > free) continue;
    free = x - half - size / 2;
    trace(context, [x, bottom], [x, bottom + 4]).stroke();
    write(context, name, x, bottom + 9, "center", "top");
  }
}

// Axes and whole curves are drawn once for each arrival, on two layers. A frame only cuts the
// curves off at the playhead, so that it costs the same however long the run is.
function drawLayers(panel, { shown: run, theme }) {
  const { marks = [], step, against, bands, levels } = panel.spec;
  const [ground, curves] = panel.layers.map((layer) => openSheet(layer, panel.canvas));
  const place = placeLines(panel.spec, ground, run);
  drawVerticalAxis(ground.context, place.axis, place.left, place.right, theme);
  if (against) drawTimeAxis(ground, against.label, place, theme);
  else if (run.axis.ticks) drawTicks(ground, run.axis, place, theme);
  else drawFrameAxis(ground, run, place, theme);
  const all = curvesOf(panel.spec, run, theme);
  drawNames(ground.context, all, place, ground.size, theme);
  for (const mark of marks) drawMarks(curves.context, mark, run.metrics, place, theme);
  if (levels) drawLevels(ground.context, panel.spec, place, theme);
  for (const { name, values, colour } of all.filter(({ name }) => bands?.of[name])) {
    ink(curves.context, colour, 0.18);
    drawBand(curves.context, values, run.metrics[bands.of[name]], place);
  }
  const { context } = curves;
  for (const { name, values, colour, dash } of all) {
    ink(context, colour, 1, 2.5);
    context.setLineDash(DASHES[dash] ?? []);
    drawCurve(context, values, { ...place, x: (k) => place.x(k, name) }, step);
    context.setLineDash([]);
  }
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
  const x = panel.spec.against ? width : place.x(frame);
  paste(ground, 0, width, 1);
  paste(curves, x, width, 0.28);
  paste(curves, 0, x, 1);
  if (run.count === 0) return;
  ink(context, theme.accent, 0.8, 1.5);
  if (x < width) trace(context, [x, place.top], [x, place.bottom]).stroke();
  const colours = coloursOf(theme, panel.spec.fields);
  panel.spec.fields.forEach(({ name }, i) => {
    ink(context, colours[i], 1, 2);
    context.strokeStyle = theme.background;
    circle(context, place.x(frame, name), place.axis.y(run.metrics[name][frame]), 5.5);
    context.fill();
    context.stroke();
  });
  drawChoices(sheet, panel.spec.fields, run, place, theme);
}

function frameUnder({ place, spec }, run, px) {
  if (spec.against) return null;
  const { at } = run.axis;
  const share = (px - place.left) / (place.right - place.left);
  const far = (frame) => Math.abs(at[frame] - share);
  const frame = at
    ? at.reduce((nearest, _, other) => (far(other) < far(nearest) ? other : nearest), 0)
    : Math.round(share * place.last);
  return Math.min(Math.max(0, frame), run.count - 1);
}

// The frame that the pointer means: a marked one, if there is one at hand.
function frameMeant({ place, spec: { marks = [] } }, run, px, frame) {
  const off = (other) => Math.abs(place.x(other) - px);
  let nearest = frame;
  let least = 5; // pixels
  for (const { kind, field, text } of marks) {
    run.metrics[field].forEach((_, other, values) => {
      if (!text || off(other) >= least || !MARKS[kind].at(values, other)) return;
      [nearest, least] = [other, off(other)];
    });
  }
  return nearest;
}

function describeTimes({ place, spec: { fields, against } }, { metrics }, px) {
  const time = ((px - place.left) / (place.right - place.left)) * place.most;
  const values = fields.map(({ name, label }) => {
    const frame = metrics[against.of[name]].findLastIndex((moment) => moment <= time);
    return `${label}  ${frame < 0 ? "–" : format(metrics[name][frame], "number")}`;
  });
  return [`${plain(Math.max(0, time))} ${against.label}`, ...values].join("\n");
}

function describeLines(panel, { shown: run }, px) {
  if (run.count === 0) return "";
  if (panel.spec.against) return describeTimes(panel, run, px);
  const frame = frameMeant(panel, run, px, frameUnder(panel, run, px));
  const { fields, marks = [], format: kind = "number", bands, levels } = panel.spec;
  const values = fields.map(({ name, label, chosen, near }) => {
    const choice = frame === chosen ? STAR : near?.includes(frame) ? RING : "";
    const half = bands ? ` ± ${format(run.metrics[bands.of[name]][frame], kind)}` : "";
    const level = levels ? `${levels.label} ${format(levels.of[name], kind)}` : "";
    return `${label}  ${format(run.metrics[name][frame], kind)}${half}  ${choice}${level}`;
  });
  const told = marks
    .filter(({ kind, field, text }) => text && MARKS[kind].at(run.metrics[field], frame))
    .map(({ kind, text }) => `${MARKS[kind].sign} ${fill(text, run, frame)}`);
  return [...inFull(run, frame), ...values, ...told].join("\n");
}
