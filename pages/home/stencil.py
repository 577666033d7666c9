"""The picture of *Home*: W as a stencil that is laid on pictures of faces."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Any

import numpy as np

from pages.home.runs import FACES, split
from pages.shared.component import component
from pages.shared.engine import session, stream
from pages.shared.player.show_run import callbacks
from pages.shared.widgets import url

SLOT, KEY = "home", "stencil"
RANKS, RANK = list(range(1, 26)), 3
# Among the new pictures, 25 faces and then 25 backgrounds: a face whose sum is below the line half
# way, a sign, a face, ..., one that is almost on the line, one that every W gets wrong.
ORDER = (7, 36, 5, 43, 8, 25, 10, 39, 22, 26, 1, 49)

_component = component(KEY, "home/stencil", ["knobs/knobs", "toy", "home/stencil"])


def draw_stencil() -> None:
    """Draw the picture; W of each rank is a frame of a run."""
    run = session.subscribe(SLOT, FACES)
    pictures = new_pictures()
    count = len(pictures["isFace"])
    rank, rank_knob = url.knob("rank", "", RANKS, RANK, key="rank")
    picture, picture_knob = url.knob("picture", "", range(count), ORDER[0], key="picture")
    _component(
        key=KEY,
        data=pictures
        | {
            "greys": b64encode(pictures["greys"]).decode(),
            "url": stream.url(run),
            "rank": rank,
            "picture": picture,
            "knobs": [rank_knob.to_json(), picture_knob.to_json()],
            "order": ORDER,
            "painter": "structure?structure_painting=",  # a photo is painted there
        },
        **callbacks(SLOT, KEY, run),
    )


@cache
def new_pictures() -> dict[str, Any]:
    """Return the pictures that the classifiers have not seen, as grey values from 0 to 255."""
    X, y, new = split(FACES.data.prepare())
    faces_first = np.argsort(-y[new], kind="stable")
    greys = np.round(255 * X[new][faces_first]).astype(np.uint8)
    return {
        "greys": greys.tobytes(),
        "shape": greys.shape,
        "isFace": (y[new][faces_first] > 0).tolist(),
    }
