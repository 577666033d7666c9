"""PNG and JPEG images, which Pillow decodes to grey values."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from .errors import MatFileError, format_shape, quote

ENDINGS = (".png", ".jpg", ".jpeg")
FORMATS = ("PNG", "JPEG")
MOST_PIXELS = 1 << 24  # of one image; in colours they take 64 MB
GREY = {"1", "L", "LA"}  # modes of Pillow with up to 8 bits
DEEP = {"I", "I;16", "I;16B", "I;16L"}  # and with 16

Image.MAX_IMAGE_PIXELS = None  # checked here, before any pixel is decoded


class ImageHeader(NamedTuple):
    """What an image declares, known before it is decoded."""

    shape: tuple[int, int]  # rows and columns
    dtype: str
    coloured: bool


def open_image(content: bytes, name: str) -> Image.Image:
    """Open an image without decoding it; its format is recognised by its first bytes."""
    try:
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    except MemoryError:
        raise
    except Exception:
        raise MatFileError(f"{quote(name, 60)} is no PNG or JPEG image, or is damaged.") from None
    if image.width * image.height > MOST_PIXELS:
        raise MatFileError(
            f"{quote(name, 60)} is {format_shape((image.height, image.width))} pixels; an image "
            f"may have {MOST_PIXELS:,}."
        )
    return image


def read_header(content: bytes, name: str) -> ImageHeader:
    """Read the size and the kind of an image."""
    image = open_image(content, name)
    deep = image.mode in DEEP
    coloured = image.mode not in GREY | DEEP
    return ImageHeader((image.height, image.width), "uint16" if deep else "uint8", coloured)


def read_pixels(content: bytes, name: str) -> Any:
    """Decode an image to its grey values, rows x columns; of colours 0.299 R + 0.587 G + 0.114 B.

    Opacity is ignored.
    """
    image = open_image(content, name)
    try:
        if image.mode in DEEP:
            return np.asarray(image).astype("uint16")
        return np.asarray(image.convert("L"))
    except MemoryError:
        raise
    except Exception:
        raise MatFileError(f"{quote(name, 60)} is damaged or cut off.") from None
