"""All lessons in the order of a course, for the navigation and the cards of the first page."""

from __future__ import annotations

from itertools import chain
from pathlib import PurePath
from typing import NamedTuple


class Lesson(NamedTuple):
    """A page and its description."""

    file: str  # below `pages`
    title: str
    text: str
    path: str | None = None  # by default the name of the file or folder; none may end in another
    # The controls of the sidebar's model that act on the lesson, beside those of the data; without
    # a sidebar, None.
    model: tuple[str, ...] | None = None
    has_controls: bool = True

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
            "Train and test four classifiers on your own file, or on digits.",
            "yours",
        ),
    ),
    "Course": (
        Lesson(
            "course/plan/page.py",
            "Course plan",
            "45 minutes for a class in nine steps, or two hours on your own.",
            "course",
            has_controls=False,
        ),
        Lesson(
            "course/symbols/page.py",
            "Symbols",
            "Every symbol, its meaning and where you meet it.",
            has_controls=False,
        ),
    ),
    "Foundations": (
        Lesson(
            "foundations/corners/page.py",
            "Why corners make zeros",
            "Drag a loss towards a ball and see where the two touch.",
        ),
        Lesson(
            "foundations/sparse/page.py",
            "Sparse regression",
            "Watch five penalties set coefficients to zero.",
        ),
        Lesson(
            "foundations/trace_norm/page.py",
            "From vectors to matrices",
            "Recover a low-rank matrix from fewer numbers than it has entries.",
        ),
    ),
    "The SMM": (
        Lesson(
            "smm/structure/page.py",
            "When does the matrix pay?",
            "Give a linear SVM and an SMM the same samples: which predicts better?",
        ),
        Lesson(
            "smm/data/page.py",
            "Where the data come from",
            "Look at the samples that a classifier is given: their columns come in groups.",
            model=(),
        ),
        Lesson(
            "smm/meet/page.py",
            "Meet the SMM",
            "The model in four steps. Drag a threshold: which singular values does W keep?",
            "smm",
            model=("C", "tau"),
        ),
        Lesson(
            "smm/live/page.py",
            "Watch the algorithm",
            "Step through ADMM with momentum and restarts; race it against other solvers.",
            model=("C", "tau", "rho", "eta"),
        ),
    ),
    "Effects": (
        Lesson(
            "effects/rivals/page.py",
            "SMM against its rivals",
            "Four classifiers, four maps: what decides which W shows the groups?",
            "compare",
            model=("C", "tau"),
        ),
        Lesson(
            "effects/grouping/page.py",
            "Grouping effect",
            "Make two columns more alike and watch their columns of W.",
            model=("C", "tau"),
        ),
        Lesson(
            "effects/rank/page.py",
            "The rank of W",
            "Lower τ step by step: singular values appear one by one.",
            model=("C",),
        ),
        Lesson(
            "effects/imbalance/page.py",
            "Unbalanced classes",
            "Give the few samples of a class more weight: when does the SMM find them?",
        ),
        Lesson(
            "effects/robustness/page.py",
            "Robustness to noise",
            "Add noise to the test samples: which classifier keeps its accuracy?",
        ),
    ),
    "Variants": (
        Lesson(
            "variants/low_rank/page.py",
            "Low-rank SVM",
            "Rotate the samples: which method loses accuracy?",
            "low_rank_svm",
        ),
        Lesson(
            "variants/squared_loss/page.py",
            "Hinge or squared loss",
            "Replace the hinge by the squared loss: what do you gain, what do you lose?",
            model=("C", "tau"),
        ),
    ),
    "Research": (
        Lesson(
            "research/reproduce/page.py",
            "Reproduce the papers",
            "Every printed figure beside ours: what comes out, what does not, and why.",
        ),
        Lesson(
            "research/errata/page.py",
            "Errata of the papers",
            "What the papers misprint, what holds instead, and how to see it.",
            has_controls=False,
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
            "research/bilevel/page.py",
            "BP-LSSMM and BP-SMM",
            "Run the algorithm of Xia and Fan past its stopping rule, with either sign of eq. 6.",
            model=("C", "tau"),
        ),
        Lesson(
            "research/table_2/page.py",
            "Xia and Fan's Table 2",
            "Cross-validate the hinge and the squared loss on digits or faces.",
        ),
        Lesson(
            "research/examples/page.py",
            "Examples in Python",
            "Eight short programs with the solver package, to read and to run.",
            has_controls=False,
        ),
    ),
}

NOTES = "Research"
OUTSIDE = "", "Course", NOTES  # sections without lessons of the course
TITLES = {page.address: page.title for section in SECTIONS.values() for page in section}
LESSONS = tuple(chain(*(SECTIONS[name] for name in SECTIONS if name not in OUTSIDE)))  # in order


def neighbours(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one in the course."""
    if lesson not in LESSONS:
        return None, None
    i = LESSONS.index(lesson)
    return LESSONS[i - 1] if i else None, LESSONS[i + 1] if i + 1 < len(LESSONS) else None
