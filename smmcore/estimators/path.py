"""Solve the support matrix machine along tau."""

from __future__ import annotations

from typing import NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from smmcore.arrays import Array
from smmcore.estimators.smm import SupportMatrixMachine
from smmcore.path import descending_taus, solve_path, tau_grid, tau_max
from smmcore.threads import one_blas_thread

_TOP = 1e-2  # by which the first tau may exceed tau_max: more digits would cost more than they save


class SMMPath(NamedTuple):
    """Solutions of the support matrix machine along a path, each with its certificate."""

    taus: Array  # (m,), descending
    coefs: Array  # (m, p, q), or (m, p) where samples are vectors
    intercepts: Array  # (m,)
    dual_gaps: Array  # (m,), P - D
    objectives: Array  # (m,), P(W, b)
    radii: Array  # (m,), sqrt(2 dual_gaps), upper bounds of ||W - W*||_F
    ranks: NDArray[np.intp]  # (m,), of the coefs
    singular_values: Array  # (m, min(p, q)), of the coefs, descending
    dual_coefs: Array  # (m, n), the dual variables alpha, 0 <= alpha <= C w_i

    def __repr__(self) -> str:
        return (
            f"SMMPath({len(self.taus)} solutions, tau {self.taus[0]:.3g} to {self.taus[-1]:.3g}, "
            f"ranks {self.ranks.min()} to {self.ranks.max()}, gaps <= {self.dual_gaps.max():.1e})"
        )


@one_blas_thread()
def smm_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    eps: float = 1e-2,
    n_taus: int = 30,
    taus: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    shape: tuple[int, ...] | None = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
) -> SMMPath:
    """Solve the support matrix machine along tau, each solution warm-started from the one before.

    Minimises 1/2 ||W||_F^2 + tau ||W||_* + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ for each tau. The
    solutions are those of `SupportMatrixMachine`, up to their certificates, in less time.

    Parameters
    ----------
    X : array-like of shape (n, p, q), (n, p q) with `shape`, or (n, p)
        Matrices, their entries row by row, or vectors, which count as matrices of one column.
    y : array-like of shape (n,)
        Labels of any type, two different labels. <W, X_i> + b is positive for the second in
        sorted order.
    C : float, default=1.0
        Loss weight, positive.
    eps : float, default=1e-2
        Length of the path: the smallest tau divided by the largest.
    n_taus : int, default=30
        Number of taus, in equal ratios.
    taus : array-like of shape (n_taus,), optional
        Nuclear weights, at least 0, in any order. By default `n_taus` of them go down from
        tau_max, the smallest tau with W = 0, or at most 1 % more, to `eps` times that.
    sample_weight : array-like of shape (n,), optional
        Weights w_i of the samples, at least 0 and positive in each class; 1 by default.
    shape : tuple of int, optional
        (p, q), for flat X of shape (n, p q).
    tol : float, default=1e-6
        Relative duality gap at which each solution ends.
    max_iter : int, default=2000
        Maximum of iterations for each solution.

    Returns
    -------
    SMMPath
        A named tuple of arrays, one entry for each tau, from the largest to the smallest. Each W of
        `coefs` is proved to be within its `radii` of the exact solution.

    Raises
    ------
    ValueError
        If an argument is out of range, or there are not exactly two classes.

    Warns
    -----
    ConvergenceWarning
        If `tol` was not reached at some tau.

    Examples
    --------
    >>> from smmcore import smm_path
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> path = smm_path(X, y, C=0.1, eps=1e-3, n_taus=4)
    >>> path.coefs.shape, path.ranks.tolist()
    ((4, 6, 5), [0, 1, 1, 4])
    >>> bool((path.dual_gaps <= 1e-6 * path.objectives).all())
    True
    """
    machine = SupportMatrixMachine(C, shape=shape, tol=tol, max_iter=max_iter)
    (_, problem), *others = machine._problems(X, y, sample_weight)
    if others:
        raise ValueError(
            f"smm_path needs two classes, got {len(machine.classes_)}: call it for each class "
            "against the rest, or use SupportMatrixMachineCV"
        )
    if taus is None:
        taus = tau_grid(tau_max(problem, _TOP), eps, n_taus)
    taus = descending_taus(taus)
    proofs = [
        *solve_path((problem.with_weights(tau=tau) for tau in taus), tol=tol, max_iter=max_iter)
    ]
    if loose := [proof.relative_gap for proof in proofs if not proof.within(tol)]:
        warn(
            f"{len(loose)} of {len(proofs)} solutions have relative duality gaps of up to "
            f"{max(loose):.1e}, tol={tol} was not reached. Increase max_iter or tol.",
            ConvergenceWarning,
            stacklevel=3,
        )
    W = np.array([proof.W for proof in proofs])
    dual_coefs = np.zeros((len(proofs), len(machine._positive_weight)))
    dual_coefs[:, machine._positive_weight] = [proof.alpha for proof in proofs]
    return SMMPath(
        taus=taus,
        coefs=W[:, :, 0] if machine._vectors else W,
        intercepts=np.array([proof.b for proof in proofs]),
        dual_gaps=np.array([proof.gap for proof in proofs]),
        objectives=np.array([proof.primal for proof in proofs]),
        radii=np.array([proof.radius for proof in proofs]),
        ranks=np.array([proof.rank for proof in proofs]),
        singular_values=np.array([proof.singular_values for proof in proofs]),
        dual_coefs=dual_coefs,
    )
