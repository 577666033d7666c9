"""The papers, their tables and figures, and the lesson that shows each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

from pages.shared.widgets.url import ANSWER


@dataclass(frozen=True)
class Shown:
    """A table or figure, and the lesson whose settings show it."""

    place: str  # where it is in the paper
    content: str
    lesson: str  # the lesson's address
    # Query parameters that bring the lesson to the state that shows it
    settings: dict[str, str] = field(default_factory=dict)
    section: str = ""  # the header of the lesson below which it is; empty if it is at the top
    asks: bool = False  # whether the lesson begins with a question, whose answer the link opens
    differs: str = ""  # what the lesson shows differently

    @property
    def query(self) -> dict[str, str]:
        """All query parameters of the link."""
        return self.settings | ({ANSWER: "shown"} if self.asks else {})

    @property
    def address(self) -> str:
        """Address of the lesson, relative to this one: its settings and its section."""
        query = f"?{urlencode(self.query)}" if self.query else ""
        return f"./{self.lesson}{query}" + (f"#{anchor(self.section)}" if self.section else "")


def anchor(header: str) -> str:
    """Return the anchor that Streamlit gives to a header of letters, digits and punctuation."""
    return "-".join(re.findall(r"[a-z0-9]+", header.lower()))


@dataclass(frozen=True)
class Paper:
    """A paper, with its tables and figures by the name of the reproduction."""

    reference: str  # authors, title, venue and year, in Markdown
    shown: dict[str, Shown]
    terms: tuple[str, ...] = ()  # explanations of words in its tables, in Markdown


REAL_DATA = {"yours_source": "Faces", "yours_weights": "By cross-validation", "yours_times": "10"}
SEARCH = (
    "It divides the faces 10 times, as we do, and draws each split apart; no EEG, and no CBCL "
    "faces. It searches the paper's grid for 60 seconds of processor time, in which the R-GLM and "
    "the SMM see its coarse part only; ours is searched completely."
)
PAPERS = {
    "Luo et al.": Paper(
        "Luo Luo, Yubo Xie, Zhihua Zhang, Wu-Jun Li: *Support Matrix Machines.* Proceedings of the "
        "32nd International Conference on Machine Learning (ICML), JMLR: W&CP volume 37, 2015.",
        {
            "figure1": Shown(
                "Figure 1",
                "groups of columns in W",
                "compare",
                asks=True,
                differs="It shows W at 21 strengths, from strong to weak regularisation, where the "
                "table has few. Its C is in units of 1/s², because to multiply features by s has "
                "the effect of C s² in place of C. Its samples are 20 × 25; *Paper 5.1* in its "
                "data has 80 × 100 and no scaling, and takes minutes.",
            ),
            "figure2": Shown(
                "Figure 2",
                "accuracy on noisy test samples",
                "robustness",
                asks=True,
                differs="It has 240 training samples of 16 × 20; the paper's size is in its "
                "settings and takes minutes.",
            ),
            "table2": Shown(
                "Table 2",
                "accuracy of four methods on real data",
                "yours",
                REAL_DATA,
                differs=SEARCH,
            ),
            "table3": Shown(
                "Table 3",
                "training times, as ratios",
                "yours",
                REAL_DATA,
                differs=f"{SEARCH} Its seconds, in the section *All classifiers*, include the "
                "search; ours do not.",
            ),
        },
        (
            "**Methods.** SMM: support matrix machine. B-SVM: bilinear SVM. R-GLM: regularised "
            "generalised linear model, the logistic loss with a nuclear norm.",
            "**Grouping score.** 1 if the columns of W are equal within each group, 0 if they are "
            "as different as the columns of different groups: the adjusted R² of the columns by "
            "group.",
            "**Strongest or weakest regularisation within one standard error.** Cross-validation "
            "often finds several settings about equally accurate: those within one standard error "
            "of the best. The rule takes the most or the least regularised of them; *of the best*, "
            "only of those that tie for the best accuracy.",
            "**CBCL.** Pictures of faces and other things, 19 × 19, from MIT's Center for "
            "Biological and Computational Learning.",
            "**Seconds.** The ratios of the paper are those of its seconds.",
        ),
    ),
    "Wolf et al.": Paper(
        "Lior Wolf, Hueihan Jhuang, Tamir Hazan: *Modeling Appearances with Low-Rank SVM.* IEEE "
        "Conference on Computer Vision and Pattern Recognition (CVPR), 2007.",
        {
            "wolf-table1": Shown(
                "Table 1",
                "four methods on generated data",
                "table_1",
                section="The table",
                differs="Its control *Reading of the paper* has the readings of the notes above.",
            ),
            "wolf-figure1": Shown(
                "Figure 1",
                "directions that the weighting keeps",
                "low_rank_svm",
                asks=True,
                differs="It shows one draw of the data; ours are means of 20.",
            ),
            "wolf-faces": Shown(
                "Section 6",
                "faces and pedestrians",
                "table_1",
                section="Faces versus non-faces",
                differs="It has the faces 25 × 25 only.",
            ),
            "wolf-tensors": Shown(
                "Section 6, tensors",
                "actions",
                "table_1",
                section="Samples with three indices",
            ),
        },
        (
            "**AROM.** Approximation of the zero norm (Weston et al.): train an SVM, multiply each "
            "feature by its weight, repeat; few features remain. **LowRank** does this with the "
            "directions of a matrix in place of its entries.",
            "**2DPCA.** Principal components of one side of a matrix, which is not made a vector "
            "before.",
            "**CBCL.** Pictures of faces and other things, 19 × 19, from MIT's Center for "
            "Biological and Computational Learning; the paper's faces are from there, too.",
        ),
    ),
    "Xia and Fan": Paper(
        "Wenjing Xia, Liya Fan: *Least Squares Support Matrix Machines Based on Bilevel "
        "Programming.* Scientific Advances Publishers, 2016.",
        {
            "lssmm-table2": Shown(
                "Table 2",
                "hinge and squared loss on pairs of people",
                "table_2",
                differs="It has the pairs of ORL only, and notes on what the paper leaves open.",
            ),
        },
        (
            "**Methods.** SMM has the hinge loss, LS-SMM the squared loss.",
            "**± of the accuracies.** One standard error over the folds, but at least half a "
            "picture, so that one picture makes no difference.",
            "**People.** “3 and 8” are the numbers of two people in the data set ORL, Palm400 or "
            "Yale; a classifier tells them apart.",
        ),
    ),
    "Sugiyama": Paper(
        "Masashi Sugiyama: *Introduction to Statistical Machine Learning.* Morgan Kaufmann, 2016, "
        "chapter 24.",
        {
            "sugiyama-figure24-5": Shown(
                "Figure 24.5",
                "zeros in a kernel model",
                "sparse",
                asks=True,
                differs="It solves the problem of one draw of the noise; ours are means of 50, "
                "where the listing stops.",
            ),
            "sugiyama-figure24-8": Shown(
                "Figure 24.8",
                "a ball between ℓ₁ and ℓ₂",
                "corners",
                {"corners_ball": "l1 + l2"},
                asks=True,
                differs="It shows one of the two balls at a time.",
            ),
            "sugiyama-selection": Shown(
                "Section 24.3",
                "feature selection",
                "sparse",
                asks=True,
                differs="It shows the zeros of ℓ₁; subsets and greedy selection are only here.",
            ),
        },
        (
            "**Hidden pair.** Two features are nearly equal and their difference decides y, so "
            "that neither alone says anything about y.",
        ),
    ),
}
