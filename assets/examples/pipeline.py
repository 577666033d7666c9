"""Use the machine with scikit-learn: scaling, a grid of settings, and flat data."""

from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from smmcore import MatrixScaler, SupportMatrixMachine

digits = load_digits(n_class=3)
X, y = digits.images[:150], digits.target[:150]

scaled = make_pipeline(MatrixScaler("z-score"), SupportMatrixMachine(C=0.1))
grid = {"supportmatrixmachine__tau": [0.01, 0.1, 1.0]}
search = GridSearchCV(scaled, grid, cv=3).fit(X, y)
print(f"matrices: {search.best_params_}, accuracy {search.best_score_:.3f}")

# Tools for flat data pass rows of 64 numbers on; `shape` says which matrices they are.
flat = X.reshape(len(X), -1)
machine = SupportMatrixMachine(C=0.1, tau=0.1, shape=(8, 8))
rows = make_pipeline(StandardScaler(), machine)
print(f"flat rows: accuracy {cross_val_score(rows, flat, y, cv=3).mean():.3f}")

# Principal components have no rows and columns: they are vectors, and one column has rank 1.
vectors = make_pipeline(PCA(20), SupportMatrixMachine(C=0.01))
print(f"vectors: accuracy {cross_val_score(vectors, flat, y, cv=3).mean():.3f}")
