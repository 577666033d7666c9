"""Table 2 of Xia and Fan: the hinge and the squared loss, cross-validated on two digits."""

import time
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold

from smmcore import LeastSquaresSMM, SupportMatrixMachine

DIGITS = (3, 8)
EVERY = 4  # of the exponents of 2, -8 to 8

# %% Samples
digits = load_digits()
rows = np.isin(digits.target, DIGITS)
X, y = digits.images[rows], digits.target[rows]
folds = [*StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)]

# %% Five folds at each C and tau; the best of many on the same samples looks too good
warnings.simplefilter("ignore")  # at a large tau W is 0
grid = 2.0 ** np.arange(-8, 9, EVERY)
print("classifier            accuracy  deviation       C     tau  as good  seconds")
for machine in (SupportMatrixMachine(), LeastSquaresSMM()):
    begin, scores = time.process_time(), {}
    for C, tau in ((C, tau) for C in grid for tau in grid[::-1]):
        machine.set_params(C=C, tau=tau)
        right = [machine.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]
        scores[C, tau] = np.mean(right), np.std(right)
    best = max(mean for mean, _ in scores.values()) - 1e-9
    good = [weights for weights, (mean, _) in scores.items() if mean >= best]
    mean, deviation = scores[good[0]]
    name, seconds = type(machine).__name__, time.process_time() - begin
    print(f"{name:20}  {mean:8.1%}  {deviation:9.1%}", "{:7.3g} {:7.3g}".format(*good[0]), end="  ")
    print(f"{len(good):2} of {len(scores):2}  {seconds:7.2f}")
