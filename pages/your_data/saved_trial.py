"""A trial as a small JSON file: its settings, the files of its samples, and how these are read.

The file holds no samples. Each part is a section of its own, and sections that are not known are
ignored, so that newer versions can add some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pages.shared.files import Layout

KIND, VERSION = "trial of the support matrix machine lab", 1
MAX_BYTES = 1_000_000
MAX_ITEMS = 1_000  # settings, files, or values of one of them
MAX_LETTERS = 300
LARGEST = 2**31
NAME_PATTERN = re.compile(r"[A-Za-z]\w{0,39}", re.ASCII)
DIGEST_PATTERN = re.compile(r"[0-9a-f]{64}")

Settings = Mapping[str, str | list[str]]


class TrialFileError(ValueError):
    """A file that is no saved trial; the message is a sentence for the reader."""


@dataclass(frozen=True)
class SourceFile:
    """A file with samples or labels, known by its content."""

    name: str
    sha256: str


@dataclass(frozen=True)
class SavedTrial:
    """What makes a trial again."""

    settings: Settings  # the controls as in a link, by their names in the lesson
    files: tuple[SourceFile, ...] = ()  # the uploaded files; none for a built-in data set
    layout: Layout | None = None  # how the files are read

    def to_json(self) -> bytes:
        """Return the file."""
        sections: dict[str, Any] = {
            "kind": KIND,
            "version": VERSION,
            "settings": dict(self.settings),
            "files": [asdict(file) for file in self.files],
        }
        if self.layout is not None:
            sections["layout"] = asdict(self.layout)
        return json.dumps(sections, indent=2, ensure_ascii=False).encode()

    @classmethod
    def from_json(cls, content: bytes) -> SavedTrial:
        """Read a file, which may hold anything."""
        sections = _sections(content)
        layout = sections.get("layout")
        return cls(
            _parse_settings(sections.get("settings", {})),
            tuple(_parse_file(file) for file in _items("files", sections.get("files", []))),
            None if layout is None else _parse_layout(layout),
        )


def _sections(content: bytes) -> dict[str, Any]:
    if len(content) > MAX_BYTES:
        raise TrialFileError(
            f"A saved trial has at most {MAX_BYTES / 1e6:g} MB, got {len(content) / 1e6:,.1f} MB."
        )
    try:
        sections = json.loads(content.decode())
    except (ValueError, RecursionError):
        raise TrialFileError("This is no saved trial: the file is not JSON.") from None
    if not isinstance(sections, dict) or sections.get("kind") != KIND:
        raise TrialFileError(f"This is no saved trial: its kind must be {KIND!r}.")
    version = sections.get("version")
    if version != VERSION or isinstance(version, bool):
        raise TrialFileError(
            f"The saved trial has version {_show(version)}; this app reads version {VERSION}."
        )
    return sections


def _parse_settings(found: Any) -> Settings:
    if not isinstance(found, dict) or len(found) > MAX_ITEMS:
        raise TrialFileError(f"The settings must be an object, got {_show(found)}.")
    settings: dict[str, str | list[str]] = {}
    for name, value in found.items():
        if not NAME_PATTERN.fullmatch(name):
            raise TrialFileError(f"A setting cannot be called {_show(name)}.")
        several = isinstance(value, list)
        texts = [_text(f"The setting {name}", text) for text in (value if several else [value])]
        settings[name] = _items(f"setting {name}", texts) if several else texts[0]
    return settings


def _parse_file(found: Any) -> SourceFile:
    if not isinstance(found, dict):
        raise TrialFileError(f"A file must be an object, got {_show(found)}.")
    digest = found.get("sha256")
    if not isinstance(digest, str) or not DIGEST_PATTERN.fullmatch(digest):
        raise TrialFileError(f"The SHA-256 of a file must be 64 hex digits, got {_show(digest)}.")
    return SourceFile(_text("The name of a file", found.get("name")), digest)


def _parse_layout(found: Any) -> Layout:
    if not isinstance(found, dict):
        raise TrialFileError(f"The layout must be an object, got {_show(found)}.")
    kinds = get_type_hints(Layout)
    given = {
        each.name: _decode(each.name, kinds[each.name], found[each.name])
        for each in fields(Layout)
        if each.name in found
    }
    try:
        return Layout(**given)
    except TypeError:
        raise TrialFileError("The layout must name the samples and their axis.") from None


def _decode(name: str, kind: Any, value: Any) -> Any:
    """Return a value of a field of `Layout` from JSON."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None and NoneType in args:
            return None
        (kind,) = (each for each in args if each is not NoneType)
        return _decode(name, kind, value)
    if origin is Literal and isinstance(value, str) and value in args:
        return value
    if origin is tuple and isinstance(value, list):
        parts = _items(name, value)
        each = args[:1] * len(parts) if args[1:] == (Ellipsis,) else args
        if len(parts) == len(each):
            return tuple(_decode(name, kind, part) for kind, part in zip(each, parts, strict=True))
    if kind is str:
        return _text(f"{name} of the layout", value)
    if kind is int and type(value) is int and 0 <= value < LARGEST:
        return value
    raise TrialFileError(f"{name} of the layout cannot be {_show(value)}.")


def _items(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MAX_ITEMS:
        raise TrialFileError(f"{name} must be a list of at most {MAX_ITEMS:,}, got {_show(value)}.")
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_LETTERS or not _can_be_sent(value):
        raise TrialFileError(
            f"{name} must be a text of at most {MAX_LETTERS} letters, got {_show(value)}."
        )
    return value


def _can_be_sent(text: str) -> bool:
    """Return whether a text can be written in UTF-8; JSON allows halves of letters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _show(value: Any) -> str:
    """Return the beginning of a value, in letters that can be written."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
