"""The experiment of *Home*: W of each rank, learned from pictures of faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.bundled import Faces
from pages.shared.data.samples import Labelled
from pages.shared.engine.experiment import Experiment, Frame
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.path import solve_path, tau_grid, tau_max
from smmcore.problems import SMMProblem

TRAINED = 75  # pictures of each class, of 100; the others are new
EPS, TOLERANCE = 1e-6, 1e-8  # of the path


@dataclass(frozen=True)
class Stencils(Experiment):
    """An SMM of each rank, at the smallest tau on a path that gives this rank."""

    data: Faces
    C: float = 0.1
    points: int = 1000  # of the path: so many that no rank is missed

    def frames(self, prepared: Labelled, state: int | None = None) -> Iterator[Frame]:
        """Yield the classifiers, from rank 1 on."""
        X, y, new = split(prepared)
        problem = SMMProblem(X[~new], y[~new], self.C, 0.0)
        taus = tau_grid(tau_max(problem), EPS, self.points)
        problems = (problem.with_weights(tau=float(tau)) for tau in taus)
        path = zip(taus, solve_path(problems, tol=TOLERANCE), strict=True)
        last = {proof.rank: (tau, proof) for tau, proof in path if proof.rank}
        for done, rank in enumerate(sorted(last), 1):
            if done <= (state or 0):
                continue
            tau, proof = last[rank]
            decision = X[new].reshape(new.sum(), -1) @ proof.W.ravel() + proof.b
            right = accuracy(decision, y[new])
            metrics = {"rank": rank, "tau": tau, "b": proof.b, "right": right}
            yield Frame(done, metrics, {"W": proof.W}, proof, done == len(last))

    def summary(self, last: Frame) -> str:
        """Return how many classifiers there are."""
        return f"{last.state} machines, of the ranks 1 to {last.certificate.rank}."


FACES = Stencils(Faces())

PRECOMPUTED = {"Stencils for faces": FACES}


def split(faces: Labelled) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return the pictures, their labels -1 and +1 (a face), and which are new to the classifier."""
    y = np.where(faces.classes[faces.y] == "face", 1.0, -1.0)
    new = np.zeros(len(y), bool)
    for label in (-1.0, 1.0):
        new[np.flatnonzero(y == label)[TRAINED:]] = True
    return faces.X, y, new
