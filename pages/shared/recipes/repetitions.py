"""Recipes of experiments that are repeated on further draws: the tables of Wolf, Jhuang, Hazan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pages.shared.recipes.relevant import Relevant
from pages.shared.recipes.samples import check
from pages.shared.recipes.sets import Faces
from smmcore.experiments import wolf


@dataclass(frozen=True)
class Table1Run:
    """Four methods in three settings, on so many draws of each."""

    reading: wolf.Reading = wolf.AS_PRINTED
    repetitions: int = wolf.REPETITIONS

    settings = (*wolf.SETTINGS, "lost at 10 x 10")  # the last one is what A and B cost
    methods = wolf.METHODS
    printed = wolf.PRINTED

    def __post_init__(self) -> None:
        _ = self.data  # which checks what it is made of
        check("the number of repetitions", self.repetitions, 1, 100)
        check("C, the weight of the loss,", self.reading.C, 1e-100, 1e100)
        check("the number of components of the 2DPCA", self.reading.components, 1, 10)

    @property
    def data(self) -> Relevant:
        """The first draw of the last setting: the film makes each in its turn."""
        protocol, permute, noise, *_ = self.reading
        return Relevant(wolf.SAMPLES, wolf.TRAIN, wolf.SIZES[-1], noise, protocol, permute)

    def script(self) -> str:
        """Return a program that prints setting, repetition, method and accuracy in percent."""
        return f'''\
"""Table 1 in the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore.experiments import wolf

reading = wolf.{self.reading!r}
for record in wolf.table_1(reading, range({self.repetitions})):
    print(*record, sep=", ")
'''


@dataclass(frozen=True)
class FacesRun:
    """Three methods on faces and background, on so many splits: a quarter trains."""

    C: float = wolf.AS_PRINTED.C
    repetitions: int = 10

    data = Faces()
    settings = ("faces",)
    methods = tuple(wolf.PRINTED_FACES)

    def __post_init__(self) -> None:
        check("the number of repetitions", self.repetitions, 1, 100)
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)

    @property
    def printed(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """Mean and deviation, in percent, for each setting: those of other faces."""
        return {method: (cell,) for method, cell in wolf.PRINTED_FACES.items()}

    def script(self) -> str:
        """Return a program that prints setting, repetition, method and accuracy in percent."""
        return f'''\
"""Faces in the support matrix machine lab; it needs the lab's package smmcore."""

{self.data.script()}
from smmcore.experiments import wolf

for record in wolf.split_trials(X, y, {self.C!r}, range({self.repetitions})):
    print(*record, sep=", ")
'''


def column(kind: str, method: str, setting: int) -> str:
    """Return the name of a curve: "mean_LowRank_3"."""
    return f"{kind}_{method.replace(' + ', '_')}_{setting + 1}"
