import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from pages.shared import wolf
from smmcore import LowRankSVM
from smmcore.datasets import make_low_rank_relevant


def test_an_accuracy_recomputed_by_hand():
    X, y = wolf.make_data(wolf.FITTING, 1, 0)
    machine = LowRankSVM(wolf.FITTING.C).fit(X[:50], y[:50])
    right = np.sign(np.tensordot(X[50:], machine.coef_) + machine.intercept_) == y[50:]
    found = wolf.accuracies(wolf.FITTING, 1, 0)
    assert found["LowRank"] == pytest.approx(100 * right.mean())
    assert {*wolf.PRINTED} == {*found}


@pytest.mark.parametrize("reading", [wolf.AS_PRINTED, wolf.FITTING], ids=lambda r: r.protocol)
def test_no_classifier_exceeds_the_limit_and_the_best_linear_one_reaches_it(reading):
    n = 20_000
    for setting, noise in ((1, 0.0), (2, reading.noise)):  # A and B, which only turn, are left out
        X, y = make_low_rank_relevant(n, None, noise, 0, protocol=reading.protocol, permute=False)
        six = X.reshape(n, -1)[:, :6]
        right = LinearDiscriminantAnalysis().fit(six, y).score(six, y)
        share = wolf.accuracy_limit(reading, setting).accuracy / 100
        # Six weights that are fitted to 20,000 samples cost and flatter less than this.
        assert right == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n) + 2e-4)
    assert wolf.accuracy_limit(wolf.AS_PRINTED, 0) == pytest.approx((28**0.5, 99.63), abs=0.005)
    with pytest.raises(ValueError, match=r"the protocol must be one of .*, got 'Weston'"):
        wolf.accuracy_limit(reading._replace(protocol="Weston"), 0)
