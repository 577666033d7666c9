"""PNG and JPEG images, which Pillow decodes to grey values."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageOps
from PIL.ExifTags import Base

from .errors import MatFileError, format_shape, quote

ENDINGS = (".png", ".jpg", ".jpeg")
FORMATS = ("PNG", "JPEG")
MOST_PIXELS = 1 << 24  # of one image; in colours they take 64 MB
GREY = {"1", "L", "LA"}  # modes of Pillow with up to 8 bits
DEEP = {"I", "I;16", "I;16B", "I;16L"}  # and with 16

Image.MAX_IMAGE_PIXELS = None  # checked here, before any pixel is decoded


class GreyImage(NamedTuple):
    """A decoded image."""

    pixels: Any  # (p, q), uint8 or uint16
    is_coloured: bool  # in its file
    is_turned: bool  # because its orientation in EXIF says so


def read_image(content: bytes, name: str) -> GreyImage:
    """Decode an image to its grey values; of colours 0.299 R + 0.587 G + 0.114 B.

    The format is recognised by its first bytes. Opacity is ignored.
    """
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
    try:
        image.load()
        is_turned = _turn_upright(image)
        if image.mode in DEEP:
            return GreyImage(np.asarray(image).astype("uint16"), False, is_turned)
        return GreyImage(np.asarray(image.convert("L")), image.mode not in GREY, is_turned)
    except MemoryError:
        raise
    except Exception:
        raise MatFileError(f"{quote(name, 60)} is damaged or cut off.") from None


def _turn_upright(image: Image.Image) -> bool:
    """Turn a photograph as the camera was held, and return whether it had to be turned."""
    try:
        is_turned = image.getexif().get(Base.Orientation, 1) in range(2, 9)
        if is_turned:
            ImageOps.exif_transpose(image, in_place=True)
        return is_turned
    except MemoryError:
        raise
    except Exception:  # damaged EXIF; the pixels are there
        return False
