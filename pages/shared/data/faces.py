"""Images of faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pages.shared.data import download
from smmcore.arrays import Array

# The address in scikit-learn's fetch_olivetti_faces, which has no timeout.
OLIVETTI = "https://ndownloader.figshare.com/files/5976027"


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


def fetch_olivetti(
    data_home: str | None = None,
) -> tuple[Array, NDArray[np.intp]]:
    """Load the Olivetti (ORL) faces: ten images of each of 40 people, 64 x 64.

    They are downloaded once, 4 MB, and read by `sklearn.datasets.fetch_olivetti_faces`.

    References
    ----------
    AT&T Laboratories Cambridge, 1992 to 1994; Samaria, Harter: Parameterisation of a stochastic
    model for human face identification, 1994.
    """
    from sklearn.datasets import fetch_olivetti_faces

    try:
        faces = fetch_olivetti_faces(data_home=data_home, download_if_missing=False)
    except OSError:
        # scikit-learn looks for this name and verifies the checksum.
        download.fetch("The Olivetti faces", OLIVETTI, "olivettifaces.mat", 1 << 24, data_home)
        faces = fetch_olivetti_faces(data_home=data_home)
    return faces.images.astype(float), faces.target
