"""Images of faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array


def load_faces() -> tuple[Array, NDArray[np.str_]]:
    """Load faces and pieces of background, 25 x 25, which scikit-image contains.

    References
    ----------
    `skimage.data.lfw_subset`, drawn from Labeled Faces in the Wild: Huang, Mattar, Lee,
    Learned-Miller: Learning to align from scratch, NIPS 2012.
    """
    from skimage.data import lfw_subset

    faces = lfw_subset()
    return faces, np.repeat(["face", "background"], 100)
