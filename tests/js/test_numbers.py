"""Numbers and axes of the pictures, as Node computes them."""

from pages.shared import numbers
from pages.shared.words import count_noun
from tests.js.node import evaluate

NUMBERS, CANVAS = ["lib/numbers"], ["lib/canvas"]
VALUES = [0.0, 1.0, -1.5, 0.25, 0.01, 999.0, 1000.0, 1234.5, 2500.0, 4.2e-7, -3.07e12, 7.1e-6]


def test_powers_of_ten_and_counts_are_written_as_in_python():
    texts = evaluate(NUMBERS, "(all) => all.map(power)", exponents := [-12, -6, 0, 3, 10])
    assert texts == [numbers.power_of_ten(each) for each in exponents]
    texts = evaluate(
        NUMBERS, "(all) => all.map((n) => countNoun(n, 'step'))", counts := [0, 1, 1200]
    )
    assert texts == [count_noun(each, "step") for each in counts]


def test_numbers_are_written_as_in_python():
    given = "(all, kind) => all.map((value) => format(value, kind))"
    assert evaluate(NUMBERS, given, VALUES, "number")[:9] == [
        numbers.grouped(x) for x in VALUES[:9]
    ]
    far = [4.2e-7, -3.07e12, 7.11e-6, 1234.5]
    assert evaluate(NUMBERS, given, far, "sci") == [
        "4.20 × 10⁻⁷",
        *(numbers.scientific(x, 3) for x in far[1:]),
    ]
    assert evaluate(NUMBERS, given, shares := [0.5, 0.9754], "percent") == [
        numbers.percent(share).replace("\N{NO-BREAK SPACE}", " ") for share in shares
    ]


def test_a_number_has_its_format():
    texts = {
        (2500, "number"): "2,500",
        (1234567, "int"): "1,234,567",
        (4.2e-7, "number"): "4.2 × 10⁻⁷",
        (1234.5, "sci"): "1.23 × 10³",
        (0.5, "percent"): "50.0 %",
        (None, "number"): "–",
    }
    write = "(all) => all.map(([value, kind]) => format(value ?? NaN, kind))"
    assert evaluate(NUMBERS, write, [*texts]) == [*texts.values()]


def test_no_two_ticks_have_one_label():
    ranges = (0.18181818181818182, 0.18181818181818188), (1.5, 1.5 + 1e-9), (3e7, 3e7 + 5)
    draw = "(all) => all.map((range) => linearAxis(...range, 10, 160, 14).ticks)"
    for ticks in evaluate(CANVAS, draw, ranges):
        labels = [label for _, label in ticks]
        assert 2 <= len(labels) == len(set(labels)), labels


def test_ticks_of_counts_are_whole_numbers():
    scale, extent = {"scale": "linear", "format": "int"}, {"low": 15, "high": 16, "positive": 15}
    axis = "(scale, extent) => verticalAxis(scale, [extent], 10, 160, 14).ticks"
    assert [label for _, label in evaluate(CANVAS, axis, scale, extent)] == ["15", "16"]


def test_of_names_that_touch_the_one_in_words_is_drawn():
    names = evaluate(
        ["lib/lines"],
        """() => {
            const texts = [];
            const measureText = ({ length }) => ({ width: 10 * length });
            const context = { measureText, fillText: (text) => texts.push(text) };
            const ticks = [[0, "1"], [60, "50, balanced"], [120, "2,500"], [200, "10,000"]];
            const place = { axis: { ticks: [] }, left: 0, right: 400, bottom: 0 };
            drawAxes({ context, width: 400, size: 10 }, place, ticks, "w", { text: "" });
            return texts;
        }""",
    )
    assert names == ["w", "50, balanced", "10,000"]
