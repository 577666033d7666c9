"""Imbalanced classes: the SMM at equal, balanced and larger weights of the few samples."""

import warnings

import numpy as np

from smmcore import SupportMatrixMachine

warnings.filterwarnings("ignore", ".* found W = 0")  # as it must, at small weights

POSITIVES = 10
NEGATIVES = 500
C = 0.002
TAU = 0.5

# %% Noise in class -1, and noise with a weak spot in class +1
rng = np.random.default_rng(0)
spot = np.outer(np.hanning(12), np.hanning(16))
spot *= 4 / np.linalg.norm(spot)
parts = []
for few, many in ((POSITIVES, NEGATIVES), (2_000, 2_000)):
    labels = np.repeat([1.0, -1.0], [few, many])
    samples = rng.standard_normal((few + many, 12, 16))
    samples[:few] += spot
    parts.append((samples, labels))
(X, y), (X_test, y_test) = parts

# %% The weights of all samples add up to n at each ratio
print("w+ / w-  rank  recall of +1  recall of -1  balanced accuracy")
for ratio in (NEGATIVES / POSITIVES) ** np.linspace(0, 2, 9):
    w = (POSITIVES + NEGATIVES) / (ratio * POSITIVES + NEGATIVES)
    machine = SupportMatrixMachine(C=C, tau=TAU, class_weight={1.0: ratio * w, -1.0: w}).fit(X, y)
    right = machine.predict(X_test) == y_test
    found, kept = right[y_test > 0].mean(), right[y_test < 0].mean()
    print(f"{ratio:7.1f}  {machine.rank_:4}  {found:12.4f}  {kept:12.4f}  {(found + kept) / 2:.4f}")
