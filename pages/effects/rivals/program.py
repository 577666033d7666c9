"""The SMM and its rivals: four classifiers, from strong penalties to weak."""

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.problems import SMMProblem
from smmcore.rivals.glm import GLMProblem

TAU = 0.1  # of the SMM, in units of the linear SVM's largest singular value
RANK = 4  # of the bilinear SVM

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(60, (6, 8), random_state=0)
X, X_test, y, y_test = X[::2], X[1::2], y[::2], y[1::2]

# %% C in units of 1 / spread^2, and lambda in units of its largest value
spread, lam_max = SMMProblem(X, y, 1.0, 0.0).spread, GLMProblem(X, y, 1.0).lam_max()
print("C s^2    classifier            rank  held-out accuracy")
for c, lam in ((0.1, 0.5), (1.6, 0.034), (10.0, 0.0022), (100.0, 1.5e-4), (1000.0, 1e-5)):
    C = c / spread**2
    svm = LinearSVM(C=C).fit(X, y)
    machines = [
        SupportMatrixMachine(C=C, tau=TAU * svm.singular_values_[0]).fit(X, y),
        BilinearSVM(rank=RANK, C=C, fit_intercept=False, n_init=1, tol=1e-3, random_state=0),
        RegularizedGLM(lam=lam * lam_max, tol=1e-4, max_iter=2_000),
        svm,
    ]
    for machine in machines:
        accuracy = machine.fit(X, y).score(X_test, y_test)
        print(f"{c:<7g}  {type(machine).__name__:20}  {machine.rank_:4}  {accuracy:.4f}")
