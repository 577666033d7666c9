"""A saved trial: it comes back as it was, and a forged one gets a sentence."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from pages.shared.files import Layout
from pages.your_data.saved_trial import KIND, MAX_BYTES, SavedTrial, SourceFile, TrialFileError
from pages.your_data.trial.training import MethodSpec
from tests.files.make import mat
from tests.pages.your_data.lesson import (
    button,
    finish_runs,
    numbers,
    open_file,
    open_lesson,
    texts,
    upload,
)

DIGITS = load_digits()
TWO = np.isin(DIGITS.target, (1, 7))
X, Y = DIGITS.images[TWO][:60, :, 1:7], DIGITS.target[TWO][:60].astype(float)
FILE = SourceFile("mine.mat", "0" * 64)
LAYOUTS = [
    Layout(("X",), 0, labels="y"),
    Layout(("s.a", "s.b"), 2, (4, 3), "C", implied="variable", test=("s.c", "s.d")),
    Layout(("c",), 1, labels="c2", cells=(3, 1), missing="impute", groups="g", parts="p"),
    Layout(("X",), 0, implied="axis", class_axis=3, mean_over=1, sense="other places"),
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_saved_trial_comes_back_as_it_was(layout):
    settings = {"source": "My file", "trained": ["SMM", "R-GLM"], "C_abs": "1e-3 <b> é"}
    saved = SavedTrial(settings, (FILE, replace(FILE, name="../$x$.mat")), layout)
    assert SavedTrial.from_json(saved.to_json()) == saved
    assert SavedTrial.from_json(SavedTrial({}).to_json()) == SavedTrial({})


def test_sections_of_a_newer_version_are_ignored():
    sections = json.loads(SavedTrial({"kind": "own"}).to_json()) | {"notes": {"by": [1, None]}}
    assert SavedTrial.from_json(json.dumps(sections).encode()).settings == {"kind": "own"}


def forged(**sections):
    whole = {"kind": KIND, "version": 1, "settings": {}, "files": []}
    return json.dumps(whole | sections).encode()


GOOD = {"samples": ["X"], "axis": 0, "labels": "y"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is not JSON"),
        (b"\xff\xfe{}", "the file is not JSON"),
        (b"[" * 100_000, "the file is not JSON"),
        (b"1" * 5_000, "the file is not JSON"),
        (b"[]", "its kind must be"),
        (b'{"kind": "<script>"}', "its kind must be"),
        (b" " * (MAX_BYTES + 1), "at most 1 MB, got 1.0 MB"),
        (forged(version=2), "has version 2; this app reads version 1"),
        (forged(version=True), "has version True"),
        (forged(settings=[]), r"settings must be an object, got \[\]"),
        (forged(settings={"a b": "1"}), "A setting cannot be called 'a b'"),
        (forged(settings={"__class__": "1"}), "A setting cannot be called '__class__'"),
        (forged(settings={"seed": 1}), "setting seed must be a text of at most 300 letters, got 1"),
        (forged(settings={"seed": "1" * 301}), "must be a text of at most 300 letters"),
        (forged(settings={"seed": "\ud800"}), "must be a text of at most 300 letters"),
        (forged(settings={"seed": [["1"]]}), "must be a text of at most 300 letters"),
        (forged(settings={"seed": ["1"] * 1001}), "must be a list of at most 1,000"),
        (forged(files={}), "files must be a list of at most 1,000"),
        (forged(files=[1]), "A file must be an object, got 1"),
        (forged(files=[{"name": "x", "sha256": "../x"}]), "must be 64 hex digits, got '../x'"),
        (forged(files=[{"sha256": "0" * 64}]), "name of a file must be a text"),
        (forged(layout=[]), "layout must be an object"),
        (forged(layout={}), "must name the samples and their axis"),
        (forged(layout=GOOD | {"axis": -1}), "axis of the layout cannot be -1"),
        (forged(layout=GOOD | {"axis": True}), "axis of the layout cannot be True"),
        (forged(layout=GOOD | {"axis": 1e400}), "axis of the layout cannot be inf"),
        (forged(layout=GOOD | {"axis": 2**31}), "axis of the layout cannot be 2147483648"),
        (forged(layout=GOOD | {"shape": [1]}), r"shape of the layout cannot be \[1\]"),
        (forged(layout=GOOD | {"shape": "11"}), "shape of the layout cannot be '11'"),
        (forged(layout=GOOD | {"order": "K"}), "order of the layout cannot be 'K'"),
        (forged(layout=GOOD | {"order": ["F"]}), "order of the layout cannot be"),
        (forged(layout=GOOD | {"samples": "X"}), "samples of the layout cannot be 'X'"),
        (forged(layout=GOOD | {"labels": None}), "labels of the layout must be a text"),
    ],
)
def test_a_forged_file_gets_a_sentence(content, sentence):
    with pytest.raises(TrialFileError, match=sentence) as caught:
        SavedTrial.from_json(content)
    assert len(str(caught.value)) < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from([*Layout.__dataclass_fields__])


@given(JSON, JSON, st.dictionaries(NAMES, JSON | st.just(["X"]) | st.just(0)))
def test_whatever_a_file_holds_it_is_a_trial_or_a_sentence(settings, files, layout):
    content = forged(settings=settings, files=files, layout=layout)
    try:
        saved = SavedTrial.from_json(content)
    except TrialFileError:
        return
    assert SavedTrial.from_json(saved.to_json()) == saved


# ---- on the page ------------------------------------------------------------------------------


def save(page):
    """Return what the button gives, from what the session holds."""
    controls = page.session_state["controls"]
    settings = {
        key.removeprefix("yours_"): value
        for key, value in controls.settings.items()
        if key.startswith("yours_")
    }
    if settings["source"] != "My file":
        return SavedTrial(settings)
    return SavedTrial(settings, *page.session_state["files and layout in use"])


def trial(page):
    return page.session_state["your data"].experiment.trial


def reopen(page, saved):
    content = saved if isinstance(saved, bytes) else saved.to_json()
    number = page.session_state["number of reopened trials"]
    return upload(page, content, "trial.json", f"saved trial {number}")


def stored(page):
    """Return the only file that the session keeps."""
    (file,) = page.session_state["files"].values()
    return file


def test_a_trial_of_a_built_in_set_is_reopened_at_once(contents, other):
    query = {"digits": ["1", "7"], "kind": "k folds", "folds": "3", "trained": "SMM", "split": "9"}
    before = open_lesson(contents, **query, weights="Absolute", C_abs="0.02", tau_abs="0.5")
    saved = save(before)
    page = open_lesson(other, scaled="z-score", trained="linear SVM", kind="own")
    reopen(page, saved)
    run, expected = (each.session_state["your data"] for each in (page, before))
    scaled = replace(expected.experiment.trial, scaling="none")
    assert run.experiment == replace(expected.experiment, trial=scaled)
    assert trial(page).specs == (MethodSpec("smm", C=0.02, weight=0.5),)
    assert numbers(page) == numbers(before)
    assert save(page) == saved


def test_undo_takes_a_reopened_trial_back(contents):
    page = open_lesson(contents, trained="SMM")
    saved = SavedTrial({"split": "3", "tau_rel": "0.1", "trained": ["linear SVM", "SMM"]})
    before = page.session_state["your data"].experiment
    reopen(page, saved)
    assert trial(page).scheme.seed == 3
    page.run()
    (undo,) = (each for each in page.button if "Undo" in each.label)
    finish_runs(undo.click().run())
    assert page.session_state["your data"].experiment == before
    (notice,) = page.toast
    assert notice.value == r"Undone. Seed\: 0; Methods\: SMM; τ / τₘₐₓ\: 2.0%"


def test_the_address_has_all_settings_of_a_reopened_trial(contents):
    steps = {"time": "columns", "rate": "100", "band": "5-30", "window": "0.01-0.07"}
    page = open_lesson(contents, trained="linear SVM")
    reopen(page, SavedTrial(steps | {"column_blocks": "2"}))
    address = {key: page.query_params.get(f"yours_{key}") for key in (*steps, "column_blocks")}
    assert address == steps | {"time": "Along the rows", "column_blocks": "2"}
    # It follows a field that the browser has forgotten.
    page.number_input(key="yours_column_blocks").set_value(1).run()
    page.run()  # AppTest reads the address of the run before
    assert "yours_column_blocks" not in page.query_params


def test_settings_that_are_not_allowed_get_the_nearest_and_a_sentence(contents):
    settings = {
        "split": "-7",
        "kind": "<b>none",
        "trained": ["SMM", "perceptron"],
        "C_rel": ["1", "2"],
        "weights": "Absolute",
        "C_abs": "nan" * 50,
        "unknown": "1",
    }
    page = reopen(open_lesson(contents, trained="linear SVM"), SavedTrial(settings))
    assert page.number_input(key="yours_split").value == 0
    assert page.segmented_control(key="yours_kind").value == "hold-out"
    said = texts(page.text)
    assert "The saved settings set Seed to -7; it must be a whole number from 0" in said
    assert "set Test to <b>none, which is not available. Using Hold-out." in said
    assert "set Methods to perceptron, but there is only" in said
    assert page.error[0].value.startswith("C must be a number from")


def test_a_file_that_is_no_trial_changes_nothing(contents):
    page = open_lesson(contents, trained="linear SVM")
    before = page.session_state["your data"].experiment
    reopen(page, b'{"kind": "*x*"}')
    assert page.error[0].value.startswith(r"This is no saved trial\: its kind must be")
    assert page.session_state["your data"].experiment == before
    reopen(page, save(page))
    assert not page.error


def test_a_trial_of_a_file_asks_for_it_and_reads_it_as_it_was_read(contents, other):
    content = mat(
        images=X.reshape(60, -1), digit=Y, also=Y[::-1].copy(), subject=np.arange(60) // 10
    )
    query = {"trained": "linear SVM", "kind": "k folds", "by": "Stratified"}
    before = open_file(contents, content, **query)
    key = f"Labels  {stored(before).digest} 0"
    before = finish_runs(before.selectbox(key=key).set_value(("", "also")).run())
    saved = save(before)
    assert saved.layout.labels == "also"
    assert b"images" in saved.to_json()
    assert len(saved.to_json()) < 2_000  # no samples

    page = reopen(open_lesson(other, trained="linear SVM"), saved)
    assert "To see the saved trial, upload **mine.mat**" in page.info[0].value
    assert not page.dataframe
    upload(page, mat(images=X, digit=Y), "other.mat")
    assert "and **other" in page.error[0].value
    assert "has other content" in page.error[0].value
    assert not page.dataframe
    upload(page, content, "renamed.mat")
    assert not page.error
    run, expected = (each.session_state["your data"] for each in (page, before))
    assert run.experiment == expected.experiment
    assert trial(page).scheme.by == "class"  # not that of a file with groups
    assert numbers(page) == numbers(before)


def test_a_saved_trial_of_regression_can_be_opened_again(contents, other):
    content = mat(X=X, y=np.random.default_rng(0).normal(size=60))  # with its date
    page = open_file(contents, content, kind="k folds", target_weights="Given")
    again = upload(reopen(open_lesson(other, trained="linear SVM"), save(page)), content)
    run, expected = (each.session_state["your data: regression"] for each in (again, page))
    assert run.experiment == expected.experiment


def test_the_reader_can_go_on_with_another_file_or_without_one_of_two(contents):
    layout = Layout(("images",), 0, labels="digit")
    settings = {"source": "My file", "trained": ["SMM"], "tau_rel": "0.1"}
    page = open_lesson(contents, trained="linear SVM")
    reopen(page, SavedTrial(settings, (FILE,), layout))
    upload(page, mat(pictures=X, digit=Y))
    finish_runs(button(page, "Go on with this file").click().run())
    assert not page.error
    assert trial(page).specs[0].share == 0.1
    assert "pictures" in page.success[0].value
    upload(page, mat(images=X, digit=Y))
    first = SourceFile("images.mat", stored(page).digest)
    reopen(page, SavedTrial(settings, (first, FILE), layout))
    assert "Upload also **mine.mat**" in page.info[0].value
    finish_runs(button(page, "Go on without").click().run())
    assert "SMM" in numbers(page)


def test_a_forged_layout_is_a_sentence_and_the_file_is_read_as_proposed(contents):
    page = open_file(contents, mat(images=X, digit=Y), trained="linear SVM")
    settings = {"source": "My file", "trained": ["linear SVM"]}
    file = SourceFile("x", stored(page).digest)
    for layout in (
        Layout(("nothing",), 0, labels="digit"),
        Layout(("images",), 77, labels="digit"),
        Layout(("images",), 0, (10**9, 10**9), labels="digit"),
        Layout(("images",) * 900, 0, implied="variable"),
        Layout((), 0),
        Layout(("images",), 0, implied="axis", class_axis=0, cells=(2, 2), group_axis=5),
        Layout(("images{:}",), 1, labels="digit", cells=(0, 0)),
    ):
        reopen(page, SavedTrial(settings, (file,), layout))
        assert page.error[0].value.startswith(
            "The file cannot be read as the saved trial says, so it is read as"
        )
        assert "Read as **60 samples of 8 × 6**" in page.success[0].value
    assert not button(page, "Close").click().run().error
    assert "linear SVM" in numbers(finish_runs(page))
