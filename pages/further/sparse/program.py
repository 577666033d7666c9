"""Sparse regression: how many parameters each penalty makes 0, by ADMM to a certified gap."""

from itertools import islice

import numpy as np

from smmcore.datasets import make_sinc, make_steps
from smmcore.sugiyama.penalties import L12, Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS, differences, gaussian_design
from smmcore.sugiyama.splitting import balanced_admm, split_admm

LAMS = {"l2": 0.1, "l1": 0.1, "l1 + l2": 0.1, "l1,2": 0.5, "fused": 2.0}
SHARE = 0.5  # of the squares in l1 + l2
GROUP = 5  # parameters in a group of l1,2
RHO: float | None = None  # of ADMM, or None: balanced
CURVE = (50, 0.2, 0.3, 0)  # samples, noise, width of the bumps, seed; for all but the fused penalty
SIGNAL = (100, 0.3, 6, 0)  # samples, noise, levels, seed; for the fused penalty

# %% Samples: one parameter each
n, noise, h, seed = CURVE
x, y, _ = make_sinc(n, noise, seed)
Phi = gaussian_design(x, x, h)
m, noise, pieces, seed = SIGNAL
signal = make_steps(m, pieces, noise, seed)[1]

# %% Least squares with each penalty
print("penalty  lambda  steps  zeros      objective  relative gap")
for penalty, lam in LAMS.items():
    squares = lam * {"l2": 1.0, "l1 + l2": SHARE}.get(penalty, 0.0)
    norm = L12(tuple(j // GROUP for j in range(n))) if penalty == "l1,2" else Lp(1)
    data, F = ((np.eye(m), signal), differences(m)) if penalty == "fused" else ((Phi, y), None)
    problem = RegularizedLS(*data, WeightedNorm(norm, lam - squares), F, squares)
    states = balanced_admm(problem) if RHO is None else split_admm(problem.split(RHO))
    for state in islice(states, 3_000):
        proof = state.certificate(problem)
        if proof.within(1e-6):
            break
    print(f"{penalty:7}  {lam:6g}  {state.k:5}  {sum(state.z == 0):3} of {len(state.z)}", end="  ")
    print(f"{proof.primal:9.6g}  {proof.relative_gap:.1e}")
