"""Files as data sets are distributed: what is proposed of their names, shapes and numbers."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from smmcore.matfile import MatFileError, proposals
from tests.test_layout import DOWN, LAST, STACK, X, Y, cells, first, saved

RANDOM = np.random.default_rng(1)


def recording(moments, channels, seed=0):
    noise = np.random.default_rng(seed).normal(size=(moments, channels))
    return gaussian_filter1d(noise, 5, axis=0)


def structs(**fields):
    array = np.empty((1, len(next(iter(fields.values())))), [(name, object) for name in fields])
    for name, values in fields.items():
        for i, value in enumerate(values):
            array[0, i][name] = value
    return array


# ---- which vector is the label ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["diagnosis", "DX", "condition"])
def test_what_else_is_known_of_a_person_is_no_label_where_there_is_another(name):
    beside = {"sex": np.arange(40) % 2, "age": 20.0 + np.arange(40) % 3, "site": np.arange(40) % 4}
    ways = proposals(saved(conn=STACK, **beside, **{name: Y}))
    assert ways[0].labels == name
    assert proposals(saved(conn=STACK, sex=Y))[0].labels == "sex"


def test_numbers_in_a_struct_array_tell_no_test_part():
    kind = np.resize([1.0, 2.0, 3.0], 40)
    file = saved(data=STACK, event=structs(type=kind), epoch=structs(eventtype=kind))
    assert proposals(file)[0].parts == ""


def test_times_in_cells_are_no_labels_of_the_moments():
    trial, time = cells([*X], (1, 40)), cells([np.linspace(0, 1, 9)[None]] * 40, (1, 40))
    data = first(saved(trial=trial, time=time, trialinfo=Y))
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)


def test_the_pair_tr_and_ts_tells_training_and_test():
    some = {"Xtr": DOWN[~LAST], "Ltr": Y[~LAST], "Xts": DOWN[LAST], "Lts": Y[LAST]}
    data = first(saved(**some))
    np.testing.assert_array_equal(data.X, np.concatenate([X[~LAST], X[LAST]]))
    np.testing.assert_array_equal(data.y, np.concatenate([Y[~LAST], Y[LAST]]))
    np.testing.assert_array_equal(data.test, np.arange(40) >= 30)


# ---- what is no matrix ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        (
            {"meas": RANDOM.random((40, 4)), "species": Y},
            r"^Each sample of 'meas' is a vector of 4 numbers, which folds to no matrix of 3 rows",
        ),
        (
            {"emg": recording(2000, 12), "stimulus": np.repeat(np.arange(20) % 4, 100)},
            r"^'emg' is a recording of 2,000 moments, each a vector of 12 numbers: cut it to",
        ),
        (
            {"left": recording(900, 20).T, "right": recording(950, 20, 1).T},
            r"^'left' is a recording of 1,850 moments, each a vector of 20 numbers",
        ),
        (
            {"Z": RANDOM.normal(size=(513, 20)).T, "S": RANDOM.normal(size=(513, 20)).T},
            r"^'Z', 'S' hold vectors, 20 x 513, in which nothing tells rows and columns",
        ),
        (
            {
                "cnt": recording(900, 13),
                "mrk": {"pos": np.arange(40.0), "y": Y},
                "nfo": {"classes": cells(["left", "foot"]), "xpos": np.arange(13.0)},
            },
            r"^'mrk.y' has 40 labels, but no axis of 'cnt', 900 x 13 numbers, is as long",
        ),
    ],
)
def test_recordings_and_plain_measurements_are_not_folded(variables, sentence):
    with pytest.raises(MatFileError, match=sentence):
        proposals(saved(**variables))
