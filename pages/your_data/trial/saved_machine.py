"""Read and check the arrays of a saved machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.files import list_variables, read_variables
from smmcore.estimators.scaling import Scaling, check_scaling

Array = NDArray[np.float64]

SCALING = ("fill", "left", "right", "each", "z_mean", "z_deviation")  # arrays of the scaling
MAX_NUMBERS = 20_000_000  # in a file: small integers become eight bytes each


def read_arrays(file: bytes, wanted: Collection[str]) -> dict[str, Any]:
    """Read the variables of a file that are wanted and present; see `Machine.load`."""
    found = {each.name: each for each in list_variables(file) if each.name in wanted}
    size = sum(prod(each.shape) for each in found.values())
    if size > MAX_NUMBERS:
        raise ValueError(f"a machine may have {MAX_NUMBERS:,} numbers at most, got {size:,}")
    return dict(zip(found, read_variables(file, list(found)) if found else [], strict=True))


def check_present(required: Collection[str], arrays: Mapping[str, object]) -> None:
    """Refuse arrays that lack one that is required."""
    if missing := [name for name in required if name not in arrays]:
        raise ValueError(f"this is not a model saved by this app: it lacks {', '.join(missing)}")


def read_scaling(arrays: Mapping[str, object]) -> Scaling:
    """Return the scaling of a file's arrays; see `Scaling.to_arrays`."""
    kind = to_text("scaling", arrays)
    check_scaling(kind[:20])
    present = {name: to_numbers(name, arrays) for name in SCALING if name in arrays}
    if not np.isin(present.get("each", 0.0), (0, 1)).all():
        raise ValueError("each must be 0 or 1")
    names = ("z_mean", "z_deviation") if kind == "z-score" else ()
    if missing := [name for name in names if name not in present]:
        raise ValueError(f"the scaling is z-score, but there is no {', '.join(missing)}")
    scaling = Scaling(
        unit_length=kind == "unit length",
        fill=present.get("fill"),
        left=present.get("left"),
        right=present.get("right"),
        each=bool(np.any(present.get("each", False))),
    )
    if names:
        mean, deviation = (present[name] for name in names)
        scaling = scaling._replace(mean=mean, deviation=deviation)
    return scaling


def describe_size(array: Any) -> str:
    """Return the shape of an array, such as "2 × 3"."""
    return " × ".join(map(str, np.shape(array))) or "a single number"


def to_text(name: str, arrays: Mapping[str, object]) -> str:
    """Return an array of a single text as this text."""
    value = np.asarray(arrays[name])
    if value.dtype.kind != "U" or value.size != 1:
        raise ValueError(f"{name} must be a text, got {_describe(value)}")
    return str(value.item())


def to_numbers(name: str, arrays: Mapping[str, object]) -> Array:
    """Return an array of real numbers as doubles."""
    value = np.asarray(arrays[name])
    if value.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {_describe(value)}")
    return value.astype(float)


def _describe(value: NDArray[Any]) -> str:
    kinds = {"U": "text", "c": "complex numbers", "O": "objects"}
    return kinds.get(value.dtype.kind, f"an array of {describe_size(value)}")
