"""The pickers: what a file is read as, what else it could be, and what stays when it cannot be."""

import io
from base64 import b64decode
from collections import Counter
from types import SimpleNamespace
from unittest.mock import AsyncMock

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter
from sklearn.datasets import load_digits
from starlette.responses import PlainTextResponse
from streamlit.testing.v1 import AppTest

from pages.shared.data.bundled import P300, Digits
from pages.shared.data.samples import samples_to_hand_out
from pages.your_data.files import sandbox
from pages.your_data.reading import arrivals, pictures, selection, uploads
from tests.files.make import cells, declared, image, mat, npy, npz, zipped
from tests.pages.runs import in_loop
from tests.pages.visit import as_address, controls, link, notes, set_address, shown, turn
from tests.pages.your_data.lesson import name_classes, setter, texts, with_file

DIGITS = load_digits()
TWO = np.isin(DIGITS.target, (1, 7))
X, Y = DIGITS.images[TWO][:, :, 1:7], DIGITS.target[TWO].astype(float)  # 8 × 6: not square
PIXELS = X.astype(np.uint8)
STACK = X.transpose(1, 2, 0)
DOWN = X.transpose(0, 2, 1).reshape(len(X), -1)
ALONG = X.reshape(len(X), -1)


def script():
    import streamlit as st

    from pages.shared.widgets import url
    from pages.your_data.reading.source import select_samples
    from pages.your_data.reading.uploads import draw_folder_uploader, draw_uploader

    url.begin_page("yours", shared=())
    if not st.checkbox("elsewhere"):
        draw_uploader()
        draw_folder_uploader()
        picked = select_samples()
        st.text("fallback" if picked.is_fallback else "selected")


def open_script(**query):
    page = AppTest.from_function(script, default_timeout=60)
    page.query_params.update(as_address("yours", query))
    return page.run()


@pytest.fixture
def page():
    return open_script(source="My file")


def plain(elements):
    """What elements of the page say, without the backslashes of Markdown."""
    return [each.value.replace("\\", "") for each in elements]


def selected(page):
    assert not page.exception
    return page.session_state["last selection"]


def sentences(page):
    return plain(page.error)


def said(page):
    return next(each for each in plain(page.markdown) if each.startswith("Read as"))


def asks(page, question):
    return any(question in text for text in plain(page.markdown))


def has_caption(page, start):
    return any(each.startswith(start) for each in plain(page.caption))


def files_in_use(page):
    return [each for each in plain(page.markdown) if each.startswith("Still here")]


def choose(page, labels, *chosen):
    """Use these of the classes, by name or as "name=new name", as a click would."""
    own = [str(label) for label in labels]
    pairs = [each.partition("=") for each in chosen]
    return name_classes(page, {own.index(name): new or name for name, _, new in pairs})


def control(page, kind, label):
    return next(each for each in page.get(kind) if each.label == label)


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (STACK, "of 8 × 6**, from measured; labels gnd, **2 classes**."),
        (DOWN, "of 8 × 6**, down columns, from measured; labels gnd, **2 classes**."),
        (DOWN.T, "of 8 × 6**, down columns, from measured; labels gnd, **2 classes**."),
    ],
)
def test_the_reading_is_said_in_a_sentence_and_its_samples_are_taken(page, stored, sentence):
    with_file(page, mat(measured=stored, gnd=Y))
    assert said(page) == f"Read as **{len(X)} samples {sentence}"
    data = selected(page).data.prepare()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.classes[data.y], Y)
    np.testing.assert_array_equal(selected(page).rows, np.arange(len(X)))


def read_strip(address):
    with Image.open(io.BytesIO(b64decode(address.removeprefix("data:image/png;base64,")))) as strip:
        return np.asarray(strip)


def test_a_strip_shows_each_sample_upright_and_missing_numbers_as_transparent():
    samples = np.arange(3 * 8 * 6).reshape(3, 8, 6)
    signs = np.where(samples % 5 < 2, -1.0, 1.0)  # the differences of the largest overflow
    assert pictures.strip_url(2.0**1023 * signs) == pictures.strip_url(signs)
    for each in (samples[:1] / 2, np.ones((1, 8, 6)), np.full((1, 8, 6), np.nan)):
        each[0, 0, 0] = np.nan
        pixels = read_strip(pictures.strip_url(each, (8, 7)))
        assert (pixels[0, 0, 1], pixels[1, 0, 1]) == (0, 255 * np.isfinite(each[0, 1, 0]))
    grey, opacity = np.moveaxis(read_strip(pictures.strip_url(samples)), -1, 0)
    assert grey.shape == (96, 288)
    shown = grey[:, opacity.any(axis=0)][::12].reshape(8, 3, 72)[..., ::12].swapaxes(0, 1)
    low, high = np.percentile(samples, (2, 98))
    expected = np.clip((samples - low) / (high - low), 0, 1) * 255
    np.testing.assert_array_equal(shown, expected.astype(np.uint8))


def test_rows_columns_order_axis_labels_and_parts_can_all_be_changed(page):
    half = np.arange(len(X)) % 2 + 1
    with_file(page, mat(X=ALONG, y=Y, other=half, who=np.arange(len(X)) // 5))
    control(page, "selectbox", "Rows × columns").set_value((12, 4))
    control(page, "radio", "Its numbers run").set_value("C").run()
    control(page, "selectbox", "Labels").set_value(("", "other")).run()
    control(page, "selectbox", "Groups: subject, session").set_value("who").run()
    control(page, "selectbox", "The file's own test set").set_value(("largest", "y")).run()
    data = selected(page).data.prepare()
    np.testing.assert_array_equal(data.X, ALONG.reshape(-1, 12, 4))
    np.testing.assert_array_equal(data.classes[data.y], half)
    np.testing.assert_array_equal(data.groups, np.arange(len(X)) // 5)
    np.testing.assert_array_equal(data.test, Y == 7)


def test_a_test_part_that_is_told_is_kept_and_what_may_tell_it_is_taken_by_one_click(page):
    late = np.arange(len(X)) > 200
    with_file(page, mat(X=DOWN, y=Y, usage=np.where(late, "test", "training")))
    np.testing.assert_array_equal(selected(page).data.prepare().test, late)
    picker = control(page, "selectbox", "The file's own test set")
    assert picker.options == ["none", "where usage says test"]
    picker.select(("", "")).run()
    assert selected(page).data.known == ()
    labels = [each.label for each in page.get("button")]
    assert {"6 × 8, along rows", "test set: where usage says test"} <= set(labels)
    control(page, "button", "test set: where usage says test").click().run()
    np.testing.assert_array_equal(selected(page).data.prepare().test, late)

    who = np.arange(len(X)) // 5
    with_file(page, mat(X=STACK, y=Y, who=who, set=late * 1.0))
    assert selected(page).data.known == ()
    control(page, "button", "test set: where set is smallest").click().run()
    np.testing.assert_array_equal(selected(page).data.prepare().test, ~late)
    control(page, "selectbox", "Groups: subject, session").set_value("who").run()
    data = selected(page).data.prepare()
    np.testing.assert_array_equal(data.groups, who)
    np.testing.assert_array_equal(data.test, ~late)
    control(page, "button", "no test set").click().run()
    assert selected(page).data.known == ()


def test_what_could_not_be_proposed_can_be_picked(page):
    with_file(page, mat(A=ALONG, B=np.c_[Y, np.arange(len(X))][:9]))
    assert sentences(page)[0].startswith("The file holds no labels")
    table = np.c_[Y, ALONG[:, :46]]  # 47 columns are prime, without the first they are not
    with_file(page, mat(A=table, y=np.arange(len(X) + 1.0)))
    assert sentences(page)[0].startswith("'y' has")
    control(page, "selectbox", "Labels").set_value(("first column", "")).run()
    control(page, "radio", "Samples run along").set_value(0).run()
    control(page, "selectbox", "Rows × columns").set_value((23, 2)).run()
    assert not page.error
    np.testing.assert_array_equal(np.sort(selected(page).data.prepare().classes), [1, 7])


def test_the_largest_classes_are_used_at_first_and_equal_ones_in_their_order(page, monkeypatch):
    sizes = [12, 20, 12, 30, 12]
    y = np.repeat(np.arange(5), sizes)
    file = mat(X=np.random.default_rng(0).normal(size=(len(y), 4, 3)), y=y)
    with_file(page, file)
    assert selected(page).classes.tolist() == [0, 1, 2, 3, 4]  # all of them take little time
    assert not selected(page).left_out
    monkeypatch.setattr(selection, "QUICK_SECONDS", 0.25)
    monkeypatch.setattr(selection, "DEFAULT_CLASS_COUNT", 3)
    page.run()
    assert selected(page).classes.tolist() == [0, 1, 3]
    assert selected(page).left_out == "**62 of 86 samples, 3 of 5 classes** are used."


def test_a_part_of_the_samples_is_drawn_by_class():
    y = np.repeat([3, 5, 8], [4, 12, 24])
    some = selection.draw(y, [8, 5], 8, seed=1)
    np.testing.assert_array_equal(np.sort(y[some]), [5, 5, 5, 8, 8, 8, 8, 8])
    np.testing.assert_array_equal(some, np.sort(some))
    np.testing.assert_array_equal(selection.draw(y, [8, 5], 8, seed=1), some)
    assert not np.array_equal(selection.draw(y, [8, 5], 8, seed=2), some)
    np.testing.assert_array_equal(y[selection.draw(y, [3, 5, 8], 6)], [3, 3, 5, 5, 8, 8])
    np.testing.assert_array_equal(selection.draw(y, [3, 5, 8], 40), np.arange(40))


def test_of_many_samples_a_part_is_drawn_and_one_click_takes_all_that_are_accepted(
    page, monkeypatch
):
    with_file(page, mat(X=STACK, y=Y))
    assert "yours_samples" not in controls(page)
    monkeypatch.setattr(selection, "QUICK_SECONDS", selection.estimate_seconds(152, 2, 8, 6))
    page.run()
    assert selected(page).data.shape[0] == 150
    assert has_caption(page, "150 of these 361 samples are")
    assert controls(page)["yours_samples"]["label"] == "Samples (all: about 10 s)"
    turn(page, "yours_samples", "all")
    np.testing.assert_array_equal(selected(page).rows, np.arange(361))
    monkeypatch.setenv("SMM_LAB_SAMPLES", "100")  # by the owner of the server
    page.run()
    assert has_caption(page, "100 of these 361 samples are")
    monkeypatch.setenv("SMM_LAB_SAMPLES", "many")
    page.run()
    assert "SMM_LAB_SAMPLES must be a whole number, at least 2, got 'many'" in texts(page.error)
    monkeypatch.setenv("SMM_LAB_SAMPLES", "100")
    page.run()
    data = selected(page).data.prepare()
    np.testing.assert_array_equal(data.X, X[selected(page).rows])
    shares = np.bincount(data.y) / 100 - np.bincount((Y == 7).astype(int)) / len(Y)
    assert abs(shares).max() < 0.01


def test_classes_can_be_left_out_renamed_and_merged_and_two_must_stay(page):
    with_file(page, mat(X=DIGITS.images, y=DIGITS.target * 1.0))
    assert len(selected(page).classes) == 10
    choose(page, range(10), "1", "2=small", "3=small", "8")
    data = selected(page).data.prepare()
    rows = np.isin(DIGITS.target, (1, 2, 3, 8))
    relabelled = np.array(["", "1", "small", "small", "", "", "", "", "8"])[DIGITS.target[rows]]
    np.testing.assert_array_equal(selected(page).rows, np.flatnonzero(rows))
    np.testing.assert_array_equal(data.classes[data.y], relabelled)
    np.testing.assert_array_equal(data.X, DIGITS.images[rows])
    assert selected(page).classes.tolist() == ["1", "8", "small"]
    np.testing.assert_array_equal(samples_to_hand_out(data)["y"], relabelled)
    choose(page, range(10), "1", "2=1", "8")  # the name of a label is this label
    assert selected(page).classes.tolist() == [1.0, 8.0]
    assert (selected(page).data.prepare().y == 0).sum() == np.isin(DIGITS.target, (1, 2)).sum()
    choose(page, range(10), "4")
    assert sentences(page) == ["It takes two classes or more, got 1."]
    assert selected(page).classes.tolist() == [1.0, 8.0]


def test_small_classes_are_left_out_by_one_click(page):
    rows = np.r_[:50, 200:204]
    y = np.r_[Y[:50], [3.0, 3.0, 3.0, 4.0]]
    with_file(page, mat(X=X[rows], y=y))
    assert control(page, "expander", "Classes: 3 of 4").proto.expanded  # 4 has a single sample
    control(page, "button", "Leave out classes with fewer than 10 samples").click().run()
    assert selected(page).classes.tolist() == [1, 7]
    assert not control(page, "expander", "Classes: 2 of 4").proto.expanded
    assert "Leave out" not in " ".join(each.label for each in page.button)


def test_each_file_has_its_own_classes(page):
    mine = mat(X=STACK, y=Y)  # once, as it holds the second in which it was made
    with_file(page, mine)
    choose(page, (1, 7), "1", "7=seven")
    with_file(page, mat(X=STACK, y=Y + 1))
    assert selected(page).classes.tolist() == [2, 8]
    with_file(page, mine)
    assert selected(page).classes.tolist() == ["1", "seven"]


def test_edits_of_the_table_become_the_classes_and_keep_the_table(page, monkeypatch):
    with_file(page, mat(X=DIGITS.images, y=DIGITS.target))
    (table,) = page.session_state[selection.TABLES].values()
    state = {"it": {"edited_rows": {0: {"use": False}, 3: {"name": " b "}}}}
    monkeypatch.setattr(selection, "st", SimpleNamespace(session_state=state))
    own = [str(k) for k in range(10)]
    selection._store_edits("it", table, own)
    monkeypatch.undo()
    assert table.names == {k: "b" if k == 3 else own[k] for k in range(1, 10)}
    page.run()
    assert table.number == 0  # not drawn anew
    assert table.drawn == dict(enumerate(own))
    assert selected(page).classes.tolist() == [*own[1:3], *own[4:], "b"]


def test_handed_out_samples_are_those_of_the_page(page, monkeypatch):
    monkeypatch.setenv("SMM_LAB_SAMPLES", "150")
    file = mat(
        x_train=DIGITS.images[:1000],
        y_train=DIGITS.target[:1000],
        x_test=DIGITS.images[1000:],
        y_test=DIGITS.target[1000:],
    )
    name = 'it\'s "mine" {0}.mat'
    with_file(page, file, name)
    choose(page, range(10), "1", "2", "5")
    assert selected(page).data.file == "it_s_mine_0_samples.npz"
    made = samples_to_hand_out(selected(page).data.prepare())
    rows = selected(page).rows + 1000 * made["test"]
    assert 0 < made["test"].sum() < len(rows)
    np.testing.assert_array_equal(made["X"], DIGITS.images[rows])
    np.testing.assert_array_equal(made["y"], DIGITS.target[rows])
    assert "groups" not in made


def test_folders_of_images_are_the_classes_and_are_decoded_only_when_they_change(page, monkeypatch):
    questions = []

    def count(data, names=None, spent=None):
        questions.append(names)
        return sandbox.ask(data, names, spent)

    monkeypatch.setattr("pages.your_data.files.contents.ask", count)
    # So many letters in the names of folders are more than a cell array may have cells.
    of_label = {label: f"class number {label:g} of these" for label in (1, 7)}
    members = {
        f"digits/{of_label[Y[i]]}/{i:03}.png": image(PIXELS[i], mode="RGB") for i in range(120)
    }
    members[f"digits/{of_label[1]}/cut.png"] = image(PIXELS[0])[:-30]
    with_file(page, {"digits.zip": zipped({**members, "digits/about.pdf": b"%PDF"})})
    cut_off = f"'{of_label[1]}/cut.png' is damaged or cut off."
    assert plain(page.warning) == [f"1 image is left out: {cut_off}"]
    assert "**120 samples of 8 × 6**, from images; labels folder, **2 classes**" in said(page)
    assert has_caption(page, "120 of 120 images are in colour")
    assert has_caption(page, "'digits/about.pdf' is neither a data file")
    data = selected(page).data.prepare()
    order = np.argsort(Y[:120], kind="stable")
    np.testing.assert_array_equal(data.X, X[:120][order])
    assert data.classes[data.y].tolist() == [of_label[label] for label in Y[:120][order]]
    page.run()
    assert questions == [None, ["name", "images", "folder"]]
    own = [*of_label.values()]
    choose(page, own, f"{own[0]}=one", f"{own[1]}=seven")
    assert selected(page).classes.tolist() == ["one", "seven"]
    assert questions == [None, ["name", "images", "folder"], None, ["images", "folder"]]


def test_the_sub_folders_of_a_folder_are_the_classes(page):
    files = {f"gait/{Y[i]:g}/rec{i}.npy": npy(X[i]) for i in range(40)}
    with_file(page, files, key="upload folder")
    assert "labels from the first * of the names *.rec*, **2 classes**" in said(page)
    assert selected(page).data.shape == (40, 8, 6)


@pytest.mark.parametrize("other", [mat(note="x"), b""])
def test_files_and_their_reading_survive_a_visit_elsewhere_and_one_click_removes_one(page, other):
    with_file(page, {"mine.mat": mat(X=DOWN, y=Y), "z.mat": other})
    control(page, "selectbox", "Rows × columns").set_value((12, 4)).run()
    before = selected(page).data
    assert before.shape[1:] == (12, 4)
    page.checkbox[0].check().run()
    page.checkbox[0].uncheck().run()
    assert selected(page).data == before
    assert files_in_use(page) == ["Still here: **mine.mat**", "Still here: **z.mat**"]
    page.button(key="remove z.mat").click().run()
    assert files_in_use(page.run()) == ["Still here: **mine.mat**"]
    assert not page.error
    assert not page.warning
    assert selected(page).data.shape == (len(X), 8, 6)  # read as a file by itself
    page.button(key="remove mine.mat").click().run()
    assert files_in_use(page.run()) == []
    assert selected(page).data == P300()  # as before there was a file


def test_a_file_that_comes_is_shown_and_then_the_reader_decides():
    page = open_script()
    assert setter(page) == ({"yours_source": None}, "")
    for file in (mat(X=X, y=Y), mat(X=X[:90], y=Y[:90])):
        with_file(page, file)
        assert link(page) == {}
        assert shown(page, "yours_source") == "My file"
        _, occasion = setter(page)
        set_address(page, {"yours_source": "Digits"})
        assert selected(page).data == Digits()
        assert setter(page)[1] == occasion  # so the browser sets nothing
    page.checkbox[0].check().run()
    page.checkbox[0].uncheck().run()
    assert files_in_use(page) == ["Still here: **mine.mat**"]
    page.button(key="remove mine.mat").click().run()
    assert setter(page)[1] == occasion


def test_a_file_is_added_to_those_that_are_still_in_use_and_replaces_one_of_its_name(page):
    with_file(page, mat(X=STACK))
    page.checkbox[0].check().run()
    page.checkbox[0].uncheck().run()
    with_file(page, {"labels.mat": mat(gnd=Y)})
    assert not page.error
    assert files_in_use(page) == ["Still here: **mine.mat**"]
    assert "labels labels.gnd" in said(page)
    with_file(page, {"labels.mat": mat(gnd=Y), "mine.mat": mat(X=STACK[..., ::-1])})
    assert files_in_use(page) == []
    np.testing.assert_array_equal(selected(page).data.prepare().X, X[::-1])


def test_missing_values_are_left_out_or_filled_in_by_one_click(page):
    holes = STACK.copy()
    holes[2, 3, 5] = np.inf
    with_file(page, mat(X=holes, y=Y))
    assert sentences(page)[0].startswith("'X' holds NaN or infinity, 1 of its")
    control(page, "button", "Leave these samples out").click().run()
    np.testing.assert_array_equal(selected(page).rows, np.delete(np.arange(len(X)), 5))
    assert "samples with NaN are left out" in said(page)
    with_file(page, mat(X=holes, y=Y, again=1.0))
    control(page, "button", "Fill in means over the training set").click().run()
    assert "means take the place of NaN" in said(page)
    gap = np.argwhere(np.isnan(selected(page).data.prepare().X))  # to be filled in by each trial
    np.testing.assert_array_equal(gap, [[5, 2, 3]])
    labels = Y.copy()
    labels[7] = np.nan
    with_file(page, mat(X=STACK, y=labels))
    assert [each.label for each in page.button] == ["Leave these samples out"]
    with_file(page, mat(X=np.full_like(STACK, np.nan), y=Y))
    control(page, "button", "Fill in means over the training set").click().run()
    assert sentences(page) == ["Every number in the samples is missing: there is nothing to learn."]


PRIME = declared("<f8", (2**61 - 1, 24))  # its rows and columns would take minutes to find
BAD = [
    (b"", "The file is empty."),
    (mat(y=Y), "No variable in this file can hold samples."),
    (mat(X=0 * X, y=Y), "The largest number in the samples is 0; it must be between"),
    (mat(X=0 * X + 3, y=Y), "All samples of these classes are equal"),
    (mat(X=X[:9], y=np.r_[np.ones(8), 2]), "Class 2 has only one sample"),
    (
        zipped({"X.npy": PRIME, "y.npy": npy(np.repeat([1.0, 2.0], 12))}),
        "'X' is 2,305,843,009,213,693,951 × 24 double, more than 160 MB.",
    ),
]


def test_a_bad_file_gets_a_sentence_and_does_not_bring_back_the_one_before(page):
    good = mat(X=X, y=Y)
    before = selected(with_file(page, good)).data
    for content, sentence in BAD:
        with_file(page, content, "bad.mat")
        assert len(page.error) == 1
        assert sentences(page)[0].startswith(sentence)
        assert page.text[-1].value == "fallback"
    with_file(page, good)
    assert not page.error
    assert page.text[-1].value == "selected"
    assert selected(page).data == before


def test_a_variable_that_was_cut_off_is_named_and_the_others_are_read(page):
    noise = np.random.default_rng(0).random((40, 40))
    lost = "'noise' was cut off at the end of the file: please download it again."
    with_file(page, mat(X=X, y=Y, noise=noise)[:-9])
    assert selected(page).data.shape == X.shape
    assert plain(page.warning) == [lost]
    with_file(page, mat(X=X, noise=noise)[:-9])
    assert sentences(page)[0].startswith("The file holds no labels")
    assert sentences(page)[0].endswith(lost)
    assert not page.warning  # it is said once


@pytest.mark.parametrize(("reached", "begin"), [(False, "This computer"), (True, "This server")])
def test_where_the_reader_is_not_confined_the_uploader_says_so(monkeypatch, reached, begin):
    monkeypatch.setattr(sandbox, "_missing", ("a limit of memory",))
    monkeypatch.setattr(sandbox, "_can_be_reached", reached)
    page = open_script(source="My file")
    assert any(text.startswith(begin) for text in plain(page.caption))
    assert page.file_uploader[0].disabled is reached


def test_where_the_server_is_busy_another_try_reads_the_file(page, monkeypatch):
    monkeypatch.setattr(sandbox, "PATIENCE", 0.001)
    with sandbox._turns, sandbox._turns:
        with_file(page, mat(X=X, y=Y))
    assert sentences(page) == ["The server is reading other files: try again in a moment."]
    monkeypatch.undo()
    page.run()
    assert not page.error
    assert selected(page).stem == "mine"


def test_the_session_does_not_keep_the_samples_of_an_upload(page):
    with_file(page, mat(X=X, y=Y))
    state = page.session_state._state.filtered_state
    kept = [value for slot, value in state.items() if slot.endswith(" of files")]
    assert len(kept) == 4
    while kept:
        value = kept.pop()
        if isinstance(value, np.ndarray) and value.dtype != np.uint8:
            assert (value if value.base is None else value.base).nbytes < X.nbytes / 4
        elif isinstance(value, (tuple, list)):
            kept.extend(value)


def test_vectors_that_tell_no_rows_and_columns_are_said_and_can_be_read_as_vectors(page):
    genes = np.random.default_rng(0).normal(size=(60, 72)) + np.repeat([0, 1], 30)[:, None]
    y = np.repeat([1.0, 2.0], 30)
    for variables, is_said in (
        ({"genes": genes, "y": y}, True),
        ({"genes": genes, "y": y, "dims": [8.0, 9.0]}, False),
        ({"digits": DIGITS.data[TWO], "y": Y}, False),
        ({"digits": STACK, "y": Y}, False),
    ):
        with_file(page, mat(**variables))
        assert has_caption(page, "Nothing in the file tells") == is_said
    with_file(page, mat(genes=genes, y=y))
    control(page, "button", "Read them as vectors").click().run()
    np.testing.assert_array_equal(selected(page).data.prepare().X[:, 0], genes)
    for m in (4, 47):
        with_file(page, mat(X=DOWN[:, :m], y=Y))
        assert f"{len(X)} samples of 1 × {m}" in said(page)
        assert has_caption(page, "The samples are vectors")


@pytest.mark.parametrize("diagonal", [0, 1])
def test_upper_triangles_become_symmetric_matrices_by_one_click(page, diagonal):
    random = np.random.default_rng(0)
    whole = random.normal(size=(40, 12, 12))
    whole = np.tril(whole, -diagonal) + np.tril(whole, -1).swapaxes(1, 2)
    flat = whole[:, *np.tril_indices(12, -diagonal)]  # as MATLAB's X(triu(true(12), diagonal))
    with_file(page, mat(fc=flat, dx=np.arange(40) % 2))
    name = "Upper triangles of 12 × 12" + ", with the diagonal" * (not diagonal)
    control(page, "button", name).click().run()
    assert "**40 samples of 12 × 12**, symmetric, from the upper triangles, down" in said(page)
    np.testing.assert_array_equal(selected(page).data.prepare().X, whole)
    form = selected(page).form
    np.testing.assert_array_equal(form.stack(flat[:5], (12, 12), "fc"), [whole[:5]])
    control(page, "radio", "Its numbers run").set_value("C").run()
    found = selected(page).data.prepare().X
    np.testing.assert_array_equal(found[:, *np.triu_indices(12, diagonal)], flat)
    np.testing.assert_array_equal(found, found.swapaxes(1, 2))


def test_names_out_of_a_file_are_text_not_markdown(page):
    with_file(page, b"<script>alert(1)</script>\n[a](b)\n", "a.mat")
    assert r"'\<script\>alert\(1\)\</script\>'" in page.error[0].value
    with_file(page, {"a.mat": mat(X=X, y=Y), "**b** $x$ ![i](http://127.0.0.1/i.png).mat": b""})
    assert any(r"\!\[i\]" in each.value for each in page.warning)


def test_the_size_is_checked_on_the_server_too(page, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_FILE_MB", 1)
    names, noise = ("mine.mat", "a.mat", "b.mat"), np.random.default_rng(0).bytes(3 << 20)
    with_file(page, mat(X=np.frombuffer(noise, np.uint8), y=Y))
    assert sentences(page) == ["mine.mat must have at most 1 MB, got 3.1 MB."]
    monkeypatch.setattr(uploads, "MAX_TOTAL_MB", 2)
    with_file(page, dict.fromkeys(names, bytes(10**6)))
    of_all = "Your files together may have 2 MB, and with these they would have more: none of"
    assert sentences(page)[0].startswith(of_all)
    assert not files_in_use(page)
    monkeypatch.setattr(uploads, "MAX_HELD_MB", 0)
    with_file(page, b"y\n1", key="upload1")
    assert sentences(page)[0].startswith("This server holds 0 MB of files")
    monkeypatch.setattr(uploads, "MAX_HELD_MB", 9)
    monkeypatch.setattr(uploads, "MAX_FILES", 2)
    with_file(page, dict.fromkeys(names, b""), key="upload2")
    assert sentences(page) == ["There may be 2 files, got 3: put them in one .zip archive."]


def test_files_are_refused_while_they_arrive_where_there_is_no_room(monkeypatch):
    held = Counter(one=150 * 10**6, other=700 * 10**6)
    monkeypatch.setattr(arrivals, "held_bytes", lambda: +held)

    def status(session, megabytes, method="PUT", path=arrivals.UPLOADS, told=True):
        headers = [(b"content-length", b"%d" % (megabytes * 10**6))] if told else []
        scope = {"type": "http", "method": method, "path": f"/base{path}{session}/a"}
        in_loop(limited(scope | {"headers": headers}, None, send := AsyncMock()))
        return send.call_args_list[0].args[0]["status"]

    inner = {}

    async def app(scope, receive, send):
        if not inner:  # another file of the session comes before this one is here
            inner["status"] = "asked"
            answer = AsyncMock()
            await limited(scope, None, answer)
            inner["status"] = answer.call_args_list[0].args[0]["status"]
        await PlainTextResponse("kept")(scope, receive, send)

    limited = arrivals.LimitUploads(app)
    assert status("one", 30) == 200
    assert inner["status"] == 413  # 150 + 30 + 30 MB
    assert status("one", 49) == 200
    assert status("one", 51) == 413
    assert status("one", 1, told=False) == 413
    assert status("one", 51, "DELETE") == status("one", 51, path="/stream/") == 200
    assert status("new", 151) == 413  # of all together
    held.clear()
    assert status("new", 151) == 200


def test_digits_are_any_two_or_more_and_in_the_address_and_faces_need_no_file():
    page = open_script(source="Digits", digits=["1", "4", "7"])
    assert selected(page).data == Digits((1, 4, 7))
    np.testing.assert_array_equal(
        DIGITS.target[selected(page).rows], selected(page).classes[selected(page).data.prepare().y]
    )
    set_address(page, {"yours_digits": ["1"]})
    assert selected(page).data == Digits((3, 8))
    assert "2 at least take part: 3, 8 are on." in notes(page)
    turn(page, "yours_source", "Faces")
    assert selected(page).data.shape == (200, 25, 25)
    assert not page.error


def test_larger_stacks_in_cells_are_a_doubt_and_any_axis_of_a_cell_can_be_picked(page):
    stacks = cells([STACK[..., label == Y] for label in (1, 7)], (1, 2))
    with_file(page, mat(faces=stacks, X=DOWN[:12, :30], yy=np.repeat([1.0, 2.0], 6)))
    assert "**12 samples" in said(page)
    assert "'faces' is not used, and holds far more numbers" in texts(page.warning)
    control(page, "selectbox", "Labels").set_value(("column", "")).run()
    control(page, "selectbox", "Samples").set_value("faces").run()
    along = control(page, "radio", "Samples run along")
    cell, first = along.options[:2]
    assert (cell, first) == ("the cells: 2 samples", "axis 1 of each cell: 16 samples of 6 × 182")
    assert along.value == 3
    data = selected(page).data.prepare()
    np.testing.assert_array_equal(data.X, np.concatenate([X[label == Y] for label in (1, 7)]))


def test_where_nothing_tells_the_order_both_are_shown_and_one_click_takes_each(page):
    def asked():
        return asks(page, "Which are upright?")

    smooth = gaussian_filter(np.random.default_rng(0).normal(size=(40, 12, 9)), (0, 1.2, 1.2))
    down, y = smooth.transpose(0, 2, 1).reshape(40, -1), np.arange(40) % 2
    with_file(page, mat(X=down, y=y))
    assert asked()
    addresses = [picture.url for each in page.get("image") for picture in each.proto.imgs]
    assert addresses  # of pictures that no later run forgets, as it forgets files
    assert all(address.startswith("data:image/png;base64,") for address in addresses)
    labels = [each.label for each in page.button]
    assert labels[:2] == ["12 × 9, down columns", "9 × 12, along rows"]
    assert labels.count("9 × 12, along rows") == 1
    control(page, "button", "9 × 12, along rows").click().run()
    assert not asked()
    assert "of 9 × 12**, along rows" in said(page)
    np.testing.assert_array_equal(selected(page).data.prepare().X, smooth.transpose(0, 2, 1))
    control(page, "button", "12 × 9, down columns").click().run()
    np.testing.assert_array_equal(selected(page).data.prepare().X, smooth)
    control(page, "radio", "Its numbers run").set_value("C").run()
    assert "of 12 × 9**, along rows" in said(page)
    control(page, "button", "12 × 9, down columns").click().run()  # back to the first reading
    assert "of 12 × 9**, down columns" in said(page)
    with_file(page, mat(X=down, y=y, again=1.0))
    control(page, "button", "12 × 9, down columns").click().run()
    assert not asked()
    plain = np.random.default_rng(0).normal(size=(40, 108))
    for known in ({"X": down, "dims": [12.0, 9.0]}, {"X": smooth}, {"X": plain}):
        with_file(page, mat(**known, y=y))
        assert not asked()


def test_where_two_readings_are_alike_the_reader_is_asked_before_anything_is_trained(page):
    first, second = np.arange(40) % 2, np.arange(40) // 20
    with_file(page, mat(X=STACK[..., :40], y1=first, y2=second))
    assert asks(page, "Which is right?")
    assert [each.label for each in page.button][:2] == ["labels by y1", "labels by y2"]
    assert page.text[0].value == "fallback"
    control(page, "button", "labels by y2").click().run()
    assert not asks(page, "Which is right?")
    np.testing.assert_array_equal(selected(page).data.prepare().y, second)


def test_a_patch_is_pixels_by_bands_or_one_band(page):
    patches, y = np.random.default_rng(0).normal(size=(20, 6, 6, 5)), np.arange(20) % 2
    with_file(page, npz(patches=patches, labels=y))
    assert selected(page).data.shape == (20, 36, 5)
    control(page, "button", "slice 3 along axis 4").click().run()
    np.testing.assert_array_equal(selected(page).data.prepare().X, patches[..., 2])
    control(page, "number_input", "Slice").set_value(5).run()
    np.testing.assert_array_equal(selected(page).data.prepare().X, patches[..., 4])
    control(page, "selectbox", "From three axes to two").set_value((1, 3)).run()
    joined = patches.transpose(0, 1, 3, 2).reshape(20, 30, 6)
    np.testing.assert_array_equal(selected(page).data.prepare().X, joined)


def test_readings_that_begin_alike_have_buttons_with_different_texts():
    page = open_script(source="My file")
    images, labels = X[:96], Y[:96]
    files = {}
    for s in range(4):
        part = slice(24 * s, 24 * s + 24)
        files[f"data_{s + 1}.mat"] = mat(x=images[part].transpose(1, 2, 0))
        files[f"label_{s + 1}.mat"] = mat(l=labels[part][:, None])
    with_file(page, files)
    offered = [each.label for each in page.button if "from" in each.label]
    assert len(set(offered)) == len(offered)
