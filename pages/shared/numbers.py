"""How the app writes numbers: 7.1 × 10⁻⁷ and 97.5 %, in tables, captions and summaries."""

from __future__ import annotations

from math import isfinite

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = power_of_ten(int(exponent))
    return power if mantissa == "1" else with_minus(f"{mantissa} × {power}")


def percent(share: float, decimals: int = 1) -> str:
    """Return a share as "97.5 %", with a space at which no line breaks."""
    return f"{100 * share:.{decimals}f}\N{NO-BREAK SPACE}%"


def signed(value: float, form: str) -> str:
    """Return a number in a format such as ".3f" with the sign for minus: "−0.120"."""
    return with_minus(f"{value:{form}}")


def grouped(value: float, digits: int = 3) -> str:
    """Return a number with so many digits, and with commas from 1,000 on: "2,500", "11.5"."""
    return with_minus(f"{float(f'{value:.{digits}g}'):,g}")
