"""ZIP archives: images in folders, and data files, which are read as if they were unpacked.

All images become one variable `images`, n x p x q, in the order of their names; those that are
damaged, or that differ in size from most others, are left out. The folders in which they lie are
the variable `folder`, which may be the labels; deeper folders are `subfolder`. If the outermost
folders are called train, test or the like, each is a struct of its own. A data file is a struct
with the name of the file. Nothing is written to a disk, so the names of members may be anything.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .detection import detect_single_file, is_archive
from .errors import CUT_OFF, MatFileError, format_shape, quote
from .images import ENDINGS, GreyImage, read_image
from .naming import list_stems, qualify
from .per_subject import PARTS
from .variables import LARGEST_ARRAY, Header

DATA_ENDINGS = (".mat", ".h5", ".hdf5", ".npz", ".npy", ".csv", ".txt")
ENTRY = b"PK\1\2"  # begins the entry of a member in the table of contents
MOST_MEMBERS = 20_000
LARGEST_UNPACKED = 500_000_000  # bytes of all members together
EXCEL = "xl/workbook.xml"  # a member of every workbook
ENCRYPTED = 1  # a flag of a member


class Member(NamedTuple):
    """An image or a data file in an archive."""

    path: tuple[str, ...]  # folders and name, without the folders that all members share
    info: zipfile.ZipInfo

    @property
    def name(self) -> str:
        return "/".join(self.path)


class ArchivedImage(NamedTuple):
    """A decoded image in an archive."""

    path: tuple[str, ...]
    grey: GreyImage

    @property
    def name(self) -> str:
        return "/".join(self.path)

    @property
    def kind(self) -> tuple[tuple[int, int], Any]:
        """Rows and columns, and the type of the pixels, which all images of a stack share."""
        return self.grey.pixels.shape, self.grey.pixels.dtype


class Stack(NamedTuple):
    """Images that become one variable."""

    part: tuple[str, ...]  # the folder of the training or test part, if there is one
    images: list[ArchivedImage]
    folders: dict[str, list[str]]  # by the name of the variable: the folder of each image


class ArchiveContents(NamedTuple):
    """The images and data files of an archive, and what a reader should know about them."""

    archive: zipfile.ZipFile
    stacks: list[Stack]
    files: dict[tuple[str, ...], Member]  # by the name of their struct
    headers: dict[tuple[str, ...], list[Header]]  # of the variables in each file
    notes: list[str]
    left_out: list[str]  # a sentence about each image that is not read


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each stack of images, of its folders, and of each variable in a file."""
    contents = open_archive(data)
    for stack in contents.stacks:
        n, (shape, dtype) = len(stack.images), stack.images[0].kind
        yield Header((*stack.part, "images"), str(dtype), (n, *shape))
        for name, folders in stack.folders.items():
            yield Header((*stack.part, name), "char", (n, max(map(len, folders))))
    for stem, found in contents.headers.items():
        for header in found:
            yield header._replace(path=_join(contents, stem, header.path))


def notes(data: bytes) -> list[str]:
    """Return sentences about members that are not read, and about colours and deeper folders."""
    return open_archive(data).notes


def left_out(data: bytes) -> list[str]:
    """Return a sentence about each image that is not read, though others are."""
    return open_archive(data).left_out


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers."""
    contents = open_archive(data)
    wanted = {header.path for header in found}
    values: dict[tuple[str, ...], Any] = {}
    for stack in contents.stacks:
        if (path := (*stack.part, "images")) in wanted:
            values[path] = np.stack([image.grey.pixels for image in stack.images])
        values |= {(*stack.part, name): np.array(each) for name, each in stack.folders.items()}
    for stem, inside in contents.headers.items():
        own = {_join(contents, stem, each.path): each for each in reversed(inside)}
        some = {path: header for path, header in own.items() if path in wanted - values.keys()}
        if some:
            content = unpack(contents.archive, contents.files[stem])
            arrays = _detect(content).load(content, list(some.values()))
            values |= dict(zip(some, arrays, strict=True))
    return [values[header.path] for header in found]


@lru_cache(maxsize=1)  # the functions above share it, in a process that then ends
def open_archive(data: bytes) -> ArchiveContents:
    """List the members of an archive, decode the images, and read the headers of data files."""
    if data.count(ENTRY) > MOST_MEMBERS:
        raise MatFileError(f"The archive holds more than the {MOST_MEMBERS:,} files allowed.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise MatFileError(CUT_OFF) from None
    if EXCEL in archive.NameToInfo:
        raise MatFileError("This is an Excel workbook: save its sheet as a .csv file.")
    sentences: list[str] = []
    images, files = _list_members(archive, sentences)
    size = sum(member.info.file_size for member in [*images, *files])
    if size > LARGEST_UNPACKED:
        raise MatFileError(
            f"The archive holds {size / 1e6:,.0f} MB when unpacked; it may hold "
            f"{LARGEST_UNPACKED / 1e6:,.0f} MB."
        )
    by_stem = dict(zip(list_stems([member.path for member in files]), files, strict=True))
    found = dict(_read_file_headers(archive, by_stem, sentences))
    stacks: list[Stack] = []
    unread: list[str] = []  # images
    try:
        pictures = _keep_most_common(_decode_images(archive, images, unread), unread)
        stacks = _find_stacks(pictures, sentences, unread)
    except MatFileError as error:
        if not found:
            raise
        sentences.append(str(error))
    sentences += _describe_changes([image for stack in stacks for image in stack.images])
    if not stacks and not found:
        reasons = [*unread, *sentences]
        reasons = reasons or ["The archive holds no data file and no PNG or JPEG image."]
        raise MatFileError(" ".join(reasons[:2]))
    return ArchiveContents(archive, stacks, by_stem, found, sentences, unread)


def unpack(archive: zipfile.ZipFile, member: Member) -> bytes:
    """Return the content of a member, which is no larger than a variable may be."""
    name, info = quote(member.name, 60), member.info
    if info.flag_bits & ENCRYPTED:
        raise MatFileError(f"{name} is encrypted.")
    if info.file_size > LARGEST_ARRAY:
        raise _too_large_error(name, f"{info.file_size / 1e6:,.0f} MB")
    whole = copy(info)
    # It may hold more than the archive says, and is checked only where it ends.
    whole.file_size = LARGEST_ARRAY + 2
    try:
        with archive.open(whole) as file:
            content = file.read(LARGEST_ARRAY + 1)
    except MemoryError:
        raise
    except Exception:  # zipfile raises many kinds on damaged files
        raise MatFileError(f"{name} is damaged and cannot be unpacked.") from None
    if len(content) > LARGEST_ARRAY:
        raise _too_large_error(name, "more than the archive says")
    return content


def _too_large_error(name: str, size: str) -> MatFileError:
    return MatFileError(
        f"{name} holds {size} when unpacked; a file in an archive may hold "
        f"{LARGEST_ARRAY // 10**6} MB."
    )


def _list_members(
    archive: zipfile.ZipFile, sentences: list[str]
) -> tuple[list[Member], list[Member]]:
    """List the images and the data files, in the order of their names."""
    images, files = [], []
    unread: dict[str, list[str]] = {}  # by the reason
    for info in archive.infolist():
        path = tuple(
            part for part in re.split(r"[/\\]", info.filename) if part not in ("", ".", "..")
        )
        hidden = any(part.startswith((".", "__MACOSX")) for part in path)
        if info.is_dir() or hidden or not path:
            continue
        ending = path[-1].lower()
        if stat.S_ISLNK(info.external_attr >> 16):
            unread.setdefault("a link, which is not followed", []).append("/".join(path))
        elif ending.endswith(ENDINGS):
            images.append(Member(path, info))
        elif ending.endswith(DATA_ENDINGS):
            files.append(Member(path, info))
        elif ending.endswith(".zip"):
            reason = "an archive in an archive, which is not read: upload it by itself"
            unread.setdefault(reason, []).append("/".join(path))
        else:
            reason = "neither a data file nor a PNG or JPEG image, and is not read"
            unread.setdefault(reason, []).append("/".join(path))
    for reason, names in unread.items():
        more = f", and so for {len(names) - 1:,} more" if len(names) > 1 else ""
        sentences.append(f"{quote(names[0], 60)} is {reason}{more}.")
    shared = _count_shared([member.path[:-1] for member in [*images, *files]])
    return tuple(  # type: ignore[return-value]
        sorted(
            (member._replace(path=member.path[shared:]) for member in members),
            key=lambda member: sort_key(member.path),
        )
        for members in (images, files)
    )


def sort_key(path: tuple[str, ...]) -> list[list[tuple[int, str]]]:
    """Return a key that sorts 2.png before 10.png."""
    return [
        [
            (int(part), "") if part.isdecimal() else (-1, part)
            for part in re.split(r"(\d{1,18})", name)
        ]
        for name in path
    ]


def _count_shared(folders: list[tuple[str, ...]]) -> int:
    """Count the outermost folders that all members share."""
    count = 0
    while folders and all(len(each) > count for each in folders):
        if len({each[count] for each in folders}) > 1:
            break
        count += 1
    return count


def _read_file_headers(
    archive: zipfile.ZipFile, files: dict[tuple[str, ...], Member], sentences: list[str]
) -> Iterator[tuple[tuple[str, ...], list[Header]]]:
    """Yield the headers of the variables in each data file that can be read."""
    for stem, member in files.items():
        try:
            content = unpack(archive, member)
        except MatFileError as error:
            sentences.append(str(error))
            continue
        try:
            yield stem, list(_detect(content).headers(content))
        except MatFileError as error:
            sentences.append(f"In {quote(member.name, 60)}: {error}")
        except MemoryError:
            raise
        except Exception:
            sentences.append(f"{quote(member.name, 60)} is damaged and cannot be read.")


def _detect(content: bytes) -> Any:
    if is_archive(content):
        raise MatFileError("This is an archive in an archive, which is not read.")
    return detect_single_file(content)


def _join(
    contents: ArchiveContents, stem: tuple[str, ...], path: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the path of a variable in a file; a single file is read as if it were alone."""
    if len(contents.files) == 1 and not contents.stacks:
        return path
    return qualify(stem, path)


def _decode_images(
    archive: zipfile.ZipFile, images: list[Member], unread: list[str]
) -> list[ArchivedImage]:
    """Decode the images that can be, and say why the others cannot."""
    pictures, size = [], 0
    for member in images:
        try:
            grey = read_image(unpack(archive, member), member.name)
        except MatFileError as error:
            unread.append(str(error))
            continue
        size += grey.pixels.nbytes
        if size > LARGEST_ARRAY:
            raise MatFileError(
                f"The pixels of the {len(images):,} images are more than the "
                f"{LARGEST_ARRAY // 10**6} MB that can be read: make the images smaller."
            )
        pictures.append(ArchivedImage(member.path, grey))
    return pictures


def _keep_most_common(pictures: list[ArchivedImage], unread: list[str]) -> list[ArchivedImage]:
    """Return the images with the size and the bits that more than half of them have."""
    if not pictures:
        return []
    (kind, count), *_ = Counter(picture.kind for picture in pictures).most_common(1)
    first = next(picture for picture in pictures if picture.kind == kind)
    others = [picture for picture in pictures if picture.kind != kind]
    if 2 * count <= len(pictures):
        own, common = _difference(others[0], first)
        raise MatFileError(
            f"{quote(others[0].name, 60)} is {own}, but {quote(first.name, 60)} is {common}: all "
            "images must have the same number of rows, columns and bits."
        )
    for other in others:
        own, common = _difference(other, first)
        unread.append(f"{quote(other.name, 60)} is {own}, but most others are {common}.")
    return [picture for picture in pictures if picture.kind == kind]


def _difference(one: ArchivedImage, other: ArchivedImage) -> tuple[str, str]:
    """Say in what two images differ: in their pixels or in their bits."""
    if one.kind[0] != other.kind[0]:
        return format_shape(one.kind[0]) + " pixels", format_shape(other.kind[0])
    return f"of {8 * one.kind[1].itemsize} bits", f"of {8 * other.kind[1].itemsize}"


def _find_stacks(
    images: list[ArchivedImage], sentences: list[str], unread: list[str]
) -> list[Stack]:
    """Divide images into training and test part, if outer folders say so; find their folders."""
    if not images:
        return []
    outer = {image.path[0] if len(image.path) > 1 else "" for image in images}
    in_parts = len(outer) > 1 and all(
        PARTS.intersection(re.findall("[a-z]+", each.lower())) for each in outer
    )
    parts: dict[tuple[str, ...], list[ArchivedImage]] = {}
    for image in images:
        parts.setdefault(image.path[:1] if in_parts else (), []).append(image)
    stacks = []
    inner = [image.path[in_parts:-1] for image in images]
    shared = in_parts + (_count_shared(inner) if in_parts else 0)
    deep = len({each[1 + shared - in_parts :] for each in inner}) > 1
    for part, members in parts.items():
        folders = [member.path[shared:-1] for member in members]
        if any(folders) and not all(folders):
            unread += [
                f"{quote(member.name, 60)} is in no folder, as others are."
                for member, each in zip(members, folders, strict=True)
                if not each
            ]
            members = [m for m, each in zip(members, folders, strict=True) if each]
            folders = [each for each in folders if each]
        levels = {"folder": [each[0] for each in folders]} if folders[0] else {}
        if levels and deep:
            levels["subfolder"] = ["/".join(each[1:]) for each in folders]
        stacks.append(Stack(part, members, levels))
    if deep and any(stack.folders for stack in stacks):
        sentences.append(
            "The images are in folders of two levels or more: 'folder' is the outer one, "
            "'subfolder' the rest. Either may be the labels."
        )
    return stacks


def _describe_changes(images: list[ArchivedImage]) -> list[str]:
    """Say how many images become grey, and how many are turned."""
    coloured = sum(image.grey.is_coloured for image in images)
    turned = sum(image.grey.is_turned for image in images)
    sentences = []
    if coloured:
        sentences.append(
            f"{coloured:,} of {len(images):,} images are in colour: each pixel becomes grey, 0.299 "
            "R + 0.587 G + 0.114 B."
        )
    if turned:
        sentences.append(
            f"{turned:,} of {len(images):,} images are turned upright, as the camera was held when "
            "they were taken (EXIF)."
        )
    return sentences
