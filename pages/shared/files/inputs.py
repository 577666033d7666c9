"""The files of one data set: a single one, or several with their names."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from .formats.errors import MatFileError, quote

Named = str | os.PathLike[str]
File = Named | bytes | BinaryIO
Files = File | Sequence[Named] | Mapping[str, File]

IMAGE_ENDINGS = (".png", ".jpg", ".jpeg")
IMAGES = "images"  # the name of the archive of all images that are no part of one


def read_files(files: Files) -> dict[str, bytes]:
    """Return the content of each file by its name, in the order of the names.

    A single file needs no name. Images become an archive, as if they had been in one.
    """
    if isinstance(files, Mapping):
        contents = {name: _read_file(file) for name, file in sorted(files.items())}
    elif isinstance(files, Sequence) and not isinstance(files, (str, bytes)):
        paths = {Path(path).name: path for path in files}
        if len(paths) < len(files):
            names = [Path(path).name for path in files]
            twice = next(name for name in names if names.count(name) > 1)
            raise MatFileError(f"Two files are called {quote(twice)}: rename one of them.")
        contents = {name: _read_file(paths[name]) for name in sorted(paths)}
    else:
        return {"": _read_file(files)}
    if not contents:
        raise MatFileError("There is no file.")
    return _pack_images(contents)


def _read_file(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    if file.seekable():
        file.seek(0)
    return file.read()


def _pack_images(contents: dict[str, bytes]) -> dict[str, bytes]:
    """Replace images by an archive that holds them."""
    names = [name for name in contents if is_image(name)]
    if not names:
        return contents
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), contents[name])
    others = {name: content for name, content in contents.items() if not is_image(name)}
    return {IMAGES: file.getvalue(), **others}


def is_image(name: str) -> bool:
    """Return whether a file is an image by the ending of its name."""
    return name.lower().endswith(IMAGE_ENDINGS)
