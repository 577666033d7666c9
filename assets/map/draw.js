// Draws the map.

import { circle, ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { whole } from "../lib/learning.js";
import { BORDER, CURVES, SIDE, placeAt, rankOf, rowOf, tileAt } from "./places.js";

const FULL = 160; // of 1,000: the gain that has the full colour
const [FAINT, STRONG] = [0.08, 0.72]; // of a colour, so that numbers can be read on it

// Where the tiles are, and the place below a point: with `label` if it is a number of an axis.
function layOut({ width, height, size }, { counts }) {
  const [left, top] = [3.4 * size, 1.6 * size];
  const [wide, tall] = [(width - left - 2) / SIDE, (height - top - 2.8 * size) / counts.length];
  const bottom = top + tall * counts.length;
  const step = Math.log(counts.at(-1) / counts[0]) / (counts.length - 1); // from row to row, of log n
  const clamp = (value, most) => Math.max(0, Math.min(most, value));
  return {
    ...{ left, top, bottom, wide, tall },
    corner: (k) => [left + (rankOf(k) - 1) * wide, bottom - (rowOf(k) + 1) * tall],
    x: (rank) => left + (rank - 0.5) * wide,
    y: (n) => bottom - (Math.log(n / counts[0]) / step + 0.5) * tall,
    under: (x, y) => {
      const row = clamp(Math.floor((bottom - y) / tall), counts.length - 1);
      const rank = clamp(Math.floor((x - left) / wide), SIDE - 1) + 1;
      return { place: placeAt(rank, row), label: y > bottom ? "rank" : x < left ? "n" : null };
    },
  };
}

// `shareOf` says how far a place is uncovered: NaN if it is not.
export function drawMap(view, shareOf) {
  const { places, canvases, theme, curve, step, at, cursor } = view;
  const sheet = openSheet(canvases.map);
  const { context } = sheet;
  const layout = layOut(sheet, places);
  for (let k = 0; k < places.count; k++) fillTile(context, view, layout, k, shareOf(k));
  const curves = step === BORDER ? Object.entries(CURVES) : []; // of which one is chosen
  for (const [name, { of }] of curves) drawCurve(context, layout, of, theme, !curve || name === curve ? 0.6 : 0.2);
  for (let k = 0; k < places.count; k++) writeTile(context, view, layout, k, shareOf(k)); // over the curve
  for (const [, { name, named, of }] of curves) writeOver(context, name, layout.x(named), layout.y(of(named)) - 6, "right", "bottom", theme);
  drawLabels(sheet, view, layout);
  ink(context, theme.accent, 1, 3);
  context.strokeRect(...layout.corner(at), layout.wide, layout.tall);
  context.setLineDash([4, 4]);
  if (canvases.map.matches(":focus-visible")) context.strokeRect(...layout.corner(cursor), layout.wide, layout.tall);
  context.setLineDash([]);
  return layout;
}

function fillTile(context, { places, layers, theme }, { corner, wide, tall }, k, share) {
  ink(context, theme.border, 0.35);
  context.strokeRect(...corner(k), wide, tall);
  if (!(share > 0)) return;
  const { gain, who } = tileAt(places, layers, k);
  const strength = FAINT + (STRONG - FAINT) * Math.min(1, Math.abs(gain) / FULL);
  ink(context, who === "close" ? theme.text : theme[who], share * (who === "close" ? 0.03 : strength));
  context.fillRect(...corner(k), wide, tall);
}

function writeTile(context, { places, layers, theme, votes }, { corner, wide, tall }, k, share) {
  if (!(share > 0)) return;
  const { gain, who } = tileAt(places, layers, k);
  const [x, y] = corner(k);
  const middle = [x + wide / 2, y + tall / 2];
  ink(context, theme.text, share, 1.5);
  if (votes?.[k]) context.strokeRect(x + 2, y + 2, wide - 4, tall - 4); // phones have tapped it
  if (who === "close") circle(context, ...middle, 1.6);
  if (who === "close") context.fill();
  else if (context.measureText("888").width < wide) write(context, whole(gain), ...middle, "center", "middle");
}

function drawLabels({ context, width, height, size }, { places: { counts }, theme, at }, { left, bottom, x, y, wide }) {
  const label = (text, isHere, ...where) => {
    ink(context, isHere ? theme.accent : theme.text, isHere ? 1 : 0.75);
    write(context, text, ...where);
  };
  counts.forEach((n, row) => label(whole(n), row === rowOf(at), left - 8, y(n), "right", "middle"));
  for (let rank = 1; rank <= SIDE; rank++) {
    const isHere = rank === rankOf(at);
    const hasRoom = wide > 1.5 * size || isHere || (rank % 5 === 0 && Math.abs(rank - rankOf(at)) > 1);
    if (hasRoom) label(String(rank), isHere, x(rank), bottom + 0.25 * size, "center", "top");
  }
  label("training samples n", false, 0, 0.2 * size, "left", "top");
  label("rank of W*", false, width, height - 1, "right", "bottom");
}

function drawCurve(context, { left, top, bottom, x, y, wide }, of, theme, strength) {
  context.save();
  context.beginPath();
  context.rect(left, top, wide * SIDE, bottom - top);
  context.clip();
  const ranks = Array.from({ length: 20 * SIDE }, (_, i) => 0.5 + i / 20);
  ink(context, theme.text, strength, 3);
  trace(context, ...ranks.map((rank) => [x(rank), y(of(Math.min(SIDE, rank)))])).stroke();
  context.restore();
}
