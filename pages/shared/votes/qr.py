"""QR codes of short texts: bytes, correction level L, versions 1 to 5 (ISO/IEC 18004)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]

SIZES = ((19, 7), (34, 10), (55, 15), (80, 20), (108, 26))  # codewords: data, correction
MAX_BYTES = SIZES[-1][0] - 2
# Level L and the chequered mask: an address has no large areas which another mask would break up.
FORMAT = "111011111000100"


def encode(text: str) -> Bits:
    """Return the modules of a QR code, true where it is dark, without the quiet zone.

    Raises
    ------
    ValueError
        If the text has more than 106 bytes.
    """
    content = text.encode()
    if len(content) > MAX_BYTES:
        raise ValueError(f"the text must have at most {MAX_BYTES} bytes, got {len(content)}")
    version = next(v for v, (room, _) in enumerate(SIZES, 1) if len(content) + 2 <= room)
    room, checks = SIZES[version - 1]
    # The mode, the length, the content and the end are four, eight, ... and four bits.
    bits = f"0100{len(content):08b}" + "".join(f"{byte:08b}" for byte in content) + "0000"
    data = [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[i % 2] for i in range(room - len(data))]
    codewords = np.array([*data, *correction(data, checks)], np.uint8)

    modules, is_free = _patterns(version)
    _fill(modules, is_free, np.unpackbits(codewords).astype(bool))
    r, c = np.indices(modules.shape)
    modules ^= is_free & ((r + c) % 2 == 0)
    _write_format(modules)
    return modules


def correction(data: list[int], count: int) -> list[int]:
    """Return the codewords of a Reed-Solomon code over GF(256) that follow the data."""
    generator = [1]
    for i in range(count):  # times (x - 2 ** i)
        scaled = [_times(value, _power(i)) for value in generator]
        generator = [a ^ b for a, b in zip([*generator, 0], [0, *scaled], strict=True)]
    rest = [*data, *[0] * count]
    for i in range(len(data)):
        factor = rest[i]
        for j, value in enumerate(generator):
            rest[i + j] ^= _times(factor, value)
    return rest[len(data) :]


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1 ^ (0x11D if a & 0x80 else 0), b >> 1
    return product


def _power(exponent: int) -> int:
    value = 1
    for _ in range(exponent):
        value = _times(value, 2)
    return value


def _patterns(version: int) -> tuple[Bits, Bits]:
    """Return the patterns that all codes of a version have, and where there is room for data."""
    size = 17 + 4 * version
    modules, is_free = np.zeros((size, size), bool), np.ones((size, size), bool)
    r, c = np.indices(modules.shape)
    centres = [(3, 3, 4), (3, size - 4, 4), (size - 4, 3, 4)]
    if version > 1:
        centres.append((size - 7, size - 7, 2))
    modules[6, ::2] = modules[::2, 6] = True
    is_free[6] = is_free[:, 6] = False
    for row, column, reach in centres:
        ring = np.maximum(abs(r - row), abs(c - column))
        modules[ring <= reach] = ((ring % 2 == (reach == 4)) | (ring == 0))[ring <= reach]
        is_free[ring <= reach] = False
    is_free[8, :9] = is_free[:9, 8] = is_free[8, -8:] = is_free[-8:, 8] = False
    modules[-8, 8] = True
    return modules, is_free


def _fill(modules: Bits, is_free: Bits, bits: Bits) -> None:
    """Write bits into pairs of columns from the right, upwards and downwards in turn."""
    size, at = len(modules), 0
    rights = [right for right in range(size - 1, 0, -2) if right > 6] + [5, 3, 1]
    for i, right in enumerate(rights):
        rows = range(size) if i % 2 else range(size - 1, -1, -1)
        for place in ((row, column) for row in rows for column in (right, right - 1)):
            if is_free[place]:
                modules[place] = at < len(bits) and bits[at]
                at += 1


def _write_format(modules: Bits) -> None:
    bits = [bit == "1" for bit in reversed(FORMAT)]
    modules[[0, 1, 2, 3, 4, 5, 7, 8], 8] = bits[:8]
    modules[8, [7, 5, 4, 3, 2, 1, 0]] = bits[8:]
    modules[8, -8:] = bits[7::-1]
    modules[-7:, 8] = bits[8:]
