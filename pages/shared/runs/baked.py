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

PROOF = "proof"  # what the names of a certificate's arrays begin with
FOLDER = Path(__file__).parents[3] / "assets" / "runs"


def path_of(recipe: Recipe) -> Path:
    """Return where the run of a recipe lies, if it is baked."""
    return FOLDER / f"{sha256(repr(recipe).encode()).hexdigest()[:16]}.npz"


def save(recipe: Recipe, piece: Slice) -> None:
    """Keep a whole run."""
    several = isinstance(piece.certificate, dict)
    proofs = piece.certificate if several else {"": piece.certificate}  # a table has none
    arrays = {
        f"{PROOF}/{of}/{name}": value
        for of, proof in proofs.items()
        if proof
        for name, value in asdict(proof).items()
    }
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(
        path_of(recipe),
        curves=piece.curves,
        pictures=piece.pictures,
        verdict=piece.verdict,
        **arrays,
    )


def load(recipe: Recipe) -> Slice | None:
    """Return the whole run of a recipe, if it is there and shows what the film of today shows."""
    try:
        with np.load(path_of(recipe), allow_pickle=False) as file:
            arrays = dict(file)
    except FileNotFoundError:
        return None
    film = film_of(recipe)
    curves, pictures = arrays["curves"], arrays["pictures"]
    if (curves.dtype, pictures.dtype) != (film.curves, film.pictures(*recipe.data.shape[1:])):
        return None
    parts: dict[str, dict[str, object]] = {}
    for key, value in arrays.items():
        kind, *of_and_name = key.split("/")
        if kind == PROOF:
            of, name = of_and_name
            parts.setdefault(of, {})[name] = value if value.ndim else value.item()
    proofs = {of: SMMCertificate(**part) for of, part in parts.items()}
    certificate = proofs.get("", proofs) or None
    return Slice(curves, pictures, None, certificate, arrays["verdict"].item(), seconds=0.0)
