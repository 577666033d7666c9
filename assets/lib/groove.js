// A curve in the groove of a knob: what the number of the picture is at each place of the knob.

import { circle, ink, openSheet, trace, write } from "./canvas.js";

const SIDE = 8; // px beside the curve, where half of the thumb goes

// The `points`, and where the knob is now if that is known, are shares of the knob and of the scale between
// both `ends`.
export function drawGroove(canvas, theme, { points, now, ends: [low, high], colour = theme.text }) {
  const { context, width, height } = openSheet(canvas);
  const margin = Math.min(6, height / 5); // above and below the curve
  const place = ([x, y]) => [SIDE + x * (width - 2 * SIDE), height - margin - y * (height - 2 * margin)];
  ink(context, theme.text, 0.06);
  context.fillRect(SIDE, 0, width - 2 * SIDE, height);
  ink(context, theme.text, 0.75);
  write(context, high, width - SIDE - 4, 2, "right", "top");
  write(context, low, SIDE + 4, height - 2, "left", "bottom");
  ink(context, colour, 1, 2.5);
  trace(context, ...points.map(place)).stroke();
  if (!now) return;
  const [x, y] = place(now);
  ink(context, theme.accent, 1, 2.5);
  trace(context, [x, 0], [x, height]).stroke();
  circle(context, x, y, Math.min(5, margin + 1));
  context.fill();
}
