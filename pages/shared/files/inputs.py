"""The files of one data set: a single one, or several with their names."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from .formats.errors import MatFileError

Files = bytes | Mapping[str, bytes]  # contents, of several files by their names

IMAGE_ENDINGS = (".png", ".jpg", ".jpeg")
IMAGES = "images"  # the name of the archive of all images that are no part of one


def name_files(files: Files) -> dict[str, bytes]:
    """Return the content of each file by its name, in the order of the names.

    A single file needs no name. Images become an archive, as if they had been in one.
    """
    if isinstance(files, bytes):
        return {"": files}
    if not files:
        raise MatFileError("There is no file.")
    contents = dict(sorted(files.items()))
    images = {name: contents.pop(name) for name in [*contents] if is_image(name)}
    if not images:
        return contents
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in images.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return {IMAGES: packed.getvalue(), **contents}


def is_image(name: str) -> bool:
    """Return whether a file is an image by the ending of its name."""
    return name.lower().endswith(IMAGE_ENDINGS)
