// Square matrices of m x m entries, row by row in a Float64Array.

export const dot = (u, v) => {
  let sum = 0;
  for (let i = 0; i < u.length; i++) sum += u[i] * v[i];
  return sum;
};

const [SWEEPS, ORTHOGONAL] = [40, 1e-15]; // of the Jacobi method; the cosine of columns that are so
const ZERO = 1e-13; // of the largest singular value: below it a column of U has no direction

// The layers of a matrix, sum_k sigma_k u_k v_k', the highest first, by the one-sided Jacobi method:
// columns are turned in pairs until all are at right angles. U and V hold u_k and v_k as columns. All
// columns from `width` on are 0.
export function svd(A, m, width = m) {
  const [U, V] = [Float64Array.from(A), identity(m)];
  const least = 1e-32 * dot(A, A);
  let turned = true;
  for (let sweep = 0; turned && sweep < SWEEPS; sweep++) {
    turned = false;
    for (let p = 0; p < width - 1; p++) for (let q = p + 1; q < width; q++) turned = makeOrthogonal(U, V, m, p, q, least) || turned;
  }
  const lengths = Float64Array.from({ length: m }, (_, k) => lengthOf(U, m, k));
  const order = [...lengths.keys()].sort((a, b) => lengths[b] - lengths[a]);
  const layers = { sigma: Float64Array.from(order, (from) => lengths[from]), U: new Float64Array(m * m), V: new Float64Array(m * m) };
  order.forEach((from, k) => {
    for (let i = 0; i < m; i++) {
      layers.V[i * m + k] = V[i * m + from];
      layers.U[i * m + k] = lengths[from] > 0 ? U[i * m + from] / lengths[from] : 0;
    }
  });
  for (let k = 0; k < m; k++) if (layers.sigma[k] <= ZERO * layers.sigma[0]) complete(layers.U, m, k);
  return layers;
}

function identity(m) {
  const matrix = new Float64Array(m * m);
  for (let i = 0; i < m; i++) matrix[i * m + i] = 1;
  return matrix;
}

function lengthOf(U, m, k) {
  let square = 0;
  for (let i = 0; i < m; i++) square += U[i * m + k] ** 2;
  return Math.sqrt(square);
}

// Turn columns p and q of U, and those of V with them; return whether they were not orthogonal.
function makeOrthogonal(U, V, m, p, q, least) {
  let [a, b, c] = [0, 0, 0];
  for (let i = 0; i < m; i++) {
    const [x, y] = [U[i * m + p], U[i * m + q]];
    a += x * x;
    b += y * y;
    c += x * y;
  }
  if (Math.abs(c) <= ORTHOGONAL * Math.sqrt(a * b) || Math.abs(c) <= least) return false;
  const zeta = (b - a) / (2 * c);
  const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = cosine * tangent;
  for (const matrix of [U, V]) {
    for (let i = 0; i < m; i++) {
      const [x, y] = [matrix[i * m + p], matrix[i * m + q]];
      matrix[i * m + p] = cosine * x - sine * y;
      matrix[i * m + q] = sine * x + cosine * y;
    }
  }
  return true;
}

// Make column k of U a unit vector at right angles to those before it.
function complete(U, m, k) {
  for (let unit = 0; unit < m; unit++) {
    const column = new Float64Array(m);
    column[unit] = 1;
    for (let twice = 0; twice < 2; twice++) {
      for (let l = 0; l < k; l++) {
        let along = 0;
        for (let i = 0; i < m; i++) along += column[i] * U[i * m + l];
        for (let i = 0; i < m; i++) column[i] -= along * U[i * m + l];
      }
    }
    const length = Math.sqrt(dot(column, column));
    if (length < 0.1) continue; // it is nearly one of them
    for (let i = 0; i < m; i++) U[i * m + k] = column[i] / length;
    return;
  }
}

// D_tau: the sum of the layers, each height reduced by tau; those below it are gone.
export function threshold({ sigma, U, V }, tau, m) {
  const W = new Float64Array(m * m);
  for (let k = 0; k < m && sigma[k] > tau; k++) {
    for (let i = 0; i < m; i++) {
      const entry = (sigma[k] - tau) * U[i * m + k];
      for (let j = 0; j < m; j++) W[i * m + j] += entry * V[j * m + k];
    }
  }
  return W;
}

// The solution of a linear system, whose rows end with the right-hand side; null if it has no single one.
export function solveLinear(rows) {
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[pivot][c])) pivot = r;
    if (Math.abs(rows[pivot][c]) < 1e-12) return null;
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    for (let r = c + 1; r < n; r++) {
      const factor = rows[r][c] / rows[c][c];
      if (factor) for (let l = c; l <= n; l++) rows[r][l] -= factor * rows[c][l];
    }
  }
  const x = new Float64Array(n);
  for (let c = n - 1; c >= 0; c--) {
    let rest = rows[c][n];
    for (let l = c + 1; l < n; l++) rest -= rows[c][l] * x[l];
    x[c] = rest / rows[c][c];
  }
  return x;
}
