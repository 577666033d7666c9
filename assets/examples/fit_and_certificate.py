"""Fit a support matrix machine, and check the proof of its answer by hand."""

import numpy as np

from smmcore import SupportMatrixMachine
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(200, (20, 25), scaling="unit variance", random_state=0)
machine = SupportMatrixMachine(C=0.01, tau=1.0).fit(X, y)

# P(W, b) is what the fit minimises, and D(alpha) is below the minimum for every feasible alpha.
W, b, alpha = machine.coef_, machine.intercept_, machine.dual_coef_
sigma = np.linalg.svd(W, compute_uv=False)
hinge = np.maximum(1 - y * (np.tensordot(X, W) + b), 0)
primal = 0.5 * sigma @ sigma + machine.tau * sigma.sum() + machine.C * hinge.sum()
Omega = np.tensordot(alpha * y, X, 1)
shrunk = np.maximum(np.linalg.svd(Omega, compute_uv=False) - machine.tau, 0)
dual = alpha.sum() - 0.5 * shrunk @ shrunk

print(f"objective {primal:.8f}, at most {primal - dual:.1e} above the minimum")
print(f"so ||W - W*|| is at most {np.sqrt(2 * (primal - dual)):.1e}, and ||W|| is {sigma[0]:.3f}")
print(f"rank {machine.rank_}; the rank of W* is at least {machine.certain_rank_}")
