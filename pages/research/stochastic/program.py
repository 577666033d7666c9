"""The stochastic gradient with a threshold, beside the solution of the same problem by ADMM."""

from itertools import islice

import numpy as np

from smmcore.datasets import make_sinc
from smmcore.iterate import last, until
from smmcore.penalties import Lp, WeightedNorm
from smmcore.problems import RegularizedLS, gaussian_design
from smmcore.solvers import balanced_admm, stochastic_gradient

STEP = 0.1  # in units of 1 / max ||phi(x_i)||^2
EVERY = 50  # steps before a threshold
LAM = 0.1

# %% Samples
n = 50
x, y, _ = make_sinc(n, 0.2, 0)
Phi = gaussian_design(x, x, 0.3)
problem = RegularizedLS(Phi, y, WeightedNorm(Lp(1), LAM))

# %% ADMM gives a lower bound of the objective
proofs = (state.certificate(problem) for state in balanced_admm(problem))
solution = last(until(proofs, lambda proof: proof.within(1e-6), 3_000))

# %% Passes over the samples
stride, step = max(1, n // EVERY), STEP / np.sum(Phi**2, axis=1).max()
rounds = stochastic_gradient(Phi, y, LAM * EVERY / n, step, every=EVERY)
print("passes  objective above the optimum / P(0)  zeros")
for k, state in enumerate(islice(rounds, stride - 1, None, stride), 1):
    proof, passes = state.certificate(problem), state.k * EVERY / n
    done = passes >= 300
    if done or k in (1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100, 150, 200, 250):
        excess = (proof.primal - solution.dual) / proof.at_zero
        print(f"{passes:6g}  {excess:34.2e}  {np.sum(state.theta == 0):5}")
    if done:
        break
print(f"ADMM    {'':34}  {np.sum(solution.theta == 0):5}")
