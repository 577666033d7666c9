"""Runs of Algorithm 1 over a grid of C, tau, rho and eta, for a knob that is being dragged.

    python -m pages.smm.live.grid       # solves the runs and writes assets/grids/algorithm1.bin

All of them are in the page, so a picture needs no answer from the server. The file's header (see
`pages.shared.packed`) says how the runs were made; its body has an answer for each, as of
`Frames.to_bytes`. `assets/player/grid.js` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import QUICK, Algorithm1
from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import constructor
from pages.shared.engine.frames import Frames
from pages.shared.packed import pack
from smmcore.solvers.admm import ADMMState

PATH = Path(__file__).parents[3] / "assets" / "grids" / "algorithm1.bin"

BASE = replace(QUICK, rho=1.0, max_iter=120)  # the run in the middle
LONGEST = 2_000  # steps of a run that goes on until its proof
KNOBS: dict[str, Sequence[float]] = {
    "C": (0.01, 0.05, 0.2),
    "tau": (0.05, 0.2, 1.0),
    "rho": tuple(float(f"{10 ** (k / 2):.3g}") for k in range(-4, 5)),
    "eta": (0.5, 0.9, 0.999),
}

# The steps with W and S: all that are looked at closely, and enough of the others for a glance.
# The last step of a run always has them.
SCHEDULES = (
    [*range(1, 61), *range(62, BASE.max_iter, 2), *range(BASE.max_iter, LONGEST, 8)],
    [*range(1, 21), *range(22, 61, 3), *range(68, BASE.max_iter, 8)],
    [1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70],
)
LEVELS = 63  # of a colour, from zero to the end of the scale

NUMBERS = np.dtype(
    [("k", "<u4")]
    + [(name, "u1") for name in ("step", "restarted", "rank")]
    + [(name, "<f4") for name in ("apart", "moved", "gap", "ratio", "residual")]
    + [(name, "<f4") for name in ("rho", "momentum", "fit")]
)


class Baked(NamedTuple):
    """A run of the grid."""

    experiment: Algorithm1[BlockCorrelated]
    metrics: list[Mapping[str, float]]  # of each step
    states: list[ADMMState]  # of the steps with W and S
    steps: int  # until its proof, also beyond the steps that are kept; 0 if there is none


def experiments() -> Iterator[Algorithm1[BlockCorrelated]]:
    """Yield the runs of the grid; the last knob changes fastest."""
    for C, tau, rho, eta in product(*KNOBS.values()):
        yield limited(replace(BASE, C=C, tau=tau, rho=rho, eta=eta))


def limited(experiment: Algorithm1[Any]) -> Algorithm1[Any]:
    """Return a run with the steps that the grid keeps: along rho, all until the proof."""
    is_whole = schedule(experiment) == 0
    return replace(experiment, max_iter=LONGEST if is_whole else BASE.max_iter)


def solve(experiment: Algorithm1[BlockCorrelated], prepared: Prepared) -> Baked:
    """Solve one run of the grid."""
    drawn, metrics, states = SCHEDULES[schedule(experiment)], [], []
    for frame in replace(experiment, max_iter=LONGEST).frames(prepared):
        k = frame.state.k
        if k <= experiment.max_iter:
            metrics.append(frame.metrics)
            if frame.done or k in drawn or k == experiment.max_iter:
                states.append(frame.state)
        if frame.done:
            break
    is_proved = frame.metrics["gap"] <= experiment.tol
    return Baked(experiment, metrics, states, k if is_proved else 0)


def schedule(experiment: Algorithm1[BlockCorrelated]) -> int:
    """Return the number of the schedule for a run's W and S."""
    if (experiment.C, experiment.eta) != (BASE.C, BASE.eta):
        return 2
    return 0 if experiment.tau == BASE.tau else 1


def numbers(run: Baked) -> NDArray[np.void]:
    """Return the numbers of each step."""
    records = np.zeros(len(run.metrics), NUMBERS)
    for name in NUMBERS.names or ():
        records[name] = [step[name] for step in run.metrics]
    return records


def images(states: Sequence[ADMMState], scale: float) -> NDArray[np.void]:
    """Return W and S in levels of a scale, and the singular values of S."""
    shape = states[0].W.shape
    matrices = [(name, "i1", shape) for name in ("W", "S")]
    scales = [("W_scale", "<f4"), ("S_scale", "<f4"), ("singular_values", "<f4", min(shape))]
    records = np.zeros(len(states), [("frame", "<u4"), *scales, *matrices])
    for record, state in zip(records, states, strict=True):
        record["frame"] = state.k - 1
        record["singular_values"] = state.S_singular_values
        for name in ("W", "S"):
            levels = np.rint(LEVELS / scale * getattr(state, name))
            record[name] = np.clip(levels, -127, 127)
            record[f"{name}_scale"] = 127 / LEVELS * scale
    return records


def bake(runs: Sequence[Baked]) -> bytes:
    """Return the file of some runs of the grid, in its order."""
    scales = {weights: _scales(runs, weights) for weights in product(KNOBS["C"], KNOBS["tau"])}
    body, table = [], []
    for run in runs:
        scale, largest = scales[run.experiment.C, run.experiment.tau]
        frames = Frames(numbers(run), images(run.states, scale))
        body.append(frames.to_bytes(0, "finished", ""))
        table.append([len(body[-1]), scale, largest])
    header = {
        "experiment": constructor(BASE),
        "knobs": {name: list(values) for name, values in KNOBS.items()},
        "runs": table,
        "steps": [run.steps for run in runs],
    }
    return pack(header, body)


def _scales(runs: Sequence[Baked], weights: tuple[float, float]) -> tuple[float, float]:
    """Return the largest entry and the largest singular value of the best S for C and tau."""
    of_weights = (run for run in runs if (run.experiment.C, run.experiment.tau) == weights)
    best = min(of_weights, key=lambda run: run.metrics[-1]["gap"])
    last = best.states[-1]
    return float(np.abs(last.S).max()), float(last.S_singular_values.max())


def main() -> None:
    """Solve the runs and write the file."""
    prepared = BASE.data.prepare()
    runs = [solve(experiment, prepared) for experiment in experiments()]
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(bake(runs))
    print(f"{len(runs)} runs, {PATH.stat().st_size / 1e3:.0f} kB in {PATH.name}")


if __name__ == "__main__":
    main()
