"""Robustness to noise: train four classifiers on clean samples, and test them on noisy ones."""

import numpy as np

from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.datasets import add_gaussian_noise, add_salt_and_pepper
from smmcore.path import tau_max
from smmcore.problems import SMMProblem
from smmcore.rivals.glm import GLMProblem

STRENGTHS = (0.31622776601683794, 1.0, 0.31622776601683794, 1.0)  # C in units of 1 / spread^2
SALT: float | None = None  # its value, or None: Gaussian noise
LEVELS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)

# %% Samples
from smmcore.datasets import make_block_correlated

X, y = make_block_correlated(360, (16, 20), 10, 0.01, rank=4, random_state=0)
X, X_test, y, y_test = X[:240], X[240:], y[:240], y[240:]

# %% Stronger regularisation: a smaller C, and a larger lambda and tau
base = SMMProblem(X, y, 1.0, 0.0)
C, share = np.array(STRENGTHS) / base.spread**2, (0.1 + 1e-10) / np.array(STRENGTHS)
tau, lam = share[3] * C[3] * tau_max(base, 1e-3), share[2] * GLMProblem(X, y, 1.0).lam_max()
bilinear = BilinearSVM(rank=4, C=C[1], fit_intercept=False, n_init=1, tol=1e-3, max_iter=20)
glm, smm = RegularizedGLM(lam, tol=1e-3), SupportMatrixMachine(C=C[3], tau=tau, tol=1e-4)
machines = [machine.fit(X, y) for machine in (LinearSVM(C=C[0]), bilinear, glm, smm)]

# %% The mean of ten draws of the noise, the same for all
print("noise  linear SVM  bilinear SVM  R-GLM  SMM")
salt = {} if SALT is None else {"salt": SALT}
add = add_salt_and_pepper if salt else add_gaussian_noise
for k, level in enumerate(LEVELS):
    rng = np.random.default_rng([0, k])
    draws = [add(X_test, level, rng, **salt) for _ in range(10)]
    right = [np.mean([machine.score(noisy, y_test) for noisy in draws]) for machine in machines]
    print("{:5g}  {:10.1%}  {:12.1%}  {:.1%}  {:.1%}".format(level, *right))
