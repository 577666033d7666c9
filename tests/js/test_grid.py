"""The runs that *Watch the algorithm* has solved in advance, as the player's JavaScript reads them.

Counts, decisions and ranks of all runs were equal with three kernels of OpenBLAS, and the ratios
agreed to 5e-9: rounding decides nothing here. One sample may lie on the plane of a W.
"""

import base64

import numpy as np
import pytest

from pages.shared.algorithm1 import Step
from pages.shared.engine.experiment import constructor
from pages.shared.packed import read_header
from pages.smm.live.grid import BASE, KNOBS, LEVELS, LONGEST, PATH, experiments, solve
from tests.js.node import evaluate

MODULES = "lib/protocol", "player/grid", "player/decisions"
READ = """async (file) => {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const grid = await readGrid(bytes.buffer);
    const { C, tau, rho, eta } = grid.knobs;
    const runs = C.flatMap((C) => tau.flatMap((tau) => rho.flatMap((rho) => eta.map((eta) => {
        const run = gridRun(grid, { C, tau, rho, eta });
        const last = run.images.at(-1);
        const told = (_, frame) => decide({ ...run, over: true }, frame, { tol: 1e-6, eta });
        return {
            ...{ metrics: run.metrics, count: run.count, over: run.over, turn: turnOfRho(run) },
            ...{ words: run.metrics.k.map(told), frames: run.images.map(({ frame }) => frame) },
            ...{ W: [...read(last, "W")], S: [...read(last, "S")] },
            scale: read(last, "W_scale")[0] / 127,
        };
    }))));
    return runs;
}"""
RUNS = list(experiments())
OPENING = {"C": 0.05, "tau": 0.2, "rho": 0.01, "eta": 0.999}


@pytest.fixture(scope="module")
def baked():
    """The decoded runs, by their knobs."""
    runs = evaluate(MODULES, READ, base64.b64encode(PATH.read_bytes()).decode())
    return {knobs(run): decoded for run, decoded in zip(RUNS, runs, strict=True)}


def knobs(run):
    return tuple(getattr(run, name) for name in KNOBS)


def test_file_names_the_experiment_and_the_grid():
    """So a change of either shows that the runs have to be solved again."""
    header = read_header(PATH)
    assert header["experiment"] == constructor(BASE)
    assert header["knobs"] == {name: list(values) for name, values in KNOBS.items()}
    assert PATH.stat().st_size < 1_300_000


@pytest.mark.parametrize("number", [5, 105, 110, 131, 134, 242])
def test_baked_run_is_what_the_solver_finds(baked, number):
    """Equal decisions and ranks; all other numbers are rounded to single precision.

    The gap is a difference of two nearly equal numbers, and the quadratic programmes end at a
    violation of 1e-10: between kernels of OpenBLAS it differs by 6e-5 of itself.
    """
    run = RUNS[number]
    fresh, decoded = solve(run, run.data.prepare()), baked[knobs(run)]
    metrics = decoded["metrics"]

    def found(name):
        return np.array([step[name] for step in fresh.metrics])

    for name in ("k", "step", "restarted", "rank"):
        np.testing.assert_array_equal(metrics[name], found(name))
    np.testing.assert_allclose(metrics["fit"], found("fit"), atol=1.001 / run.data.n)
    for name in ("apart", "moved", "gap", "ratio", "momentum", "residual"):
        rtol = 2e-3 if name == "gap" else 1e-6
        np.testing.assert_allclose(metrics[name], found(name), rtol=rtol, atol=1e-9)
    assert decoded["frames"] == [state.k - 1 for state in fresh.states]
    limit = 127 * decoded["scale"]
    for name in ("W", "S"):
        shown = np.clip(getattr(fresh.states[-1], name), -limit, limit).ravel()
        error = np.abs(decoded["scale"] * np.array(decoded[name]) - shown).max()
        assert error < 0.51 * decoded["scale"]
    assert 127 * decoded["scale"] == pytest.approx(127 / LEVELS * scale_of(run), rel=1e-5)


def scale_of(run):
    return read_header(PATH)["runs"][RUNS.index(run)][1]


def test_points_of_restarts_lie_above_the_line_and_all_others_below(baked):
    """Where c(k) is compared: that is, but for the first step and the one after a restart."""
    for (*_, eta), run in baked.items():
        compared = np.isin(run["metrics"]["step"], [Step.ACCELERATE, Step.RESTART])
        ratio, restarted = (np.array(run["metrics"][name]) for name in ("ratio", "restarted"))
        np.testing.assert_array_equal(ratio[compared] >= eta, restarted[compared] == 1)


def test_rho_that_a_run_advises_is_better(baked):
    """One notch that way: certified after fewer steps, or a smaller gap."""
    advised = 0
    for (C, tau, rho, eta), run in baked.items():
        if run["metrics"]["gap"][-1] <= BASE.tol or not run["turn"]:
            continue
        notch = {"larger": 1, "smaller": -1}[run["turn"]]
        place = KNOBS["rho"].index(rho) + notch
        assert 0 <= place < len(KNOBS["rho"])
        other = baked[C, tau, KNOBS["rho"][place], eta]
        assert outcome(other) < outcome(run), (C, tau, rho, eta)
        assert f"try a {run['turn']} ρ" in run["words"][-1]["text"]
        advised += 1
    assert advised > 100


def test_groove_of_rho_holds_the_steps_of_the_runs(baked):
    along = """async (file, values) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        return stepsAlong(await readGrid(bytes.buffer), "rho", values);
    }"""
    found = dict(evaluate(MODULES, along, base64.b64encode(PATH.read_bytes()).decode(), OPENING))
    assert [found[rho] for rho in (0.01, 0.1, 1.0, 10.0, 100.0)] == [321, 75, 22, 35, 200]
    for run, steps in zip(RUNS, read_header(PATH)["steps"], strict=True):
        decoded = baked[knobs(run)]
        assert decoded["count"] == min(steps or LONGEST, run.max_iter)
        assert decoded["over"] == (steps == decoded["count"])  # else the server's run goes on


def outcome(run):
    gap = run["metrics"]["gap"][-1]
    return (run["count"], 0.0) if gap <= BASE.tol else (BASE.max_iter + 1, gap)


@pytest.mark.parametrize(
    ("changes", "step", "word", "text"),
    [
        (
            {},
            17,
            "Restart.",
            "The residual rose 9.2-fold: momentum went too far. Go back and drop it.",
        ),
        (
            {"tau": 1.0},
            120,
            "Not done:",
            "the best W so far is up to 0.13 % above the minimum. W and S are still apart: "
            "try a larger ρ.",
        ),
        ({}, 321, "Done:", "the best W so far is at most 0.0001 % above the minimum."),
        ({"rho": 1.0}, 22, "Done:", "the best W so far is at most 0.0001 % above the minimum."),
        (
            {"eta": 0.9},
            2,
            "Restart.",
            "The residual fell by 1 %; η = 0.9 asks for more. Go back and drop the momentum.",
        ),
    ],
)
def test_decision_is_told_in_words(baked, changes, step, word, text):
    """Also how far the best W so far is from the minimum, and which way to turn rho."""
    decision = baked[tuple({**OPENING, **changes}.values())]["words"][step - 1]
    assert decision == {"word": word, "text": text, "isRestart": word == "Restart."}
