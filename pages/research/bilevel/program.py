"""Bilevel programming: the algorithm of Xia and Fan, past the rule at which they stop it."""

from dataclasses import replace

from smmcore.problems import LSSMMProblem, SMMProblem
from smmcore.solvers import bilevel

C = 0.05
TAU = 0.2
RHO = 1.1
LOSS = "squares"
PRINTED = False  # the sign of eq. 6 as it is printed

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(200, (20, 25), noise=0.01, scaling="unit variance", random_state=1)

# %% Xia and Fan stop where max|S - W| is below 1e-3; this goes on to a certified gap
problem, state = (LSSMMProblem if LOSS == "squares" else SMMProblem)(X, y, C, TAU), None
print("step  max|S - W|   relative gap      ||W||      ||S||  rank of S")
for k in range(1, 1_001):
    if PRINTED and state:  # `bilevel` subtracts rho (W - S): add it twice
        Lambda = state.Lambda + 2 * RHO * (state.W - state.S)
        scores = state.Lambda_scores + 2 * RHO * (state.W_scores - state.S_scores)
        state = replace(state, Lambda=Lambda, Lambda_scores=scores)
    state = next(bilevel(problem, rho=RHO, start=state))
    gap, sizes = state.certificate(problem).relative_gap, state.S_singular_values
    done = gap <= 1e-6 or k == 1_000 or sizes[0] > 1e12  # diverged
    if done or k in (*range(1, 15), 17, 20, 30, 50, 70, 100, 200, 500):
        row = k, state.largest_difference, gap, (state.W**2).sum() ** 0.5, (sizes**2).sum() ** 0.5
        print("{:4}  {:10.2e}  {:12.1e}  {:9.3g}  {:9.3g}".format(*row), f" {sum(sizes > 0):9}")
    if done:
        break
