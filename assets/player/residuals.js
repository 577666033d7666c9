// ---- drawing: both residuals in one chart ------------------------------------------------------

const RESIDUALS = [
  { name: "apart", label: "primal ‖W − S‖", explanation: "how far apart" },
  { name: "moved", label: "dual ρ‖S − Ŝ‖", explanation: "how far S moved" },
];
const DECADES = [-6, 1.6]; // the ends of the vertical axis, which stays
const STEPS = 120; // on the horizontal axis, or as many as a longer run has
const FAINT = 0.22; // the steps to come
const GHOST = 0.4; // the run before
const DOTTED = [2, 4];

// A log axis that stays; what is beyond, and 0, runs along its edge.
const logHeight = ([low, high], top, bottom) => (value) => {
  const exponent = value > 0 ? Math.log10(value) : -Infinity;
  const share = (Math.max(low, Math.min(high, exponent)) - low) / (high - low);
  return bottom - share * (bottom - top);
};

function placeSteps({ context, width, height, size }, labels, run, margin = 0) {
  const left = Math.max(...labels.map((label) => context.measureText(label).width)) + 10;
  const [right, top, bottom] = [width - margin - 8, 8, height - 1.8 * size];
  const last = Math.max(STEPS - 1, lastFrame(run));
  return { left, right, top, bottom, last, x: (frame) => left + (frame / last) * (right - left) };
}

function drawStepNumbers({ context, height, size }, { left, right, last, x }, theme) {
  const end = `step ${format(last + 1, "int")}`;
  const free = right - context.measureText(end).width - size;
  ink(context, theme.text, 0.7);
  for (const step of ordinals(last + 1, (right - left) / (5 * size))) {
    if (x(step - 1) + size < free) write(context, String(step), x(step - 1), height, "center", "bottom");
  }
  write(context, end, right + 8, height, "right", "bottom");
}

function drawNow(context, x, { top, bottom }, theme) {
  ink(context, theme.accent, 0.5, 1);
  trace(context, [x, top], [x, bottom]).stroke();
}

// A ring that marks the value of now.
function drawRing(context, x, y, radius, colour, theme) {
  ink(context, theme.background);
  circle(context, x, y, radius);
  context.fill();
  ink(context, colour, 1, 2.4);
  context.stroke();
}

// Text over curves; it returns its width.
function drawLabel(context, text, x, y, align, theme, style = {}) {
  const { colour = theme.text, alpha = 1, bold = false } = style;
  const { font } = context;
  if (bold) context.font = `620 ${font}`;
  ink(context, theme.background, 1, 4);
  [context.textAlign, context.textBaseline] = [align, "middle"];
  context.strokeText(text, x, y);
  ink(context, colour, alpha);
  context.fillText(text, x, y);
  const { width } = context.measureText(text);
  context.font = font;
  return width;
}

function drawDrop(context, x, y, colour, size, alpha = 1) {
  ink(context, colour, alpha);
  trace(context, [x, y], [x - 0.6 * size, y - size], [x + 0.6 * size, y - size]).fill();
}

function drawResidual(context, values, count, { x, y }, dotted) {
  context.setLineDash(dotted ? DOTTED : []);
  const points = values.slice(0, count).map((value, frame) => [x(frame), y(value)]);
  trace(context, ...points).stroke();
  context.setLineDash([]);
}

const strokeSample = (dash) =>
  `<svg width="26" height="10" aria-hidden="true"><path d="M0 5h26" fill="none"
    stroke="currentColor" stroke-width="2.4" ${dash ? `stroke-dasharray="${dash}"` : ""}/></svg> `;

// The head names the curves beside a sample of each.
function createResiduals(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  const names = RESIDUALS.map(({ label, explanation }, i) => {
    const name = element("div", { class: "name" });
    name.innerHTML = strokeSample(i ? DOTTED.join(" ") : "");
    name.append(element("b", {}, label), " ", element("i", {}, explanation));
    return name;
  });
  panel.root.querySelector("header").replaceChildren(...names);
  panel.weight = 1.3; // its curves need more room than points
  return panel;
}

function paintResiduals(panel, player) {
  const { shown: run, frame, theme, ghost } = player;
  const { tol } = panel.spec;
  const [primal, dual] = RESIDUALS.map(({ name }) => run.metrics[name]);
  const sheet = openSheet(panel.canvas);
  const { context } = sheet;
  const decades = multiples(...DECADES, 1);
  const labels = decades.map((exponent) => (exponent === 0 ? "1" : power(exponent)));
  const place = placeSteps(sheet, labels, run);
  place.y = logHeight(DECADES, place.top, place.bottom);
  panel.place = place;
  decades.forEach((exponent, i) => {
    const y = Math.round(place.y(10 ** exponent)) + 0.5;
    ink(context, theme.border, 0.6);
    trace(context, [place.left, y], [sheet.width, y]).stroke();
    ink(context, theme.text, 0.7);
    if (exponent % 2 === 0) write(context, labels[i], place.left - 7, y, "right", "middle");
  });
  drawStepNumbers(sheet, place, theme);
  if (ghost?.count > 0 && ghost !== run) drawGhost(sheet, ghost, tol, place, theme);
  const covered = isCovered(player);
  const draw = (count, alpha) => {
    ink(context, theme.text, alpha, 2);
    drawResidual(context, dual, count, place, true);
    ink(context, theme.text, alpha, 2.6);
    drawResidual(context, primal, count, place, false);
  };
  if (!covered) draw(run.count, FAINT);
  draw(frame + 1, 1);
  if (!covered) drawRestarts(sheet, [primal, dual], run, frame, place, theme);
  drawNow(context, place.x(frame), place, theme);
  drawRing(context, place.x(frame), place.y(dual[frame]), 4, theme.text, theme);
  drawRing(context, place.x(frame), place.y(primal[frame]), 5, theme.text, theme);
  if (covered || !run.over || !isCertified(run, tol)) return;
  const end = Math.min(place.y(primal.at(-1)), place.y(dual.at(-1)), place.bottom - sheet.size);
  const [x, words] = [place.x(run.count - 1), `done after ${run.count}`];
  const [beside, align] = run.count < 0.8 * place.last ? [x + 12, "left"] : [x - 12, "right"];
  drawLabel(context, words, beside, end, align, theme, { colour: theme.accent, bold: true });
}

// The run before, so that cause and effect are compared without a click.
function drawGhost({ context, size }, ghost, tol, place, theme) {
  const count = Math.min(ghost.count, place.last + 1);
  const [primal, dual] = RESIDUALS.map(({ name }) => ghost.metrics[name]);
  ink(context, theme.text, GHOST, 1.6);
  drawResidual(context, dual, count, place, true);
  drawResidual(context, primal, count, place, false);
  const done = isCertified(ghost, tol);
  const words = `last run: ${done ? `${format(ghost.count, "int")} steps` : "not done"}`;
  const short = done && count < 0.8 * place.last;
  const tail = primal.slice(Math.floor(0.7 * count), count);
  const above = place.y(Math.max(...tail)) - 0.9 * size;
  const [x, y] = short ? [place.x(count - 1) + 8, place.bottom - 1.9 * size] : [place.right, above];
  drawLabel(context, words, x, y, short ? "left" : "right", theme, { alpha: 0.65 });
}

// A drop on every curve that jumps; small ones where there are many. The first has a name.
function drawRestarts({ context, size }, [primal, dual], run, frame, { x, y }, theme) {
  const few = hasFewRestarts(run);
  let isFirst = true;
  run.metrics.restarted.forEach((restarted, at) => {
    if (!restarted) return;
    const alpha = at <= frame ? 1 : 0.3;
    const jumps = [primal[at] > 1.02 * primal[at - 1], dual[at] > 1.3 * dual[at - 1]];
    const [top, other] = jumps[0] || !jumps[1] ? [primal, dual] : [dual, null];
    drawDrop(context, x(at), y(top[at]) - 6, theme.event, few ? 10 : 6, alpha);
    if (!few) return;
    const apart = other && Math.abs(y(top[at]) - y(other[at])) > 24;
    if (jumps[1] && apart) drawDrop(context, x(at), y(other[at]) - 5, theme.event, 7, alpha);
    if (isFirst) {
      const bold = { colour: theme.event, alpha, bold: true };
      drawLabel(context, "restart", x(at) + 10, y(top[at]) - 6 - 0.4 * size, "left", theme, bold);
    }
    isFirst = false;
  });
}

function describeResiduals(panel, { shown: run }, px) {
  const frame = stepUnder(panel, run, px);
  const value = (name) => format(run.metrics[name][frame], "sci");
  const values = RESIDUALS.map(({ name, label }) => `${label}  ${value(name)}`);
  return [...inFull(run, frame), ...values].join("\n");
}

function stepUnder({ place }, run, px) {
  const frame = Math.round(((px - place.left) / (place.right - place.left)) * place.last);
  return Math.min(Math.max(0, frame), run.count - 1);
}

KINDS.residuals = { create: createResiduals, paint: paintResiduals, describe: describeResiduals, frameUnder: stepUnder };
