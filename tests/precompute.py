"""Solve presets and store their runs in assets/runs.

    python -m tests.precompute          # all of them
    python -m tests.precompute rank     # those of one lesson, by the name of its folder

A run takes the place of the stored one when it is written; a stored run that no preset has goes.
With the same versions and kernels of BLAS, the file has the same bytes, but for the seconds of a
race.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment, constructor
from pages.shared.engine.frames import Frames
from pages.shared.engine.worker import advance

IMAGE_BYTES = 1_000_000  # of each run
ROOT = Path(__file__).parents[1]


class Preset(NamedTuple):
    """An experiment whose run is stored."""

    title: str
    lesson: str  # the folder of the lesson, or the shared module
    experiment: Experiment

    @property
    def command(self) -> str:
        """What solves it anew."""
        return f"python -m tests.precompute {self.lesson}"


def _presets() -> dict[str, Preset]:
    """Return what the modules of the app have precomputed, by title, each experiment once."""
    found: dict[Experiment, Preset] = {}
    for path in sorted((ROOT / "pages").rglob("*.py")):
        if "\nPRECOMPUTED" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            lesson = parts[-1] if "shared" in parts else parts[-2]
            for title, experiment in import_module(".".join(parts)).PRECOMPUTED.items():
                found.setdefault(experiment, Preset(title, lesson, experiment))
    return {preset.title: preset for preset in found.values()}


PRESETS = _presets()


def main(lessons: list[str]) -> None:
    """Solve the presets of some lessons, or of all."""
    known = sorted({preset.lesson for preset in PRESETS.values()})
    if unknown := set(lessons) - {*known}:
        raise SystemExit(f"name lessons among {', '.join(known)}, not {', '.join(unknown)}")
    for preset in PRESETS.values():
        if not lessons or preset.lesson in lessons:
            print(f"{preset.lesson}, {preset.title}: ", end="", flush=True)
            with threadpool_limits(1):  # as a worker has, so that another run writes the same file
                piece = advance(preset.experiment, None, 600.0)
            frames = Frames().with_slice(piece).within_bytes(IMAGE_BYTES)
            piece = piece._replace(images=frames.images)
            path = precomputed.save(preset.title, preset.experiment, piece)
            size = path.stat().st_size / 1e3
            print(f"{len(frames.metrics)} frames, {size:.0f} kB in {path.name}", flush=True)
    wanted = {constructor(preset.experiment) for preset in PRESETS.values()}
    for settings, path in precomputed.stored_paths().items():
        if settings not in wanted:
            path.unlink()
            print(f"removed {path.name}, which is the run of no preset")


if __name__ == "__main__":
    main(sys.argv[1:])
