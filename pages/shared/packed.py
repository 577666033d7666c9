"""Files of a JSON header and bytes, as `assets/lib/packed.js` reads them.

The length of the header in four bytes, little endian, the header, and a zlib stream.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def pack(header: Mapping[str, Any], body: Iterable[bytes]) -> bytes:
    """Return a file with a header, and parts of bytes one behind the other."""
    text = json.dumps(header, separators=(",", ":")).encode()
    return len(text).to_bytes(4, "little") + text + zlib.compress(b"".join(body), 9)


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a file."""
    with path.open("rb") as file:
        return dict(json.loads(file.read(int.from_bytes(file.read(4), "little"))))
