"""The lesson on the trace norm: its experiments, what its texts claim, and its page."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.foundations.trace_norm import regression, runs
from pages.foundations.trace_norm.regression import LowRank
from pages.foundations.trace_norm.runs import (
    ESTIMATES,
    RecoveryRun,
    TraceNormPath,
    TraceNormRun,
    radius_arrays,
    recovery_arrays,
)
from smmcore import TraceNormRegressor
from smmcore.penalties import TraceNorm
from tests.pages.runs import run_to_the_end
from tests.pages.visit import figures, visit

SMALL = LowRank(n=40, p=6, q=5, rank=1)
TINY = LowRank(n=20, p=4, q=3, rank=1)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: LowRank(n=1), "n, the number of samples, must be at least 2"),
        (lambda: LowRank(p=3, rank=4), r"the rank of Theta\* must .* at most min\(p, q\) = 3"),
        (lambda: LowRank(noise=-1), "the noise must be at least 0 and at most 100, got -1"),
        (lambda: TraceNormRun(SMALL, 1.0, 1.0), "one of R and lambda must be given, got R = 1.0"),
        (lambda: TraceNormRun(SMALL, None), "one of R and lambda must be given, got R = None"),
        (lambda: TraceNormRun(SMALL, 0.0), "R, the bound of the nuclear norm, must be at least"),
        (lambda: TraceNormRun(SMALL, None, -1.0), "lambda, the weight of the nuclear norm, must"),
        (lambda: TraceNormPath(SMALL, steps=1), "the number of steps must be at least 2"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(build, sentence):
    with pytest.raises(ValueError, match=sentence):
        build()


def test_more_samples_are_added_to_those_there_are():
    few, many = SMALL.prepare(), replace(SMALL, n=70).prepare()
    for name in ("X", "y"):
        np.testing.assert_array_equal(getattr(many, name)[:40], getattr(few, name))
        np.testing.assert_array_equal(getattr(many, f"{name}_test"), getattr(few, f"{name}_test"))
    np.testing.assert_array_equal(many.truth, few.truth)


@pytest.mark.parametrize("steps", [{"radius": 0.8}, {"radius": None, "lam": 3.0}])
def test_the_run_ends_at_the_solution_of_the_estimator(steps):
    data = SMALL.prepare()
    end = run_to_the_end(TraceNormRun(SMALL, **steps, tol=1e-10))
    model = TraceNormRegressor(**{"lam": 1.0} | steps, fit_intercept=False, tol=1e-10)
    model.fit(data.X, data.y)
    assert end.metrics["rank"][-1] == model.rank_
    assert end.metrics["train"][-1] == pytest.approx(
        np.sqrt(np.mean((data.y - model.predict(data.X)) ** 2)), rel=1e-4
    )
    assert end.metrics["test"][-1] == pytest.approx(
        np.sqrt(np.mean((data.y_test - model.predict(data.X_test)) ** 2)), rel=1e-4
    )
    assert end.metrics["error"][-1] == pytest.approx(
        np.linalg.norm(model.coef_ - data.truth), rel=1e-3
    )


def test_accelerated_steps_end_where_plain_ones_end_and_sooner():
    plain, fast = (
        run_to_the_end(TraceNormRun(LowRank(), accelerated=fast)) for fast in (False, True)
    )
    assert (len(plain.metrics), len(fast.metrics)) == pytest.approx((237, 58), abs=2)  # as it says
    apart = np.linalg.norm(plain.certificate.theta - fast.certificate.theta)
    assert apart < 1e-2 * np.linalg.norm(fast.certificate.theta)
    assert plain.metrics["rank"][-1] == fast.metrics["rank"][-1]


@pytest.mark.parametrize("radius", [0.3, 0.8, 1.0])
def test_the_multiplier_of_the_bound_is_the_weight_with_the_same_solution(radius):
    found = runs.solve_forms(TraceNormRun(SMALL, radius))
    assert 0 < found.lam < found.lam_max
    # The gaps put the fitted values, and with n > p q Theta, at most so far from the solutions; the
    # error of lambda is as small, and moves Theta by less than itself.
    data = SMALL.prepare()
    least = np.linalg.svd(data.Phi, compute_uv=False)[-1]
    radius_of_gap = np.sqrt(2 * runs.FORMS_TOL * 0.5 * data.y @ data.y) / least
    assert found.distance < 3 * radius_of_gap
    assert found.size == pytest.approx(radius, abs=3 * np.sqrt(5) * radius_of_gap)


def test_a_bound_that_does_not_bind_has_no_weight():
    data = SMALL.prepare()
    found = runs.solve_forms(TraceNormRun(SMALL, 10.0))
    assert found.lam == 0
    least = np.linalg.lstsq(data.Phi, data.y)[0]  # n > p q: the minimum is one point
    assert found.size == pytest.approx(float(TraceNorm((6, 5)).value(least)), rel=1e-3)


def test_the_spectral_elastic_net_is_the_threshold_of_what_its_residuals_add_up_to():
    found = runs.solve_forms(TraceNormRun(SMALL, 0.8))
    shrunk = np.maximum(found.omega - found.lam, 0) / (2 * runs.SMM_ETA)
    np.testing.assert_allclose(found.net, shrunk, atol=1e-3)
    assert np.count_nonzero(found.net > 1e-12) == 1


@given(
    seed=st.integers(0, 10_000),
    tau=st.floats(0, 2),
    eta=st.floats(0, 2),
)
def test_the_elastic_net_of_singular_values_is_the_proximal_operator_of_both_terms(seed, tau, eta):
    rng = np.random.default_rng(seed)
    seen = regression.NoisyMatrix(rng.standard_normal((4, 3)), np.zeros((4, 3)))
    net = regression.apply_rules(seen, tau, eta, 1)[2]
    U, _, Vt = np.linalg.svd(seen.M, full_matrices=False)

    def value(Z):
        size = np.linalg.svd(Z, compute_uv=False).sum()
        return 0.5 * np.sum((Z - seen.M) ** 2) + tau * size + eta * np.sum(Z * Z)

    Z, other = (U * net.sigma) @ Vt, rng.standard_normal((4, 3))
    assert net.error == pytest.approx(np.linalg.norm(Z))
    # Strongly convex: the objective grows at least as the squared distance from the minimiser.
    growth = (0.5 + eta) * np.sum((other - Z) ** 2)
    assert value(other) >= value(Z) + growth - 1e-9


def test_hard_rank_keeps_the_largest_whole():
    seen = regression.noisy_matrix(SMALL)
    before, *_, hard = regression.apply_rules(seen, 0.1, 0.0, 2)
    np.testing.assert_array_equal(hard.sigma, [*before.sigma[:2], 0, 0, 0])


def test_the_mean_of_the_products_tends_to_the_truth():
    # Its entries have variances of at most (2 + noise^2) / n, for ||Theta*||_F = 1.
    data = LowRank(n=2_000, p=5, q=4, rank=1, noise=0.1)
    seen = regression.noisy_matrix(data)
    assert np.linalg.norm(seen.M - seen.truth) < 2 * np.sqrt(20 * 2.01 / 2_000)


def test_the_error_on_new_samples_is_that_of_theta_and_the_noise():
    data = LowRank(n=2_000, p=5, q=4, rank=1, noise=0.3).prepare()
    theta = data.truth.ravel() + 0.1
    expected = 20 * 0.1**2 + 0.3**2
    deviation = expected * np.sqrt(2 / 2_000)  # of the mean of squares of normal numbers
    assert data.rmse(theta)[0] ** 2 == pytest.approx(expected, abs=4 * deviation)


def test_the_mesh_lies_on_the_trace_ball_and_its_rims_are_the_matrices_of_rank_1():
    cylinder, norm = regression.trace_ball(), TraceNorm((2, 2))

    def matrices(points):
        a, b, c = np.moveaxis(points, -1, 0)
        return np.stack([a, b / np.sqrt(2), b / np.sqrt(2), c], axis=-1)

    np.testing.assert_allclose(norm.value(matrices(cylinder.mesh)), 1)
    for rim, place in zip(cylinder.rims, (2, 5), strict=True):
        np.testing.assert_allclose(norm.singular_values(matrices(rim))[:, 1], 0, atol=1e-12)
        np.testing.assert_allclose(cylinder.mesh[place], rim, atol=1e-12)
    ends = cylinder.mesh[[0, -1]]
    np.testing.assert_allclose(ends, np.multiply.outer([1, -1], np.tile([0.5, 0, 0.5], (73, 1))))


def test_the_path_holds_the_solution_at_each_r_and_the_truth_has_a_point():
    run = TraceNormPath(SMALL, steps=4)
    data, curves = SMALL.prepare(), run_to_the_end(run).metrics
    size = float(np.linalg.svd(data.truth, compute_uv=False).sum())
    assert curves["radius"][curves["at_truth"] == 1].tolist() == [size]
    for curve in curves[[0, 3]]:
        model = TraceNormRegressor(radius=float(curve["radius"]), fit_intercept=False)
        model.fit(data.X, data.y)
        assert curve["trace"] == pytest.approx(curve["radius"])
        assert curve["s1"] == pytest.approx(model.singular_values_[0], rel=1e-3)
    assert (np.diff(curves["train"]) <= 1e-9).all()
    assert (np.diff(curves["lam"]) <= 1e-6 * curves["lam"][0]).all()
    said = runs.describe_path(curves, SMALL)
    assert f"‖Θ*‖∗ = {size:.3f}" in said
    assert f"distance of {curves['error'].min():.3f}" in said


FEW = LowRank(n=20, p=6, q=5, rank=2, noise=0.3)


def test_where_r_does_not_bind_another_start_ends_at_another_solution():
    data, path = FEW.prepare(), TraceNormPath(FEW)
    curves = run_to_the_end(path).metrics
    from_zero = run_to_the_end(TraceNormRun(FEW, float(curves["radius"][-1]))).metrics[-1]
    # Neither has a training error, in units of what is fitted; the path has not gone on.
    for found in (curves[-1], from_zero):
        assert found["train"] < 2e-3 * np.sqrt(np.mean(data.y**2))
    assert from_zero["trace"] > 1.02 * curves["trace"][-1]
    first = curves[curves["trace"] < 0.999 * curves["radius"]][0]
    said = runs.describe_path(curves, FEW)
    assert f"From R = {first['radius']:.2f} on the bound does not bind: as n < p q, many Θ" in said
    assert f"of nuclear norm {first['trace']:.3f}" in said
    found = runs.solve_forms(TraceNormRun(FEW, 3.0))
    least = np.linalg.lstsq(data.Phi, data.y)[0].reshape(6, 5)  # where plain steps from 0 end
    assert f"with a nuclear norm of {np.linalg.norm(least, 'nuc'):.3f}" in (
        runs.describe_idle_bound(3.0, found, FEW)
    )


def test_with_samples_enough_a_bound_that_does_not_bind_leaves_least_squares():
    curves = run_to_the_end(TraceNormPath(SMALL)).metrics
    assert "does not bind: Θ is the least-squares solution" in runs.describe_path(curves, SMALL)
    assert "the sum of squares has its minimum inside" in (
        runs.describe_idle_bound(10.0, runs.solve_forms(TraceNormRun(SMALL, 10.0)), SMALL)
    )
    short = curves[curves["trace"] >= 0.999 * curves["radius"]]
    assert "bind" not in runs.describe_path(short, SMALL)


def test_of_equal_errors_the_first_point_is_named():
    exact = replace(SMALL, noise=0.0)
    curves = run_to_the_end(TraceNormPath(exact)).metrics
    said = runs.describe_path(curves, exact)
    assert "Nearest to Θ* is R = 1.00, at a distance of 0.000" in said  # ||Theta*||_tr = 1
    assert "the least test error, 0.000, is at R = 1.00" in said


def test_larger_r_helps_until_it_does_not_bind():
    ends = [run_to_the_end(TraceNormRun(LowRank(), R)).metrics[-1] for R in (1.2, 1.4, 2)]
    errors, ranks = ([end[name] for end in ends] for name in ("error", "rank"))
    assert errors[1] < errors[0] < 0.5 * errors[2]  # as the page says
    assert ranks[0] < ranks[1]
    assert ends[2]["trace"] < 2


def test_singular_values_fall_to_zero_as_the_run_goes_on():
    ranks = run_to_the_end(TraceNormRun(LowRank())).metrics["rank"]
    assert ranks[0] == 16  # all, after one step
    assert (np.diff(ranks) <= 0).all()
    assert ranks[-1] == 3


def test_of_full_rank_nothing_is_sparse():
    full = LowRank(n=12, p=4, q=3, rank=3)
    curves = run_to_the_end(RecoveryRun(full, steps=2)).metrics.copy()
    assert "has p q = 12 entries, as many as Θ*." in runs.describe_recovery(curves, full)
    assert "nor in its singular values" in runs.describe_recovery(curves, full)
    for errors in ((3, 2, 1), (3, 1, 2), (1, 2, 3)):  # of n = 8, 12 and 17
        curves["ls"] = errors
        assert "peak" not in runs.describe_recovery(curves, full)
    curves["ls"] = 1, 3, 2
    assert "peak" in runs.describe_recovery(curves, full)
    assert "peak" not in runs.describe_recovery(curves, replace(full, noise=0.0))


def test_low_rank_is_recovered_from_fewer_samples_than_entries():
    few = LowRank(n=60, p=10, q=8, rank=1, noise=0.0)  # of 80 entries
    curves = run_to_the_end(RecoveryRun(few, steps=2)).metrics
    at = curves[curves["own"] == 1][0]
    assert at["trace"] < 0.1
    assert min(at["ls"], at["l1"], at["l2"]) > 0.2
    assert [row["‖Θ − Θ*‖"] for row in runs.recovery_rows(curves)] == [
        at[name] for name in ESTIMATES
    ]
    assert "nuclear norm: n = " in runs.describe_recovery(curves, few)


PENALISED = "+ λ ‖Θ‖∗"
PATH, FEWER, BALL, NET = "Rank against R", "Fewer samples", "The ball", "Elastic net on σ"
QUERY = {  # TINY
    **{"trace_norm_n": "20", "trace_norm_p": "4", "trace_norm_q": "3"},
    **{"trace_norm_r": "1", "trace_norm_R": "0.8"},
}


def opened(contents, **query):
    """Open the page at an address, and wait for its runs."""
    visit(contents, "trace_norm", "trace norm", "beside", **QUERY | query)
    assert not contents.exception
    return contents


@pytest.mark.parametrize(
    ("picture", "kind", "label"),
    [
        (PATH, TraceNormPath, "All Θ of the path"),
        (FEWER, RecoveryRun, "The four Θ at n = 20"),
    ],
)
def test_page_opens_with_each_run_and_solves_it_again_for_who_asks_for_its_arrays(
    contents, picture, kind, label
):
    opened(contents, trace_norm_picture=picture)
    assert not contents.error
    assert not contents.get("plotly_chart")
    assert contents.session_state["beside"].experiment == kind(TINY)
    before = len(contents.get("download_button"))
    next(button for button in contents.button if button.label == label).click().run()
    assert not contents.exception
    assert len(contents.get("download_button")) == before + 2
    assert contents.session_state["wanted: smm_trace_norm_all"] == kind(TINY)


def test_arrays_of_the_path_are_its_solutions():
    run = TraceNormPath(SMALL, steps=4)
    curves, arrays = run_to_the_end(run).metrics, radius_arrays(run)
    np.testing.assert_array_equal(arrays["radius"], curves["radius"])
    errors = np.linalg.norm(arrays["Theta"] - arrays["truth"], axis=(1, 2))
    np.testing.assert_allclose(errors, curves["error"])


def test_arrays_of_the_estimates_are_those_at_the_lessons_own_n():
    run = RecoveryRun(SMALL, steps=2)
    curves, arrays = run_to_the_end(run).metrics, recovery_arrays(run)
    at = curves[curves["own"] == 1][0]
    for name in ESTIMATES:
        error = np.linalg.norm(arrays[f"Theta_{name}"] - arrays["truth"])
        assert error == pytest.approx(at[name])


def test_page_shows_both_forms_with_their_numbers_and_the_door(contents):
    opened(contents, trace_norm_picture=BALL)
    assert len(contents.get("plotly_chart")) == 2
    assert any(r"\mathcal D_\lambda(\Omega)" in latex.value for latex in contents.latex)
    assert any(link.proto.label == "**Meet the SMM** →" for link in contents.get("page_link"))
    assert contents.session_state["trace norm"].experiment.radius == 0.8
    assert any(r"R = 0.8000" in latex.value for latex in contents.latex)
    contents.segmented_control(key="trace_norm_form").set_value(PENALISED).run()
    experiment = contents.session_state["trace norm"].experiment
    found = runs.solve_forms(TraceNormRun(TINY, 0.8))
    assert experiment.radius is None
    assert experiment.lam == pytest.approx(found.lam)
    contents.segmented_control(key="trace_norm_step").set_value("plain").run()
    assert not contents.session_state["trace norm"].experiment.accelerated
    assert not contents.exception


def test_page_says_that_a_bound_does_not_bind(contents):
    opened(contents, trace_norm_R="3", trace_norm_form=PENALISED)
    assert "R = 3 does not bind" in contents.info[0].value
    assert contents.session_state["trace norm"].experiment.radius == 3.0


def test_page_refuses_a_rank_above_its_matrix_with_a_sentence(contents):
    opened(contents, trace_norm_r="6")
    assert "the rank of Theta* must be at least 1 and at most min(p, q) = 3" in (
        contents.error[0].value
    )


def test_the_dots_lie_on_the_lines_of_their_rules_which_follow_the_controls(contents):
    opened(
        contents,
        trace_norm_picture=NET,
        trace_norm_tau="0.3",
        trace_norm_eta="0.25",
        trace_norm_k="2",
    )
    (figure,) = figures(contents)
    thresholded = regression.apply_rules(regression.noisy_matrix(TINY), 0.3, 0.25, 2)
    for result, line, dots in zip(
        thresholded, figure["data"][::2], figure["data"][1::2], strict=True
    ):
        np.testing.assert_array_equal(dots["x"], thresholded[0].sigma)
        np.testing.assert_array_equal(dots["y"], result.sigma)
        step = line["x"][1]
        for x, y in zip(dots["x"], dots["y"], strict=True):
            near = np.abs(line["x"] - x) <= step
            assert line["y"][near].min() <= y <= line["y"][near].max()
    contents.select_slider(key="trace_norm_tau").set_value(0.0).run()
    contents.select_slider(key="trace_norm_eta").set_value(0.0).run()
    contents.number_input(key="trace_norm_k").set_value(3).run()
    table = contents.dataframe[-1].value
    assert np.ptp(table["‖Z − Θ*‖"]) < 1e-12  # nothing is taken away
    assert not contents.exception
