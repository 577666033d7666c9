"""Trace-norm regression: data, and errors of an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pages.shared.engine.experiment import Dataset, Scaled
from smmcore.arrays import Array
from smmcore.datasets import make_low_rank
from smmcore.sugiyama.regression import LSCertificate

TEST_SAMPLES = 300
ROUNDED_ZERO = 1e-12  # smaller singular values are zeros with rounding errors


class Measurements(NamedTuple):
    """Matrices X_i, the numbers y_i = <Theta*, X_i> + noise, and Theta*."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    X_test: Array  # (TEST_SAMPLES, p, q)
    y_test: Array  # (TEST_SAMPLES,)
    truth: Array  # (p, q), Theta*

    @property
    def Phi(self) -> Array:
        """The training matrices as rows, (n, p q)."""
        return self.X.reshape(len(self.X), -1)

    def rmse(self, theta: Array) -> tuple[float, float]:
        """Return the root mean square errors on the training and on the test samples."""
        return _rmse(self.X, self.y, theta), _rmse(self.X_test, self.y_test, theta)


def _rmse(X: Array, y: Array, theta: Array) -> float:
    return float(np.sqrt(np.mean((y - X.reshape(len(X), -1) @ theta.ravel()) ** 2)))


@dataclass(frozen=True)
class LowRank(Dataset):
    """Normal matrices X_i and y_i = <Theta*, X_i> + noise, ||Theta*||_F = 1."""

    n: int = 200
    p: int = 20
    q: int = 16
    rank: int = 2
    noise: float = 0.1
    seed: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, self.p, self.q

    def prepare(self) -> Measurements:
        """Generate the test samples, and behind them the training samples."""
        count = TEST_SAMPLES + self.n
        X, y, truth = make_low_rank(count, (self.p, self.q), self.rank, 0.0, self.seed)
        y += self.noise * np.random.default_rng([self.seed, 1]).standard_normal(count)
        test, train = slice(TEST_SAMPLES), slice(TEST_SAMPLES, None)
        return Measurements(X[train], y[train], X[test], y[test], truth)


def measure_estimate(
    proof: LSCertificate, data: Measurements
) -> tuple[dict[str, float], dict[str, Any]]:
    """Return metrics and images of an estimate beside Theta*; both matrices share one scale."""
    Theta = proof.theta.reshape(data.truth.shape)
    sigma, sigma_truth = (np.linalg.svd(M, compute_uv=False) for M in (Theta, data.truth))
    train, test = data.rmse(Theta)
    metrics: dict[str, float] = {
        "trace": float(sigma.sum()),
        "rank": int(np.count_nonzero(sigma > ROUNDED_ZERO)),
        "error": float(np.linalg.norm(Theta - data.truth)),
        "train": train,
        "test": test,
    }
    scale = float(max(np.abs(Theta).max(), np.abs(data.truth).max()))
    images = {
        "Theta": Scaled(Theta, scale),
        "truth": Scaled(data.truth, scale),
        "sigma": sigma,
        "sigma_truth": sigma_truth,
    }
    return metrics, images
