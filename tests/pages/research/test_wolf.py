from functools import cache

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from pages.shared import wolf
from smmcore import AROM, LowRankSVM
from smmcore.datasets import make_low_rank_relevant


@pytest.fixture(scope="module")
def records():
    return list(wolf.table_1(wolf.FITTING, range(2), (0, 1)))


def test_table_1_yields_each_method_on_each_draw(records):
    keys = {(r.setting, r.repetition, r.method) for r in records}
    assert keys == {(s, r, m) for s in (0, 1) for r in (0, 1) for m in wolf.METHODS}
    assert len(records) == 16
    assert set(wolf.PRINTED) == set(wolf.METHODS)


def test_a_draw_is_a_function_of_its_numbers_so_that_what_is_done_can_be_left_out(records):
    done = {(r.setting, r.repetition) for r in records[:8]}
    again = list(wolf.table_1(wolf.FITTING, range(2), (0, 1), done))
    assert again == records[8:]


def test_an_accuracy_recomputed_by_hand(records):
    X, y = wolf.make_data(wolf.FITTING, 1, 0)
    machine = LowRankSVM(wolf.FITTING.C).fit(X[:50], y[:50])
    right = np.sign(np.tensordot(X[50:], machine.coef_) + machine.intercept_) == y[50:]
    (record,) = (r for r in records if (r.setting, r.repetition, r.method) == (1, 0, "LowRank"))
    assert record.accuracy == pytest.approx(100 * right.mean())


def test_svm_and_low_rank_have_the_same_accuracy_behind_orthogonal_A_and_B(records):
    # As in the printed table, which therefore has no noise there.
    cells = {}
    for record in records:
        cells.setdefault((record.method, record.setting), []).append(record.accuracy)
    for method in ("SVM", "LowRank"):
        assert cells[method, 0] == cells[method, 1]
    assert np.mean(cells["AROM", 0]) != np.mean(cells["AROM", 1])


@cache
def mean_accuracy_of_2dpca(setting, components):
    reading, accuracies = wolf.AS_PRINTED._replace(components=components), []
    for repetition in range(10):
        X, y = wolf.make_data(reading, setting, repetition)
        machine = wolf.make_estimator("2DPCA + AROM", reading).fit(X[:50], y[:50])
        accuracies.append(100 * machine.score(X[50:], y[50:]))
    return np.mean(accuracies)


@pytest.mark.parametrize(("setting", "components"), [(0, 5), (1, 5), (2, 5), (2, 20)])
def test_no_other_number_of_components_brings_2dpca_nearer_to_its_printed_figures(
    setting, components
):
    printed = mean_accuracy_of_2dpca(setting, wolf.AS_PRINTED.components)
    assert mean_accuracy_of_2dpca(setting, components) < printed + 1


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


def test_a_method_that_there_is_not_is_named():
    with pytest.raises(ValueError, match=r"the method must be one of .*, got 'LDA'"):
        wolf.make_estimator("LDA", wolf.AS_PRINTED)


def test_real_data_are_split_anew_each_time_a_quarter_to_train():
    X, y = wolf.make_data(wolf.FITTING, 0, 0)
    first, again = (list(wolf.split_records(X[:80], y[:80], 1e4, [3])) for _ in range(2))
    assert first == again
    assert [record.method for record in first] == list(wolf.PRINTED_FACES)
    # A quarter of 80 to train leaves 60 to test.
    right = [0.6 * record.accuracy for record in first]
    assert right == pytest.approx(np.round(right))


@pytest.mark.parametrize(("low", "high"), [(50, 30), (30, 50)])
def test_where_w_is_0_the_accuracy_is_the_share_of_the_larger_class(low, high):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((80, 6, 5)), np.repeat([0, 1], [low, high])
    X[y == 1, 0, 0] += 2  # there is something to learn
    records = list(wolf.split_records(X, y, 1e-4, range(2)))  # a warning would be an error
    machines = {"AROM": AROM, "LowRank": LowRankSVM}
    for name, machine in machines.items():
        with pytest.warns(RuntimeWarning, match="found W = 0"):
            assert not machine(1e-4).fit(X, y).coef_.any()
        for record in records:
            if record.method == name:  # 60 samples are tested, in the proportion of all
                assert record.accuracy == pytest.approx(100 * 50 / 80, abs=100 / 60)
