// ---- balls in the plane --------------------------------------------------------------------
//
// As pages.shared.outlines and pages.foundations.corners.touching have them; a browser test holds
// the two against each other. A ball is {tau, bound} or {p, bound}, where p is null for infinity.

const STEPS = 900; // of the search, a quadrant
const ROUNDING = 1e-13; // of a loss: a point beside an axis is not better than one on it by less
const COARSE = 60; // of an outline that is searched for each of many minima

export const isElastic = (ball) => ball.tau !== undefined;
export const exponent = (ball) => (isElastic(ball) ? 2 : (ball.p ?? Infinity));

function lpNorm([x, y], p) {
  const [small, large] = [Math.abs(x), Math.abs(y)].sort((a, b) => a - b);
  if (p === Infinity || large === 0) return large;
  return large * ((small / large) ** p + 1) ** (1 / p);
}

// The largest t with t d in the ball; p = 0 has no such end.
function reach(ball, d) {
  if (!isElastic(ball)) return ball.bound / lpNorm(d, exponent(ball));
  const linear = (1 - ball.tau) * (Math.abs(d[0]) + Math.abs(d[1]));
  const square = ball.tau * (d[0] * d[0] + d[1] * d[1]);
  return (2 * ball.bound) / (linear + Math.sqrt(linear * linear + 4 * square * ball.bound));
}

const isInside = (ball, point) =>
  exponent(ball) === 0 ? point.includes(0) : reach(ball, point) * (1 + 1e-12) >= 1;

// The point of the boundary at an angle in quarter turns, evenly spaced however sharp the cusps.
function boundary(ball, quarters) {
  const p = exponent(ball);
  const stretch = p < 2 ? 2 / p : 1;
  const d = [Math.cos, Math.sin].map((f) => {
    const part = f((Math.PI / 2) * quarters);
    return Math.abs(part) < 1e-15 ? 0 : Math.sign(part) * Math.abs(part) ** stretch;
  });
  const t = reach(ball, d);
  return [t * d[0], t * d[1]];
}

export const outline = (ball, steps = STEPS) =>
  exponent(ball) === 0 ? [] : Array.from({ length: 4 * steps + 1 }, (_, i) => boundary(ball, i / steps));

// H of ellipses whose long axis has this tilt, and this ratio to the short one.
export function curvature({ tilt, ratio }) {
  const [c, s] = [Math.cos, Math.sin].map((f) => f((Math.PI / 180) * tilt));
  const flat = ratio ** -2;
  return [flat * c * c + s * s, (flat - 1) * c * s, flat * s * s + c * c];
}

const times = ([a, b, d], [x, y]) => [a * x + b * y, b * x + d * y];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

export function lossAt(H, centre, point) {
  const away = minus(point, centre);
  return dot(times(H, away), away);
}

// Where the contours of the loss touch: the best point first, then those that are only the best of
// their neighbourhood, which a ball that is not convex may have.
export function touchingPoints(ball, H, centre, points) {
  if (isInside(ball, centre)) return [centre];
  if (exponent(ball) === 0) {
    const push = times(H, centre);
    const ends = [[push[0] / H[0], 0], [0, push[1] / H[2]]];
    return ends.sort((a, b) => lossAt(H, centre, a) - lossAt(H, centre, b));
  }
  const losses = points.map((point) => lossAt(H, centre, point));
  const best = losses.reduce((at, loss, i) => (loss < losses[at] ? i : at), 0);
  const refined = boundary(ball, search((a) => lossAt(H, centre, boundary(ball, a)), best));
  const better = lossAt(H, centre, refined) < losses[best] * (1 - ROUNDING);
  const found = better ? refined : points[best];
  return [found, ...(exponent(ball) < 1 ? others(H, centre, points, losses, best) : [])];
}

function others(H, centre, points, losses, best) {
  const count = points.length - 1; // the last one is the first
  return points.filter((point, i) => {
    if (i === count || i === best % count) return false;
    const outwards = dot(times(H, minus(centre, point)), point) > 0;
    return outwards && losses[i] < losses[(i + 1) % count] && losses[i] < losses[(i + count - 1) % count];
  });
}

// The place of the least loss around a step of the outline, by leaving out a third again and again.
function search(loss, step) {
  let [low, high] = [(step - 1) / STEPS, (step + 1) / STEPS];
  for (let i = 0; i < 80; i++) {
    const third = (high - low) / 3;
    if (loss(low + third) < loss(high - third)) high -= third;
    else low += third;
  }
  return (low + high) / 2;
}

// How sharp the ball is where it meets an axis: 1 for l1, 0 without a corner, infinity at a cusp.
export function corner(ball) {
  if (isElastic(ball)) {
    return (1 - ball.tau) / (1 - ball.tau + 2 * ball.tau * reach(ball, [1, 0]));
  }
  const p = exponent(ball);
  return p === 1 ? 1 : p < 1 ? Infinity : 0;
}

// Which coordinate of the solution is 0, by minimum of the loss, row by row from the top: 1, 2 or 0
// for none; 3 in the ball. The lower half of the square is the mirror of the upper one.
export function mapOfZeros(ball, H, most, cells) {
  const map = new Uint8Array(cells * cells);
  const which = zeroFinder(ball, H);
  const at = (k) => ((k + 0.5) * 2 * most) / cells - most;
  for (let i = 0; i < map.length / 2; i++) {
    const centre = [at(i % cells), -at(Math.floor(i / cells))];
    map[i] = map[map.length - 1 - i] = isInside(ball, centre) ? 3 : which(centre);
  }
  return map;
}

function zeroFinder(ball, H) {
  if (exponent(ball) === 0) {
    return (centre) => {
      const push = times(H, centre);
      return push[0] ** 2 / H[0] >= push[1] ** 2 / H[2] ? 2 : 1;
    };
  }
  const sharp = corner(ball);
  const end = reach(ball, [1, 0]);
  const square = (point) => dot(times(H, point), point);
  // In a convex ball the best point of its neighbourhood is the solution; otherwise it has rivals.
  const rivals = sharp === Infinity ? outline(ball, COARSE).map(([x, y]) => ({ x, y, own: square([x, y]) })) : [];
  const isSolution = (centre, point, axis) => {
    const push = times(H, minus(centre, point));
    const outwards = push[axis] * Math.sign(point[axis]);
    if (outwards <= 0 || Math.abs(push[1 - axis]) >= sharp * outwards) return false;
    const [u, v] = times(H, centre);
    const loss = square(point) - 2 * dot([u, v], point);
    return rivals.every(({ x, y, own }) => loss <= own - 2 * (u * x + v * y));
  };
  return (centre) => {
    for (const sign of [1, -1]) {
      if (isSolution(centre, [sign * end, 0], 0)) return 2;
      if (isSolution(centre, [0, sign * end], 1)) return 1;
    }
    return 0;
  };
}
