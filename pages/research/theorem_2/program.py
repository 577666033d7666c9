"""Theorem 2: how far apart two columns of W are, beside the bound from the samples."""

import numpy as np

from smmcore.path import solve_path
from smmcore.problems import SMMProblem
from smmcore.prox import singular_value_threshold
from smmcore.theory import column_distance_bound, column_distances

C = 0.05
TAU = 0.2
PAIR = (9, 20)  # counted from 1

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(200, (20, 25), noise=0.01, scaling="unit variance", random_state=1)

# %% All pairs of columns, those with the largest share of their bound first
problem = SMMProblem(X, y, C, TAU)
proof = next(solve_path([problem], tol=1e-6))
W = singular_value_threshold(problem.omega(proof.alpha), TAU)
measured, bound = column_distances(W), column_distance_bound(X, C)
share = np.divide(measured, bound, out=np.zeros_like(bound), where=bound > 0)
order = np.argsort(-np.triu(share, 1), axis=None)
pairs = [np.subtract(PAIR, 1), *np.transpose(np.unravel_index(order[:20], share.shape))]
print(f"rank {proof.rank}, relative gap {proof.relative_gap:.1e}; squared distances of columns:")
print("    pair  measured   bound      share of the bound")
for first, second in pairs:
    row = measured[first, second], bound[first, second], share[first, second]
    print(f"{first + 1:3} {second + 1:4}  {row[0]:.3e}  {row[1]:.3e}  {row[2]:.1e}")
