"""The hinge and the squared loss: move one sample, and see which W changes."""

import numpy as np

from smmcore.problems import SMMProblem
from smmcore.solvers import fast_admm
from smmcore.solvers.certified import solve_to_gap
from smmcore.xia_fan.least_squares import LSSMMProblem

C = 1.0
TAU = 1.0
MARGIN = 4.0  # y f(X) to which the first sample is moved

# %% Samples
rng = np.random.default_rng(0)
X = rng.standard_normal((40, 5, 6))
y = np.where(X.sum(axis=(1, 2)) > 0, 1.0, -1.0)

# %% Train without the first sample, and move it there by the least shift
kinds = {"SMM": SMMProblem, "LS-SMM": LSSMMProblem}
others = {}
for name, kind in kinds.items():
    problem = kind(X[1:], y[1:], C, TAU)
    others[name] = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, 4_000)[0]
W = np.stack([proof.W.ravel() for proof in others.values()])
b = np.array([proof.b for proof in others.values()])
X[0] += np.linalg.lstsq(W, y[0] * MARGIN - b - W @ X[0].ravel())[0].reshape(X[0].shape)

# %% Train with it
print("loss    rank  change of W")
for name, kind in kinds.items():
    problem = kind(X, y, C, TAU)
    proof = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-6, 4_000)[0]
    change = np.linalg.norm(proof.W - others[name].W) / np.linalg.norm(others[name].W)
    print(f"{name:6}  {proof.rank:4}  {change:.4f}")
