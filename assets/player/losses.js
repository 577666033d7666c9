// ---- drawing: losses against the margin ------------------------------------------------------

import { circle, drawNumbers, drawVerticalAxis, ink, leftOf, linearAxis, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { curvesOf } from "../lib/lines.js";
import { LOSS } from "../lib/loss.js";
import { nearest, plain, typeset } from "../lib/numbers.js";
import { valuesAt } from "../lib/store.js";
import { valuesOf } from "./knobs.js";
import { addHandle, createCanvas } from "./panel.js";

const [FIRST, LAST] = [-1, 4]; // margins, if no sample is further left; samples beyond are counted
const STEPS = 200; // of a curve
const NAMED = 3; // margin at which a curve that rises has its name
const FAR = 0.2; // from where a sample was put: its place after training is told

function createLosses(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  panel.handle = addHandle(panel, player, "margin", ({ clientX }, margins) => {
    const m = panel.marginAt(clientX - panel.canvas.getBoundingClientRect().left);
    return nearest(margins, m);
  });
  panel.handle.ariaLabel = "y f(X) of one sample";
  return panel;
}

// A curve for each loss, and on it the samples at the margins that its own classifier gives them. The
// handle is the sample that can be moved, at its margin for the W without it; filled circles are the same
// sample after training.
function paintLosses(panel, player) {
  const { shown: run, frame, theme } = player;
  const { margin } = valuesOf(player);
  const sheet = openSheet(panel.canvas);
  const { context, width, height, size } = sheet;
  const { fields } = panel.spec;
  const curves = curvesOf(fields, theme, (name) => [...valuesAt(run, frame, name)]);
  const losses = fields.map(({ name }) => LOSS[name.split("_").at(-1)]);
  const low = Math.min(FIRST, ...curves.flatMap(({ values }) => values));
  const highest = Math.max(...losses.flatMap((loss) => [loss(low), loss(LAST)]));
  const [top, bottom, right] = [1.2 * size, height - 2.8 * size, width - 14];
  const axis = linearAxis(0, highest, top, bottom, size);
  const left = leftOf(context, axis);
  const x = (m) => left + ((m - low) / (LAST - low)) * (right - left);
  drawVerticalAxis(context, axis, left, right, theme);
  const ticks = [-2, -1, 0, 1, 2, 3, LAST].filter((m) => m >= low);
  drawNumbers(context, ticks.map((m) => plain(m)), (text) => x(Number(text.replace("−", "-"))), bottom + 9, theme);
  write(context, "m = y f(X)", right, height, "right", "bottom");
  ink(context, theme.text, 0.4);
  trace(context, [x(1), top], [x(1), bottom]).stroke();
  ink(context, theme.accent, 1, 2);
  trace(context, [x(margin), axis.y(Math.max(...losses.map((loss) => loss(margin))))], [x(margin), bottom]).stroke();
  curves.forEach(({ values: [moved, ...others], colour, label }, i) => {
    const loss = losses[i];
    ink(context, colour, 1, 2);
    trace(context, ...Array.from({ length: STEPS + 1 }, (_, k) => low + (k / STEPS) * (LAST - low)).map((m) => [x(m), axis.y(loss(m))])).stroke();
    for (const m of others.filter((m) => m <= LAST)) {
      circle(context, x(m), axis.y(loss(m)), 5);
      context.stroke();
    }
    const beyond = [moved, ...others].filter((m) => m > LAST).length;
    const end = loss(LAST) > 0 ? NAMED : LAST;
    const name = beyond ? `${label}, ${beyond} beyond ${LAST}` : label;
    writeOver(context, name, x(end) - 14, axis.y(loss(end)) - 14, "right", "bottom", theme, colour);
    ink(context, theme.accent);
    circle(context, x(Math.min(moved, LAST)), axis.y(loss(moved)), 6);
    context.fill();
    if (Math.abs(moved - margin) < FAR) return;
    const [aside, above, align] = moved < 1 ? [14, 0, "left"] : [0, 2 * size, "center"]; // clear of the circles
    writeOver(context, `then ${typeset(moved.toFixed(1))}`, x(moved) + aside, axis.y(loss(moved)) - above, align, "middle", theme, theme.accent);
  });
  const [px, py] = [x(margin), axis.y(LOSS.squares(margin))];
  panel.handle.style.translate = `${px}px ${py}px`;
  Object.assign(panel.handle, { ariaValueNow: String(margin), ariaValueText: `m = ${plain(margin)}` });
  panel.marginAt = (px) => low + ((px - left) / (right - left)) * (LAST - low);
}

function describeLosses({ marginAt, spec: { fields } }, player, px) {
  const m = marginAt(px);
  const lines = fields.map(({ name, label }) => `${label}  ${plain(LOSS[name.split("_").at(-1)](m))}`);
  return [`m = ${plain(m)}`, ...lines].join("\n");
}

export const losses = { create: createLosses, paint: paintLosses, describe: describeLosses };
