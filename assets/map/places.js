// The places of the map: 20 ranks of W* by some numbers of samples. Place k has rank k % 20 + 1 and the
// number of samples counts[floor(k / 20)]. Nothing is drawn here.

import { better } from "../lib/learning.js";
import { unpack } from "../lib/packed.js";

export const SIDE = 20; // of a matrix, and ranks
export const ENOUGH = 40; // places to have seen
export const [GUESS, EXPLORE, BORDER] = [1, 2, 3]; // steps
export const LAYERS = ["equal", "falling"]; // heights of the layers of W*

export const rankOf = (k) => (k % SIDE) + 1;
export const rowOf = (k) => Math.floor(k / SIDE);
export const placeAt = (rank, at) => at * SIDE + rank - 1;
export const row = (at) => Array.from({ length: SIDE }, (_, i) => placeAt(i + 1, at));
export const column = (rank, { counts }) => counts.map((_, at) => placeAt(rank, at));

// Borders: above them, so they claim, the SMM is better, and nowhere else. Their names stand at a rank.
export const CURVES = {
  unknowns: { name: "n = r (40 − r)", named: 18, of: (r) => r * (2 * SIDE - r) },
  square: { name: "n = 10 r²", named: 11, of: (r) => 10 * r * r },
};

// The file of `pages/smm/structure/tiles.py`.
export async function readPlaces(buffer) {
  const { body, ...places } = await unpack(buffer);
  const count = SIDE * places.counts.length;
  const starts = { truth: 0, svm: SIDE, smm: SIDE + count };
  LAYERS.forEach((layers, i) => {
    places[layers].matrixOf = (name, k) => {
      const at = i * (SIDE + 2 * count) + starts[name] + (name === "truth" ? k % SIDE : k);
      return new Int8Array(body, at * SIDE ** 2, SIDE ** 2);
    };
  });
  return { ...places, count };
}

// What is found at a place, and who gets more right.
export function tileAt(places, layers, k) {
  const { svm, smm, error } = places[layers];
  const gain = smm[k] - svm[k];
  return { rank: rankOf(k), n: places.counts[rowOf(k)], svm: svm[k], smm: smm[k], gain, who: better(gain, error[k]) };
}

export const bestOf = (places, layers, all) =>
  all.reduce((best, k) => (tileAt(places, layers, k).gain > tileAt(places, layers, best).gain ? k : best));

// The column of a place, as far as it is known.
export function curvesAt(places, layers, k, isKnown) {
  const all = column(rankOf(k), places);
  const values = (name) => all.map((each) => (isKnown(each) ? places[layers][name][each] : NaN));
  return { counts: places.counts, svm: values("svm"), smm: values("smm"), at: rowOf(k), who: tileAt(places, layers, k).who };
}

// At how many places above and below a border the SMM is better.
export function judge(places, layers, { of }) {
  const tiles = Array.from({ length: places.count }, (_, k) => tileAt(places, layers, k));
  const [above, below] = [true, false].map((isAbove) => tiles.filter(({ n, rank }) => n >= of(rank) === isAbove));
  const [wins, winsBelow] = [above, below].map((side) => side.filter(({ who }) => who === "smm").length);
  return { above: above.length, wins, below: below.length, winsBelow, right: wins + below.length - winsBelow };
}
