"""The steps of the course: for 45 or 20 minutes in class, and for two hours on one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate


@dataclass(frozen=True)
class PlanStep:
    """A few minutes in class."""

    lesson: str  # address of the page
    minutes: int
    question: str  # what the step answers
    do: str  # what the lecturer clicks and says
    students: str  # what students should say
    takeaway: str  # the sentence to remember
    settings: dict[str, str] = field(default_factory=dict)  # what the page's address holds


# The data of the lessons' questions, whatever the step before has done to its noise
DATA = {"delta": "0.01"}
CLASS = (
    PlanStep(
        "",
        3,
        "What does a classifier for matrices learn?",
        "Collect guesses while the line waits half way, then let it go on. Multiply pixel by "
        "pixel: bright pixels under orange add, under blue they subtract. Then drag the rank.",
        "A face is bright where W is orange, so the sum ends above the line. Two layers are "
        "enough.",
        "The sign of ⟨W, X⟩ + b is the predicted class.",
    ),
    PlanStep(
        "by_hand",
        6,
        "How does a machine find W?",
        "Let a student paint W until all samples are on their side. Go on to *Pay*: who comes "
        "nearest to the floor? Collect guesses, then drag a pale sample and a dark one.",
        "W must be large enough to keep samples at their edge, but its size costs. Few hold it.",
        "The SVM's W has the least sum of size and losses; the floor proves it.",
    ),
    PlanStep(
        "corners",
        4,
        "Where do exact zeros come from?",
        "Collect guesses. Then drag the minimum around the diamond, and choose **Disc**.",
        "On the diamond it sticks to the corners. On the disc it only passes through the axes.",
        "A ball with corners on the axes makes coordinates exactly zero.",
    ),
    PlanStep(
        "trace_norm",
        5,
        "What is the matrix version of a zero?",
        "Try to make the cross of one layer, and collect guesses. Then choose **Face** and drag "
        "the cut from 0 to 25; choose **Plaid** and **Diagonal**.",
        "The picture sharpens layer by layer; the plaid needs one, the cross two, the diagonal "
        "all.",
        "Rank is the number of layers, the nuclear norm their height: the ℓ₁ norm of the "
        "singular values.",
    ),
    PlanStep(
        "smm",
        6,
        "What does the SMM make of its samples?",
        "Collect guesses. Take out a bold sample and a faint one, then drag the line at τ.",
        "Bold samples have no load. What is below the line is noise, and it is 0 in W.",
        "The SMM adds up the samples that it needs, and cuts the layers that it does not.",
    ),
    PlanStep(
        "structure",
        4,
        "When does it pay to treat a sample as a matrix?",
        "Collect guesses. Then choose **Plaid** and **Diagonal**, drag n, and let a student paint.",
        "On the plaid the SMM wins clearly, on the diagonal it does not.",
        "The SMM pays off when W* has few layers, and samples are too few for all entries.",
    ),
    PlanStep(
        "map",
        3,
        "Where exactly does low rank pay off?",
        "Each phone taps a place, and it comes on the wall. Who finds the best one? Then *Show*.",
        "At rank 1, but not with the most samples: there the SVM has learned enough, too.",
        "The SMM wins where samples are few for all entries and enough for the layers.",
        {"map_step": "2"},
    ),
    PlanStep(
        "live",
        5,
        "How is the minimum found?",
        "Collect guesses, then press Play. Then drag ρ from 0.01 to 1 and to 100, and watch the "
        "residual and the number of steps.",
        "Momentum overshoots, the algorithm goes one step back. Of the three, ρ = 1 needs "
        "by far the fewest steps.",
        "ADMM gives each wish a copy, W and S, and pulls the two together.",
        DATA | {"C": "0.05", "tau": "0.2", "rho": "0.01", "eta": "0.999"},
    ),
    PlanStep(
        "grouping",
        4,
        "What does W make of columns that become equal?",
        "Sort the columns, then collect guesses in step 3. Then ask the small question of step 4.",
        "Equal columns get equal columns of W. As C grows the groups fade, the accuracy does not.",
        "Equal columns of the samples get equal columns of W.",
    ),
    PlanStep(
        "compare",
        3,
        "Whose W shows the groups of columns?",
        "Collect guesses. Then drag from a low price of an error to a high one.",
        "The groups of columns fade in all four, but the accuracies hardly change.",
        "Each model shows its groups where errors cost little, and loses them at a high price.",
        DATA,
    ),
    PlanStep(
        "yours",
        2,
        "Would you use an SMM for your own data?",
        "Collect guesses, then show the digits: why does the SMM not win?",
        "With many samples and few pixels there is little left to gain.",
        "Always compare with a linear SVM, on samples that were not used for training.",
    ),
)
SHORT = tuple(
    replace(step, minutes=minutes)
    for lesson, minutes in {"by_hand": 6, "smm": 5, "structure": 4, "live": 5}.items()
    for step in CLASS
    if step.lesson == lesson
)
# By what stands before the number of a step in the address
PLANS: Mapping[str, Sequence[PlanStep]] = {"": CLASS, "short-": SHORT}


def beginnings(plan: Sequence[PlanStep]) -> list[int]:
    """Return the minutes at which the steps of a plan begin, and at last its end."""
    return [0, *accumulate(step.minutes for step in plan)]


# For self-study: lesson, minutes, what to do beside its question and its exercises.
SELF_STUDY = (
    ("by_hand", 10, "Come within 10 % of the floor, then within 5 %."),
    ("corners", 10, "Try each shape: which balls give a zero for whole sectors of minima?"),
    ("trace_norm", 10, "Find the smallest number of measurements that recovers the matrix."),
    ("smm", 15, "Play the five steps and the four of the model; let CVXPY check the answer."),
    ("structure", 10, "Which painting of your own gains the most? Then find a border on the map."),
    ("live", 10, "At ρ = 0.01, find the first restart. Which ρ needs the fewest steps?"),
    ("grouping", 10, "With other samples: at which C are the groups of W still pure?"),
    ("rank", 10, "Find the best line for each W* and n, then for a painting of your own."),
    ("compare", 10, "Sweep the price of an error: where does each of the four lose its groups?"),
    ("robustness", 5, "Read off the noise at which each classifier has lost ten points."),
    ("sparse", 5, "Compare all five penalties on the same samples."),
    ("imbalance", 5, "Find the ratio of weights at which both classes are found alike."),
    ("low_rank_svm", 5, "Turn the samples from 0° to 90°: which method loses?"),
    ("squared_loss", 5, "Drag one sample to m = 4: which W changes?"),
)
