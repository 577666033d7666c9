"""The colours of the app, all from `.streamlit/config.toml`."""

import tomllib
from functools import cache
from pathlib import Path

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"


@cache
def colour(which: int | str, kind: str = "light") -> str:
    """Return a colour of a theme, by its number among the categories or its name."""
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][kind]
    return str(theme["chartCategoricalColors"][which] if isinstance(which, int) else theme[which])
