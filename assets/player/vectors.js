// ---- drawing: stems and curves, a vector each frame ----------------------------------------

// Between which values vectors lie, and 0: of the later half of the frames held, as in limitOf.
function reachOf(run, fields) {
  const later = run.images.filter(({ frame }) => 2 * frame >= run.count - 1);
  const all = (part) => later.flatMap((picture) => fields.map((name) => picture[part][name]));
  const [low, high] = [Math.max(0, ...all("lows").map((low) => -low)), Math.max(0, ...all("sizes"))];
  return [low && -roundUp(low), high && roundUp(high)];
}

// Vectors side by side, their entries as stems from 0; what is exactly 0 is a ring.
function paintStems(panel, { shown: run, frame, theme }) {
  const { fields, every, among = fields.map(({ name }) => name) } = panel.spec;
  const { context, width, height, size } = openSheet(panel.canvas);
  const several = fields.length > 1;
  const [right, top, bottom] = [width - 10, several ? 1.6 * size : 10, height - size - 14];
  const axis = linearAxis(...reachOf(run, among), top, bottom, size);
  const left = leftOf(context, axis);
  drawVerticalAxis(context, axis, left, right, theme);

  const count = Math.max(...fields.map(({ name }) => shapeOf(run, name)[0]));
  const slot = (right - left) / count;
  const x = (number) => left + (number - 0.5) * slot;
  panel.vectors = fields.map(({ name }) => valuesAt(run, frame, name));
  panel.indexAt = (px) => Math.floor((px - left) / slot);
  drawNumbers(context, ordinals(count, (right - left) / 60), x, bottom + 9, theme);
  ink(context, theme.border, 1);
  trace(context, [left, axis.y(0)], [right, axis.y(0)]).stroke();
  for (const number of every ? multiples(every, count - 1, every) : [])
    trace(context, [x(number + 0.5), top], [x(number + 0.5), bottom]).stroke();

  const radius = Math.min(4, Math.max(1.5, (0.3 * slot) / fields.length + 1));
  const apart = several ? Math.min(7, (0.8 * slot) / fields.length) : 0;
  const colours = coloursOf(theme, fields);
  panel.vectors.forEach((values, i) => {
    ink(context, colours[i], 1, Math.min(2.5, Math.max(1, 0.3 * slot)));
    values.forEach((value, j) => {
      const at = x(j + 1) + (i - (fields.length - 1) / 2) * apart;
      if (value !== 0) trace(context, [at, axis.y(0)], [at, axis.y(value)]).stroke();
      circle(context, at, axis.y(value), value === 0 ? 0.8 * radius : radius);
      if (value !== 0) return context.fill();
      context.lineWidth = 1;
      context.stroke();
    });
  });
  if (several) drawLegend(context, fields, colours, right, size);
}

function drawLegend(context, fields, colours, right, size) {
  let at = right;
  for (const [i, { label }] of [...fields.entries()].reverse()) {
    ink(context, colours[i]);
    write(context, `● ${label}`, at, 0, "right", "top");
    at -= context.measureText(`● ${label}`).width + size;
  }
}

function describeStems({ indexAt, vectors, spec: { fields } }, player, px) {
  const index = indexAt(px);
  const known = fields.flatMap(({ label }, i) => {
    const value = vectors[i][index];
    return value === undefined ? [] : [`${label}  ${plain(value)}`];
  });
  return known.length ? [`number ${index + 1}`, ...known].join("\n") : "";
}

// Functions of x, each frame its own, over samples and functions that stay.
function paintCurve(panel, { shown: run, frame, theme }) {
  const { fields, x: grid, dots, behind = [], step, label } = panel.spec;
  const { context, width, height, size } = openSheet(panel.canvas);
  const [top, bottom] = [10, height - size - 14];
  const extents = [dots?.y ?? [], ...behind.map(({ y }) => y)].map(extentOf);
  const axis = verticalAxis({ scale: "linear" }, extents, top, bottom, size);
  const left = leftOf(context, axis);
  const names = [...fields, ...behind].map(({ label }) => context.measureText(label).width);
  const right = width - Math.max(...names) - 16;
  const [first, last] = [grid[0], grid.at(-1)];
  const at = (value) => left + ((value - first) / (last - first)) * (right - left);
  drawVerticalAxis(context, axis, left, right, theme);
  ink(context, theme.text, 0.8);
  const edge = width - context.measureText(label).width - size;
  for (const value of multiples(first, last, stepFor(last - first, (right - left) / (4 * size))))
    if (at(value) < edge) write(context, plain(value), at(value), bottom + 9, "center", "top");
  write(context, label, width, bottom + 9, "right", "top");

  const colours = coloursOf(theme, fields);
  const vectors = fields.map(({ name }) => [...valuesAt(run, frame, name)]);
  panel.place = { left, right, first, last, vectors };
  ink(context, theme.text, 0.45, 1);
  dots?.y.forEach((value, i) => {
    circle(context, at(dots.x[i]), axis.y(value), 3.5);
    context.stroke();
  });
  const moving = fields.map((field, i) => {
    return { label: field.label, values: vectors[i], colour: colours[i], width: 2.5 };
  });
  const still = behind.map(({ label, x, y }) => {
    return { label, values: y, places: x, colour: theme.text, alpha: 0.6, width: 1.25 };
  });
  for (const { values, places = grid, colour, alpha = 1, width } of [...still, ...moving.toReversed()]) {
    ink(context, colour, alpha, width);
    drawCurve(context, values, { x: (k) => at(places[k]), axis }, step);
  }
  drawNames(context, [...moving, ...still], { axis, right, bottom }, size, theme);
}

function describeCurve({ place, spec: { fields, x: grid, dots, behind = [], label } }, player, px) {
  const { left, right, first, last, vectors } = place;
  const x = first + ((px - left) / (right - left)) * (last - first);
  if (x < first || x > last) return "";
  const nearest = (places) =>
    places.reduce((best, other, i) => (Math.abs(other - x) < Math.abs(places[best] - x) ? i : best), 0);
  const k = nearest(grid);
  const lines = fields.map(({ label }, i) => `${label}  ${format(vectors[i][k] ?? NaN, "number")}`);
  for (const { label, x, y } of behind) lines.push(`${label}  ${plain(y[nearest(x)])}`);
  if (dots) lines.push(`nearest sample  ${plain(dots.y[nearest(dots.x)])}`);
  return [`${label} = ${plain(grid[k])}`, ...lines].join("\n");
}
