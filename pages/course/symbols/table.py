"""The symbols of all pages: each has one meaning."""

from __future__ import annotations

from typing import NamedTuple


class Symbol(NamedTuple):
    """A symbol and its meaning."""

    latex: str
    meaning: str
    paper: str
    lesson: str  # address of the page where it is introduced


SMM, BOOK = "SMM paper", "Sugiyama, ch. 24"
SYMBOLS = (
    Symbol("X_i", "a sample: a matrix of p rows and q columns", SMM, "by_hand"),
    Symbol("y_i", "the label of sample i: +1 or −1", SMM, "by_hand"),
    Symbol("n", "the number of training samples", SMM, "structure"),
    Symbol("p", "the number of rows of a sample", SMM, "grouping"),
    Symbol("q", "the number of columns of a sample", SMM, "grouping"),
    Symbol("j", "the index of a row of a sample, or of a coefficient", SMM, "grouping"),
    Symbol("l", "the index of a column of a sample", SMM, "grouping"),
    Symbol("W", "the matrix of weights that a classifier learns, p × q", SMM, ""),
    Symbol("b", "the offset of the decision function", SMM, ""),
    Symbol("f(X)", "the decision function ⟨W, X⟩ + b; its sign is the class", SMM, "by_hand"),
    Symbol("m_i", "yᵢ f(Xᵢ), the score of sample i on its own side; 1 is the edge", SMM, "by_hand"),
    Symbol("C", "the price of an error: the weight of the loss, C > 0", SMM, "by_hand"),
    Symbol("w_k", "the weight of class k in the loss: Cᵢ = C w", "scikit-learn", "imbalance"),
    Symbol(r"\tau", "the price of rank: the weight of the nuclear norm", SMM, "smm"),
    Symbol("r", "the rank of a matrix", SMM, "trace_norm"),
    Symbol("k", "the number of an iteration", SMM, "live"),
    Symbol(r"\sigma_i", "a singular value", SMM, "trace_norm"),
    Symbol(r"\alpha_i", "the load of sample i, between 0 and C: its dual variable", SMM, "smm"),
    Symbol(r"\Omega", "the sum of αᵢ yᵢ Xᵢ over the support matrices", SMM, "smm"),
    Symbol("P", "the objective: size of W, rank and losses at their prices", SMM, "by_hand"),
    Symbol("D", "the floor: a lower bound of P, from the dual problem", SMM, "by_hand"),
    Symbol("S", "the copy of W in ADMM that has low rank", SMM, "live"),
    Symbol(r"\Lambda", "the multiplier of the constraint W = S in ADMM", SMM, "live"),
    Symbol(r"\rho", "the penalty of ADMM on the difference of W and S", SMM, "live"),
    Symbol(r"\eta", "the threshold of a restart, 0 < η < 1", SMM, "live"),
    Symbol("c(k)", "the combined residual of iteration k", SMM, "live"),
    Symbol("t", "the momentum parameter", SMM, "live"),
    Symbol("V", "the number of groups of columns", SMM, "grouping"),
    Symbol(r"\delta", "the standard deviation of the noise on an entry", SMM, "grouping"),
    Symbol(r"\lambda", "the weight of a penalty in other models", BOOK, "sparse"),
    Symbol(r"\omega", "the share of ℓ₂ in the elastic net", f"{BOOK} (τ there)", "corners"),
    Symbol(r"\lambda_2", "the weight of a squared norm", f"{BOOK} (η there)", "trace_norm"),
    Symbol(r"\ell_p", "the norm (Σ |θⱼ|ᵖ)^(1/p), whose p is an exponent", BOOK, "corners"),
    Symbol(r"\theta", "the coefficients of a linear model", BOOK, "corners"),
    Symbol(r"\Theta", "the coefficient matrix of a regression", BOOK, "trace_norm"),
    Symbol("R", "the bound on a norm: the radius of its ball", BOOK, "trace_norm"),
    Symbol(r"\kappa", "how steep a corner of a ball is", BOOK, "corners"),
)

# Names that several lessons use, in the words of the course.
NAMES = (
    ("Held out", "samples that were not used for training; also called new or test samples"),
    (
        "Correlation",
        "from −1 to 1: how alike two features are; at 1 one is a multiple of the other",
    ),
    ("Feature", "one entry of the samples, seen over all of them"),
    ("B-SVM", "the bilinear SVM: an SVM whose W has a rank that one chooses"),
    ("R-GLM", "the regularised generalised linear model: logistic loss and nuclear norm"),
    ("LS-SMM", "the SMM with the squared loss, “least squares”, in place of the hinge"),
    (
        "AROM",
        "“approximation of the zero norm”: an SVM again and again, entries times their last weight",
    ),
    ("LowRank", "the same with directions u vᵀ in place of entries"),
    ("Elastic net", "the sum of the ℓ₁ and the squared ℓ₂ penalty"),
)
