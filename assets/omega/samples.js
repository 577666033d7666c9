// The samples of the first picture of "Meet the SMM", and all that is computed from them: crosses and
// frames of 12 x 12 cells, bold or faint, in noise. pages/smm/meet/omega.py makes the same ones.

import { shareBelow } from "../lib/normal.js";
import { gramOf, solveSMM } from "../lib/smm.js";
import { dot } from "../lib/svd.js";

export const SIDE = 12;
const CELLS = SIDE * SIDE;
const COUNTS = [6, 12]; // of each class: bold samples, then faint ones
const CONTRASTS = [0.6, 0.15]; // of the bold and of the faint ones
const SIGNAL = 2.25; // size of the pattern; in each cell the noise has variance 1
const SVM_COSTS = [0.03, 0.06, 0.1, 0.2, 0.3, 0.6, 1, 3, 10]; // among which the SVM gets its best C

// The cross minus the frame, of length 1. A sample of the other class hides its negative.
const PATTERN = (() => {
  const isCross = (at) => at > 3 && at < 8;
  const isFrame = (at) => at < 2 || at > 9;
  const cells = Float64Array.from({ length: CELLS }, (_, cell) => {
    const [row, column] = [Math.floor(cell / SIDE), cell % SIDE];
    return Number(isCross(row) || isCross(column)) - Number(isFrame(row) || isFrame(column));
  });
  const length = Math.sqrt(dot(cells, cells));
  return cells.map((cell) => cell / length);
})();

// Uniform numbers between 0 and 1: mulberry32, of 32-bit integers, which Python can repeat exactly.
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function drawSamples(seed) {
  const random = makeRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const kinds = [1, -1].flatMap((sign) => COUNTS.flatMap((count, i) => Array.from({ length: count }, () => ({ sign, i }))));
  const hidden = kinds.map(({ sign, i }) => PATTERN.map((cell) => CONTRASTS[i] * sign * SIGNAL * cell));
  const X = kinds.map(({ i }, at) => hidden[at].map((cell) => cell + CONTRASTS[i] * normal()));
  return {
    X,
    hidden,
    y: kinds.map(({ sign }) => sign),
    isBold: kinds.map(({ i }) => i === 0),
    contrasts: kinds.map(({ i }) => CONTRASTS[i]),
    K: gramOf(X),
  };
}

// The problem of the samples that are left, and their numbers.
function problemOf({ X, y, K }, { out, C, tau }) {
  const left = [...y.keys()].filter((i) => !out.has(i));
  const gram = Float64Array.from(left.flatMap((i) => left.map((j) => K[i * y.length + j])));
  const problem = { X: left.map((i) => X[i]), y: left.map((i) => y[i]), C, tau, m: SIDE };
  return { left, problem, gram, hasBoth: new Set(problem.y).size === 2 };
}

// The SMM of { out, C, tau }; alpha and scores are those of all samples.
export function solve(samples, settings, start) {
  const { left, problem, gram, hasBoth } = problemOf(samples, settings);
  const found = solveSMM(problem, { start: left.map((i) => start?.[i] ?? 0), K: gram });
  const alpha = new Float64Array(samples.y.length);
  left.forEach((i, at) => (alpha[i] = snap(found.alpha[at], settings.C)));
  const scores = Float64Array.from(samples.X, (sample) => dot(sample, found.W) + found.b);
  return { ...found, alpha, scores, hasBoth, sigma: found.layers.sigma, right: rightOf(found.W, found.b) };
}

// A load that is at a bound up to the tolerance is at it.
function snap(load, C) {
  if (load < 1e-9 * C) return 0;
  return load > (1 - 1e-9) * C ? C : load;
}

// Layer k is u v' times its height.
export function layerOf({ layers: { U, V } }, k) {
  return Float64Array.from({ length: CELLS }, (_, cell) => U[Math.floor(cell / SIDE) * SIDE + k] * V[(cell % SIDE) * SIDE + k]);
}

// Which share of the pattern in Omega each layer holds: <layer, pattern> / <Omega, pattern>.
export function sharesOf(found) {
  const whole = dot(found.omega, PATTERN);
  return Array.from(found.sigma, (height, k) => (height * dot(layerOf(found, k), PATTERN)) / whole);
}

// The cosine of W and the pattern: 1 where W is the pattern alone.
export const likenessOf = (W) => dot(W, PATTERN) / Math.sqrt(dot(W, W));

// The share of all new samples that W and b get right: exact, for the same mix as in training.
export function rightOf(W, b) {
  const length = Math.sqrt(dot(W, W));
  if (!(length > 0)) return 0.5;
  const along = SIGNAL * dot(W, PATTERN);
  const share = (sign, contrast) => shareBelow((contrast * along + sign * b) / (contrast * length));
  const weighted = COUNTS.map((count, i) => (count * (share(1, CONTRASTS[i]) + share(-1, CONTRASTS[i]))) / 2);
  return weighted.reduce((sum, part) => sum + part, 0) / COUNTS.reduce((sum, part) => sum + part, 0);
}

// The share that the plain mean gets right: that of the crosses minus that of the frames, untrained.
function rightOfMean({ X, y }, { out }) {
  const W = new Float64Array(CELLS);
  for (const sign of [1, -1]) {
    const own = X.filter((_, i) => y[i] === sign && !out.has(i));
    for (const sample of own) sample.forEach((cell, at) => (W[at] += (sign * cell) / own.length));
  }
  return rightOf(W, 0);
}

// Where on such a path the offset costs most.
export const dipOf = (path) => path.reduce((worst, at) => (at.centred - at.right > worst.centred - worst.right ? at : worst));

// What new samples say at each tau, also of the same W with b = 0, of the linear SVM at its best C, and of the
// plain mean. It yields after each solution, since all of them take half a second.
export function* tryNewSamples(samples, { out, C }, taus) {
  const { problem, gram, hasBoth } = problemOf(samples, { out, C });
  if (!hasBoth) return null;
  let start = null;
  const at = (settings) => {
    const { W, b, alpha } = solveSMM({ ...problem, ...settings }, { start, tolerance: 1e-6, K: gram });
    start = alpha;
    return { right: rightOf(W, b), centred: rightOf(W, 0) };
  };
  let svm = 0;
  for (const cost of [...SVM_COSTS, C]) yield (svm = Math.max(svm, at({ C: cost, tau: 0 }).right));
  const path = [];
  for (const tau of taus) yield path.push({ tau, ...at({ tau }) });
  return { path, svm, mean: rightOfMean(samples, { out }) };
}
