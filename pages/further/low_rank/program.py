"""Low-rank SVM: turn the samples, X -> A X B', and compare two ways of weighting."""

import numpy as np

from smmcore.datasets import Protocol, make_low_rank_relevant
from smmcore.iterate import last, until
from smmcore.wolf.reweighting import elementwise_weighting, iterative_weighting, spectral_weighting
from smmcore.wolf.weighted_svm import WeightingProblem

TRAIN = 50
TESTED = 450
NOISE = 0.0
PROTOCOL: Protocol = "as printed"
PERMUTE = True
SEED = 0
C = 1e4  # a hard margin

# %% Samples and turns: random directions are paired, and each pair is turned in its plane
made = make_low_rank_relevant(TRAIN + TESTED, None, NOISE, SEED, protocol=PROTOCOL, permute=PERMUTE)
rng = np.random.default_rng([SEED, 1])
quarter = np.kron(np.eye(5), [[0.0, -1.0], [1.0, 0.0]])
bases = [np.linalg.qr(rng.standard_normal((10, 10)))[0] for _ in range(2)]

# %% LowRank weights directions, and AROM entries
print("angle  method   held-out accuracy")
for angle in (0, 45, 90):
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    A, B = (cos * np.eye(10) + sin * Q @ quarter @ Q.T for Q in bases)
    X, y = A @ made[0] @ B.T, made[1]
    problem = WeightingProblem(X[:TRAIN], y[:TRAIN], C)
    for name, weigh in (("LowRank", spectral_weighting), ("AROM", elementwise_weighting)):
        passes = iterative_weighting(problem, weigh)
        found = last(until(passes, lambda state: state.change <= 1e-6, 200))
        right = (np.tensordot(X[TRAIN:], found.W) + found.b > 0) == (y[TRAIN:] > 0)
        print(f"{angle:5}  {name:7}  {right.mean():.4f}")
