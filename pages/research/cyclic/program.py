"""The cyclic algorithm: an SVM whose W has a given rank, from two starts."""

from itertools import islice

import numpy as np

from smmcore import LinearSVM
from smmcore.datasets import make_low_rank_relevant
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.wolf.cyclic import cyclic_svm

RANK = 6
C = 1e4
TRAIN = 50
SIZE: int | None = None  # rows of A and B of the samples A X B', or None: X itself
SEED = 0

# %% Samples: the first train, the others test
noise = 0.5 if SIZE == 50 else 0.0
X, y = make_low_rank_relevant(500, SIZE, noise, SEED, protocol="as printed", permute=True)[:2]
problem = BilinearProblem(X[:TRAIN], y[:TRAIN], C, RANK, offset=True)

# %% From the linear SVM, and from a random start of the same length
svm = LinearSVM(C=C).fit(X[:TRAIN], y[:TRAIN]).coef_.reshape(X.shape[1:])
start = np.random.RandomState(SEED).standard_normal(svm.shape)
start *= np.linalg.norm(svm) / np.linalg.norm(start)
print("start       cycle  objective  largest gain  right of the test samples")
for name, W in (("linear SVM", svm), ("random", start)):
    cycles = islice(cyclic_svm(problem, start=W), 2 * RANK, None, 2 * RANK)
    for k, state in enumerate(islice(cycles, 100), 1):
        proof = state.certificate(problem)
        done = proof.within(1e-4)
        if done or k in (1, 2, 3, 5, 10, 20, 30, 50, 70, 100):
            f = np.tensordot(X[TRAIN:], proof.W) + proof.b
            print(f"{name:10}  {k:5}  {proof.primal:9.4g}  {proof.relative_gap:12.1e}", end="  ")
            print(f"{np.mean((f > 0) == (y[TRAIN:] > 0)):.1%}")
        if done:
            break
