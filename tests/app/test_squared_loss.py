"""Hinge or squared loss: its experiments, its pictures and its page."""

from __future__ import annotations

import io
import re
import warnings
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.exceptions import ConvergenceWarning

from pages.relatives.squared_loss import table_2
from pages.relatives.squared_loss.runs import LOSSES, BilevelRun, CrossValidationRun, LossRun
from pages.shared.algorithm1 import PRESETS
from pages.shared.data.bundled import FETCHERS, Digits
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.data.uploads import spool
from pages.shared.engine.slices import advance
from pages.shared.parts import downloads
from smmcore import LeastSquaresSMM, SupportMatrixMachine
from smmcore.experiments.least_squares import GRID, best_weights, resize
from smmcore.problems import LSSMMProblem
from smmcore.solvers import bilevel
from tests.app.visit import figures, link, players, visit

SPLIT = Split(BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2))
RACE = LossRun(SPLIT, C=0.1, tau=0.5)
THEIRS = BilevelRun(SPLIT, C=0.1, tau=0.5)
DRAWN = """\
import numpy as np

y = np.repeat([1, 7], 15)
X = np.random.default_rng(0).normal(size=(30, 3, 4)) + 0.3 * (y == 7)[:, None, None]
"""
exec(DRAWN, drawn := {})
TABLE = CrossValidationRun(spool(drawn["X"], drawn["y"], statements=DRAWN), (1, 7), every=16)
PAGE = "squared_loss"
ROOT = Path(__file__).parents[2]


def printed_by(script):
    text = io.StringIO()
    with redirect_stdout(text):
        exec(script, {})
    return text.getvalue().splitlines()


def metrics_of(line):
    """Return the metrics that an experiment's script prints for a frame."""
    return {name: float(value) for name, value in (part.split("=") for part in line.split())}


@pytest.mark.parametrize(
    ("kind", "arguments", "sentence"),
    [
        (LossRun, {"C": 0.0}, "C, the weight of the loss, must be at least"),
        (LossRun, {"tau": -1.0}, "tau, the weight of the nuclear norm, must be at least 0"),
        (BilevelRun, {"rho": 0.0}, "rho, the penalty of ADMM, must be at least"),
        (BilevelRun, {"unit": 0.0}, "the unit of the samples must be at least"),
        (BilevelRun, {"loss": "cubes"}, "the loss must be one of hinge, squares, got 'cubes'"),
    ],
)
def test_a_run_that_cannot_be_is_refused_with_a_sentence(kind, arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        kind(SPLIT, **arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"pair": (3, 8)}, r"the pair must be two of the classes 1, 7, got \(3, 8\)"),
        ({"pair": (1, 1)}, "the pair must be two"),
        ({"every": 3}, "the step of the exponents must divide 16, got 3"),
        ({"folds": 1}, "the number of folds must be at least 2"),
    ],
)
def test_a_cross_validation_that_cannot_be_is_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(TABLE, **arguments)


def test_the_race_ends_at_the_solutions_of_the_estimators():
    piece = advance(RACE, None, 60.0)
    (X, y, _), held = SPLIT.parts()
    end, painted = piece.metrics[-1], piece.images[-1]
    assert painted["W_hinge_scale"] == painted["W_squares_scale"]
    for loss, kind in (("hinge", SupportMatrixMachine), ("squares", LeastSquaresSMM)):
        machine = kind(C=0.1, tau=0.5).fit(X, y)
        proof = piece.certificate[loss]
        apart = np.sqrt(2 * machine.dual_gap_) + proof.radius
        assert np.linalg.norm(proof.W - machine.coef_) <= apart
        assert end[f"gap_{loss}"] <= 1e-6
        assert end[f"held_{loss}"] == pytest.approx(
            machine.score(held.X, held.y), abs=1.5 / len(held.y)
        )
        decision = np.tensordot(X, proof.W) + proof.b
        np.testing.assert_allclose(painted[f"margins_{loss}"], y * decision, rtol=1e-4, atol=1e-5)
        steps = np.rint(127 * proof.W / painted["W_hinge_scale"])
        assert np.abs(painted[f"W_{loss}"] - steps).max() <= 1


def test_the_answer_tells_what_the_preset_shows():
    hard, _ = PRESETS["Hard"]
    end = advance(LossRun(Split(hard.data), hard.C, hard.tau), None, 60.0).metrics[-1]
    held = [f"{100 * end[f'held_{loss}']:.1f}" for loss in LOSSES]
    assert "on *Hard* {} and {} %".format(*held) in (
        ROOT / "pages" / "relatives" / "squared_loss" / "page.py"
    ).read_text("utf-8")


def test_script_of_the_race_prints_its_numbers():
    piece = advance(RACE, None, 60.0)
    for line, loss in zip(printed_by(RACE.script()), ("hinge", "squares"), strict=True):
        _, steps, rank, primal, train, held = line.split()
        end = piece.metrics[-1]
        assert (int(steps), int(rank)) == (end[f"steps_{loss}"], end[f"rank_{loss}"])
        assert float(primal) == pytest.approx(piece.certificate[loss].primal, rel=1e-9)
        assert [float(train), float(held)] == [end[f"train_{loss}"], end[f"held_{loss}"]]


def test_the_algorithm_runs_past_its_own_rule_to_a_proof():
    piece = advance(THEIRS, None, 60.0)
    X, y, _ = SPLIT.load()
    problem = LSSMMProblem(X, y, 0.1, 0.5)
    states = list(islice(bilevel(problem, rho=1.1), len(piece.metrics)))
    assert piece.metrics["difference"].tolist() == [at.largest_difference for at in states]
    (stop,) = np.flatnonzero(piece.metrics["stops"])
    assert stop == np.flatnonzero(piece.metrics["difference"] < 1e-3)[0]
    assert piece.metrics["gap"][-1] <= 1e-6 < piece.metrics["gap"][-2]
    assert f"stop after {stop + 1} iterations" in piece.summary


@pytest.mark.parametrize("experiment", [RACE, THEIRS], ids=["race", "theirs"])
def test_script_of_a_stopped_run_goes_as_far_as_the_run(experiment):
    piece = advance(experiment, None, 0.0)
    run = downloads._limit_to_frames(
        SimpleNamespace(experiment=experiment, status="stopped", frames=piece)
    )
    assert run == replace(experiment, max_iter=1)
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        lines = printed_by(run.script())
    if experiment is RACE:
        assert [line.split()[1] for line in lines] == ["1", "1"]
    else:
        numbers = metrics_of(lines[0])
        assert (numbers["k"], len(lines)) == (1, 2)
        assert numbers["difference"] == pytest.approx(piece.metrics["difference"][0], rel=1e-5)


@pytest.mark.parametrize("loss", ["squares", "hinge"])
def test_the_printed_sign_leaves_the_axis_and_the_corrected_one_the_same_model(loss):
    corrected, lost = (
        advance(replace(THEIRS, loss=loss, printed=printed), None, 60.0)
        for printed in (False, True)
    )
    other = advance(RACE, None, 60.0).certificate[loss]
    apart = corrected.certificate.radius + other.radius
    assert np.linalg.norm(corrected.certificate.W - other.W) <= apart
    assert lost.summary.startswith("Diverged: ‖S‖ is beyond 1e+12 after")
    size = lost.metrics["S_norm"]
    assert size[-1] > 1e12 > size[-2]
    assert size[-1] / size[-2] == pytest.approx(2, abs=1e-3)  # Lambda doubles, S with it
    assert lost.metrics["W_norm"][-1] < 10 * np.linalg.norm(other.W)  # W rests, at a wrong place
    assert not lost.metrics["stops"].any()


def test_a_printed_step_is_the_one_of_the_printed_sign():
    X, y, _ = SPLIT.load()
    run = replace(THEIRS, printed=True)
    states = run.states(LSSMMProblem(X, y, 0.1, 0.5))
    for before, at in zip(islice(states, 5), islice(states, 5), strict=True):
        wrong = before.Lambda - run.rho * (before.S - before.W)
        np.testing.assert_allclose(at.Lambda, wrong, rtol=1e-9, atol=1e-12)


def test_the_unit_moves_the_rule_along_a_gap_that_stays():
    one, other = (advance(replace(THEIRS, unit=unit), None, 60.0) for unit in (1.0, 255.0))
    n = min(len(one.metrics), len(other.metrics))
    gaps = one.metrics["gap"][:n], other.metrics["gap"][:n]
    np.testing.assert_allclose(*gaps, rtol=1e-3, atol=1e-9)
    np.testing.assert_allclose(
        one.metrics["W_norm"][:n], 255 * other.metrics["W_norm"][:n], rtol=1e-6
    )
    assert np.argmax(one.metrics["stops"]) > np.argmax(other.metrics["stops"])


@pytest.mark.parametrize("printed", [False, True])
def test_script_of_the_algorithm_prints_its_numbers(printed):
    run = replace(THEIRS, printed=printed, unit=10.0)
    *lines, summary = printed_by(run.script())
    piece = advance(run, None, 60.0)
    said = [metrics_of(line) for line in lines]
    assert len(said) == len(piece.metrics)
    for name in piece.metrics.dtype.names:
        ours = [numbers[name] for numbers in said]
        np.testing.assert_allclose(ours, piece.metrics[name], rtol=1e-5, atol=1e-13)
    assert summary == piece.summary


def test_the_cross_validation_is_that_of_the_experiment():
    piece = advance(TABLE, None, 60.0)
    weights = [(C, tau) for C in GRID[::16] for tau in GRID[::-16]]
    assert piece.metrics[["C", "tau"]].tolist() == weights == TABLE.weights
    said = {line.split()[0]: line.split()[1:4] for line in printed_by(TABLE.script())}
    for loss, name in LOSSES.items():
        best = best_weights(piece.certificate, name)
        assert piece.metrics[f"accuracy_{loss}"].max() == best.accuracy
        assert said[name] == [str(best.accuracy), str(best.deviation), str(best.as_good)]


def faces_of(people, shape=(32, 32)):
    """The bytes of a file with random faces."""
    faces = np.random.default_rng(0).integers(0, 256, (len(people), *shape)).astype(np.uint8)
    file = io.BytesIO()
    savemat(file, {"X": faces, "gnd": people[:, None]})
    return faces, file.getvalue()


def test_faces_are_read_and_made_small():
    people = np.repeat(np.arange(1, 41), 10)
    faces, file = faces_of(people)
    made = table_2.read_faces("faces.mat", file)
    assert made.shape == (400, 14, 12)
    X, y, classes, *_ = made.prepare()
    np.testing.assert_allclose(X, resize(faces / 255, (14, 12)), atol=1e-12)
    assert classes[y].tolist() == people.tolist()
    assert CrossValidationRun(made, (3, 8)).data is made


def test_samples_that_cannot_be_the_faces_are_refused():
    _, file = faces_of(np.repeat(np.arange(1, 21), 20), (6, 6))
    with pytest.raises(ValueError, match=r"400 faces of 40 people, got 400 matrices of 20 classes"):
        table_2.read_faces("objects.mat", file)


def opened(contents, **query):
    """Open the page at an address, and wait for both of its runs."""
    return visit(contents, PAGE, "losses", "bilevel", **query)


def test_losses_are_drawn_with_the_samples_on_them(contents):
    opened(contents)
    (figure,) = figures(contents)
    images = contents.session_state["losses"].frames.images[-1]
    highest = 0.0
    for curve, loss, of_margin in zip(
        figure["data"],
        ("hinge", "squares"),
        (lambda m: np.maximum(1 - m, 0), lambda m: (1 - m) ** 2 / 2),
        strict=True,
    ):
        samples = np.flatnonzero(curve["marker"]["size"])
        assert curve["x"][samples].tolist() == sorted(images[f"margins_{loss}"].tolist())
        losses = of_margin(curve["x"][samples])
        np.testing.assert_array_equal(curve["y"][samples], losses)
        highest = max(highest, losses.max())
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 0 < highest < high < 1.25 * highest


def test_page_opens_with_both_runs_and_their_numbers(contents):
    opened(contents)
    assert not contents.exception
    assert not contents.error
    assert len(players(contents)) == 2
    assert contents.session_state["losses"].status == "finished"
    assert len(contents.get("plotly_chart")) == 1
    said = " ".join(block.value for block in contents.markdown)
    assert re.search(r"LS-SMM has \d+ of its 140 samples: .* pay \d+% of the squared loss", said)
    race = contents.session_state["losses"]
    P, share, power = re.search(
        r"P = (\S+), .* P - D = (\S+) \\cdot 10\^\{(\S+)\}\\, P",
        " ".join(block.value for block in contents.latex),
    ).groups()
    proof = race.frames.certificate["squares"]
    assert float(P) == pytest.approx(proof.primal, rel=1e-3)
    assert float(f"{share}e{power}") == pytest.approx(proof.relative_gap, rel=0.01)
    apart, most = re.search(r"race‖ = (\S+) in .* allow (\S+)\. ", said).groups()
    assert float(apart) <= float(most)
    contents.segmented_control(key="guess-squares").set_value("It hardly changes").run()
    assert "96.7 % right" in " ".join(block.value for block in contents.markdown)
    end = contents.session_state["losses"].frames.metrics[-1]
    assert [f"{end[f'held_{loss}']:.1%}" for loss in LOSSES] == ["96.7%", "96.7%"]


def test_the_printed_sign_is_shown_to_diverge(contents):
    opened(contents, sign="as printed", loss="hinge", rho_bp="3", unit="10")
    run = contents.session_state["bilevel"]
    assert (
        run.experiment.printed,
        run.experiment.loss,
        run.experiment.rho,
        run.experiment.unit,
    ) == (
        *(True, "hinge"),
        *(3.0, 10.0),
    )
    assert run._job.message.startswith("Diverged")
    assert not any("of the race‖ =" in block.value for block in contents.markdown)


def test_table_is_computed_on_request_and_comes_back_with_its_link(contents, other):
    opened(contents, two="digits 1, 7", grid="5 x 5")
    assert "table 2" not in contents.session_state
    contents.toggle(key="squared_loss_table").set_value(True).run()
    run = contents.session_state["table 2"]
    assert run.experiment == CrossValidationRun(Digits((1, 7)), (1, 7), 4)
    run.wait(30)
    contents.session_state["table 2"].stop()
    contents.run()
    assert not contents.exception
    assert {f"machine {name}" for name in ("SMM", "LS-SMM")} == {
        f"machine {name}" for name in contents.dataframe[-2].value["machine"]
    }
    opened(other, **link(contents))
    assert other.session_state["table 2"].experiment == run.experiment
    other.session_state["table 2"].stop()


def test_faces_that_cannot_be_fetched_get_a_sentence_that_stays(contents, monkeypatch):
    def offline():
        raise OSError("The Olivetti faces could not be fetched")

    monkeypatch.setitem(FETCHERS, "Olivetti faces", offline)
    opened(contents, two="ORL 3, 8")
    next(button for button in contents.button if button.label == "Fetch them").click().run()
    assert contents.run().error[0].value == "The Olivetti faces could not be fetched."
    X, people = np.random.default_rng(0).random((20, 64, 64)), np.repeat([2, 7], 10)
    monkeypatch.setitem(FETCHERS, "Olivetti faces", lambda: spool(X, people))
    next(button for button in contents.button if button.label == "Fetch them").click().run()
    assert not contents.error
    assert "Fetch them" not in {button.label for button in contents.button}
    contents.toggle(key="squared_loss_table").set_value(True).run()
    run = contents.session_state["table 2"]
    assert run.experiment.data.classes == (3, 8)  # numbered from 1
    run.stop()


def test_faces_wait_for_who_brings_them_and_are_compared_with_what_is_printed(contents):
    opened(contents, two="ORL 5, 1", table="true")
    assert not contents.exception
    assert "table 2" not in contents.session_state
    assert contents.toggle(key="squared_loss_table").value  # the link still says so
    rng = np.random.default_rng(0)
    people = np.repeat([4, 0], 10)
    X = rng.normal(size=(20, 14, 12)) + (people == 4)[:, None, None]
    contents.session_state["fetched"] = {"Olivetti faces": spool(X, people)}
    contents.run()
    contents.session_state["table 2"].wait(30)
    contents.session_state["table 2"].stop()
    contents.run()
    table = contents.dataframe[-2].value
    assert list(table["printed"]) == ["96.25% ± 2.5%", "100% ± 0%"]
    contents.segmented_control(key="squared_loss_two").set_value("ORL 3, 8").run()
    assert "two of the classes 1, 5" in contents.error[0].value


def test_readme_has_the_figures_of_the_page():
    told = re.findall(
        r"^\| (\(\d, \d\)) \| (.*) \|$",
        (ROOT / "tests" / "benchmarks" / "README.md").read_text(encoding="utf-8"),
        re.M,
    )
    cells = {pair: row.split(" | ") for pair, row in told}
    for row in table_2.orl_rows():
        pair, smm, ours, squares, ours_too, ratio, our_ratio = row.values()
        written = cells[pair]
        assert [f"{each}%" for each in (written[1], written[3])] == [ours, ours_too]
        assert [written[4], written[5]] == [ratio, our_ratio]
        printed = [float(each.rstrip("%")) for each in (smm, squares)]
        assert [float(written[0]), float(written[2])] == pytest.approx(printed, abs=0.051)
