"""Runs of Algorithm 1 over a grid of C, tau, rho and eta, for a knob that is being dragged.

    python -m pages.smm.live.grid       # solves the runs and writes assets/grids/algorithm1.bin

The page holds all of them, so a picture needs no answer from the server. The file starts with the
length of a JSON header in four bytes, little endian. The header says how the runs were made and
what they contain; a zlib stream of their numbers follows. `assets/player/grid.js` reads it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import QUICK, SMMRun, Step
from pages.shared.data.samples import Array, Prepared
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import constructor
from smmcore.solvers.admm import ADMMState

PATH = Path(__file__).parents[3] / "assets" / "grids" / "algorithm1.bin"

BASE = replace(QUICK, rho=1.0, max_iter=120)  # the run in the middle
KNOBS: dict[str, Sequence[float]] = {
    "C": (0.01, 0.05, 0.2),
    "tau": (0.05, 0.2, 1.0),
    "rho": tuple(float(f"{10 ** (k / 2):.3g}") for k in range(-4, 5)),
    "eta": (0.5, 0.9, 0.999),
}

# The steps with W and S: all that are looked at closely, and enough of the others for a glance.
# The last step of a run always has them.
SCHEDULES = (
    [*range(1, 61), *range(62, BASE.max_iter, 2)],
    [*range(1, 21), *range(22, 61, 3), *range(68, BASE.max_iter, 8)],
    [1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70],
)
LEVELS = 63  # of a colour, from zero to the end of the scale
SINGULAR_LEVELS = 200  # from zero to the largest singular value of the solution

# Codes of the numbers: decimal logarithms in these steps. The ratio has to show on which side of
# eta = 0.999 it is.
CODES = {"apart": 1_000, "moved": 1_000, "gap": 1_000, "ratio": 10_000}
ZERO = -32_768  # the code of 0; a ratio is 0 where there is nothing to compare with
SMALLEST = 1e-9  # a residual below is rounding; the picture ends at 1e-6


class Baked(NamedTuple):
    """A run of the grid."""

    experiment: SMMRun[BlockCorrelated]
    metrics: list[Mapping[str, float]]  # of each step
    states: list[ADMMState]  # of the steps with W and S


def experiments() -> Iterator[SMMRun[BlockCorrelated]]:
    """Yield the runs of the grid; the last knob changes fastest."""
    for C, tau, rho, eta in product(*KNOBS.values()):
        yield replace(BASE, C=C, tau=tau, rho=rho, eta=eta)


def solve(experiment: SMMRun[BlockCorrelated], prepared: Prepared) -> Baked:
    """Solve one run of the grid."""
    drawn, metrics, states = SCHEDULES[schedule(experiment)], [], []
    for frame in experiment.frames(prepared):
        metrics.append(frame.metrics)
        if frame.done or frame.state.k in drawn:
            states.append(frame.state)
        if frame.done:
            break
    return Baked(experiment, metrics, states)


def holds(experiment: SMMRun[Any]) -> bool:
    """Return whether the grid has a run with these settings, but for its limit of steps."""
    return experiment.data == BASE.data and all(
        getattr(experiment, name) in values for name, values in KNOBS.items()
    )


def schedule(experiment: SMMRun[BlockCorrelated]) -> int:
    """Return the number of the schedule for a run's W and S."""
    if (experiment.C, experiment.eta) != (BASE.C, BASE.eta):
        return 2
    return 0 if experiment.tau == BASE.tau else 1


def encode(values: Array, steps: int, up: NDArray[np.bool_] | None = None) -> bytes:
    """Return the logarithms of values as differences of int16, the low bytes before the high.

    Where `up` is given, a code is rounded up or down, so that a comparison comes out the same.
    """
    exact = steps * np.log10(np.where(values > 0, values, 1.0))
    codes = np.rint(exact) if up is None else np.where(up, np.ceil(exact), np.floor(exact))
    codes = np.where(values > 0, codes, ZERO).astype(np.int16)
    differences = np.diff(codes, prepend=np.int16(0))  # modulo 2^16
    return differences.view(np.uint8).reshape(-1, 2).T.tobytes()


def numbers(run: Baked) -> bytes:
    """Return the numbers of each step."""
    metrics = {
        name: np.array([step[name] for step in run.metrics], dtype=float) for name in run.metrics[0]
    }
    n = run.experiment.data.shape[0]
    certified = metrics["gap"] <= run.experiment.tol
    parts = [
        *(encode(_without_rounding(metrics[name]), CODES[name]) for name in ("apart", "moved")),
        encode(metrics["gap"], CODES["gap"], ~certified),
        encode(metrics["ratio"], CODES["ratio"], metrics["step"] == Step.RESTART),
        *(metrics[name].astype(np.uint8).tobytes() for name in ("step", "rank")),
        np.rint(n * metrics["fit"]).astype(np.uint8).tobytes(),  # samples that W classifies well
    ]
    return b"".join(parts)


def _without_rounding(residuals: Array) -> Array:
    return np.where(residuals < SMALLEST, 0.0, residuals)


def images(states: Sequence[ADMMState], scale: float, largest: float) -> bytes:
    """Return W as its change since the image before, S as its distance from W, singular values."""

    def levels(matrix: Array) -> NDArray[np.int8]:
        return np.clip(np.rint(LEVELS / scale * matrix), -127, 127).astype(np.int8)

    parts: list[NDArray[Any]] = []
    before = np.zeros_like(states[0].W, dtype=np.int8)
    for state in states:
        W, S = levels(state.W), levels(state.S)
        sigma = np.rint(SINGULAR_LEVELS / largest * state.S_singular_values)
        parts += [W - before, S - W, np.minimum(sigma, 255).astype(np.uint8)]  # modulo 2^8
        before = W
    return b"".join(part.tobytes() for part in parts)


def bake(runs: Sequence[Baked]) -> bytes:
    """Return the file of some runs of the grid, in its order."""
    scales = {weights: _scales(runs, weights) for weights in product(KNOBS["C"], KNOBS["tau"])}
    body, table = [], []
    for run in runs:
        scale = scales[run.experiment.C, run.experiment.tau]
        body += [numbers(run), images(run.states, *scale)]
        table.append([len(run.metrics), schedule(run.experiment)])
    header = {
        "experiment": constructor(BASE),
        "knobs": {name: list(values) for name, values in KNOBS.items()},
        "shape": BASE.data.shape,
        "codes": CODES,
        "levels": LEVELS,
        "singularLevels": SINGULAR_LEVELS,
        "schedules": SCHEDULES,
        "scales": [[float(f"{number:.6g}") for number in scale] for scale in scales.values()],
        "runs": table,
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    return len(text).to_bytes(4, "little") + text + zlib.compress(b"".join(body), 9)


def _scales(runs: Sequence[Baked], weights: tuple[float, float]) -> tuple[float, float]:
    """Return the largest entry and the largest singular value of the best S for C and tau."""
    of_weights = (run for run in runs if (run.experiment.C, run.experiment.tau) == weights)
    best = min(of_weights, key=lambda run: run.metrics[-1]["gap"])
    last = best.states[-1]
    return float(np.abs(last.S).max()), float(last.S_singular_values.max())


def header(path: Path = PATH) -> dict[str, Any]:
    """Return how the runs of a file were made and what they contain."""
    with path.open("rb") as file:
        return dict(json.loads(file.read(int.from_bytes(file.read(4), "little"))))


def main() -> None:
    """Solve the runs and write the file."""
    prepared = BASE.data.prepare()
    runs = [solve(experiment, prepared) for experiment in experiments()]
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(bake(runs))
    print(f"{len(runs)} runs, {PATH.stat().st_size / 1e3:.0f} kB in {PATH.name}")


if __name__ == "__main__":
    main()
