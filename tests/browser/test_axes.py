"""The player's numbers and axes, in the browser that runs them."""

import pytest

from pages.shared.component import ASSETS

SOURCE = "".join(
    (ASSETS / "player" / f"{name}.js").read_text("utf-8") for name in ("numbers", "canvas", "lines")
)


def run(page, expression: str, *args: object) -> object:
    """Evaluate an expression with the functions of the player; its args are in `args`."""
    return page.evaluate(f"(args) => {{ {SOURCE}; return {expression}; }}", args)


@pytest.mark.parametrize(
    ("low", "high"), [(0.18181818181818182, 0.18181818181818188), (1.5, 1.5 + 1e-9), (3e7, 3e7 + 5)]
)
def test_no_two_ticks_have_one_label(page, low, high):
    ticks = run(page, "linearAxis(...args)", low, high, 10, 160, 14)["ticks"]
    labels = [label for _, label in ticks]
    assert 2 <= len(labels) == len(set(labels)), labels


def test_ticks_of_counts_are_whole_numbers(page):
    scale, extent = {"scale": "linear", "format": "int"}, {"low": 15, "high": 16, "positive": 15}
    ticks = run(page, "verticalAxis(...args)", scale, [extent], 10, 160, 14)["ticks"]
    assert [label for _, label in ticks] == ["15", "16"]


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (2500, "number", "2,500"),
        (1234567, "int", "1,234,567"),
        (4.2e-7, "number", "4.2 × 10⁻⁷"),
        (1234.5, "sci", "1.23 × 10³"),
        (0.5, "percent", "50.0 %"),
    ],
)
def test_thousands_have_a_comma(page, value, kind, text):
    assert run(page, "format(...args)", value, kind) == text
    assert run(page, "typeset(...args)", "0.12345") == "0.12345"


@pytest.mark.parametrize(("count", "text"), [(0, "0 steps"), (1, "1 step"), (1200, "1,200 steps")])
def test_one_is_singular(page, count, text):
    assert run(page, "countNoun(...args)", count, "step") == text


def test_of_names_that_touch_the_one_in_words_is_drawn(page):
    context = """{ measureText: ({ length }) => ({ width: 10 * length }),
        fillText: (text) => (context.texts ??= []).push(text) }"""
    names = page.evaluate(
        f"""() => {{
            {SOURCE}
            const context = {context};
            const ticks = [[0, "1"], [60, "50, balanced"], [120, "2,500"], [200, "10,000"]];
            drawBelow({{ context, width: 400, size: 10 }}, ticks, "w", 0, {{ text: "" }});
            return context.texts;
        }}"""
    )
    assert names == ["w", "50, balanced", "10,000"]
