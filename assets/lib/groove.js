// Curves in the groove of a knob: what the numbers of the picture are at each place of the knob.

import { circle, ink, openSheet, trace, writeOver } from "./canvas.js";

const SIDE = 8; // px beside the curves, where half of the thumb goes

// Their points, and where the knob and the last curve are now, if that is known, are shares of the knob and of
// the room of the curves. The `note` is a text at the beginning of the knob, 0, or at its end, 1.
export function drawGroove(canvas, theme, { curves, now: [nowX, nowY] = [], note: [noteX, note] = [] }) {
  const { context, width, height } = openSheet(canvas);
  const margin = Math.min(6, height / 5); // above and below the curves
  const place = ([x, y]) => [SIDE + x * (width - 2 * SIDE), height - margin - y * (height - 2 * margin)];
  ink(context, theme.text, 0.06);
  context.fillRect(SIDE, 0, width - 2 * SIDE, height);
  for (const { points, colour = theme.text, strength = 2.5 } of curves) {
    ink(context, colour, 1, strength);
    trace(context, ...points.map(place)).stroke();
  }
  for (const { name, points } of curves) {
    const end = points.findLast(([x]) => !(nowX > 0.85) || x < 0.8); // the handle would lie over the name
    if (name && end) writeOver(context, name, place(end)[0] - 4, place(end)[1], "right", "middle", theme);
  }
  const [gap, side] = noteX < 0.5 ? [8, "left"] : [-8, "right"];
  if (note) writeOver(context, note, place([noteX, 0])[0] + gap, height / 2, side, "middle", theme);
  if (nowX === undefined) return;
  const [x, y] = place([nowX, nowY]);
  ink(context, theme.accent, 1, 2.5);
  trace(context, [x, 0], [x, height]).stroke();
  if (nowY === undefined) return;
  circle(context, x, y, Math.min(5, margin + 1));
  context.fill();
}
