"""The picture of a matrix as a stack of layers: a column times a row each, with a height."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared.component import component
from pages.shared.data.faces import load_faces
from pages.shared.widgets import url
from smmcore.arrays import Array

KEY, OWN_SLOT = "layers", "own picture"
SIDE = 25
FACE, PLAID, CROSS, DIAGONAL, OWN = PICTURES = "Face", "Plaid", "Cross", "Diagonal", "Your own"
CUT = 3  # layers at first
ROUNDING = 1e-9  # of the largest singular value: smaller ones are 0

_component = component(KEY, "layers/layers", ["toy", "layers/layers"])


class Layers(NamedTuple):
    """The singular value decomposition of a picture."""

    columns: Array  # (p, m), u_i
    heights: Array  # (m,), sigma_i, descending; rounding is 0
    rows: Array  # (m, q), v_i

    @property
    def rank(self) -> int:
        """The number of layers."""
        return int(np.count_nonzero(self.heights))


def decompose(picture: Array) -> Layers:
    """Return the layers of a picture."""
    U, sigma, Vt = np.linalg.svd(picture, full_matrices=False)
    signs = np.where(U.sum(axis=0) < 0, -1.0, 1.0)  # a column that is mostly positive, if either is
    heights = np.where(sigma > ROUNDING * sigma[0], sigma, 0.0)
    return Layers(U * signs, heights, signs[:, None] * Vt)


def make_picture(name: str) -> Array:
    """Return a picture that is built in, grey values from 0 to 1, (25, 25)."""
    if name == FACE:
        return np.asarray(load_faces()[0][93], float)
    at = np.arange(SIDE)
    arm = (np.abs(at - SIDE // 2) <= 3) * 1.0
    if name == CROSS:  # the arms overlap in the middle
        return np.asarray(np.maximum.outer(arm, arm))
    if name == DIAGONAL:
        return np.eye(SIDE)
    stripes = 0.35 + 0.35 * (at % 6 < 3) + 0.3 * (at % 4 == 1)
    return np.outer(stripes, stripes[::-1])


def draw_layers(place: Any) -> None:
    """Draw the choice of a picture in a place, and its layers with the cut that one drags."""
    own = st.session_state.get(OWN_SLOT)
    names = PICTURES if own is not None else PICTURES[:-1]
    name = url.choice(
        place.container(key="what"),  # it belongs to the picture, also where that stands alone
        "segmented_control",
        "Picture",
        names,
        CROSS,
        key="picture",
        label_visibility="collapsed",
    )
    picture = own if name == OWN and own is not None else make_picture(name)
    layers = decompose(picture)
    cut, knob = url.knob("layers", "", range(SIDE + 1), CUT, key="layers")
    parts = (layers.columns.T, layers.heights, layers.rows)
    svd = b"".join(np.ascontiguousarray(part, np.float32).tobytes() for part in parts)
    data = {"svd": b64encode(svd).decode(), "shape": picture.shape, "rank": layers.rank}
    with st.container(key="stage"):
        _component(
            key=KEY,
            data=data
            | {
                "cut": cut,
                "knob": knob.to_json(),
                "own": {url.full_key("picture"): OWN, url.full_key("layers"): None},
            },
            on_own_change=_take_picture,
        )


def _take_picture() -> None:
    """Keep a reader's picture, grey values that the browser has made of a file; a callback."""
    picture = read_greys(st.session_state[KEY]["own"])
    if picture is not None:
        st.session_state[OWN_SLOT] = picture


def read_greys(values: Any) -> Array | None:
    """Return grey values from 0 to 255 as a picture; None if they are no picture that has one."""
    if not isinstance(values, list) or len(values) != SIDE**2:
        return None
    if not all(type(value) is int and 0 <= value <= 255 for value in values) or not any(values):
        return None
    return np.array(values, float).reshape(SIDE, SIDE) / 255
