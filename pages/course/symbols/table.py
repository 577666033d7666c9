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
    Symbol("X_i", "a sample: a matrix of p rows and q columns", SMM, ""),
    Symbol("y_i", "the label of sample i: +1 or −1", SMM, ""),
    Symbol("n", "the number of training samples", SMM, "data"),
    Symbol("p", "the number of rows of a sample", SMM, "data"),
    Symbol("q", "the number of columns of a sample", SMM, "data"),
    Symbol("j", "the index of a row of a sample, or of a coefficient", SMM, "data"),
    Symbol("l", "the index of a column of a sample", SMM, "data"),
    Symbol("W", "the matrix that the classifier learns, p × q", SMM, "smm"),
    Symbol("b", "the offset of the decision function", SMM, "smm"),
    Symbol("f(X)", "the decision function ⟨W, X⟩ + b; its sign is the class", SMM, "smm"),
    Symbol("m_i", "the margin yᵢ f(Xᵢ) of sample i", SMM, "smm"),
    Symbol("C", "the weight of the loss, C > 0", SMM, "smm"),
    Symbol("w_k", "the weight of class k in the loss: Cᵢ = C w", "scikit-learn", "imbalance"),
    Symbol(r"\tau", "the weight of the nuclear norm", SMM, "smm"),
    Symbol("r", "the rank of a matrix", SMM, "trace_norm"),
    Symbol("k", "the number of an iteration", SMM, "live"),
    Symbol(r"\sigma_i", "a singular value", SMM, "trace_norm"),
    Symbol(r"\alpha_i", "the dual variable of sample i, between 0 and its C", SMM, "smm"),
    Symbol(r"\Omega", "the sum of αᵢ yᵢ Xᵢ over the support matrices", SMM, "smm"),
    Symbol("P", "the value of the objective that is minimised", SMM, "smm"),
    Symbol("D", "a lower bound of the objective, from the dual problem", SMM, "smm"),
    Symbol("S", "the copy of W in ADMM that has low rank", SMM, "live"),
    Symbol(r"\Lambda", "the multiplier of the constraint W = S in ADMM", SMM, "live"),
    Symbol(r"\rho", "the penalty of ADMM on the difference of W and S", SMM, "live"),
    Symbol(r"\eta", "the threshold of a restart, 0 < η < 1", SMM, "live"),
    Symbol("c(k)", "the combined residual of iteration k", SMM, "live"),
    Symbol("t", "the momentum parameter", SMM, "live"),
    Symbol("V", "the number of groups of columns", SMM, "data"),
    Symbol(r"\delta", "the standard deviation of the noise on an entry", SMM, "data"),
    Symbol(r"\lambda", "the weight of a penalty in other models", BOOK, "sparse"),
    Symbol(r"\omega", "the share of ℓ₂ in the elastic net", f"{BOOK} (τ there)", "corners"),
    Symbol(r"\lambda_2", "the weight of a squared norm", f"{BOOK} (η there)", "trace_norm"),
    Symbol(r"\ell_p", "the norm (Σ |θⱼ|ᵖ)^(1/p), whose p is an exponent", BOOK, "corners"),
    Symbol(r"\theta", "the coefficients of a linear model", BOOK, "corners"),
    Symbol(r"\Theta", "the coefficient matrix of a regression", BOOK, "trace_norm"),
    Symbol("R", "the bound on a norm: the radius of its ball", BOOK, "trace_norm"),
    Symbol(r"\kappa", "how steep a corner of a ball is", BOOK, "corners"),
)
