"""Choose the classes of a trial in a table: use, rename, merge, or leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.files.labels import label_names
from pages.your_data.trial.split_warnings import MIN_CLASS_SAMPLES

MAX_NAME = 60  # characters
TABLES = "tables of classes"  # slot of the session: the table of each data set

Names = dict[int, str]  # from the place of each class in use to its name


@dataclass(frozen=True)
class ClassChoice:
    """The classes in use."""

    labels: tuple[Any, ...]  # as Python objects, sorted
    new_labels: tuple[Any, ...]  # that take their place; those that are equal are merged

    def rename(self, y: NDArray[Any]) -> NDArray[Any]:
        """Return the new label of each sample."""
        if self.new_labels == self.labels:
            return y
        new = dict(zip(self.labels, self.new_labels, strict=True))
        return np.array([new[label] for label in y.tolist()])


@dataclass
class Table:
    """The table of the classes of a data set, as it is drawn and as the reader has edited it."""

    drawn: Names  # before the edits
    names: Names | None = None  # in use; None as in the data
    number: int = 0  # of the widget: a change from elsewhere makes a new one


def choose_classes(
    labels: NDArray[Any],
    counts: NDArray[np.intp],
    default: Sequence[int],
    owner: str,
    given: Sequence[str] = (),
) -> ClassChoice:
    """Draw the table of classes, and return those in use; `given` are their names in the file."""
    own = label_names(labels)
    by_default = {i: given[i] if given else own[i] for i in sorted(default)}
    tables: dict[str, Table] = st.session_state.setdefault(TABLES, {})
    table = tables.setdefault(owner, Table(by_default))
    if table.names is None and table.drawn != by_default:
        table.drawn, table.number = by_default, table.number + 1
    names = by_default if table.names is None else table.names
    sizes: dict[str, int] = {}
    for i, name in names.items():
        sizes[name] = sizes.get(name, 0) + int(counts[i])
    small = [name for name, size in sizes.items() if size < MIN_CLASS_SAMPLES]
    of = f"{len(names)} of " if len(names) < len(own) else ""
    merged = f", merged to {len(sizes)}" if len(sizes) < len(names) else ""
    title = f"Classes: {of}{len(own)}{merged}"
    with st.expander(title, expanded=bool(small) or len(sizes) < 2, key="classes of data"):
        _draw_table(owner, table, own, counts)
        large = {i: name for i, name in names.items() if name not in small}
        if small and len(set(large.values())) > 1:
            st.button(
                f"Leave out classes with fewer than {MIN_CLASS_SAMPLES} samples",
                on_click=tables.update,
                args=({owner: Table(large, large, table.number + 1)},),
            )
    if len(sizes) < 2:
        raise ValueError(f"it takes two classes or more, got {len(sizes)}")
    for name, size in sizes.items():
        if size < 2:
            raise ValueError(
                f"class {name} has only one sample. Each class needs at least two: one for "
                "training, one for testing"
            )
    places = sorted(names)
    new_labels = _new_labels(labels.tolist(), own, [names[i] for i in places])
    return ClassChoice(tuple(labels[places].tolist()), new_labels)


def _new_labels(values: list[Any], own: list[str], names: list[str]) -> tuple[Any, ...]:
    """Return the label that takes the place of each label in use.

    A name that is the name of a label stands for this label. If any name is new, all are texts.
    """
    new = [values[own.index(name)] if name in own else None for name in names]
    if None not in new:
        return tuple(new)
    return tuple(
        value if isinstance(value, str) else name for name, value in zip(names, new, strict=True)
    )


def _draw_table(owner: str, table: Table, own: list[str], counts: NDArray[np.intp]) -> None:
    """Draw the table, which goes on with its own edits."""
    key = f"table of classes {owner} {table.number}"
    rows = [
        {
            "use": i in table.drawn,
            "class": own[i],
            "samples": int(counts[i]),
            "name": table.drawn.get(i, own[i]),
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
        args=(key, table, own),
    )
    st.caption("Classes of the same name are merged.")


def _store_edits(key: str, table: Table, own: list[str]) -> None:
    """Store what the reader has changed in the table."""
    edits = st.session_state[key]["edited_rows"]
    table.names = {}
    for i, label in enumerate(own):
        edit = edits.get(i, {})
        if edit.get("use", i in table.drawn):
            name = edit.get("name", table.drawn.get(i, label)) or ""
            table.names[i] = name.strip() or label
