// ---- drawing: vectors ----------------------------------------------------------------------

import { circle, drawNumbers, drawVerticalAxis, ink, leftOf, linearAxis, openSheet, trace, write } from "../lib/canvas.js";
import { curvesOf } from "../lib/lines.js";
import { ordinals, plain, roundUp } from "../lib/numbers.js";
import { valuesAt } from "../lib/store.js";

const NOTHING = 1e-9; // of the largest: below is rounding, and drawn as zero

// Between which values vectors lie, and 0: of the later half of the frames held, as in limitOf.
function reachOf(run, names) {
  const later = run.images.filter(({ frame }) => 2 * frame >= run.count - 1);
  const all = (part) => later.flatMap((picture) => names.map((name) => picture[part][name]));
  const [low, high] = [Math.max(0, ...all("lows").map((low) => -low)), Math.max(0, ...all("sizes"))];
  return [low && -roundUp(low), high && roundUp(high)];
}

// The entries of one vector as bars from 0, those of several as stems side by side; a 0 is a ring.
export function paintVectors(panel, { shown: run, frame, theme }) {
  const { fields } = panel.spec;
  const sheet = openSheet(panel.canvas);
  const { context, width, height, size } = sheet;
  const vectors = (panel.vectors = curvesOf(fields, theme, (name) => valuesAt(run, frame, name)));
  const several = vectors.length > 1;
  const [right, top, bottom] = [width - 10, several ? 1.6 * size : 10, height - size - 14];
  const [low, high] = reachOf(run, fields.map(({ name }) => name));
  const axis = linearAxis(low, high, top, bottom, size);
  const left = leftOf(context, axis);
  drawVerticalAxis(context, axis, left, right, theme);

  const count = Math.max(...vectors.map(({ values }) => values.length));
  const slot = (right - left) / count;
  const x = (number) => left + (number - 0.5) * slot;
  const zero = axis.y(0);
  panel.indexAt = (px) => Math.floor((px - left) / slot);
  drawNumbers(context, ordinals(count, (right - left) / 60), x, bottom + 9, theme);
  ink(context, theme.border, 1);
  trace(context, [left, zero], [right, zero]).stroke();

  const thick = several ? Math.min(2.5, Math.max(1, 0.3 * slot)) : Math.min(14, Math.max(2, 0.6 * slot));
  const radius = Math.min(4, Math.max(1.5, (0.3 * slot) / vectors.length + 1));
  const apart = several ? Math.min(7, (0.8 * slot) / vectors.length) : 0;
  vectors.forEach(({ values, colour }, i) => {
    ink(context, colour);
    values.forEach((value, j) => {
      const at = x(j + 1) + (i - (vectors.length - 1) / 2) * apart;
      const isZero = Math.abs(value) <= NOTHING * (high - low);
      const tall = isZero ? 0 : Math.max(2, Math.abs(axis.y(value) - zero));
      context.fillRect(at - thick / 2, value > 0 ? zero - tall : zero, thick, tall);
      circle(context, at, isZero ? zero : axis.y(value), isZero ? 0.8 * radius : radius);
      if (isZero) context.stroke();
      else if (several) context.fill();
    });
  });
  if (several) drawLegend(context, vectors, right, size);
}

function drawLegend(context, vectors, right, size) {
  let at = right;
  for (const { label, colour } of vectors.toReversed()) {
    ink(context, colour);
    write(context, `● ${label}`, at, 0, "right", "top");
    at -= context.measureText(`● ${label}`).width + size;
  }
}

export function describeVectors({ indexAt, vectors }, player, px) {
  const index = indexAt(px);
  const known = vectors.filter(({ values }) => values[index] !== undefined);
  const lines = known.map(({ label, values }) => `${label}  ${plain(values[index])}`);
  return known.length ? [`number ${index + 1}`, ...lines].join("\n") : "";
}
