"""Runs solved in advance, in `assets/runs`, so that a class that opens a preset need not wait."""

from __future__ import annotations

import re
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.engine.experiment import Experiment, constructor
from pages.shared.engine.worker import Slice

PROOF, KIND = "proof", "kind"  # prefix of the names of a certificate's arrays, and its class
KINDS = {  # the module of each class, which the runs of other lessons need not import
    "Certificate": "smmcore.problems",
    "SMMCertificate": "smmcore.problems",
    "WeightingCertificate": "smmcore.wolf.reweighting",
    "LSCertificate": "smmcore.sugiyama.regression",
}
FOLDER = Path(__file__).parents[3] / "assets" / "runs"


def save(name: str, experiment: Experiment, piece: Slice) -> Path:
    """Store a whole run under a name, together with its settings."""
    certificate: Any = piece.certificate
    proofs = certificate if isinstance(certificate, dict) else {"": certificate}  # a table has none
    for proof in filter(None, proofs.values()):
        if type(proof).__name__ not in KINDS:
            raise TypeError(f"a run with a {type(proof).__name__} cannot be stored yet")
    arrays = {
        f"{PROOF}/{of}/{field}": value
        for of, proof in proofs.items()
        if proof
        for field, value in (asdict(proof) | {KIND: type(proof).__name__}).items()
    }
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}.npz"
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        settings=constructor(experiment),
        metrics=piece.metrics,
        images=piece.images,
        summary=piece.summary,
        **arrays,
    )
    part.replace(path)
    return path


def is_stored(experiment: Experiment) -> bool:
    """Return whether `load` has to read a file."""
    return constructor(experiment) in _paths()


def load(experiment: Experiment) -> Slice | None:
    """Return the whole run of an experiment, or None if it was not solved in advance."""
    path = _paths().get(constructor(experiment))
    if path is None:
        return None
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    parts: dict[str, dict[str, Any]] = {}
    for key, value in arrays.items():
        kind, *of_and_field = key.split("/")
        if kind == PROOF:
            of, field = of_and_field
            parts.setdefault(of, {})[field] = value if value.ndim else value.item()
    proofs = {of: _read_proof(part.pop(KIND), part) for of, part in parts.items()}
    certificate = proofs.get("", proofs) or None
    return Slice(
        arrays["metrics"], arrays["images"], None, certificate, arrays["summary"].item(), 0.0
    )


def _read_proof(kind: str, part: dict[str, Any]) -> Any:
    """Return a certificate of a kind that can be stored."""
    return getattr(import_module(KINDS[kind]), kind)(**part)


@cache
def metrics(experiment: Experiment) -> NDArray[np.void]:
    """Return the metrics of a run that was solved in advance, for a number in a sentence."""
    piece = load(experiment)
    if piece is None:
        raise LookupError(f"{constructor(experiment)} is not stored")
    return piece.metrics


@cache
def _paths() -> dict[str, Path]:
    return stored_paths()


def stored_paths() -> dict[str, Path]:
    """Return the file of each run, by its settings."""
    paths = {}
    for path in FOLDER.glob("*.npz"):
        with np.load(path, allow_pickle=False) as file:
            paths[file["settings"].item()] = path
    return paths
