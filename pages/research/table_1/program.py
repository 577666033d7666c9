"""Table 1 of Wolf et al.: four methods in three settings, each repetition on new samples."""

import numpy as np
from sklearn.pipeline import make_pipeline

from smmcore import AROM, LinearSVM, LowRankSVM, TwoDPCA
from smmcore.datasets import Protocol, make_low_rank_relevant

PROTOCOL: Protocol = "as printed"
PERMUTE = True
NOISE = 0.5  # its deviation in the last setting; the others have none
C = 1e4  # a hard margin
COMPONENTS = 10  # of 2DPCA
REPETITIONS = 2

# %% Of 500 samples 50 train and 450 test
machines = {
    "SVM": LinearSVM(C=C),
    "AROM": AROM(C=C),
    "2DPCA + AROM": make_pipeline(TwoDPCA(COMPONENTS), AROM(C=C)),
    "LowRank": LowRankSVM(C=C),
}
print("samples         classifier    test accuracy, mean and deviation in percent")
for name, size in (("X", None), ("A X B', 10 x 10", 10), ("A X B', 50 x 50", 50)):
    right: dict[str, list[float]] = {method: [] for method in machines}
    for seed in range(REPETITIONS):
        noise = NOISE if size == 50 else 0.0
        X, y = make_low_rank_relevant(500, size, noise, seed, protocol=PROTOCOL, permute=PERMUTE)[
            :2
        ]
        for method, machine in machines.items():
            right[method].append(100 * machine.fit(X[:50], y[:50]).score(X[50:], y[50:]))
    for method, scores in right.items():
        print(f"{name:15}  {method:12}  {np.mean(scores):.2f}  {np.std(scores):.2f}")
