"""The formulas of a machine with its numbers: its decision, and the objective of its training."""

from __future__ import annotations

import numpy as np

from pages.shared.parts import prose
from smmcore.model_selection import SplitResult


def decision(chosen: SplitResult, k: int) -> str:
    """Return f(X), and the rule that names one of several classes."""
    b = prose.number(chosen.b[k], 4)
    if len(chosen.W) > 1:
        return (
            r"\hat y(X) = \arg\max_k f_k(X), \quad f_k(X) = \langle W_k, X \rangle + b_k, \quad "
            rf"b_{{{k + 1}}} = {b}"
        )
    return rf"f(X) = \langle W, X \rangle + b, \quad b = {b}"


def objective(chosen: SplitResult, k: int) -> str:
    """Return P(W, b), term by term, and the dual objective that bounds it from below."""
    method = chosen.spec.method
    sigma = np.linalg.svd(chosen.W[k], compute_uv=False)
    square, nuclear = 0.5 * float(sigma @ sigma), float(sigma.sum())
    primal, gap, weight = chosen.primal[k], chosen.gap[k], chosen.weight[k]
    terms, sizes = [r"\tfrac12 \|W\|_F^2"], [square]
    if method == "smm":
        terms.append(rf"{prose.number(weight)} \, \|W\|_*")
        sizes.append(weight * nuclear)
    if method == "rglm":
        terms, sizes = [rf"{prose.number(weight)} \, \|W\|_*"], [weight * nuclear]
        terms.append(r"\textstyle\sum_i \log(1 + e^{-y_i f(X_i)})")
    else:
        terms.append(rf"{prose.number(chosen.C[k])} \textstyle\sum_i [1 - y_i f(X_i)]_+")
    sizes.append(primal - sum(sizes))
    rank = rf" \\ & \text{{over rank}}(W) \le {chosen.spec.rank}" if method == "bsvm" else ""
    dual = primal - gap * abs(primal)
    plus = r" \\ & + "  # narrow enough for a phone
    values = plus.join(prose.number(size, 4) for size in sizes)
    proof = rf"\\ D(\alpha) &= {prose.number(dual, 7)} \\ (P - D) / P &= {prose.number(gap, 2)}"
    return (
        rf"\begin{{aligned}} P(W, b) &= {plus.join(terms)}{rank} \\ &= {values} \\ &= "
        rf"{prose.number(primal, 7)} {proof if method != 'bsvm' else ''} \end{{aligned}}"
    )
