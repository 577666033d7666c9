"""Use the machine with scikit-learn: scaling, a grid of settings, and flat data."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from smmcore import MatrixScaler, SupportMatrixMachine

rng = np.random.default_rng(0)
W = np.outer(rng.standard_normal(12), rng.standard_normal(15))  # hidden, of rank 1
units = rng.uniform(0.1, 10, (12, 15))  # each entry has its own
X = units * rng.standard_normal((1120, 12, 15))
y = np.where(np.tensordot(X / units, W) > 0, "yes", "no")

scaled = make_pipeline(MatrixScaler("z-score"), SupportMatrixMachine(C=0.1))
grid = {"supportmatrixmachine__tau": [0.03, 0.3, 3.0]}
search = GridSearchCV(scaled, grid, cv=3).fit(X[:120], y[:120])
print(f"matrices: {search.best_params_}, accuracy {search.score(X[120:], y[120:]):.3f}")

# Tools for flat data pass rows of 180 numbers on; `shape` says which matrices they are.
flat = X.reshape(len(X), -1)
tau = search.best_params_["supportmatrixmachine__tau"]
machine = SupportMatrixMachine(C=0.1, tau=tau, shape=(12, 15))
rows = make_pipeline(StandardScaler(), machine).fit(flat[:120], y[:120])
print(f"the same from flat rows: accuracy {rows.score(flat[120:], y[120:]):.3f}")

# A classifier of vectors does not know which entries share a row or a column.
vectors = GridSearchCV(
    make_pipeline(StandardScaler(), LogisticRegression()),
    {"logisticregression__C": [0.001, 0.01, 0.1, 1.0]},
    cv=3,
).fit(flat[:120], y[:120])
print(f"logistic regression of vectors: accuracy {vectors.score(flat[120:], y[120:]):.3f}")
