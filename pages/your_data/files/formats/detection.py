"""Recognise the format of a file by its content."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from types import ModuleType

from .errors import AGAIN, CUT_OFF, OCTAVE, FileError

HDF5 = b"\x89HDF\r\n\x1a\n"
USER_BLOCKS = (0, 512, 1024, 2048)  # bytes before the signature; MATLAB writes 512
ZIPS = (b"PK\3\4", b"PK\5\6")  # the second is empty
NPY = b"\x93NUMPY"
GZIP = b"\x1f\x8b"
OCTAVES = b"# Created by Octave", b"# name: ", b"Octave-1-"  # its text and its binary format
PICKLE = (
    "This is a Python pickle, which is not read, as that could run any program: save the arrays "
    "with numpy.savez."
)
# Protocols 2 to 5, and the text of protocol 0 if it calls a function.
PICKLES = re.compile(rb"\x80[\2-\5]|\(*c[\w.]+\n[\w.]+\n(p\d|q[^a-z]|\()")

ARRAYS = "which is not read: save its numbers as arrays, with numpy.savez or as .mat."
# The first bytes, in lower case, of files that are often mistaken for data files.
FOREIGN = {
    b"<!doctype": f"This is a web page, not a data file: {AGAIN}",
    b"<html": f"This is a web page, not a data file: {AGAIN}",
    b"version https://git-lfs": f"This is a pointer of Git LFS, not the file itself: {AGAIN}",
    b"%pdf": "This is a PDF document, not a data file.",
    GZIP: "This is a gzip archive: please unpack it first.",
    b"\xd0\xcf\x11\xe0": "This is an Excel workbook: save its sheet as a .csv file.",
}
# The same of formats of recordings, volumes and tables, by their names.
NOT_READ = {
    **{b"\0\0\0\x64\0\0\0\x1f": "a recording of MNE (.fif)", b"gdf ": "a recording (.gdf)"},
    **{b"brain vision": "a recording of BrainVision", b"\x5c\1\0\0": "a volume (.nii)"},
    **{b"riff": "a sound (.wav)", b"par1": "a Parquet table", b"@relation": "an .arff table"},
    b"{": "JSON",
}
EDF = re.compile(rb"(0 {7}|\xffBIOSEMI).{160}(\d\d\.){2}\d{4}\.", re.DOTALL)


def is_octave(data: bytes) -> bool:
    """Return whether a file is in Octave's text or binary format, gzipped or not."""
    if data.startswith(GZIP):
        with suppress(zlib.error):
            data = zlib.decompressobj(wbits=31).decompress(data[:512], 64)
    return data.startswith(OCTAVES)


def detect_single_file(data: bytes) -> ModuleType:
    """Return the module that reads this file, which is not an archive.

    Modules are imported here, in the child: the server parses nothing.
    """
    if not data:
        raise FileError("The file is empty.")
    if is_octave(data):
        raise FileError(OCTAVE)
    head = data[:512].lstrip()
    for beginning, sentence in FOREIGN.items():
        if head.lower().startswith(beginning):
            raise FileError(sentence)
    found = [kind for beginning, kind in NOT_READ.items() if head.lower().startswith(beginning)]
    if found or EDF.match(data):
        raise FileError(f"This is {(*found, 'a recording (.edf, .bdf)')[0]}, {ARRAYS}")
    if PICKLES.match(data):
        raise FileError(PICKLE)
    if any(data[at : at + len(HDF5)] == HDF5 for at in USER_BLOCKS):
        from . import hdf5

        return hdf5
    if data.startswith(NPY):
        from . import npy

        return npy
    if head.startswith(b"MATLAB"):
        if len(data) < 128 or (head.startswith(b"MATLAB 7.3") and len(data) <= 512):
            raise FileError(CUT_OFF)
        if head.startswith(b"MATLAB 7.3"):
            raise FileError("The file is damaged: it says MATLAB 7.3, but no HDF5 follows.")
    else:
        from . import text

        if text.is_text(data):
            return text
    from . import matlab

    return matlab
