"""When does low rank pay off? A linear SVM and an SMM look for W* on more and more samples."""

import numpy as np

from smmcore.path import next_on_path
from smmcore.problems import SMMProblem

COUNTS = (100, 400, 800)  # training samples

# %% Samples
rng = np.random.default_rng(0)
X, W = rng.standard_normal((800, 20, 20)), np.ones((20, 20))
y = np.where(np.tensordot(X, W) > 0, 1.0, -1.0)

# %% Choose C and tau on a quarter of the samples, then train on all
print("   n  classifier  rank  of 1,000 new samples right")
for n in COUNTS:
    k = n * 3 // 4
    unit = np.mean(np.sum((X[:n] - X[:n].mean(axis=0)) ** 2, axis=(1, 2)))
    scores = {}
    for C in (1.0 / unit, 64.0 / unit):
        for share in (*10.0 ** -np.array([0.2, 0.53, 1.07, 2.5]), 0.0):
            part = SMMProblem(X[:k], y[:k], C, 0.0)
            part = part.with_weights(tau=share * part.tau_bound() if share else 0.0)
            decision = np.tensordot(X[k:n], next_on_path(part, None, 1e-4)[1].W)
            scores[C, share] = np.corrcoef(decision, y[k:n])[0, 1] if decision.any() else -1.0
    svm = max((key for key in scores if not key[1]), key=lambda key: scores[key])
    smm = max(scores, key=lambda key: scores[key])
    for name, (C, share) in (("linear SVM", svm), ("SMM", smm)):
        full = SMMProblem(X[:n], y[:n], C, 0.0)
        full = full.with_weights(tau=share * full.tau_bound() if share else 0.0)
        proof = next_on_path(full, None, 1e-6)[1]
        cosine = np.vdot(proof.W, W) / np.linalg.norm(proof.W) / np.linalg.norm(W)
        print(f"{n:4}  {name:10}  {proof.rank:4}  {1000 * (1 - np.arccos(cosine) / np.pi):.0f}")
