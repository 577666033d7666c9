// W beside the hidden W* that made the labels: the heights of Omega with the line at tau, and along tau
// how many samples are right and the rank of W. A run holds the solutions at each tau for each number of
// samples; whatever is drawn is one of them. Before the answer the curve of new samples is not drawn.

import { answer } from "../lib/answer.js";
import { circle, drawNumbers, drawVerticalAxis, ink, openSheet, trace, writeOver } from "../lib/canvas.js";
import { listenTo } from "../lib/dom.js";
import { makeGuess, readGuess } from "../lib/guess.js";
import { format, multiples, ordinals, plain, stepFor } from "../lib/numbers.js";
import { placeOf } from "../lib/settings.js";
import { makeSteps, stepIn } from "../lib/steps.js";
import { valuesAt } from "../lib/store.js";
import { THUMB, canvasOf, dragSlider, invalidate, isHeld, layOver, paintMatrix, place, say, sayMoved, saySentence, sections, slide, toy, watchRun, watchSlider } from "../lib/toy.js";
import { GOALS, GUESSES, NAMES, answerOf, countOf, pathsOf, sayRight, sentenceOf } from "./paths.js";

const [CUT, NEW, MORE] = [1, 2, 3]; // the steps
const SIDE = 20;
const STRENGTH = 75; // of 127 colours, that of a cell of W*
const ROOM = 0.12; // of the height, above the line at the largest tau
const TICKS = [0.1, 1, 10]; // of tau
const STAGGER = 6; // places of tau between the names of two curves

const pillOf = ({ label }, i) => `<label class="pill"><input type="radio" name="truth" value="${i}">${label}</label>`;
const skeleton = (truths) => `
  <div class="panels">
    ${sections({
      truth: ["W*"],
      W: ["W"],
      heights: ["Heights of Ω", "", `<input type="range" min="0" aria-orientation="vertical" aria-label="τ, price of rank">`],
      chart: ["Right of 1,000", "", `<input type="range" min="0" aria-label="τ, price of rank">`],
    })}
  </div>
  <p class="note" role="status"></p>
  <div class="row foot">
    <div class="row truths" role="radiogroup" aria-label="W*"><b>W*</b>${truths.map(pillOf).join("")}</div>
    <label class="slider"><b>n</b> <input type="range" min="0" aria-label="n, training samples"><output></output></label>
  </div>`;

function createView(parent, data) {
  const root = place(parent, "rank", skeleton(data.truths));
  const view = {
    root,
    taus: data.taus,
    lines: [...root.querySelectorAll(".sheet input")], // of tau, over the heights and over the chart
    counter: root.querySelector(".slider input"),
    cells: new OffscreenCanvas(1, 1),
    done: new Set(), // steps whose act was done
    paths: new Map(),
  };
  view.guessing = makeGuess(view, `<b>With ${data.fewer} samples the best line is</b>`, GUESSES, () => goToBest(view, view.data.fewer));
  view.steps = makeSteps(view, NAMES, GOALS, {}, (step) => (step === MORE ? goToBest(view, view.data.opens) : []));
  root.prepend(view.steps.top);
  root.querySelector(".foot").append(view.steps.next);
  root.querySelector(".slider").before(view.guessing.row);
  for (const line of view.lines) {
    line.max = data.taus.length - 1;
    watchSlider(view, line, (at) => moveTo(view, line.max - at), () => report(view));
    dragSlider(view, line);
  }
  view.counter.max = data.counts.length - 1;
  watchSlider(view, view.counter, (at) => {
    view.n = data.counts[at];
    view.done.add(MORE);
  }, () => report(view));
  root.querySelector(".truths").onchange = ({ target }) => sayMoved(view, [[view.data.truth, Number(target.value)], [view.data.guess, 0]]); // it is asked anew
  listenTo(view, "reveal", () => view.adopt());
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

function moveTo(view, k) {
  view.k = k;
  if (view.step === CUT || (view.step === NEW && view.paths.get(view.n)?.best === k)) view.done.add(view.step);
}

// The number of samples, and the best line there once it is known.
function goToBest({ data: { n, tau, counts }, paths, k }, count) {
  return [[n, counts.indexOf(count)], [tau, paths.get(count)?.best ?? k]];
}

function report(view) {
  const { data: { counts, tau, n }, k } = view;
  sayMoved(view, [[tau, k], [n, counts.indexOf(view.n)]]);
}

// ---- what is drawn -------------------------------------------------------------------------

function show(view, run) {
  view.shown = run;
  view.paths = pathsOf(run.metrics, view.taus.length);
  invalidate(view);
}

function paint(view) {
  const { root, shown: run, latest, truth, data: { truths }, n } = view;
  const path = view.paths.get(n);
  const k = Math.min(view.k, (path?.rank.length ?? 0) - 1); // the line goes down while the path grows
  const isStale = run !== latest || latest.truth !== truth;
  root.classList.toggle("stale", isStale || !path);
  paintMatrix(view, canvasOf(root, "truth"), [SIDE, SIDE], truths[truth].cells.map((cell) => STRENGTH * cell));
  if (path) {
    const frame = path.first + k;
    const levels = valuesAt(run, frame, "W");
    const unit = (STRENGTH * Math.hypot(...truths[truth].cells)) / (Math.hypot(...levels) || 1);
    paintMatrix(view, canvasOf(root, "W"), [SIDE, SIDE], Array.from(levels, (level) => level * unit));
    paintHeights({ ...view, k }, path, valuesAt(run, frame, "omega"));
    paintChart({ ...view, k }, path);
  }
  readOut({ ...view, k }, path, isStale);
}

// The line stands at tau on a log scale. Above it the bars are the heights of W, on one scale for all
// tau; below it they show which share of tau the others reach.
function paintHeights({ root, shown: run, theme, taus, k, lines: [slider] }, path, omega) {
  const { context, width, height, size } = openSheet(canvasOf(root, "heights"));
  const [top, bottom, left, right] = [0.6 * size, height - 1.7 * size, 2.6 * size, width - 0.7 * size];
  const highest = top + ROOM * (bottom - top);
  const lineAt = (at) => highest + (at / (taus.length - 1)) * (bottom - highest);
  const roomOf = (tau, at) => (path.rank[at] ? (lineAt(at) - top) / (valuesAt(run, path.first + at, "omega")[0] - tau) : Infinity);
  const scale = Math.min(...path.rank.map((_, at) => roomOf(taus[at], at)));
  const [tau, line, rank] = [taus[k], lineAt(k), path.rank[k]];
  const most = (line - top) / scale;
  const marks = multiples(0, most, stepFor(most, (line - top) / (4 * size)));
  drawVerticalAxis(context, { ticks: marks.map((above) => [line - scale * above, plain(above)]) }, left, right, theme);
  const slot = (right - left) / omega.length;
  const x = (number) => left + (number - 0.5) * slot;
  omega.forEach((sigma, i) => {
    const begin = x(i + 1) - 0.32 * slot;
    const below = Math.min(1, sigma / tau) * (bottom - line);
    ink(context, theme.text, i < rank ? 0.35 : 0.16);
    context.fillRect(begin, bottom - below, 0.64 * slot, below);
    const tall = i < rank ? Math.max(2, scale * (sigma - tau)) : 0;
    ink(context, theme.text, 0.9);
    context.fillRect(begin, line - tall, 0.64 * slot, tall);
  });
  drawNumbers(context, ordinals(omega.length, (right - left) / (3 * size)), x, bottom + 5, theme);
  drawLine(context, [left, line], [right, line], 0.6 * size, theme);
  writeOver(context, `τ = ${tau}`, right - size, line - 5, "right", "bottom", theme, theme.accent);
  Object.assign(slider.style, { top: `${highest - THUMB / 2}px`, height: `${bottom - highest + THUMB}px` });
}

// The line at tau, with its handle at the end.
function drawLine(context, from, to, radius, theme) {
  ink(context, theme.accent, 1, 2.5);
  trace(context, from, to).stroke();
  circle(context, ...to, radius);
  context.fill();
}

// Above, the samples that are right, with a ring at the best tau; below, on the same axis, the rank. In the
// last step thin curves show the other n.
function paintChart(view, path) {
  const { root, theme, taus, k, n, step, paths, lines: [, slider] } = view;
  const { context, width, height, size } = openSheet(canvasOf(root, "chart"));
  const [left, right, top, bottom] = [3.2 * size, width - size, 0.7 * size, height - 1.7 * size];
  const [floor, ceiling] = [top + 0.64 * (bottom - top), top + 0.78 * (bottom - top)]; // between the two
  const x = (tau) => left + (Math.log(tau / taus.at(-1)) / Math.log(taus[0] / taus.at(-1))) * (right - left);
  const y = (part) => floor - (part - 0.5) * 2 * (floor - top);
  const yOfRank = (rank) => bottom - (rank / SIDE) * (bottom - ceiling);
  const now = x(taus[k]);
  const counts = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map((part) => [y(part), format(countOf(part), "int")]);
  drawVerticalAxis(context, { ticks: [...counts, ...[0, 10, 20].map((rank) => [yOfRank(rank), rank])] }, left, right, theme);
  drawNumbers(context, TICKS, x, bottom + 5, theme);
  const curve = (values, colour, wide, dash = []) => {
    ink(context, colour, 1, wide);
    context.setLineDash(dash);
    trace(context, ...values.map((value, at) => [x(taus[at]), y(value)])).stroke();
    context.setLineDash([]);
  };
  const half = (x(taus[0]) - x(taus[1])) / 2; // a step is as wide as the room of its tau
  ink(context, theme.text, 1, 2);
  trace(context, ...path.rank.flatMap((rank, at) => [half, -half].map((by) => [Math.min(right, Math.max(left, x(taus[at]) + by)), yOfRank(rank)]))).stroke();
  curve(path.train, theme.text, 2, [6, 6]);
  if (step < MORE) writeOver(context, `${n} training samples, per 1,000`, left + size, y(1) + size, "left", "middle", theme);
  drawLine(context, [now, top], [now, bottom], 0.6 * size, theme);
  writeOver(context, "rank of W", right, yOfRank(SIDE) - 5, "right", "bottom", theme);
  layOver(slider, left, right);
  if (step < NEW) return;
  curve(path.new, theme.smm, 3);
  for (const [i, [count, other]] of [...paths].entries()) {
    const isOwn = count === n;
    if (other.best === null || !(isOwn || (step === MORE && view.isTold))) continue;
    const [peakX, peakY] = [x(taus[other.best]), y(other.new[other.best])];
    curve(other.new, theme.smm, 1);
    circle(context, peakX, peakY, (isOwn ? 0.7 : 0.4) * size);
    context.stroke();
    const at = taus.length - 1 - STAGGER * i;
    const isOuter = i === 0 || i === paths.size - 1; // those between have no room for a name
    if (isOwn && k !== other.best) writeOver(context, "most", peakX, peakY + 0.8 * size, "center", "top", theme, theme.smm);
    if (isOuter && !isOwn) writeOver(context, `n = ${count}`, x(taus[at]) + 4, y(other.new[at]) - 5, "left", "bottom", theme);
  }
  ink(context, theme.smm);
  circle(context, now, y(path.new[k]), 0.45 * size);
  context.fill();
  const isFar = now > right - 5 * size;
  writeOver(context, `${countOf(path.new[k])} new`, now + (isFar ? -0.7 : 0.7) * size, y(path.new[k]) - size, isFar ? "right" : "left", "middle", theme, theme.smm);
}

// ---- words ---------------------------------------------------------------------------------

function readOut(view, path, isStale) {
  const { root, data: { truths, counts }, truth, taus, n, k, step, latest, counter, lines } = view;
  const heights = path && valuesAt(view.shown, path.first + k, "omega").map((height) => Math.max(0, height - taus[k]));
  const said = latest.phase === "failed" ? latest.message : sentenceOf({ ...view, truth: truths[truth], heights }, isStale ? null : path, answer.isHidden());
  saySentence(view, said);
  const state = path ? `τ = ${taus[k]}, rank ${path.rank[k]}, ${sayRight({ n, k }, path)} right` : "";
  const texts = { truth: `rank ${truths[truth].rank}`, W: path ? `rank ${path.rank[k]}${step > CUT && k === path.best ? ": best" : ""}` : "", heights: path ? `${path.rank[k]} of ${SIDE} above τ` : "", chart: "along τ" };
  for (const [name, text] of Object.entries(texts)) {
    say(root, name, text);
    canvasOf(root, name).ariaLabel = `${root.querySelector(`[data-panel=${name}] b`).textContent}, ${text}${name === "truth" ? "" : `; ${state}`}`;
  }
  for (const line of lines) slide(line, line.max - k, state);
  root.querySelector("output").textContent = n;
  slide(counter, counts.indexOf(n), `n = ${n}`);
  for (const input of root.querySelectorAll("[name=truth]")) input.checked = Number(input.value) === truth;
  view.guessing.draw(step === MORE, n === view.data.fewer ? answerOf(view) : null); // with the reply to the guess
  root.querySelector(".slider").hidden = step < MORE || !view.isTold;
  Object.assign(root.dataset, { step, n, tau: taus[k], rank: path?.rank[k] ?? "", status: isStale ? "waiting" : latest.phase });
  view.steps.draw();
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (!isHeld(view)) Object.assign(view, { k: placeOf(data.tau), n: data.counts[placeOf(data.n)], truth: placeOf(data.truth) });
  view.guess = readGuess(view);
  view.isTold = Boolean(view.guess) || placeOf(data.n) !== data.n.default;
  view.step = stepIn(view, NEW);
  watchRun(view, data.url);
  view.latest.truth = data.truth.at;
}, { paint, show });
