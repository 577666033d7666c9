"""Your data with a target of numbers: a trial of regression instead of classifiers."""

import csv
import io
import re
from html import escape
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import r2_score

from pages.shared.data.uploads import spool
from pages.shared.engine.slices import advance
from pages.shared.numbers import scientific
from pages.shared.parts import downloads
from pages.your_data.regression.html_report import make_report
from pages.your_data.regression.results import (
    RegressionResults,
    ResidualSamples,
    estimate_ratio,
    model_arrays,
    prediction_table,
)
from pages.your_data.regression.runs import RegressionRun, split_target
from pages.your_data.runs import SplitRequest
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.regression_machine import RegressionMachine
from pages.your_data.trial.regression_trial import RegressionTrial
from pages.your_data.trial.splits import Scheme
from tests.files.make import mat
from tests.pages.visit import link
from tests.pages.your_data.lesson import button, finish_runs, numbers, open_file, texts, upload

SLOT = "your data: regression"
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 6, 5))
Y = 20 + np.tensordot(X, np.outer(RNG.normal(size=6), RNG.normal(size=5)), 2)
Y += 0.5 * RNG.normal(size=60)
GIVEN = RegressionTrial(lam=0.05, ridge=0.01)
WITHOUT_SEARCH = {"target_weights": "Given"}


def results_of(experiment):
    data = experiment.data
    parts = split_target(SplitRequest(data, experiment.trial.scheme))
    tested = advance(experiment, None, 600.0).certificate
    return RegressionResults(experiment, parts, tested, np.arange(data.shape[0]))


def test_a_target_leads_to_a_trial_of_regression(contents):
    page = open_file(contents, mat(X=X, y=Y))
    assert "60 samples of 6 × 5**, from X; **real-valued target** y, " in texts(page.success)
    assert "The trial: regression" in texts(page.header)
    assert list(numbers(page)) == ["R², nuclear norm", "R², ridge", "R², mean"]
    run = page.session_state[SLOT]
    assert run.experiment.trial == RegressionTrial(scheme=Scheme(by="chance"))
    data = run.experiment.data.prepare()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.classes[data.y], Y)
    last = {one.method: one for one in run.frames.certificate}
    assert numbers(page)["R², nuclear norm"][:4] == f"{last['trace'].r2:.3f}"[:4]
    table = page.dataframe[0].value.set_index("")
    assert list(table) == ["nuclear norm", "ridge", "mean"]
    assert table.loc["rank of W", "nuclear norm"] == str(last["trace"].rank)
    assert table.loc["test samples"].tolist() == ["18"] * 3
    # Samples; scatter, search; W, singular values; residuals.
    assert len(page.get("plotly_chart")) == 6
    labels = [each.label for each in page.get("download_button")]
    assert labels[:3] == ["Save the trial (.json)", "Report (.html)", "Predictions (.csv)"]
    assert not page.error
    assert not [each for each in page.toggle if each.label.startswith("Take the")]
    page.segmented_control(key="yours_regression").set_value("mean").run()
    assert not page.exception
    assert len(page.get("plotly_chart")) == 3


def test_settings_and_a_link_lead_to_the_same_trial(contents, other):
    page = open_file(contents, mat(X=X, y=Y))
    page.segmented_control(key="yours_target_weights").set_value("Given").run()
    page.selectbox(key="yours_lam_target").set_value(0.2)
    page.segmented_control(key="yours_kind").set_value("k-fold")
    page.segmented_control(key="yours_scaled").set_value("z-score")
    page.text_input(key="yours_rows").set_value("1-4").run()
    finish_runs(page)
    trial = page.session_state[SLOT].experiment.trial
    steps = Preprocessing(rows=(0, 4))
    assert trial == RegressionTrial(
        0.2, 0.01, "z-score", Scheme("k-fold", "chance", 5), preprocessing=steps
    )
    assert page.dataframe[0].value.set_index("").loc["test samples", "ridge"] == "60"
    settings = {key.removeprefix("yours_"): value for key, value in link(page).items()}
    again = open_file(other, mat(X=X, y=Y), **settings)
    assert again.session_state[SLOT].experiment.trial == trial


def test_classes_come_first_if_their_name_is_likelier_and_the_target_can_be_chosen(contents):
    page = open_file(
        contents, mat(X=X, gnd=np.arange(60) % 2, score=Y), trained="linear SVM", **WITHOUT_SEARCH
    )
    assert "labels gnd, **2 classes**" in texts(page.success)
    (labels,) = (each for each in page.selectbox if each.label == "Labels")
    labels.set_value(("", "score")).run()
    assert "real-valued target** score" in texts(page.success)
    upload(page, mat(X=X, subject=np.arange(60) // 5, score=Y), "other.mat")
    assert "real-valued target** score, " in texts(page.success)
    assert "12 groups, subject" in texts(page.success)
    assert page.session_state[SLOT].experiment.trial.scheme.by == "group"
    assert "one standard error over groups" in texts(page.caption)
    button(page, "labels by subject").click().run()
    assert "labels subject, **12 classes**" in texts(page.success)


@pytest.mark.parametrize(
    ("variables", "before", "toggle", "after"),
    [
        (
            {"y": np.tile(np.arange(40) / 4, 2)[:60]},
            "real-valued target** y",
            "Take the 40 values as classes",
            "labels y, **40 classes**",
        ),
        (
            {"age": 20 + np.arange(60) // 4},
            "labels age, **15 classes**",
            "Take the 15 labels as numbers",
            "real-valued target** age, 20 to 34",
        ),
        (
            {"y": 1000 * np.arange(60) % 37},  # whole numbers: its name says that it is a target
            "real-valued target** y",
            "Take the 37 values as classes",
            "labels y, **37 classes**",
        ),
    ],
)
def test_few_values_can_be_taken_as_classes_and_many_whole_numbers_as_a_target(
    contents, variables, before, toggle, after
):
    page = open_file(contents, mat(X=X, **variables), trained="linear SVM", **WITHOUT_SEARCH)
    assert before in texts(page.success)
    (control,) = (each for each in page.toggle if each.label == toggle)
    assert not control.set_value(True).run().exception
    assert after in texts(page.success)
    if "target" in after:
        assert list(numbers(finish_runs(page))) == ["R², nuclear norm", "R², ridge", "R², mean"]


def test_missing_numbers_of_samples_and_target_have_a_remedy(contents):
    y, holes = Y.copy(), X.copy()
    y[[3, 7]] = np.nan, np.inf
    holes[::9, 2, 3] = np.nan
    page = open_file(contents, mat(X=X, y=y), **WITHOUT_SEARCH)
    button(page, "Leave these samples out").click().run()
    assert page.session_state[SLOT].experiment.data.shape == (58, 6, 5)
    upload(page, mat(X=holes, y=Y))
    finish_runs(button(page, "Fill in means").click().run())
    assert page.session_state[SLOT].frames.certificate[-1].scaling.fill is not None


def test_a_target_that_cannot_be_used_gets_a_sentence(contents):
    page = contents
    for variables, sentence in (
        ({"y": np.full(60, 3.5)}, "Every label in 'y' is 3.5; there must be two classes or more."),
        ({"y": 1e300 * Y}, "The largest number of the target is"),
        ({"y": 1e-300 * Y}, "it must be finite and between 1e-40 and 1e+40."),
        ({"y": Y + 1j}, "'y' holds complex numbers; labels must be real or text."),
        ({"y": Y, "X": np.ones_like(X)}, "All samples are equal: there is nothing to learn."),
        ({"y": Y, "X": 1e-50 * X}, "it must be between 1e-40 and 1e40."),
    ):
        page = open_file(page, mat(**({"X": X} | variables)))
        assert sentence in texts(page.error)
        assert SLOT not in page.session_state
    upload(page, mat(X=X, y=Y), "good.mat")  # a file that can be used comes next
    assert not page.error


def test_a_training_part_that_is_constant_or_of_two_groups_gets_a_sentence(contents):
    y = np.where(np.arange(60) < 25, 1.5, Y)
    own = 1.0 * (np.arange(60) >= 25)
    page = open_file(contents, mat(X=X, y=y, is_test=own), **WITHOUT_SEARCH)
    assert page.session_state[SLOT].experiment.trial.scheme.kind == "own"
    assert "1.5, up to rounding, in all 25 samples of a training part" in texts(page.error)
    page.segmented_control(key="yours_kind").set_value("hold-out").run()
    finish_runs(page)
    assert not page.error
    page.segmented_control(key="yours_target_weights").set_value("By cross-validation").run()
    upload(page, mat(X=X, y=Y, subject=np.arange(60) // 30))
    assert "without a fold the training part is empty" in texts(page.error)
    page.segmented_control(key="yours_target_weights").set_value("Given").run()
    finish_runs(page)
    assert not page.error
    assert len(numbers(page)) == 3


def test_settings_that_were_seen_on_test_samples_are_counted_and_the_test_part_locked(contents):
    page = open_file(contents, mat(X=X, y=Y), **WITHOUT_SEARCH)
    assert "You have seen" not in texts(page.caption)
    page.selectbox(key="yours_lam_target").set_value(0.2).run()
    seen = "You have seen the errors of 2 settings of a method on "
    assert f"{seen}these test samples" in texts(finish_runs(page).caption)
    page.selectbox(key="yours_ridge").set_value(1.0).run()  # two of ridge, two of the nuclear norm
    assert f"{seen}these test samples" in texts(finish_runs(page).caption)
    page.toggle(key="yours_locked").set_value(True)
    page.selectbox(key="yours_lam_target").set_value(0.5).run()
    lock = "samples of the test part that is locked now. The lock prevents more"
    assert f"{seen}{lock}" in texts(finish_runs(page).caption)
    assert page.session_state[SLOT].experiment.trial.scheme.locked
    assert "on validation samples" in texts(page.caption)
    page.segmented_control(key="yours_kind").set_value("k-fold").run()
    assert "No test part can be locked, because 5 folds" in texts(page.caption)


def test_r2_and_its_errors_are_those_of_the_definitions():
    data = spool(X, Y)
    results = results_of(RegressionRun(data, GIVEN))
    ((_, test),) = results.parts.splits
    trace = results.models["trace"][0]
    assert results.r2("trace").value == pytest.approx(r2_score(Y[test], trace.predicted))
    assert results.r2("trace").value == pytest.approx(trace.r2)
    assert results.rmse("trace").value == pytest.approx(trace.rmse)
    squares = (Y[test] - trace.predicted) ** 2
    error = squares.std(ddof=1) / np.sqrt(len(test)) / (2 * trace.rmse)
    assert results.rmse("trace").error == pytest.approx(error)
    gain = results.r2("trace").value - results.r2("mean").value
    assert results.advantage("mean").value == pytest.approx(gain)
    row, truth, predicted = results.worst("trace")[0]
    assert (truth - predicted) ** 2 == pytest.approx(squares.max())
    assert truth == Y[row]


def test_samples_of_a_group_count_as_one():
    values, ones = RNG.normal(size=40), np.ones(40)
    single = estimate_ratio(values, ones, np.arange(40))
    doubled = estimate_ratio(np.tile(values, 2), np.ones(80), np.tile(np.arange(40), 2))
    assert doubled == pytest.approx(single)
    assert np.isnan(estimate_ratio(values, ones, np.zeros(40, int)).error)
    assert np.isnan(estimate_ratio(values, 0 * ones, np.arange(40)).value)


def test_a_sample_that_is_tested_twice_counts_once():
    scheme = Scheme(by="chance", number=5)
    results = results_of(RegressionRun(spool(X, Y), RegressionTrial(0.05, 0.01, scheme=scheme)))
    rows, squares = results.squared_errors("ridge")
    assert len(rows) == len(np.unique(rows)) == len(squares)
    assert len(rows) > 40


@pytest.mark.parametrize(("method", "figures"), [("trace", 5), ("mean", 2)])
def test_the_report_has_the_numbers_figures_and_script_of_the_trial(method, figures):
    results = results_of(RegressionRun(spool(X, Y), RegressionTrial(ridge=0.01)))
    model = results.models[method][0]
    rows = [row for row, _, _ in results.worst(method)]
    samples = ResidualSamples(results.worst(method), X[rows], signed=True)
    run = SimpleNamespace(status="stopped")
    page = make_report(
        results, model, samples, run, "</h1><i>&", [("Seed", "<7>")], "Scaling: none."
    ).decode()
    assert "<h1>A trial of &lt;/h1&gt;&lt;i&gt;&amp;</h1>" in page
    assert f"<td>{results.r2('trace')}</td>" in page
    assert "stopped before its end" in page
    assert "Scaling: none." in page
    assert "<td>Seed</td><td>&lt;7&gt;</td>" in page
    assert len(re.findall("<figure>", page)) == figures
    assert escape(results.experiment.script()) in page
    weight = f"λ = {scientific(model.fit.weight, 3)}." if method == "trace" else "b = "
    assert weight in page


def test_predictions_and_model_are_those_of_the_trial():
    experiment = RegressionRun(spool(X, Y), RegressionTrial(0.05, 0.01, "z-score"))
    results = results_of(experiment)
    model = results.models["trace"][0]
    rows = list(csv.DictReader(io.StringIO(prediction_table(results, "trace").decode())))
    assert [float(row["prediction"]) for row in rows] == model.predicted.tolist()
    sample = int(rows[0]["sample"])
    assert float(rows[0]["target"]) == Y[sample - 1]
    for write in (downloads.to_mat, downloads.to_npz):
        machine = RegressionMachine.load(write(model_arrays(results, model)))
        assert machine.predict(X[[sample - 1]]) == pytest.approx(model.predicted[:1])
