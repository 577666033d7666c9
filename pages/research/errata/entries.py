"""What the papers misprint or leave open, what holds instead, and where to see it."""

from typing import NamedTuple

from pages.shared.reproduction.stored_results import read_results


class Erratum(NamedTuple):
    """A place in a paper, in Markdown."""

    place: str
    printed: str
    holds: str
    page: str  # the address of the page that shows it


def accuracies(data: str) -> dict[str, float]:
    """Return our accuracies on some data of Table 2, by classifier, in per cent."""
    return {
        each.item: each.ours
        for each in read_results("table2").comparisons
        if each.part.endswith(f": our {data}, split at random") and "minus" not in each.item
    }


def _list_accuracies(data: str) -> str:
    return ", ".join(f"{each:.1f}" for each in accuracies(data).values())


ERRATA = {
    "Support matrix machines": (
        Erratum(
            "Section 5.1",
            r"Column $l$ is in group $\lceil l / (0.2 q) \rceil$.",
            r"That makes five groups; the text and the figures have $V = 4$: group "
            r"$\lceil l V / q \rceil$.",
            "grouping",
        ),
        Erratum(
            "Lemma 1, Theorem 2",
            r"$\|W_{\cdot l} - W_{\cdot l'}\|^2 \le 2 n C^2 (p - \sum_k f_{kl}^\top f_{kl'})$",
            r"Correct only for features of length 1. On data as section 5.1 makes them it fails "
            r"for about half of the pairs of columns in a group, at unit variance for all. For any "
            r"scaling: $n C^2 \sum_k \|f_{kl} - f_{kl'}\|^2$.",
            "theorem_2",
        ),
        Erratum(
            "Algorithm 1",
            r"The first step compares $c(1)$ with $c(0)$, which is not defined; $t$ and the "
            "copies of $S$ and $Λ$ are off by one.",
            r"With $c(0) = 0$ the algorithm restarts for ever and never accelerates. Here $c(0)$ "
            r"is infinite, and $t$ begins at 1.",
            "live",
        ),
        Erratum(
            "Theorem 1, equation 12",
            r"Equation 12 keeps the first $Λ$ in the formula for $W$; Theorem 1 omits a condition.",
            r"$W = \mathcal D_\tau(\Omega(\alpha))$ for an $α$ that also satisfies "
            r"$\sum_i \alpha_i y_i = 0$.",
            "smm",
        ),
        Erratum(
            "Theorem 4",
            r"$b$ is an average over the samples with $0 < α_i < C$.",
            r"There may be no such sample. Here $b$ is the middle of the interval of all $b$ that "
            r"minimise $P(W, b)$.",
            "live",
        ),
        Erratum(
            "Theorem 6",
            "The algorithm converges.",
            r"No rate follows. $W$ and $S$ converge; $b$ and $α$ tend to their sets of solutions. "
            "Without restarts nothing is promised.",
            "live",
        ),
        Erratum(
            "Figure 1",
            "Only the SMM shows the groups of columns.",
            "The values of C and λ decide that, not the models: with a strong regularisation every "
            "model shows the groups, with a weak one none does, and the accuracy hardly differs.",
            "compare",
        ),
        Erratum(
            "Figure 2",
            "The SMM is the most robust to noise.",
            "All models reach nearly the same accuracy at their best C. Cross-validation finds "
            "many C equally good, and how such ties are broken decides the order.",
            "robustness",
        ),
        Erratum(
            "Tables 2 and 3",
            "The SMM is best on every data set.",
            "Not on the data at hand. Right, in per cent, of linear SVM, B-SVM, R-GLM and SMM: EEG "
            f"{_list_accuracies('EEG')}; faces {_list_accuracies('faces')}.",
            "yours",
        ),
    ),
    "Sugiyama, chapter 24": (
        Erratum(
            "Fig. 24.3, z-update",
            r"$\max(0, θ + u - λ 1) + \min(0, θ u + λ 1)$",
            r"$\min(0, θ + u + λ 1)$: a plus is missing. Its one-dimensional form is an argmin, "
            "not a min. The figure has ρ = 1; another ρ changes the number of iterations, not the "
            "solution.",
            "sparse",
        ),
        Erratum(
            "Fig. 24.4",
            "38 of 50 parameters are 0. The listing sets `l = 0.1` and then thresholds at 1.",
            "38 comes from 0.1: over 50 draws of the noise 31 to 40 are 0. A threshold of 1 gives "
            "41 to 44.",
            "sparse",
        ),
        Erratum(
            "Section 24.4.3",
            r"$(\Phi^\top \Phi + (η + 1) I)^{-1}$ in the θ-update, for the penalty $η \|θ\|^2$",
            r"$(2 η + 1) I$. As printed it solves the problem with half of η.",
            "sparse",
        ),
        Erratum(
            "Fused lasso",
            "$F$ is square.",
            r"$F$ has $b - 1$ rows. The last row of the square one penalises the size of $θ_b$ "
            "itself and pulls the end of the signal to 0.",
            "sparse",
        ),
    ),
    "Wolf, Jhuang and Hazan": (
        Erratum(
            "Proposition 2",
            "$W$ “is of rank $m$”.",
            "The rank is at most $m$.",
            "low_rank_svm",
        ),
        Erratum(
            "Theorem on the VC dimension",
            r"The bound $k(n+m) \log k(n+m)$ holds from $k(n+m) \ge 100$ on.",
            r"With log₂ its proof needs $k(n+m) \ge 166$; and $nm + 1$ is often smaller.",
            "vc_dimension",
        ),
        Erratum(
            "Iterative weighting",
            "How the weightings apply to test samples is left open.",
            r"$W = T_1 T_2 \cdots T_{k-1} W_k$, in this order.",
            "low_rank_svm",
        ),
        Erratum(
            "Table 1",
            "LowRank 99.47 %, SVM 92.63 %, AROM 99.90 % on $X$",
            "99.47 could not be reproduced. On data as described, the best possible expected "
            "accuracy is 99.63 %, so 99.90 is more than four standard errors too high.",
            "table_1",
        ),
        Erratum(
            "The cyclic algorithm",
            "It is much slower than iterative weighting.",
            "1 to 20 times in our measurements. And it stalls: where it ends depends on its start.",
            "cyclic",
        ),
    ),
    "Xia and Fan": (
        Erratum(
            "Equation 6",
            r"$Λ - ρ (S - W)$",
            r"$Λ - ρ (W - S)$. With the sign of the paper the algorithm diverges.",
            "bilevel",
        ),
        Erratum(
            "BP-SMM",
            "Minimise over $Λ$ as well.",
            "Then the objective is unbounded below. In the order S, then W and b, then Λ the "
            "algorithm is ADMM, with the fixed points of the SMM.",
            "bilevel",
        ),
        Erratum(
            "Objective",
            r"The squared loss stands once with and once without the factor $\tfrac12$.",
            r"$\tfrac12 \|W\|_F^2 + τ \|W\|_* + \tfrac C2 \sum_i (y_i - f_i)^2$ fits their "
            "equation 13.",
            "squared_loss",
        ),
        Erratum(
            "Equation 13",
            r"Add a small $δ I$ if the matrix is singular.",
            "It is never singular.",
            "squared_loss",
        ),
        Erratum(
            "Table 1",
            r"$ρ$ is cross-validated: 1.1, 0.1 and 3.",
            r"$ρ$ does not change the model, and these values are not in the grid of the text.",
            "bilevel",
        ),
        Erratum(
            "Table 2",
            "98.125 % with 5-fold cross-validation of 20 samples; 80.00 ± 0.00 %",
            "One sample is 5 %, so 98.125 must be a mean of several cross-validations. 80.00 "
            "could not be reproduced.",
            "table_2",
        ),
    ),
}
