"""Inputs of practitioners that were silently wrong or dead ends, each with its right reading."""

import struct

import numpy as np
import pytest
from scipy.signal import spectrogram
from sklearn.datasets import load_digits

from pages.your_data.files import Contents, FileError, Layout
from pages.your_data.reading import pictures
from pages.your_data.reading.source import inspect_contents
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.splits import find_overlaps, fingerprints
from pages.your_data.use.new_samples import find_samples
from smmcore.estimators.scaling import Scaling
from tests.files.kinds import image, planted, table, wide
from tests.files.make import cells, mat, npy, npz, zipped
from tests.files.test_kinds import agree, divide_alike, inspect

X, Y = planted(60, 8, 40, seed=2)
STACK = X.transpose(1, 2, 0)
NAMES = [f"ch{i + 1}_t{j + 1}" for i in range(8) for j in range(40)]
SIDES = np.array(["left", "right"])[Y]


@pytest.fixture(autouse=True)
def no_strips(monkeypatch):
    monkeypatch.setattr(pictures, "layout_strip", lambda *_: None)


def first(files):
    """How files are read, what is said, and the first reading."""
    how, (reading, *_), sentences = inspect(files)
    return how, reading, sentences


def test_20_labels_by_id():
    ids = np.array([f"s{i:03d}" for i in range(60)])
    mixed = np.random.default_rng(1).permutation(60)
    files = {
        "features.csv": wide(["id", *NAMES], X, [ids]),
        "labels.csv": table(["id", "diagnosis"], ids[mixed], SIDES[mixed]),
    }
    how, reading, _ = first(files)
    assert how == "read"
    assert agree(reading, X, SIDES)


@pytest.mark.parametrize(
    "headings", ["code code", "Patient PatientID", "key number", "Unnamed:_0 Unnamed:_0"]
)
def test_numbers_join_two_tables_under_any_heading(headings):
    ours, theirs = (each.replace("_", " ") for each in headings.split())
    numbers = np.random.default_rng(0).choice(99_999, 60, replace=False)
    mixed = np.random.default_rng(1).permutation(60)
    files = {
        "features.csv": wide([ours, *NAMES], X, [numbers]),
        "labels.csv": table([theirs, "diagnosis"], numbers[mixed], SIDES[mixed]),
    }
    how, reading, _ = first(files)
    assert how == "read"
    assert agree(reading, X, SIDES)


def test_21_new_samples_by_the_names_of_their_columns():
    form = SampleForm(Layout("x", 0, (8, 40), "C"), columns=tuple(NAMES))
    one = np.ones((1, *X.shape[1:]))
    ours = Machine("lsvm", one, np.ones(1), Scaling(), np.arange(2), form=form)
    mixed = np.random.default_rng(1).permutation(320)
    rows = X.reshape(60, -1)
    contents = Contents(table([NAMES[at] for at in mixed], *rows[:, mixed].T))
    (name,) = find_samples(contents, ours)
    np.testing.assert_array_equal(form.read(contents, name, X.shape[1:])[0], X)
    with pytest.raises(FileError, match="lacks the column 'ch8_t40'"):
        find_samples(Contents(table(NAMES[:-1], *rows[:, :-1].T)), ours)


def test_columns_in_another_order_of_which_two_have_one_name_are_refused():
    files = {
        "train.csv": table(["a", "a", "b", "c", "side"], *X[:40, :4, 0].T, SIDES[:40]),
        "test.csv": table(["b", "a", "a", "c", "side"], *X[40:, :4, 0].T, SIDES[40:]),
    }
    with pytest.raises(FileError, match="has two columns 'a"):
        first(files)


def test_rows_of_a_test_table_in_another_order_of_columns():
    mixed = np.random.default_rng(1).permutation(320)
    rows, headings = X.reshape(60, -1), [NAMES[at] for at in mixed]
    files = {
        "train.csv": table([*NAMES, "side"], *rows[:40].T, SIDES[:40]),
        "test.csv": table([*headings, "side"], *rows[40:, mixed].T, SIDES[40:]),
    }
    _, reading, _ = first(files)
    np.testing.assert_array_equal(reading.X, X)
    np.testing.assert_array_equal(reading.test, np.arange(60) >= 40)


def test_recordings_in_several_orders_of_columns_and_with_other_columns():
    mixed = np.random.default_rng(1).permutation(8)
    names = [f"emg_{'abcdefgh'[k]}" for k in range(8)]
    files = {f"{SIDES[i]}/{i:02d}.csv": table(names, *X[i]) for i in range(60)}
    for i in range(20, 40):
        files[f"{SIDES[i]}/{i:02d}.csv"] = table([names[k] for k in mixed], *X[i, mixed])
    how, reading, _ = first(zipped(files))
    assert how == "read"
    by_class = [i for side in ("left", "right") for i in range(60) if SIDES[i] == side]
    np.testing.assert_array_equal(reading.X, X[by_class].swapaxes(1, 2))
    files[f"{SIDES[59]}/59.csv"] = table([*names[:-1], "pulse"], *X[59])
    with pytest.raises(FileError, match=r"59' lacks the column 'emg_h' of 'left\."):
        first(zipped(files))


@pytest.mark.parametrize("heading", ["time", "", "seq", "t_ms"])
def test_a_column_that_counts_the_moments_is_no_channel(heading):
    moments = np.arange(60 * 40).reshape(60, 40) / 100
    if heading == "t_ms":
        moments = moments + np.random.default_rng(0).uniform(0, 0.009, moments.shape)
    names = [heading, *(f"emg_{k}" for k in "abcdefgh")]
    files = {f"{SIDES[i]}/{i:02d}.csv": table(names, moments[i], *X[i]) for i in range(60)}
    how, reading, sentences = first(zipped(files))
    assert how == "read"
    assert agree(reading, X, SIDES)
    assert f"and so for 59 more: Column '{heading or 'column 1'}' is not used" in sentences


def test_a_note_about_many_files_is_said_once():
    names = ["time", "x", "y", "z"]
    files = {f"{SIDES[i]}_{i}.csv": table(names, range(40), *X[i, :3]) for i in range(60)}
    how, reading, sentences = first(files)
    assert how == "read"
    assert agree(reading, X[:, :3], SIDES)
    assert "and 59 more: Column 'time' is not used" in sentences
    assert sentences.count("is not used") == 1


def test_a_table_of_moments_with_their_time_is_cut_into_windows_without_it():
    long = np.concatenate([*X], axis=1)
    of_moments = np.repeat(np.resize(["left", "right"], 60), 40)
    names = ["time", *(f"emg_{k}" for k in "abcdefgh"), "activity"]
    how, reading, sentences = first(table(names, np.arange(2400) / 100, *long, of_moments))
    assert how == "ask"
    assert "They are cut into windows" in sentences
    np.testing.assert_array_equal(reading.X[0], long[:, : reading.X.shape[2]])


@pytest.mark.parametrize("header", [("time", "vib"), None])
def test_recordings_of_one_channel_beside_their_time(header):
    waves = np.random.default_rng(0).normal(size=(6, 1000)).round(4)
    seconds = [np.arange(k * 1000, k * 1000 + 1000) / 100 for k in range(6)]
    files = {f"{SIDES[k]}/{k}.csv": table(header, seconds[k], waves[k]) for k in range(6)}
    _, reading, _ = first(zipped(files))
    firsts = sorted(range(6), key=lambda k: (SIDES[k], k))
    np.testing.assert_array_equal(reading.X[0].ravel()[:128], waves[firsts[0], :128])


def test_22_a_zip_of_tables():
    files = {f"data/{SIDES[i]}/rec_{i:03d}.csv": table(None, *X[i].T) for i in range(60)}
    how, reading, _ = first(zipped(files))
    assert how == "read"
    assert agree(reading, X, Y)


@pytest.mark.parametrize("name", ["data/{}/{}.mat", "{}_{}.mat", "{}/rec_{}.mat"])
def test_a_folder_for_each_class_with_recordings_of_one_name(name):
    waves = np.random.default_rng(0).normal(size=(2, 3, 6000, 1))
    files = {
        name.format(kind, i + 1): mat(vib=waves[k, i], fs=12_000.0)
        for k, kind in enumerate(("inner", "normal"))
        for i in range(3)
    }
    how, found, sentences = inspect(zipped(files))
    assert how == "ask"
    assert "They are cut into windows of 256 moments" in sentences
    np.testing.assert_array_equal(found[0].y, np.repeat(["inner", "normal"], 3 * 23))


def test_23_one_recording_per_file():
    waves = np.random.default_rng(0).normal(size=(4, 6000, 1))
    kinds = ("Normal", "IR007", "B007", "OR007")
    files = {
        f"{kind}_0.mat": mat(
            **{f"X{97 + k}_DE_time": waves[k], f"X{97 + k}_FE_time": -waves[k]},
            **{f"X{97 + k}RPM": 1797.0},
        )
        for k, kind in enumerate(kinds)
    }
    how, found, sentences = inspect(files)
    assert how == "ask"
    assert "They are cut into windows of 256 moments" in sentences
    folded, spectral = found[:2]
    assert (folded.X.shape, spectral.X.shape) == ((92, 16, 16), (92, 17, 9))
    assert len(np.unique(folded.groups)) == 20  # parts in time, as a class has one recording
    np.testing.assert_array_equal(folded.X[0].ravel(), waves[0, :256, 0])
    power = spectrogram(waves[0, 256:512, 0], nperseg=32, detrend=False)[2]
    np.testing.assert_allclose(spectral.X[1], np.log10(power))


@pytest.mark.parametrize("heading", ["label", "fault"])
@pytest.mark.parametrize("where", ["bearings/", ""])
@pytest.mark.parametrize("ending", ["csv", "mat"])
def test_recordings_and_a_table_of_their_faults(where, ending, heading):
    waves = np.random.default_rng(0).normal(size=(12, 4000, 1)).round(4)
    write = {"csv": lambda wave: table(None, wave[:, 0]), "mat": lambda wave: mat(vib=wave)}[ending]
    kinds = np.resize(["normal", "inner", "outer"], 12)
    files = {f"{where}rec_{i:02d}.{ending}": write(waves[i]) for i in range(12)}
    names = [f"rec_{i:02d}.{ending}" for i in range(12)]
    files[f"{where}faults.csv"] = table(["file", heading, "rpm"], names, kinds, [1797] * 12)
    how, reading, sentences = first(files)
    assert how == "ask"
    assert "They are cut into windows of 256 moments" in sentences
    assert "from the names" not in sentences
    np.testing.assert_array_equal(reading.X[0].ravel(), waves[0, :256, 0])
    np.testing.assert_array_equal(reading.y, np.repeat(kinds, 15))
    assert divide_alike(reading.groups, np.repeat(range(12), 15))


@pytest.mark.parametrize("kinds", [SIDES, Y])
def test_recordings_without_a_row_in_the_table_of_labels_are_named(kinds):
    files = {f"rec/rec{i:02d}.csv": table(None, *X[i].T) for i in range(60)}
    rows = [i for i in range(60) if i not in (7, 31)]
    files["labels.csv"] = table(["id", "class"], [f"rec{i:02d}" for i in rows], kinds[rows])
    _, _, sentences = first(files)
    assert (
        "2 of its 60 samples. 2 samples have no row in 'labels.id': 'rec07', 'rec31'" in sentences
    )


def test_a_table_of_words_alone_belongs_to_files_by_their_names():
    some = np.random.default_rng(1).permutation(30)
    names, kinds = np.array([f"sub{i:02d}" for i in some]), SIDES[some]
    sexes = np.resize(["m", "f", "f"], 30)
    listed = {"participants.csv": table(["id", "sex", "diagnosis"], names, sexes, kinds)}
    for each, y in ((1, SIDES[:30]), (2, np.repeat(SIDES[:30], 2))):  # samples of a subject
        files = {f"sub{i:02d}.npy": npy(X[each * i : each * (i + 1)]) for i in range(30)}
        how, reading, _ = first(files | listed)
        assert how == "read"
        assert agree(reading, X[: 30 * each], y)


def test_words_in_names_are_asked_about_beside_a_table_of_something_else():
    names = [f"{SIDES[i]}_{i:02d}.npy" for i in range(60)]
    scanners = np.resize(["A", "B", "C"], 60)
    files = dict(zip(names, map(npy, X), strict=True))
    how, found, sentences = inspect(
        files | {"info.csv": table(["file", "scanner"], names, scanners)}
    )
    assert how == "ask"
    assert "The names hold words that may be the classes, too: 'left', 'right'" in sentences
    assert [agree(each, X, y) for each, y in zip(found, (scanners, SIDES), strict=False)] == [
        True
    ] * 2


def test_24_samples_in_columns():
    kind = np.repeat([0, 1], 15)
    spectra = 1 + np.random.default_rng(0).random((30, 140)).round(5) + kind[:, None]
    names = [f"{('control', 'drought')[k]}_{i % 15 + 1}" for i, k in enumerate(kind)]
    how, reading, _ = first(table(["wavelength", *names], np.arange(1100, 2500, 10), *spectra))
    assert how == "ask"
    assert agree(reading, spectra, kind)
    assert reading.X.shape == (30, 1, 140)


def test_25_complex():
    phases = np.exp(1j * np.random.default_rng(1).uniform(-np.pi, np.pi, STACK.shape))
    how, reading, sentences = first(mat(csi=(9 + STACK) * phases, label=Y))
    assert how == "ask"
    assert "of which the magnitude is taken" in sentences
    assert agree(reading, 9 + X, Y)


def dataset_object(variable):
    """The struct of a file as an object of the class dataset, as before MATLAB 2008."""
    whole = mat(_compress=False, nir=variable)
    body = bytearray(whole[136:])
    body[8] = 3  # an object; its class stands behind flags, shape and name
    at = 40
    body[at:at] = struct.pack("<2I", 1, 7) + b"dataset\0"
    return whole[:128] + struct.pack("<2I", 14, len(body)) + bytes(body)


@pytest.mark.parametrize("write", [dataset_object, lambda variable: mat(nir=variable)])
def test_26_a_dataset_object_and_its_struct(write):
    scale = cells([np.zeros((0, 0)), np.linspace(1100, 2500, 320)[None]])
    fields = {"type": "data", "data": X.reshape(60, -1), "axisscale": scale}
    fields["class"] = cells([Y[None] + 1.0, np.zeros((0, 0))])
    how, reading, _ = first(write(fields))
    assert how == "read"
    assert agree(reading, X, Y)


def test_27_a_table_as_wide_as_long():
    square = X.reshape(60, -1)[:, :60]
    names = [f"f{k}" for k in range(60)]
    how, reading, _ = first(wide([*names, "label"], square, (), [SIDES]))
    assert how == "read"
    assert agree(reading, square, Y)


def test_28_pgm_faces():
    faces = np.clip(128 + 20 * X, 0, 255).astype(np.uint8)
    files = {f"s{1 + Y[i]}/{i + 1}.pgm": image(faces[i], "PPM") for i in range(60)}
    how, reading, sentences = first(zipped(files | {"README": b"The files are in PGM format."}))
    assert how == "read"
    assert agree(reading, faces, Y)
    assert "'README' is neither" in sentences


def test_29_padded_trials():
    length = np.random.default_rng(0).integers(28, 41, 60)
    padded = np.where(np.arange(40) < length[:, None, None], X, np.nan)
    how, reading, sentences = first(npz(X=padded, y=Y))
    assert how == "ask"
    assert f"cut to the shortest, they are 8 × {length.min()}" in sentences
    assert agree(reading, X[..., : length.min()], Y)


def test_30_events_of_mne():
    events = np.c_[1000 + 250 * np.arange(60), np.zeros(60, int), 11 + Y]
    beside = {"times": np.arange(40) / 250 - 0.1, "sfreq": 250.0}
    _, reading, _ = first(npz(data=1e-6 * X, events=events, **beside))
    assert agree(reading, 1e-6 * X, Y)


def test_31_enlarged_images_do_not_overlap():
    digits = load_digits()
    some = np.isin(digits.target, (3, 8))
    assert find_overlaps(np.kron(digits.images[some], np.ones((4, 4)))) == []


def test_32_a_header_of_numbers():
    ppm = np.linspace(9.997515, -0.046865, 240).round(6)
    rows = np.random.default_rng(0).normal(size=(60, 240)).round(3)
    content = wide(["sample_id", *ppm, "classification"], rows, [100 + np.arange(60)], [SIDES])
    _, reading, _ = first(content)
    np.testing.assert_array_equal(reading.X, rows[:, None])


ORDERS = {"rows": np.arange(320), "columns": np.arange(320).reshape(8, 40).T.ravel()}


@pytest.mark.parametrize("order", [*ORDERS, "texts"])
@pytest.mark.parametrize(
    "heading", ["r{}c{}", "x_{}_{}", "ch{}_t{}", '"{},{}"', "{}x{}", "E{}.t{}", "a[{}][{}]"]
)
def test_two_numbers_in_headings_are_rows_and_columns(heading, order):
    headings = np.array([heading.format(7 + k // 40, k % 40) for k in range(320)])
    at = ORDERS.get(order, np.argsort(headings))
    how, reading, sentences = first(
        wide([*headings[at], "class"], X.reshape(60, -1)[:, at], (), [SIDES])
    )
    assert how == "read"
    np.testing.assert_array_equal(reading.X, X)
    assert ("The columns are put in the order" in sentences) == (order == "texts")


def test_a_channel_and_a_moment_in_headings_are_a_row_and_a_column():
    channels = ["Fz", "F3", "C1", "Cz", "Pz", "P4", "O1", "Oz"]
    headings = [f"{channel}_{j}" for channel in channels for j in range(40)]
    how, reading, _ = first(wide([*headings, "class"], X, (), [SIDES]))
    assert how == "read"
    np.testing.assert_array_equal(reading.X, X)


@pytest.mark.parametrize("names", ["sepal length,sepal width,petal length,petal width", "a,b,c,d"])
def test_other_headings_give_no_rows(names):
    content = wide([*names.split(","), "class"], X[:, :2, :2], (), [SIDES])
    assert first(content)[1].X.shape == (60, 1, 4)


def test_33_samples_that_were_trained_on_are_known():
    np.testing.assert_array_equal(np.isin(fingerprints(X[:20]), fingerprints(X)), True)
    assert not np.isin(fingerprints(X[:20] + 1), fingerprints(X)).any()


def test_34_buttons_differ_and_files_of_two_subjects_are_not_mixed():
    files = {}
    for s in range(4):
        files[f"data_{s + 1}.mat"] = mat(x=STACK[..., 15 * s : 15 * s + 15])
        files[f"label_{s + 1}.mat"] = mat(l=Y[15 * s : 15 * s + 15, None])
    inspection = inspect_contents(Contents(files))
    layouts = inspection.layouts[:5]
    pairs = [(each, layouts[0]) for each in layouts[1:]]
    buttons = pictures.describe_differences(pairs, inspection.variables)
    assert len({*buttons}) == len(buttons)
    for each in inspection.layouts:
        assert each.samples.replace("data", "label").replace(".x", ".l") == each.labels


RUNS = [planted(1, 3200, 8, seed=k)[0][0] for k in range(3)]
ONSETS, CUES = 51 + 120 * np.arange(24), np.arange(24) % 4 + 1
AT = [slice(at - 1, at + 119) for at in ONSETS]
ONE_RUN = {"X": RUNS[0], "trial": 1.0 * ONSETS[:, None], "y": 1.0 * CUES[:, None], "fs": 250.0}


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (mat(data=cells([ONE_RUN | {"X": run} for run in RUNS], (1, 3))), 3),  # BNCI
        (mat(cnt=RUNS[0], mrk={"pos": 1.0 * ONSETS[None], "y": CUES[None]}), 1),  # competitions
        (npz(data=RUNS[0].T, events=np.c_[ONSETS - 1, 0 * ONSETS, CUES]), 1),  # MNE counts from 0
    ],
)
def test_recordings_are_cut_at_their_onsets(content, count):
    how, reading, sentences = first(content)
    assert how == "ask"
    assert "They are cut at" in sentences
    cut = [run[at].T for run in RUNS[:count] for at in AT]
    assert agree(reading, cut, np.tile(CUES, count))
    np.testing.assert_array_equal(reading.X, cut)
    assert len(np.unique(reading.groups)) == (5 if count == 1 else count)


def test_words_in_the_names_of_images_are_classes_and_subjects():
    picture = np.arange(80, dtype=np.uint8).reshape(8, 10)
    names = [f"S{i // 10:02d}_{('cat', 'dog')[i % 2]}.{i}.png" for i in range(40)]
    pixels = [picture + i for i in range(40)]
    files = dict(zip(names, map(image, pixels), strict=True))
    for content in (zipped(files), files):
        how, reading, sentences = first(content)
        assert how == "ask"
        assert "The classes are read from the names of the images" in sentences
        assert agree(reading, pixels, np.arange(40) % 2, np.arange(40) // 10)
    numbered = zipped({f"img_{i:03d}.png": image(pixels[i]) for i in range(40)})
    assert inspect(numbered)[0] == "refuse"


def test_words_in_the_names_of_files_are_classes_and_subjects():
    files = {
        f"S{s:02d}_{word}.mat": mat(data=X[10 * s + k], fs=250.0)
        for s in range(6)
        for k, word in enumerate(("rest", "task"))
    }
    how, reading, _ = first(files)
    assert how == "ask"
    some = [10 * s + k for s in range(6) for k in range(2)]
    assert agree(reading, X[some], np.tile([0, 1], 6), np.repeat(np.arange(6), 2))
