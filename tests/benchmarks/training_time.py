"""Training time of four machines, as ratios to SMM: python -m tests.benchmarks.training_time.

The shape of Table 3 of the SMM paper. Each machine trains until its own certificate is at 1e-4 or
below, relative (of the bilinear SVM: its two halves), on one core, in seconds of the processor; the
linear SVM, whose last steps are exact, ends far below, and R-GLM may meet its limit of iterations
before: the gap that was reached is printed. "R-GLM slowest", as the table says, holds where lambda
is small.
"""

from time import process_time
from warnings import catch_warnings

from threadpoolctl import threadpool_limits

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.problems import GLMProblem
from tests.benchmarks.certified_time import samples

SIZES = [(200, 20, 25), (500, 40, 50)]
TOLERANCE = 1e-4
C = 0.1


def main() -> None:
    """Print the table."""
    print(f"{'data':18}{'n x p x q':>14}  {'machine':26}{'seconds':>8}{'ratio':>8}{'gap':>9}")
    for n, p, q in SIZES:
        for kind in ("unit block", "gauss"):
            X, y = samples(kind, n, p, q)
            top = GLMProblem(X, y, 1.0).lam_max()
            tau = 0.1 * LinearSVM(C=C).fit(X, y).singular_values_[0]
            machines = {
                "SMM": SupportMatrixMachine(C=C, tau=tau, tol=TOLERANCE),
                "linear SVM": LinearSVM(C=C, tol=TOLERANCE),
                "bilinear SVM, rank 4": BilinearSVM(4, C, n_init=1, tol=TOLERANCE),
                **{
                    f"R-GLM, lambda_max x {share:g}": RegularizedGLM(share * top, tol=TOLERANCE)
                    for share in (0.1, 0.01, 1e-3, 1e-4)
                },
            }
            base = None
            for name, machine in machines.items():
                begin = process_time()
                with catch_warnings(action="ignore"):  # the gap that was reached is printed
                    machine.fit(X, y)
                seconds = process_time() - begin
                base = base or seconds
                bilinear = isinstance(machine, BilinearSVM)
                gap = machine.stationarity_ if bilinear else machine.dual_gap_
                print(
                    f"{kind:18}{f'{n} x {p} x {q}':>14}  {name:26}{seconds:8.2f}"
                    f"{seconds / base:8.2f}{gap / machine.objective_:9.0e}",
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
