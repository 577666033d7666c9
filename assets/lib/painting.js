// Paintings of 20 x 20 cells of -1, 0 and 1, and what is found of them.

import { valuesAt } from "./store.js";

export const SIDE = 20;
export const STRENGTH = 105; // of 127 colours, that of a painted cell

// A W of a run, which has norm 1, at the norm of the painting: in the steps of its cells.
export function stepsOf(run, frame, name, norm) {
  const [scale] = valuesAt(run, frame, `${name}_scale`);
  const unit = (STRENGTH * scale * norm) / 127;
  return Array.from(valuesAt(run, frame, name), (level) => level * unit);
}

// The painting of a picture in greys: Otsu's threshold splits them where the two sides differ most, and the
// smaller side is painted, the dark one if both are equal. All cells of one grey are no painting.
export function paintingOf(greys) {
  const sorted = [...greys].sort((one, other) => one - other);
  const all = sorted.reduce((sum, grey) => sum + grey, 0);
  let [most, dark, below] = [0, 0, 0];
  for (let k = 1; k < sorted.length; k++) {
    below += sorted[k - 1];
    const between = k * (sorted.length - k) * (below / k - (all - below) / (sorted.length - k)) ** 2;
    if (sorted[k] > sorted[k - 1] && between > most) [most, dark] = [between, k];
  }
  const isDarkPainted = 2 * dark <= sorted.length;
  return greys.map((grey) => Number(dark > 0 && grey < sorted[dark] === isDarkPainted));
}

// The rank of a square matrix of whole numbers, given row by row. By elimination without fractions,
// which stays among whole numbers and so is exact.
export function rankOf(entries) {
  const side = Math.sqrt(entries.length);
  let rows = Array.from({ length: side }, (_, i) => entries.slice(i * side, (i + 1) * side).map(BigInt));
  let [rank, before] = [0, 1n];
  for (let column = 0; column < side; column++) {
    const pivot = rows.find((row) => row[column]);
    if (!pivot) continue;
    const reduce = (row) => row.map((entry, j) => (entry * pivot[column] - row[column] * pivot[j]) / before);
    rows = rows.filter((row) => row !== pivot).map(reduce);
    before = pivot[column];
    rank += 1;
  }
  return rank;
}

// As `painted.py` reads it: five cells are the digits of a byte.
export function encode(painting) {
  const bytes = Array.from({ length: painting.length / 5 }, (_, i) =>
    painting.slice(5 * i, 5 * i + 5).reduce((sum, cell, k) => sum + (cell + 1) * 3 ** k, 0),
  );
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
