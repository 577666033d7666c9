// ---- drawing: losses against the margin ------------------------------------------------------

import { circle, drawNumbers, drawVerticalAxis, ink, leftOf, linearAxis, openSheet, trace, write } from "../lib/canvas.js";
import { curvesOf } from "../lib/lines.js";
import { plain } from "../lib/numbers.js";
import { valuesAt } from "../lib/store.js";

const [FIRST, LAST] = [-1, 4]; // margins, if no sample is further left; samples further right are counted
const STEPS = 200; // of a curve
export const LOSS = { hinge: (m) => Math.max(0, 1 - m), squares: (m) => (1 - m) ** 2 / 2 };

// A curve for each loss, and on it the samples at the margins that its own classifier gives them.
export function paintLosses(panel, { shown: run, frame, theme }) {
  const sheet = openSheet(panel.canvas);
  const { context, width, height, size } = sheet;
  const curves = curvesOf(panel.spec.fields, theme, (name) => [...valuesAt(run, frame, name)]);
  const losses = panel.spec.fields.map(({ name }) => LOSS[name.split("_").at(-1)]);
  const low = Math.min(FIRST, ...curves.flatMap(({ values }) => values));
  const highest = Math.max(...losses.flatMap((loss) => [loss(low), loss(LAST)]));
  const [top, bottom, right] = [1.6 * size, height - 2 * size, width - 10];
  const axis = linearAxis(0, highest, top, bottom, size);
  const left = leftOf(context, axis);
  const x = (m) => left + ((m - low) / (LAST - low)) * (right - left);
  drawVerticalAxis(context, axis, left, right, theme);
  const ticks = [-2, -1, 0, 1, 2, 3, LAST].filter((m) => m >= low);
  drawNumbers(context, ticks.map((m) => plain(m)), (text) => x(Number(text.replace("−", "-"))), bottom + 9, theme);
  write(context, "margin m", right, height, "right", "bottom");
  ink(context, theme.text, 0.4);
  trace(context, [x(1), top], [x(1), bottom]).stroke();
  curves.forEach(({ values, colour, label }, i) => {
    const loss = losses[i];
    ink(context, colour, 1, 2);
    trace(context, ...Array.from({ length: STEPS + 1 }, (_, k) => low + (k / STEPS) * (LAST - low)).map((m) => [x(m), axis.y(loss(m))])).stroke();
    for (const m of values.filter((m) => m <= LAST)) {
      circle(context, x(m), axis.y(loss(m)), 5);
      context.stroke();
    }
    const further = values.filter((m) => m > LAST).length;
    write(context, `${label}${further ? `: ${further} further right` : ""}`, right, axis.y(loss(LAST)) - 10, "right", "bottom");
  });
  panel.marginAt = (px) => low + ((px - left) / (right - left)) * (LAST - low);
}

export function describeLosses({ marginAt, spec: { fields } }, player, px) {
  const m = marginAt(px);
  const lines = fields.map(({ name, label }) => `${label}  ${plain(LOSS[name.split("_").at(-1)](m))}`);
  return [`margin ${plain(m)}`, ...lines].join("\n");
}
