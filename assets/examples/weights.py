"""Weigh classes and samples: nine of ten samples belong to one class."""

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import recall_score

from smmcore import SupportMatrixMachine

rng = np.random.default_rng(0)
signal = 0.25 * np.outer(np.ones(8), np.ones(10))


def draw(n: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return samples with noise, of which a tenth also has the signal."""
    y = np.arange(n) % 10 == 0
    return rng.standard_normal((n, 8, 10)) + y[:, None, None] * signal, y


(X, y), (X_test, y_test) = draw(300), draw(2000)
for class_weight in (None, "balanced", {False: 1, True: 3}):
    machine = SupportMatrixMachine(C=0.01, tau=0.1, class_weight=class_weight).fit(X, y)
    found = [recall_score(y_test, machine.predict(X_test), pos_label=c) for c in (False, True)]
    print(f"class_weight={class_weight}: {found[0]:.2f} of the many and {found[1]:.2f} of the few")

# A sample of weight 2 is the same as two equal samples.
counts = rng.integers(1, 3, len(y))
one = SupportMatrixMachine(C=0.01, tau=0.1).fit(X, y, sample_weight=counts)
two = SupportMatrixMachine(C=0.01, tau=0.1).fit(X.repeat(counts, axis=0), y.repeat(counts))
apart = np.linalg.norm(one.coef_ - two.coef_)
print(f"weights and copies differ by {apart:.1e}, at most {one.radius_ + two.radius_:.1e}")
