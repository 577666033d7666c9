"""The lesson "Your data": a result at once, all machines beside each other, files to take home."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import loadmat

from pages.shared.algorithm1 import QUICK
from pages.shared.data.bundled import Digits
from pages.shared.data.samples import spool
from pages.shared.engine.worker import advance
from pages.shared.parts import downloads
from pages.shared.widgets import recipe
from pages.your_data.results.report import machine_arrays, method_predictions
from pages.your_data.results.trial_results import TrialResults
from pages.your_data.runs import SplitRequest, TrialExperiment, split_samples
from pages.your_data.trial import trial as trial_module
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import NAMES, MethodSpec, Trial
from tests.files.make import mat
from tests.pages.visit import (
    components,
    control_settings,
    finish,
    link,
    notes,
    set_address,
    shown,
    turn,
)
from tests.pages.your_data.lesson import (
    button,
    digits,
    finish_runs,
    go_and_come_back,
    labels_of,
    numbers,
    open_file,
    open_lesson,
    texts,
    upload,
)

X, Y = digits(1, 7)
SUBJECT = np.repeat(np.arange(6), 10)


@pytest.fixture
def page(contents):
    """The page with the trial of its default settings."""
    return open_lesson(contents)


def experiment(page):
    return page.session_state["your data"].experiment


def columns_around_W(page):
    """Return the number of columns, one in another, in which the W of all methods are."""
    figures = [
        [
            json.loads(chart.proto.spec)["layout"]["title"]["text"]
            for chart in each.get("plotly_chart")
        ]
        for each in page.columns
    ]
    return sum("W, positive: 8" in titles for titles in figures)


def test_the_page_opens_with_all_machines_trained_and_tested_on_digits(page):
    found = numbers(page)
    assert list(found) == [*NAMES.values(), "Majority rate"]
    assert all(float(found[name].rstrip(" %")) > 95 for name in NAMES.values())
    assert float(found["Majority rate"].rstrip(" %")) < 55
    assert experiment(page).data == Digits()
    table = page.dataframe[0].value.set_index("")
    assert list(table) == list(NAMES.values())
    assert table.loc["accuracy"].tolist() == [found[name] for name in NAMES.values()]
    assert table.loc["correct"].str.endswith(" of 108").all()
    assert table.loc["largest relative gap"].str.fullmatch(r"10⁻\S+|\d × 10⁻\S+").all()
    assert not page.error
    turn(page, "yours_machine", "lsvm")
    assert "The linear SVM makes no mistake on these test samples." in texts(page.caption)
    # Large letters need the width: only beside the controls are the results in a column.
    assert columns_around_W(page) == 2
    set_address(page, {"present": "1"})
    assert columns_around_W(page) == 1
    (question,) = components(page, "question")
    assert question["question"].startswith(f"The SMM is one of {len(found) - 1} classifiers")


def test_only_a_file_that_is_read_has_results_which_survive_a_visit_elsewhere(page):
    def results():
        kinds = ("dataframe", "plotly_chart", "download_button", "code")
        return [kind for kind in kinds if page.get(kind)]

    assert len(results()) == 4
    turn(page, "yours_tau_rel", 0.1)
    turn(page, "yours_source", "My file")
    assert results() == []
    upload(page, b"", "bad.mat")
    assert page.error[0].value == "The file is empty."
    assert results() == []
    assert any("The results appear here" in each.value for each in page.info)
    assert shown(page, "yours_tau_rel") == "10.0%"
    upload(page, mat(X=X, y=Y))
    assert len(results()) == 4
    assert experiment(page).trial.specs[3].share == 0.1
    before = numbers(page)
    assert numbers(go_and_come_back(page)) == before
    assert shown(page, "yours_tau_rel") == "10.0%"


def test_several_classes_folds_and_methods_are_tried_and_the_link_tells_which_are_shown(
    contents, other
):
    query = {"digits": ["0", "1", "2"], "kind": "k folds", "folds": "2"}
    page = open_lesson(contents, trained=["linear SVM", "SMM"], **query)
    assert list(numbers(page)) == ["linear SVM", "SMM", "Majority rate"]
    assert "Mean over 2 folds" in texts(page.caption)
    assert "Each class is trained against the rest" in texts(page.caption)
    table = page.dataframe[0].value.set_index("")
    for method in ("linear SVM", "SMM"):
        _, _, deviation = table.loc["accuracy", method].partition(" ± ")
        count, interval = table.loc["correct", method], table.loc["Wilson's 95 % interval", method]
        assert deviation
        assert interval.endswith("\u00a0%")
        assert count.endswith(" of 537")  # each sample once
    tested = page.session_state["your data"].frames.certificate
    assert [len(one.W) for one in tested] == [3] * 4

    turn(page, "yours_shown_split", 2)
    turn(page, "yours_shown_class", "2")
    titles = "W, 2 against the rest"
    assert titles in str([chart.proto.spec for chart in page.get("plotly_chart")])
    restored = {key.removeprefix("yours_"): value for key, value in link(page).items()}
    again = open_lesson(other, **restored)
    assert shown(again, "yours_shown_split") == "2"
    assert shown(again, "yours_shown_class") == "2"


def test_weights_are_chosen_by_cross_validation(contents):
    page = open_lesson(contents, trained="linear SVM", weights="By cross-validation")
    finish(page.session_state["your data: search"])
    page.run()
    assert page.session_state["your data: search"].experiment.trial.search
    assert "Weights and scaling by cross-validation within each training" in texts(page.caption)
    table = page.dataframe[0].value.set_index("")["linear SVM"]
    assert float(table["cross-validated"].rstrip(" %")) > 95


def test_a_class_whose_mean_lies_in_the_other_is_named_with_the_reason_and_as_it_is_written(
    contents,
):
    around = np.eye(4)[np.arange(24) % 4].reshape(24, 2, 2) * np.repeat([1, -1], 12)[:, None, None]
    inner = 0.01 * np.random.default_rng(0).standard_normal((12, 2, 2))
    samples = np.concatenate([around, inner])
    page = open_file(contents, mat(X=samples, y=np.repeat([1.0, 2.0], [24, 12])), trained="SMM")
    assert "W = 0 is optimal for these two classes" in texts(page.caption)
    names = np.repeat(["<i>one", "two", "*n* $z$ <b>"], 12).astype(object)
    upload(page, mat(X=samples, y=names))
    said = " ".join(caption.value for caption in page.caption)
    assert r"W = 0 is optimal for \*n\* \$z\$ \<b\> against the rest" in said


def test_groups_of_a_file_are_kept_apart_at_once(contents):
    page = open_file(contents, mat(X=X, y=Y, subject=SUBJECT), trained="linear SVM")
    assert experiment(page).trial.scheme.by == "group"
    assert not page.warning
    turn(page, "yours_source", "Digits")
    assert experiment(finish_runs(page)).trial.scheme.by == "class"
    turn(page, "yours_kind", "k-fold")
    upload(page, mat(X=X[:59], y=Y[:59], subject=SUBJECT[:59]))
    scheme = experiment(page).trial.scheme  # its kind as it was chosen
    assert (scheme.kind, scheme.by) == ("k-fold", "group")
    turn(page, "yours_by", "class")
    assert "split by group" in texts(finish_runs(page).warning)
    upload(page, mat(X=X[:58], y=Y[:58], subject=SUBJECT[:58]))
    assert experiment(page).trial.scheme.by == "class"  # as it was chosen, too
    assert "split by group" in texts(page.warning)


def test_labels_that_seem_to_be_placeholders_can_be_declared_real(contents):
    parts = {"x_train": X[:42], "y_train": Y[:42], "x_test": X[42:], "y_test": np.full(18, 9.0)}
    page = open_file(contents, mat(**parts), trained="SMM")
    assert "42 samples of 8 × 8" in texts(page.markdown)
    button(page, "These are real labels").click()
    page = finish_runs(page.run())
    assert "18 are the file's own test set" in texts(page.markdown)
    assert "leave out 9, or number both alike" in texts(page.error)


def test_how_a_link_tests_waits_for_the_file_that_it_is_for(contents):
    late = np.arange(60) >= 40
    file = mat(X=X, y=Y, subject=SUBJECT, usage=np.where(late, "test", "training"))
    page = open_file(contents, file, trained="linear SVM", kind="k folds", by="At random")
    assert experiment(page).trial.scheme == Scheme("k-fold", number=5)
    set_address(page, {"yours_kind": None, "yours_by": None})
    assert experiment(finish_runs(page)).trial.scheme == Scheme("own")


def test_what_the_address_says_of_other_data_is_replaced_by_the_default_and_said(contents):
    def file(*names, **rest):
        return mat(X=X, y=np.array(names, dtype=object)[np.arange(60) % 3], **rest)

    trained = ["linear SVM", "SMM"]
    first = file("a", "b", "c", usage=np.where(np.arange(60) < 40, "training", "test"))
    page = open_file(contents, first, trained=trained, shown_class="b", kind="The file's own")
    assert not notes(page)
    turn(page, "yours_machine", "lsvm")
    upload(page, file("d", "e", "f"))
    assert notes(page) == [
        "The address sets Test to The file's own, which is not available. Using Hold out 30 %.",
        "The address sets W of class to b, which is not available. Using d.",
    ]
    assert experiment(page).trial.scheme == Scheme()
    assert (shown(page, "yours_kind"), shown(page, "yours_shown_class")) == ("Hold out 30 %", "d")
    set_address(page, {"yours_kind": "k folds", "yours_shown_split": "5"})
    assert not any("Split" in each for each in notes(finish_runs(page)))
    set_address(page, {"yours_folds": "2", "yours_trained": "SMM"})
    assert notes(finish_runs(page)) == [
        "The address sets Classifier to linear SVM, which is not available. Using SMM.",
        "The address sets Split to 5, which is not available. Using 2.",
        "The address sets W of class to b, which is not available. Using d.",
    ]
    assert numbers(page)["SMM"]


def test_the_address_sets_the_choices(contents):
    kept = {"rows": "2-7", "average": "3", "balanced": "true", "digits": ["1", "7"], "times": "4"}
    query = kept | {"C_rel": "5", "tau_rel": "5.0%", "scaled": "Each sample"}
    page = open_lesson(contents, trained=["linear SVM", "SMM"], **query)
    trial = experiment(page).trial
    assert experiment(page).data == Digits((1, 7))
    assert (trial.scheme, trial.class_weight) == (Scheme(number=4), "balanced")
    assert trial.specs == (MethodSpec("lsvm", 5.0), MethodSpec("smm", 5.0, share=0.05))
    assert trial.preprocessing == Preprocessing(rows=(1, 7), blocks=(3, 3), each=True)
    tested = page.session_state["your data"].frames.certificate
    assert tested[0].W.shape == (1, 2, 2)
    assert "Some samples (2 × 2). After these steps. " in texts(page.caption)
    assert "rows 2 to 7, means of blocks of 3 × 3, each sample standardised" in texts(page.caption)
    restored = control_settings(page)
    kept |= {"C_rel": "5", "tau_rel": "0.05", "scaled": "each sample"}
    assert all(restored[f"yours_{key}"] == value for key, value in kept.items())
    assert not set(link(page)) & set(recipe.control_values(QUICK))


def test_downloads_carry_the_name_of_the_data_and_nothing_hostile():
    assert downloads.file_stem("../<b>faces $x$ of 2") == "b_faces_x_of_2"
    assert downloads.file_stem("digits 3 8") == "digits_3_8"
    assert downloads.file_stem("\u202e$$$") == "data"


def judged(trial, X, y):
    """What the page makes of a trial of samples that somebody brought."""
    experiment = TrialExperiment(spool(X, y), trial)
    tested = advance(experiment, None, 1e3).certificate
    train_test = split_samples(SplitRequest(experiment.data, trial.scheme))
    classes = experiment.data.prepare().classes
    names = [str(label) for label in classes]
    return TrialResults(experiment, train_test, tested, classes, names, np.arange(len(y)) + 100)


@pytest.fixture(scope="module")
def two_splits():
    """Results of two methods on two splits."""
    machines = MethodSpec("lsvm", 10.0), MethodSpec("smm", 10.0, share=0.05)
    return judged(Trial(machines, scheme=Scheme(number=2)), X, Y)


def model_file(results, machine):
    return downloads.to_mat(machine_arrays(results, machine, SampleForm()))


@pytest.mark.parametrize(
    ("classes", "scaling"),
    [(("a", "b"), "none"), (("a", "b"), "z-score"), (("a", "b", "c"), "unit length")],
)
def test_predictions_and_the_model_say_the_same_in_the_units_of_the_file(scaling, classes):
    images, y = digits(*range(len(classes)), count=90)
    labels = np.array(classes)[y]
    if scaling != "none":  # with gaps, which are filled in
        images[::7, 2, 3], images[:, 0, 0], images[4] = np.nan, np.nan, np.nan
    machines = MethodSpec("lsvm", 10.0), MethodSpec("smm", 10.0, share=0.05)
    found = judged(Trial(machines, scaling, Scheme(number=2)), images, labels)
    table = [*csv.DictReader(io.StringIO(method_predictions(found, "smm").decode()))]
    assert [line["split"] for line in table] == ["1"] * 27 + ["2"] * 27
    right = [line["label"] == line["prediction"] for line in table]
    assert sum(right) == sum(one.is_right.sum() for one in found.machines["smm"])

    model = Machine.from_result(found.machines["smm"][0], found.classes)
    for line in table[:27]:
        sample = images[[int(line["sample"]) - 101]]
        (decision,) = model.decision(sample)
        name = "decision_value" if len(classes) == 2 else "decision_value a"
        assert float(line[name]) == pytest.approx(decision[0], abs=1e-9)
        assert line["prediction"] == labels_of(model, sample).item()


def test_a_stopped_trial_is_judged_by_what_it_has_tested(two_splits):
    lsvm, smm = two_splits.machines["lsvm"], two_splits.machines["smm"]
    some = replace(two_splits, tested=[*lsvm, smm[0]])
    assert len(some.evaluations["lsvm"].scores) == 2
    assert some.evaluations["smm"].scores == two_splits.evaluations["smm"].scores[:1]
    told = "different numbers of splits (linear SVM 2, SMM 1)"
    assert [told in each.warnings()[-1] for each in (some, two_splits)] == [True, False]
    assert [*replace(two_splits, tested=lsvm).machines] == ["lsvm"]  # to be looked at
    # The majority rate is that of the tests.
    one = replace(two_splits, tested=[lsvm[0], smm[0]])
    y = two_splits.train_test.y[two_splits.train_test.splits[0][1]]
    assert one.majority_rate == np.bincount(y).max() / len(y)


def test_the_model_names_its_trial(two_splits):
    told = loadmat(io.BytesIO(model_file(two_splits, two_splits.tested[0])))["trial"].item()
    assert eval(told, vars(trial_module)) == two_splits.experiment.trial
