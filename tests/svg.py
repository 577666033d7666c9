"""Small pictures as SVG: a chart with logarithmic axes, and the entries of a matrix."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 60, 500, 20, 250  # of the axes
COLOURS = ("#1b6ca8", "#b3541e", "#2f7d4f")


def _svg(width: float, height: float, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
    style = 'font-family="sans-serif" font-size="13" fill="#222"'
    return f'{head} width="{width:g}" {style}>\n' + "\n".join(parts) + "\n</svg>\n"


def chart(x: Sequence[float], name: str, unit: str, lines: Mapping[str, Sequence[float]]) -> str:
    """Draw lines over x, both axes logarithmic; y is given in a unit."""
    values = np.concatenate([*lines.values()])
    marks = [m * 10.0**k for k in range(-6, 7) for m in (1, 2, 5)]
    low = max(mark for mark in marks if mark <= values.min())
    high = min(mark for mark in marks if mark >= values.max())

    def at(i: float, y: float) -> tuple[float, float]:
        along = np.log(i / x[0]) / np.log(x[-1] / x[0])
        up = np.log(y / low) / np.log(high / low)
        return float(LEFT + along * (RIGHT - LEFT)), float(BOTTOM - up * (BOTTOM - TOP))

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for mark in (mark for mark in marks if low <= mark <= high):
        y = at(x[0], mark)[1]
        parts.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for each in x:
        here = at(each, low)[0]
        parts.append(
            f'<text x="{here:.1f}" y="{BOTTOM + 18}" text-anchor="middle">{each:,g}</text>'
        )
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(name)}</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 6}">{escape(unit)}</text>')
    for (label, ys), colour in zip(lines.items(), COLOURS, strict=False):
        points = [at(i, y) for i, y in zip(x, ys, strict=True)]
        path = " ".join(f"{i:.1f},{j:.1f}" for i, j in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{i:.1f}" cy="{j:.1f}" r="3" fill="{colour}"/>' for i, j in points]
        end = f'x="{RIGHT + 10}" y="{points[-1][1] + 4:.1f}"'
        parts.append(f'<text {end} fill="{colour}">{escape(label)}</text>')
    return _svg(WIDTH, HEIGHT, parts)


def matrix(M: np.ndarray, side: float = 8) -> str:
    """Draw the entries of a matrix: negative ones blue, positive ones brown, 0 white."""
    largest = float(np.abs(M).max()) or 1.0
    parts = []
    for (i, j), entry in np.ndenumerate(M):
        colour = COLOURS[int(entry > 0)]
        place = f'x="{j * side:g}" y="{i * side:g}" width="{side:g}" height="{side:g}"'
        parts.append(f'<rect {place} fill="{colour}" opacity="{abs(entry) / largest:.2f}"/>')
    p, q = M.shape
    frame = f'<rect width="{q * side:g}" height="{p * side:g}" fill="none" stroke="#888"/>'
    return _svg(q * side, p * side, [*parts, frame])
