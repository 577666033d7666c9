"""Low-rank regression: find a matrix from fewer measurements than it has entries."""

import numpy as np

from smmcore.datasets import make_low_rank
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap
from smmcore.sugiyama.penalties import Ball, TraceNorm
from smmcore.sugiyama.regression import RegularizedLS

N = 200  # measurements
SHAPE = (20, 16)
RANK = 2
NOISE = 0.1
SEED = 0
RADIUS = 1.2  # bound on the nuclear norm

# %% Measurements; the first 300 are for the test
X, y, truth = make_low_rank(300 + N, SHAPE, RANK, 0.0, SEED)
y += NOISE * np.random.default_rng([SEED, 1]).standard_normal(300 + N)
Phi = X.reshape(len(X), -1)

# %% Least squares in the ball of the nuclear norm
problem = RegularizedLS(Phi[300:], y[300:], Ball(TraceNorm(SHAPE), RADIUS))
proof, state = solve_to_gap(problem, proximal_gradient(problem), 1e-6, 3_000)
Theta = proof.theta.reshape(SHAPE)
sigma = np.linalg.svd(Theta, compute_uv=False)
print("steps  gap      rank  error ||Theta - Theta*||  test error")
test = np.sqrt(np.mean((y[:300] - Phi[:300] @ proof.theta) ** 2))
print(f"{state.k:5}  {proof.relative_gap:.1e}  {np.sum(sigma > 1e-12):4}", end="  ")
print(f"{np.linalg.norm(Theta - truth):25.4f}  {test:.4f}")
