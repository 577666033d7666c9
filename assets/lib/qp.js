// The quadratic programme of support vector machines:
//   least 1/2 sum_ij y_i alpha_i y_j alpha_j K_ij - sum_i p_i alpha_i,  0 <= alpha_i <= C,  y'alpha = 0.

import { dot, solveLinear } from "./svd.js";

const [STEPS, POLISH] = [4000, 50]; // at most; between two tries of the linear system
const AT_BOUND = 1e-13; // of C: nearer to a bound than this is at it

// Pairs of alpha are changed by second-order information (Fan, Chen and Lin, 2005); then one linear
// system gives all that are between their bounds.
export function solveQP({ K, y, p, C }, start, tolerance) {
  const n = y.length;
  const alpha = Float64Array.from(start);
  let gradient = gradientAt();
  for (let step = 1; step <= STEPS; step++) {
    const pair = worstPair();
    if (!pair) break;
    move(pair);
    if (step % POLISH === 0) polish();
  }
  polish();
  return alpha;

  function gradientAt() {
    const signed = alpha.map((value, i) => y[i] * value);
    return Float64Array.from(y, (sign, i) => sign * dot(signed, K.subarray(i * n, (i + 1) * n)) - p[i]);
  }

  function curvature(i, j) {
    return Math.max(1e-12, K[i * n + i] + K[j * n + j] - 2 * K[i * n + j]);
  }

  function worstPair() {
    let [i, high, low] = [-1, -Infinity, Infinity];
    for (let k = 0; k < n; k++) {
      if ((y[k] > 0 ? alpha[k] < C : alpha[k] > 0) && -y[k] * gradient[k] > high) [i, high] = [k, -y[k] * gradient[k]];
    }
    let [j, best] = [-1, 0];
    for (let k = 0; i >= 0 && k < n; k++) {
      if (!(y[k] > 0 ? alpha[k] > 0 : alpha[k] < C)) continue;
      const slope = high + y[k] * gradient[k];
      low = Math.min(low, -y[k] * gradient[k]);
      const gain = (slope * slope) / curvature(i, k);
      if (slope > 0 && gain > best) [j, best] = [k, gain];
    }
    return j < 0 || high - low < tolerance ? null : [i, j];
  }

  function move([i, j]) {
    const wanted = (y[j] * gradient[j] - y[i] * gradient[i]) / curvature(i, j);
    const by = Math.min(wanted, y[i] > 0 ? C - alpha[i] : alpha[i], y[j] > 0 ? alpha[j] : C - alpha[j]);
    const before = [alpha[i], alpha[j]];
    alpha[i] += y[i] * by;
    alpha[j] -= y[j] * by;
    [i, j].forEach((k, at) => {
      if (alpha[k] < AT_BOUND * C) alpha[k] = 0;
      if (alpha[k] > C * (1 - AT_BOUND)) alpha[k] = C;
      const change = y[k] * (alpha[k] - before[at]);
      for (let l = 0; l < n; l++) gradient[l] += y[l] * change * K[l * n + k];
    });
  }

  // Those between their bounds have gradient -y nu, and y'alpha = 0.
  function polish() {
    const free = [...alpha.keys()].filter((i) => alpha[i] > 0 && alpha[i] < C);
    if (free.length === 0) return;
    const bound = alpha.map((value, i) => (value === C ? y[i] * C : 0));
    const rows = free.map((i) => [...free.map((j) => y[j] * K[i * n + j]), 1, y[i] * p[i] - dot(bound, K.subarray(i * n, (i + 1) * n))]);
    rows.push([...free.map((j) => y[j]), 0, -bound.reduce((sum, value) => sum + value, 0)]);
    const found = solveLinear(rows);
    if (!found || !free.every((_, k) => found[k] >= 0 && found[k] <= C)) return;
    free.forEach((i, k) => (alpha[i] = found[k]));
    gradient = gradientAt();
  }
}

// The nearest alpha with 0 <= alpha <= C and y'alpha = 0.
export function project(values, y, C) {
  const shifted = (by) => values.map((value, i) => Math.min(C, Math.max(0, value - by * y[i])));
  let high = values.reduce((most, value) => Math.max(most, Math.abs(value) + C), C);
  if (Math.abs(dot(shifted(0), y)) <= Number.EPSILON * y.length * high) return shifted(0); // to rounding
  let low = -high;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (dot(shifted(middle), y) > 0) low = middle;
    else high = middle;
  }
  return shifted((low + high) / 2);
}
