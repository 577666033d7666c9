"""Cross-validation along paths: the scores of a grid search, and the rule of one standard error."""

from fractions import Fraction

import numpy as np
import pytest
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score, get_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, ShuffleSplit, StratifiedKFold
from sklearn.pipeline import make_pipeline

from smmcore import MatrixScaler, SupportMatrixMachine, SupportMatrixMachineCV
from smmcore.problems import SMMProblem

# The simplest of models that cannot be told apart is often W = 0.
pytestmark = pytest.mark.filterwarnings("ignore:.* found W = 0")

CS = [0.02, 0.5]


def samples(classes=2, n=60, shape=(4, 3), seed=0):
    """Noisy samples of classes of different sizes, as arrays and labels that are words."""
    rng = np.random.default_rng(seed)
    codes = np.minimum(np.arange(n) % (2 * classes - 1), classes - 1)
    rng.shuffle(codes)
    means = 0.8 * rng.standard_normal((classes, shape[0], 1)) * rng.standard_normal((1, shape[1]))
    return means[codes] + rng.standard_normal((n, *shape)), np.array(["a", "b", "c"])[codes]


def fitted_attributes(machine):
    return {name: value for name, value in vars(machine).items() if name.endswith("_")}


@pytest.mark.parametrize(
    ("classes", "shape", "class_weight", "scoring"),
    [(2, (4, 3), None, None), (2, (8, 8), None, "roc_auc"), (3, (3, 2), "balanced", None)],
)  # for both solvers; each fold is balanced by itself
def test_the_scores_are_those_of_a_grid_search_with_cold_fits(
    classes, shape, class_weight, scoring
):
    X, y = samples(classes, shape=shape)
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    Cs = CS if (classes, shape) == (2, (4, 3)) else CS[1:]
    options, search = {"class_weight": class_weight}, {"cv": cv, "scoring": scoring}
    machine = SupportMatrixMachineCV(Cs, n_taus=3, cv_tol=1e-9, **options, **search).fit(X, y)
    grid = [{"C": [C], "tau": taus} for C, taus in zip(machine.Cs_, machine.taus_, strict=True)]
    found = GridSearchCV(SupportMatrixMachine(tol=1e-9, **options), grid, **search).fit(X, y)
    theirs = [found.cv_results_[f"split{i}_test_score"] for i in range(3)]
    np.testing.assert_array_equal(machine.scores_, np.reshape(theirs, machine.scores_.shape))


def by_hand(scores, rule):
    """The rule as a loop, from the simplest model on; scores are integers, so ties are exact."""
    folds, rows, columns = scores.shape
    mean = {
        (i, j): Fraction(int(scores[:, i, j].sum()), folds)
        for i in range(rows)
        for j in range(columns)
    }
    order = sorted(mean, key=lambda at: (at[1], at[0]))
    best = max(order, key=mean.get)  # the first of equals
    variance = sum((score - mean[best]) ** 2 for score in scores[:, *best]) / (folds - 1)
    allowed = (variance / folds) ** 0.5 if rule == "one-standard-error" else 0.0
    return next(at for at in order if mean[best] - mean[at] <= allowed + 1e-9)


@pytest.mark.parametrize(("rule", "classes"), [("one-standard-error", 3), ("best", 2)])
def test_the_weights_follow_from_the_scores_and_the_fit_from_them_bit_for_bit(rule, classes):
    X, y = samples(classes)
    machine = SupportMatrixMachineCV(CS, n_taus=4, cv=3, rule=rule).fit(X, y)
    i, j = by_hand(np.rint(20 * machine.scores_), rule)  # of 20 samples in each fold
    assert (machine.C_, machine.tau_) == (machine.Cs_[i], machine.taus_[i, j])
    plain = SupportMatrixMachine(machine.C_, machine.tau_).fit(X, y)
    own = fitted_attributes(machine)
    for name, value in fitted_attributes(plain).items():
        np.testing.assert_array_equal(own.pop(name), value, strict=True)
    assert own.keys() == {"C_", "tau_", "Cs_", "taus_", "scores_"}
    np.testing.assert_array_equal(machine.predict(X), plain.predict(X))


def test_a_fold_with_weights_is_the_fold_with_repeated_samples():
    """Also in its scores, and where a weight is 0; the folds are rows of the given samples."""
    X, y = samples()
    counts = np.random.default_rng(1).integers(0, 3, len(y))
    cv = [*StratifiedKFold(3).split(X, y)]
    machine = SupportMatrixMachineCV(Cs=2, n_taus=3, cv=cv, tol=1e-9, class_weight={"a": 2})
    machine.fit(X, y, sample_weight=counts)
    rows = np.arange(len(y)).repeat(counts)
    folds = [[np.flatnonzero(np.isin(rows, part)) for part in fold] for fold in cv]
    repeated = clone(machine).set_params(cv=folds).fit(X[rows], y[rows])
    np.testing.assert_allclose(machine.Cs_, repeated.Cs_, rtol=1e-12)
    np.testing.assert_allclose(machine.taus_, repeated.taus_, rtol=2e-6)
    np.testing.assert_allclose(machine.scores_, repeated.scores_, rtol=1e-12)
    assert (machine.dual_coef_[counts == 0] == 0).all()
    apart = np.linalg.norm(machine.coef_ - repeated.coef_)
    # tau_max is known to 1e-6, and W moves by at most sqrt(min(p, q)) times what tau does.
    assert apart <= machine.radius_ + repeated.radius_ + 2 * 2e-6 * machine.tau_


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.sweep)])
def test_jobs_change_nothing(backend):
    X, y = samples()
    machine = SupportMatrixMachineCV([0.5], n_taus=3, cv=3)
    alone = fitted_attributes(clone(machine).fit(X, y))
    with parallel_config(backend):
        together = fitted_attributes(machine.set_params(n_jobs=2).fit(X, y))
    assert together.keys() == alone.keys()
    for name, value in alone.items():
        np.testing.assert_array_equal(together[name], value, strict=True)


def test_the_grid_is_in_units_of_the_data():
    X, y = samples()
    machine = SupportMatrixMachineCV(Cs=3, n_taus=3, eps=0.01, cv=2).fit(X, y)
    problem = SMMProblem(X, np.where(y == "b", 1.0, -1.0), 1.0, 0.0)
    spread2 = problem.spread**2
    np.testing.assert_allclose(machine.Cs_ * spread2, [0.1, 10.0, 1000.0])
    for C, taus in zip(machine.Cs_, machine.taus_, strict=True):
        top = C * problem.tau_bound()
        np.testing.assert_allclose(taus, top * np.array([1.0, 0.1, 0.01]))
    one = SupportMatrixMachineCV(Cs=1, n_taus=2, cv=2).fit(X, y)
    np.testing.assert_allclose(one.Cs_ * spread2, [10.0])


def test_of_several_classes_the_largest_bound_of_tau_max_counts():
    X, y = samples(3)
    machine = SupportMatrixMachineCV([0.5], n_taus=2, cv=2).fit(X, y)
    bounds = [SMMProblem(X, np.where(y == k, 1.0, -1.0), 0.5, 0.0).tau_bound() for k in set(y)]
    assert machine.taus_[0, 0] == pytest.approx(max(bounds), rel=1e-12)


@pytest.mark.parametrize("shape", [None, (4, 3)])
def test_a_scorer_reads_the_model_of_its_own_fold_and_weights(shape):
    """Its size of W: a grid search gives the same, and the score of the end is this one."""
    X, y = samples(3)

    def scorer(estimator, X, y):
        size = np.linalg.norm(estimator.coef_) / estimator.n_iter_.max() + estimator.rank_.sum()
        return size + estimator.C + 10 * estimator.tau + estimator.dual_coef_.sum()

    flat = X if shape is None else X.reshape(len(X), -1)
    cv = [*StratifiedKFold(3).split(X, y)]
    options = {"shape": shape, "tol": 1e-9}
    machine = SupportMatrixMachineCV(
        [0.5], [0.1], cv=cv, scoring=scorer, cv_tol=1e-9, **options
    ).fit(flat, y)
    grid = GridSearchCV(SupportMatrixMachine(0.5, 0.1, **options), {}, scoring=scorer, cv=cv)
    theirs = grid.fit(flat, y).cv_results_
    for k, score in enumerate(machine.scores_[:, 0, 0]):
        assert score == pytest.approx(theirs[f"split{k}_test_score"][0], rel=1e-9)


def test_its_score_is_the_metric_that_it_chose_by():
    X, y = samples()
    machine = SupportMatrixMachineCV([0.5], [0.1], cv=3, scoring="balanced_accuracy").fit(X, y)
    weights = np.arange(60.0)
    for counts in ({}, {"sample_weight": weights}):
        expected = balanced_accuracy_score(y, machine.predict(X), **counts)
        assert machine.score(X, y, **counts) == expected
    assert machine.score(X, y) != (machine.predict(X) == y).mean()
    machine.set_params(scoring=None)
    assert machine.score(X, y) == (machine.predict(X) == y).mean()


@pytest.mark.parametrize("routing", [False, True])
def test_a_generator_of_folds_is_used_up_by_the_fit_alone(routing):
    X, y = samples()
    folds = [*StratifiedKFold(3).split(X, y)]
    machine = SupportMatrixMachineCV([0.5], [0.1], cv=iter(folds))
    with config_context(enable_metadata_routing=routing):
        machine.get_metadata_routing()
        assert len(machine.fit(X, y).scores_) == 3


GROUPS = np.arange(40) % 5


def test_groups_reach_the_splitter():
    X, y = samples(n=40)
    machine = SupportMatrixMachineCV([0.5], [0.5, 0.1], cv=GroupKFold(3)).fit(X, y, groups=GROUPS)
    folds = [*GroupKFold(3).split(X, y, GROUPS)]
    given = SupportMatrixMachineCV([0.5], [0.5, 0.1], cv=folds).fit(X, y)
    np.testing.assert_array_equal(machine.scores_, given.scores_)
    with config_context(enable_metadata_routing=True):  # through a pipeline as well
        pipeline = make_pipeline(MatrixScaler(), SupportMatrixMachineCV(**given.get_params()))
        pipeline.set_params(supportmatrixmachinecv__cv=GroupKFold(3)).fit(X, y, groups=GROUPS)
    np.testing.assert_array_equal(pipeline[-1].scores_, given.scores_)
    with pytest.raises(ValueError, match="'rows'"):
        machine.fit(X, y, groups=GROUPS, rows=GROUPS)


def test_weights_reach_the_scorer_only_if_it_requests_them():
    X, y = samples(n=40)
    weights = 1.0 + np.arange(40) % 3
    plain = SupportMatrixMachineCV([0.5], [0.5, 0.1], cv=3).fit(X, y, weights)
    with config_context(enable_metadata_routing=True):
        found = []
        for requested in (True, False):
            scorer = get_scorer("accuracy").set_score_request(sample_weight=requested)
            machine = SupportMatrixMachineCV([0.5], [0.5, 0.1], cv=3, scoring=scorer)
            machine.set_fit_request(sample_weight=True)
            found.append(machine.fit(X, y, sample_weight=weights).scores_)
    np.testing.assert_array_equal(found[0], plain.scores_)
    folds = [test for _, test in StratifiedKFold(3).split(X, y)]
    counted = found[1] * [[[len(test)]] for test in folds]  # of whole samples
    np.testing.assert_allclose(counted, np.round(counted))


def test_noise_gives_w_zero_with_a_warning_that_names_the_cause():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 3, 3)), np.arange(40) % 4 == 0
    with pytest.warns(RuntimeWarning, match="no smaller tau scored higher by more than one stan"):
        machine = SupportMatrixMachineCV(Cs=2, n_taus=4).fit(X, y)
    assert machine.tau_ == machine.taus_[0, 0]


def test_solutions_of_the_search_that_miss_tol_are_counted():
    X, y = samples()
    with pytest.warns(ConvergenceWarning) as caught:
        SupportMatrixMachineCV([0.5], [0.2, 0.1], cv=3, cv_tol=1e-12, tol=1e-12, max_iter=2).fit(
            X, y
        )
    messages = [str(warning.message) for warning in caught]
    assert messages[0].startswith(
        "6 of 6 solutions of the cross-validation did not reach cv_tol=1e-"
    )
    assert messages[1].startswith("The relative duality gap is")
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"Cs": []}, r"Cs must be a list of at least one number, .* shape \(0,\)"),
        ({"Cs": 0}, "'Cs' parameter"),
        ({"scoring": "fastest"}, "'scoring' parameter"),
        ({"cv": ShuffleSplit(1)}, 'rule="one-standard-error" needs at least two folds, got 1'),
        ({"cv": [([*range(60)], []), ([*range(60)], [0])]}, "test set of fold 1 is empty: choose"),
        ({"cv": KFold(2)}, "training set of fold 2 has no sample of class a: choose other folds"),
        ({"scoring": "neg_log_loss"}, "scoring='neg_log_loss' needs probabilities, which"),
        ({"scoring": lambda *_: np.nan}, "scoring must give finite scores, got NaN"),
    ],
)
def test_an_argument_out_of_range_has_a_sentence(changes, sentence):
    X, y = samples()
    order = np.argsort(y)[::-1] if isinstance(changes.get("cv"), KFold) else slice(None)
    machine = SupportMatrixMachineCV([0.5], [0.5], cv=2).set_params(**changes)
    with pytest.raises(ValueError, match=sentence):
        machine.fit(X[order], np.sort(y)[::-1] if isinstance(order, np.ndarray) else y)
