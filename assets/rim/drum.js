// Where a growing balloon first touches a ball of symmetric 2 x 2 matrices, exactly.
//
// A matrix [[x, z], [z, y]] is the point (t, u, v) with x = (t + u) / sqrt 2, y = (t - u) / sqrt 2 and
// z = v / sqrt 2, so that distances are those of the Frobenius norm. Its eigenvalues are (t ± r) / sqrt 2
// with r = |(u, v)|, and their sizes are the heights. So the ball of the nuclear norm, of radius 1, is a
// drum, |t| <= SIDE and r <= SIDE, and its two rims, t = ± SIDE and r = SIDE, are the matrices of rank 1.

export const SIDE = Math.SQRT1_2;
export const [FLAT, CURVED, RIM, INSIDE, SPHERE] = ["flat", "curved", "rim", "inside", "sphere"];
const ROUNDS = 60; // Newton's method needs 3 to 6

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a, b, times = 1) => a.map((part, i) => part + times * b[i]);
export const times = (matrix, point) => matrix.map((row) => dot(row, point));
export const distance = (a) => Math.sqrt(dot(a, a)); // from 0
const unit = (a) => a.map((part) => part / distance(a));

// The loss (M - M0)' H (M - M0), a balloon with these half axes at the loss 1; C is the inverse of H.
export function lossOf(axes, directions) {
  const entry = (i, j, power) => directions.reduce((sum, q, k) => sum + axes[k] ** power * q[i] * q[j], 0);
  const form = (power) => [0, 1, 2].map((i) => [0, 1, 2].map((j) => entry(i, j, power)));
  return { axes, directions, H: form(-2), C: form(2) };
}

// That of the picture, askew to the drum.
const first = unit([-0.5, 0.6, 0.6]);
const second = unit(add([0.9, -0.2, 0.35], first, -dot(first, [0.9, -0.2, 0.35])));
const third = [0, 1, 2].map((i) => first[(i + 1) % 3] * second[(i + 2) % 3] - first[(i + 2) % 3] * second[(i + 1) % 3]);
export const LOSS = lossOf([2.5, Math.sqrt(2.5), 1], [first, second, third]);

export const sizeAt = ({ H }, M0, M) => Math.sqrt(dot(times(H, add(M, M0, -1)), add(M, M0, -1)));

// The multiplier mu at which w = b / (e + mu) has the length `radius`, and this w. 1 / |w| is concave and
// increases with mu, so Newton's method from 0 stays below the root and reaches it.
function shorten(b, e, radius) {
  let [mu, w] = [0, b];
  for (let round = 0; round < ROUNDS; round++) {
    w = b.map((part, k) => part / (e[k] + mu));
    const length = Math.hypot(...w);
    const slope = w.reduce((sum, part, k) => sum + part ** 2 / (e[k] + mu), 0) / length ** 3;
    const step = (1 / radius - 1 / length) / slope;
    if (!(step > 1e-15 * (mu + Math.min(...e)))) break;
    mu += step;
  }
  return w.map((part) => (part * radius) / Math.hypot(...w));
}

// The point of the disc |w| <= SIDE nearest to c in the metric S = [[a, b], [b, d]]; null if it is c.
function nearestInDisc([a, b, d], [x, y]) {
  if (x * x + y * y <= SIDE * SIDE) return null;
  const [mean, half] = [(a + d) / 2, Math.hypot((a - d) / 2, b)];
  const turn = Math.atan2(b, (a - d) / 2) / 2;
  const [cos, sin, e] = [Math.cos(turn), Math.sin(turn), [mean + half, mean - half]];
  const [w1, w2] = shorten([e[0] * (cos * x + sin * y), e[1] * (cos * y - sin * x)], e, SIDE);
  return [cos * w1 - sin * w2, sin * w1 + cos * w2];
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
  if (dot(M0, M0) <= 1) return { M: M0, part: INSIDE };
  const e = axes.map((axis) => 1 / axis ** 2);
  const w = shorten(directions.map((q, k) => e[k] * dot(q, M0)), e, 1);
  return { M: directions.reduce((sum, q, k) => add(sum, q, w[k]), [0, 0, 0]), part: SPHERE };
}

// The two layers of a matrix, the higher one first: height * sign * c c', c = (cos angle, sin angle).
export function layersOf([t, u, v], part) {
  const [r, angle] = [Math.hypot(u, v), Math.atan2(v, u) / 2];
  const layer = (value, turn) => ({ height: Math.abs(value) * SIDE, sign: Math.sign(value), angle: angle + turn });
  const layers = [layer(t + r, 0), layer(t - r, Math.PI / 2)].sort((one, other) => other.height - one.height);
  if (part === RIM) layers[1].height = 0; // without rounding
  return layers;
}

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
