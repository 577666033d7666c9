// ---- drawing: the rule of the restart ----------------------------------------------------------

const RATIOS = [0.17, 14]; // the ends of the vertical axis, which stays
const RATIO_TICKS = [0.3, 1, 3, 10];
const REACH = 18; // pixels from the line in which it is grasped
const HELD_FROM = 0.3; // the smallest eta that the line can be drawn to

const etaOf = ({ spec }, run) => run.knobs?.eta ?? spec.eta;

// A line that can be dragged, and moved by the arrow keys. While it is held, the points of the run
// on the screen tell what it would do to them; what is released is run.
function createRatio(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  const { canvas, root } = panel;
  panel.count = element("span");
  root.querySelector("header").append(panel.count);
  if (spec.eta === null) return panel; // without restarts there is no line
  canvas.tabIndex = 0;
  Object.assign(canvas, { role: "slider", ariaOrientation: "vertical" });
  [canvas.ariaValueMin, canvas.ariaValueMax] = [spec.etas[0], spec.etas.at(-1)];
  const near = ({ offsetY }) => Math.abs(offsetY - panel.place.y(etaOf(panel, player.shown))) < REACH;
  const holdAt = ({ offsetY }) => {
    player.heldEta = Math.max(HELD_FROM, Math.min(spec.etas.at(-1), panel.place.value(offsetY)));
    invalidate(player);
  };
  const onTouch = (event) => {
    const offsetY = event.touches[0].clientY - canvas.getBoundingClientRect().top;
    if (near({ offsetY })) event.preventDefault(); // the page would scroll instead
  };
  canvas.addEventListener("touchstart", onTouch, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    if (!near(event) || !mayLook(player)) return;
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
    canvas.focus();
    seek(player, player.shown.count - 1);
    holdAt(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (player.heldEta != null) holdAt(event);
    else canvas.style.cursor = panel.place && near(event) ? "ns-resize" : "default";
  });
  canvas.addEventListener("pointerup", () => {
    if (player.heldEta == null) return;
    const eta = nearestEta(spec.etas, player.heldEta);
    player.heldEta = null;
    turnEta(spec, eta);
    invalidate(player);
  });
  canvas.addEventListener("pointercancel", () => {
    player.heldEta = null;
    invalidate(player);
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation(); // the player steps by the arrow keys
    const eta = spec.etas[spec.etas.indexOf(nearestEta(spec.etas, etaOf(panel, player.shown))) + way];
    if (eta !== undefined) turnEta(spec, eta);
  });
  return panel;
}

const turnEta = ({ etas }, eta) =>
  document.dispatchEvent(new CustomEvent("turn", { detail: { key: "eta", place: etas.indexOf(eta) } }));

// What matters of eta is its distance from 1.
function nearestEta(etas, eta) {
  const far = (other) => Math.abs(Math.log((1.001 - other) / (1.001 - eta)));
  return etas.reduce((best, other) => (far(other) < far(best) ? other : best));
}

function paintRatio(panel, player) {
  const { shown: run, frame, theme } = player;
  const { spec } = panel;
  const sheet = openSheet(panel.canvas);
  const { context, size, width } = sheet;
  const covered = isCovered(player);
  const eta = player.heldEta ?? etaOf(panel, run);
  const hasLine = spec.eta !== null;
  const widest = context.measureText("η 0.999").width;
  const margin = hasLine ? widest + 1.4 * size : 0; // of the handle, which lies on no point
  const labels = RATIO_TICKS.map((tick) => plain(tick));
  const place = placeSteps(sheet, labels, run, margin);
  const span = RATIOS.map(Math.log10);
  place.y = logHeight(span, place.top, place.bottom);
  const exponentAt = (share) => span[0] + share * (span[1] - span[0]);
  place.value = (y) => 10 ** exponentAt((place.bottom - y) / (place.bottom - place.top));
  panel.place = place;
  const { left, top, bottom } = place;
  const edge = width - margin;
  if (hasLine) {
    ink(context, covered ? theme.text : theme.event, 0.07);
    context.fillRect(left, top, edge - left, place.y(eta) - top);
  }
  RATIO_TICKS.forEach((tick, i) => {
    const y = Math.round(place.y(tick)) + 0.5;
    ink(context, theme.border, 0.6);
    trace(context, [left, y], [edge, y]).stroke();
    ink(context, theme.text, 0.7);
    write(context, labels[i], left - 7, y, "right", "middle");
  });
  drawStepNumbers(sheet, place, theme);
  if (hasLine) drawRegions(context, place, edge, size, covered, theme);
  const counts = drawRatios(sheet, player, eta, place);
  if (hasLine) drawLine(sheet, eta, margin, place, covered ? theme.text : theme.event, theme);
  drawNow(context, place.x(frame), place, theme);
  drawRatioOfNow(context, player, place);
  panel.count.textContent = covered ? "" : countText(run, player.heldEta, counts);
  if (hasLine) [panel.canvas.ariaValueNow, panel.canvas.ariaValueText] = [eta, `η = ${plain(eta)}`];
}

function drawRegions(context, { top, bottom, y }, edge, size, covered, theme) {
  const above = covered ? "above the line: ?" : "above the line: restart";
  const colour = covered ? theme.text : theme.event;
  const at = covered ? (top + y(1)) / 2 : top + 1.1 * size; // clear of the only point above
  drawLabel(context, above, edge - 10, at, "right", theme, { colour, bold: true });
  const below = { alpha: 0.7, bold: true };
  drawLabel(context, "below: go on", edge - 10, bottom - 1.1 * size, "right", theme, below);
}

// The points of a run; {above, all} counts those that are compared.
function drawRatios({ context, size }, player, eta, { x, y }) {
  const { shown: run, frame, theme, heldEta } = player;
  const covered = isCovered(player);
  const counts = { above: 0, all: 0 };
  const last = covered ? frame + 1 : run.count;
  for (let at = 1; at < last; at += 1) {
    const [ratio, step] = [run.metrics.ratio[at], run.metrics.step[at]];
    if (!(ratio > 0)) continue;
    const isFree = step === STEP.afterRestart; // it is not compared
    const isAbove = heldEta == null ? step === STEP.restart : !isFree && ratio >= eta;
    counts.all += 1;
    counts.above += isAbove;
    const alpha = at <= frame ? 1 : 0.3;
    if (isAbove && !covered) drawRestartPoint(context, x(at), y, ratio, eta, alpha, size, theme);
    else {
      ink(context, theme.text, isFree ? 0.7 * alpha : alpha, 1.4);
      circle(context, x(at), y(ratio), isFree ? 3 : 2.6);
      if (isFree) context.stroke();
      else context.fill();
    }
  }
  return counts;
}

function drawRestartPoint(context, x, y, ratio, eta, alpha, size, theme) {
  ink(context, theme.event, alpha, 1.2);
  trace(context, [x, y(eta)], [x, y(ratio)]).stroke();
  circle(context, x, y(ratio), 5);
  context.fill();
  if (y(ratio) > y(1.05 * ratio)) return;
  write(context, `${plain(ratio, 2)} ×`, x, y(ratio) + 8, "center", "top"); // beyond the axis
}

function drawLine({ context, size, width }, eta, margin, { left, y }, colour, theme) {
  const [edge, middle, height] = [width - margin, width - margin / 2 + 2, y(eta)];
  ink(context, colour, 1, 2.2);
  trace(context, [left, height], [edge + 8, height]).stroke();
  context.beginPath();
  context.roundRect(edge + 4, height - 0.8 * size, margin - 4, 1.6 * size, 0.8 * size);
  context.fill();
  for (const way of [-1, 1]) {
    const tip = height + way * 1.35 * size;
    trace(context, [middle - 5, tip - 4 * way], [middle, tip], [middle + 5, tip - 4 * way]).stroke();
  }
  ink(context, theme.background);
  write(context, `η ${plain(eta)}`, middle, height, "center", "middle");
}

function drawRatioOfNow(context, player, { x, y }) {
  const { shown: run, frame, theme } = player;
  const [ratio, covered] = [run.metrics.ratio[frame], isCovered(player)];
  if (!(ratio > 0)) return;
  const isRestart = run.metrics.restarted[frame] && !covered;
  drawRing(context, x(frame), y(ratio), 5, isRestart ? theme.event : theme.text, theme);
  const words = changeOf(ratio).replace("rose ", "");
  if (covered) drawLabel(context, words, x(frame) + 12, y(ratio), "left", theme, { bold: true });
}

function countText(run, heldEta, { above, all }) {
  if (heldEta != null) return `${above} of these ${all} steps lie above it`;
  const restarts = restartsOf(run);
  const counted = `${format(restarts, "int")} restart${restarts === 1 ? "" : "s"}`;
  return `${counted} in ${format(run.count, "int")} steps`;
}

function describeRatio(panel, { shown: run, heldEta }, px) {
  if (heldEta != null) return "";
  const frame = stepUnder(panel, run, px);
  const ratio = run.metrics.ratio[frame];
  const compared = ratio > 0 ? `c(k) ÷ last c  ${plain(ratio)}` : "nothing to compare with";
  const residual = `c(k)  ${format(run.metrics.residual[frame], "sci")}`;
  return [...inFull(run, frame), residual, compared].join("\n");
}

KINDS.ratio = { create: createRatio, paint: paintRatio, describe: describeRatio };
