"""Downloads of the lessons: metrics as a table, arrays, and a program that computes them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any, cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.engine.experiment import Dataset, Experiment
from pages.shared.parts.programs import to_notebook

# Fields of a certificate that belong to a model.
MODEL_FIELDS = ("W", "b", "alpha", "singular_values", "theta", "fitted", "primal", "dual")
MAX_BYTES = 40_000_000  # of a download, which the server makes in memory


def draw_run_downloads(
    run: Any,  # a subscription, or another value with `experiment`, `frames` and `status`
    name: str,
    models: Callable[[], dict[str, object]] | None = None,
) -> None:
    """Draw the downloads of a run: its metrics and its model."""

    def arrays() -> dict[str, object]:
        proof = run.frames.certificate
        proofs = proof if isinstance(proof, dict) else {"": proof}
        made = {
            f"{part}_{name}".rstrip("_"): getattr(one, part)
            for name, one in proofs.items()
            for part in MODEL_FIELDS
            if hasattr(one, part)
        }
        return made | {"experiment": repr(run.experiment)}

    with st.container(horizontal=True):
        offer_table("Trace", f"{name}_trace", lambda: to_csv(run.frames.metrics))
        if models is not None:
            offer_arrays("Models", f"{name}_models", models)
        elif run.frames.certificate is not None:
            offer_arrays("Model", f"{name}_model", arrays)


def sample_arrays(data: Any) -> dict[str, object]:
    """Return the arrays of a data set by name, and its constructor."""
    parts = data.parts() if hasattr(data, "parts") else (data.load(),)
    arrays: dict[str, object] = {"experiment": repr(data)}
    for (X, y, _), part in zip(parts, ("", "_test"), strict=False):
        arrays |= {f"X{part}": X, f"y{part}": y}
    coef = parts[0].coef
    return arrays if coef is None else arrays | {"W": coef}


def draw_data_downloads(data: Dataset, name: str = "smm_data") -> None:
    """Draw the downloads of a data set, with its test part if there is one.

    A large data set has no arrays to download.
    """
    if 8 * prod(data.shape) <= MAX_BYTES:
        with st.container(horizontal=True):
            offer_arrays("Samples", name, lambda: sample_arrays(data))
    else:
        st.caption(f"Samples are offered up to {MAX_BYTES / 1e6:.0f} MB.")


def draw_array_downloads(
    arrays: Mapping[str, object],
    experiment: Experiment | Dataset,
    name: str,
    table: NDArray[np.void] | None = None,
) -> None:
    """Draw the downloads of arrays that a worker computed."""
    with st.container(horizontal=True):
        if table is not None:
            offer_table("Table", name, lambda: to_csv(table))
        offer_arrays("Arrays", name, lambda: {**arrays, "experiment": repr(experiment)})


def file_stem(name: str) -> str:
    """Return the letters and digits of a name, for the beginning of a file name."""
    return re.sub(r"[\W_]+", "_", name).strip("_")[:40] or "data"


def to_csv(curves: NDArray[np.void]) -> bytes:
    """Return records as comma-separated values in full precision."""
    return rows_to_csv(curves.dtype.names or (), curves.tolist())


def rows_to_csv(header: Iterable[object], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a header and rows as comma-separated values in full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


def to_npz(arrays: Mapping[str, object]) -> bytes:
    """Return arrays as a file for NumPy (.npz)."""
    file = io.BytesIO()
    np.savez_compressed(file, **cast(dict[str, Any], arrays))
    return file.getvalue()


def to_mat(arrays: Mapping[str, object]) -> bytes:
    """Return arrays as a file for MATLAB (v7); an array of text becomes a cell array."""
    from scipy.io import savemat  # takes a third of a second

    file = io.BytesIO()
    cells = {name: _cells(value) for name, value in arrays.items()}
    savemat(file, cells, oned_as="column", do_compression=True)
    return file.getvalue()


def _cells(value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return value.astype(object)
    return value


def offer_table(label: str, name: str, make: Callable[[], bytes]) -> None:
    """Draw the download of a table."""
    _button(f"{label} (.csv)", f"{name}.csv", "text/csv", make)


def offer_arrays(label: str, name: str, make: Callable[[], dict[str, object]]) -> None:
    """Draw the downloads of arrays, one for NumPy and one for MATLAB."""
    binary = "application/octet-stream"
    _button(f"{label} (.npz)", f"{name}.npz", binary, lambda: to_npz(make()))
    _button(f"{label} (.mat)", f"{name}.mat", binary, lambda: to_mat(make()))


def offer_script(name: str, program: str) -> None:
    """Draw the download of a program."""
    _button("Script (.py)", name, "text/x-python", program.encode)


def offer_program(name: str, program: str) -> None:
    """Draw the downloads of a program that needs `smmcore` alone, as a script and a notebook."""
    with st.container(horizontal=True):
        offer_script(f"{name}_run.py", program)
        notebook = f"{name}_run.ipynb"
        mime = "application/x-ipynb+json"
        _button("Notebook (.ipynb)", notebook, mime, lambda: to_notebook(program).encode())


def offer_samples(data: Dataset, make: Callable[[], Mapping[str, object]]) -> None:
    """Draw the download of the samples that a script reads."""
    _button("Samples (.npz)", data.file, "application/octet-stream", lambda: to_npz(make()))


def _button(label: str, name: str, mime: str, make: Callable[[], bytes]) -> None:
    # The file is made on request, and the page does not run again.
    st.download_button(label, make, name, mime, on_click="ignore", key=name)
