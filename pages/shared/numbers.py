"""How the app writes numbers: in tables, captions and summaries, in formulas and in addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, floor, isfinite, isnan, log10

from pages.shared.words import count_noun

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def one_two_five(low: int, high: int) -> list[float]:
    """Return 1, 2 and 5 in each decade from 10^low to below 10^high."""
    return [float(f"{step}e{decade}") for decade in range(low, high) for step in (1, 2, 5)]


def power_of_ten(exponent: int) -> str:
    """Return a power of ten: "10⁻⁶"."""
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def with_minus(text: str) -> str:
    """Return a number as text with "−", as wide as a plus, in place of the hyphen."""
    return text.replace("-", "−")


def scientific(value: float, digits: int = 2) -> str:
    """Return a number with so many digits: "0.25", "7.1 × 10⁻⁷", or "10⁻⁶" with one digit.

    Powers of ten appear below 0.01 and from 1,000 on.
    """
    if value == 0 or not isfinite(value) or 0.01 <= abs(value) < 1000:
        return with_minus(f"{float(f'{value:.{digits}g}'):.{max(digits, 6)}g}")  # not 2.2e+02
    return _times_power(f"{value:.{digits - 1}e}")


def _times_power(text: str) -> str:
    """Return "2 × 10⁻⁵" for "2e-05", and "10⁻⁵" for "1e-05"."""
    mantissa, exponent = text.split("e")
    power = power_of_ten(int(exponent))
    return power if mantissa == "1" else with_minus(f"{mantissa} × {power}")


def percent(share: float, decimals: int = 1) -> str:
    """Return a share as "97.5 %", with a space at which no line breaks."""
    return f"{100 * share:.{decimals}f}\N{NO-BREAK SPACE}%"


def signed(value: float, form: str) -> str:
    """Return a number in a format such as ".3f" with the sign for minus: "−0.120"."""
    return with_minus(f"{value:{form}}")


def grouped(value: float) -> str:
    """Return a number with three digits, and with commas from 1,000 on: "2,500", "11.5"."""
    return with_minus(f"{float(f'{value:.3g}'):,g}")


def or_dash(number: float, digits: int) -> str:
    """Return a number with so many digits, or a dash if there is none.

    Examples
    --------
    >>> or_dash(9.8e-06, 4), or_dash(0.00078125, 6), or_dash(float("nan"), 4)
    ('9.8 × 10⁻⁶', '0.00078125', '–')
    """
    if isnan(number):
        return "–"
    text = f"{number:.{digits}g}"
    return scientific(number) if "e" in text else with_minus(text)


def with_error(value: float, error: float) -> str:
    """Return a number with its standard error, both to two digits of the error.

    Examples
    --------
    >>> with_error(-0.18992, 0.044405), with_error(12.3456, float("nan"))
    ('−0.190 ± 0.044', '12.35')
    """
    if isnan(value) or not isfinite(error) or error == 0:
        return or_dash(value, 4)
    decimals = decimals_of(error)
    return with_minus(f"{value:.{decimals}f} ± {error:.{decimals}f}")


def decimals_of(error: float) -> int:
    """Return how many decimals show two digits of a standard error."""
    return max(0, 1 - floor(log10(error)))


def smallest_to_largest(
    values: Iterable[float | None], write: Callable[[float], str] = "{:g}".format
) -> str:
    """Return the range of the finite values: "1 to 3", "2" if all are equal, a dash if none is."""
    known = [value for value in values if value is not None and isfinite(value)]
    if not known:
        return "–"
    low, high = write(min(known)), write(max(known))
    return low if low == high else f"{low} to {high}"


def duration(seconds: float) -> str:
    """Return seconds, rounded up: "40 s", or "2 min" from 90 s on."""
    if seconds < 90:
        return f"{10 * ceil(seconds / 10)} s"
    return f"{ceil(seconds / 60):,} min"


def latex(value: float, digits: int | None = None) -> str:
    """Return a number in LaTeX: 1.23e-05 as 1.23 times a power of ten.

    With `digits` trailing zeros stay, so that numbers can be compared side by side.
    """
    text = f"{value:.3g}" if digits is None else f"{value:#.{digits}g}"
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa.removesuffix(".")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa


def latex_matrix(rows: Iterable[Iterable[float]], form: str) -> str:
    """Return a matrix in LaTeX, each entry in a format such as "{:.3f}"."""
    body = r" \\ ".join(" & ".join(map(form.format, row)) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def in_address(value: object) -> str:
    """Return the value of a control as an address has it: 2e-05, auto, true."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def on_control(value: object) -> str:
    """Return the value of a control as a reader sees it: 2 × 10⁻⁵ for 2e-05, 10,000."""
    text = in_address(value)
    if isinstance(value, float):
        return _times_power(text) if "e" in text else f"{value:,g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else text


def after_iterations(k: int) -> str:
    """Return "after 12 iterations"."""
    return f"after {count_noun(k, 'iteration')}"


def above_floor(tol: float) -> str:
    """Return what a relative gap proves: "at most 0.0001 % above its floor"."""
    return f"at most {100 * tol:.10f}".rstrip("0") + " % above its floor"


def describe_solutions(done: int, loose: int, tol: float) -> str:
    """Return how many solutions there are, and how many of them missed the tolerance."""
    which = f"all but {loose}" if loose else "each"
    return f"{done} solutions, {which} {above_floor(tol)}"
