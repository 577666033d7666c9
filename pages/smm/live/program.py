"""Watch the algorithm: Algorithm 1 step by step, and a race of three solvers."""

from itertools import islice
from math import inf, nan

from smmcore import solvers
from smmcore.problems import SMMProblem

C = 0.05
TAU = 0.2
ADMM = ("fast_admm", {"rho": 0.01, "eta": 0.999})
STEPS = 2_000  # at most
FIRST = ("fast_admm", {"rho": 10.0, "eta": 0.999})
SECOND = ("fast_admm", {"rho": 10.0, "eta": inf})
THIRD = "newton"
RACE_STEPS = 100  # at most

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(200, (20, 25), noise=0.01, scaling="unit variance", random_state=1)

# %% Some steps of Algorithm 1, then how each solver of the race ends
problem = SMMProblem(X, y, C, TAU)
print("solver                step  residual c  rank  relative gap")
for solver, settings in (ADMM, FIRST, SECOND, (THIRD, {})):
    alone = settings is ADMM[1]
    steps, shown = STEPS if alone else RACE_STEPS, (*range(1, 20), 30, 50, 100, 300, 1_000)
    for state in islice(getattr(solvers, solver)(problem, **settings), steps):
        proof, c = state.certificate(problem), getattr(state, "residual", nan)
        done = proof.within(1e-6) or state.k == steps
        if done or (alone and state.k in shown):
            print(f"{solver:20}  {state.k:4}  {c:10.3e}  {proof.rank:4}", end="  ")
            print(f"{proof.relative_gap:12.1e}", "restart" * getattr(state, "restarted", 0))
        if done:
            break
