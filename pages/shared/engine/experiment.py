"""The base of all experiments: data, method and settings as one value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

from smmcore.arrays import Array

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Scaled(NamedTuple):
    """A matrix that is drawn on a given scale instead of that of its largest entry."""

    matrix: Array  # (p, q); NaN: an empty cell
    scale: float  # the value of the strongest colour


class Frame(NamedTuple):
    """One step of a run: its metrics and images, and the state from which the run continues."""

    state: Any  # the state from which `Experiment.frames` resumes; it is pickled
    # One value of each curve. It is empty if there is nothing new to draw: the frame is then only
    # a point to resume from.
    metrics: Mapping[str, float] = NOTHING
    # Matrices, drawn in 255 colours, and vectors, drawn as bars, stems or functions
    images: Mapping[str, Array | Scaled] = NOTHING
    certificate: Any = None  # the certificate of the solution, for downloads
    done: bool = False  # whether this is the last frame


class Dataset(ABC):
    """A recipe of data; a subclass is a frozen dataclass with a ``shape`` and without arrays."""

    shape: Any  # (n, p, q) of the samples, known before they exist
    # Whether the arrays exist on this machine only and are deleted with the visitor's session
    private: bool = False

    @property
    def file(self) -> str:
        """The name of the file of samples that the app hands out."""
        return f"{type(self).__name__.lower()}_samples.npz"

    @property
    def memory_bytes(self) -> int:
        """Bytes of the prepared data: samples, centred samples and Gram matrix."""
        n, p, q = self.shape
        return 8 * (2 * int(n) * int(p) * int(q) + int(n) * int(n))

    @abstractmethod
    def prepare(self) -> Any:
        """Make the arrays, and everything that depends on them alone."""


class Experiment(ABC):
    """Data, method and settings; a subclass is a frozen dataclass with a field ``data``.

    It is small and holds no arrays, and equal settings make equal experiments. So one value serves
    as cache key, as the work order for a worker and as a row of a table.
    """

    data: Any

    @abstractmethod
    def frames(self, prepared: Any, state: Any = None) -> Iterator[Frame]:
        """Yield frames from the beginning, or those after the frame with a given state.

        `prepared` is ``self.data.prepare()``. The frames after a state are the same as without an
        interruption.
        """

    @abstractmethod
    def summary(self, last: Frame) -> str:
        """Return a sentence about the result, given the last frame."""

    def run(self) -> Iterator[Frame]:
        """Yield all frames that have something to draw."""
        for frame in self.frames(self.data.prepare()):
            if frame.metrics:
                yield frame
            if frame.done:
                return


def constructor(value: object) -> str:
    """Return the shortest call that makes a value; settings at their defaults are left out.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Ball:
    ...     p: float = 1.0
    ...     bound: float = 1.0
    >>> constructor((Ball(), Ball(bound=2.0)))
    '(Ball(), Ball(bound=2.0))'
    """
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        inside = ", ".join(map(constructor, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    if not is_dataclass(value):
        return repr(value)
    arguments = (f"{name}={constructor(setting)}" for name, setting in _settings(value).items())
    return f"{type(value).__name__}({', '.join(arguments)})"


def _settings(value: Any) -> dict[str, object]:
    """Return the settings of a dataclass that are not at their defaults, by name."""
    settings = ((field, getattr(value, field.name)) for field in fields(value) if field.init)
    return {field.name: setting for field, setting in settings if setting != field.default}
