"""The colours of the app, all from `.streamlit/config.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"


@cache
def theme(kind: str) -> dict[str, Any]:
    """Return the colours of the light or the dark theme, by their names in the file."""
    found: dict[str, Any] = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][kind]
    return found


def colour(which: int | str, kind: str = "light") -> str:
    """Return a colour of a theme, by its number among the categories or its name."""
    told = theme(kind)
    return str(told["chartCategoricalColors"][which] if isinstance(which, int) else told[which])
