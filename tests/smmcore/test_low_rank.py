from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from smmcore import AROM, LinearSVM, LowRankSVM, TwoDPCA
from smmcore.wolf.reweighting import elementwise_weighting, iterative_weighting
from smmcore.wolf.weighted_svm import WeightingProblem
from tests.smmcore.conftest import orthonormal, random_problem, seeds


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


@given(seeds, st.sampled_from([(6, 5), (9, 7)]))
def test_proposition_1_orthogonal_transformations_of_the_samples_transform_W(seed, size):
    problem = weighting_problem(seed % 100)
    rng = np.random.default_rng(seed)
    A, B = orthonormal(rng, size[0], 6), orthonormal(rng, size[1], 5)
    turned = WeightingProblem(A @ problem.X @ B.T, problem.y, problem.C)
    pairs = zip(iterative_weighting(problem), iterative_weighting(turned), strict=False)
    for one, two in islice(pairs, 8):
        error = np.linalg.norm(two.W - A @ one.W @ B.T)
        assert error <= 1e-6 * np.linalg.norm(one.W)


@pytest.mark.filterwarnings("ignore:.* found W = 0")  # where m = 1, no W may beat a constant
@given(seeds, st.integers(1, 3))
def test_proposition_2_samples_from_m_dimensional_spaces_give_rank_at_most_m(seed, m):
    rng = np.random.default_rng(seed)
    small = random_problem(seed % 100, n=30, shape=(m, m))
    X = orthonormal(rng, 6, m) @ small.X @ orthonormal(rng, 5, m).T
    for machine in (LinearSVM(10.0), LowRankSVM(10.0)):
        sigma = np.linalg.svd(machine.fit(X, small.y).coef_, compute_uv=False)
        assert (sigma[m:] <= 1e-12 * sigma[0]).all()


def test_where_it_converges_each_direction_that_is_kept_has_weight_one():
    # d_j + d_1 / 10 = 1: all diagonal terms that are not 0 are 10/11. This is their Figure 1.
    problem = weighting_problem(4, n=60, shape=(8, 7))
    for state in iterative_weighting(problem):
        if state.change <= 1e-10:
            break
    kept = state.diagonal[state.diagonal > 0.5]
    assert len(kept) < 7
    np.testing.assert_allclose(kept, 10 / 11, atol=1e-6)
    assert (state.diagonal[len(kept) :] <= 1e-6).all()


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


def test_two_d_pca_follows_transformations_of_columns_and_not_of_rows():
    # So the printed equality of its two rows in Table 1 needs another 2DPCA, or no A.
    problem = weighting_problem(7)
    rng = np.random.default_rng(7)
    A, B = orthonormal(rng, 6, 6), orthonormal(rng, 5, 5)
    fit = make_pipeline(TwoDPCA(3), AROM(10.0)).fit
    scores = fit(problem.X, problem.y).decision_function(problem.X)
    right, left = problem.X @ B.T, A @ problem.X
    same = fit(right, problem.y).decision_function(right)
    other = fit(left, problem.y).decision_function(left)
    np.testing.assert_allclose(same, scores, atol=1e-6)
    assert np.abs(other - scores).max() > 1e-2


def test_the_last_W_has_low_rank_in_its_weighted_coordinates_only():
    # What the paper reads off its Figure 1, a W of rank 2, is not the rank of the hyperplane.
    data = random_problem(8, n=60, shape=(8, 7))
    machine = LowRankSVM(10.0).fit(data.X, data.y)
    np.testing.assert_allclose(machine.diagonal_, [10 / 11] * 2 + [0] * 5, atol=1e-3)
    assert machine.singular_values_[-1] > 0.05 * machine.singular_values_[0]
    assert machine.rank_ == 7
