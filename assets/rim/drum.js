// Where a growing balloon first touches a ball of symmetric 2 x 2 matrices, exactly.
//
// A matrix [[x, z], [z, y]] is the point (t, u, v) with t, u = (x ± y) / sqrt 2 and v = sqrt 2 z, so that
// distances are those of the Frobenius norm. Its heights are |t ± r| / sqrt 2 with r = |(u, v)|. So the ball
// of the nuclear norm is a drum, |t| <= SIDE and r <= SIDE, and on its two rims, where both are equal, the
// rank is 1.

export const SIDE = Math.SQRT1_2;
export const [FLAT, CURVED, RIM, INSIDE, SPHERE] = ["flat", "curved", "rim", "inside", "sphere"];

export const dot = (a, b) => a.reduce((sum, part, i) => sum + part * b[i], 0);
export const add = (a, b, times = 1) => a.map((part, i) => part + times * b[i]);
export const times = (matrix, point) => matrix.map((row) => dot(row, point));
export const distance = (a) => Math.sqrt(dot(a, a)); // from 0

// The loss (M - M0)' H (M - M0), a balloon with these half axes at the loss 1; C is the inverse of H.
export function lossOf(axes, directions) {
  const form = (power) => [0, 1, 2].map((i) => [0, 1, 2].map((j) => directions.reduce((sum, q, k) => sum + axes[k] ** power * q[i] * q[j], 0)));
  return { axes, directions, H: form(-2), C: form(2) };
}
export const LOSS = lossOf([2, Math.SQRT2, 1], [[2, -2, -1], [2, 1, 2], [-1, -2, 2]].map((way) => way.map((part) => part / 3)));
export const sizeAt = ({ H }, M0, M) => Math.sqrt(dot(times(H, add(M, M0, -1)), add(M, M0, -1)));

// The point of a ball nearest to c in the metric with these eigenvectors and eigenvalues; null if it is c.
// It is b / (e + mu) with the mu at which its length is the radius. The inverse of the length is concave and
// increases with mu, so Newton's method from 0 stays below the root.
function nearest(vectors, e, c, radius) {
  if (distance(c) <= radius) return null;
  const b = vectors.map((vector, k) => e[k] * dot(vector, c));
  let [mu, w] = [0, b];
  for (let round = 0; round < 12; round++) { // it needs 3 to 6
    w = b.map((part, k) => part / (e[k] + mu));
    const slope = w.reduce((sum, part, k) => sum + part ** 2 / (e[k] + mu), 0) / distance(w) ** 3;
    mu += (1 / radius - 1 / distance(w)) / slope;
  }
  return vectors.reduce((sum, vector, k) => add(sum, vector, (w[k] * radius) / distance(w)), c.map(() => 0));
}

// In the disc |w| <= SIDE and the metric [[a, b], [b, d]].
function nearestInDisc([a, b, d], c) {
  const [mean, half, turn] = [(a + d) / 2, Math.hypot((a - d) / 2, b), Math.atan2(b, (a - d) / 2) / 2];
  const vectors = [[Math.cos(turn), Math.sin(turn)], [-Math.sin(turn), Math.cos(turn)]];
  return nearest(vectors, [mean + half, mean - half], c, SIDE);
}

// The point of the drum with the least loss, and the part on which it lies. First without the two flat
// sides. If that point is beyond one of them, the solution lies on this one, because the loss is convex,
// and what remains is a disc again.
export function touchDrum({ H }, M0) {
  const [[g, h1, h2], [, a, b], [, , d]] = H;
  const [t0, u0, v0] = M0;
  const onWall = nearestInDisc([a - (h1 * h1) / g, b - (h1 * h2) / g, d - (h2 * h2) / g], [u0, v0]);
  const [u, v] = onWall ?? [u0, v0];
  const t = t0 - (h1 * (u - u0) + h2 * (v - v0)) / g;
  if (Math.abs(t) <= SIDE) return { M: [t, u, v], part: onWall ? CURVED : INSIDE };
  const side = Math.sign(t) * SIDE;
  const push = (side - t0) / (a * d - b * b);
  const free = [u0 - push * (d * h1 - b * h2), v0 - push * (a * h2 - b * h1)];
  const onRim = nearestInDisc([a, b, d], free);
  return { M: [side, ...(onRim ?? free)], part: onRim ? RIM : FLAT };
}

// The same on the ball of the Frobenius norm.
export function touchSphere({ axes, directions }, M0) {
  const M = nearest(directions, axes.map((axis) => axis ** -2), M0, 1);
  return M ? { M, part: SPHERE } : { M: M0, part: INSIDE };
}

// The two layers of a matrix, the higher one first: height * sign * c c', c = (cos angle, sin angle).
export function layersOf([t, u, v], part) {
  const [r, angle] = [Math.hypot(u, v), Math.atan2(v, u) / 2];
  const layer = (value, turn) => ({ height: Math.abs(value) * SIDE, sign: Math.sign(value), angle: angle + turn });
  const layers = [layer(t + r, 0), layer(t - r, Math.PI / 2)].sort((one, other) => other.height - one.height);
  if (part === RIM) layers[1].height = 0; // without rounding
  return layers;
}

// Some points of the drum: round its rims, between them, and on the flat sides.
const around = (count, radius, high, part) =>
  Array.from({ length: count }, (_, i) => ({ M: [high, ...[Math.cos, Math.sin].map((of) => radius * of((2 * Math.PI * (i + 0.5)) / count))], part }));
export const GLYPHS = [
  ...[SIDE, -SIDE].flatMap((high) => [...around(12, SIDE, high, RIM), ...around(6, 0.55 * SIDE, high, FLAT), ...around(1, 0, high, FLAT)]),
  ...[-0.4, 0, 0.4].flatMap((high) => around(10, SIDE, high, CURVED)),
];

// Minima that are spread evenly between distance 1, where the rims are, and 3.
export const [NEAR, FAR] = [1, 3];
const part = (i, step) => (i * step) % 1;
export const MINIMA = Array.from({ length: 500 }, (_, i) => {
  const far = Math.cbrt(NEAR ** 3 + (FAR ** 3 - NEAR ** 3) * part(i + 0.5, 0.8191725));
  const height = 2 * part(i + 0.5, 0.6710436) - 1;
  const turn = 2 * Math.PI * part(i + 0.5, 0.5497005);
  const wide = Math.sqrt(1 - height ** 2);
  return [height, wide * Math.cos(turn), wide * Math.sin(turn)].map((each) => far * each);
});
