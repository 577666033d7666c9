// See the noise: a new sample under noise of size s, and, for a W of blocks and a W of detail, the
// histogram of all margins, y f(X) / ||W||, as they slide over 0; those below it are in the other
// colour. Noise s N moves a margin by s y <W, N> / ||W||, so the pictures follow the knob by themselves.

import { ink, openSheet, trace, write } from "../lib/canvas.js";
import { plain } from "../lib/numbers.js";
import { placeOf } from "../lib/settings.js";
import { canvasOf, largest, paintMatrix, place, sections, title, toy, watchKnob } from "../lib/toy.js";

const BINS = 36;

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
    [`margins${i}`, [""]],
  ]);
  root.querySelector(".rows").innerHTML = sections(Object.fromEntries(titles));
  const view = {
    root,
    sample: canvasOf(root, "sample"),
    maps: machines.map((_, i) => canvasOf(root, `W${i}`)),
    histograms: machines.map((_, i) => canvasOf(root, `margins${i}`)),
    cells: new OffscreenCanvas(1, 1),
  };
  watchKnob(view, (at) => (view.level = view.data.levels[at]));
  return view;
}

const countRight = (margins) => margins.filter((margin) => margin > 0).length;

function paint(view) {
  const { data, level, root } = view;
  const { sample, noise, shape, machines } = data;
  const noisy = sample.map((entry, i) => entry + level * noise[i]);
  paintMatrix(view, view.sample, shape, toSteps(noisy, largest(sample)));
  title(root, "sample", "A new sample", level > 0 ? `with noise of size ${plain(level)}` : "");
  const drawn = machines.map(({ W, margins, shifts }, i) => {
    paintMatrix(view, view.maps[i], shape, toSteps(W));
    const moved = margins.map((margin, k) => margin + level * shifts[k]);
    paintHistogram(view, view.histograms[i], moved);
    return moved;
  });
  readOut(view, drawn);
}

const toSteps = (entries, scale = largest(entries)) => entries.map((entry) => (127 * entry) / scale);

// How many margins are in each bin; those beyond the reach count in the outermost.
function countMargins(margins, reach) {
  const found = new Array(BINS).fill(0);
  for (const margin of margins) {
    const bin = Math.floor(((margin + reach) / (2 * reach)) * BINS);
    found[Math.max(0, Math.min(BINS - 1, bin))] += 1;
  }
  return found;
}

// The scale is that without noise, where the margins stand closest.
function paintHistogram({ theme, data: { reach }, tallest }, canvas, margins) {
  const { context, width, height, size } = openSheet(canvas);
  const [bottom, slot] = [height - size - 8, width / BINS];
  const talls = countMargins(margins, reach).map((count) => Math.min(1, count / tallest) * (bottom - 4));
  talls.forEach((tall, i) => {
    ink(context, i < BINS / 2 ? theme.event : theme.text, 0.8);
    context.fillRect(i * slot + 1, bottom - tall, slot - 2, tall);
  });
  ink(context, theme.text, 0.5);
  trace(context, [0, bottom], [width, bottom]).stroke();
  ink(context, theme.text, 1, 2);
  trace(context, [width / 2, 2], [width / 2, bottom]).stroke();
  write(context, "0", width / 2, bottom + 4, "center", "top");
  ink(context, theme.text, 0.8);
  write(context, "wrong", 2, bottom + 4, "left", "top");
  write(context, "right", width - 2, bottom + 4, "right", "top");
}

function readOut({ root, data: { machines }, level }, drawn) {
  const [counts, all] = [drawn.map(countRight), drawn[0].length];
  machines.forEach(({ name, rank }, i) => {
    title(root, `W${i}`, `W of ${name}`, `rank ${rank}`);
    title(root, `margins${i}`, `${counts[i]} of ${all} right`, "how far from the line");
  });
  const [first, second] = machines.map(({ name }) => name);
  const seen = level > 0
    ? `The noise spreads both alike. With ${first} the samples are further from the line, so fewer cross it.`
    : "Each bar is some new samples, on the right or the wrong side of the line. <b>Drag the noise.</b>";
  root.querySelector(".note").innerHTML =
    `W of ${first} gets <b>${counts[0]}</b> of ${all} new samples right, W of ${second} <b>${counts[1]}</b>. ${seen}`;
  Object.assign(root.dataset, { level, blocks: counts[0] / all, speckle: counts[1] / all });
}

export default toy(createView, (view, data) => {
  view.data = data;
  view.level = data.levels[placeOf(data.knob)];
  view.tallest = Math.max(...data.machines.flatMap(({ margins }) => countMargins(margins, data.reach)));
}, { paint });
