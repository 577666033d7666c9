// A threshold that one drags over the singular values of Omega; W follows at once.
//
// The solutions along tau come as the frames of a run. The line stands at one of them only, so
// whatever is drawn is a certified solution. The knob of tau and the line follow each other by the
// events "knob" and "turn": see `assets/knobs/knobs.js`.
//
// Above the line the bars are linear, on the same scale at every tau: they are the singular values
// of W. Below it they show how near to tau the others come.

import { circle, drawNumbers, drawVerticalAxis, ink, leftOf, openSheet, trace, writeOver } from "../lib/canvas.js";
import { countNoun, format, multiples, nearest, ordinals, plain, stepFor } from "../lib/numbers.js";
import { paintPicture } from "../lib/pictures.js";
import { valuesAt } from "../lib/store.js";
import { placeOf } from "../lib/settings.js";
import { THUMB, canvasOf, dragSlider, invalidate, place, say, sections, slide, title, toy, turnKnob, watchKnob, watchRun, watchSlider } from "../lib/toy.js";

const HIGHEST = 0.88; // the place of the line at the largest tau, in the height of the picture
const SLIDER = `<input type="range" min="0" max="0" aria-orientation="vertical" aria-label="Threshold τ; arrow keys move it to the next solution">`;
const TITLES = { omega: ["Singular values of Ω = Σ αᵢ yᵢ Xᵢ", "", SLIDER], W: ["W"] };

const SKELETON = `
  <div class="panels">
    ${sections(TITLES)}
  </div>
  <p class="note" role="status"></p>`;

function createView(parent) {
  const root = place(parent, "threshold", SKELETON);
  const view = {
    root,
    slider: root.querySelector("input"),
    omega: canvasOf(root, "omega"),
    W: { spec: { field: "W", own: true }, canvas: canvasOf(root, "W"), cells: new OffscreenCanvas(1, 1) },
    tau: null,
    frame: 0, // of the solution that is drawn
    shown: null, // the run that is drawn; it stays until the first frame of the latest is here
  };
  // Frames begin at the largest tau, which is at the top.
  const turn = (rests) => turnKnob(view, view.data.taus.indexOf(view.tau), rests);
  const onMove = (place) => {
    view.tau = view.taus.at(-1 - place);
    turn(false);
  };
  watchSlider(view, view.slider, onMove, () => turn(true));
  view.slider.ontouchstart = (event) => event.preventDefault(); // a finger drags here, elsewhere it scrolls the page
  dragSlider(view, view.slider);
  watchKnob(view, (at) => (view.tau = view.data.taus[at]));
  return view;
}

function show(view, run) {
  view.shown = run;
  invalidate(view);
}

// The frame whose tau is the nearest: another one only where the path does not reach, or not yet.
function frameAt({ tau, taus }) {
  const lowest = taus.at(-1) || taus.at(-2) || 1;
  const place = (value) => Math.log(Math.max(value, lowest / 2)); // 0 lies below all others
  const distance = (value) => Math.abs(place(value) - place(tau));
  return nearest(taus, tau, distance);
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  const { root, shown: run, latest, theme } = view;
  root.classList.toggle("pending", run !== latest);
  root.dataset.status = latest.phase;
  if (!run?.count) {
    root.querySelector(".note").textContent = latest.message || "The solutions are being computed …";
    return;
  }
  view.taus = run.metrics.tau;
  view.frame = frameAt(view);
  paintOmega(view);
  paintPicture(view.W, { shown: run, frame: view.frame, theme });
  readOut(view);
}

function paintOmega(view) {
  const { shown: run, frame, theme, taus } = view;
  const { context, width, height, size } = openSheet(view.omega);
  const [top, bottom, right] = [1.6 * size, height - size - 14, width - 10];
  const highest = bottom - HIGHEST * (bottom - top);
  const lineAt = (k) => highest + (k / Math.max(1, taus.length - 1)) * (bottom - highest);
  const [tau, rank, values] = [taus[frame], run.metrics.rank[frame], valuesAt(run, frame, "omega")];
  const line = lineAt(frame);
  // The largest scale at which the bars of all solutions find room.
  const room = ({ frame, sizes: { sigma } }) => (lineAt(frame) - top) / sigma;
  const scale = Math.min(...run.images.map(room).filter(Number.isFinite), 1e9);
  const step = stepFor(Math.max(1e-9, (line - top) / scale), (line - top) / (2.2 * size));
  const marks = multiples(0, (line - top) / scale, step).filter((above) => above > 0 || tau === 0);
  const axis = { ticks: marks.map((above) => [line - scale * above, plain(above)]) };
  const left = leftOf(context, axis);
  drawVerticalAxis(context, axis, left, right, theme);
  const slot = (right - left) / values.length;
  const x = (number) => left + (number - 0.5) * slot;
  drawNumbers(context, ordinals(values.length, (right - left) / 60), x, bottom + 9, theme);
  const thick = Math.min(22, Math.max(2, 0.6 * slot));
  values.forEach((value, i) => {
    const begin = x(i + 1) - thick / 2;
    const below = tau > 0 ? Math.min(1, value / tau) * (bottom - line) : 0;
    ink(context, theme.text, i < rank ? 0.35 : 0.16);
    context.fillRect(begin, bottom - below, thick, below);
    if (i >= rank) return;
    const tall = Math.max(3, scale * (value - tau));
    ink(context, theme.text, 0.9);
    context.fillRect(begin, line - tall, thick, tall);
  });
  ink(context, theme.accent, 1, 2.5);
  trace(context, [left, line], [right, line]).stroke();
  circle(context, right - 6, line, 8);
  context.fill();
  const above = line - 9 - size < top ? line + 9 + size : line - 9;
  writeOver(context, `τ = ${plain(tau)}`, right - 20, above, "right", "bottom", theme);
  Object.assign(view.slider.style, { top: `${highest - THUMB / 2}px`, height: `${bottom - highest + THUMB}px` });
}

function readOut(view) {
  const { root, slider, shown: run, frame, taus } = view;
  const at = Object.fromEntries(Object.entries(run.metrics).map(([name, values]) => [name, values[frame]]));
  const count = valuesAt(run, frame, "omega").length;
  say(root, "omega", at.tau > 0 ? `${at.rank} of ${count} above the line` : `all ${count}`);
  const [largest] = valuesAt(run, frame, "W_scale"); // W shrinks as tau grows, and would pale in one scale
  title(root, "W", TITLES.W[0], `rank ${at.rank}`, `${format(at.train, "percent")} of the training samples right, colours to ±${plain(largest, 2)}`);
  root.querySelector(".note").textContent = [...remarks(view, at)].join(" ");
  Object.assign(root.dataset, { tau: at.tau, rank: at.rank });
  const state = `τ = ${plain(at.tau)}, rank ${at.rank} of ${count}, training accuracy ${format(at.train, "percent")}`;
  slider.max = taus.length - 1;
  slide(slider, slider.max - frame, state);
  for (const [name, [title]] of Object.entries(TITLES)) canvasOf(root, name).ariaLabel = `${title} at ${state}`;
}

function* remarks({ tau, latest }, at) {
  if (at.tau === 0) yield "At τ = 0 nothing is cut off: this is the linear SVM.";
  else if (at.rank === 0) yield "No singular value of Ω exceeds τ: W = 0, and all samples get the same answer.";
  else {
    yield "W keeps what is above the line.";
    const gap = format(at.gap, "sci", 2);
    yield at.certain === at.rank
      ? `The gap, ${gap}, proves rank ≥ ${at.rank}.`
      : `The gap, ${gap}, only proves rank ≥ ${at.certain}.`;
  }
  if (latest.phase === "failed") yield latest.message;
  else if (!latest.over) yield `${countNoun(latest.count, "solution")} so far; the line reaches further as they come.`;
  else if (tau !== at.tau) yield `The knob says τ = ${plain(tau)}: this is the nearest solution of the picture.`;
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (view.held !== view.slider) view.tau = data.taus[placeOf(data.knob)];
  watchRun(view, data.url);
}, { paint, show });
