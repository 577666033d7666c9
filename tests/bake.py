"""Solve the presets and keep their runs in assets/runs: python -m tests.bake"""

from pages.shared import jobs, presets
from pages.shared.runs import baked
from pages.shared.runs.frames import Frames

PICTURE_BYTES = 1_000_000  # of each run


def main() -> None:
    """Bake all."""
    for old in baked.FOLDER.glob("*.npz"):
        old.unlink()
    for name, recipe in presets.BAKED.items():
        piece = jobs.advance(recipe, None, 600.0)
        frames = Frames.none(recipe).extended(piece).thinned(PICTURE_BYTES)
        baked.save(recipe, piece._replace(pictures=frames.pictures))
        size = baked.path_of(recipe).stat().st_size
        print(f"{name}: {len(frames.curves)} iterations, {size / 1e3:.0f} kB. {piece.verdict}")


if __name__ == "__main__":
    main()
