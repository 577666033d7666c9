"""Solve the presets and store their runs in assets/runs: python -m tests.precompute"""

from importlib import import_module
from pathlib import Path

from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment
from pages.shared.engine.frames import Frames
from pages.shared.engine.slices import advance

IMAGE_BYTES = 1_000_000  # of each run
ROOT = Path(__file__).parents[1]


def _precomputed() -> dict[str, Experiment]:
    """Return what the modules of the app have precomputed, by name, each experiment once."""
    found: dict[Experiment, str] = {}
    for path in sorted((ROOT / "pages").rglob("*.py")):
        if "\nPRECOMPUTED" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for title, experiment in import_module(name).PRECOMPUTED.items():
                found.setdefault(experiment, title)
    return {title: experiment for experiment, title in found.items()}


PRECOMPUTED = _precomputed()


def main() -> None:
    """Solve all of them."""
    for old in precomputed.FOLDER.glob("*.npz"):
        old.unlink()
    for name, experiment in PRECOMPUTED.items():
        piece = advance(experiment, None, 600.0)
        frames = Frames().with_slice(piece).within_bytes(IMAGE_BYTES)
        path = precomputed.save(name, experiment, piece._replace(images=frames.images))
        print(f"{path.name}: {len(frames.metrics)} frames, {path.stat().st_size / 1e3:.0f} kB.")
        print(f"  {piece.summary}")


if __name__ == "__main__":
    main()
