"""Where the matrix pays: EEG of one person, python -m tests.benchmarks.p300 [SPLITS].

Of 256 trials of 17 channels and 32 moments (assets/examples/p300.md), n of either class in equal
parts are drawn for training and the rest are the test set, again for each split. All methods see
the same whitened trials, with a whitening that is fitted to the training trials alone, and choose
their weights by five folds of these. Printed are the mean accuracy in %, and that of the SMM less
that of the linear SVM with its standard error over the splits. This error is too small for another
person or another recording: all splits are of the same 256 trials.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from smmcore import MatrixScaler, SupportMatrixMachineCV

FILE = Path(__file__).parents[2] / "assets" / "examples" / "p300.npz"


def rows(X: np.ndarray) -> np.ndarray:
    """Matrices as rows."""
    return X.reshape(len(X), -1)


METHODS: dict[str, list[BaseEstimator]] = {
    "SMM": [SupportMatrixMachineCV(rule="best")],
    "linear SVM": [SupportMatrixMachineCV(taus=[0.0], rule="best")],
    "logistic regression": [
        FunctionTransformer(rows),
        GridSearchCV(LogisticRegression(max_iter=1000), {"C": np.logspace(-6, 0, 7)}),
    ],
}


def accuracies(n: int, seed: int) -> list[float]:
    """The accuracy of each method on the trials that are not among n drawn ones."""
    with np.load(FILE) as file:
        X, y = file["X"] / 4.0, file["y"]  # in microvolts
    train, test = train_test_split(np.arange(len(y)), train_size=n, stratify=y, random_state=seed)
    pipelines = [make_pipeline(MatrixScaler("whitened"), *steps) for steps in METHODS.values()]
    return [each.fit(X[train], y[train]).score(X[test], y[test]) for each in pipelines]


def main(splits: int) -> None:
    """Print a row for each number of trials."""
    print("| n |", " | ".join(METHODS), "| SMM less linear SVM |")
    for n in (20, 40, 80, 160):
        found = 100 * np.array([accuracies(n, seed) for seed in range(splits)])
        apart = found[:, 0] - found[:, 1]
        error = apart.std(ddof=1) / np.sqrt(splits)
        means = " | ".join(f"{mean:.1f}" for mean in found.mean(axis=0))
        print(f"| {n} | {means} | {apart.mean():+.1f} ± {error:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
