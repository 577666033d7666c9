// The samples of the picture of "The grouping effect", and all that is computed from them: 60 samples of
// 12 x 20 entries, X = stripes + delta x noise, in four groups of columns. Nothing is drawn here.

import { shareBelow } from "../lib/normal.js";
import { bytesOf } from "../lib/packed.js";
import { gramOf, solveSMM } from "../lib/smm.js";
import { dot } from "../lib/svd.js";

export const [ROWS, COLUMNS, GROUPS] = [12, 20, 4];
const OWN = COLUMNS / GROUPS; // columns of a group
const NOISE_STEP = 1 / 4096; // of the integers that the server sends

export const groupOf = (column) => Math.floor(column / OWN);

// The solver takes square matrices: column l of a sample is row l of 20, and ends with eight zeros.
const entryAt = (row, column) => column * COLUMNS + row;
export const columnOf = (matrix, column) => matrix.subarray(entryAt(0, column), entryAt(ROWS, column));

// What the server sends: the number of each group for each sample, the noise, the labels, and the sums of
// the true W over the columns of a group, which give the label of a new sample.
export function openSamples({ numbers, noise, labels, sums }) {
  const steps = new Int16Array(bytesOf(noise).buffer);
  const make = (entry) => numbers.map((own, i) => {
    const X = new Float64Array(COLUMNS ** 2);
    for (let row = 0; row < ROWS; row++) for (let l = 0; l < COLUMNS; l++) X[entryAt(row, l)] = entry(own, l, (i * ROWS + row) * COLUMNS + l);
    return X;
  });
  const [stripes, noises] = [make((own, column) => own[groupOf(column)]), make((_own, _column, at) => steps[at] * NOISE_STEP)];
  return { numbers, sums, y: Float64Array.from(labels), stripes, noises, gram: gramParts(stripes, noises) };
}

const mix = (stripes, noises, delta) => stripes.map((own, i) => own.map((entry, at) => entry + delta * noises[i][at]));

// K(delta) = K0 + delta K1 + delta^2 K2.
function gramParts(stripes, noises) {
  const [K0, K2, all] = [stripes, noises, mix(stripes, noises, 1)].map(gramOf);
  return [K0, all.map((entry, at) => entry - K0[at] - K2[at]), K2];
}

export const samplesAt = ({ stripes, noises, gram: [K0, K1, K2] }, delta) => ({
  X: mix(stripes, noises, delta),
  K: K0.map((entry, at) => entry + delta * K1[at] + delta * delta * K2[at]),
});

// The SMM at { C, tau }; with tau = 0 it is the linear SVM.
export const solve = ({ y }, { X, K }, { C, tau }, start = null, tolerance = 1e-10) =>
  solveSMM({ X, y, C, tau, m: COLUMNS, width: ROWS }, { start, K, tolerance });

// The correlation of two columns over all rows of all samples.
export function correlationOf({ X }, pair) {
  const [first, second] = pair.map((column) => {
    const entries = X.flatMap((sample) => [...columnOf(sample, column)]);
    const mean = entries.reduce((sum, entry) => sum + entry, 0) / entries.length;
    return entries.map((entry) => entry - mean);
  });
  return dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
}

const squareBetween = (one, other) => one.reduce((sum, entry, row) => sum + (entry - other[row]) ** 2, 0);
export const distanceOf = (W, [first, second]) => Math.sqrt(squareBetween(columnOf(W, first), columnOf(W, second)));

// G, how pure the groups are: 1 - (variance within the groups) / (variance of all columns). NaN if W = 0.
export function purityOf(W) {
  const spread = (from, to) => {
    const columns = Array.from({ length: to - from }, (_, at) => columnOf(W, from + at));
    const mean = columns[0].map((_, row) => columns.reduce((sum, column) => sum + column[row], 0) / columns.length);
    return columns.reduce((sum, column) => sum + squareBetween(column, mean), 0);
  };
  let within = 0;
  for (let from = 0; from < COLUMNS; from += OWN) within += spread(from, from + OWN);
  const whole = spread(0, COLUMNS);
  return whole > 1e-24 ? 1 - within / (COLUMNS - GROUPS) / (whole / (COLUMNS - 1)) : NaN;
}

const [REACH, STEPS] = [5, 400]; // of the integral over the true score

// The share of new samples that are right: their numbers are new, and normal. The true score t is normal
// then, and W's score is b + lean t + a rest that is normal, too. So this is an integral over t.
export function rightOf({ sums }, { W, b }, delta) {
  const own = sums.map((_, group) => W.subarray(group * OWN * COLUMNS, (group + 1) * OWN * COLUMNS).reduce((sum, weight) => sum + weight, 0));
  const lean = dot(own, sums) / Math.sqrt(dot(sums, sums));
  const rest = Math.sqrt(Math.max(1e-24, dot(own, own) - lean * lean + delta * delta * dot(W, W)));
  let [right, all] = [0, 0];
  for (let k = 0; k < STEPS; k++) {
    const t = REACH * ((2 * k + 1) / STEPS - 1);
    const weight = Math.exp((-t * t) / 2);
    right += weight * shareBelow(((b + lean * t) * Math.sign(t)) / rest);
    all += weight;
  }
  return right / all;
}
