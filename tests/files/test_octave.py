"""Octave's own saves: what its text and its binary format hold is the same."""

import gzip
import string
import struct

import numpy as np
import pytest

from pages.shared.files import (
    MatFileError,
    Variable,
    list_variables,
    read_variables,
)
from pages.shared.files.formats import octave
from pages.shared.files.formats.reader import read_arrays
from tests.files.formats import CELL, HEAD, b, binary, in_binary, in_text, t, text
from tests.files.test_formats import EVERY


def in_range(kind, base, limit, increment, values):
    """A range, which holds three numbers and is read as a row of these values."""
    as_text = t("v", kind, "# base, limit, increment", f"{base} {limit} {increment}")
    as_binary = b("v", kind, "b3d", 7, base, limit, increment)
    return as_text, as_binary, ("double", (1, len(values))), [values]


# What a variable is: its text, its binary, the class and shape that are listed, what is read.
VARIABLES = {
    "matrix": (
        t("v", "matrix", "# rows: 2", "# columns: 3", " 1 2 3", " 4 5.5 -Inf"),
        b("v", "matrix", "3ib6d", -2, 2, 3, 7, 1, 4, 2, 5.5, 3, -np.inf),
        ("double", (2, 3)),
        [[1, 2, 3], [4, 5.5, -np.inf]],
    ),
    "an array of three axes": (
        t("v", "matrix", "# ndims: 3", " 2 1 3", " 1", " 4", " 2", " 5", " NaN", " NA"),
        b("v", "matrix", "4ib6d", -3, 2, 1, 3, 7, 1, 4, 2, 5, np.nan, np.nan),
        ("double", (2, 1, 3)),
        [[[1, 2, np.nan]], [[4, 5, np.nan]]],
    ),
    "doubles that were stored as bytes": (
        t("v", "matrix", "# rows: 1", "# columns: 2", " 1 255"),
        b("v", "matrix", "3ib2B", -2, 1, 2, 0, 1, 255),
        ("double", (1, 2)),
        [[1, 255]],
    ),
    "scalar": (
        t("v", "scalar", "3.5"),
        b("v", "scalar", "bd", 7, 3.5),
        ("double", (1, 1)),
        [[3.5]],
    ),
    "one truth": (
        t("v", "bool", "1"),
        b("v", "bool", "B", 1),
        ("logical", (1, 1)),
        [[True]],
    ),
    "the largest uint64": (
        t("v", "uint64 scalar", "18446744073709551615"),
        b("v", "uint64 scalar", "Q", 2**64 - 1),
        ("uint64", (1, 1)),
        np.uint64([[2**64 - 1]]),
    ),
    "range": in_range("double_range", 0, 1, 0.1, 0.1 * np.arange(11)),
    "a falling range of Octave 6": in_range("range", 10, 1, -2, [10.0, 8, 6, 4, 2]),
    "a range whose last number is rounded beyond its limit": in_range(
        "double_range", 0, 0.3, 0.1, [0, 0.1, 0.2, 0.3]
    ),
    "diagonal matrix": (
        t("v", "diagonal matrix", "# rows: 2", "# columns: 3", "1", "2"),
        b("v", "diagonal matrix", "2ib2d", 2, 3, 7, 1, 2),
        ("double", (2, 3)),
        [[1.0, 0, 0], [0, 2, 0]],
    ),
    "a sparse matrix without entries": (
        t("v", "sparse bool matrix", "# nnz: 0", "# rows: 1", "# columns: 2"),
        b("v", "sparse bool matrix", "4i3i", -2, 1, 2, 0, 0, 0, 0),
        ("sparse", (1, 2)),
        [[False, False]],
    ),
    "text that looks like a variable": (
        t("v", "sq_string", "# elements: 1", "# length: 11", "\n# name: X\n"),
        b("v", "sq_string", "3i11s", -2, 1, 11, b"\n# name: X\n"),
        ("char", (1, 11)),
        ["\n# name: X"],
    ),
    "cells of text": (
        t(
            *("v", "cell", "# rows: 2", "# columns: 1"),
            t(CELL, "string", "# elements: 1", "# length: 3", "cat\n\n"),
            t(CELL, "null_string", "# elements: 0\n\n\n"),
        ),
        b(
            *("v", "cell", "3i", -2, 2, 1),
            b(CELL, "string", "3i3s", -2, 1, 3, b"cat"),
            b(CELL, "null_string", "3i", -2, 0, 0),
        ),
        ("cell", (2, 1)),
        ["cat", ""],
    ),
    "the result of find": (
        t("v", "lazy_index", t("index_value", "matrix", "# rows: 1", "# columns: 1", " 2\n\n")),
        b("v", "lazy_index", "", b("index_value", "matrix", "3ibd", -2, 1, 1, 7, 2)),
        ("double", (1, 1)),
        [[2.0]],
    ),
}


def ordinary():
    """All of these, called a, b, c, ..., and what every format holds, in text and in bytes."""
    names = string.ascii_lowercase[: len(VARIABLES)]
    kinds = list(zip(names, VARIABLES.values(), strict=True))
    renamed = [
        lambda order, name=name, kind=kind: kind[1](order).replace(b"v", name.encode(), 1)
        for name, kind in kinds
    ]
    swept = ("half", "z", "mask", "small", "S", "rows", "samples")
    every = [(name, value) for name, (value, *_) in EVERY.items() if name in swept]
    return {
        "Octave's text": text(
            *(kind[0].replace("v", name, 1) for name, kind in kinds),
            *(in_text(*each) for each in every),
        ),
        "Octave's binary": binary(*renamed, *(in_binary(*each) for each in every)),
    }


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("what", VARIABLES)
def test_text_and_binary_of_a_variable_hold_the_same(what):
    as_text, as_binary, listed, expected = VARIABLES[what]
    ends = t("end", "scalar", "7"), b("end", "scalar", "bd", 7, 7)
    for content in (
        text(as_text, ends[0]),
        binary(as_binary, ends[1]),
        binary(as_binary, ends[1], order=">"),
    ):
        assert list_variables(content) == [
            Variable("v", *listed),
            Variable("end", "double", (1, 1)),
        ]
        value, end = read_variables(content, ["v", "end"])
        np.testing.assert_array_equal(value, expected)
        assert value.dtype.kind == np.asarray(expected).dtype.kind or listed[0] == "double"
        assert value.dtype.isnative
        assert end == 7


def test_either_may_be_gzipped():
    as_text, as_binary, listed, expected = VARIABLES["matrix"]
    for content in (text(as_text), binary(as_binary)):
        assert list_variables(gzip.compress(content)) == [Variable("v", *listed)]
        np.testing.assert_array_equal(read_variables(gzip.compress(content), ["v"])[0], expected)


def test_an_array_of_structs_is_read_like_cells():
    packed = b("w", "cell", "3i", -2, 1, 2, *(b(CELL, "scalar", "bd", 7, each) for each in (1, 2)))
    held = t("w", "cell", "# rows: 1", "# columns: 2", *(t(CELL, "scalar", each) for each in "12"))
    for content in (
        text(t("r", "struct", "# ndims: 2", " 1 2", "# length: 1", held)),
        binary(b("r", "struct", "4i", -2, 1, 2, 1, packed)),
    ):
        assert list_variables(content) == [
            Variable("r", "struct", (1, 2)),
            Variable("r.w", "cell", (1, 2)),
        ]
        np.testing.assert_array_equal(read_variables(content, ["r.w"])[0], [1, 2])


def test_functions_and_objects_are_passed_over_with_all_they_hold():
    end = t("end", "scalar", "7")
    captured = t("a", "scalar", "3\n\n")
    content = text(
        t("f", "function handle", "@<anonymous>", "@(x) x + a", "# length: 1", captured),
        t("g", "function handle", "# octaveroot: /usr", "# subtype: simple", "sin"),
        t("o", "class", "# classname: inline", "# length: 1", captured),
        t("p", "permutation matrix", "# size: 2", "# orient: c", "2", "1"),
        t("map", "object"),
        end,
    )
    packed = binary(
        b("f", "function handle", "i14si10s", 14, b"@<anonymous> 1", 10, b"@(x) x + a",
          b("a", "scalar", "bd", 7, 3)),
        b("g", "function handle", "i3s", 3, b"sin"),
        b("o", "class", "i6si", 6, b"inline", 1, b("a", "scalar", "bd", 7, 3)),
        b("p", "permutation matrix", "ib2q", 2, 1, 1, 0),
        b("end", "scalar", "bd", 7, 7),
    )  # fmt: skip
    kinds = ["function_handle"] * 2 + ["object", "permutation matrix"]
    assert [each.matlab_class for each in list_variables(content)] == [*kinds, "object", "double"]
    assert [each.matlab_class for each in list_variables(packed)] == [*kinds, "double"]
    for each in (content, packed):
        assert read_variables(each, ["end"])[0] == 7
        with pytest.raises(MatFileError, match=r"^'f' is of class 'function_handle', not"):
            read_variables(each, ["f"])


def test_functions_and_permutations_in_a_struct_do_no_harm_to_what_follows():
    content = text(
        t(
            *("s", "scalar struct", "# ndims: 2", " 1 1", "# length: 4"),
            t("f", "function handle", "# octaveroot: /usr", "# subtype: simple", "sin\n\n\n"),
            t("g", "function handle", "@<anonymous>", "@() 1\n\n"),
            t("p", "permutation matrix", "# size: 2", "# orient: c", "2", "1\n\n"),
            t("a", "scalar", "1\n\n\n"),
        ),
        t("end", "scalar", "7"),
    )
    names = ["s", "s.f", "s.g", "s.p", "s.a", "end"]
    assert [each.name for each in list_variables(content)] == names
    assert read_variables(content, ["s.a", "end"]) == [1, 7]


def matrix(rows, columns, *numbers):
    return text(t("X", "matrix", f"# rows: {rows}", f"# columns: {columns}", *numbers))


def range_of(numbers, name="X"):
    return t(name, "range", "# base, limit, increment", numbers)


CUT_OFF = "The file ends in the middle of a variable"
LARGE_CELLS = t("X", "cell", "# rows: 1", "# columns: 3", *[range_of("1 1e7 1", CELL)] * 3)
OUTSIDE = t("X", "sparse matrix", "# nnz: 1", "# rows: 2", "# columns: 2", "9 1 1")
BACK = b("X", "sparse matrix", "4i3iib1d", -2, 2, 2, 1, 0, 9, 1, 0, 7, 1)
CUT_GZIP = gzip.compress(text(t("X", "scalar", "1"), *[t("y", "scalar", "1")] * 99), mtime=0)[:-20]
NESTED = ["# name: X\n# type: cell\n# rows: 1\n# columns: 1"] * 10_000
HOSTILE = {
    "counts beyond measure": (matrix(10**9, 10**9), "'X' is 1,000,000,000 x 1,000,000,000, which"),
    "fewer numbers than announced": (matrix(3, 3, " 1 2 3"), CUT_OFF),
    "more numbers than announced": (
        matrix(1, 2, " 1 2 3"),
        "The file is damaged: 2 numbers were announced, but 3 are there",
    ),
    "words for numbers": (matrix(1, 2, " one two"), "The file is damaged: 'one two"),
    "a negative count": (
        matrix(-1, 2),
        "The file is damaged: '-1' stands where a count belongs",
    ),
    "a range without end": (
        text(range_of("0 Inf 1")),
        "The file is damaged: it holds a range without an end",
    ),
    "a range of 10^15 numbers": (
        text(range_of("0 1e15 1")),
        "'X' is 1 x 1,000,000,000,000,001, which is more than",
    ),
    "small cells of large ranges": (text(LARGE_CELLS), "A cell array holds more than the 160 MB"),
    "a sparse matrix with entries outside it": (
        text(OUTSIDE),
        "The file is damaged: a sparse matrix has entries outside it",
    ),
    "columns of a sparse matrix that go back": (
        binary(BACK),
        "The file is damaged: the columns of a sparse matrix do not follow one another",
    ),
    "a billion cells": (binary(b("X", "cell", "3i", -2, 31_623, 31_623)), CUT_OFF),
    "a negative length": (
        binary(b("X", "matrix", "3i", -2, -4, 4)),
        "The file is damaged: it holds an array of -4 x 4",
    ),
    "as many axes as there are bytes": (
        binary(b("X", "matrix", "i", -(2**31))),
        "The file is damaged: it holds an array of 2,147,483,648 axes",
    ),
    "a name of 2 GB": (b"Octave-1-L\0" + struct.pack("<i", 2**31 - 1), CUT_OFF),
    "cells nested 10,000 deep": (text(*NESTED), "The file nests more than 100 structs and cells"),
    "a type that nobody knows": (
        binary(b("X", "object", "i", 0)),
        "The file holds an array of the type 'object', behind which nothing can be read",
    ),
    "gzip that was cut off": (CUT_GZIP, CUT_OFF),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_bytes_get_a_sentence(hostile):
    content, sentence = HOSTILE[hostile]
    with pytest.raises(MatFileError, match=f"^{sentence.replace('(', '[(]')}.*\\.$") as refused:
        read_variables(content, ["X"])
    assert len(str(refused.value)) < 250


def test_a_gzip_bomb_is_inflated_no_further_than_the_limit(monkeypatch):
    monkeypatch.setattr(octave, "LARGEST_INFLATED", 1 << 20)
    bomb = gzip.compress(HEAD.encode() + b" 1" * (1 << 20))
    with pytest.raises(MatFileError, match=r"^The file inflates to more than the 1 MB that can be"):
        read_arrays(bomb, ["X"])
