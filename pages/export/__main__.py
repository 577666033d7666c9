"""Save the course, or some of its pages, as files that need no server.

    python -m pages.export FOLDER                    # the course, which begins with index.html
    python -m pages.export FOLDER live rank          # these lessons, by their addresses
    python -m pages.export FOLDER "live?rho=1&C=0.2" # with the settings of a link

The folder is a static site: any web server can give it away, and each of its files opens without
one.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from pages.export import HOME, TITLES
from pages.export.changes import Saved
from pages.export.file import make_file
from pages.shared.engine import session
from pages.shared.system import lower_priority

FILES = {"" if name == HOME else name: f"{name}.html" for name in TITLES}


def save(folder: Path, name: str, query: str = "") -> int:
    """Write the file of a page, and return its bytes."""
    names = [*TITLES]
    links = {} if name == HOME else {HOME: "All lessons"}
    links |= {each: f"Next: {TITLES[each]} →" for each in names[names.index(name) + 1 :][:1]}
    saved = Saved("" if name == HOME else name, query)
    text = make_file(saved, TITLES[name], FILES, links)
    return (folder / f"{name}.html").write_bytes(text.encode())


def main(target: str, *wanted: str) -> None:
    """Write the files of these pages, or of all."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    for each in wanted or TITLES:
        name, _, query = each.partition("?")
        if name not in TITLES:
            sys.exit(f"There is no lesson {name!r}; there are {', '.join(TITLES)}.")
        print(f"{name}.html: {save(folder, name, query) / 1e3:,.0f} kB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    logging.disable(logging.WARNING)  # Streamlit misses a session in each run
    lower_priority(10)  # beside a server, whose own work comes first
    try:
        main(*sys.argv[1:])
    finally:
        session.stop_workers()
