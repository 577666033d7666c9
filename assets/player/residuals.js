// ---- drawing: both residuals in one chart ------------------------------------------------------

import { fixedAxis, ink, openSheet, trace, writeOver } from "../lib/canvas.js";
import { endOf, hasFewRestarts } from "./decisions.js";
import { TO_COME, drawAround, drawAxes, drawCurve, drawNow, frameUnder, inFull, lastFrame, placeFrames, ticksOf } from "../lib/lines.js";
import { format, power } from "../lib/numbers.js";
import { isCovered } from "./seek.js";

const RESIDUALS = [{ name: "apart", label: "primal ‖W − S‖" }, { name: "moved", label: "dual ρ‖S − Ŝ‖", dash: "dot" }];
const RESIDUAL_ENDS = [1e-6, 40]; // of the vertical axis
const RESIDUAL_TICKS = [-6, -4, -2, 0].map((exponent) => [10 ** exponent, exponent ? power(exponent) : "1"]);
const STEPS = 120; // on the horizontal axis, or as many as a longer run has
const GHOST = 0.4; // of the ink, for the run before

// A chart of steps has axes that stay, so that runs can be compared.
export function placeSteps(sheet, ends, ticks, run, margin) {
  const axisOf = (top, bottom) => fixedAxis(ends, ticks, top, bottom);
  return placeFrames(sheet, axisOf, margin, run, Math.max(STEPS - 1, lastFrame(run)));
}

export function drawStepAxes(sheet, place, run, theme) {
  drawAxes(sheet, place, ticksOf(run, place, sheet), "step", theme);
}

const residualsOf = ({ metrics }, { text }) =>
  RESIDUALS.map((residual) => ({ ...residual, colour: text, values: metrics[residual.name] }));

function paintResiduals(panel, player) {
  const { shown: run, frame, theme, ghost } = player;
  const sheet = openSheet(panel.canvas);
  const place = (panel.place = placeSteps(sheet, RESIDUAL_ENDS, RESIDUAL_TICKS, run, 10));
  const covered = isCovered(player);
  const curves = residualsOf(run, theme);
  drawStepAxes(sheet, place, run, theme);
  if (ghost?.count > 0 && ghost !== run) drawGhost(sheet, ghost, panel.spec.tol, place, theme);
  const draw = (alpha) => curves.forEach((curve) => drawCurve(sheet.context, curve, place, false, alpha));
  drawAround(sheet, place.x(frame), draw, covered ? 0 : TO_COME);
  if (!covered) drawRestarts(sheet, curves, run, frame, place, theme);
  drawNow(sheet, curves, frame, place, theme);
}

// The run before, so that cause and effect are compared without a click.
function drawGhost({ context, size }, ghost, tol, place, theme) {
  const curves = residualsOf(ghost, theme);
  for (const curve of curves) {
    const values = curve.values.slice(0, place.last + 1);
    drawCurve(context, { ...curve, values }, place, false, GHOST, 1.6);
  }
  const { values } = curves[0];
  const last = Math.min(values.length - 1, place.last);
  const end = endOf(ghost, tol);
  const words = end && `last run: ${end}`;
  const [align, x] = last > place.last / 2 ? ["right", place.x(last)] : ["left", place.x(last) + 8];
  writeOver(context, words, x, place.axis.y(values[last]) - 0.8 * size, align, "middle", theme);
}

// A drop above the curves at each restart; a small one where there are many.
function drawRestarts({ context }, curves, run, frame, { x, axis }, theme) {
  const size = hasFewRestarts(run) ? 10 : 6;
  run.metrics.restarted.forEach((restarted, at) => {
    if (!restarted) return;
    const tip = Math.min(...curves.map(({ values }) => axis.y(values[at]))) - 6;
    ink(context, theme.event, at <= frame ? 1 : TO_COME);
    trace(context, [x(at), tip], [x(at) - 0.6 * size, tip - size], [x(at) + 0.6 * size, tip - size]).fill();
  });
}

function describeResiduals(panel, { shown: run }, px) {
  const frame = frameUnder(panel, run, px);
  const values = RESIDUALS.map(({ name, label }) => `${label}  ${format(run.metrics[name][frame], "sci")}`);
  return [...inFull(run, frame), ...values].join("\n");
}

export const residuals = { paint: paintResiduals, describe: describeResiduals, frameUnder };
