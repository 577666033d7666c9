"""The stochastic gradient with a threshold, beside the solution of the same problem by ADMM."""

import numpy as np

from smmcore.datasets import make_sinc
from smmcore.penalties import Lp, WeightedNorm
from smmcore.problems import RegularizedLS, gaussian_design
from smmcore.prox import soft_threshold
from smmcore.solvers import balanced_admm, solve_to_gap

STEP = 0.1  # in units of 1 / max ||phi(x_i)||^2
EVERY = 50  # steps before a threshold
LAM = 0.1

# %% Samples
n = 50
x, y, _ = make_sinc(n, 0.2, 0)
Phi = gaussian_design(x, x, 0.3)
problem = RegularizedLS(Phi, y, WeightedNorm(Lp(1), LAM))

# %% ADMM gives a lower bound of the objective
solution = solve_to_gap(problem, balanced_admm(problem), 1e-6, 3_000)[0]

# %% 300 passes over the samples
step, theta = STEP / np.sum(Phi**2, axis=1).max(), np.zeros(n)
print("passes  objective above the optimum / P(0)  zeros")
rounds = 300 * n // EVERY
for k in range(1, rounds + 1):
    for i in np.random.default_rng([0, k]).integers(n, size=EVERY):
        theta = theta + step * (y[i] - Phi[i] @ theta) * Phi[i]
    theta = soft_threshold(theta, LAM * EVERY / n * step)
    if k in np.geomspace(1, rounds, 20).round():
        excess = (problem.certificate(theta).primal - solution.dual) / solution.at_zero
        print(f"{k * EVERY / n:6g}  {excess:34.2e}  {np.sum(theta == 0):5}")
print(f"ADMM    {'':34}  {np.sum(solution.theta == 0):5}")
