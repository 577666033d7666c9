"""HDF5 as MATLAB, hdf5storage and h5py write it, and as nobody should."""

import h5py
import numpy as np
import pytest

from pages.your_data.files import FileError
from tests.files.formats import matlab_73, plain_hdf5, store, store_cells
from tests.files.reader import listed, read

# 12 samples of 4 × 3: not square, so that a wrong order cannot pass for a transpose.
X = np.random.default_rng(0).normal(size=(12, 4, 3)).transpose(1, 2, 0)
y = np.repeat([1.0, 2.0], 6)[:, None]


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"compression": "gzip", "shuffle": True, "fletcher32": True},
        {"compression": "lzf"},
    ],
)
@pytest.mark.parametrize("dtype", [">f8", "f4", "i8", "u1", ">i2"])
@pytest.mark.usefixtures("sandboxed")
def test_numbers_come_in_the_shape_and_class_that_matlab_shows(how, dtype):
    word = {"f8": "double", "f4": "single", "i8": "int64", "u1": "uint8", "i2": "int16"}[dtype[-2:]]
    values = (10 * abs(X)).astype(dtype)
    content = matlab_73(lambda file: store(file, "X", values, word, **how))
    assert listed(content) == {"X": (word, (4, 3, 12))}
    np.testing.assert_array_equal(read(content, "X"), values)
    assert read(content, "X").dtype == np.dtype(dtype).newbyteorder("=")


def test_a_file_of_h5py_keeps_the_axes_of_numpy():
    def write(file):
        file["X"], file["y"], file["three"] = X, y.ravel(), 3.0
        file["half"] = X.astype("f2")
        file["some/words"] = ["one", "two"] * 6
        file["fixed"] = np.array([b"one", b"three"])
        file["yes"] = np.array([True, False])

    content = plain_hdf5(write)
    assert listed(content) == {
        "X": ("double", (4, 3, 12)),
        "fixed": ("char", (2, 5)),
        "half": ("single", (4, 3, 12)),
        "some": ("struct", (1, 1)),
        "some.words": ("cell", (12, 1)),
        "three": ("double", (1, 1)),
        "y": ("double", (12, 1)),
        "yes": ("logical", (2, 1)),
    }
    np.testing.assert_array_equal(read(content, "X"), X)
    np.testing.assert_array_equal(read(content, "half"), X.astype("f2").astype("f4"))
    assert read(content, "some.words").tolist() == ["one", "two"] * 6
    assert read(content, "fixed").tolist() == ["one", "three"]
    # Behind MATLAB's header the axes are MATLAB's, also where no class is told.
    assert listed(matlab_73(write))["X"] == ("double", (12, 3, 4))


def beside_x(write):
    return matlab_73(lambda file: (write(file), store(file, "X", X)))


@pytest.fixture
def secret(tmp_path):
    """A folder of the server with files that no answer may hold, as text and as HDF5."""
    (tmp_path / "secret.txt").write_bytes(b"TOP SECRET" * 10)
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["secret"] = np.arange(100, 110)
    return tmp_path


def external_link(file, secret):
    file["leak"] = h5py.ExternalLink(str(secret / "secret.h5"), "/secret")


def external_storage(file, secret):
    where = [(str(secret / "secret.txt"), 0, 100)]
    file.create_dataset("leak", shape=(100,), dtype="u1", external=where)


def virtual_dataset(file, secret):
    layout = h5py.VirtualLayout(shape=(10,), dtype="i8")
    layout[:] = h5py.VirtualSource(str(secret / "secret.h5"), "secret", shape=(10,))
    file.create_virtual_dataset("leak", layout)


def soft_link_through_an_external_one(file, secret):
    file["out"] = h5py.ExternalLink(str(secret / "secret.h5"), "/")
    file["leak"] = h5py.SoftLink("/out/secret")


def cell_of_external_storage(file, secret):
    external_storage(file.create_group("#refs#"), secret)
    store_cells(file, "leak", [file["#refs#/leak"]])


def sparse_of_external_storage(file, secret):
    group = file.create_group("leak")
    group.attrs["MATLAB_sparse"] = np.uint64(200)
    where = [(str(secret / "secret.txt"), 0, 100)]
    group.create_dataset("data", shape=(100,), dtype="u1", external=where)
    group["ir"], group["jc"] = np.arange(100), np.array([0, 100])


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("write", "sentence"),
    [
        (external_link, "is a link to another file, which is not followed"),
        (external_storage, "keeps its numbers in another file, which is not opened"),
        (virtual_dataset, "is a virtual dataset, which takes its numbers from other files"),
        (soft_link_through_an_external_one, "is a soft link, which is not followed"),
        (cell_of_external_storage, "has a cell that is of class 'dataset with external storage'"),
        (sparse_of_external_storage, "is damaged and cannot be read"),
    ],
)
def test_no_other_file_of_the_server_is_ever_read(secret, write, sentence):
    content = beside_x(lambda file: write(file, secret))
    with pytest.raises(FileError, match=rf"^'leak' {sentence}.*\.$") as refused:
        read(content, "leak")
    assert str(secret) not in str(refused.value)
    assert "SECRET" not in str(refused.value)
    assert "leak" in listed(content)
    np.testing.assert_array_equal(read(content, "X"), X)


def cycle_of_references(file):
    parts = file.create_group("#refs#")
    a, b = (parts.create_dataset(name, (1, 1), h5py.ref_dtype) for name in "ab")
    for one, other in ((a, b), (b, a)):
        one[0, 0] = other.ref
        one.attrs["MATLAB_class"] = np.bytes_("cell")
    store_cells(file, "bad", [a])


def fan_out(file, width, depth, leaf=1):
    parts = file.create_group("#refs#")
    level = store(parts, "l0", np.ones((leaf, leaf)))
    for i in range(depth):
        level = store_cells(parts, f"l{i + 1}", [level] * width)
    store_cells(file, "bad", [level])


def bad_sparse(**changed):
    def write(file):
        group = file.create_group("bad")
        group.attrs["MATLAB_sparse"] = np.uint64(4)
        parts = {"data": [1.0, 2, 3], "ir": [0, 1, 2], "jc": [0, 1, 2, 3]} | changed
        for name, values in parts.items():
            group[name] = np.array(values)

    return write


def custom_filter(file):
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    how.set_chunk((4,))
    how.set_filter(32_015, h5py.h5z.FLAG_OPTIONAL, ())  # zstd, which this HDF5 does not bring
    space = h5py.h5s.create_simple((4,))
    h5py.h5d.create(file.id, b"bad", h5py.h5t.NATIVE_DOUBLE, space, how)


def deep_groups(file):
    group = file
    for _ in range(100):
        group = group.create_group("bad")
    group["X"] = 1.0


def gzip_bomb(file):
    data = file.create_dataset(
        "bad", (64, 2048, 256), "f8", chunks=(64, 2048, 8), compression="gzip"
    )
    data[..., :8] = 0.0


def marked_as_empty(*shape):
    def write(file):
        store(file, "bad", np.array(shape, "u8")).attrs["MATLAB_empty"] = np.uint8(1)

    return write


def stored(values, matlab_class):
    return lambda file: store(file, "bad", values, matlab_class)


def held(what):
    return lambda file: file.__setitem__("bad", what)


def huge(file):
    file.create_dataset("bad", (10**6, 10**6), "f8", chunks=(1000, 1000))


DAMAGED, UNKNOWN = "is damaged and cannot be read", "is of class 'unknown', not an array"
HOSTILE = {
    "references in a circle": (cycle_of_references, "nests cells more than 8 deep"),
    "2^30 cells": (lambda file: fan_out(file, 2, 30), "nests cells more than 8 deep"),
    "400 cells of 90,000 numbers": (lambda file: fan_out(file, 20, 2, 300), "is 300 × 300, which"),
    "8 TB declared": (huge, "is 1,000,000 × 1,000,000, which is more than the 160 MB"),
    "a gzip bomb": (gzip_bomb, "is 256 × 2,048 × 64, which is more than the 160 MB"),
    "rows far outside": (bad_sparse(ir=[0, 1, 10**9]), DAMAGED),
    "rows before the first": (bad_sparse(ir=[0, 1, -5]), DAMAGED),
    "rows beyond int64": (bad_sparse(ir=np.array([0, 1, 2**64 - 9], "u8")), DAMAGED),
    "columns that go back": (bad_sparse(jc=[0, 3, 1, 3]), DAMAGED),
    "columns beyond the data": (bad_sparse(jc=[0, 1, 2, 10**9]), DAMAGED),
    "a filter from elsewhere": (custom_filter, "is compressed by a filter that is not part of"),
    "groups 100 deep": (deep_groups, "is of class 'struct', not an array"),
    "a soft link to itself": (held(h5py.SoftLink("/bad")), "is a soft link, which is not followed"),
    "emptiness of 2^80 numbers": (marked_as_empty(2**40, 2**40), "is 1,099,511,627,776 × 1,099,5"),
    "emptiness that is none": (marked_as_empty(2, 2), "is marked as empty, but is 2 × 2"),
    "text that is numbers": (stored(X, "char"), DAMAGED),
    "a class of its own": (stored(X, "evil"), "is of class 'evil', not an array of numbers"),
    "cells that are numbers": (stored(X, "cell"), DAMAGED),
    "nothing at all": (held(h5py.Empty("f8")), UNKNOWN),
    "opaque bytes": (held(np.array([b"ab"], "V2")), UNKNOWN),
}


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_variable_gets_a_sentence_and_hides_no_other(hostile):
    write, sentence = HOSTILE[hostile]
    content = beside_x(write)
    assert {"bad", "X"} <= set(listed(content))
    with pytest.raises(FileError, match=rf"'bad' {sentence}.*\.$"):
        read(content, "bad")
    np.testing.assert_array_equal(read(content, "X"), X)


def test_cells_of_cells_are_counted_together(monkeypatch):
    monkeypatch.setattr("formats.hdf5.MOST_CELLS", 100)
    content = matlab_73(lambda file: fan_out(file, 5, 4))
    with pytest.raises(FileError, match=r"^'bad' has more than the 100 cells that can be"):
        read(content, "bad")


def test_groups_that_hold_each_other_are_listed_once():
    def write(file):
        group = file.create_group("g")
        group["self"], group["up"] = group, file["/"]

    content = matlab_73(write)
    assert listed(content) == {
        "g": ("struct", (1, 1)),
        "g.self": ("circular link", ()),
        "g.up": ("circular link", ()),
    }
    with pytest.raises(FileError, match=r"^'g\.up' is a link to a group that holds it"):
        read(content, "g.up")


def test_too_many_variables_are_refused_as_a_whole(monkeypatch):
    monkeypatch.setattr("formats.reader.MOST_VARIABLES", 100)
    content = matlab_73(lambda file: [file.create_group(f"v{i}") for i in range(101)])
    with pytest.raises(FileError, match=r"^The file holds more than 100 variables\.$"):
        listed(content)
