"""Scalings of random numbers, as saved machines hold them, and the files of machines."""

from pages.shared.parts.array_files import to_mat, to_npz
from smmcore.estimators.scaling import Scaling


def random_scaling(shape, kind, steps, rng):
    """A scaling of random numbers; `steps` are letters: gaps, left, right, each."""
    P, Q = shape
    p, q = P - ("l" in steps), Q - ("r" in steps)
    scaling = Scaling(
        unit_length=kind == "unit length",
        fill=rng.normal(size=(P, Q)) if "g" in steps else None,
        left=rng.normal(size=(p, P)) if "l" in steps else None,
        right=rng.normal(size=(Q, q)) if "r" in steps else None,
        each="e" in steps,
    )
    if kind == "z-score":
        scaling = scaling._replace(mean=rng.normal(size=(p, q)), deviation=rng.random((p, q)) + 0.5)
    return scaling, (p, q)


def machine_file(machine, suffix=".mat"):
    """The file in which a machine is saved."""
    write = to_mat if suffix == ".mat" else to_npz
    return write(machine.to_arrays())
