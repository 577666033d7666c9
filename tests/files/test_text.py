"""Text as MATLAB, spreadsheets and people write it."""

import codecs

import numpy as np
import pytest

from pages.your_data.files import Contents, FileError
from tests.files.reader import listed, notes, read

X = np.random.default_rng(0).normal(size=(12, 6)).round(4)
y = np.repeat([1.0, 2.0], 6)
WORDS = ["cat"] * 6 + ["horse"] * 6


def table(columns, delimiter=",", header=""):
    rows = [delimiter.join(map(str, row)) for row in zip(*columns, strict=True)]
    return "\n".join([*([header] if header else []), *rows]) + "\n"


NAMES = "p0,p1,p2,p3,p4,p5"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ", ", ", "   "])
def test_numbers_are_one_matrix_in_every_dialect(delimiter):
    text = table(X.T, delimiter)
    dialects = [text, text.replace("\n", "\r\n"), text.replace("\n", "\r")]
    if "," not in delimiter:  # so that commas may be decimal
        dialects.append(text.replace(".", ","))
    for dialect in dialects:
        assert listed(dialect) == {"numbers": ("double", (12, 6))}
        np.testing.assert_array_equal(read(dialect, "numbers"), X)


@pytest.mark.parametrize("digits", [8, 16])
def test_what_matlab_saves_as_ascii_is_read(digits):
    text = "\n".join("".join(f"  {value: .{digits - 1}e}" for value in row) for row in X) + "\n"
    np.testing.assert_allclose(read(text, "numbers"), X, atol=1e-7)


@pytest.mark.parametrize(
    "encoded",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        lambda text: text.encode("latin-1"),
    ],
)
@pytest.mark.usefixtures("sandboxed")
def test_every_encoding_gives_the_same_names_and_words(encoded):
    content = encoded(table([*X.T, ["größe"] * 6 + ["maß"] * 6], header=NAMES + ",räume"))
    assert listed(content) == {"numbers": ("double", (12, 6)), "räume": ("char", (12, 5))}
    np.testing.assert_array_equal(read(content, "numbers"), X)
    assert read(content, "räume").tolist() == ["größe"] * 6 + ["maß"] * 6


@pytest.mark.parametrize("label", ["label", "Class", "y", " gnd ", '"target"', "digit"])
def test_a_column_that_its_name_sets_apart_is_a_variable_of_its_own(label):
    text = table([y, *X.T], header=f"{label},{NAMES}")
    name = label.strip(' "')
    assert listed(text) == {"numbers": ("double", (12, 6)), name: ("double", (12, 1))}
    np.testing.assert_array_equal(read(text, "numbers"), X)
    np.testing.assert_array_equal(read(text, name), y[:, None])


NAMED = "height,width,depth,red,green,blue"


@pytest.mark.parametrize(
    ("text", "columns", "beside"),
    [
        (table([*X.T, y], header=f"{NAMED},class"), 6, {"class": ("double", (12, 1))}),
        (table([*X.T, y], header=f"{NAMED},brightness"), 7, {}),
        (table([*X.T, WORDS]), 6, {"column 7": ("char", (12, 5))}),
        (table([*X.T, ["1_0"] * 12]), 6, {"column 7": ("char", (12, 3))}),  # Python reads ten
    ],
)
def test_names_without_numbers_and_a_missing_header_leave_the_matrix_whole(text, columns, beside):
    assert listed(text) == {"numbers": ("double", (12, columns)), **beside}
    first = table(np.vstack([np.arange(6), X]).T)  # a sample that counts a few columns
    assert listed(first) == {"numbers": ("double", (13, 6))}


@pytest.mark.parametrize("last", ["9", "0", "brightness"])
@pytest.mark.parametrize("index", [False, True])
def test_columns_that_pandas_counts_are_a_header(index, last):
    wide = np.hstack([X, X])[:, :10]
    numbers = [np.arange(12)] * index
    header = "," * index + ",".join([*map(str, range(9)), last])
    text = table([*numbers, *wide.T], header=header)
    assert ("column 1" in listed(text)) == index
    kept = wide if last != "brightness" else wide[:, :9]
    np.testing.assert_array_equal(read(text, "numbers"), kept)
    labels = table([np.arange(12), y], header=",0")  # and their index
    assert listed(labels) == {"column 1": ("double", (12, 1)), "0": ("double", (12, 1))}


def test_quoted_cells_may_hold_what_parts_cells_and_lines():
    words = ['"a, b"', '"say ""c"""', '"two\nlines"'] * 4
    text = table([words, *X.T], header=f"words,{NAMES}")
    assert read(text, "words").tolist() == ["a, b", 'say "c"', "two\nlines"] * 4
    np.testing.assert_array_equal(read(text, "numbers"), X)


NUMBERS = [[f"{1000 * value:,.2f} %".translate({44: "."}) for value in row] for row in X]
SPOKEN = [[cell[::-1].replace(".", ",", 1)[::-1] for cell in row] for row in NUMBERS]  # 1.234,50 %


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_numbers_as_a_spreadsheet_writes_them_below_a_title(delimiter):
    cells = SPOKEN if delimiter != "," else [[f'"{cell}"' for cell in row] for row in SPOKEN]
    body = table(np.array(cells).T, delimiter, NAMES.replace(",", delimiter))
    title = f"Measured on 3 April{delimiter}by Kim\n{delimiter}\n"
    np.testing.assert_array_equal(read(title + body, "numbers"), (1000 * X).round(2))
    (listing,) = Contents((title + body).encode()).listings.values()
    assert listing.notes[0].startswith("What stands above the table is left out: 'Measured on 3")


def test_units_below_the_names_are_left_out_and_said():
    text = table(X.T, header=f"{NAMES}\nmV,mV,mV,mV,,s")
    np.testing.assert_array_equal(read(text, "numbers"), X)
    assert "left out: units or other words, such as 'mV'" in notes(text.encode())
    assert listed(table([*X.T, ["mV", *WORDS[1:]]], header=f"{NAMES},word"))["word"][1][0] == 12


def test_commas_between_thousands_are_not_decimal():
    text = '"1,234","2,000"\n"3,000","4,567"\n'
    with pytest.raises(FileError, match="without a column of numbers"):
        listed(text)


def test_empty_cells_are_nan_and_comments_and_blank_lines_are_none():
    text = "# made by numpy.savetxt\n\n1,,3\n% a remark\n4,NA,nan\n7,8,inf\n"
    np.testing.assert_array_equal(
        read(text, "numbers"), [[1, np.nan, 3], [4, np.nan, np.nan], [7, 8, np.inf]]
    )


def test_a_column_with_one_word_is_text_as_it_stands():
    text = table([*X.T, ["01", "1_0", "x", *["2"] * 9]])
    assert read(text, "column 7").tolist() == ["01", "1_0", "x", *["2"] * 9]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,2,3\n4,5\n", r"^.* its first line has 3 cells, line 2 has 2\.$"),
        ("# c\n\n1 2\n\n3 4\n5 6 7\n", r"^.* its first line has 2 cells, line 6 has 3\.$"),
        ("1,2\n3,\x004\n", r"^Line 2 of the text holds a NUL, which no text may\.$"),
        ("1,2\n3,1e400\n", r"^Line 2 of the text holds '1e400', which is beyond the largest"),
        ("1,2\n" * 3 + '"' + "1,2\n" * 100_000, r"^Line 4 of the text opens a quote that does"),
        ("a,b,c\n", r"^This is a text without lines of numbers: neither a table nor"),
        ("\n\n# nothing\n", r"^The text holds no lines of numbers\.$"),
        ("one,two\nthree,four\n", r"^This is a text without a column of numbers; it begins"),
        ("1," * 200_000 + "1\n", r"^The text has 200,001 columns; there may be 100,000\.$"),
    ],
)
def test_what_is_no_table_gets_a_sentence_that_names_the_line(text, sentence):
    with pytest.raises(FileError, match=sentence):
        listed(text)


def test_too_many_numbers_are_refused_before_they_are_kept(monkeypatch):
    monkeypatch.setattr("formats.text.LARGEST_ARRAY", 160)
    with pytest.raises(FileError, match=r"^The text holds more than the 20 numbers that can"):
        listed("7,7,7\n" * 8)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{0}\n", "numbers"),
        ("{1}\n", "column 1"),
        ("{2},{0}\n", "column 2"),
        ("{2}.png,{1}\n", "column 2"),
        ("{2} {1}\n", "column 2"),
    ],
)
@pytest.mark.parametrize("header", [False, True])
def test_labels_are_a_column_alone_or_beside_the_numbers_of_samples(text, name, header):
    words = ["pig", "cat"] * 8
    lines = "".join(text.format(len(word + "s" * (i % 2)), word, i) for i, word in enumerate(words))
    if header:
        names = ["label"] if name[-1] in "s1" else ["id", "label"]
        lines, name = ",".join(names) + "\n" + lines.replace(" ", ","), "label"
    y = read(lines, name).ravel().tolist()
    assert y == (words if "{1}" in text else [3, 4] * 8)


@pytest.mark.parametrize("header", ["emotion,pixels,Usage\n", ""])
def test_a_cell_of_many_numbers_is_as_many_columns(header):
    pixels = np.random.default_rng(0).integers(0, 255, (12, 9))
    cells = [" ".join(map(str, row)) for row in pixels]
    text = header + table([y.astype(int), cells, WORDS])
    text += "\n" * 2
    if header:
        assert listed(text)["emotion"] == ("double", (12, 1))
        np.testing.assert_array_equal(read(text, "numbers"), pixels)
        assert read(text, "Usage").tolist() == WORDS
    else:
        np.testing.assert_array_equal(read(text, "numbers"), np.c_[y, pixels])
    with pytest.raises(FileError, match=r"its first line has 11 cells, line \d has 12\.$"):
        read(text.replace(cells[5], f"{cells[5]} 7"), "numbers")


@pytest.mark.parametrize("k", [2, 3])
def test_the_last_columns_may_be_one_hot_labels(k):
    classes = np.arange(12) % k
    text = table(np.c_[X, np.eye(k)[classes]].T, " ")
    np.testing.assert_array_equal(read(text, "numbers"), X)
    np.testing.assert_array_equal(read(text, "labels"), np.eye(k)[classes])


@pytest.mark.parametrize(
    "last", [np.ones((12, 1)), np.zeros((12, 3)), np.eye(12), np.eye(12)[:, :3]]
)
def test_other_zeros_and_ones_are_no_labels(last):
    assert "labels" not in listed(table(np.c_[X, last].T))
