"""A run of any kind that is interrupted anywhere continues as if it had not been."""

import pickle
from dataclasses import is_dataclass, replace
from importlib import import_module
from inspect import isabstract
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from pages.effects.grouping.runs import SampleOverview
from pages.effects.rank.runs import BestLines, RankPaths
from pages.effects.rivals.runs import RivalsSweep
from pages.effects.robustness.runs import NoiseOnMargins, NoiseSweep, Validation
from pages.foundations.trace_norm.regression import LowRank
from pages.foundations.trace_norm.runs import TraceNormRegression
from pages.further.imbalance.runs import RatioPath, Unbalanced
from pages.further.low_rank.runs import TurnPath
from pages.further.sparse.runs import SparseRegression
from pages.further.squared_loss.runs import LossRace
from pages.home.runs import Stencils
from pages.research.bilevel.runs import BilevelAlgorithm
from pages.research.cyclic.runs import CyclicRace
from pages.shared.algorithm1 import PLAIN, Algorithm1
from pages.shared.data.bundled import Faces
from pages.shared.data.curves import Sinc, Steps
from pages.shared.data.painted import Painted, encode
from pages.shared.data.samples import spool
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.experiment import Experiment
from pages.shared.engine.worker import advance
from pages.smm.live.runs import SolverRace
from pages.smm.structure.runs import LearningCurves
from pages.your_data.runs import LearningCurve, TrialExperiment
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import Trial
from tests.pages.runs import NOISE, SPLIT, VALIDATION, run_to_the_end
from tests.pages.your_data.lesson import GIVEN, digits

ROOT = Path(__file__).parents[3]

SMM = Algorithm1(SPLIT, C=0.1, tau=0.5)
BILEVEL = BilevelAlgorithm(SPLIT, C=0.1, tau=0.5)
RELEVANT = Relevant(n=80, train=40)
LOW_RANK = LowRank(n=30, p=5, q=4, rank=1)
SPARSE = SparseRegression(Sinc(n=12))
TWO, THREE = spool(*digits(3, 8)), spool(*digits(0, 1, 2))  # as somebody brings them

RUNS = [
    SMM,
    SolverRace(SMM, replace(SMM, rho=1.0, algorithm=PLAIN)),
    RankPaths(Painted(encode(np.eye(20)), n=40), counts=(40, 20), taus=(9.0, 3.0, 1.0)),
    BestLines(Painted(encode(np.eye(20)), n=20), counts=(10, 20), draws=2),
    LearningCurves(SPLIT, counts=(20, 40), draws=2),
    RatioPath(Unbalanced(4, 40), points=5),
    RivalsSweep(SPLIT, points=2, rank=2),
    VALIDATION,
    NOISE,
    replace(NOISE, noise="salt and pepper"),
    TrialExperiment(TWO, Trial(GIVEN)),
    TrialExperiment(THREE, Trial(GIVEN[2:], "z-score", Scheme(number=2))),
    TrialExperiment(TWO, Trial(GIVEN[:1], search=True)),
    LearningCurve(TWO, Trial(GIVEN[:1]), (20, 30), splits=2),
    LossRace(SPLIT, C=0.1, tau=0.5),
    BILEVEL,
    replace(BILEVEL, printed=True),
    TurnPath(RELEVANT, angles=3),
    CyclicRace(RELEVANT, rank=2, max_iter=3),
    SPARSE,
    SparseRegression(Steps(n=12, pieces=2), "fused"),
    TraceNormRegression(LOW_RANK, 0.8),
    Stencils(Faces(), points=4),
]
SEVERAL_TURNS = Validation, NoiseSweep, LossRace  # some end before a frame does


def kinds(base):
    """The kinds of experiment that can be made."""
    own = [] if isabstract(base) else [base]
    return [*own, *chain.from_iterable(map(kinds, base.__subclasses__()))]


def test_every_kind_of_run_is_here():
    for path in sorted((ROOT / "pages").rglob("runs.py")):  # a kind is known once it is imported
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    with_one_frame = {SampleOverview, NoiseOnMargins}
    assert {type(run) for run in RUNS} == set(kinds(Experiment)) - with_one_frame


CLOCKS = ("seconds", "searched")  # what is measured in seconds, and is never the same twice


def unclocked(curves):
    """All fields but those that a clock has measured."""
    return curves[[name for name in curves.dtype.names if not name.startswith(CLOCKS)]]


def plain(value):
    """Take records apart, so that NumPy compares them number by number, but for the clocks."""
    if is_dataclass(value):
        value = vars(value)
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items() if key not in CLOCKS}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("run", RUNS, ids=lambda run: type(run).__name__)
def test_a_run_that_is_interrupted_anywhere_continues_as_if_it_had_not_been(run):
    whole = run_to_the_end(run)
    state, pieces, frames = None, [], 0
    while not pieces or not pieces[-1].summary:
        pieces.append(advance(run, state, 0.0, frames))
        state = pickle.loads(pickle.dumps(pieces[-1].state))  # as it travels to a worker
        frames += len(pieces[-1].metrics)
    assert len(pieces) >= max(2, len(whole.metrics))
    assert len(pieces) > len(whole.metrics) or not isinstance(run, SEVERAL_TURNS)
    shown = [piece for piece in pieces if len(piece.metrics)]
    metrics = np.concatenate([unclocked(piece.metrics) for piece in shown])
    assert repr(metrics.tolist()) == repr(unclocked(whole.metrics).tolist())  # NaN is NaN here
    images = np.concatenate([piece.images for piece in shown])
    assert images.tobytes() == whole.images.tobytes()
    assert pieces[-1].summary == whole.summary
    np.testing.assert_equal(plain(pieces[-1].certificate), plain(whole.certificate))
