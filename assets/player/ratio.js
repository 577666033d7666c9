// ---- drawing: the rule of the restart ----------------------------------------------------------

import { circle, fixedAxis, ink, openSheet, trace, writeOver } from "../lib/canvas.js";
import { element } from "../lib/dom.js";
import { STEP, restartsOf } from "./decisions.js";
import { valuesOf } from "./knobs.js";
import { TO_COME, drawNow, frameUnder, inFull } from "../lib/lines.js";
import { countNoun, format, nearest, plain } from "../lib/numbers.js";
import { addHandle, createCanvas } from "./panel.js";
import { drawStepAxes, placeSteps } from "./residuals.js";

const RATIO_ENDS = [0.17, 14]; // of the vertical axis
const RATIO_TICKS = [0.3, 1, 3, 10].map((ratio) => [ratio, plain(ratio)]);

// The handle of the line is another hand on the knob of eta.
function createRatio(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  panel.counted = element("span");
  panel.root.querySelector("header").append(panel.counted);
  panel.handle = addHandle(panel, player, "eta", ({ clientY }, etas) =>
    nearestEta(etas, panel.place.axis.valueAt(clientY - panel.canvas.getBoundingClientRect().top)));
  panel.handle.ariaLabel = "Restart line η";
  return panel;
}

// What matters of eta is its distance from 1.
function nearestEta(etas, eta) {
  const far = (other) => Math.abs(Math.log((1.001 - other) / (1.001 - Math.min(eta, 1))));
  return nearest(etas, eta, far);
}

function paintRatio(panel, player) {
  const { shown: run, frame, theme } = player;
  const { eta } = valuesOf(player);
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const axisOf = (top, bottom) => fixedAxis(RATIO_ENDS, RATIO_TICKS, top, bottom);
  const place = placeSteps(sheet, axisOf, player, panel.handle.offsetWidth + 8);
  panel.place = place;
  const { left, right, top, axis } = place;
  const line = axis.y(eta);
  ink(context, theme.event, 0.07);
  context.fillRect(left, top, right - left, line - top);
  drawStepAxes(sheet, place, run, theme);
  writeOver(context, "above the line: restart", right - 10, top + 1.1 * size, "right", "middle", theme, theme.event);
  writeOver(context, "below: go on", right - 10, place.bottom - 1.1 * size, "right", "middle", theme);
  drawRatios(context, player, line, place);
  ink(context, theme.event, 1, 2.2);
  trace(context, [left, line], [right + 8, line]).stroke();
  panel.handle.textContent = panel.handle.ariaValueText = `η ${plain(eta)}`;
  panel.handle.ariaValueNow = String(eta);
  panel.handle.style.top = `${line}px`;
  panel.handle.style.background = theme.event;
  const ratios = run.metrics.ratio;
  const isRestart = run.metrics.restarted[frame];
  const now = { values: ratios.map((ratio) => ratio || NaN), colour: isRestart ? theme.event : theme.text };
  drawNow(sheet, [now], frame, place, theme);
  panel.counted.textContent = countNoun(restartsOf(run), "restart");
}

// A step that is not compared is a ring.
function drawRatios(context, player, line, { x, axis, last }) {
  const { shown: run, frame, theme } = player;
  const { ratio, step } = run.metrics;
  for (let at = 1; at < Math.min(run.count, last + 1); at += 1) {
    if (!(ratio[at] > 0)) continue;
    const [place, y] = [x(at), axis.y(ratio[at])];
    const isRestart = step[at] === STEP.restart;
    ink(context, isRestart ? theme.event : theme.text, at <= frame ? 1 : TO_COME, 1.3);
    if (isRestart) trace(context, [place, line], [place, y]).stroke();
    circle(context, place, y, isRestart ? 5 : 2.8);
    if (step[at] === STEP.afterRestart) context.stroke();
    else context.fill();
  }
}

function describeRatio(panel, { shown: run }, px) {
  const frame = frameUnder(panel, run, px);
  const ratio = run.metrics.ratio[frame];
  const compared = ratio > 0 ? `c(k) ÷ last c  ${plain(ratio)}` : "nothing to compare with";
  const residual = `c(k)  ${format(run.metrics.residual[frame], "sci")}`;
  return [...inFull(run, frame), residual, compared].join("\n");
}

export const ratio = { create: createRatio, paint: paintRatio, describe: describeRatio, frameUnder };
