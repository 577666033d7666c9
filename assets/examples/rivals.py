"""Compare the support matrix machine with its rivals where the truth has rank 1."""

import numpy as np

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine

rng = np.random.default_rng(0)
W = np.outer(rng.standard_normal(20), rng.standard_normal(20))  # hidden
X = rng.standard_normal((1200, 20, 20))
y = np.sign(np.tensordot(X, W))
machines = {
    "linear SVM": LinearSVM(C=0.01),
    "SMM": SupportMatrixMachine(C=0.25, tau=26),
    "R-GLM": RegularizedGLM(lam=30),  # the same penalty with the logistic loss
    "bilinear SVM, rank 1": BilinearSVM(rank=1, C=1, random_state=0),  # it is told the rank
    "bilinear SVM, rank 8": BilinearSVM(rank=8, C=1, random_state=0),  # it is told a wrong one
}
print("machine                accuracy  rank")
for name, machine in machines.items():
    accuracy = machine.fit(X[:200], y[:200]).score(X[200:], y[200:])
    print(f"{name:22} {accuracy:8.3f} {machine.rank_:5}")
