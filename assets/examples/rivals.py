"""Compare the support matrix machine with its rivals on the same samples."""

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from smmcore import (
    BilinearSVM,
    LeastSquaresSMM,
    LinearSVM,
    RegularizedGLM,
    SupportMatrixMachine,
)

digits = load_digits()
some = (digits.target == 3) | (digits.target == 8)
X, X_test, y, y_test = train_test_split(
    digits.images[some],
    digits.target[some],
    train_size=60,
    stratify=digits.target[some],
    random_state=0,
)
machines = [
    SupportMatrixMachine(C=0.01, tau=0.3),
    LinearSVM(C=0.01),
    LeastSquaresSMM(C=0.01, tau=0.3),
    BilinearSVM(rank=2, C=0.01, fit_intercept=True, random_state=0),
    RegularizedGLM(lam=10.0),
]
print("machine                accuracy  rank")
for machine in machines:
    accuracy = machine.fit(X, y).score(X_test, y_test)
    print(f"{type(machine).__name__:22} {accuracy:8.3f} {machine.rank_:5}")
