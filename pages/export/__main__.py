"""Save the course, or some of its pages, as files that need no server.

    python -m pages.export FOLDER                    # the course, and an index
    python -m pages.export FOLDER live rank          # these lessons, by their addresses
    python -m pages.export FOLDER "live?rho=1&C=0.2" # with the settings of a link

The folder is a static site: any web server can give it away, and each of its files opens without
one.
"""

from __future__ import annotations

import html
import sys
from pathlib import Path

from pages.export import HOME, TITLES
from pages.export.changes import Saved
from pages.export.file import make_file, make_head
from pages.navigation import APP, COURSE, FURTHER, SECTIONS
from pages.shared.engine import session
from pages.shared.system import lower_priority

FILES = {"" if name == HOME else name: f"{name}.html" for name in TITLES}


def save(folder: Path, name: str, query: str = "") -> int:
    """Write the file of a page, and return its bytes."""
    names = [*TITLES]
    after = names[names.index(name) + 1 :][:1]
    links = '<a href="index.html">All lessons</a>' + "".join(
        f'<a href="{each}.html">Next: {html.escape(TITLES[each])} →</a>' for each in after
    )
    saved = Saved("" if name == HOME else name, query)
    text = make_file(saved, TITLES[name], FILES, links)
    return (folder / f"{name}.html").write_bytes(text.encode())


def make_index() -> str:
    """Return a page with the course in its order."""
    parts = [f'<p><a href="{HOME}.html">{TITLES[HOME]}</a></p>']
    for section in (*COURSE, FURTHER):
        items = "".join(
            f'<li><a href="{each.address}.html">{html.escape(each.title)}</a><br>'
            f"{html.escape(each.text)}</li>"
            for each in SECTIONS[section]
        )
        parts.append(f"<h2>{section}</h2><ol>{items}</ol>")
    return f"""<!doctype html>
<html lang="en" class="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{APP}</title>
{make_head()}</head><body class="index"><h1>{APP}</h1>{"".join(parts)}</body></html>
"""


def main(target: str, *wanted: str) -> None:
    """Write the files of these pages, or of all with an index."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    for each in wanted or TITLES:
        name, _, query = each.partition("?")
        if name not in TITLES:
            sys.exit(f"There is no lesson {name!r}; there are {', '.join(TITLES)}.")
        print(f"{name}.html: {save(folder, name, query) / 1e3:,.0f} kB", flush=True)
    if not wanted:
        (folder / "index.html").write_text(make_index(), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lower_priority(10)  # beside a server, whose own work comes first
    try:
        main(*sys.argv[1:])
    finally:
        session.stop_workers()
