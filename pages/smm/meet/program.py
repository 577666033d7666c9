"""Meet the SMM: its solutions along tau, and what each term of the objective costs."""

import numpy as np

from smmcore.path import next_on_path, tau_grid, tau_max
from smmcore.problems import SMMProblem

C = 1.0
TAU = 4.0

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(36, (12, 12), noise=0.1, random_state=1)

# %% From W = 0 down to the linear SVM at tau = 0: each solution starts from the one before
state, base = None, SMMProblem(X, y, C, 0.0)
print("     tau  rank  1/2||W||^2  tau ||W||_*  C sum hinge  objective  training samples right")
for tau in sorted({*tau_grid(tau_max(base, 1e-4), 1e-2, 20), TAU, 0.0}, reverse=True):
    problem = base.with_weights(tau=tau)
    state, proof = next_on_path(problem, state, 1e-9)
    square, nuclear = np.sum(proof.W**2) / 2, tau * proof.singular_values.sum()
    loss = C * np.sum(np.maximum(1 - y * proof.decision, 0))
    print(f"{tau:8.3g}  {proof.rank:4}  {square:10.4g}  {nuclear:11.4g}  {loss:11.4g}", end="  ")
    print(f"{proof.primal:9.6g}  {np.mean((proof.decision > 0) == (y > 0)):.1%}")
    if tau == TAU:
        loads = proof.alpha

# %% W is a sum of samples, with loads alpha from 0 to C
print(f"At tau = {TAU:g}, {np.sum(loads > 0)} of {len(y)} samples have a load.")
