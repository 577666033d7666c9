"""NumPy's files: read by their headers, never unpickled, inflated no further than declared."""

import pickle

import numpy as np
import pytest

from pages.your_data.files import FileError
from tests.files.make import declared, npy, npz, zipped
from tests.files.reader import listed, notes, read

X = np.random.default_rng(0).normal(size=(12, 4, 3))
y = np.repeat([1, 2], 6)


NUMPYS_OWN = {  # as it is stored, the class and shape that are listed, as it is read
    "turned": (np.asfortranarray(X), "double", (12, 4, 3), X),
    "vector": (y, "int64", (12, 1), y[:, None]),
    "half": (X.astype("f2"), "single", (12, 4, 3), X.astype("f2").astype("f4")),
    "big": (X.astype(">f4"), "single", (12, 4, 3), X.astype("f4")),
    "bytes": (np.array([b"one", b"three"]), "char", (2, 5), np.array(["one", "three"])),
    "three": (np.float64(3), "double", (1, 1), np.array([[3.0]])),
}


def test_an_npz_is_read_like_the_variables_of_matlab():
    content = npz(**{name: stored for name, (stored, *_) in NUMPYS_OWN.items()})
    assert listed(content) == {name: each[1:3] for name, each in NUMPYS_OWN.items()}
    for name, (*_, values) in NUMPYS_OWN.items():
        found = read(content, name)
        np.testing.assert_array_equal(found, values)
        assert found.dtype == values.dtype


class Payload:
    """What leaves a trace where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "wb")


@pytest.mark.usefixtures("anywhere")
def test_no_pickle_is_ever_executed(tmp_path):
    trace = tmp_path / "executed"
    objects = np.array([Payload(trace), 1], dtype=object)
    for content, name in ((npy(objects), "array"), (npz(y=objects, X=X), "y")):
        listed(content)
        with pytest.raises(FileError, match=rf"^'{name}' holds Python objects, which only pick"):
            read(content, name)
    np.testing.assert_array_equal(read(npz(y=objects, X=X), "X"), X)
    for protocol in range(6):
        with pytest.raises(FileError, match=r"^This is a Python pickle, which is not read"):
            listed(pickle.dumps(Payload(trace), protocol))
    assert not trace.exists()
    with pickle.loads(pickle.dumps(Payload(trace))):
        assert trace.exists()  # as it does where it is trusted


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (declared("<f8", (10**7, 10**6)), r"^'array' is 10,000,000 × 1,000,000, which is more"),
        (declared("<f8", (2**62, 4)), r"^'array' is 4,611,686,018,427,387,904 × 4, which is more"),
        (declared("<f8", (-4, 4)), r"^The file is damaged: an array has the shape '\(-4, 4\)'\.$"),
        (declared("<f8", (100,)), r"^The file is incomplete, it ends in the middle of a variable"),
        (declared("<U9000000", (100,)), r"^'array' is 100 × 9,000,000, which is more than"),
        (declared("|O", (2,)), r"^'array' holds Python objects, which only pickle could read"),
        (declared([("a", "<f8")], (2,)), r"^'array' is a structured array: save each of its fiel"),
        (declared("<M8[s]", (2,)), r"^'array' is of class 'datetime64\[s\]', not an array of num"),
        (declared("<f8", (2,)).replace(b"(2,)", b"(1+1,)"), r"none of NumPy's\.$"),
        (declared("<f8", (2,)).replace(b"(2,)", b"exit()"), r"none of NumPy's\.$"),
        (declared("<f8", (2,), version=9), r"^The file is damaged: no array of NumPy's begins"),
        (b"\x93NUMPY\2\0\xff\xff\xff\x7f{", r"its header has 2,147,483,647 bytes\.$"),
        (b"\x93NUMPY\1\0\x10\x27" + b"(" * 10_000, r"none of NumPy's\.$"),
        (npy(X)[:-1], r"^The file is incomplete, it ends in the middle of a variable"),
    ],
)
@pytest.mark.usefixtures("sandboxed")
def test_a_header_that_promises_too_much_gets_a_sentence(content, sentence):
    with pytest.raises(FileError, match=sentence):
        read(content, "array")


def test_a_bad_member_of_an_npz_is_named_and_hides_no_other():
    members = {
        "../../X.npy": npy(X),
        "/etc/y.npy": npy(y),
        "large.npy": declared("<f8", (1 << 15, 1 << 10)),
        "bad.npy": b"\x93NUMPY",
    }
    content = zipped(members)
    assert set(listed(content)) == {"X", "etc.y", "large"}
    assert "In 'bad.npy': The file is incomplete" in notes(content)
    np.testing.assert_array_equal(read(content, "X"), X)
    with pytest.raises(FileError, match=r"^'large' is 32,768 × 1,024, which is more than"):
        read(content, "large")
    changed = bytearray(npz(X=X, y=y))
    changed[len(changed) // 4] ^= 255
    assert notes(bytes(changed)) == "'X.npy' is damaged and cannot be unpacked."
    np.testing.assert_array_equal(read(bytes(changed), "y"), y[:, None])


def test_arrays_that_are_not_used_may_be_of_any_size(monkeypatch):
    monkeypatch.setattr("formats.archive.LARGEST_UNPACKED", 10)
    content = npz(X=X, y=y, raw=np.zeros(1000))
    np.testing.assert_array_equal(read(content, "X"), X)
    with pytest.raises(FileError, match=r"^The archive holds 0 MB when unpacked"):
        read(zipped({"a.csv": "1,2,3,4,5,6,7,8"}), "a")
