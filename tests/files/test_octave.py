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

HEAD = "# Created by Octave 7.3.0, Sat Nov 21 09:53:56 2026 UTC <me@here>\n"


def text(*variables):
    return (HEAD + "\n\n".join(variables) + "\n\n").encode()


def t(name, kind, *lines):
    return "\n".join([f"# name: {name}", f"# type: {kind}", *lines])


def binary(*variables, order="<"):
    mark = {"<": b"L", ">": b"B"}[order]
    return b"Octave-1-" + mark + b"\0" + b"".join(each(order) for each in variables)


def b(name, kind, form="", *content):
    """A variable in binary: its numbers as `struct` packs them, after them what it holds."""

    def packed(order):
        numbers = [each for each in content if not callable(each)]
        head = b"".join(struct.pack(f"{order}i", len(each)) + each for each in (name.encode(), b""))
        head += b"\0\xff" + struct.pack(f"{order}i", len(kind)) + kind.encode()
        inner = b"".join(each(order) for each in content if callable(each))
        return head + struct.pack(order + form, *numbers) + inner

    return packed


CELL = "<cell-element>"
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
    "single": (
        t("v", "float matrix", "# rows: 1", "# columns: 2", " 0.25 1"),
        b("v", "float matrix", "3ib2f", -2, 1, 2, 6, 0.25, 1),
        ("single", (1, 2)),
        np.float32([[0.25, 1]]),
    ),
    "complex": (
        t("v", "complex matrix", "# rows: 1", "# columns: 2", " (1,2) (3,-4)"),
        b("v", "complex matrix", "3ib4d", -2, 1, 2, 7, 1, 2, 3, -4),
        ("double", (1, 2)),
        [[1 + 2j, 3 - 4j]],
    ),
    "logical": (
        t("v", "bool matrix", "# rows: 2", "# columns: 1", " 1", " 0"),
        b("v", "bool matrix", "3i2B", -2, 2, 1, 1, 0),
        ("logical", (2, 1)),
        [[True], [False]],
    ),
    "one truth": (
        t("v", "bool", "1"),
        b("v", "bool", "B", 1),
        ("logical", (1, 1)),
        [[True]],
    ),
    "int16": (
        t("v", "int16 matrix", "# ndims: 2", " 2 2", " -300", " 1", " 2", " 300"),
        b("v", "int16 matrix", "3i4h", -2, 2, 2, -300, 1, 2, 300),
        ("int16", (2, 2)),
        np.int16([[-300, 2], [1, 300]]),
    ),
    "the largest uint64": (
        t("v", "uint64 scalar", "18446744073709551615"),
        b("v", "uint64 scalar", "Q", 2**64 - 1),
        ("uint64", (1, 1)),
        np.uint64([[2**64 - 1]]),
    ),
    "range": (
        t("v", "double_range", "# base, limit, increment", "0 1 0.10000000000000001"),
        b("v", "double_range", "b3d", 7, 0, 1, 0.1),
        ("double", (1, 11)),
        [0.1 * np.arange(11)],
    ),
    "a falling range of Octave 6": (
        t("v", "range", "# base, limit, increment", "10 1 -2"),
        b("v", "range", "b3d", 7, 10, 1, -2),
        ("double", (1, 5)),
        [[10.0, 8, 6, 4, 2]],
    ),
    "a range whose last number is rounded beyond its limit": (
        t("v", "double_range", "# base, limit, increment", "0 0.29999999999999999 0.1"),
        b("v", "double_range", "b3d", 7, 0, 0.3, 0.1),
        ("double", (1, 4)),
        [[0, 0.1, 0.2, 0.3]],
    ),
    "diagonal matrix": (
        t("v", "diagonal matrix", "# rows: 2", "# columns: 3", "1", "2"),
        b("v", "diagonal matrix", "2ib2d", 2, 3, 7, 1, 2),
        ("double", (2, 3)),
        [[1.0, 0, 0], [0, 2, 0]],
    ),
    "sparse matrix": (
        t("v", "sparse matrix", "# nnz: 3", "# rows: 2", "# columns: 3", "1 1 1", "1 3 2", "2 3 3"),
        b("v", "sparse matrix", "4i4i3ib3d", -2, 2, 3, 3, 0, 1, 1, 3, 0, 0, 1, 7, 1, 2, 3),
        ("sparse", (2, 3)),
        [[1.0, 0, 2], [0, 0, 3]],
    ),
    "a sparse matrix without entries": (
        t("v", "sparse bool matrix", "# nnz: 0", "# rows: 1", "# columns: 2"),
        b("v", "sparse bool matrix", "4i3i", -2, 1, 2, 0, 0, 0, 0),
        ("sparse", (1, 2)),
        [[False, False]],
    ),
    "text": (
        t("v", "string", "# elements: 2", "# length: 5", "cat  ", "# length: 5", "horse"),
        b("v", "string", "3i10s", -2, 2, 5, b"chaotr s e"),
        ("char", (2, 5)),
        ["cat", "horse"],
    ),
    "text that looks like a variable": (
        t("v", "sq_string", "# elements: 1", "# length: 11", "\n# name: X\n"),
        b("v", "sq_string", "3i11s", -2, 1, 11, b"\n# name: X\n"),
        ("char", (1, 11)),
        ["\n# name: X"],
    ),
    "cells of numbers": (
        t(
            *("v", "cell", "# rows: 1", "# columns: 2"),
            t(CELL, "matrix", "# rows: 1", "# columns: 2", " 1 2\n\n"),
            t(CELL, "matrix", "# rows: 1", "# columns: 2", " 3 4\n\n\n"),
        ),
        b(
            *("v", "cell", "3i", -2, 1, 2),
            b(CELL, "matrix", "3ib2d", -2, 1, 2, 7, 1, 2),
            b(CELL, "matrix", "3ib2d", -2, 1, 2, 7, 3, 4),
        ),
        ("cell", (1, 2)),
        [[[1.0, 2]], [[3, 4]]],
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
    """All of these, called a, b, c, ..., in a file of text and in one of bytes."""
    names = string.ascii_lowercase[: len(VARIABLES)]
    kinds = list(zip(names, VARIABLES.values(), strict=True))
    renamed = [
        lambda order, name=name, kind=kind: kind[1](order).replace(b"v", name.encode(), 1)
        for name, kind in kinds
    ]
    return {
        "Octave's text": text(*(kind[0].replace("v", name, 1) for name, kind in kinds)),
        "Octave's binary": binary(*renamed),
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


def test_structs_are_opened_and_arrays_of_them_read_like_cells():
    record = "# ndims: 2", " 1 1"
    number, packed_number = t("a", "scalar", "1\n\n"), b("a", "scalar", "bd", 7, 1)
    cells = [t(CELL, "scalar", each) for each in "12"]
    packed_cells = [b(CELL, "scalar", "bd", 7, each) for each in (1, 2)]
    inner = t("b", "scalar struct", *record, "# length: 1", number)
    content = text(
        t("s", "scalar struct", *record, "# length: 2", number, inner),
        t(
            *("r", "struct", "# ndims: 2", " 1 2", "# length: 1"),
            t("w", "cell", "# rows: 1", "# columns: 2", *cells),
        ),
    )
    packed_inner = b("b", "scalar struct", "i", 1, packed_number)
    packed = binary(
        b("s", "scalar struct", "i", 2, packed_number, packed_inner),
        b("r", "struct", "4i", -2, 1, 2, 1, b("w", "cell", "3i", -2, 1, 2, *packed_cells)),
    )
    for each in (content, packed):
        assert list_variables(each) == [
            Variable("s", "struct", (1, 1)),
            Variable("s.a", "double", (1, 1)),
            Variable("s.b", "struct", (1, 1)),
            Variable("s.b.a", "double", (1, 1)),
            Variable("r", "struct", (1, 2)),
            Variable("r.w", "cell", (1, 2)),
        ]
        deep, stacked = read_variables(each, ["s.b.a", "r.w"])
        assert deep == 1
        np.testing.assert_array_equal(stacked, [1, 2])


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


MATRIX = "# type: matrix\n# rows: {}\n# columns: {}\n"
HOSTILE = {
    "counts beyond measure": (
        text("# name: X\n" + MATRIX.format(10**9, 10**9)),
        "'X' is 1,000,000,000 x 1,000,000,000, which is more than the 160 MB",
    ),
    "fewer numbers than announced": (
        text("# name: X\n" + MATRIX.format(3, 3) + " 1 2 3\n"),
        "The file ends in the middle of a variable",
    ),
    "more numbers than announced": (
        text("# name: X\n" + MATRIX.format(1, 2) + " 1 2 3\n"),
        "The file is damaged: 2 numbers were announced, but 3 are there",
    ),
    "words for numbers": (
        text("# name: X\n" + MATRIX.format(1, 2) + " one two\n"),
        "The file is damaged: 'one two",
    ),
    "a negative count": (
        text("# name: X\n" + MATRIX.format(-1, 2)),
        "The file is damaged: '-1' stands where a count belongs",
    ),
    "a range without end": (
        text(t("X", "range", "# base, limit, increment", "0 Inf 1")),
        "The file is damaged: it holds a range without an end",
    ),
    "a range of 10^15 numbers": (
        text(t("X", "range", "# base, limit, increment", "0 1e15 1")),
        "'X' is 1 x 1,000,000,000,000,001, which is more than",
    ),
    "small cells of large ranges": (
        text(
            t(
                *("X", "cell", "# rows: 1", "# columns: 3"),
                *[t(CELL, "range", "# base, limit, increment", "1 1e7 1")] * 3,
            )
        ),
        "A cell array holds more than the 160 MB",
    ),
    "a sparse matrix with entries outside it": (
        text(t("X", "sparse matrix", "# nnz: 1", "# rows: 2", "# columns: 2", "9 1 1")),
        "The file is damaged: a sparse matrix has entries outside it",
    ),
    "columns of a sparse matrix that go back": (
        binary(b("X", "sparse matrix", "4i3iib1d", -2, 2, 2, 1, 0, 9, 1, 0, 7, 1)),
        "The file is damaged: the columns of a sparse matrix do not follow one another",
    ),
    "a billion cells": (
        binary(b("X", "cell", "3i", -2, 31_623, 31_623)),
        "The file ends in the middle of a variable",
    ),
    "a negative length": (
        binary(b("X", "matrix", "3i", -2, -4, 4)),
        "The file is damaged: it holds an array of -4 x 4",
    ),
    "as many axes as there are bytes": (
        binary(b("X", "matrix", "i", -(2**31))),
        "The file is damaged: it holds an array of 2,147,483,648 axes",
    ),
    "a name of 2 GB": (
        b"Octave-1-L\0" + struct.pack("<i", 2**31 - 1),
        "The file ends in the middle of a variable",
    ),
    "cells nested 10,000 deep": (
        text(*["# name: X\n# type: cell\n# rows: 1\n# columns: 1"] * 10_000),
        "The file nests more than 100 structs and cells",
    ),
    "a type that nobody knows": (
        binary(b("X", "object", "i", 0)),
        "The file holds an array of the type 'object', behind which nothing can be read",
    ),
    "gzip that was cut off": (
        gzip.compress(text(t("X", "scalar", "1"), *[t("y", "scalar", "1")] * 99), mtime=0)[:-20],
        "The file ends in the middle of a variable",
    ),
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
