"""Reading MATLAB files: every layout gives the same samples, every bad byte a sentence."""

import gzip
import io
import json
import random
import signal
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from pages.shared import system
from pages.your_data.files import Contents, FileError, Layout, Variable, child, sandbox
from tests.files.make import array, cells, compressed, element, mat, numbers
from tests.files.reader import list_variables, read_samples, read_variables

# 12 samples of 4 × 3: not square, so that a wrong order cannot pass for a transpose.
X = np.random.default_rng(0).normal(size=(12, 4, 3))
y = np.repeat([1.0, 2.0], 6)
SANDBOXED = pytest.mark.usefixtures("sandboxed")


def read_dataset(file, samples="X", sample_axis=0, labels="y", **how):
    return read_samples(file, Layout(samples, sample_axis, labels=labels, **how))[:2]


def assert_read(file, **how):
    samples, labels = read_dataset(file, **how)
    assert samples.dtype == np.float64
    np.testing.assert_array_equal(samples, X)
    np.testing.assert_array_equal(labels, y)


def test_a_version_4_file_is_read_too_and_its_labels_may_be_text():
    assert_read(mat(_format="4", X=X.reshape(12, -1), y=y[:, None]), shape=(4, 3), order="C")
    for called, shape in (["left", "right"] * 6, (12, 5)), ("lr" * 6, (1, 12)):
        file = mat(_format="4", X=X.reshape(12, -1), y=np.array(called))
        assert Variable("y", "char", shape) in list_variables(file)
        _, labels = read_dataset(file, shape=(4, 3))
        assert list(labels) == list(called)
    with pytest.raises(FileError, match=r"^The file is incomplete, it ends in the middle"):
        read_variables(file[:70], ["X"])


def test_doubles_that_matlab_packed_into_bytes_are_doubles_again():
    packed = mat5(array(6, (2, 1), b"y", element(2, b"\0\1")) + numbers(np.eye(2), b"X"))
    _, labels = read_dataset(packed, shape=(1, 2))
    assert labels.dtype == np.float64
    np.testing.assert_array_equal(2 * labels - 1, [-1, 1])


# ---- what cannot be used, in a sentence -----------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "how", "sentence"),  # of a file with X and y
    [
        ({"X": "text"}, {}, r"^'X' holds text; samples must be real"),
        ({"X": {"a": 1}}, {}, r"^'X' is of class 'struct', not an array"),
        ({"X": cells([np.zeros((0, 0))] * 12)}, {}, r"^'X' is empty: it is 12 × 0 × 0\.$"),
        (
            {"X": X[..., None] * [1, 2]},
            {},
            r"^Each sample along axis 1 of 'X', 12 × 4 × 3 × 2, is 4 × 3 × 2, which is not",
        ),
        ({"X": X[:, 0]}, {}, r"is a vector of 3 numbers, which rows and columns would fold"),
        ({}, {"sample_axis": 3}, r"^The axes of 'X', 12 × 4 × 3, are 0 to 2; got 3"),
        ({}, {"shape": (3, 4)}, r"^Samples along axis 1 of .* are 4 × 3, which does not fold"),
        ({"X": cells([X[0], X[1, :2]])}, {}, r"^The cells of 'X' differ in shape: 2 × 3 and 4 × 3"),
        ({"X": csc_matrix((10**6, 1_000))}, {}, r"^'X' is 1,000,000 × 1,000, .* than the 160 MB"),
        (
            {"X": cells([X[:5], X[5:]], (1, 2)), "y": cells([y[:7], y[7:]], (1, 2))},
            {"sample_axis": 1, "cells": (1, 2)},
            r"^The cells of 'y' do not hold one label for each",
        ),
        ({"y": y[:9]}, {}, r"^'y' has 9 labels for 12 samples\.$"),
        ({"y": np.eye(12, 2)}, {}, r"^'y' is 12 × 2; labels must be .* or one-hot: 12 rows or col"),
        ({"y": 0 * y}, {}, r"^Every label in 'y' is 0; there must be two classes"),
        ({"y": y + 1j}, {}, r"^'y' holds complex numbers; labels must be real or text"),
        ({"y": cells([1.0, "a"] * 6)}, {}, r"^'y' mixes text and numbers in one cell array"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(changed, how, sentence):
    with pytest.raises(FileError, match=sentence):
        read_dataset(mat(**{"X": X, "y": y, **changed}), **how)


def test_the_error_is_a_value_error_and_names_are_escaped_and_shortened():
    weird = b"<b>\x1b[31m\n" + b"n" * 100
    with pytest.raises(ValueError, match=r"^'y' is not in this file, which has .{20,40}\.$") as e:
        read_dataset(mat5(numbers(np.eye(2), weird)), "y")
    assert e.value.args[0].isprintable()
    with pytest.raises(FileError, match=r"^'X' is not in this file, which has 'y'\.$"):
        read_dataset(mat(y=y))
    with pytest.raises(ValueError, match=r"^'q{37}\.\.\.' is not in this file"):
        read_dataset(mat(X=X), "q" * 5000)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "^The file is empty"),
        (b"\x89PNG\r\n\x1a\n", r"^This type of file is not supported"),
        (
            b"label,p0,p1\nfour,five,six\n" * 20,
            r"^This is a text without a column of numbers; it begins with 'label,p0,p1'\. In "
            r"MATLAB, save numbers with save\('file\.mat'",
        ),
        (gzip.compress(b"x" * 500, mtime=0), "^This is a gzip archive: please unpack it first"),
        (b"\n<!DOCTYPE html><html>", "^This is a web page, not a data file: please download"),
        (b"\0\0\0\x64\0\0\0\x1f" + bytes(80), r"^This is a recording of MNE \(\.fif\), which is"),
        (
            b"0       " + b"x" * 160 + b"02.03.2622.55.10",
            r"^This is a recording \(\.edf, \.bdf\), w",
        ),
        (b"@RELATION iris\n@DATA\n1,2\n", r"^This is an \.arff table, which is not read: save "),
        (b"\0" * 4096, "^The file is damaged"),
        (b"\x89HDF\r\n\x1a\n" + b"\0" * 600, "^The file is damaged: HDF5 cannot open it"),
        (
            b"MATLAB 7.3".ljust(124) + b"\0\2IM" + b"\0" * 384,
            "^The file is incomplete, it ends in the middle",
        ),
        (b"MATLAB 7.3".ljust(124) + b"\0\2IM" + b"\0" * 600, "it says MATLAB 7.3, but no HDF5"),
        (b"MATLAB 5.0".ljust(124) + b"\0\3IM" + b"\0" * 400, "^This type of file is not supported"),
        (b"MATLAB 5.0".ljust(124) + b"\0\1IM", "^The file holds no variables"),
        (
            b"MATLAB 5.0 MAT-file, Pl",
            "^The file is incomplete, it ends in the middle .* please download it again",
        ),
    ],
)
def test_what_is_no_matlab_file_of_these_versions_is_refused(content, sentence):
    with pytest.raises(FileError, match=sentence):
        read_dataset(content)


# ---- hostile bytes --------------------------------------------------------------------------


def mat5(*variables):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"".join(variables)


def nested_cells(depth):
    heads, size = [], 0
    for level in range(depth):
        name = b"X" if level == depth - 1 else b""
        head = array(1, (1, 1), name, b"")[8:]
        heads.append(struct.pack("<II", 14, len(head) + size) + head)
        size += len(heads[-1])
    return b"".join(reversed(heads))


def letters(shape, text, encoding="utf-16-le", kind=17):
    return array(4, shape, b"t", element(kind, text.encode(encoding, "surrogatepass")))


@pytest.mark.parametrize("wrapped", [bytes, compressed])
@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (letters((1, 4), "aé😀"), ["aé😀"]),
        (letters((2, 2), "A\ud83dB\ude00"), ["AB", "😀"]),  # by columns, each half by itself
        (letters((2, 3), "aäb bü", "utf-8", 16), ["abb", "ä ü"]),
        (letters((1, 3), "é😀", "utf-8", 16), ["é😀"]),
        (letters((1, 2), "é😀", "utf-8", 16), ["é😀"]),  # counted as SciPy does
        (letters((1, 2), "aé", "latin-1", 2), ["aé"]),
    ],
)
@SANDBOXED
def test_letters_are_read_whatever_their_code(stored, expected, wrapped):
    (found,) = read_variables(mat5(wrapped(stored), LABELS), ["t"])
    assert found.tolist() == expected


def test_text_that_cannot_be_decoded_is_refused():
    held = array(1, (1, 1), b"c", letters((1, 2), "a\ud83d"))
    content = mat5(letters((1, 2), "a\ud83d"), letters((1, 1, 2), "ab").replace(b"t", b"u"), held)
    for name in "tc":
        with pytest.raises(FileError, match=rf"^'{name}' holds letters that cannot be decoded"):
            read_variables(content, [name])
    with pytest.raises(FileError, match=r"^'u' is not an array of numbers or of text"):
        read_variables(content, ["u"])


@pytest.mark.parametrize("behind", [b"\0", b"\0" * 99, b"\r\n", mat5(numbers(X[0], b"z"))])
def test_what_stands_behind_the_last_variable_does_no_harm(behind):
    content = mat(X=X, y=y) + behind
    assert [each.name for each in list_variables(content)] == ["X", "y"]
    assert_read(content)


@pytest.mark.parametrize("compress", [False, True])
def test_what_comes_before_a_lost_variable_is_read_and_the_lost_one_is_named(compress):
    whole = mat(compress, X=X, y=y)
    content = mat(compress, X=X, y=y, noise=np.random.default_rng(0).random((60, 60)))
    junk = content[: len(whole)] + b"\x55" * (len(content) - len(whole))
    for bad, name, what in (
        (content[:-99], "noise", "array that was cut off"),
        (content[: len(whole) + 900], "noise", "array that was cut off"),
        (content[: len(whole) + 5], f"what begins at byte {len(whole):,}", "damaged object"),
        (junk, f"what begins at byte {len(whole):,}", "damaged object"),
    ):
        assert [(each.name, each.matlab_class) for each in list_variables(bad)] == [
            ("X", "double"),
            ("y", "double"),
            (name, what),
        ]
        assert_read(bad)


LABELS = numbers(y[:, None], b"y")
HOSTILE = {
    "an element of an unknown type": array(6, (2, 2), b"X", element(77, b"\0" * 32)),
    "a matrix where numbers belong": array(6, (2, 2), b"X", numbers(np.eye(2), b"")),
    "cells nested 5,000 deep": nested_cells(5_000),
    "cells nested 100,000 deep, in 10 kB": compressed(nested_cells(100_000)),
    "4 TB declared": array(6, (1 << 20, 1 << 19), b"X", element(9, b"\0" * 64)),
    "a product of lengths that wraps": array(6, (2**31 - 1, 2, 2, 2**30), b"X", b""),
    "a negative length": array(6, (-4, -4), b"X", element(9, b"\0" * 64)),
    "a billion cells declared": array(1, (31_623, 31_623), b"X", b""),
    "data of 4 GB declared": array(6, (4, 4), b"X", struct.pack("<II", 9, 2**32 - 1) + b"\0" * 128),
    "too few data": array(6, (100, 100), b"X", element(9, b"\0" * 64)),
    "a name of 2 MB": numbers(np.eye(2), b"N" * (1 << 21)),
    "200,000 fields": array(
        2,
        (1, 1),
        b"X",
        element(5, struct.pack("<i", 8)) + element(1, b"f".ljust(8, b"\0") * 200_000),
    ),
    "11,000 variables": b"".join(numbers(np.eye(1), b"v%d" % i) for i in range(11_000)),
    "row indices far outside": array(
        5,
        (4, 3),
        b"X",
        element(5, struct.pack("<3i", 0, 1, 10**8))
        + element(5, struct.pack("<4i", 0, 1, 2, 3))
        + element(9, b"\0" * 24),
    ),
    "zlib garbage": struct.pack("<II", 15, 500) + random.Random(0).randbytes(500),
    "1 GB that takes 1 kB": compressed(array(6, (1 << 14, 1 << 13), b"X", b"\0" * (1 << 20))),
}


@SANDBOXED
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_bytes_get_a_sentence(hostile):
    content = mat5(HOSTILE[hostile], LABELS)
    # Not "The file took longer than ...": each is refused well within its processor time.
    with pytest.raises(FileError, match=r"^(?!The file took)[A-Z'].*\.$") as refused:
        read_dataset(content)
    assert len(str(refused.value)) < 250


def test_a_cell_that_does_not_tell_its_class_hides_nothing_before_it():
    cell = array(1, (1, 1), b"C", struct.pack("<II", 14, 8) + element(6, b""))
    assert_read(mat5(numbers(X, b"X"), LABELS, cell))


@SANDBOXED
def test_a_file_that_inflates_without_end_stops_at_the_memory_limit(monkeypatch):
    pytest.importorskip("resource")
    monkeypatch.setattr(sandbox, "MEMORY", 200 << 20)  # NumPy and SciPy take 130
    zeros = array(6, (1 << 10, 1 << 13), b"X", element(9, b"\0" * (1 << 26)))
    with pytest.raises(FileError, match=r"^Reading the file takes more than 200 MB"):
        read_dataset(mat5(compressed(zeros), LABELS))


@SANDBOXED
def test_a_file_that_takes_too_long_stops_at_the_time_limit(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.05)
    monkeypatch.setattr(sandbox, "PATIENCE", 6_000)  # so only processor time can run out
    held = array(1, (100, 1000), b"X", struct.pack("<II", 14, 0) * 10**5)  # long to stack
    with pytest.raises(FileError, match=r"^The file took longer than 0.05 seconds to read"):
        read_dataset(mat5(held, LABELS))


def test_waiting_in_line_is_no_time_of_the_file(monkeypatch):
    clock = [0.0]

    def wait(seconds):
        clock[0] += seconds
        return True

    def run_reader(*question, _run_reader=sandbox.run_reader):
        question[-1].append(8.0)
        return _run_reader(*question)

    line = SimpleNamespace(acquire=lambda timeout: wait(20), release=lambda: wait(1))
    contents = Contents(mat(**{f"X{i}": X for i in range(9)}))
    monkeypatch.setattr(sandbox, "_turns", line)
    monkeypatch.setattr(sandbox, "run_reader", run_reader)
    monkeypatch.setattr(sandbox.time, "perf_counter", lambda: clock[0])
    for i in range(4):  # 8, 16, 24, 32 seconds
        contents.read(f"X{i}")
    with pytest.raises(FileError, match=r"^The file took longer than 30 seconds to read\.$"):
        contents.read("X4")


def test_too_many_cells_are_refused_before_they_are_read():
    content = mat5(array(1, (1, 100_001), b"C", element(14, b"") * 100_001), LABELS)
    with pytest.raises(FileError, match=r"^'C' has 100,001 cells; there may be 100,000 at most"):
        read_dataset(content, "C")


def test_errors_of_one_of_several_files_name_it():
    contents = Contents({"a.mat": mat(X=X), "b.mat": mat(y={"a": 1})})
    with pytest.raises(FileError, match=r"^In 'b.mat': 'y' is of class 'struct'"):
        contents.raw_samples(Layout("a.X", 0, labels="b.y"))
    with pytest.raises(FileError, match=r"^'c.z' is not in this file, which has 'a.X', 'b.y'"):
        contents.read("c.z")
    with pytest.raises(FileError, match=r"^In 'a.mat': The file is empty\. In 'b.mat': The"):
        Contents({"a.mat": b"", "b.mat": b""}).infer_layouts()


@SANDBOXED
@pytest.mark.skipif(not system.can_fork, reason="nothing is forked here")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP"])
def test_a_fork_server_that_died_or_does_not_react_is_replaced(monkeypatch, name):
    monkeypatch.setattr(sandbox, "ACCEPT_SECONDS", 0.5)
    monkeypatch.setattr(sandbox, "run_reader", server := sandbox.ForkServer())
    for _ in range(2):
        assert list_variables(mat(X=X)) == [Variable("X", "double", (12, 4, 3))]
        server._process.send_signal(signal.Signals[name])
    server.close()


@SANDBOXED
@pytest.mark.skipif(not system.can_fork, reason="nothing is forked here")
@pytest.mark.parametrize(
    "fault", ["child.handle = lambda *_: None", "child.serve = lambda *_: None", "os.fork = None"]
)
def test_a_file_is_not_blamed_for_the_server(monkeypatch, fault):
    folder = str(Path(child.__file__).parent)
    program = f"import os, sys; sys.path.append({folder!r}); import child; {fault}"
    command = [sys.executable, "-c", f"{program}; child.main(*sys.argv[1:])"]
    monkeypatch.setattr(sandbox, "COMMAND", command)
    monkeypatch.setattr(sandbox, "run_reader", server := sandbox.ForkServer())
    with pytest.raises(ChildProcessError, match="The server cannot read files now"):
        list_variables(mat(X=X) + bytes(1 << 22))  # more than a socket holds
    server.close()


def test_an_error_that_names_a_file_of_the_server_is_not_passed_on(monkeypatch):
    def fails(data):
        raise OSError(24, "Too many open files", "/srv/secret/codec.py")

    monkeypatch.syspath_prepend(Path(child.__file__).parent)  # as the child has it
    monkeypatch.setattr("formats.reader.detect_format", fails)
    monkeypatch.setattr(child, "confine", lambda *limits: [])
    question = io.BytesIO(b'{"names": null, "memory": 0, "seconds": 1, "require": []}\n')
    reply = io.BytesIO()
    child.answer(question, reply)
    said = json.loads(reply.getvalue())
    assert said == {"error": "The file is damaged: reading it gave 'OSError'."}


@SANDBOXED
def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(sandbox, "LARGEST_LISTING", 1 << 20)
    names = b"".join(numbers(np.eye(1), b"v%d" % i + b"x" * 300) for i in range(5_000))
    with pytest.raises(FileError, match=r"^The variables together are more than the 1 MB"):
        list_variables(mat5(names))


@SANDBOXED
def test_a_child_loads_the_modules_of_the_server_and_not_those_of_its_folders(
    monkeypatch, tmp_path
):
    (tmp_path / "scipy.py").write_text("raise SystemExit('not the real one')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)  # such folders come last
    monkeypatch.setattr(sandbox, "run_reader", spare := sandbox.SpareProcess())  # not warmed up
    np.testing.assert_array_equal(read_variables(mat(X=X), ["X"])[0], X)
    spare.close()


TELL = "import json, os; print(json.dumps({'error': f'It knows {[*os.environ]}.'}))"


@SANDBOXED
@pytest.mark.parametrize(
    ("program", "patience", "sentence"),
    [
        ("import time; time.sleep(60)", 0.02, "The file took longer than 10 seconds to read"),
        (
            *("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", 60),
            r"The file is damaged: reading it ended in a crash \(SI",
        ),
        (TELL, 60, "It knows (?!.*SECRET).*OPENBLAS_NUM_THREADS"),
    ],
    ids=["slow", "crash", "secrets"],
)
def test_a_child_has_limited_time_may_crash_and_knows_no_secret_of_the_server(
    monkeypatch, program, patience, sentence
):
    monkeypatch.setenv("SECRET", "of the server")
    program = f"print('!', end='', flush=True); {program}"
    monkeypatch.setattr(sandbox, "run_reader", spare := sandbox.SpareProcess())
    monkeypatch.setattr(sandbox, "COMMAND", [sys.executable, "-c", program])
    monkeypatch.setattr(sandbox, "PATIENCE", patience)
    with pytest.raises(FileError, match=f"^{sentence}"):
        list_variables(mat(X=X) + bytes(1 << 20))  # more than a pipe holds
    spare.close()
