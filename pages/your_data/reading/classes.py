"""Choose the classes of a trial in a table: use, rename, merge, or leave out.

In the address each class in use is a text, its own name or "name=new name".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.files.samples import label_names
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets import url
from pages.your_data.runs import MIN_CLASS_SAMPLES

CLASSES_KEY = "classes"  # in the address
NONE = ""  # in the address, if no class is in use
MAX_NAME = 60  # characters
# Slots of the session: whose classes the address has, the choices by data set, and the table.
OWNER, CHOICES, TABLE = "owner of the classes", "choices of classes", "table of classes"

Names = dict[int, str]  # from the place of each class in use to its name


@dataclass(frozen=True)
class ClassChoice:
    """The classes in use."""

    labels: tuple[Any, ...]  # as Python objects, sorted
    new_labels: tuple[Any, ...]  # that take their place; those that are equal are merged
    is_default: bool  # whether the reader has chosen none

    @property
    def is_renamed(self) -> bool:
        """Whether any label is replaced by another."""
        return self.new_labels != self.labels

    def rename(self, y: NDArray[Any]) -> NDArray[Any]:
        """Return the new label of each sample."""
        if not self.is_renamed:
            return y
        new = dict(zip(self.labels, self.new_labels, strict=True))
        return np.array([new[label] for label in y.tolist()])


def choose_classes(
    labels: NDArray[Any],
    counts: NDArray[np.intp],
    default: Sequence[int],
    owner: str,
    given: Sequence[str] = (),
) -> ClassChoice:
    """Draw the table of classes, and return those in use; `given` are their names in the file."""
    own = label_names(labels)
    texts = _current_texts(owner)
    names, unknown = parse_classes(texts, own)
    by_default = {i: given[i] if given else own[i] for i in sorted(default)}
    if not texts or (unknown and len(names) < 2):  # or the address is about other data
        names = by_default
    texts = [] if names == by_default else format_classes(names, own)
    sizes: dict[str, int] = {}
    for i, name in names.items():
        sizes[name] = sizes.get(name, 0) + int(counts[i])
    small = [name for name, size in sizes.items() if size < MIN_CLASS_SAMPLES]
    title = (
        f"Classes: {len(names)} of {len(own)}" if len(names) < len(own) else f"Classes: {len(own)}"
    )
    merged = f", merged to {len(sizes)}" if len(sizes) < len(names) else ""
    with st.expander(title + merged, expanded=bool(small) or len(sizes) < 2, key="classes of data"):
        _draw_table(owner, texts, own, counts, names, by_default)
        if unknown:
            listed = escape_markdown(", ".join(unknown)[:80])
            st.caption(f"The address has classes that are not in these data: {listed}.")
        large = {i: name for i, name in names.items() if name not in small}
        if small and len(set(large.values())) > 1:
            st.button(
                f"Leave out classes with fewer than {MIN_CLASS_SAMPLES} samples",
                on_click=_set_texts,
                args=(format_classes(large, own),),
            )
    url.record_texts(CLASSES_KEY, texts)
    if len(sizes) < 2:
        raise ValueError(f"it takes two classes or more, got {len(sizes)}")
    for name, size in sizes.items():
        if size < 2:
            raise ValueError(
                f"class {name} has only one sample. Each class needs at least two: one for "
                "training, one for testing"
            )
    places = sorted(names)
    return ClassChoice(
        tuple(labels[places].tolist()),
        _new_labels(labels, own, {i: names[i] for i in places}),
        is_default=not texts,
    )


def parse_classes(texts: Sequence[str], own: Sequence[str]) -> tuple[Names, list[str]]:
    """Return the names of the classes in use, and the texts that fit no class.

    Examples
    --------
    >>> parse_classes(["3", "8=eight", "x"], ["3", "8"])
    ({0: '3', 1: 'eight'}, ['x'])
    """
    names: Names = {}
    unknown = []
    by_length = sorted(range(len(own)), key=lambda i: -len(own[i]))
    for text in texts:
        if text in own:
            names[own.index(text)] = text
            continue
        place = next((i for i in by_length if text.startswith(f"{own[i]}=")), None)
        if place is None:
            unknown += [text] * (text != NONE)
        else:
            names[place] = text[len(own[place]) + 1 :][:MAX_NAME].strip() or own[place]
    return dict(sorted(names.items())), unknown


def format_classes(names: Names, own: Sequence[str]) -> list[str]:
    """Return a text for each class in use, which `parse_classes` reads."""
    texts = [own[i] if names[i] == own[i] else f"{own[i]}={names[i]}" for i in sorted(names)]
    return texts or [NONE]


def _new_labels(labels: NDArray[Any], own: Sequence[str], names: Names) -> tuple[Any, ...]:
    """Return the label that takes the place of each label in use.

    A name that is the name of a label stands for this label. If any name is new, all are texts.
    """
    values = labels.tolist()
    new = [values[own.index(name)] if name in own else None for name in names.values()]
    if None not in new:
        return tuple(new)
    return tuple(
        name if value is None else value if isinstance(value, str) else name
        for name, value in zip(names.values(), new, strict=True)
    )


def _current_texts(owner: str) -> list[str]:
    """Return the texts of the classes in use, none for the default.

    Those of a link are for the first data set of the session.
    """
    state, slot = st.session_state, url.full_key(CLASSES_KEY)
    choices = state.setdefault(CHOICES, {})
    if (opened := url.take_opened(slot)) is not None:  # an old address without prefix
        choices[owner] = opened
    elif state.get(OWNER) == owner:
        choices[owner] = state.get(slot, [])  # which a click or an undo may have changed
    elif OWNER not in state:
        choices[owner] = st.query_params.get_all(slot)
    state[OWNER] = owner
    state[slot] = choices.setdefault(owner, [])
    return list(state[slot])


def _set_texts(texts: list[str]) -> None:
    st.session_state[url.full_key(CLASSES_KEY)] = texts


def _draw_table(
    owner: str,
    texts: list[str],
    own: list[str],
    counts: NDArray[np.intp],
    names: Names,
    by_default: Names,
) -> None:
    """Draw the table; after a change from elsewhere it is a new one."""
    state, drawn = st.session_state, (owner, texts)
    table = state.get(TABLE)
    if table is None or table["drawn"] != drawn:
        number = table["number"] + 1 if table else 0
        table = state[TABLE] = {"drawn": drawn, "names": names, "number": number}
    start: Names = table["names"]
    key = f"table of classes {table['number']}"
    rows = [
        {
            "use": i in start,
            "class": own[i],
            "samples": int(counts[i]),
            "name": start.get(i, own[i]),
        }
        for i in range(len(own))
    ]
    st.data_editor(
        rows,
        hide_index=True,
        disabled=["class", "samples"],
        column_config={"name": st.column_config.TextColumn("name", max_chars=MAX_NAME)},
        key=key,
        on_change=_store_edits,
        args=(key, owner, own, by_default),
    )
    st.caption("Classes of the same name are merged.")


def _store_edits(key: str, owner: str, own: list[str], by_default: Names) -> None:
    """Store what the reader has changed in the table, which goes on with its own changes."""
    state = st.session_state
    table, edits = state[TABLE], state[key]["edited_rows"]
    start: Names = table["names"]
    names = {}
    for i, label in enumerate(own):
        edit = edits.get(i, {})
        if edit.get("use", i in start):
            names[i] = (edit.get("name", start.get(i, label)) or "").strip() or label
    texts = [] if names == by_default else format_classes(names, own)
    _set_texts(texts)
    table["drawn"] = owner, texts
