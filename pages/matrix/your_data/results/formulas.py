"""The formulas of a machine with its numbers: its decision, and the objective of its training."""

from __future__ import annotations

import numpy as np

from pages.shared.parts import prose
from smmcore.model_selection import Tested


def decision(chosen: Tested, k: int) -> str:
    """Return f(X), and the rule that names one of several classes."""
    b = prose.latex_number(chosen.b[k], 4)
    if len(chosen.W) > 1:
        return (
            r"\hat y(X) = \arg\max_k f_k(X), \quad f_k(X) = \langle W_k, X \rangle + b_k, \quad "
            rf"b_{{{k + 1}}} = {b}"
        )
    return rf"f(X) = \langle W, X \rangle + b, \quad b = {b}"


def objective(chosen: Tested, k: int) -> str:
    """Return P(W, b), term by term, and the dual objective that bounds it from below."""
    method = chosen.machine.method
    sigma = np.linalg.svd(chosen.W[k], compute_uv=False)
    square, nuclear = 0.5 * float(sigma @ sigma), float(sigma.sum())
    primal, gap, weight = chosen.primal[k], chosen.gap[k], chosen.weight[k]
    terms, sizes = [r"\tfrac12 \|W\|_F^2"], [square]
    if method == "smm":
        terms.append(rf"{prose.latex_number(weight)} \, \|W\|_*")
        sizes.append(weight * nuclear)
    if method == "rglm":
        terms, sizes = [rf"{prose.latex_number(weight)} \, \|W\|_*"], [weight * nuclear]
        terms.append(r"\textstyle\sum_i \log(1 + e^{-y_i f(X_i)})")
    else:
        terms.append(rf"{prose.latex_number(chosen.C[k])} \textstyle\sum_i [1 - y_i f(X_i)]_+")
    sizes.append(primal - sum(sizes))
    rank = rf" \\ & \text{{over rank}}(W) \le {chosen.machine.rank}" if method == "bsvm" else ""
    dual = primal - gap * abs(primal)
    plus = r" \\ & + "  # narrow enough for a phone
    values = plus.join(prose.latex_number(size, 4) for size in sizes)
    proof = (
        rf"\\ D(\alpha) &= {prose.latex_number(dual, 7)} "
        rf"\\ (P - D) / P &= {prose.latex_number(gap, 2)}"
    )
    return (
        rf"\begin{{aligned}} P(W, b) &= {plus.join(terms)}{rank} \\ &= {values} \\ &= "
        rf"{prose.latex_number(primal, 7)} {proof if method != 'bsvm' else ''} \end{{aligned}}"
    )
