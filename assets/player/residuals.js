// ---- drawing: residuals along the steps --------------------------------------------------------

import { ink, openSheet, trace, verticalAxis, writeOver } from "../lib/canvas.js";
import { changeOf, endOf, hasFewRestarts } from "./decisions.js";
import { TO_COME, curvesOf, drawAround, drawAxes, drawCurve, drawNow, extentOf, frameUnder, inFull, lastFrame, placeFrames, ticksOf } from "../lib/lines.js";
import { format } from "../lib/numbers.js";
import { isCovered } from "./seek.js";

const STEPS = 24; // on the horizontal axis at first
const GHOST = 0.4; // of the ink, for the run before

const ghostOf = ({ shown, ghost }) => (ghost?.count > 0 && ghost !== shown ? ghost : null);

// The axis of steps is as long as what has been seen of a run, and as the run before: so the first steps are
// seen closely. It grows by leaps, between which the line of this step moves.
function lastStep(player) {
  const { shown: run, frame } = player;
  run.seen = Math.max(run.seen ?? 0, frame);
  const most = Math.max(run.seen, (ghostOf(player)?.count ?? 0) - 1);
  const leap = STEPS * 2 ** Math.ceil(Math.log2((most + 1) / STEPS));
  return Math.max(STEPS - 1, most, Math.min(lastFrame(run), leap - 1));
}

export const placeSteps = (sheet, axisOf, player, margin) => placeFrames(sheet, axisOf, margin, player.shown, lastStep(player));

export function drawStepAxes(sheet, place, run, theme) {
  drawAxes(sheet, place, ticksOf(run, place, sheet), "step", theme);
}

const residualsOf = ({ metrics }, { spec }, theme, last) => curvesOf(spec.fields, theme, (name) => metrics[name].slice(0, last + 1));

function paintResiduals(panel, player) {
  const { shown: run, frame, theme } = player;
  const sheet = openSheet(panel.canvas);
  const [covered, ghost, last] = [isCovered(player), ghostOf(player), lastStep(player)];
  const curves = residualsOf(run, panel, theme, covered ? frame : last);
  const all = ghost ? [...curves, ...residualsOf(ghost, panel, theme, last)] : curves;
  const axisOf = (...room) => verticalAxis({ scale: "log" }, all.map(({ values }) => extentOf(values)), ...room);
  const place = (panel.place = placeSteps(sheet, axisOf, player, 10));
  drawStepAxes(sheet, place, run, theme);
  if (ghost) drawGhost(sheet, panel, ghost, place, theme);
  drawAround(sheet, place.x(frame), (alpha) => curves.forEach((curve) => drawCurve(sheet.context, curve, place, false, alpha)));
  if (!covered) drawRestarts(sheet, curves, run, frame, place, theme);
  drawNow(sheet, curves, frame, place, theme);
  if (covered) writeOver(sheet.context, changeOf(run.metrics.ratio[frame]), place.x(frame), place.axis.y(curves[0].values[frame]) - 12, "center", "bottom", theme);
}

// The run before, so that cause and effect are compared without a click.
function drawGhost({ context, size }, panel, ghost, place, theme) {
  const curves = residualsOf(ghost, panel, theme, place.last);
  for (const curve of curves) drawCurve(context, curve, place, false, GHOST, 1.6);
  const { values } = curves[0];
  const last = values.length - 1;
  const end = endOf(ghost, panel.spec.tol);
  const words = end && `last run: ${end}`;
  const [align, x] = last > place.last / 2 ? ["right", place.x(last)] : ["left", place.x(last) + 8];
  writeOver(context, words, x, place.axis.y(values[last]) - 0.8 * size, align, "middle", theme);
}

// A drop above the curves at each restart; a small one where there are many.
function drawRestarts({ context }, curves, run, frame, { x, axis }, theme) {
  const size = hasFewRestarts(run) ? 10 : 6;
  run.metrics.restarted.slice(0, curves[0].values.length).forEach((restarted, at) => {
    if (!restarted) return;
    const tip = Math.min(...curves.map(({ values }) => axis.y(values[at]))) - 6;
    ink(context, theme.event, at <= frame ? 1 : TO_COME);
    trace(context, [x(at), tip], [x(at) - 0.6 * size, tip - size], [x(at) + 0.6 * size, tip - size]).fill();
  });
}

function describeResiduals(panel, { shown: run }, px) {
  const frame = frameUnder(panel, run, px);
  const values = panel.spec.fields.map(({ name, label }) => `${label}  ${format(run.metrics[name][frame], "sci")}`);
  return [...inFull(run, frame), ...values].join("\n");
}

export const residuals = { paint: paintResiduals, describe: describeResiduals, frameUnder };
