"""Markdown as HTML: what the lessons use of it."""

from __future__ import annotations

import html
import re

SYMBOLS = {
    **{"tau": "τ", "theta": "θ", "Theta": "Θ", "Omega": "Ω", "nu": "ν", "rho": "ρ", "eta": "η"},
    **{"times": "×", "sum": "Σ", "tfrac12": "½", "|": "‖", ",": " ", "ell": "ℓ", "alpha": "α"},
    "min": "min",
}
INLINE = (
    (r"`(.+?)`", r"<code>\1</code>"),
    (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
    (r"\*(.+?)\*", r"<i>\1</i>"),
    (r"\[([^\]]+)\]\((https?://[^)]+)\)", r'<a href="\2">\1</a>'),
    (r"\[([^\]]+)\]\([^)]+\)", r"\1"),  # a place in the app
)


def to_html(text: str) -> str:
    """Return Markdown as HTML; an empty text if it has a table or a formula that stands alone."""
    if "$$" in text or text.startswith("|"):
        return ""
    return "".join(_block(part.strip()) for part in re.split(r"\n\s*\n", text) if part.strip())


def _block(text: str) -> str:
    for mark, tag in ((r"- ", "ul"), (r"\d+\. ", "ol")):
        if re.match(mark, text):
            items = re.split(rf"^{mark}", text, flags=re.MULTILINE)[1:]
            return f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"
    return f"<p>{_inline(text)}</p>"


def _inline(text: str) -> str:
    text = re.sub(r"\$([^$]+)\$", lambda found: _formula(found[1]), html.escape(text, quote=False))
    text = re.sub(r"\\([\\`*_{}\[\]()<>#+!|$~:&-])", lambda found: f"&#{ord(found[1])};", text)
    for pattern, into in INLINE:
        text = re.sub(pattern, into, text, flags=re.DOTALL)
    return text


def _formula(latex: str) -> str:
    latex = re.sub(r"\\mathcal\s*(\w)", r"\1", latex)
    latex = re.sub(r"\\(tfrac12|[a-zA-Z]+|[|,])\s*", lambda found: SYMBOLS[found[1]], latex)
    for sign, tag in (("_", "sub"), ("\\^", "sup")):
        latex = re.sub(
            rf"{sign}(?:\{{([^}}]*)\}}|([\w*+]))",
            lambda found, tag=tag: f"<{tag}>{found[1] or found[2]}</{tag}>",  # type: ignore[misc]
            latex,
        )
    return f"<i>{latex.replace('*', '&#42;')}</i>"
