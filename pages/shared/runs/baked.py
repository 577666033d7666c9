"""Runs that are solved already, in `assets/runs`: a class that opens a preset does not queue."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np

from pages.shared.films import film_of
from pages.shared.jobs import Slice
from pages.shared.recipes import Recipe
from smmcore.problems import SMMCertificate

FOLDER = Path(__file__).parents[3] / "assets" / "runs"


def path_of(recipe: Recipe) -> Path:
    """Return where the run of a recipe lies, if it is baked."""
    return FOLDER / f"{sha256(repr(recipe).encode()).hexdigest()[:16]}.npz"


def save(recipe: Recipe, piece: Slice) -> None:
    """Keep a whole run."""
    proof = {f"proof_{name}": value for name, value in asdict(piece.certificate).items()}
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(
        path_of(recipe),
        curves=piece.curves,
        pictures=piece.pictures,
        verdict=piece.verdict,
        **proof,
    )


def load(recipe: Recipe) -> Slice | None:
    """Return the whole run of a recipe, if it is there and shows what the film of today shows."""
    try:
        with np.load(path_of(recipe), allow_pickle=False) as file:
            arrays = dict(file)
    except FileNotFoundError:
        return None
    film = film_of(recipe)
    today = film.curves, film.pictures(*recipe.data.shape[1:])
    if (arrays["curves"].dtype, arrays["pictures"].dtype) != today:
        return None
    proof = {
        name.removeprefix("proof_"): value if value.ndim else value.item()
        for name, value in arrays.items()
        if name.startswith("proof_")
    }
    verdict = arrays["verdict"].item()
    return Slice(
        arrays["curves"], arrays["pictures"], None, SMMCertificate(**proof), verdict, seconds=0.0
    )
