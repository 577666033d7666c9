"""What "Be the SVM" computes and says is what `smmcore` finds."""

import numpy as np
import pytest

from smmcore import LinearSVM, SupportMatrixMachine
from tests.js.node import evaluate

FILES = ["by_hand/samples", "by_hand/words"]
C, TAU = 3.0, 2.0
BY_HAND = (
    "bbddbbbdffdbdffffddffffdbdffdbbbddbb"  # 1 where only crosses have ink, -1 where only frames
)
DESCRIBE = """(tau, price) => {
    const { W, b, primal, dual, alpha, rank } = solve(SAMPLES, { tau, price });
    const { right } = costOf(SAMPLES, { W, b });
    const mistakes = mistakesOf({ W, b });
    return { W: [...W], b, primal, dual, alpha: [...alpha], rank, right, mistakes };
}"""
PAINTED = """(text, size) => {
    const own = { levels: [...text].map((letter) => LETTERS.indexOf(letter)), size, b: 0 };
    const best = solve(SAMPLES);
    const steps = Array.from({ length: 51 }, (_, i) => i / 20);
    const lines = Array.from({ length: 121 }, (_, i) => (i - 60) / 50);
    const reached = [];
    for (let now = own, hint = null; ; now = { ...now, ...hint }) {
        const cost = costOf(SAMPLES, { W: paintedW(now), b: now.b });
        reached.push({ ...cost, above: excess(cost.objective, best.dual), gain: hint?.gain ?? 0 });
        hint = bestHint(SAMPLES, now, best, { sizes: steps, lines });
        if (!hint) return reached;
    }
}"""
PUSHED = """(...cases) => cases.map(([i, by]) => {
    const best = solve(SAMPLES);
    const X = SAMPLES.map((sample, k) => (k === i ? pushed(sample, best.W, by) : sample));
    const next = solve(X, { start: best.alpha });
    const score = scoresOf(X, best)[i];
    return { far: distance(next.W, best.W), load: next.alpha[i], before: best.alpha[i], score };
})"""


@pytest.fixture(scope="module")
def samples():
    (X, y) = evaluate(FILES, "() => [SAMPLES.map((sample) => [...sample]), [...y]]")
    return np.reshape(X, (-1, 6, 6)), np.array(y)


@pytest.fixture(scope="module")
def svm():
    return evaluate(FILES, DESCRIBE, 0, C)


def new_samples(draws):
    """Draw new samples of both classes: a third each with 4, 10 and 34 % of the cells flipped."""
    rng = np.random.default_rng(0)
    at = np.arange(6)
    bar, rim = (at == 2) | (at == 3), (at == 0) | (at == 5)
    clean = np.stack([bar[:, None] | bar, rim[:, None] | rim])
    y = np.tile([1, -1], draws // 2)
    share = np.resize(np.repeat([0.04, 0.1, 0.34], 2), draws)
    flipped = rng.random((draws, 6, 6)) < share[:, None, None]
    return 0.1 * (clean[(y < 0).astype(int)] ^ flipped), y


@pytest.mark.parametrize(("tau", "price"), [(0, C), (0, 1.0), (TAU, C)])
def test_machines_are_those_of_smmcore_and_their_mistakes_those_of_new_samples(samples, tau, price):
    X, y = samples
    found = evaluate(FILES, DESCRIBE, tau, price)
    if tau:
        machine = SupportMatrixMachine(C=price, tau=tau, tol=1e-10).fit(X, y)
        assert (found["rank"], machine.rank_) == (2, 2)
    else:
        machine = LinearSVM(C=price, tol=1e-10).fit(X, y)
    W = np.reshape(found["W"], (6, 6))
    assert np.linalg.norm(W - machine.coef_) <= 2 * np.sqrt(2e-10 * found["primal"])
    assert found["primal"] == pytest.approx(found["dual"], rel=1e-9)
    assert (y * (np.tensordot(X, W) + found["b"]) > 0).all()
    assert found["right"] == 24
    new, labels = new_samples(300_000)
    wrong = (labels * (np.tensordot(new, W) + found["b"]) <= 0).mean()
    error = np.sqrt(wrong * (1 - wrong) / len(labels))
    assert found["mistakes"] / 1000 == pytest.approx(wrong, abs=4 * error)


def test_sentences_of_the_last_step_are_true():
    say = "(tau) => sentence({ step: 5, tau, ...trainBoth(tau, {}) })"
    assert evaluate(FILES, say, TAU) == (
        "The <b>SMM</b> sorts the 24 with two layers of 6 + 6 numbers, not 36. "
        "At C = 3 the SVM makes 29 mistakes, the SMM 20. "
        "This is not always so: lesson 5 tells when."
    )
    assert "is the SVM" in evaluate(FILES, say, 0)


def test_with_the_best_prices_both_make_as_many_mistakes_as_the_exercise_says():
    tune = """(taus) => [0.3, 1, 3].flatMap((price) =>
        taus.map((tau) => mistakesOf(solve(SAMPLES, { tau, price }))))"""
    svm, smm = (np.array(evaluate(FILES, tune, taus)) for taus in ([0], [0.2, 0.4, 0.8]))
    assert (round(svm.min(), 1), round(smm.min(), 1)) == (18.9, 18.5)


def test_what_one_paints_costs_what_the_page_says_and_hints_keep_their_promise(samples, svm):
    X, y = samples
    first, *later = evaluate(FILES, PAINTED, BY_HAND, 1)
    W = np.reshape([(letter - ord("d")) / 2 for letter in BY_HAND.encode()], (6, 6))
    loss = np.maximum(0, 1 - y * np.tensordot(X, W)).sum()
    assert first["loss"] == pytest.approx(loss)
    assert first["objective"] == pytest.approx((W**2).sum() / 2 + C * loss)
    assert first["right"] == 24
    assert round(first["above"]) == 14
    for before, after in zip([first, *later], later, strict=False):
        assert before["objective"] - after["objective"] == pytest.approx(after["gain"])
    assert later[-1]["above"] < 5
    # The exercise: other sizes of this W are better, or worse.
    sizes = {size: evaluate(FILES, PAINTED, BY_HAND, size)[0] for size in (0.9, 0.95, 1.0)}
    best = min(sizes.values(), key=lambda cost: cost["above"])
    assert (round(best["size"], 1), round(best["above"])) == (10.8, 13)


@pytest.mark.parametrize("text", ["ffddddfddddddddddddddddddddddfddddff", "d" * 36])
def test_hints_lead_to_a_w_that_sorts_all_within_ten_per_cent_of_the_floor(text):
    *_, last = evaluate(FILES, PAINTED, text, 1)
    assert last["right"] == 24
    assert last["above"] < 10


def test_a_sample_without_load_moves_w_from_its_edge_on_and_never_outside(svm):
    free = [i for i, load in enumerate(svm["alpha"]) if load == 0]
    assert len(free) == 10
    cases = [(i, 0.5 if i < 12 else -0.5) for i in free]
    *found, here, lowest = evaluate(FILES, PUSHED, *cases, (4, 0), (23, -1.3))
    assert [each["far"] for each in found] == [0] * 10
    outside, inside = evaluate(
        FILES, PUSHED, *((4, 1 + by - here["score"]) for by in (0.001, -0.01))
    )
    assert (outside["far"], outside["load"]) == (0, 0)
    assert inside["far"] > 0.01
    assert inside["load"] > 0.1
    assert (lowest["before"], lowest["load"]) == (3, 0)  # of the frame of the exercise


def test_nobody_gets_below_the_floor(samples, svm):
    X, y = samples
    rng = np.random.default_rng(1)
    for W in rng.normal(size=(1000, 6, 6)) * rng.uniform(0, 2, (1000, 1, 1)):
        scores = np.tensordot(X, W)
        losses = [np.maximum(0, 1 - y * (scores + b)).sum() for b in np.linspace(-1, 1, 9)]
        assert (W**2).sum() / 2 + C * min(losses) > svm["dual"]
