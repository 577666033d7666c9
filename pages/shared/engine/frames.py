"""The frames of a run, and their bytes for the player."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.engine.worker import NO_IMAGES, NO_METRICS, Slice

IMAGE_BYTES = 16_000_000  # of each job; when full, every second frame loses its images
DTYPES = ("<u4", "<i4", "<f4", "<f8", "|u1", "|i1")  # the types that the player reads
ANSWER_BYTES = 1_000_000


@dataclass(frozen=True)
class Frames:
    """The metrics of every frame, and the images of as many frames as fit.

    Immutable: the server's threads read one value while a job replaces it by the next.
    """

    metrics: NDArray[np.void] = field(default_factory=lambda: NO_METRICS)  # (total,)
    images: NDArray[np.void] = field(default_factory=lambda: NO_IMAGES)  # (at most total,)
    certificate: Any = None  # of the last frame
    stride: int = 1  # every stride-th frame and the last have images

    @property
    def nbytes(self) -> int:
        """Bytes of the metrics and images."""
        return self.metrics.nbytes + self.images.nbytes

    def with_slice(self, piece: Slice) -> Frames:
        """Return these frames and those of one more slice."""
        if not len(piece.metrics):
            return replace(self, certificate=piece.certificate)
        if len(self.metrics):
            metrics = np.concatenate([self.metrics, piece.metrics])
            images = np.concatenate([self.images, piece.images])
        else:
            metrics, images = piece.metrics, piece.images
        return Frames(metrics, images, piece.certificate, self.stride).within_bytes(IMAGE_BYTES)

    def within_bytes(self, limit: int) -> Frames:
        """Return these frames with at most `limit` bytes of images, but those of two at least."""
        everything, last, stride = self.images, len(self.metrics) - 1, self.stride
        while True:
            kept = (everything["frame"] % stride == 0) | (everything["frame"] == last)
            images = everything[kept]
            if images.nbytes <= limit or len(images) <= 2:
                return replace(self, images=images, stride=stride)
            stride *= 2

    def to_bytes(
        self,
        first: int,
        status: str,
        message: str,
        current: bool = False,
        after: int | None = None,
        most: int | None = None,
    ) -> bytes:
        """Return the frames from `first` to that before `after`, or as many as fit into an answer.

        An answer has `most` bytes of each kind of records, or as many as the server sends at once.
        Four bytes (little endian): the length of a JSON header, which is padded with spaces so that
        the records begin at a multiple of 8; then `count` records of metrics, then `images` of
        images. The header's `layout` describes both; `current` says whether the page needs no
        rerun when the run has ended.
        """
        most = ANSWER_BYTES if most is None else most
        total = len(self.metrics)
        first = min(max(first, 0), total)
        begin = int(np.searchsorted(self.images["frame"], first))
        room = max(1, most // self.images.itemsize)
        full = begin + room
        end = int(self.images["frame"][full]) if full < len(self.images) else total
        end = min(end, first + most // max(1, self.metrics.itemsize))
        end = max(first, min(end, total if after is None else after))
        images = self.images[begin : np.searchsorted(self.images["frame"], end)]
        header = json.dumps(
            {
                "first": first,
                "count": end - first,
                "total": total,
                "images": len(images),
                "layout": {"metrics": layout(self.metrics), "images": layout(self.images)},
                "status": status,
                "message": message,
                "current": current,
            }
        ).encode()
        header += b" " * (-(4 + len(header)) % 8)
        return b"".join(
            [
                len(header).to_bytes(4, "little"),
                header,
                self.metrics[first:end].tobytes(),
                images.tobytes(),
            ]
        )


def layout(records: NDArray[np.void]) -> dict[str, object]:
    """Return the size of a record in bytes, and [type, shape, offset] of each field.

    Examples
    --------
    >>> layout(np.empty(0, [("frame", "<i4"), ("S", "i1", (2, 3))]))
    {'itemsize': 10, 'fields': {'frame': ['<i4', [], 0], 'S': ['|i1', [2, 3], 4]}}
    """
    fields = {}
    for name, (kind, offset, *_) in (records.dtype.fields or {}).items():
        if kind.base.str not in DTYPES:
            raise ValueError(f"the player reads {', '.join(DTYPES)}; {name!r} is {kind.base.str}")
        fields[name] = [kind.base.str, list(kind.shape), offset]
    return {"itemsize": records.itemsize, "fields": fields}
