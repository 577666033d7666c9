"""The steps of the course: for 45 minutes in class, and for two hours on one's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlencode


@dataclass(frozen=True)
class PlanStep:
    """Five minutes in class."""

    lesson: str  # address of the page
    question: str  # what the step answers
    do: str  # what the lecturer clicks and says
    say: str  # what students should say
    take_home: str  # the sentence to remember
    settings: dict[str, str] = field(default_factory=dict)  # what the page's address holds

    @property
    def address(self) -> str:
        """Address of the page with its settings, relative to the course page."""
        query = f"?{urlencode(self.settings)}" if self.settings else ""
        return f"./{self.lesson}{query}"


MINUTES = 5  # a step takes
CLASS = (
    PlanStep(
        "",
        "What does a classifier for matrices learn?",
        "Point at the two samples, then at W. Multiply them entry by entry: equal "
        "colours give a positive product, different ones a negative product.",
        "“In class +1 most strong entries have W's colour, so the sum is positive.”",
        "The sign of ⟨W, X⟩ + b is the predicted class.",
    ),
    PlanStep(
        "corners",
        "Where do exact zeros come from?",
        "Let them predict. Then drag the minimum around the diamond, and choose **Round**.",
        "“On the diamond it sticks to the corners. On the disc it only passes through the axes.”",
        "A ball with corners on the axes makes coordinates exactly zero.",
    ),
    PlanStep(
        "trace_norm",
        "What is the matrix version of a zero?",
        "Let them predict, then play. Below, read the table of vectors and matrices row by row.",
        "“Fewer numbers than entries, and still nearly the right matrix.”",
        "The nuclear norm is the ℓ₁ norm of the singular values: its zeros mean low rank.",
    ),
    PlanStep(
        "structure",
        "When does it pay to treat a sample as a matrix?",
        "Let them predict. Then move the rank from 1 to 20, and n from 50 to 800.",
        "“At rank 1 the SMM wins clearly. At full rank it does not.”",
        "The SMM pays when the true W has low rank and samples are few.",
    ),
    PlanStep(
        "smm",
        "What does the SMM minimise?",
        "Walk through the four steps. Then drag the line over the singular values of Ω, "
        "and watch W. The prediction is about this line: ask it last.",
        "“What is below the line is 0 in W, and W loses these patterns.”",
        "A linear SVM that also pays τ for the size of each singular value of W.",
        {"C": "0.05", "tau": "0.2"},
    ),
    PlanStep(
        "grouping",
        "What happens to features that are nearly equal?",
        "Let them predict. Then move the correlation towards 1.",
        "“They differ for long. Close to correlation 1 they become equal.”",
        "Similar columns of X get similar columns of W.",
    ),
    PlanStep(
        "rank",
        "Which rank predicts best?",
        "Let them predict, then move along τ. Compare training and held-out accuracy.",
        "“One or two singular values are enough here.”",
        "τ sets the rank; held-out samples tell you which ranks are good enough.",
    ),
    PlanStep(
        "compare",
        "Does accuracy tell which W is the right one?",
        "Let them predict. Show the two presets one after the other.",
        "“The blocks change sides, but the accuracies hardly change.”",
        "The strength of the regularisation decides what W looks like.",
    ),
    PlanStep(
        "yours",
        "Would you use an SMM for your own data?",
        "Look at the digits. Ask: does the SMM win here? Why not?",
        "“Many samples, few pixels: there is little left to gain.”",
        "Always compare with a linear SVM, on samples that were not used for training.",
    ),
)

# For self-study: lesson, minutes, what to do beside its prediction and its exercises.
SELF_STUDY = (
    ("corners", 10, "Try all five presets; find a smooth ball that still gives a zero."),
    ("sparse", 10, "Compare all five penalties on the same samples."),
    ("trace_norm", 10, "Find the smallest number of samples that still recovers the matrix."),
    ("structure", 10, "Find the rank at which the advantage of the SMM is gone."),
    ("data", 5, "Raise the noise until you no longer see the groups."),
    ("smm", 15, "Work through the four steps; let CVXPY check the answer."),
    ("live", 10, "Step through ten iterations and find a restart."),
    ("compare", 10, "Reproduce both presets, then sweep the strength."),
    ("grouping", 10, "Find a case in which the bound of Theorem 2 is tight."),
    ("rank", 10, "Map rank and accuracy over C and τ."),
    ("imbalance", 5, "Find the ratio of weights with the best balanced accuracy."),
    ("robustness", 5, "Choose the weakest regularisation and watch the curves separate."),
    ("low_rank_svm", 5, "Rotate the samples and compare the methods."),
    ("squared_loss", 5, "Compare the support matrices of the two losses."),
)
