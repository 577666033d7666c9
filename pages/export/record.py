"""What a page draws at an address, as its browser is told."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.component import components
from pages.shared.engine import stream
from pages.shared.engine.subscription import Subscription
from pages.shared.markdown import to_html

CONTENTS = Path(__file__).parents[1] / "contents.py"
# What is around a lesson, by keys and names.
FRAME = "rail", "version", "tools", "theme", "share", "setter"
IN_APP_ONLY = "popover", "empty", "download_button"
PLACES = "at", "default", "to"  # of a setting among its values
BOXES = "flex_container", "column", "container", "expander"
ANSWER = "Show answer"  # of an exercise; what else is folded away is in the app only
Node = dict[str, Any]


@dataclass
class Recording:
    """A page as it is drawn."""

    tree: list[Node] = field(default_factory=list)  # how its parts are nested
    parts: dict[str, Any] = field(default_factory=dict)  # components' data and HTML, by name
    runs: dict[str, Subscription[Any]] = field(default_factory=dict)  # by the path of their frames

    def settings(self) -> dict[str, tuple[list[str], int]]:
        """Return the settings that its components can set: their texts and the default, by key."""
        found = [each for each in self._told() if is_setting(each)]
        return {each["key"]: (each["texts"], each["default"]) for each in found}

    def states(self) -> list[dict[str, str]]:
        """Return the settings to which its components lead with one click."""
        told = [*self._told()]
        states = [each["texts"] for each in told if isinstance(each.get("texts"), dict)]
        answers = [{each["key"]: each["texts"][each["to"]]} for each in told if "to" in each]
        known = [{key: text for key, text in each.items() if text is not None} for each in states]
        return [each for each in [*known, *answers] if each]

    @property
    def grid(self) -> str:
        """The file with the runs that were computed in advance; empty if there is none."""
        return next((each["grid"] for each in self._told() if each.get("grid")), "")

    @property
    def moves(self) -> dict[str, dict[str, Any]]:
        """The settings that follow the hand, by their names in the run."""
        return next((each["moves"] for each in self._told() if each.get("moves")), {})

    def offer_only(self, key: str, kept: Collection[str]) -> None:
        """Let the controls of a setting offer some of its places only."""
        texts = self.settings()[key][0]
        places = [place for place, text in enumerate(texts) if text in kept]
        for move in self.moves.values():
            if move["key"] == key:
                move["values"] = [move["values"][place] for place in places]
        for told in self._told():
            if is_setting(told) and told["key"] == key:
                told["texts"] = [texts[place] for place in places]
                told |= {name: places.index(told[name]) for name in PLACES if name in told}

    def _told(self) -> Iterator[Node]:
        for name, part in self.parts.items():
            inside = walk(part["shows"] if name == "the question" else part)
            yield from (each for each in inside if isinstance(each, dict))


def is_setting(told: Node) -> bool:
    """Return whether this is what a component is told of a setting over given values."""
    return {"key", "texts", "default"} <= told.keys()


def walk(part: Any) -> Iterator[Any]:
    """Yield what a component is told, and all that is inside it."""
    yield part
    if isinstance(part, dict | list):
        for each in part.values() if isinstance(part, dict) else part:
            yield from walk(each)


def open_page(address: str, query: Mapping[str, str] = {}) -> AppTest:
    """Return a page of the app at the settings of a link, to be run."""
    app = AppTest.from_file(CONTENTS, default_timeout=600)
    app.query_params.update(query)
    if address:
        app._page_hash = calc_hash(address)  # `switch_page` knows it only after a run of Home
    return app


def record(address: str, query: Mapping[str, str]) -> Recording:
    """Open a page as a visitor does who follows a link, and wait for its runs."""
    app = open_page(address, query)
    while True:
        app.run()
        if app.exception:
            raise ValueError(f"{address} fails at {query}: {app.exception[0].value}")
        found = _Reader(app).recording
        told = json.dumps(found.parts)
        found.runs = {path: run for path, run in found.runs.items() if path in told}
        waits = [run for run in found.runs.values() if not run.ended]
        if not waits:
            return found
        for run in waits:
            run.wait(600)


class _Reader:
    """Reads the tree of a page that `AppTest` has run."""

    def __init__(self, app: AppTest) -> None:
        self.recording = Recording()
        self._is_first = True  # whether the section is the stage
        self._needs: set[str] = set()  # what a section has and a file cannot draw
        section: list[Any] = []
        for node in [*app.main.children.values(), None]:
            if section and (node is None or node.type == "header"):
                self._add(section)
                section = []
            section.append(node)

    def _add(self, section: list[Any]) -> None:
        """Add a header and what is below it, unless a part of that needs the server."""
        title = section[0].value if section[0].type == "header" else ""
        before, self._needs, self._is_first = {**self.recording.parts}, set(), not title
        nodes = [self._read(node, f"{title or 'top'} {i}") for i, node in enumerate(section)]
        if not self._needs:
            self.recording.tree += [node for node in nodes if node]
        elif self._is_first:
            raise ValueError(f"a stage cannot be saved with {', '.join(sorted(self._needs))}")
        else:
            self.recording.parts = before

    def _read(self, node: Any, path: str) -> Node | None:
        kind, key = node.type, getattr(node, "key", None) or ""
        if kind in IN_APP_ONLY or key in FRAME or (kind == "expander" and node.label != ANSWER):
            return None
        if kind == "bidi_component":
            return self._read_component(node, key)
        if kind in ("markdown", "caption"):
            text = to_html(node.value)
            self.recording.parts |= {path: text} if text else {}
            return {"text": path, "caption": kind == "caption"} if text else None
        if kind in ("header", "title"):
            return {"header": node.value, "level": {"title": 1, "header": 2}[kind]}
        if kind == "page_link":
            return {"link": node.proto.page, "text": to_html(node.proto.label)}
        if kind not in BOXES:
            self._needs.add(kind)
            return None
        nodes = (self._read(each, f"{path}.{i}") for i, each in node.children.items())
        inside = [each for each in nodes if each]
        if not inside:
            return None
        if kind == "expander":
            return {"details": node.label, "in": inside}
        weight = node.weight if kind == "column" else 0
        is_row = kind == "flex_container" and node.proto.flex_container.direction == 2
        if is_row or any(each.type == "column" for each in node.children.values()):
            kind = "row"
        return {"box": kind, "key": key, "weight": weight, "in": inside}

    def _read_component(self, node: Any, key: str) -> Node | None:
        proto = node.proto
        name, told = proto.component_name, json.loads(proto.json or "{}")
        if name in FRAME:
            return None
        if name == "player" and not self._is_first:
            self._needs.add("a run")
        del told["address"]
        part = key or name
        self.recording.parts[part] = self._without_tokens(told)
        script, _ = components[name]
        return {"component": part, "key": key, "script": f"{script}.js", "css": proto.css_content}

    def _without_tokens(self, told: Any) -> Any:
        """Name runs by what they compute, and leave out what the browser reads from the address."""
        if isinstance(told, str) and (run := stream.find(told)):
            name = sha256(repr(run.experiment).encode()).hexdigest()[:12]
            self.recording.runs[f"/runs/{name}/frames"] = run
            return f"/runs/{name}/frames"
        if isinstance(told, list):
            return [self._without_tokens(each) for each in told]
        if not isinstance(told, dict):
            return told
        told = {key: self._without_tokens(each) for key, each in told.items()}
        if is_setting(told):
            standing = {"at": told["default"], "isElsewhere": False}
            told |= {name: value for name, value in standing.items() if name in told}
        return told
