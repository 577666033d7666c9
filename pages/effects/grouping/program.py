"""The grouping effect: raise the noise, and see which W keeps the groups of columns."""

import numpy as np

from smmcore import LinearSVM, SupportMatrixMachine
from smmcore.datasets import column_groups, make_block_correlated
from smmcore.theory import column_distance_bound, column_distances, grouping_score

C = 0.01
TAU = 0.03
PAIR = (4, 5)  # columns, counted from 1
SEED = 2975

# %% Samples without noise, with their labels, and the noise
stripes, y = make_block_correlated(60, (12, 20), 4, 0.0, random_state=SEED)
grains = make_block_correlated(60, (12, 20), 4, 1.0, random_state=SEED)[0] - stripes
groups, pair = column_groups(20, 4), np.subtract(PAIR, 1)

# %% The distance of the pair is at most the root of Theorem 2's bound; G = 1: equal in all groups
print("delta  classifier            rank  G       distance of the pair, and its bound")
for delta in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0):
    X = 60**0.5 * stripes + delta * grains
    bound = column_distance_bound(X, C)[*pair] ** 0.5
    for machine in (LinearSVM(C=C, tol=1e-8), SupportMatrixMachine(C=C, tau=TAU, tol=1e-8)):
        W = machine.fit(X, y).coef_.reshape(12, 20)
        distance = column_distances(W)[*pair] ** 0.5
        name, G = type(machine).__name__, grouping_score(W, groups)
        print(f"{delta:5g}  {name:20}  {machine.rank_:4}  {G:.4f}  {distance:.5f}  {bound:.5f}")
