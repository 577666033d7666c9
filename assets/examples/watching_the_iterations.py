"""Watch a solver, stop it by a rule of your own, and go on from where it stopped."""

from itertools import islice

from smmcore import SupportMatrixMachine
from smmcore.datasets import make_block_correlated
from smmcore.problems import SMMProblem
from smmcore.solvers import fast_admm, newton, solve_to_gap

X, y = make_block_correlated(200, (20, 25), scaling="unit variance", random_state=0)
problem = SMMProblem(X, y, C=0.01, tau=1.0)

# A solver is an endless generator of states, and any state has a certificate.
race = zip(fast_admm(problem, rho="auto"), newton(problem), strict=False)
for one, two in islice(race, 0, 12, 2):
    gaps = one.certificate(problem).relative_gap, two.certificate(problem).relative_gap
    print(f"iteration {one.k}: relative gap {gaps[0]:.0e} of Algorithm 1, {gaps[1]:.0e} of Newton")

# A state is all that the next iteration needs. At another tau it is a warm start.
proof, state = solve_to_gap(problem, newton(problem), tol=1e-6, max_iter=100)
neighbour = problem.with_weights(tau=1.05)
_, cold = solve_to_gap(neighbour, newton(neighbour), 1e-6, 100)
_, warm = solve_to_gap(neighbour, newton(neighbour, start=state), 1e-6, 100)
print(f"iterations to 1e-6 at tau = 1.05: {cold.k} from the beginning, {warm.k} from tau = 1")

# An estimator shows its states too.
seen: list[int] = []
machine = SupportMatrixMachine(C=0.01, tau=1.0).fit(X, y, callback=lambda s: seen.append(s.k))
print(f"fit saw iterations {seen[0]} to {seen[-1]} and has a gap of {machine.dual_gap_:.1e}")
