// ---- balls in the plane --------------------------------------------------------------------
//
// As pages.shared.outlines and pages.foundations.corners.touching have them; a browser test holds
// the two against each other. A ball is {tau, bound} or {p, bound}, where p is null for infinity.

const STEPS = 900; // of the search, a quadrant
const ROUNDING = 1e-13; // of a loss: a point beside an axis is not better than one on it by less
const COARSE = 60; // of an outline that is searched for each of many minima

const isElastic = (ball) => ball.tau !== undefined;
const exponent = (ball) => (isElastic(ball) ? 2 : (ball.p ?? Infinity));

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

const isInside = (ball, [x, y]) =>
  exponent(ball) === 0 ? x === 0 || y === 0 : (x === 0 && y === 0) || reach(ball, [x, y]) * (1 + 1e-12) >= 1;

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

const outline = (ball, steps = STEPS) =>
  Array.from({ length: 4 * steps + 1 }, (_, i) => boundary(ball, i / steps));

// H of ellipses whose long axis has this tilt, and this ratio to the short one.
function curvature({ tilt, ratio }) {
  const [c, s] = [Math.cos, Math.sin].map((f) => f((Math.PI / 180) * tilt));
  const flat = ratio ** -2;
  return [flat * c * c + s * s, (flat - 1) * c * s, flat * s * s + c * c];
}

const times = ([a, b, d], [x, y]) => [a * x + b * y, b * x + d * y];

function lossAt(H, centre, point) {
  const away = [point[0] - centre[0], point[1] - centre[1]];
  const push = times(H, away);
  return push[0] * away[0] + push[1] * away[1];
}

// Where the contours of the loss touch: the best point first, then those that are only the best of
// their neighbourhood, which a ball that is not convex may have.
function touchingPoints(ball, H, centre, points) {
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
    const push = times(H, [centre[0] - point[0], centre[1] - point[1]]);
    const outwards = push[0] * point[0] + push[1] * point[1] > 0;
    return outwards && losses[i] < losses[(i + 1) % count] && losses[i] < losses[(i + count - 1) % count];
  });
}

// The golden section around a step of the outline.
function search(loss, step) {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [(step - 1) / STEPS, (step + 1) / STEPS];
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
  let [at, to] = [loss(left), loss(right)];
  for (let i = 0; i < 60; i++) {
    if (at < to) {
      [high, right, to] = [right, left, at];
      left = high - golden * (high - low);
      at = loss(left);
    } else {
      [low, left, at] = [left, right, to];
      right = low + golden * (high - low);
      to = loss(right);
    }
  }
  return (low + high) / 2;
}

// How sharp the ball is where it meets an axis: 1 for l1, 0 without a corner, infinity at a cusp.
function corner(ball) {
  if (isElastic(ball)) {
    return (1 - ball.tau) / (1 - ball.tau + 2 * ball.tau * reach(ball, [1, 0]));
  }
  const p = exponent(ball);
  return p === 1 ? 1 : p < 1 ? Infinity : 0;
}

// Which coordinate of the solution is 0, by minimum of the loss: 1, 2 or 0 for none; 3 in the ball.
// Of the square of cells the lower half is looked at, the upper one is its mirror.
function mapOfZeros(ball, H, most, cells) {
  const map = new Uint8Array(cells * cells);
  const which = zeroFinder(ball, H);
  for (let i = 0; i < map.length / 2; i++) {
    const centre = [i % cells, Math.floor(i / cells)].map((k) => ((k + 0.5) * 2 * most) / cells - most);
    map[i] = map[map.length - 1 - i] = isInside(ball, centre) ? 3 : which(centre);
  }
  return map;
}

function zeroFinder(ball, H) {
  const sharp = corner(ball);
  if (exponent(ball) === 0) {
    return (centre) => {
      const push = times(H, centre);
      return push[0] ** 2 / H[0] >= push[1] ** 2 / H[2] ? 2 : 1;
    };
  }
  if (sharp < Infinity) {
    // Convex: whatever is the best of its neighbourhood is the solution.
    const ends = [1, -1].map((sign) => sign * reach(ball, [1, 0]));
    return ([x, y]) => {
      for (const end of ends) {
        const [along, across] = times(H, [x - end, y]);
        if (along * end > 0 && Math.abs(across) < sharp * Math.abs(along)) return 2;
        const [aside, up] = times(H, [x, y - end]);
        if (up * end > 0 && Math.abs(aside) < sharp * Math.abs(up)) return 1;
      }
      return 0;
    };
  }
  const points = outline(ball, COARSE).slice(0, -1);
  const own = points.map((point) => lossAt(H, [0, 0], point));
  return (centre) => {
    const [u, v] = times(H, centre);
    let [best, least] = [0, Infinity];
    for (let i = 0; i < points.length; i++) {
      const loss = own[i] - 2 * (u * points[i][0] + v * points[i][1]);
      if (loss < least) [best, least] = [i, loss];
    }
    if (best % COARSE) return 0;
    // With the push inwards a point beside the cusp is better still.
    const push = times(H, [centre[0] - points[best][0], centre[1] - points[best][1]]);
    const outwards = push[0] * points[best][0] + push[1] * points[best][1] > 0;
    return !outwards ? 0 : best % (2 * COARSE) ? 1 : 2;
  };
}
