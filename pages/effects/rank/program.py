"""The rank of W: solutions along tau, and the share of new samples that each gets right."""

import numpy as np

from smmcore import smm_path

N = 400  # training samples
LOSS = 40.0  # n C, the price of the mean loss
TAUS = [float(f"{50 * 10 ** (-3 * k / 40):.3g}") for k in range(0, 41, 2)]

# %% Samples
rng = np.random.default_rng(0)
X, W = rng.standard_normal((800, 20, 20)), np.ones((20, 20))
y = np.where(np.tensordot(X, W) > 0, 1.0, -1.0)

# %% One solution for each tau; of normal samples W gets 1 - angle(W, W*) / pi right
path = smm_path(X[:N], y[:N], C=LOSS / N, taus=TAUS)
print("    tau  rank  of 1,000 new samples right")
for tau, rank, M in zip(path.taus, path.ranks, path.coefs, strict=True):
    cosine = np.vdot(M, W) / (np.linalg.norm(M) * np.linalg.norm(W) or 1.0)
    print(f"{tau:7.3g}  {rank:4}  {1000 * (1 - np.arccos(np.clip(cosine, -1, 1)) / np.pi):.0f}")
