"""The films: cut anywhere they go on as if they had not been, and show what was solved."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import numpy as np
import pytest

from pages.effects.rank import runs as rank
from pages.effects.rank.runs import PathRun, PlaneRun, describe_path, path_arrays, path_panels
from pages.effects.rivals import runs as compare
from pages.effects.rivals.runs import RaceRun, SweepRun, scores_text
from pages.shared.algorithm1 import PLAIN, SMMRun, Step
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine import slices
from pages.shared.engine.slices import advance, get_prepared
from pages.shared.noise import choose_weights
from pages.shared.numbers import percent
from pages.shared.player.panels import NAMES_BY_COLOUR, Lines
from pages.smm.live.runs import LAGRANGIAN, SolverRace
from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.path import next_on_path
from smmcore.problems import GLMProblem, SMMProblem
from smmcore.theory import grouping_score

SPLIT = Split(BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2))
RACE = RaceRun(SPLIT, C=0.05, tau=0.3, lam=0.05, rank=2, tol=1e-5)
SOLVERS = SolverRace(
    SMMRun(SPLIT, C=0.1, tau=0.5), SMMRun(SPLIT, 0.1, 0.5, rho=1.0, algorithm=PLAIN)
)
PATH, PLANE = PathRun(SPLIT, C=0.1, points=9), PlaneRun(SPLIT, rows=2, columns=3)
WITH_RESTARTS = SMMRun(SPLIT, C=0.1, tau=0.5, rho=100.0)
SWEEP = SweepRun(SPLIT, points=3, rank=2)


@cache
def whole(run):
    """Return the whole run, computed once for all tests of this process."""
    return advance(run, None, 60.0)


def test_restart_is_where_the_residual_is_not_below_its_bar():
    curves = whole(WITH_RESTARTS).metrics[1:]
    assert 0 < curves["restarted"].sum() < len(curves)
    np.testing.assert_array_equal(curves["restarted"], curves["residual"] >= curves["bar"])
    np.testing.assert_array_equal(curves["restarted"], curves["excess"] >= 0)
    after = 1 + np.flatnonzero(curves["restarted"][:-1])
    assert not curves["restarted"][after].any()
    assert np.isinf(curves["bar"][after]).all()
    assert (curves["step"][after] == Step.AFTER_RESTART).all()


@pytest.mark.parametrize("kind", [partial(SMMRun, tau=0.2), partial(PathRun, points=41)])
def test_gap_is_not_below_0(kind):
    # P and D are the same up to rounding, and D may be the larger.
    data = Split(BlockCorrelated(n=10, p=2, q=2, groups=1, rank=1))
    assert (advance(kind(data, C=0.05), None, 60.0).metrics["gap"] >= 0).all()


def test_side_that_rests_restarts_no_more():
    curves = whole(WITH_RESTARTS).metrics
    record = curves["gap"] == np.minimum.accumulate(curves["gap"])
    end = curves[np.flatnonzero(record & (curves["restarted"] == 1))[-1]]
    # So that it ends with a restart, and the other one is not done yet.
    first = replace(WITH_RESTARTS, tol=float(end["gap"]), max_iter=int(end["k"]) + 20)
    race = SolverRace(first, replace(first, rho=1e5, algorithm=PLAIN))
    curves = advance(race, None, 60.0).metrics
    assert curves["steps_first"][-1] == end["k"] < len(curves)
    assert curves["restarted_first"][: end["k"] - 1].any()
    assert not curves["restarted_first"][end["k"] :].any()


def test_one_iteration_is_not_called_iterations():
    first, second = (replace(side, max_iter=1) for side in (SOLVERS.first, SOLVERS.second))
    assert advance(SolverRace(first, second), None, 60.0).summary == (
        "First: not certified after 1 iteration. Second: not certified after 1 iteration. "
        "Newton's method: not certified after 1 iteration."
    )


def test_the_race_ends_at_the_solutions_of_the_estimators():
    X, y, _ = SPLIT.load()
    held = SPLIT.parts()[1]
    end = whole(RACE).metrics[-1]
    lam = RACE.lam * GLMProblem(X, y, 1.0).lam_max()
    machines = {
        "smm": SupportMatrixMachine(C=RACE.C, tau=RACE.tau),
        "bsvm": BilinearSVM(rank=2, C=RACE.C, n_init=1),
        "rglm": RegularizedGLM(lam=lam),
        "lsvm": LinearSVM(C=RACE.C),
    }
    for name, machine in machines.items():
        machine.fit(X, y)
        score = grouping_score(machine.coef_, RACE.data.data.group_of_column)
        assert end[f"group_{name}"] == pytest.approx(score, abs=0.02), name
        assert end[f"train_{name}"] == pytest.approx(machine.score(X, y), abs=1.5 / len(y)), name
        accuracy = machine.score(held.X, held.y)
        assert end[f"held_{name}"] == pytest.approx(accuracy, abs=1.5 / len(held.y)), name
        assert end[f"gap_{name}"] <= RACE.tol
    assert end["steps_lsvm"] == 1  # its QP is solved once


def test_what_the_machines_share_is_made_before_the_clock_starts():
    slices._prepared.clear()
    problems = RACE.problems(get_prepared(SPLIT))
    assert "whole_gram" in vars(problems["smm"]._samples)
    assert problems["smm"].gram is problems["lsvm"].gram


def test_the_race_ends_with_the_proofs_of_its_pictures():
    piece = whole(RACE)
    assert list(piece.certificate) == list(NAMES_BY_COLOUR)
    for name, proof in piece.certificate.items():
        steps = np.rint(127 * proof.W / np.abs(proof.W).max())
        np.testing.assert_array_equal(piece.images[-1][f"W_{name}"], steps)
        assert max(proof.relative_gap, 0.0) == piece.metrics[-1][f"gap_{name}"]


def test_the_path_begins_at_zero_and_holds_the_solution_at_each_tau():
    piece = whole(PATH)
    X, y, _ = SPLIT.load()
    tau_max = SMMProblem(X, y, 0.1, 1.0).tau_max()
    assert piece.metrics["tau"][1] == pytest.approx(tau_max, rel=1e-3)
    assert piece.metrics["share"][[1, -1]].tolist() == pytest.approx([1, 1e-3])
    assert np.ptp(np.diff(np.log(piece.metrics["tau"]))) < 1e-9  # equal ratios: a log axis
    assert piece.metrics["rank"][:3].tolist() == [0, 0, 1]
    for curve in piece.metrics[[3, 8]]:
        machine = SupportMatrixMachine(C=0.1, tau=float(curve["tau"])).fit(X, y)
        assert curve["rank"] == machine.rank_
        assert curve["s1"] == pytest.approx(machine.singular_values_[0], rel=1e-2)
    assert piece.metrics["at_max"].tolist() == [0, 1, *[0] * 7]


def test_the_path_goes_on_from_zero_where_c_is_large():
    # W = 0 at tau_max, up to rounding, is no scale to begin the next solution from.
    data = BlockCorrelated(noise=0.01, seed=1)
    curves = advance(PathRun(Split(data), C=1e4, points=5), None, 60.0).metrics
    assert curves["s1"][:2].tolist() == [0, 0]
    assert curves["train"][0] == curves["train"][1]
    assert (curves["gap"] <= 1e-6).all()


def test_arrays_of_a_path_are_the_solutions_that_its_film_has_pictures_of():
    piece, arrays = whole(PATH), path_arrays(PATH)
    assert arrays["W"].shape == (9, 6, 8)
    np.testing.assert_array_equal(arrays["taus"], piece.metrics["tau"])
    np.testing.assert_array_equal(arrays["rank"], piece.metrics["rank"])
    np.testing.assert_array_equal(arrays["W"][-1], piece.certificate.W)
    assert arrays["b"][-1] == piece.certificate.b


def test_path_shows_no_singular_value_that_w_has_not():
    run = PathRun(Split(BlockCorrelated(n=10, p=2, q=2, groups=1, rank=1)), C=0.05, points=41)
    lines = [panel for panel in chain(*path_panels(run, True)) if isinstance(panel, Lines)]
    assert [len(panel.fields) for panel in lines] == [2, 1, 2]
    assert all(panel.marks[0].label == "τₘₐₓ" for panel in lines)


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ([0, 1, 1, 1], "**The rank is 1 to the end of this path.**"),
        ([0, 1, 2, 3], "The singular values appear one by one."),
        ([0, 1, 3, 2], "Up to 2 singular values appear between two points."),
    ],
)
def test_text_of_a_path_says_what_its_numbers_are(ranks, sentence):
    names = "tau", "rank", "train", "held"
    curves = np.zeros(4, [(name, float) for name in names])
    curves["rank"] = ranks
    curves["train"] = [0.5, 0.9, 0.8, 1.0]
    curves["held"] = [0.5, 0.9, 0.9, 0.9]
    said = describe_path(curves, curves["held"] > 0.8)
    assert said[0].startswith(sentence)
    assert ("falls as τ falls** at 1 of 4" in said[1]) == (ranks[-1] == 2)
    assert (
        said[2]
        == f"The training accuracy goes from {percent(0.5)} to {percent(1.0)} and falls at 1 "
        "of the points."
    )
    which = f"rank {ranks[1]}" if ranks[2] == 1 else f"ranks 1 to {max(ranks)}"
    assert f"3 of 4 points are within its standard error, of {which}." in said[3]


@pytest.mark.parametrize("run", [PATH, PLANE], ids=["path", "map"])
def test_solutions_that_miss_the_tolerance_are_not_called_proved(run, monkeypatch):
    monkeypatch.setattr(rank, "next_on_path", partial(next_on_path, max_iter=1))
    curves, *_, verdict, _ = advance(run, None, 60.0)
    count, loose = map(int, re.match(r"(\d+) solutions, all but (\d+) to a", verdict).groups())
    assert count == len(curves)
    assert 0 < loose < count
    if run is PATH:
        assert loose == np.count_nonzero(curves["gap"] > run.tol)


@pytest.mark.filterwarnings("ignore:.* found W = 0")  # at tau_max
def test_the_map_has_the_solution_in_each_cell():
    cells = whole(PLANE).metrics
    X, y, _ = SPLIT.load()
    spread2 = np.sum((X - X.mean(axis=0)) ** 2) / len(X)
    assert cells["C"].tolist() == np.repeat(PLANE.weights, 3).tolist()
    assert cells["share"].tolist() == np.tile(PLANE.shares, 2).tolist()
    for cell in cells[[0, 2, 4]]:
        C = float(cell["C"] / spread2)
        tau = float(cell["share"] * SMMProblem(X, y, C, 1.0).tau_max(1e-3))
        machine = SupportMatrixMachine(C, tau, tol=1e-4).fit(X, y)
        assert cell["rank"] == machine.rank_
        assert cell["train"] == pytest.approx(machine.score(X, y), abs=1.5 / len(y))


def test_the_sweep_weakens_the_regularisation_step_by_step():
    curves = whole(SWEEP).metrics
    assert (np.diff(curves["C"]) > 0).all()
    assert (np.diff(curves["lam"]) < 0).all()
    for name in NAMES_BY_COLOUR:
        assert curves[f"group_{name}"][0] > curves[f"group_{name}"][-1]
        assert curves[f"train_{name}"][-1] >= curves[f"train_{name}"][0]


def test_the_sweep_has_the_solutions_of_the_estimators_at_each_weight():
    curves = whole(SWEEP).metrics
    (X, y, _), held = SPLIT.parts()
    glm = GLMProblem(X, y, 1.0)
    groups = SPLIT.data.group_of_column
    for curve in curves:
        C, lam = float(curve["C"] / glm.spread**2), float(curve["lam"] * glm.lam_max())
        tau = 0.1 * LinearSVM(C=C).fit(X, y).singular_values_[0]
        machines = {
            "smm": SupportMatrixMachine(C=C, tau=tau, tol=1e-4, max_iter=500),
            "bsvm": BilinearSVM(rank=2, C=C, n_init=1, tol=1e-4, max_iter=100),
            "rglm": RegularizedGLM(lam=lam, tol=1e-4, max_iter=4_000),
            "lsvm": LinearSVM(C=C),
        }
        for name, machine in machines.items():
            machine.fit(X, y)
            score, train = grouping_score(machine.coef_, groups), machine.score(X, y)
            accuracy = machine.score(held.X, held.y)
            assert curve[f"group_{name}"] == pytest.approx(score, abs=0.03), name
            assert curve[f"train_{name}"] == pytest.approx(train, abs=1.5 / 42), name
            assert curve[f"held_{name}"] == pytest.approx(accuracy, abs=1.5 / 18), name


def test_the_sweep_says_at_how_many_weights_a_machine_came_to_its_limit(monkeypatch):
    assert whole(SWEEP).summary.endswith("within a relative gap of 10⁻⁴.")
    limits = compare.SWEEP_ITERATIONS
    monkeypatch.setitem(limits, "rglm", 30)  # more than a turn, less than it needs
    monkeypatch.setitem(limits, "smm", 1)
    piece = advance(SWEEP, None, 60.0)
    late = re.findall(r"the (\S+) at (\d) of them at its limit \((\d+) steps\)", piece.summary)
    assert {(name, limit) for name, _, limit in late} == {("SMM", "1"), ("R-GLM", "30")}
    assert all(1 <= int(weights) <= 3 for _, weights, _ in late)


def test_a_machine_that_finds_nothing_is_named():
    race = advance(replace(RACE, tau=100.0), None, 60.0)
    assert race.summary.endswith("W = 0: SMM.")
    assert np.isnan(race.metrics["group_smm"][-1])
    assert scores_text(race.metrics["group_smm"], race.metrics["rank_smm"]) == "W = 0"


def test_validation_takes_the_strongest_of_the_best_weights_and_sees_its_near_ties():
    held = {"smm": np.array([0.5, 0.9, 0.92, 0.92, 0.7]), "rglm": np.full(5, 0.5)}
    found = choose_weights("strongest of the best", held, 100)
    assert found == {"smm": (2, [1, 2, 3]), "rglm": (0, [0, 1, 2, 3, 4])}


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ([1, 2, 3], "0.100 to 0.900"),
        ([0, 2, 3], "0.500 to 0.900, W = 0 at 1"),
        ([0, 0, 0], "W = 0"),
    ],
)
def test_scores_are_written_as_a_range_and_a_zero_is_named(ranks, text):
    ranks = np.array(ranks)
    assert scores_text(np.where(ranks > 0, [0.1, 0.5, 0.9], np.nan), ranks) == text
    assert scores_text(np.full(3, np.nan), np.ones(3)) == "–"  # there is but one group


def test_machines_that_are_switched_off_are_not_computed():
    piece = advance(replace(RACE, methods=("smm",)), None, 60.0)
    assert [name for name in piece.metrics.dtype.names if "rglm" in name] == []
    assert piece.images.dtype.names == ("frame", "W_smm_scale", "W_smm")
    with pytest.raises(ValueError, match="the methods must be some of smm, bsvm, rglm, lsvm"):
        replace(RACE, methods=("svm",))


@pytest.mark.parametrize(
    "run",
    [RACE, SOLVERS, replace(SOLVERS, third=LAGRANGIAN)],
    ids=["race", "newton", "lagrangian"],
)
def test_the_script_prints_the_numbers_of_the_film(run, capsys):
    exec(compile(run.script(), "script", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    curves = whole(run).metrics
    if run is RACE:
        assert len(lines) == len(NAMES_BY_COLOUR)
        for line, name in zip(lines, NAMES_BY_COLOUR, strict=True):
            *_, group, _, _ = line.split()
            assert float(group) == pytest.approx(curves[-1][f"group_{name}"], abs=0.02)
    else:
        labels = {"first": run.first.label, "second": run.second.label, "third": run.third}
        for line, (contestant, label) in zip(lines, labels.items(), strict=True):
            name, steps, gap = re.match(r"(.*) (\d+) (\S+)$", line).groups()
            assert name == label
            end = curves[-1]
            assert int(steps) == end[f"steps_{contestant}"]
            assert float(gap) == end[f"gap_{contestant}"]
