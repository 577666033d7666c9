// A layer that the reader makes, before it is told how many layers a picture has: a press or a drag sets cells
// of its column and of its row, and their product is seen.

import { ink, openSheet } from "../lib/canvas.js";
import { drawCells } from "../lib/pictures.js";
import { GREYS, drag, invalidate, onArrows, onPress } from "../lib/toy.js";

const STRIP = 1.5; // letters: the width of the column, and the height of the row

// Between these cells both strips are white at the beginning.
export function createMaker(view, side, [from, to]) {
  const band = () => Array.from({ length: side }, (_, i) => i >= from && i < to);
  const maker = { side, column: band(), row: band(), cursor: ["row", 0], cells: new OffscreenCanvas(1, 1) };
  const canvas = view.fan;
  onPress(canvas, (event) => {
    const isIn = cellUnder(maker, canvas, event).map((at) => at >= 0 && at < side);
    if (isIn[0] === isIn[1] || !view.isCovered) return;
    const name = isIn[0] ? "row" : "column";
    // The hand need not stay in the strip, and a quick one leaves no cell out.
    const placeOf = (moved) => Math.max(0, Math.min(side - 1, cellUnder(maker, canvas, moved)[isIn[0] ? 0 : 1]));
    let last = placeOf(event);
    const isWhite = !maker[name][last];
    const follow = (moved) => {
      const at = placeOf(moved);
      for (let k = Math.min(last, at); k <= Math.max(last, at); k++) setCell(view, maker, name, k, isWhite);
      last = at;
    };
    follow(event);
    drag(view, canvas, event, follow, () => invalidate(view));
  });
  canvas.onkeydown = onArrows(([right, up]) => {
    const [name, at] = maker.cursor;
    if (!view.isCovered) return;
    if (!(right || up)) setCell(view, maker, name, at, !maker[name][at]);
    else maker.cursor = [right ? "row" : "column", (at + right - up + side) % side];
    invalidate(view);
  }, " ", "Enter");
  return maker;
}

// How far the pointer is across and down the layer, in cells.
function cellUnder({ side, box }, canvas, { clientX, clientY }) {
  const { left, top } = canvas.getBoundingClientRect();
  return [clientX - left - box.x, clientY - top - box.y].map((far) => Math.floor((far * side) / box.w));
}

function setCell(view, maker, name, at, isWhite) {
  maker[name][at] = isWhite;
  maker.cursor = [name, at];
  invalidate(view);
}

export const productOf = ({ column, row }) => column.flatMap((isTall) => row.map((isWide) => isTall && isWide));

// How many pixels of a picture the layer has, of all.
export const agreement = (maker, picture) =>
  productOf(maker).filter((isWhite, i) => isWhite === picture[i] > 0.5).length;

export function paintMaker({ maker, fan, theme }) {
  const { context, width, height, size } = openSheet(fan);
  const strip = STRIP * size;
  const room = Math.min(width, height) - strip - 6;
  const { side, column, row, cursor } = maker;
  const box = (maker.box = { x: strip + 5, y: strip + 5, w: room, h: room });
  const draw = (values, shape, place) => drawCells(context, maker, shape, values.map((isWhite) => (isWhite ? 127 : -127)), GREYS, place);
  ink(context, theme.accent, 1, 3);
  const strips = { row: { ...box, y: 1, h: strip }, column: { ...box, x: 1, w: strip } };
  draw(row, [1, side], strips.row);
  draw(column, [side, 1], strips.column);
  ink(context, theme.border);
  draw(productOf(maker), [side, side], box);
  if (fan.matches(":focus-visible")) {
    const [name, at] = cursor;
    const [{ x, y, w, h }, cell] = [strips[name], room / side];
    ink(context, theme.accent, 1, 4);
    context.strokeRect(...(name === "row" ? [x + at * cell, y, cell, h] : [x, y + at * cell, w, cell]));
  }
}
