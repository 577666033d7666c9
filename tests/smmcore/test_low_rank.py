from itertools import islice

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from smmcore import LinearSVM, LowRankSVM, TwoDPCA
from smmcore.wolf.reweighting import elementwise_weighting, iterative_weighting
from smmcore.wolf.weighted_svm import WeightingProblem
from tests.smmcore.conftest import orthonormal, random_problem


def weighting_problem(seed, n=40, shape=(6, 5), C=10.0):
    data = random_problem(seed, n=n, shape=shape)
    return WeightingProblem(data.X, data.y, C)


def svm(X, y, C):
    """A linear SVM of scikit-learn's, tight."""
    machine = SVC(kernel="linear", C=C, tol=1e-10).fit(X.reshape(len(X), -1), y)
    return machine.coef_[0], machine.intercept_[0]


def eight_steps(X, y, C, passes):
    """Section 4.1, step for step, in loops; yields W and b of each SVM, the samples, and D."""
    N, n, m = X.shape
    X = X.copy()
    for _ in range(passes):
        w, b = svm(X, y, C)  # 1
        W = w.reshape(n, m)  # 2
        U, d, Vt = np.linalg.svd(W)  # 3
        V, D = Vt.T, np.zeros((n, m))
        for j in range(min(n, m)):
            D[j, j] = d[j]
        yield W, b, X.copy(), d
        X_uv = [U.T @ X[i] @ V for i in range(N)]  # 4
        D = D + D[0, 0] / 10  # 5
        for i in range(N):
            for j in range(n):
                for k in range(m):
                    X_uv[i][j, k] = X_uv[i][j, k] * D[j, k]  # 6
            X[i] = U @ X_uv[i] @ V.T  # 7


def test_it_is_the_eight_steps_as_printed():
    problem = weighting_problem(0)
    literal = eight_steps(problem.X, problem.y, problem.C, 6)
    for state, (W, b, X, d) in zip(iterative_weighting(problem), literal, strict=False):
        np.testing.assert_allclose(state.diagonal, d, atol=1e-6 * d[0])
        np.testing.assert_allclose(
            np.tensordot(problem.X, state.W) + state.b, np.tensordot(X, W) + b, atol=1e-6
        )


def test_arom_is_its_three_steps():
    problem = weighting_problem(1)
    X = problem.X.copy()
    for state in islice(iterative_weighting(problem, elementwise_weighting), 6):
        w, b = svm(X, problem.y, problem.C)
        scores = X.reshape(len(X), -1) @ w + b
        # Each pass multiplies what SVC's tolerance has left.
        np.testing.assert_allclose(np.tensordot(problem.X, state.W) + state.b, scores, atol=1e-5)
        X = X * np.abs(w).reshape(X.shape[1:])


def test_tensors_are_classified_and_follow_orthogonal_transformations_along_each_axis():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4, 3, 5))
    a, b, c = (rng.standard_normal(size) for size in X.shape[1:])
    y = np.sign(np.einsum("nijk,i,j,k->n", X, a, b, c))
    machine = LowRankSVM(10.0).fit(X[:50], y[:50])
    assert machine.coef_.shape == (4, 3, 5)
    assert machine.score(X[:50], y[:50]) > 0.95
    bases = [orthonormal(rng, size, size) for size in X.shape[1:]]
    turned = LowRankSVM(10.0).fit(np.einsum("nijk,ai,bj,ck->nabc", X[:50], *bases), y[:50])
    W = np.einsum("ijk,ai,bj,ck->abc", machine.coef_, *bases)
    assert np.linalg.norm(turned.coef_ - W) <= 1e-6 * np.linalg.norm(W)
    with pytest.raises(ValueError, match=r"shape \(n, 4, 3, 5\), got \(60, 4, 15\)"):
        machine.predict(X.reshape(60, 4, 15))
    with pytest.raises(ValueError, match=r"X must have shape \(n, p, q\) or \(n, p\)"):
        LinearSVM().fit(X, y)


def test_too_few_passes_warn_with_the_change_that_was_left():
    data = random_problem(6, n=40)
    with pytest.warns(ConvergenceWarning, match=r"W still changed by .* of itself in pass 2"):
        LowRankSVM(max_iter=2).fit(data.X, data.y)


def test_two_d_pca_projects_on_the_leading_axes_of_the_scatter():
    X = np.random.default_rng(0).standard_normal((30, 4, 6)) * np.arange(1, 7)
    pca = TwoDPCA(2).fit(X)
    G = sum((x - X.mean(axis=0)).T @ (x - X.mean(axis=0)) for x in X) / 30
    np.testing.assert_allclose(G @ pca.components_.T, pca.components_.T * pca.explained_variance_)
    np.testing.assert_allclose(pca.explained_variance_, np.linalg.eigvalsh(G)[:-3:-1])
    np.testing.assert_allclose(pca.transform(X), X @ pca.components_.T)
    with pytest.raises(ValueError, match="n_components must be at most q = 6, got 7"):
        TwoDPCA(7).fit(X)
    with pytest.raises(
        ValueError, match=r"X must have entries below 1e100, got .*e\+20\d: rescale"
    ):
        TwoDPCA(2).fit(X * 1e200)
