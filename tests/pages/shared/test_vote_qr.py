"""QR codes, read as the standard says by a reader that shares nothing with their writer."""

import numpy as np
import pytest

from pages.shared.votes import qr

# Format information of level L and mask 0, and an example of codewords, as published in the tables
# of https://www.thonky.com/qr-code-tutorial (HELLO WORLD, version 1-M).
FORMAT = "111011111000100"
HELLO = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
ITS_CORRECTION = [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def rows(picture):
    """Return rows of modules as text."""
    return ["".join("01"[bit] for bit in row) for row in picture]


def is_pattern(i, j, size):
    """Whether a module belongs to the finders, the timing, the alignment or the format."""
    corners = (i < 9 and j < 9) or (i < 9 and j >= size - 8) or (i >= size - 8 and j < 9)
    aligned = size > 21 and size - 9 <= i < size - 4 and size - 9 <= j < size - 4
    return corners or aligned or 6 in (i, j)


def read(picture):
    """Return the text of a code, whose codewords must be those of its correction."""
    size, picture = len(picture), picture.astype(int)
    for part in (picture[:7, :7], picture[:7, -7:], picture[-7:, :7]):
        assert rows(part) == FINDER
    for line in (picture[7, :8], picture[:8, 7], picture[7, -8:], picture[-8, :8]):
        assert not line.any()
    assert (
        rows(picture[6:7, 8:-8])[0] == rows(picture[8:-8, 6:7].T)[0] == "10" * (size // 2 - 8) + "1"
    )
    around = [(8, j) for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    beside = [(size - 1 - i, 8) for i in range(7)] + [(8, size - 8 + j) for j in range(8)]
    first, second = ("".join("01"[picture[place]] for place in each) for each in (around, beside))
    assert first == second == FORMAT
    assert picture[size - 8, 8]

    bits, up = "", True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for i in reversed(range(size)) if up else range(size):
            for j in (right, right - 1):
                if not is_pattern(i, j, size):
                    bits += "01"[picture[i, j] ^ ((i + j) % 2 == 0)]
        up = not up
    words = [int(bits[k : k + 8], 2) for k in range(0, len(bits) - 7, 8)]
    assert all(
        syndrome(words, i) == 0 for i in range({21: 7, 25: 10, 29: 15, 33: 20, 37: 26}[size])
    )
    assert bits[:4] == "0100"
    length = int(bits[4:12], 2)
    return bytes(int(bits[12 + 8 * k : 20 + 8 * k], 2) for k in range(length)).decode()


def syndrome(words, power):
    """Return the value of the codewords, a polynomial over GF(256), at a power of 2."""
    logs, value, x = {}, 0, 1
    for k in range(255):
        logs[x] = k
        x = (x << 1) ^ (0x11D if x > 127 else 0)
    powers = {k: x for x, k in logs.items()}
    for word in words:
        value = (powers[(logs[value] + power) % 255] if value else 0) ^ word
    return value


@pytest.mark.parametrize("length", [0, 17, 18, 32, 33, 34, 53, 54, 78, 79, 106])
def test_the_text_can_be_read_back_in_each_version(length):
    text = ("http://192.168.1.23:8501/vote/EJMA?é=" * 3).encode()[:length].decode(errors="ignore")
    picture = qr.encode(text)
    assert read(picture) == text
    broken = picture.copy()
    broken[-1, -1] ^= True
    with pytest.raises(AssertionError):
        read(broken)


def test_correction_is_that_of_a_published_example():
    assert qr.correction(HELLO, 10) == ITS_CORRECTION
    assert syndrome(HELLO + ITS_CORRECTION, 3) == 0


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="at most 106 bytes, got 107"):
        qr.encode("x" * 107)
    assert np.shape(qr.encode("x" * 106)) == (37, 37)
