"""All lessons in the order of a course, for the navigation and the cards of the first page."""

from __future__ import annotations

from itertools import chain
from pathlib import PurePath
from typing import NamedTuple

APP = "SMM Lab"  # its name


class Lesson(NamedTuple):
    """A page and its description."""

    file: str  # below `pages`
    title: str
    text: str
    path: str | None = None  # by default the name of the file or folder; none may end in another
    # The knobs of the shared model that act on the lesson, beside its shared data; None if it has
    # data of its own.
    model: tuple[str, ...] | None = None
    short: str = ""  # its title in the rail, and on a phone

    @property
    def address(self) -> str:
        """Path below the address of the server."""
        file = PurePath(self.file)
        return self.path or (file.parent.name if file.stem == "page" else file.stem)


# Streamlit confuses "/low_rank" with "/rank", and "/your_data" with "/data".
SECTIONS = {
    "": (  # beside Home
        Lesson(
            "your_data/page.py",
            "Your data",
            "Train and compare classifiers on your own file, or on an example.",
            "yours",
        ),
    ),
    "Course": (
        Lesson(
            "course/plan/page.py",
            "Course plan",
            "45 or 20 minutes for a class, or two hours on your own.",
            "course",
            short="Plan",
        ),
        Lesson(
            "course/symbols/page.py",
            "Symbols",
            "Every symbol, its meaning and where you meet it.",
        ),
        Lesson(
            "smm/structure/card.py",
            "Your card",
            "What you painted and what both machines found, as a picture or a challenge to send.",
            short="Card",
        ),
        Lesson(
            "course/examples/page.py",
            "Python examples",
            "Eight short programs with the solver package, to read and to run.",
            short="Python",
        ),
    ),
    "Foundations": (
        Lesson(
            "foundations/by_hand/page.py",
            "Be the SVM",
            "Paint a classifier by hand: nobody gets below the floor.",
            short="By hand",
        ),
        Lesson(
            "foundations/corners/page.py",
            "Why corners make zeros",
            "Drag the contours of a loss towards a ball: where do they touch first?",
            short="Corners",
        ),
        Lesson(
            "foundations/trace_norm/page.py",
            "From vectors to matrices",
            "A matrix is a stack of layers: take it apart, and find one from few measurements.",
            short="Matrices",
        ),
    ),
    "The SMM": (
        Lesson(
            "smm/meet/page.py",
            "Meet the SMM",
            "Add up the samples that W needs, and cut the layers that it does not.",
            "smm",
            short="The SMM",
        ),
        Lesson(
            "smm/structure/page.py",
            "When does low rank pay off?",
            "Paint a hidden W*: a linear SVM and an SMM look for it.",
            short="Low rank",
        ),
        Lesson(
            "smm/live/page.py",
            "Watch the algorithm",
            "Step through ADMM with momentum and restarts; race it against other solvers.",
            model=("C", "tau", "rho", "eta"),
            short="Algorithm",
        ),
    ),
    "Effects": (
        Lesson(
            "effects/grouping/page.py",
            "The grouping effect",
            "Make two columns of the samples more alike, and watch the same two columns of W.",
            model=(),
            short="Groups",
        ),
        Lesson(
            "effects/rank/page.py",
            "The rank of W",
            "Lower τ step by step: singular values appear one by one.",
            short="Rank",
        ),
        Lesson(
            "effects/rivals/page.py",
            "The SMM and its rivals",
            "Four classifiers, four maps: what decides which W shows the groups?",
            "compare",
            model=(),
            short="Rivals",
        ),
        Lesson(
            "effects/robustness/page.py",
            "Robustness to noise",
            "Add noise to new samples: which classifier keeps its accuracy?",
            short="Noise",
        ),
    ),
    "Further": (
        Lesson(
            "further/sparse/page.py",
            "Sparse regression",
            "Watch five penalties set coefficients to zero.",
            short="Sparse",
        ),
        Lesson(
            "further/imbalance/page.py",
            "Imbalanced classes",
            "One class has only ten samples. How much should each of them count?",
            short="Imbalance",
        ),
        Lesson(
            "further/low_rank/page.py",
            "Low-rank SVM",
            "Rotate the samples: which method loses accuracy?",
            "low_rank_svm",
            short="Rank-k SVM",
        ),
        Lesson(
            "further/squared_loss/page.py",
            "Hinge loss or squared loss?",
            "Replace the hinge by the squared loss: what do you gain, what do you lose?",
            short="Losses",
            model=("C", "tau"),
        ),
    ),
    "Research": (
        Lesson(
            "research/reproduce/page.py",
            "Reproduce the papers",
            "Which figures and tables of the papers can be reproduced, which cannot, and why.",
        ),
        Lesson(
            "research/errata/page.py",
            "Errata of the papers",
            "What the papers misprint, what holds instead, and how to see it.",
        ),
        Lesson(
            "research/table_1/page.py",
            "Wolf's Table 1",
            "Run a published table again, under three readings of its text.",
        ),
        Lesson(
            "research/cyclic/page.py",
            "The cyclic algorithm",
            "Fix the rank of W, and solve for one vector at a time.",
        ),
        Lesson(
            "research/vc_dimension/page.py",
            "VC dimension and rank",
            "Compare the bound by the rank with the bound by the size.",
        ),
        Lesson(
            "research/theorem_2/page.py",
            "Theorem 2, measured",
            "Hold the distances of all pairs of columns against the bound, up to the tight case.",
            model=("C", "tau"),
        ),
        Lesson(
            "research/bilevel/page.py",
            "BP-LSSMM and BP-SMM",
            "Run the algorithm of Xia and Fan past its stopping rule, with either sign of eq. 6.",
            model=("C", "tau"),
        ),
        Lesson(
            "research/table_2/page.py",
            "Xia and Fan's Table 2",
            "Hinge or squared loss: accuracies and times on pairs of people, beside the paper's.",
        ),
    ),
}

# On the wall only, as a step of the course plan; its map is a part of a lesson, too.
MAP = Lesson(
    "smm/structure/wall.py",
    "Where does low rank pay off?",
    "Each phone uncovers a place of the map.",
    "map",
)
NOTES, FURTHER = "Research", "Further"
OUTSIDE = "", "Course", FURTHER, NOTES  # sections without lessons of the course
COURSE = tuple(name for name in SECTIONS if name not in OUTSIDE)
PAGES = {page.address: page for page in (*chain(*SECTIONS.values()), MAP)}  # but Home
FILES = {"": "home/page.py"} | {address: page.file for address, page in PAGES.items()}
TITLES = {address: page.title for address, page in PAGES.items()}
OLD_ADDRESSES = {  # of links that go on working
    "data": "grouping#how-the-data-are-made",
    "stochastic": "sparse#what-to-look-for",
}
LESSONS = tuple(chain(*(SECTIONS[name] for name in COURSE)))  # in order, with a number each
ALL_LESSONS = LESSONS + SECTIONS[FURTHER]


def neighbours(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one in the course and what is further."""
    if lesson not in ALL_LESSONS:
        return None, None
    i = ALL_LESSONS.index(lesson)
    after = ALL_LESSONS[i + 1 :]
    return ALL_LESSONS[i - 1] if i else None, after[0] if after else None
