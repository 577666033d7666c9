"""What a run has shown so far, and the bytes in which the player gets it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pages.shared.films import Proof, film_of
from pages.shared.jobs import Slice
from pages.shared.recipes import Recipe

PICTURE_BYTES = 16_000_000  # of each run; beyond, every second picture goes
ANSWER_BYTES = 1_000_000


@dataclass(frozen=True)
class Frames:
    """The curves of every iteration and pictures of as many as there is room for.

    Immutable: the server's threads read the one they have while a run moves on to the next.
    """

    curves: NDArray[np.void]  # (total,), of the film's curves
    pictures: NDArray[np.void]  # (at most total,), of the film's pictures
    certificate: Proof = None  # that of the last iteration
    stride: int = 1  # pictures are kept of each stride-th iteration, and of the last

    @classmethod
    def none(cls, recipe: Recipe) -> Frames:
        """Return the frames of a run that has not begun."""
        film = film_of(recipe)
        return cls(np.empty(0, film.curves), np.empty(0, film.pictures(*recipe.data.shape[1:])))

    @property
    def nbytes(self) -> int:
        """What the curves and pictures take."""
        return self.curves.nbytes + self.pictures.nbytes

    def extended(self, piece: Slice) -> Frames:
        """Return these frames and those of one more slice."""
        curves = np.concatenate([self.curves, piece.curves])
        pictures = np.concatenate([self.pictures, piece.pictures])
        return Frames(curves, pictures, piece.certificate, self.stride).thinned(PICTURE_BYTES)

    def thinned(self, limit: int) -> Frames:
        """Return these frames with pictures of at most so many bytes, or with two."""
        everything, last, stride = self.pictures, len(self.curves) - 1, self.stride
        while True:
            kept = (everything["frame"] % stride == 0) | (everything["frame"] == last)
            pictures = everything[kept]
            if pictures.nbytes <= limit or len(pictures) <= 2:
                return replace(self, pictures=pictures, stride=stride)
            stride *= 2

    def packed(self, first: int, status: str, message: str) -> bytes:
        """Return the frames from number `first` on, as many as one answer takes.

        Four bytes (little endian): the length of a JSON header, which is padded with spaces so that
        the records begin at a multiple of 8; then `count` curves, then `pictures` pictures.
        """
        total = len(self.curves)
        first = min(max(first, 0), total)
        begin = int(np.searchsorted(self.pictures["frame"], first))
        room = max(1, ANSWER_BYTES // self.pictures.itemsize)
        after = begin + room
        end = int(self.pictures["frame"][after]) if after < len(self.pictures) else total
        end = min(end, first + ANSWER_BYTES // self.curves.itemsize)
        pictures = self.pictures[begin : np.searchsorted(self.pictures["frame"], end)]
        header = json.dumps(
            {
                "first": first,
                "count": end - first,
                "total": total,
                "pictures": len(pictures),
                "status": status,
                "message": message,
            }
        ).encode()
        header += b" " * (-(4 + len(header)) % 8)
        return b"".join(
            [
                len(header).to_bytes(4, "little"),
                header,
                self.curves[first:end].tobytes(),
                pictures.tobytes(),
            ]
        )
