// What "Be the SVM" computes; it draws nothing. 12 crosses and 12 frames of 6 x 6 cells, of which some
// are flipped; a W that is painted in seven shades; the SVM on these samples; hints towards it.

import { solveSMM } from "../lib/smm.js";
import { dot } from "../lib/svd.js";

export const [SIDE, CELLS, COUNT, HALF] = [6, 36, 24, 12];
export const INK = 0.1; // an entry of X under ink; elsewhere it is 0
export const C = 3; // price of an error
export const SHADES = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5];
export const NONE = SHADES.indexOf(0);
export const LETTERS = "abcdefg"; // of the shades, in the address
export const y = Float64Array.from({ length: COUNT }, (_, i) => (i < HALF ? 1 : -1));
export const kindOf = (i) => (y[i] > 0 ? "cross" : "frame");

// The cells with ink, a bit each: crosses, then frames, those far from the other class first.
const DRAWN = `10cffe70c 30cfff308 30cfff30c 30cfff30d 30dfff30c 308ffb34c 10cfef32c 292eae741
  b0cbff30e 25defe141 390aba3a8 30ddf1fb5 fe186187f fe1861c7f fe186186f fe186187e de586187f 7e18618ff
  fe18218fd fc186187f e618c886b d6192d82f 341069368 2338cb517`;
export const SAMPLES = DRAWN.split(/\s+/).map((bits) => {
  const number = BigInt(`0x${bits}`);
  return Float64Array.from({ length: CELLS }, (_, k) => INK * Number((number >> BigInt(CELLS - 1 - k)) & 1n));
});

const isBar = (at) => at === 2 || at === 3;
const isRim = (at) => at === 0 || at === SIDE - 1;
const inkOf = (isInk) => Array.from({ length: CELLS }, (_, k) => isInk(Math.floor(k / SIDE)) || isInk(k % SIDE));
const CLEAN = [[1, inkOf(isBar)], [-1, inkOf(isRim)]];
const FLIPPED = [0.04, 0.1, 0.34]; // the share of cells, in a third of the samples each

export const paintedW = ({ levels, size }) => Float64Array.from(levels, (level) => SHADES[level] * size);
export const scoresOf = (X, { W, b }) => Float64Array.from(X, (sample) => dot(sample, W) + b);

// What a W and b cost: size of W, loss of all samples, and the objective; how many are on their side.
export function costOf(X, machine) {
  const scores = scoresOf(X, machine);
  const losses = scores.map((score, i) => Math.max(0, 1 - y[i] * score));
  const loss = losses.reduce((sum, each) => sum + each, 0);
  const size = dot(machine.W, machine.W) / 2;
  const right = scores.filter((score, i) => y[i] * score > 1e-9).length;
  return { scores, losses, loss, size, objective: size + C * loss, right };
}

export const solve = (X, { start = null, tau = 0, price = C } = {}) => solveSMM({ X, y, C: price, tau, m: SIDE }, { start });
export const excess = (objective, floor) => Math.max(0, (100 * (objective - floor)) / floor); // %

export const BEST = solve(SAMPLES); // the SVM on the samples as they come
// How far above its floor, in %, the W that is painted is.
export const reachedBy = (own) => excess(costOf(SAMPLES, { W: paintedW(own), b: own.b }).objective, BEST.dual);

// A sample whose score is moved by so much, the shortest way.
export const pushed = (sample, W, by) => sample.map((entry, k) => entry + (by * W[k]) / dot(W, W));

export const distance = (U, V) => Math.sqrt(U.reduce((sum, entry, k) => sum + (entry - V[k]) ** 2, 0));

// The SVM, the SMM at a price of rank, and what each makes of these and of new samples.
export function trainBoth(tau, before) {
  const describe = (machine) => ({ ...machine, right: costOf(SAMPLES, machine).right, mistakes: mistakesOf(machine) });
  return { svm: before.svm ?? describe(BEST), smm: describe(solve(SAMPLES, { tau, start: before.smm?.alpha })) };
}

// ---- new samples ---------------------------------------------------------------------------

const GRID = 4000; // places of a score; between two of them it is shared

// How many of 1,000 new samples are wrong, on average: a sum over all that could be drawn.
export function mistakesOf({ W, b }) {
  const shares = CLEAN.flatMap(([sign, isInk]) => FLIPPED.map((flipped) => {
    const { chances, low, step } = chancesOf(W, isInk.map((ink) => (ink ? 1 - flipped : flipped)));
    return chances.reduce((sum, chance, at) => (sign * (low + at * step + b) <= 0 ? sum + chance : sum), 0);
  }));
  return (1000 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

// The chances of the values of <W, X>, where cell k has ink by a chance of its own.
function chancesOf(W, inked) {
  const low = INK * W.reduce((sum, weight) => sum + Math.min(0, weight), 0);
  const step = (INK * W.reduce((sum, weight) => sum + Math.abs(weight), 0)) / (GRID - 2) || 1;
  let chances = new Float64Array(GRID);
  chances[0] = 1;
  W.forEach((weight, k) => {
    const way = (INK * Math.abs(weight)) / step;
    const [whole, rest] = [Math.floor(way), way % 1];
    const moves = weight < 0 ? 1 - inked[k] : inked[k]; // counted from `low`
    const next = new Float64Array(GRID);
    for (let at = 0; at < GRID; at++) {
      if (chances[at] === 0) continue;
      next[at] += chances[at] * (1 - moves);
      next[at + whole] += chances[at] * moves * (1 - rest);
      next[at + whole + 1] += chances[at] * moves * rest;
    }
    chances = next;
  });
  return { chances, low, step };
}

// ---- hints ---------------------------------------------------------------------------------

const AT_ONCE = 4; // cells; one at a time, one would soon be stuck
const FAR = 0.25; // of a shade: nearer to the best W a cell need not change

// The change that lowers the bar most: { levels, or size, or b, and gain }; null if none does.
export function bestHint(X, own, best, { sizes, lines }) {
  const { objective: now, right } = costOf(X, { W: paintedW(own), b: own.b });
  const gainOf = (changed) => {
    const next = { ...own, ...changed };
    return { ...changed, gain: now - costOf(X, { W: paintedW(next), b: next.b }).objective };
  };
  const knobs = [...sizes.map((size) => ({ size })), ...lines.map((line) => ({ b: -line }))];
  const most = (choices) => choices.reduce(better, { gain: 1e-3 });
  const cells = most(cellChoices(own, best, gainOf));
  // While samples are on the wrong side, cells come first: a smaller W would only cost less.
  const hint = right === COUNT || !cells.levels ? better(cells, most(knobs.map(gainOf))) : cells;
  return Object.keys(hint).length > 1 ? hint : null;
}

const better = (one, other) => (other.gain > one.gain ? other : one);

// One to four cells, each by a shade towards the best W, chosen one after the other.
function cellChoices(own, best, gainOf) {
  const found = [];
  let { levels } = own;
  for (let count = 0; count < AT_ONCE; count++) {
    const tries = [...levels.keys()].flatMap((k) => {
      const far = best.W[k] - SHADES[own.levels[k]] * own.size;
      const level = own.levels[k] + Math.sign(far);
      const isTried = levels[k] === own.levels[k] && Math.abs(far) > FAR * own.size && level in SHADES;
      return isTried ? [gainOf({ levels: levels.map((each, at) => (at === k ? level : each)) })] : [];
    });
    if (!tries.length) break;
    found.push(tries.reduce(better));
    ({ levels } = found.at(-1));
  }
  return found;
}
