"""The solver in the browser proves what it finds: its gap bounds how far W is from W*."""

import numpy as np
import pytest

from tests.js.node import evaluate

SOLVE = """(problems) => problems.map(({ X, y, C, tau, m, start }) => {
    const samples = X.map((sample) => Float64Array.from(sample));
    const found = solveSMM({ X: samples, y: Float64Array.from(y), C, tau, m }, { start });
    const { primal, dual, gap, b, rank, steps, alpha, W } = found;
    return { primal, dual, gap, b, rank, steps, alpha: [...alpha], W: [...W] };
})"""


def random_problem(seed):
    """A problem as the pictures have them; every sixth one is an SVM."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(4, 15)), int(rng.integers(8, 58))
    positive = int(rng.integers(2, n - 1))
    y = np.where(np.arange(n) < positive, 1.0, -1.0)
    truth = rng.standard_normal((m, 2)) @ rng.standard_normal((2, m))
    X = rng.standard_normal((n, m, m)) + rng.uniform(0, 0.5) * y[:, None, None] * truth
    C = float(10 ** rng.uniform(-1.5, 1))
    height = np.linalg.norm(np.einsum("i,ijk->jk", y, X), 2)
    tau = 0.0 if seed % 6 == 0 else float(rng.uniform(0, 0.3) * min(C, 0.1) * height)
    return X, y, C, tau, m


def told(X, y, C, tau, m, start=None):
    samples = X.reshape(len(X), -1).tolist()
    return {"X": samples, "y": y.tolist(), "C": C, "tau": tau, "m": m, "start": start}


PROBLEMS = [random_problem(seed) for seed in range(30)]


@pytest.fixture(scope="module")
def solutions():
    return evaluate(["lib/smm"], SOLVE, [told(*problem) for problem in PROBLEMS])


@pytest.mark.parametrize("number", range(len(PROBLEMS)))
def test_solution_proves_itself(solutions, number):
    (X, y, C, tau, m), found = PROBLEMS[number], solutions[number]
    W, alpha, b = np.reshape(found["W"], (m, m)), np.array(found["alpha"]), found["b"]
    hinge = np.maximum(0, 1 - y * (np.einsum("nij,ij->n", X, W) + b)).sum()
    sigma = np.linalg.svd(W, compute_uv=False)
    primal = sigma @ sigma / 2 + tau * sigma.sum() + C * hinge
    omega = np.einsum("n,nij->ij", alpha * y, X)
    kept = np.maximum(np.linalg.svd(omega, compute_uv=False) - tau, 0)
    dual = alpha.sum() - kept @ kept / 2
    # Its own numbers are those of its W, b and alpha, which is allowed.
    assert primal == pytest.approx(found["primal"], rel=1e-11)
    assert dual == pytest.approx(found["dual"], rel=1e-11, abs=1e-11 * alpha.sum())
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(y @ alpha) <= 1e-12 * len(y) * C
    assert 0 <= found["gap"] <= 1e-10
    assert primal - dual >= -1e-11 * primal
    assert found["rank"] == np.count_nonzero(kept)


def test_warm_start_changes_nothing_where_a_sample_of_no_load_is_taken_out(solutions):
    warm, begun = [], []
    for (X, y, C, tau, m), found in zip(PROBLEMS, solutions, strict=True):
        alpha = np.array(found["alpha"])
        if not (alpha == 0).any():
            continue
        out = int(np.argmin(alpha))
        left = np.arange(len(y)) != out
        warm.append(told(X[left], y[left], C, tau, m, alpha[left].tolist()))
        begun.append(found)
    assert len(warm) >= 10
    for found, before in zip(evaluate(["lib/smm"], SOLVE, warm), begun, strict=True):
        assert found["W"] == before["W"]  # bit for bit
        assert found["steps"] == 0


def test_one_class_alone_has_no_weights_and_its_offset():
    X, _, C, tau, m = PROBLEMS[1]
    alone = [told(X, np.full(len(X), sign), C, tau, m) for sign in (1.0, -1.0)]
    found = evaluate(["lib/smm"], SOLVE, alone)
    assert not np.any([each["W"] for each in found])
    assert [each["b"] for each in found] == [1, -1]
    assert all(each["gap"] == each["primal"] == 0 for each in found)


def test_settings_at_their_ends_are_certified():
    X, y, _, _, m = PROBLEMS[1]
    ends = (1e-6, 0.5), (1e-3, 0.0), (1e3, 0.0), (1e3, 0.5), (1.0, 1e9)
    found = evaluate(["lib/smm"], SOLVE, [told(X, y, *end, m) for end in ends])
    assert max(each["gap"] for each in found) <= 1e-9
    assert not np.any(found[-1]["W"])
