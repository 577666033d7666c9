"""ZIP archives: images in folders, and data files, which are read as if they were unpacked.

All images become one variable `images`, n x p x q, in the order of their names (`name`); masks of
others, and those that are damaged or differ in size from most others, are left out. The folders in
which they lie are the variable `folder`, which may be the labels; deeper folders are `subfolder`.
If the outermost folders are called train, test or the like, each is a struct of its own. A data
file is a struct with the name of the file; so is an .npz an archive of .npy files, each a variable.
Nothing is written to a disk, so the names of members may be anything.
"""

from __future__ import annotations

import io
import re
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import lru_cache
from itertools import compress
from operator import not_
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageOps
from PIL.ExifTags import Base

from . import npy, text
from .detection import ZIPS, detect_single_file
from .errors import CUT_OFF, FileError, format_shape, quote, replace_errors
from .variables import (
    IMAGE_ENDINGS,
    IMAGES,
    LARGEST_ARRAY,
    MASKS,
    NAMES,
    ONE,
    Header,
    are_parts,
    count_common,
    header_of,
    list_stems,
    qualify,
    split_words,
)

ARRAY_ENDINGS = (".npy",)
DATA_ENDINGS = (
    *(".mat", ".h5", ".hdf5", ".hdf", ".npz", *ARRAY_ENDINGS),
    *(".csv", ".tsv", ".txt", ".dat", ".asc"),
)
ENTRY = b"PK\1\2"  # begins the entry of a member in the table of contents
MOST_MEMBERS = 20_000
LONGEST_NAME = 200  # letters of the name of an image that are kept
LARGEST_UNPACKED = 500_000_000  # bytes of all members but arrays together
EXCEL = "xl/workbook.xml"  # a member of every workbook
ENCRYPTED = 1  # a flag of a member
FORMATS = ("PNG", "JPEG", "PPM", "BMP", "GIF", "TIFF")
MOST_GREYS, MOST_TRIED = 32, 10  # different values of a mask, and masks that are looked at
MOST_PIXELS = 1 << 24  # of one image; in colours they take 64 MB
GREY = {"1", "L", "LA"}  # modes of Pillow with up to 8 bits
DEEP = {"I", "I;16", "I;16B", "I;16L"}  # and with 16

Image.MAX_IMAGE_PIXELS = None  # checked here, before any pixel is decoded

Path = tuple[str, ...]  # folders and name, without the folders that all members share


class Picture(NamedTuple):
    """A decoded image."""

    path: Path
    pixels: Any  # (p, q), uint8 or uint16
    is_coloured: bool  # in its file
    is_turned: bool  # because its orientation in EXIF says so

    @property
    def kind(self) -> tuple[tuple[int, ...], Any]:
        """Rows and columns, and the type of the pixels, which all images of a stack share."""
        return self.pixels.shape, self.pixels.dtype

    @property
    def size(self) -> str:
        return f"{format_shape(self.pixels.shape)} pixels of {8 * self.pixels.itemsize} bits"


class Archive(NamedTuple):
    """The images and data files of an archive, and what a reader should know about them."""

    file: zipfile.ZipFile
    stacks: dict[Path, Any]  # the images and their names and folders, by path
    members: dict[Path, tuple[Path, zipfile.ZipInfo]]  # data files, by the name of their struct
    headers: dict[Path, tuple[Path, Header]]  # by path: the struct, and the header in the file
    kinds: list[ModuleType]  # that read the data files
    notes: list[str]
    left_out: list[str]  # a sentence about each image that is not read


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each stack of images, of its folders, and of each variable in a file."""
    archive = open_archive(data)
    yield from (header_of(path, values) for path, values in archive.stacks.items())
    for path, (_, header) in archive.headers.items():
        yield header._replace(path=path)


def remarks(data: bytes) -> tuple[list[str], list[str]]:
    """Return sentences about members, colours and folders, and about each image not read."""
    archive = open_archive(data)
    return archive.notes, archive.left_out


def list_kinds(data: bytes) -> list[ModuleType]:
    """Return the modules that read the data files; none if there are images."""
    archive = open_archive(data)
    return [] if archive.stacks else archive.kinds


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers."""
    archive = open_archive(data)
    values = dict(archive.stacks)
    by_file: dict[Path, list[Path]] = {}
    for path in (header.path for header in found if header.path not in values):
        by_file.setdefault(archive.headers[path][0], []).append(path)
    for stem, paths in by_file.items():
        content = unpack(archive.file, *archive.members[stem])
        arrays = _detect(content).load(content, [archive.headers[path][1] for path in paths])
        values |= dict(zip(paths, arrays, strict=True))
    return [values[header.path] for header in found]


@lru_cache(maxsize=1)  # the functions above share it, in a process that then ends
def open_archive(data: bytes) -> Archive:
    """List the members of an archive, decode the images, and read the headers of data files."""
    if data.count(ENTRY) > MOST_MEMBERS:
        raise FileError(f"The archive holds more than the {MOST_MEMBERS:,} files allowed.")
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise FileError(CUT_OFF) from None
    if EXCEL in file.NameToInfo:
        raise FileError("This is an Excel workbook: save its sheet as a .csv file.")
    sentences: list[str] = []
    members = _list_members(file, sentences)
    # Of arrays only those that are used are unpacked whole.
    size = sum(each.file_size for path, each in members.items() if not _ends(path, ARRAY_ENDINGS))
    if size > LARGEST_UNPACKED:
        raise FileError(
            f"The archive holds {size / 1e6:,.0f} MB when unpacked; it may hold "
            f"{LARGEST_UNPACKED / 1e6:,.0f} MB."
        )
    images = {path: info for path, info in members.items() if _ends(path, IMAGE_ENDINGS)}
    paths = [path for path in members if path not in images]
    by_stem = {
        stem: (path, members[path]) for stem, path in zip(list_stems(paths), paths, strict=True)
    }
    found, kinds = _read_file_headers(file, by_stem, sentences)
    stacks: dict[Path, Any] = {}
    unread: list[str] = []  # images
    try:
        decoded = _leave_out_masks(_decode_images(file, images, unread), sentences)
        pictures = _keep_most_common(decoded, unread)
        stacks = _find_stacks(pictures, sentences, unread)
    except FileError as error:
        if not found:
            raise
        sentences.append(str(error))
    if not stacks and not found:
        reasons = [*unread, *sentences]
        reasons = reasons or ["The archive holds no data file and no image that can be read."]
        raise FileError(" ".join(reasons[:2]))
    if len(by_stem) == 1 and not stacks:  # a single file is read as if it were alone
        found = {
            path if header.path == (ONE,) else header.path: (stem, header)
            for path, (stem, header) in found.items()
        }
    return Archive(file, stacks, by_stem, found, kinds, sentences, unread)


def unpack(
    archive: zipfile.ZipFile, path: Path, info: zipfile.ZipInfo, beginning: int | None = None
) -> bytes:
    """Return the content of a member, which is no larger than a variable may be, or its beginning.

    `beginning` is the number of bytes.
    """
    name, size = _quote(path), ""
    if info.flag_bits & ENCRYPTED:
        raise FileError(f"{name} is encrypted.")
    if info.file_size > LARGEST_ARRAY and beginning is None:
        size = f"{info.file_size / 1e6:,.0f} MB"
    else:
        whole = copy(info)
        # It may hold more than the archive says, and is checked only where it ends.
        whole.file_size = LARGEST_ARRAY + 2
        damaged = replace_errors(f"{name} is damaged and cannot be unpacked.")
        with damaged, archive.open(whole) as file:
            content = file.read(beginning or LARGEST_ARRAY + 1)
        if len(content) <= LARGEST_ARRAY:
            return content
        size = "more than the archive says"
    raise FileError(
        f"{name} holds {size} when unpacked; a file in an archive may hold "
        f"{LARGEST_ARRAY // 10**6} MB."
    )


def _list_members(archive: zipfile.ZipFile, sentences: list[str]) -> dict[Path, zipfile.ZipInfo]:
    """List the images and the data files by their paths, in the order of their names."""
    members: dict[Path, zipfile.ZipInfo] = {}
    unread: dict[str, list[Path]] = {}  # by the reason
    for info in archive.infolist():
        path = tuple(
            part for part in re.split(r"[/\\]", info.filename) if part not in ("", ".", "..")
        )
        hidden = any(part.startswith((".", "__MACOSX")) for part in path)
        if info.is_dir() or hidden or not path:
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            unread.setdefault("a link, which is not followed", []).append(path)
        elif _ends(path, (*IMAGE_ENDINGS, *DATA_ENDINGS)):
            members.setdefault(path, info)
        elif _ends(path, (".zip",)):
            reason = "an archive in an archive, which is not read: upload it by itself"
            unread.setdefault(reason, []).append(path)
        else:
            reason = "neither a data file nor an image that can be read"
            unread.setdefault(reason, []).append(path)
    for reason, paths in unread.items():
        sentences.append(f"{_quote(paths[0])} is {reason}{_count_more(paths)}.")
    shared = count_common([path[:-1] for path in members])
    is_npz = all(_ends(path, ARRAY_ENDINGS) for path in members)  # whose order is the author's
    paths = list(members) if is_npz else sorted(members, key=_sort_key)
    return {path[shared:]: members[path] for path in paths}


def _count_more(paths: list[Path]) -> str:
    return f", and so for {len(paths) - 1:,} more" if len(paths) > 1 else ""


def _ends(path: Path, endings: tuple[str, ...]) -> bool:
    return path[-1].lower().endswith(endings)


def _quote(path: Path) -> str:
    return quote("/".join(path), 60)


def _sort_key(path: Path) -> list[list[tuple[int, str]]]:
    """Return a key that sorts 2.png before 10.png."""
    names = [re.split(r"(\d{1,18})", name) for name in path]
    return [[(int(part), "") if part.isdecimal() else (-1, part) for part in n] for n in names]


def _read_file_headers(
    archive: zipfile.ZipFile,
    members: dict[Path, tuple[Path, zipfile.ZipInfo]],
    sentences: list[str],
) -> tuple[dict[Path, tuple[Path, Header]], list[ModuleType]]:
    """Return the headers of the variables in each data file, by their paths, and who reads them."""
    found: dict[Path, tuple[Path, Header]] = {}
    kinds: list[ModuleType] = []
    problems: dict[str, list[Path]] = {}
    for stem, (path, info) in members.items():
        try:
            is_array = _ends(path, ARRAY_ENDINGS)
            content = unpack(archive, path, info, npy.LONGEST_BEGINNING if is_array else None)
        except FileError as error:
            sentences.append(str(error))
            continue
        try:
            with replace_errors("It is damaged and cannot be read."):
                kind = npy if is_array else _detect(content)
                kinds += [kind] * (kind not in kinds)
                for header in kind.headers(content):
                    found.setdefault(qualify(stem, header.path), (stem, header))
                for note in kind.remarks(content)[0] if kind is text else []:
                    problems.setdefault(note, []).append(path)
        except FileError as error:
            problems.setdefault(str(error), []).append(path)
    for problem, paths in problems.items():
        sentences.append(f"In {_quote(paths[0])}{_count_more(paths)}: {problem}")
    return found, kinds


def _detect(content: bytes) -> Any:
    """Return the module that reads a data file: this one if it is an .npz, an archive of arrays."""
    if not content.startswith(ZIPS):
        return detect_single_file(content)
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    if not names or not all(name.endswith(ARRAY_ENDINGS) for name in names):
        raise FileError("This is an archive in an archive, which is not read.")
    return sys.modules[__name__]


def _decode_images(
    archive: zipfile.ZipFile, images: dict[Path, zipfile.ZipInfo], unread: list[str]
) -> list[Picture]:
    """Decode the images that can be, and say why the others cannot."""
    pictures, size = [], 0
    for path, info in images.items():
        try:
            picture = read_image(unpack(archive, path, info), path)
        except FileError as error:
            unread.append(str(error))
            continue
        size += picture.pixels.nbytes
        if size > LARGEST_ARRAY:
            raise FileError(
                f"The pixels of the {len(images):,} images are more than the "
                f"{LARGEST_ARRAY // 10**6} MB that can be read: make the images smaller."
            )
        pictures.append(picture)
    return pictures


def read_image(content: bytes, path: Path) -> Picture:
    """Decode an image to its grey values; of colours 0.299 R + 0.587 G + 0.114 B.

    The format is recognised by its first bytes. Opacity is ignored.
    """
    kinds = "PNG, JPEG, PGM, BMP, GIF or TIFF"
    with replace_errors(f"{_quote(path)} is no {kinds} image, or is damaged."):
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise FileError(
            f"{_quote(path)} is {format_shape((image.height, image.width))} pixels; an image "
            f"may have {MOST_PIXELS:,}."
        )
    with replace_errors(f"{_quote(path)} is damaged or cut off."):
        image.load()
        is_turned = _turn_upright(image)
        if image.mode in DEEP:
            return Picture(path, np.asarray(image).astype("uint16"), False, is_turned)
        return Picture(path, np.asarray(image.convert("L")), image.mode not in GREY, is_turned)


def _turn_upright(image: Image.Image) -> bool:
    """Turn a photograph as the camera was held, and return whether it had to be turned."""
    with suppress(FileError), replace_errors("Its EXIF is damaged; the pixels are there."):
        if image.getexif().get(Base.Orientation, 1) in range(2, 9):
            ImageOps.exif_transpose(image, in_place=True)
            return True
    return False


def _leave_out_masks(pictures: list[Picture], sentences: list[str]) -> list[Picture]:
    """Leave out masks: of few grey values, called so, and else as another image is called."""

    def stem(picture: Picture) -> tuple[str, ...]:
        words = re.findall(r"[a-z]+|\d+", picture.path[-1].rpartition(".")[0].lower())
        return tuple(word for word in words if word not in MASKS)

    is_called = [not split_words("/".join(each.path)).isdisjoint(MASKS) for each in pictures]
    stems = {stem(each) for each, called in zip(pictures, is_called, strict=True) if not called}
    are_masks = [
        called and stem(each) in stems for each, called in zip(pictures, is_called, strict=True)
    ]
    masks = [*compress(pictures, are_masks)]
    if not masks or any(len(np.unique(each.pixels)) > MOST_GREYS for each in masks[:MOST_TRIED]):
        return pictures
    sentences.append(f"{len(masks):,} masks are not read, such as {_quote(masks[0].path)}.")
    return [*compress(pictures, map(not_, are_masks))]


def _keep_most_common(pictures: list[Picture], unread: list[str]) -> list[Picture]:
    """Return the images with the size and the bits that more than half of them have."""
    if not pictures:
        return []
    (kind, count), *_ = Counter(picture.kind for picture in pictures).most_common(1)
    first = next(picture for picture in pictures if picture.kind == kind)
    others = [picture for picture in pictures if picture.kind != kind]
    if 2 * count <= len(pictures):
        raise FileError(
            f"{_quote(others[0].path)} is {others[0].size}, but {_quote(first.path)} is "
            f"{first.size}: all images must have the same number of rows, columns and bits."
        )
    unread += [
        f"{_quote(each.path)} is {each.size}, but most others are {first.size}." for each in others
    ]
    return [picture for picture in pictures if picture.kind == kind]


def _find_stacks(images: list[Picture], sentences: list[str], unread: list[str]) -> dict[Path, Any]:
    """Divide images into training and test part, if outer folders say so; find their folders."""
    if not images:
        return {}
    outer = {image.path[0] if len(image.path) > 1 else "" for image in images}
    in_parts = len(outer) > 1 and are_parts(outer)
    parts: dict[tuple[str, ...], list[Picture]] = {}
    for image in images:
        parts.setdefault(image.path[:1] if in_parts else (), []).append(image)
    stacks: dict[Path, Any] = {}
    kept: list[Picture] = []
    inner = [image.path[in_parts:-1] for image in images]
    shared = in_parts + (count_common(inner) if in_parts else 0)
    deep = len({each[1 + shared - in_parts :] for each in inner}) > 1
    for part, members in parts.items():
        folders = [member.path[shared:-1] for member in members]
        if any(folders) and not all(folders):
            unread += [
                f"{_quote(member.path)} is in no folder, as others are."
                for member, each in zip(members, folders, strict=True)
                if not each
            ]
            members = [m for m, each in zip(members, folders, strict=True) if each]
            folders = [each for each in folders if each]
        kept += members
        stacks[(*part, IMAGES)] = np.stack([member.pixels for member in members])
        texts = {NAMES: [member.path[-1][:LONGEST_NAME] for member in members]}
        if folders[0]:
            texts["folder"] = [each[0] for each in folders]
        if folders[0] and deep:
            texts["subfolder"] = ["/".join(each[1:]) for each in folders]
        stacks |= {(*part, name): np.array(each) for name, each in texts.items()}
    if any(path[-1] == "subfolder" for path in stacks):
        sentences.append(
            "The images are in folders of two levels or more: 'folder' is the outer one, "
            "'subfolder' the rest. Either may be the labels."
        )
    sentences += _describe_changes(kept)
    return stacks


def _describe_changes(images: list[Picture]) -> list[str]:
    """Say how many images become grey, and how many are turned."""
    coloured = sum(image.is_coloured for image in images)
    turned = sum(image.is_turned for image in images)
    changes = [
        (coloured, "in colour: each pixel becomes grey, 0.299 R + 0.587 G + 0.114 B"),
        (turned, "turned upright, as the camera was held when they were taken (EXIF)"),
    ]
    return [f"{count:,} of {len(images):,} images are {what}." for count, what in changes if count]
