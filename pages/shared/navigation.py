"""All lessons in the order of a course, for the navigation and the cards of the first page."""

from __future__ import annotations

from pathlib import PurePath
from typing import NamedTuple


class Lesson(NamedTuple):
    """A page and its description."""

    file: str  # below `pages`
    title: str
    text: str
    path: str | None = None  # by default the name of the file or folder; none may end in another
    own_data: bool = False  # whether it ignores the experiment of the side bar

    @property
    def address(self) -> str:
        """Path below the address of the server."""
        file = PurePath(self.file)
        return self.path or (file.parent.name if file.stem == "page" else file.stem)


# Streamlit confuses "/low_rank" with "/rank", and "/your_data" with "/data".
SECTIONS = {
    "": (  # beside Home
        Lesson(
            "matrix/your_data/page.py",
            "Your data",
            "Bring a MATLAB file, or take digits: train, then test.",
            "yours",
            True,
        ),
    ),
    "Foundations": (
        Lesson(
            "foundations/corners/page.py",
            "Why corners make zeros",
            "Drag a loss over a ball, and see where it touches.",
            own_data=True,
        ),
        Lesson(
            "foundations/sparse/page.py",
            "Sparse regression",
            "Watch ADMM make zeros, one penalty after the other.",
            own_data=True,
        ),
        Lesson(
            "foundations/trace_norm/page.py",
            "From vectors to matrices",
            "Recover a matrix of low rank; see singular values shrink to zero.",
            own_data=True,
        ),
    ),
    "The machine": (
        Lesson(
            "matrix/data.py",
            "Data",
            "Make matrices whose columns come in groups, and see what a classifier gets.",
        ),
        Lesson(
            "matrix/smm/page.py",
            "The machine",
            "Watch Algorithm 1 find W, with a proof of how good it is.",
        ),
        Lesson(
            "matrix/live/page.py",
            "Live",
            "Step through the algorithm, race two settings, pin runs and compare.",
        ),
    ),
    "Its effects": (
        Lesson(
            "matrix/compare/page.py",
            "Compare",
            "Race the machine against its rivals; see what decides the picture.",
        ),
        Lesson(
            "matrix/grouping/page.py",
            "Grouping effect",
            "Drive the correlation of two columns, and watch W follow.",
        ),
        Lesson("matrix/rank/page.py", "Rank", "Scrub along τ: singular values enter one by one."),
        Lesson(
            "matrix/robustness/page.py",
            "Robustness",
            "Add noise to the test, and find what withstands it.",
            own_data=True,
        ),
    ),
    "Relatives": (
        Lesson(
            "relatives/low_rank/page.py",
            "Low-rank SVM",
            "Hide six features behind A and B; see which method notices.",
            "low_rank_svm",
            True,
        ),
        Lesson(
            "relatives/table_1/page.py",
            "Wolf's Table 1",
            "Run a printed table again, under three readings of its text.",
            own_data=True,
        ),
        Lesson(
            "relatives/squared_loss/page.py",
            "Hinge or squared loss",
            "Charge samples for being too right: what it saves, and what is printed of it.",
        ),
    ),
}
