"""Robustness: its two experiments, and the page."""

from dataclasses import replace

import numpy as np
import pytest

from pages.effects.robustness import runs as robustness
from pages.effects.robustness.runs import (
    START,
    VALIDATION_NOISE,
    noise_axis,
)
from pages.shared.methods import PAPER_METHODS
from pages.shared.noise import (
    NOISES,
    RULES,
    accuracies,
    choose_weight,
    fit,
    fold_of,
    in_unit,
    strengths,
)
from pages.shared.numbers import percent
from pages.shared.parts import downloads
from pages.shared.parts.prose import SCALING_TEXTS
from tests.pages.runs import NOISE, VALIDATION, load_stored, run_to_the_end
from tests.pages.visit import players, take_home, turn, visit, words


def parts_of(run):
    """Both parts of the data of a validation, in its unit."""
    train, test = run.data.parts()
    X, X_test = in_unit(run.unit, train.X, test.X)
    return X, train.y, X_test, test.y


def test_validation_has_the_accuracies_of_machines_fitted_fold_by_fold():
    run = replace(VALIDATION, unit="unit variance", count=2)
    curves, (X, y, *_) = run_to_the_end(run).metrics, parts_of(run)
    fold, rows = fold_of(y, run.folds), []
    for weights in strengths(run.count):
        right = np.zeros(len(PAPER_METHODS))
        for k in range(run.folds):
            train, kept = fold != k, fold == k
            machines = [fit(method, X[train], y[train], weights) for method in PAPER_METHODS]
            right += [machine.accuracy(X[kept], y[kept]) * kept.sum() for machine in machines]
        rows.append([*weights, *right / len(y)])
    expected = [
        [row["c"], row["share"], *(row[method] for method in PAPER_METHODS)] for row in curves
    ]
    np.testing.assert_allclose(rows, expected, atol=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_noise_has_the_accuracies_of_machines_fitted_at_the_chosen_weights(noise):
    run = replace(NOISE, noise=noise, salt=0.3)
    X, y, X_test, y_test = parts_of(VALIDATION)
    weights = [strengths(VALIDATION.count)[i] for i in run.chosen]
    machines = [
        fit(method, X, y, each) for method, each in zip(PAPER_METHODS, weights, strict=True)
    ]
    distances = [np.median(m.margins(X_test, y_test)) for m in machines]
    rows = []
    for number, level in enumerate(run.levels):
        options = {"salt": run.salt, "repetitions": run.repetitions, "random_state": [0, number]}
        shares = accuracies(machines, X_test, y_test, noise, level, **options)
        exact = [
            m.exact_accuracy(X_test, y_test, level) if noise == "Gaussian" else np.nan
            for m in machines
        ]
        means, deviations = shares.mean(axis=0), shares.std(axis=0, ddof=1)
        rows.append([level, *means, *deviations, *exact, *distances])
    kinds = "", "sd_", "exact_", "distance_"
    names = ["level", *(kind + method for kind in kinds for method in PAPER_METHODS)]
    curves = run_to_the_end(run).metrics
    np.testing.assert_allclose(rows, [[row[name] for name in names] for row in curves])


@pytest.mark.parametrize("noise", NOISES)
def test_levels_of_noise_stand_at_their_true_places(noise):
    run = replace(NOISE, noise=noise)
    axis, levels = noise_axis(run), np.array(run.levels)
    at, ticks = np.array(axis.at), axis.ticks
    assert (at[0], at[-1]) == (0, 1)
    true = np.log(levels[1:]) if noise == "Gaussian" else levels[1:]
    steps = np.diff(at[1:]) / np.diff(true)
    np.testing.assert_allclose(steps, steps[0])
    assert ticks[-1] == (1.0, f"{levels[-1]:g}")
    places = dict(zip((f"{level:g}" for level in levels), at, strict=True))
    assert all(place == places[text] for place, text in ticks)


def test_download_holds_the_machine_of_each_method():
    arrays = robustness.model_arrays(NOISE, run_to_the_end(NOISE).certificate)
    X, y, *_ = parts_of(VALIDATION)
    for method, number in zip(PAPER_METHODS, NOISE.chosen, strict=True):
        machine = fit(method, X, y, VALIDATION.weights[number])
        np.testing.assert_array_equal(arrays[f"W_{method}"], machine.W)
        assert arrays[f"b_{method}"] == machine.b
    assert downloads.to_npz(arrays)
    assert downloads.to_mat(arrays)


@pytest.fixture
def lesson(contents, monkeypatch):
    """The page, with a smaller setting."""
    monkeypatch.setitem(robustness.FIGURE_2, "Small", VALIDATION)
    return contents


def opened(contents, **query):
    """Open the lesson at an address, and wait for both of its runs."""
    return visit(contents, "robustness", "robustness: validation", "robustness", **query)


def test_page_names_an_edge_of_the_grid_and_then_shows_the_noise(lesson):
    opened(lesson)
    assert not lesson.error
    assert len(players(lesson)) == 2
    end = lesson.session_state["robustness"].frames.metrics
    at = end[end["level"] == VALIDATION_NOISE][0]
    assert f"exact | {percent(at['exact_lsvm'])} |" in words(lesson)
    assert f"solid: typical distance | {at['distance_lsvm']:.2f} |" in words(lesson)
    models = {"smm_robustness_models.npz", "smm_robustness_models.mat"}
    assert {"smm_validation_trace.csv", "smm_robustness_trace.csv", *models} <= take_home(lesson)
    experiment = lesson.session_state["robustness"].experiment
    edges = {0: "strongest", experiment.validation.count - 1: "weakest"}
    told = "".join(warning.value for warning in lesson.warning)
    for method, number in zip(PAPER_METHODS, experiment.chosen, strict=True):
        edge = f"{PAPER_METHODS[method].label} (the {edges.get(number)})"
        assert (edge in told) == (number in edges)
    assert told


def test_page_opens_with_stored_runs_in_which_the_strength_decides():
    """As the question, its answers and the first exercise say."""
    validation, curves = load_stored(START.validation).metrics, run_to_the_end(START).metrics
    held, samples = (
        {name: validation[name] for name in PAPER_METHODS},
        int(validation["samples"][0]),
    )
    for rule, numbers in zip(RULES, (START.chosen, START.against), strict=False):
        assert tuple(choose_weight(rule, held[name], samples) for name in PAPER_METHODS) == numbers
    solid, dashed = (
        np.array([curves[prefix + name] for name in PAPER_METHODS]) for prefix in ("", "against_")
    )
    assert np.ptp(solid[:, 0]) < 0.01  # clean samples
    some = (curves["level"] >= 0.1) & (curves["level"] <= 0.3)
    assert (solid > dashed)[:, some].all()
    assert (solid - dashed)[0, some].min() > 0.1  # of the linear SVM
    assert np.ptp(solid[:, some], axis=0).max() < 0.02  # the classifiers are close
    at = dashed[:, list(curves["level"]).index(0.3)]
    assert at[0] == pytest.approx(0.62, abs=0.01)
    assert ((at[1:] > 0.705) & (at[1:] < 0.775)).all()
    assert dashed[:, 0].argmin() == at.argmin() == 0
    far, near = (
        np.array([curves[-1][prefix + name] for name in PAPER_METHODS])
        for prefix in ("distance_", "against_distance_")
    )
    assert np.ptp(far) < 0.1 * far.min()  # as the table says: why the solid curves meet
    assert (near < far).all()


def test_rule_changes_the_noise_and_not_the_validation_and_the_text_follows(lesson):
    opened(lesson, noise="salt and pepper", salt="0.3", unit="unit variance")
    assert "It moves ⟨W, X⟩ only by the entries that it hits" in words(lesson)
    assert "typical distance" not in words(lesson)
    assert f"Features: {SCALING_TEXTS['unit variance']}" in words(lesson)
    validation, run = (
        lesson.session_state[slot] for slot in ("robustness: validation", "robustness")
    )
    assert (run.experiment.noise, run.experiment.salt) == ("salt and pepper", 0.3)
    turn(lesson, "robustness_tie", RULES[1])
    assert lesson.session_state["robustness: validation"] is validation
    curves = validation.frames.metrics
    expected = tuple(choose_weight(RULES[1], curves[method], 40) for method in PAPER_METHODS)
    assert lesson.session_state["robustness"].experiment.chosen == expected
