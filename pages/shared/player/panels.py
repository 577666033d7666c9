"""The panels of the player: what each shows, and the metrics and images that it needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Literal

from pages.shared.methods import Classifier
from pages.shared.noise import WeightChoice

Scale = Literal["linear", "log"]  # a log scale shows 0 at its floor
Format = Literal["int", "sci", "percent", "score", "number"]
MAGENTA, FAINT, PURPLE, BROWN, INK = range(5, 10)  # of what is neither a method nor a sign
NEUTRAL = INK, PURPLE, BROWN, FAINT  # of curves that stand for no method


class Panel:
    """A part of the player, drawn anew for each frame."""

    kind: ClassVar[str]  # selects the JavaScript that draws the panel
    title: str
    numbers: Sequence[Number] = ()  # beside its title

    @property
    def metrics(self) -> Sequence[str]:
        """Names of the metrics that the panel shows."""
        return [number.name for number in self.numbers]

    @property
    def images(self) -> Sequence[str]:
        """Names of the images that the panel shows."""
        return ()

    def to_json(self) -> dict[str, Any]:
        """Return the panel as the player's JavaScript reads it."""
        return {"kind": self.kind, **_to_json(self)}

    def __str__(self) -> str:
        return f"{self.kind} {self.title!r}" if self.title else self.kind


@dataclass(frozen=True)
class Number:
    """A metric as a number with a label."""

    name: str
    label: str
    format: Format


@dataclass(frozen=True)
class Picture(Panel):
    """A matrix as a heat map, centred on 0."""

    kind = "picture"
    field: str  # an image of int8, (p, q), beside its `<field>_scale`; -128 is no value
    title: str
    own: bool = False  # whether the colours end at this frame's largest entry, not at the run's
    note: str = ""  # beside its title, where there is room
    numbers: Sequence[Number] = ()  # beside its title
    tile: tuple[int, int] | None = None  # rows and columns of each of several pictures in it

    @property
    def images(self) -> Sequence[str]:
        return [self.field, f"{self.field}_scale"]


@dataclass(frozen=True)
class Series:
    """A metric or a vector image that is drawn with a colour and a label."""

    name: str
    label: str
    colour: int  # number in the theme
    chosen: int | None = None  # the frame that is marked as chosen, on lines
    dash: Literal["dash", "dot"] | None = None  # of a line; solid if None
    near: Sequence[int] | None = None  # frames that come near the chosen one, which is among them
    aside: bool = False  # whether its label is shown at the pointer only


def series(labels: Mapping[str, str]) -> list[Series]:
    """Return a series for each name of a metric or image, in a colour that is no method's."""
    pairs = zip(labels.items(), NEUTRAL, strict=False)
    return [Series(name, label, colour) for (name, label), colour in pairs]


@dataclass(frozen=True)
class Vectors(Panel):
    """The entries of one vector as bars, or those of some as stems, side by side."""

    kind = "vectors"
    fields: Sequence[Series]  # images of shape (d,)
    title: str
    numbers: Sequence[Number] = ()  # beside its title

    @property
    def images(self) -> Sequence[str]:
        return [field.name for field in self.fields]


@dataclass(frozen=True)
class Losses(Panel):
    """Losses against the margin, each with the samples of its own classifier; one can be moved."""

    kind = "losses"
    # Images of margins, (n,), that of the sample that can be moved first; as `margins_hinge`
    fields: Sequence[Series]
    title: str
    legend: str

    @property
    def images(self) -> Sequence[str]:
        return [field.name for field in self.fields]


@dataclass(frozen=True)
class Points:
    """Samples, or a function that is the same in all frames."""

    label: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True)
class Curve(Panel):
    """Functions of x over samples; what is the same in all frames sets the vertical axis."""

    kind = "curve"
    fields: Sequence[Series]  # images of shape (d,): the values at x
    title: str
    label: str  # of the horizontal axis
    x: Sequence[float]  # d places
    dots: Points  # the samples
    behind: Points  # a function that is the same in all frames
    step: bool  # whether a value holds until the next
    stems: Series | None = None  # an image with a height at each sample; a ring where it is 0
    width: float = 0.0  # of the Gaussian bumps of these heights, whose sum the fit is
    numbers: Sequence[Number] = ()  # beside its title

    @property
    def images(self) -> Sequence[str]:
        return [field.name for field in (*self.fields, *filter(None, [self.stems]))]


@dataclass(frozen=True)
class Mark:
    """A triangle on the horizontal axis of lines, at the frames where a metric is not 0."""

    field: str  # a metric
    label: str


@dataclass(frozen=True)
class Lines(Panel):
    """Metrics along the frames."""

    kind = "lines"
    fields: Sequence[Series]  # metrics
    title: str
    scale: Scale
    format: Format | None = None  # of values at the pointer; "int", "percent": of the axis, too
    marks: Sequence[Mark] = ()
    step: bool = False  # whether a value holds until the next
    span: tuple[float, float] | None = None  # what the vertical axis shows at least

    @property
    def metrics(self) -> Sequence[str]:
        return [*(field.name for field in self.fields), *(mark.field for mark in self.marks)]


@dataclass(frozen=True)
class Readout(Panel):
    """Metrics of the frame as numbers."""

    kind = "readout"
    title = ""
    fields: Sequence[Number]

    @property
    def metrics(self) -> Sequence[str]:
        return [field.name for field in self.fields]


@dataclass(frozen=True)
class FurtherValue:
    """A metric that is named together with the frame: ``τ = 0.5``."""

    name: str  # "τ ="
    field: str


@dataclass(frozen=True)
class Axis:
    """What the frames run along."""

    name: str  # before the number of a frame: "step"
    label: str  # of the horizontal axes
    field: str | None = None  # a metric that stands for the number of the frame
    also: Sequence[FurtherValue] | None = None  # after the number of the frame
    count: int | None = None  # frames in all, if known beforehand
    at: Sequence[float] | None = None  # place of each frame, 0 to 1; in equal steps if None
    ticks: Sequence[tuple[float, str]] | None = None  # place and text
    opens: int | None = None  # the frame where the player rests at first; it plays if None
    asks: int | None = None  # the frame where it waits for a guess; where it opens if None

    def to_json(self) -> dict[str, Any]:
        """Return the axis as the player's JavaScript reads it."""
        return dict(_to_json(self))


ITERATIONS = Axis("step", "step")
AT_THE_END = Axis("step", "step", opens=10**9)  # no run has so many frames


def _to_json(value: Any) -> Any:
    """Return dataclasses as dicts, without the fields that have their default."""
    if isinstance(value, (list, tuple)):
        return [_to_json(each) for each in value]
    if not is_dataclass(value):
        return value
    contents = ((field, getattr(value, field.name)) for field in fields(value))
    return {
        field.name: _to_json(content) for field, content in contents if content != field.default
    }


def check(panels: Sequence[Panel], metrics: Collection[str], images: Collection[str]) -> None:
    """Refuse panels that show a metric or an image that the run does not have."""
    for panel in panels:
        for sort, shown, known in (
            ("metric", panel.metrics, metrics),
            ("image", panel.images, images),
        ):
            for name in shown:
                if name not in known:
                    raise ValueError(
                        f"the {panel} shows the {sort} {name!r}; "
                        f"the run has the {sort}s {', '.join(known)}"
                    )


def by_method(
    methods: Mapping[str, Classifier],
    title: str,
    prefix: str = "",
    span: tuple[float, float] | None = (0.55, 1.0),
    format: Format | None = None,
) -> Lines:
    """Return a panel with a line for each method; accuracies share one scale."""
    lines = [Series(prefix + key, each.label, each.colour) for key, each in methods.items()]
    return Lines(lines, title, "linear", span=span, format=format)


def matrices(
    titles: Mapping[str, str], numbers: Sequence[Number] = (), notes: Mapping[str, str] = {}
) -> list[Panel]:
    """Return a row of pictures of W, one for each name and title, with its numbers below."""
    return [
        Picture(
            f"W_{name}",
            title,
            note=notes.get(name, ""),
            numbers=[replace(number, name=f"{number.name}_{name}") for number in numbers],
        )
        for name, title in titles.items()
    ]


def with_choices(panels: Sequence[Panel], choices: Mapping[str, WeightChoice]) -> list[Panel]:
    """Return panels by method with the weights that validation takes marked on their curves."""

    def with_choice(line: Series) -> Series:
        choice = choices[line.name.rpartition("_")[2]]
        return replace(line, chosen=choice.chosen, near=choice.near)

    return [
        replace(panel, fields=[with_choice(line) for line in panel.fields])
        if choices and isinstance(panel, Lines)
        else panel
        for panel in panels
    ]
