// See the noise: a new sample under noise of size s, and, for a small W and a large one, the histogram of
// all scores, y f(X), as they slide over 0; those below it are in the other colour. Above the bars stands how
// far the noise moves a score: noise s N moves it by s y <W, N>, which is about s ||W||.

import { circle, ink, openSheet, trace, write } from "../lib/canvas.js";
import { plain } from "../lib/numbers.js";
import { placeOf } from "../lib/settings.js";
import { canvasOf, largest, paintMatrix, place, sections, title, toy, watchKnob } from "../lib/toy.js";

const BINS = 60;

const SKELETON = `
  <div class="panels">
    ${sections({ sample: ["A new sample"] })}
    <div class="rows"></div>
  </div>
  <p class="note" role="status"></p>`;

function createView(parent, { machines }) {
  const root = place(parent, "margins", SKELETON);
  const titles = machines.flatMap((_, i) => [
    [`W${i}`, [""]],
    [`scores${i}`, [""]],
  ]);
  root.querySelector(".rows").innerHTML = sections(Object.fromEntries(titles));
  const view = {
    root,
    sample: canvasOf(root, "sample"),
    maps: machines.map((_, i) => canvasOf(root, `W${i}`)),
    histograms: machines.map((_, i) => canvasOf(root, `scores${i}`)),
    cells: new OffscreenCanvas(1, 1),
  };
  watchKnob(view, (at) => (view.level = view.data.levels[at]));
  return view;
}

const countRight = (scores) => scores.filter((score) => score > 0).length;

function paint(view) {
  const { data, level, root } = view;
  const { sample, noise, shape, machines } = data;
  const noisy = sample.map((entry, i) => entry + level * noise[i]);
  paintMatrix(view, view.sample, shape, toSteps(noisy, largest(sample)));
  title(root, "sample", "A new sample", level > 0 ? `with noise of size ${plain(level)}` : "");
  const drawn = machines.map(({ W, scores, shifts, size, typical }, i) => {
    paintMatrix(view, view.maps[i], shape, toSteps(W));
    const moved = scores.map((score, k) => score + level * shifts[k]);
    paintHistogram(view, view.histograms[i], moved, { typical, spread: level * size });
    return moved;
  });
  readOut(view, drawn);
}

const toSteps = (entries, scale = largest(entries)) => entries.map((entry) => (127 * entry) / scale);

// How many scores are in each bin; those beyond the reach are out of the picture.
function countScores(scores, reach) {
  const found = new Array(BINS).fill(0);
  for (const score of scores) {
    const bin = Math.floor(((score + reach) / (2 * reach)) * BINS);
    if (bin in found) found[bin] += 1;
  }
  return found;
}

// The scale is that without noise, where the scores stand closest.
function paintHistogram({ theme, data: { reach }, tallest }, canvas, scores, { typical, spread }) {
  const { context, width, height, size } = openSheet(canvas);
  const [top, bottom, slot] = [1.5 * size, height - size - 8, width / BINS];
  const x = (score) => Math.max(0, Math.min(width, ((score + reach) / (2 * reach)) * width));
  const talls = countScores(scores, reach).map((count) => Math.min(1, count / tallest) * (bottom - top));
  talls.forEach((tall, i) => {
    ink(context, i < BINS / 2 ? theme.event : theme.text, 0.8);
    context.fillRect(i * slot + 0.5, bottom - tall, slot - 1, tall);
  });
  ink(context, theme.text, 0.5);
  trace(context, [0, bottom], [width, bottom]).stroke();
  ink(context, theme.text, 1, 2);
  trace(context, [width / 2, 2], [width / 2, bottom]).stroke();
  write(context, "0", width / 2, bottom + 4, "center", "top");
  write(context, "wrong", 2, bottom + 4, "left", "top");
  write(context, "right", width - 2, bottom + 4, "right", "top");
  ink(context, theme.accent, 1, 4); // a typical score, and how far the noise moves it
  trace(context, [x(typical - spread), 0.7 * size], [x(typical + spread), 0.7 * size]).stroke();
  circle(context, x(typical), 0.7 * size, 0.35 * size);
  context.fill();
}

function readOut({ root, data: { machines }, level }, drawn) {
  const [counts, all] = [drawn.map(countRight), drawn[0].length];
  const isWall = document.documentElement.matches(".presenting"); // its letters leave no room for the rank
  machines.forEach(({ name, rank, size }, i) => {
    title(root, `W${i}`, `The ${name} W`, `‖W‖ = ${size.toFixed(1)}${isWall ? "" : `, rank ${rank}`}`);
    title(root, `scores${i}`, `${counts[i]} of ${all} right`, level > 0 ? `noise moves a score by ± ${plain(Number((level * size).toPrecision(2)))}` : "scores y f(X); dot: median");
  });
  const end = counts[0] > counts[1] ? " So fewer samples of the small W cross the line." : "";
  root.querySelector(".note").innerHTML = level > 0
    ? `Noise of size s moves a score by about <b>s ‖W‖</b>.${end}`
    : `Without noise the small W gets <b>${counts[0]}</b> of ${all} new samples right, the large W <b>${counts[1]}</b>. <b>Drag the noise.</b>`;
  Object.assign(root.dataset, { level, small: counts[0] / all, large: counts[1] / all });
}

export default toy(createView, (view, data) => {
  view.data = data;
  view.level = data.levels[placeOf(data.knob)];
  view.tallest = Math.max(...data.machines.flatMap(({ scores }) => countScores(scores, data.reach)));
}, { paint });
