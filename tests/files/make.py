"""Make files in memory, as MATLAB, NumPy, spreadsheets and people write them."""

import io
import struct
import zipfile
import zlib

import numpy as np
from PIL import Image
from scipy.io import savemat


def mat(_compress=True, _format="5", **variables):
    """A file of MATLAB with these variables."""
    file = io.BytesIO()
    savemat(file, variables, do_compression=_compress, format=_format)
    return file.getvalue()


def cells(items, shape=None):
    """A cell array: one row of these items, or another shape that is filled column by column."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array if shape is None else array.reshape(shape, order="F")


def structs(**fields):
    """A struct array with these values of its fields."""
    n = len(next(iter(fields.values())))
    array = np.empty((1, n), [(name, object) for name in fields])
    for name, values in fields.items():
        for i, value in enumerate(values):
            array[0, i][name] = value
    return array


def element(kind, content):
    """An element of a MATLAB file: its type and size, and its bytes."""
    return struct.pack("<2I", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def array(code, shape, name, content):
    """A variable of a MATLAB file, of the class with this code."""
    body = element(6, struct.pack("<2I", code, 0))
    body += element(5, struct.pack(f"<{len(shape)}i", *shape))
    return element(14, body + element(1, name) + content)


def numbers(values, name=b""):
    """A variable of numbers of a MATLAB file; those of doubles, bytes and unsigned integers."""
    values = np.asarray(values)
    code, kind = {"f8": (6, 9), "u1": (9, 2), "u4": (13, 6), "u8": (15, 13)}[values.dtype.str[1:]]
    return array(code, np.atleast_2d(values).shape, name, element(kind, values.tobytes("F")))


def compressed(variable):
    """A variable of a MATLAB file, as version 7 packs it."""
    packed = zlib.compress(variable, 9)
    return struct.pack("<2I", 15, len(packed)) + packed


def npy(array, **how):
    np.save(file := io.BytesIO(), array, **how)
    return file.getvalue()


def declared(descr, shape, content=b"\0" * 64, version=1):
    """A file of NumPy whose header says this, whatever comes after it."""
    head = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode() + b"\n"
    size = struct.pack("<H" if version == 1 else "<I", len(head))
    return b"\x93NUMPY" + bytes([version, 0]) + size + head + content


def npz(**arrays):
    np.savez_compressed(file := io.BytesIO(), **arrays)
    return file.getvalue()


def csv(array):
    """Numbers in a text of lines and commas."""
    np.savetxt(file := io.BytesIO(), array, fmt="%g", delimiter=",")
    return file.getvalue()


def image(pixels, format="PNG", mode="L", **details):
    """A picture of these numbers, from 0 to 255."""
    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels)).convert(mode).save(file, format, **details)
    return file.getvalue()


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    """An archive of these files, by name."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()
