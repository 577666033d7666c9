// The support matrix machine on n samples of m x m entries, solved and certified:
//   least 1/2 |W|^2 + tau |W|_* + C sum_i [1 - y_i (<W, X_i> + b)]_+.
// Its dual is D(alpha) = sum alpha - 1/2 |D_tau(Omega)|^2, Omega = sum alpha_i y_i X_i, and every alpha
// that is allowed gives W = D_tau(Omega) and a proof: nothing is better than D(alpha). tau = 0 is the SVM.
//
// Newton's method on the dual. The derivative of D_tau at Omega = U diag(sigma) V' is known in the basis
// of U and V: symmetric parts of a change are weighted by (f_k - f_l) / (sigma_k - sigma_l), skew parts by
// (f_k + f_l) / (sigma_k + sigma_l), with f = [sigma - tau]_+. So the second derivative is a Gram matrix,
// and the maximum of the quadratic model is a quadratic programme. `damping` times the Gram matrix of the
// samples is added; with all of it the model is a lower bound, since D_tau moves nothing further than Omega.

import { project, solveQP } from "./qp.js";
import { dot, svd, threshold } from "./svd.js";

const [FIRST, LEAST, MOST] = [0.01, 1e-9, 2]; // damping
const STEPS = 60;
const BLUR = 1e-14; // of D: the rounding of a difference of two values

export function gramOf(X) {
  const n = X.length;
  const K = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) K[i * n + j] = K[j * n + i] = dot(X[i], X[j]);
  return K;
}

// The middle of the b that make the sum of [1 - y (scores + b)]_+ least, and that sum.
function bestOffset(scores, y) {
  const kinks = Array.from(scores, (score, i) => y[i] - score).sort((a, b) => a - b);
  const positive = y.filter((sign) => sign > 0).length; // the slope is -positive at the left
  const [low, high] = [kinks[positive - 1], kinks[positive]]; // between them it is 0
  const b = low === undefined ? high : high === undefined ? low : (low + high) / 2;
  return { b, loss: scores.reduce((sum, score, i) => sum + Math.max(0, 1 - y[i] * (score + b)), 0) };
}

// What follows from alpha: Omega, its layers, and the dual value.
function dualAt({ X, y, tau, m, width }, alpha) {
  const omega = new Float64Array(m * m);
  alpha.forEach((value, i) => {
    if (value) for (let at = 0; at < omega.length; at++) omega[at] += value * y[i] * X[i][at];
  });
  const layers = svd(omega, m, width);
  const kept = layers.sigma.map((height) => Math.max(0, height - tau));
  return { alpha, omega, layers, kept, dual: alpha.reduce((sum, value) => sum + value, 0) - dot(kept, kept) / 2 };
}

// The solution that belongs to alpha, and its relative gap.
function certify({ X, y, C, tau, m }, at) {
  const W = threshold(at.layers, tau, m);
  const scores = Float64Array.from(X, (sample) => dot(sample, W));
  const { b, loss } = bestOffset(scores, y);
  const nuclear = at.kept.reduce((sum, height) => sum + height, 0);
  const primal = dot(at.kept, at.kept) / 2 + tau * nuclear + C * loss;
  const least = tau > 0 ? tau : 1e-12 * at.layers.sigma[0];
  const rank = at.layers.sigma.filter((height) => height > least).length;
  return { ...at, W, b, scores, loss, primal, rank, gap: Math.max(0, primal - at.dual) / Math.max(primal, 1e-12) };
}

// Each sample as it counts in the second derivative: their Gram matrix is that of D.
function curvatureOf({ X, tau, m, width = m }, { layers: { sigma, U, V }, kept }) {
  const [symmetric, skew] = [new Float64Array(m * m), new Float64Array(m * m)];
  for (let k = 0; k < m; k++) {
    for (let l = 0; l < m; l++) {
      const [apart, both] = [sigma[k] - sigma[l], sigma[k] + sigma[l]];
      const inside = sigma[k] > tau || tau === 0 ? 1 : 0;
      symmetric[k * m + l] = Math.abs(apart) > 1e-9 * (1e-30 + sigma[0]) ? (kept[k] - kept[l]) / apart : inside;
      skew[k * m + l] = both > 0 ? (kept[k] + kept[l]) / both : Number(tau === 0);
    }
  }
  return gramOf(X.map((sample) => {
    const inBasis = timesColumns(transposedTimes(U, sample, m, width), V, m, width);
    const weighted = new Float64Array(m * m); // symmetric parts above the diagonal, skew ones below
    for (let k = 0; k < m; k++) {
      weighted[k * m + k] = Math.sqrt(Math.max(0, symmetric[k * m + k])) * inBasis[k * m + k];
      for (let l = k + 1; l < m; l++) {
        const [above, below] = [inBasis[k * m + l], inBasis[l * m + k]];
        weighted[k * m + l] = Math.sqrt(Math.max(0, symmetric[k * m + l]) / 2) * (above + below);
        weighted[l * m + k] = Math.sqrt(skew[k * m + l] / 2) * (above - below);
      }
    }
    return weighted;
  }));
}

function transposedTimes(U, A, m, width) {
  const product = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let k = 0; k < m; k++) for (let j = 0; j < width; j++) product[k * m + j] += U[i * m + k] * A[i * m + j];
  return product;
}

function timesColumns(A, V, m, width) {
  const product = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < width; j++) for (let l = 0; l < width; l++) product[i * m + l] += A[i * m + j] * V[j * m + l];
  return product;
}

// Solve { X, y, C, tau, m } to a relative gap, from the alpha of a neighbour or from 0. K is the Gram
// matrix of the samples, if it is known. Columns of the samples from `width` on are 0, if there is one.
export function solveSMM(problem, { start = null, tolerance = 1e-10, K = gramOf(problem.X) } = {}) {
  const { y, C } = problem;
  const n = y.length;
  let now = certify(problem, dualAt(problem, project(Float64Array.from(start ?? new Float64Array(n)), y, C)));
  let [damping, curvature, steps] = [FIRST, null, 0];
  while (now.gap > tolerance && steps < STEPS) {
    steps++;
    curvature ??= curvatureOf(problem, now);
    const H = curvature.map((entry, at) => entry + damping * K[at]);
    const { found, promised } = stepOf(problem, now, H);
    const gained = found.dual - now.dual;
    if (promised < 1e-10 * Math.abs(now.dual)) { // too little for D to tell: the gap does
      const next = certify(problem, found);
      const stalls = next.gap > now.gap / 2 && promised <= BLUR * Math.abs(now.dual) && damping <= LEAST;
      if (next.gap < now.gap) [now, curvature] = [next, null];
      else if (damping <= LEAST) break;
      if (stalls) break;
      damping = Math.max(LEAST, damping / 10);
    } else if (gained >= 0.1 * promised) {
      [now, curvature] = [certify(problem, found), null];
      if (gained > 0.6 * promised) damping = Math.max(LEAST, damping / 10);
    } else {
      if (damping >= MOST) break;
      damping = Math.min(MOST, 8 * damping);
    }
  }
  return { ...now, steps };
}

// The maximum of the quadratic model, and what it promises to gain.
function stepOf(problem, now, H) {
  const { y, C } = problem;
  const n = y.length;
  const rowOf = (i) => H.subarray(i * n, (i + 1) * n);
  const signed = now.alpha.map((value, i) => y[i] * value);
  const slopes = now.scores.map((score, i) => 1 - y[i] * score);
  const p = slopes.map((slope, i) => slope + y[i] * dot(signed, rowOf(i)));
  const alpha = solveQP({ K: H, y, p, C }, now.alpha, 1e-10);
  const change = alpha.map((value, i) => value - now.alpha[i]);
  const moved = change.map((value, i) => y[i] * value);
  const promised = change.reduce((sum, value, i) => sum + value * (slopes[i] - (y[i] * dot(moved, rowOf(i))) / 2), 0);
  return { found: dualAt(problem, alpha), promised };
}
