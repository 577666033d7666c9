"""Recipes of constrained least squares in the plane: a ball, and the loss that it bounds."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from pages.shared.recipes.samples import Array, check
from smmcore.experiments.experiment import Dataset
from smmcore.penalties import Ball, ElasticBall

MOST = 3.0  # of a coordinate of the minimum


@dataclass(frozen=True)
class Touching(Dataset):
    """min 1/2 (theta - minimum)' H (theta - minimum) over a ball; H by the ellipses it makes."""

    ball: Ball | ElasticBall
    minimum: tuple[float, float]
    tilt: int = 0  # degrees, from the first axis to the long axis of the ellipses
    ratio: float = 1.0  # of the long axis to the short one
    third: float = 0.0  # coordinate of the minimum, where a third dimension is looked at

    shape = 0, 0, 0  # of the samples that a worker would keep: there are none

    def __post_init__(self) -> None:
        places = *self.minimum, self.third
        for name, value in zip(("first", "second", "third"), places, strict=True):
            check(f"the {name} coordinate of the minimum", value, -MOST, MOST)
        check("the tilt in degrees", self.tilt, 0, 180)
        check("the ratio of the axes", self.ratio, 1, 10)

    def prepare(self) -> None:
        """Make nothing: there are no samples."""

    @property
    def H(self) -> Array:
        """Phi'Phi, of eigenvalue 1 along the short axis and 1 / ratio^2 along the long one."""
        c, s = cos(radians(self.tilt)), sin(radians(self.tilt))
        flat = self.ratio**-2
        return np.array(
            [[flat * c * c + s * s, (flat - 1) * c * s], [(flat - 1) * c * s, flat * s * s + c * c]]
        )

    def script(self) -> str:
        """Return a program that makes the outline and prints the touching point."""
        return f'''\
"""A touching point of the support matrix machine lab; it needs the lab's package smmcore."""

from math import inf

import numpy as np

from smmcore.balls import outline, touching_point
from smmcore.penalties import Ball, ElasticBall, Lp

ball = {self.ball!r}
H = np.array({self.H.tolist()!r})
minimum = np.array({list(self.minimum)!r})

boundary = outline(ball, limit={MOST!r})
theta = touching_point(ball, H, minimum)
print(*theta)
'''
