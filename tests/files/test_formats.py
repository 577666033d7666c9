"""Every format of numbers, text, cells and structs is listed and read alike."""

import gzip

import h5py
import numpy as np
import pytest
from scipy.sparse import csc_matrix, issparse

from pages.your_data.files import FileError
from tests.files.formats import WRITERS, plain_hdf5
from tests.files.make import cells, structs
from tests.files.reader import listed, read

X = np.random.default_rng(0).normal(size=(4, 3, 12)).round(4)  # no two axes are of one length
FEW = np.where(X[..., 0] > 0, X[..., 0], 0)
WORDS = ["dog", "horse"]
SPECIAL = np.array([[np.inf, np.nan, -np.inf]])
# A variable, and the class and shape that are listed.
NUMBERS = {
    "X": (X, "double", (4, 3, 12)),
    "y": (np.repeat([1.0, 2.0], 6)[:, None], "double", (12, 1)),
    "three": (np.array([[3.5]]), "double", (1, 1)),
    "special": (SPECIAL, "double", (1, 3)),
    "half": (X[:2, :, 0].astype("f4"), "single", (2, 3)),
    "z": (X[:2, :, 0] + 2j, "double", (2, 3)),
    "infinite": (np.array([[complex(1, np.inf), complex(np.nan, 2)]]), "double", (1, 2)),
    "mask": (X[:2, :, 0] > 0, "logical", (2, 3)),
    "bytes": (np.uint8([[0, 255, 7]]), "uint8", (1, 3)),
    "small": (np.int16([[-300, 2], [1, 300]]), "int16", (2, 2)),
    "large": (np.uint64([[2**64 - 1], [0]]), "uint64", (2, 1)),
    "rows": (np.array(["ab", "horse"]), "char", (2, 5)),
    "none": (np.zeros((0, 5)), "double", (0, 5)),
}
OTHERS = {
    "S": (csc_matrix(FEW), "sparse", (4, 3)),
    "truths": (csc_matrix(FEW > 0), "logical", (4, 3)),
    "zeros": (csc_matrix((4, 3)), "sparse", (4, 3)),
    "samples": (cells([*X.transpose(2, 0, 1)[:2]], (1, 2)), "cell", (1, 2)),
    "words": (cells(WORDS, (1, 2)), "cell", (1, 2)),
    "s": ({"a": X, "b": {"c": X[0]}}, "struct", (1, 1)),
    "runs": (cells([{"x": x, "y": x[:1, :1]} for x in X.T], (1, 12)), "struct", (1, 12)),
    "records": (structs(image=[*X.T]), "struct", (1, 12)),
    "nested": (cells([cells([x, x + 1]) for x in X.T[:3]]), "cell", (1, 3)),
}
EVERY = NUMBERS | OTHERS
STACKED = {  # as cells are read
    "samples": X.T.swapaxes(1, 2)[:2],
    "words": np.array(WORDS),
    "nested": np.stack([X.T, X.T + 1], 1)[:3],
}
INSIDE = {
    "s.a": (X, "double", (4, 3, 12)),
    "s.b": (None, "struct", (1, 1)),
    "s.b.c": (X[0], "double", (3, 12)),
    "runs.x": (X.T, "cell", (1, 12)),
    "runs.y": (X[0, 0], "cell", (1, 12)),
    "records.image": (X.T, "cell", (1, 12)),
}


@pytest.mark.parametrize("file_format", WRITERS)
def test_every_format_is_listed_and_read_alike(file_format):
    stored = NUMBERS if file_format == "npz" else EVERY
    content = WRITERS[file_format]({name: value for name, (value, *_) in stored.items()})
    found = stored if file_format == "npz" else stored | INSIDE
    assert listed(content) == {name: (kind, shape) for name, (_, kind, shape) in found.items()}
    for name, (value, matlab_class, _) in found.items():
        if name == "none":
            with pytest.raises(FileError, match=r"^'none' is empty: it is 0 × 5\.$"):
                read(content, name)
        elif matlab_class != "struct":
            values = read(content, name)
            dense = value.toarray() if issparse(value) else value
            expected = STACKED.get(name, np.asarray(dense))
            np.testing.assert_array_equal(values, expected)
            assert values.dtype == expected.dtype or matlab_class in ("cell", "char")


@pytest.mark.parametrize("file_format", WRITERS)
def test_a_file_that_was_cut_off_is_said_to_be_so(file_format):
    content = WRITERS[file_format]({"X": X})
    for size in (120, len(content) // 2, len(content) - 30):
        with pytest.raises(FileError, match=r"cut off|ends in the middle|announced"):
            read(content[:size], "X")


def octaves_hdf5(file: h5py.File) -> None:
    """A variable as Octave's `save -hdf5` writes it."""
    made = file.create_group("X")
    made.attrs["OCTAVE_NEW_FORMAT"] = np.uint8(1)
    made["type"], made["value"] = np.bytes_("matrix"), np.eye(2)


@pytest.mark.parametrize(
    "content",
    [
        b"# Created by Octave 7.3.0, Sat Nov 21 2026\n# name: X\n# type: scalar\n1\n",
        gzip.compress(b"# Created by Octave 7.3.0\n# name: X\n# type: scalar\n1\n"),
        b"Octave-1-L\0" + bytes(40),
        plain_hdf5(octaves_hdf5),
    ],
    ids=["text", "gzip", "binary", "HDF5"],
)
def test_octaves_own_formats_are_refused_with_the_way_out(content):
    with pytest.raises(FileError, match=r"\(save -v7 file\.mat X y\)\.$"):
        listed(content)
