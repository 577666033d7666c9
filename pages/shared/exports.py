"""What a reader takes home: the trace, the arrays, and a program that makes them again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from scipy.io import savemat

from pages.shared.recipes import Data, SMMRun, footprint
from pages.shared.runs import Run

LARGEST = 40_000_000  # bytes of a download that the server makes in memory


def of_run(run: Run) -> None:
    """Draw the downloads of a run that has at least one frame."""

    def arrays() -> dict[str, object]:
        proof = run.frames.certificate
        return {
            "W": proof.W,
            "b": proof.b,
            "alpha": proof.alpha,
            "singular_values": proof.singular_values,
            "primal": proof.primal,
            "dual": proof.dual,
            "recipe": repr(run.recipe),
        }

    with st.container(horizontal=True):
        _button("Trace (.csv)", "smm_trace.csv", "text/csv", lambda: trace(run.frames.curves))
        _button("Model (.npz)", "smm_model.npz", _BINARY, lambda: npz(arrays()))
        _button("Model (.mat)", "smm_model.mat", _BINARY, lambda: mat(arrays()))
        _script(run.recipe, "smm_run.py")


def of_data(data: Data) -> None:
    """Draw the downloads of a data set; a large one leaves as the program that makes it."""

    def arrays() -> dict[str, object]:
        X, y, coef = data.load()
        return {"X": X, "y": y, "recipe": repr(data)} | ({} if coef is None else {"W": coef})

    with st.container(horizontal=True):
        if footprint(data) <= LARGEST:
            _button("Samples (.npz)", "smm_data.npz", _BINARY, lambda: npz(arrays()))
            _button("Samples (.mat)", "smm_data.mat", _BINARY, lambda: mat(arrays()))
        _script(data, "smm_data.py")
    if footprint(data) > LARGEST:
        st.caption(f"Arrays are offered up to {LARGEST / 1e6:.0f} MB; the script makes these.")


def trace(curves: NDArray[np.void]) -> bytes:
    """Return the curves as a table of comma-separated values, to the last digit."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(curves.dtype.names)
    writer.writerows(curves.tolist())
    return text.getvalue().encode()


def npz(arrays: dict[str, object]) -> bytes:
    """Return arrays as a file for NumPy."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def mat(arrays: dict[str, object]) -> bytes:
    """Return arrays as a file for MATLAB (v5)."""
    file = io.BytesIO()
    savemat(file, arrays, oned_as="column")
    return file.getvalue()


_BINARY = "application/octet-stream"


def _button(label: str, name: str, mime: str, make: Callable[[], bytes]) -> None:
    # Made when it is asked for, and without a rerun of the page.
    st.download_button(label, make, name, mime, on_click="ignore", key=name)


def _script(recipe: Data | SMMRun, name: str) -> None:
    _button("Script (.py)", name, "text/x-python", lambda: recipe.script().encode())
