// Learning curves of the linear SVM and the SMM: who is right how often, of 1,000 new samples, and how many
// training samples the SMM saves.

import { circle, drawVerticalAxis, ink, linearAxis, openSheet, trace, write, writeOver } from "./canvas.js";
import { typeset } from "./numbers.js";

const LEAST = 5; // of 1,000: a smaller difference is not worth a word
const FACTOR = 1.5; // a smaller one is no saving
const LOW = 510; // of 1,000, at the lower end of a chart: what a coin gets right, and a little more

export const whole = (value) => typeset(value.toFixed(0));
const times = (factor) => `${Number(factor.toFixed(1))} times`;

// Who gets more right: by more than two standard errors, else other samples could turn it around.
export function better(gain, error) {
  if (Math.abs(gain) <= Math.max(LEAST, 2 * error)) return "close";
  return gain > 0 ? "smm" : "svm";
}

// The means over the draws so far at each n, in new samples of 1,000, from the numbers of a run; NaN where
// there is none yet.
export function curvesOf(metrics = { n: [] }, counts, at) {
  const meansOf = (name) => counts.map((count) => 1000 * (metrics[name]?.[metrics.n.lastIndexOf(count)] ?? NaN));
  const [svm, smm] = ["svm", "smm"].map((name) => meansOf(name).map(Math.round));
  const draws = meansOf("draws")[at] / 1000;
  const who = draws > 1 ? better(smm[at] - svm[at], meansOf("error_gain")[at]) : "close";
  return { counts, svm, smm, at, who, draws };
}

// The samples that the SVM needs to be as good as the SMM is at a place of `counts`: Infinity if all are too
// few, NaN if its curve is not known so far, or the SMM is not better.
export function samplesFor({ counts, svm, smm, at, who }) {
  if (who !== "smm") return NaN;
  for (let i = at; i + 1 < counts.length; i++) {
    const [low, high] = [svm[i], svm[i + 1]];
    if (Number.isNaN(low + high)) return NaN;
    if (high >= smm[at]) return counts[i] * (counts[i + 1] / counts[i]) ** ((smm[at] - low) / (high - low));
  }
  return Infinity;
}

export const sayRight = ({ smm, svm }) => `of 1,000 new samples the SMM gets <b>${whole(smm)}</b> right, the SVM <b>${whole(svm)}</b>`;

export function sayVerdict(curves) {
  const { counts, at, who } = curves;
  const factor = samplesFor(curves) / counts[at];
  if (who === "close") return "Too close to tell: other samples could turn it around.";
  if (who === "svm") return "Here the SVM is better.";
  if (Number.isNaN(factor) || at + 1 === counts.length) return "";
  if (factor === Infinity) return `Even ${whole(counts.at(-1))} samples are not enough for the SVM to get as many right.`;
  return factor < FACTOR ? "The SVM needs only a few more samples for that." : `The SVM needs <b>${times(factor)}</b> as many samples for that.`;
}

// Draw both curves, along the logarithm of n; a NaN is left out.
export function drawCurves(canvas, curves, theme) {
  const sheet = openSheet(canvas);
  const { context, width, height, size } = sheet;
  const { counts, at } = curves;
  const [left, right, top, bottom] = [3.2 * size, width - 3.4 * size, 0.7 * size, height - 1.7 * size];
  const axis = linearAxis(LOW, 1000, top, bottom, size, "int");
  const x = (n) => left + ((right - left) * Math.log(n / counts[0])) / Math.log(counts.at(-1) / counts[0]);
  drawVerticalAxis(context, axis, left, right, theme);
  const isFar = (n) => Math.log2(n / counts[0]) % 1 < 0.01;
  for (const n of counts.filter(isFar)) write(context, whole(n), x(n), bottom + 0.35 * size, "center", "top");
  write(context, "n", width, bottom + 0.35 * size, "right", "top");
  ink(context, theme.accent, 0.8, 1.5);
  trace(context, [x(counts[at]), top], [x(counts[at]), bottom]).stroke();
  const ends = {};
  for (const name of ["svm", "smm"]) {
    const known = counts.map((n, i) => [x(n), axis.y(curves[name][i]), i]).filter((point) => !Number.isNaN(point[1]));
    ink(context, theme[name], 1, 2.5);
    trace(context, ...known).stroke();
    for (const [px, py, i] of known) {
      circle(context, px, py, i === at ? 5.5 : 3);
      context.fill();
    }
    if (known.length) ends[name] = known.at(-1);
  }
  const isTight = ends.svm && Math.abs(ends.svm[1] - ends.smm[1]) < size;
  for (const [name, [px, py]] of Object.entries(ends)) {
    const apart = isTight ? Math.sign(py - ends[name === "smm" ? "svm" : "smm"][1] || (name === "smm" ? -1 : 1)) * 0.55 * size : 0;
    ink(context, theme[name]);
    write(context, name.toUpperCase(), px + 9, py + apart, "left", "middle");
  }
  drawSaving(sheet, curves, x, axis, right, theme);
  return { x, left, right, bottom };
}

// An arrow from the SMM's point to the curve of the SVM, or to the end of the chart. Its words are between the
// two curves if these leave room, else below them.
function drawSaving({ context, size }, curves, x, axis, right, theme) {
  const { counts, at, smm, svm } = curves;
  const needed = samplesFor(curves);
  if (!(needed >= FACTOR * counts[at]) || at + 1 === counts.length) return;
  const [from, to, y] = [x(counts[at]), Math.min(right, x(needed)), axis.y(smm[at])];
  ink(context, theme.text, 1, 1.8);
  trace(context, [from + 8, y], [to - 6, y]).stroke();
  trace(context, [to, y], [to - 9, y - 5], [to - 9, y + 5]).fill();
  const text = needed === Infinity ? `${whole(counts.at(-1))} are not enough` : `${times(needed / counts[at])} as many`;
  const [begin, wide] = [from + 0.7 * size, context.measureText(text).width];
  const behind = counts.findIndex((n) => x(n) >= begin + wide);
  const hasRoom = axis.y(svm[behind]) > y + 1.8 * size;
  if (wide < 1.4 * (to - from)) writeOver(context, text, begin, hasRoom ? y + 0.4 * size : axis.y(svm[at]) + 0.6 * size, "left", "top", theme);
}
