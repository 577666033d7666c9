"""One HTML file with a page: its scripts, styles, words and runs, compressed."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping

from pages.export.changes import Saved
from pages.export.record import walk
from pages.page_head import make_style
from pages.shared.component import ASSETS
from pages.shared.packed import pack
from pages.shared.theme import theme

EXPORT = ASSETS / "export"
SOURCE = EXPORT / "source.js"  # in place of the requests to a server
SANS = '"Source Sans", system-ui, sans-serif'
BASICS = {"font": SANS, "headingFont": SANS, "baseRadius": "0.4rem"}  # of both themes
ALWAYS = "export/host.js", "head/head.js"
IMPORT = re.compile(r'(\bfrom|\bimport)\s+"(\.[^"]+)"')


def make_file(saved: Saved, title: str, course: Mapping[str, str], links: Mapping[str, str]) -> str:
    """Return a saved page, beside others of the course, by their addresses.

    `links` are texts in its bar, by the names of the files to which they lead.
    """
    settings = saved.page.settings()
    page = {
        "address": saved.address,
        "query": saved.query,
        "tree": saved.page.tree,
        "parts": saved.page.parts,
        "texts": saved.texts,
        "defaults": {key: texts[at] for key, (texts, at) in settings.items()},
        "places": {key: texts for key, (texts, _) in settings.items() if key in saved.patches},
        "patches": saved.patches,
        "together": saved.together,
        "course": course,
    }
    nodes = (each for each in walk(saved.page.tree) if isinstance(each, dict))
    scripts = {node["script"] for node in nodes if "script" in node}
    files = {name: text.encode() for name, text in _modules([*sorted(scripts), *ALWAYS]).items()}
    files["page"] = json.dumps(page, ensure_ascii=False).encode()
    later = saved.runs | {path: file.read_bytes() for path, file in saved.grids.items()}
    files |= {path: later.pop(path) for path in saved.page.runs}  # of the first picture
    beside = "".join(
        f'<a href="{name}.html">{html.escape(text)}</a>' for name, text in links.items()
    )
    begin = (EXPORT / "begin.js").read_text(encoding="utf-8")
    # No module may be imported before all have their addresses: these functions stand in the page.
    unpack = (ASSETS / "lib" / "packed.js").read_text(encoding="utf-8").replace("export ", "")
    return f"""<!doctype html>
<html lang="en" class="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
{_make_head()}</head><body>
<div class="stApp" data-test-script-state="notRunning"><div class="stMain">
<div class="stMainBlockContainer"><div class="stVerticalBlock">
<div class="bar"><h1>{html.escape(title)}</h1>{beside}</div>
</div></div></div></div>
{_pack("first", files)}
<script>{unpack}{begin}</script>
{_pack("later", later)}
</body></html>
"""


def _pack(name: str, files: Mapping[str, bytes]) -> str:
    sizes = {name: len(data) for name, data in files.items()}
    packed = base64.b64encode(pack({"sizes": sizes}, files.values())).decode()
    return f'<script type="text/plain" id="{name}">{packed}</script>'


def _make_head() -> str:
    """Return the styles of a file: the app's, and those that Streamlit would bring."""
    font = base64.b64encode((EXPORT / "source-sans.woff2").read_bytes()).decode()
    face = (
        f'font-family: "Source Sans"; font-weight: 200 900; src: url(data:font/woff2;base64,{font})'
    )
    own = (EXPORT / "export.css").read_text(encoding="utf-8")
    themes = "".join(map(_variables, ("light", "dark")))
    return f"{make_style().decode()}<style>@font-face {{ {face} }}\n{themes}{own}</style>\n"


def _variables(kind: str) -> str:
    """Return what Streamlit makes of a theme."""
    told = BASICS | theme(kind)
    told["headingColor"] = told["textColor"]
    lines = (
        f"--st-{re.sub('[A-Z]', lambda found: '-' + found[0].lower(), name)}:"
        f"{','.join(value) if isinstance(value, list) else value};"
        for name, value in told.items()
    )
    return f":root.{kind} {{ color-scheme: {kind}; {''.join(lines)} }}\n"


def _modules(names: Iterable[str]) -> dict[str, str]:
    """Return scripts and all that they import, by names that do not depend on their place."""
    found: dict[str, str] = {}
    wanted = [*names]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        file = ASSETS / name
        text = (SOURCE if name == "lib/source.js" else file).read_text(encoding="utf-8")
        for _, own in set(IMPORT.findall(text)):
            path = (file.parent / own).resolve().relative_to(ASSETS).as_posix()
            text = text.replace(f'"{own}"', f'"smm/{path}"')
            wanted.append(path)
        found[name] = text
    return dict(sorted(found.items()))
