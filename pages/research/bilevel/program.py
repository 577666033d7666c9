"""Bilevel programming: the algorithm of Xia and Fan with eq. 6 corrected, to a certified gap."""

from itertools import islice

import numpy as np

from smmcore.problems import SMMProblem
from smmcore.xia_fan.bilevel import bilevel
from smmcore.xia_fan.least_squares import LSSMMProblem

C = 0.05
TAU = 0.2
RHO = 1.1
LOSS = "squares"

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(200, (20, 25), noise=0.01, scaling="unit variance", random_state=1)

# %% Xia and Fan stop where max|S - W| is below 1e-3; this goes on to a certified gap
problem = (LSSMMProblem if LOSS == "squares" else SMMProblem)(X, y, C, TAU)
print("step  max|S - W|   relative gap      ||W||      ||S||  rank of S")
for state in islice(bilevel(problem, rho=RHO), 1_000):
    gap, apart = state.certificate(problem).relative_gap, np.abs(state.S - state.W).max()
    done = gap <= 1e-6 or state.k == 1_000
    if done or state.k in (*range(1, 15), 17, 20, 30, 50, 70, 100, 200, 500):
        print(f"{state.k:4}  {apart:10.2e}  {gap:12.1e}  {np.linalg.norm(state.W):9.3g}", end="  ")
        print(f"{np.linalg.norm(state.S):9.3g}  {sum(state.S_singular_values > 0):9}")
    if done:
        break
