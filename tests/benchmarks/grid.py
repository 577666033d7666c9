"""Every cell of the grid, certified: python -m tests.benchmarks.grid [small] [large] [pairs].

A cell is "trivial" where W = 0 has as small a gap, and "rough" where the gap proves W itself only
to more than a twentieth of its size.
"""

import sys

import numpy as np

from smmcore.iterate import last, until
from smmcore.problems import Certificate, SMMProblem
from smmcore.solvers import fast_admm
from tests.benchmarks.cells import LARGE, PAIRS, SMALL, cells

DATA = {"small": SMALL, "large": LARGE, "pairs": PAIRS}  # pairs: any two of the ten digits
TOLERANCE, LIMIT, ROUGH = 1e-6, 500, 0.05


def certify(problem: SMMProblem, rho: float | str = "auto") -> tuple[int, Certificate]:
    """Algorithm 1 until the relative gap is 1e-6, or 500 iterations."""
    proved = ((s.k, s.certificate(problem)) for s in fast_admm(problem, rho=rho))
    return last(until(proved, lambda found: found[1].within(TOLERANCE), LIMIT))


def gap_of_zero(problem: SMMProblem, proof: Certificate) -> float:
    """The relative gap of W = 0: where it is small too, a certificate proves nothing."""
    zero = np.zeros(problem.shape[1:])
    P = problem.primal(zero, problem.best_intercept(zero))
    return (P - proof.dual) / P


def main(sizes: list[str]) -> None:
    header = ("data", "C", "tau / tau_max", "iterations", "rel. gap", "sqrt(2 gap)/|W|", "of W = 0")
    print("{:26} {:>6} {:>13} {:>10} {:>9} {:>15} {:>9}".format(*header))
    missed = trivial = rough = total = 0
    for data in (name for size in sizes for name in DATA[size]):
        for cell in cells(data):
            k, proof = certify(cell.problem)
            zero = gap_of_zero(cell.problem, proof)
            note = "" if proof.within(TOLERANCE) else "MISSED"
            if zero <= TOLERANCE:
                note += " trivial"
            elif proof.relative_radius > ROUGH:
                note += " rough"
            error = f"{proof.relative_radius:15.1e}" if proof.rank else f"{'W = 0':>15}"
            print(
                f"{data:26} {cell.C:6g} {cell.tau:>13} {k:10d} {proof.relative_gap:9.1e} "
                f"{error} {zero:9.1e} {note}",
                flush=True,
            )
            total += 1
            missed += "MISSED" in note
            trivial += "trivial" in note
            rough += "rough" in note
    print(f"{total} cells, {missed} missed, {trivial} trivial, {rough} of the others rough")


if __name__ == "__main__":
    main(sys.argv[1:] or ["small", "large"])
