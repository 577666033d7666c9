"""Least squares with a penalty on the parameters or on linear maps of them, and its splitting."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve, eigvalsh, null_space
from scipy.sparse import eye_array
from scipy.spatial.distance import cdist

from smmcore.arrays import Array
from smmcore.problems.base import Proof, as_real, fingerprint
from smmcore.sugiyama.penalties import Norm, Penalty

Step = Callable[[Array, Array], Array]


def gaussian_design(X: ArrayLike, centres: ArrayLike, h: float) -> Array:
    """Return the design of the Gaussian kernel model, exp(-||x_i - c_j||^2 / (2 h^2)).

    Parameters
    ----------
    X : array-like of shape (n, d) or (n,)
        The points at which the model is evaluated.
    centres : array-like of shape (b, d) or (b,)
        The centre of each basis function.
    h : float
        Width, positive, in the unit of X.

    Returns
    -------
    ndarray of shape (n, b)

    References
    ----------
    Sugiyama, section 24.2.

    Examples
    --------
    >>> from smmcore.sugiyama.regression import gaussian_design
    >>> gaussian_design([0.0, 1.0], [0.0], h=1.0).round(4)
    array([[1.    ],
           [0.6065]])
    """
    if not 0 < h < np.inf:
        raise ValueError(f"h must be positive and finite, got {h}")
    points, middles = (np.asarray(Z, dtype=float) / h for Z in (X, centres))
    squares = cdist(_columns(points), _columns(middles), "sqeuclidean")
    return np.asarray(np.exp(-0.5 * squares))


def differences(b: int) -> Array:
    """Return F of the fused lasso, (F theta)_j = theta_{j + 1} - theta_j, for b parameters.

    The formula in section 24.4.1 of the book, for j = 1..b, has one more row, which penalises
    |theta_b| itself.

    Examples
    --------
    >>> from smmcore.sugiyama.regression import differences
    >>> differences(3)
    array([[-1.,  1.,  0.],
           [ 0., -1.,  1.]])
    """
    return np.diff(np.eye(b), axis=0)


@dataclass(frozen=True, eq=False)
class Splitting:
    """min f(theta) + g(z) subject to A theta + B z = c (Sugiyama, Fig. 24.3).

    L(theta, z, u) = f(theta) + g(z) + u'(A theta + B z - c) + rho/2 ||A theta + B z - c||^2; the
    book sets rho = 1 and says that there is nothing to tune.
    """

    A: Any  # (l, b), dense or sparse
    B: Any  # (l, m), dense or sparse
    c: Array  # (l,)
    rho: float
    best_theta: Step  # (z, u) -> argmin_theta L(theta, z, u)
    best_z: Step  # (theta, u) -> argmin_z L(theta, z, u)
    fingerprint: Array | None = None  # of the data in f, to check start states

    def violation(self, theta: Array, z: Array) -> Array:
        """Return A theta + B z - c, shape (l,)."""
        return np.asarray(self.A @ theta + self.B @ z - self.c)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LSCertificate(Proof):
    """A point of a regularised LS problem and the duality gap that bounds its error.

    The objective is quadratic up to the penalty, so sqrt(2 gap) bounds the distance of the fitted
    values: 1/2 ||Phi (theta - theta*)||^2 + eta ||theta - theta*||^2 <= gap.
    """

    theta: Array  # (b,)
    fitted: Array  # (n,), Phi theta
    dual_point: Array  # (n,), the multiple of the residual at which D is computed
    at_zero: float  # least objective with F theta = 0 (1/2 ||y||^2 if F = I), at least its rounding

    @property
    def relative_gap(self) -> float:
        """The gap divided by `at_zero`, since P may be 0 for a perfect fit."""
        return self.gap / self.at_zero if self.at_zero else np.inf

    def within(self, tol: float) -> bool:
        """Return whether the gap is at most `tol` times `at_zero`."""
        return self.gap <= tol * self.at_zero


@dataclass(frozen=True, eq=False, repr=False)
class RegularizedLS:
    """min 1/2 ||y - Phi theta||^2 + eta ||theta||^2 + g(F theta) (Sugiyama, chapter 24).

    Its dual is max y'r - 1/2 ||r||^2 - h*(Phi'r), h(theta) = eta ||theta||^2 + g(F theta). With
    eta = 0 and F = I, r is feasible if the conjugate of g is finite at Phi'r; a multiple of
    y - Phi theta is feasible.

    Parameters
    ----------
    Phi : array-like of shape (n, b)
        Design: a row of features for each sample, a `gaussian_design`, or matrices as rows.
    y : array-like of shape (n,)
        The values to fit.
    penalty : Penalty
        g: a norm as a `WeightedNorm` penalty, or a `Ball` as a constraint.
    F : array-like of shape (m, b), optional
        The penalty is g(F theta) (section 24.4.1); by default F = I.
    eta : float
        Weight of ||theta||^2 (section 24.4.3), at least 0.

    References
    ----------
    Sugiyama, Introduction to Statistical Machine Learning, chapter 24.
    """

    has_curvature: ClassVar[bool] = True  # see `proximal_gradient`

    Phi: Array
    y: Array
    penalty: Penalty
    F: Array | None = None
    eta: float = 0.0

    def __post_init__(self) -> None:
        Phi, y = as_real("Phi", self.Phi), as_real("y", self.y)
        if Phi.ndim != 2 or 0 in Phi.shape:
            raise ValueError(f"Phi must have shape (n, b) without zeros, got {Phi.shape}")
        if y.shape != (len(Phi),):
            raise ValueError(f"y must have shape ({len(Phi)},), got {y.shape}")
        if not (np.abs(Phi).max() < 1e100 and np.abs(y).max() < 1e100):  # also refuses NaN
            raise ValueError(
                "Phi and y must be finite and below 1e100, so that their squares are finite"
            )
        if not 0 <= self.eta < np.inf:
            raise ValueError(f"eta must be at least 0 and finite, got {self.eta}")
        object.__setattr__(self, "Phi", Phi)
        object.__setattr__(self, "y", y)
        if self.F is not None:
            F = as_real("F", self.F)
            if F.ndim != 2 or F.shape[1] != Phi.shape[1] or not np.isfinite(F).all():
                raise ValueError(
                    f"F must be finite with {Phi.shape[1]} columns, one per parameter, "
                    f"got {F.shape}"
                )
            object.__setattr__(self, "F", F)
        self._check_penalty()

    def __repr__(self) -> str:
        n, b = self.Phi.shape
        return f"{type(self).__name__}({n} x {b}, {self.penalty!r}, eta={self.eta:g})"

    def _check_penalty(self) -> None:
        """Raise the penalty's ValueError if it does not fit the number of parameters."""
        self.penalty.value(np.zeros(self._map.shape[0]))

    def with_penalty(self, penalty: Penalty) -> RegularizedLS:
        """Return the problem with another penalty; what depends on the data alone is shared."""
        _ = self.curvature  # before copying, so that both share the result
        other = copy(self)
        object.__setattr__(other, "penalty", penalty)
        other._check_penalty()
        return other

    def primal(self, theta: Array) -> float:
        """Return P(theta), infinite outside the constraint."""
        mapped = theta if self.F is None else self.F @ theta
        return self.smooth(theta, self.scores(theta)) + self.penalty.value(mapped)

    def dual(self, r: Array) -> float:
        """Return D(r), minus infinity if r is not feasible, for problems without F."""
        if self.F is not None:
            raise ValueError("dual needs a problem without F: use certificate")
        r = np.asarray(r, dtype=float)
        if r.shape != self.y.shape:
            raise ValueError(
                f"r must have shape {self.y.shape}, one entry per sample, got {r.shape}"
            )
        return float(self.y @ r - 0.5 * r @ r) - self._conjugate(self.Phi.T @ r)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, b)."""
        return self.Phi.shape

    @property
    def weights(self) -> tuple[Penalty, float]:
        """The penalty and eta."""
        return self.penalty, self.eta

    def scores(self, theta: Array) -> Array:
        """Return Phi theta, shape (n,)."""
        return np.asarray(self.Phi @ theta)

    def smooth(self, theta: Array, scores: Array) -> float:
        """Return the objective without g."""
        r = self.y - scores
        return 0.5 * float(r @ r) + self.eta * float(theta @ theta)

    def linearise(self, theta: Array, scores: Array) -> tuple[float, Array]:
        """Return the objective without g, and its gradient."""
        gradient = self.Phi.T @ (scores - self.y) + 2 * self.eta * theta
        return self.smooth(theta, scores), np.asarray(gradient)

    def gradient(self, theta: Array) -> Array:
        """Return the gradient of the objective without g."""
        return self.linearise(theta, self.scores(theta))[1]

    def prox(self, V: Array, t: float) -> Array:
        """Return the proximal operator of t g at V, for problems without F."""
        return self.penalty.prox(V, t)

    @cached_property
    def curvature(self) -> float:
        """The largest curvature of the objective without g, ||Phi||_2^2 + 2 eta."""
        last = len(self._gram) - 1
        return float(eigvalsh(self._gram, subset_by_index=[last, last])[0]) + 2 * self.eta

    def split(self, rho: float = 1.0) -> Splitting:
        """Return the problem split by z = F theta for ADMM.

        theta = (Phi'Phi + 2 eta I + rho F'F)^-1 (Phi'y + F'(rho z - u)); the book prints eta for
        2 eta (24.4.3). z is the proximal operator of g / rho at F theta + u / rho. A rho that is
        too small compared with Phi, and a theta that is not unique, raise a ValueError.
        """
        if not 0 < rho < np.inf:
            raise ValueError(f"rho must be positive and finite, got {rho}")
        F, N = self._map, self._unseen
        if N.size and eigvalsh(N.T @ self._hessian @ N)[0] <= 1e-13 * np.trace(self._hessian):
            raise ValueError(
                "theta is not unique, as Phi and F both map some theta to 0: eta must be above 0"
            )
        solve = self._inverse_of_hessian(rho)
        moment, m = self.Phi.T @ self.y, F.shape[0]
        return Splitting(
            A=F,
            B=-eye_array(m),
            c=np.zeros(m),
            rho=rho,
            best_theta=lambda z, u: solve(moment + F.T @ (rho * z - u)),
            best_z=lambda theta, u: self.penalty.prox(F @ theta + u / rho, 1 / rho),
            fingerprint=self.fingerprint,
        )

    def _inverse_of_hessian(self, rho: float) -> Callable[[Array], Array]:
        """Return v -> (Phi'Phi + 2 eta I + rho F'F)^-1 v; if F = I by Phi's smaller side."""
        Phi, shift = self.Phi, 2 * self.eta + rho
        if self.F is None:
            H = self._gram + shift * np.eye(min(Phi.shape))
        else:
            H = self._hessian + rho * self._gram_of_F
        try:
            factor = cho_factor(H, overwrite_a=True, check_finite=False)
        except np.linalg.LinAlgError:
            raise ValueError(
                f"rho = {rho:g} is too small compared with Phi'Phi, of trace {np.trace(H):.1e}"
            ) from None

        def solve(v: Array) -> Array:
            return np.asarray(cho_solve(factor, v, check_finite=False))

        if self.F is not None or len(Phi) >= Phi.shape[1]:
            return solve
        return lambda v: (v - Phi.T @ solve(Phi @ v)) / shift  # Woodbury's identity

    @cached_property
    def fingerprint(self) -> Array:
        """Random sums that identify Phi and y, see `fingerprint`, shape (2, 8)."""
        return np.stack([fingerprint(self.Phi), fingerprint(self.y)])

    @property
    def natural_rho(self) -> float:
        """A rho that scales with the units: a third of ||Phi||_F^2 / ||F||_F^2."""
        b = self.Phi.shape[1]
        F = float(np.sqrt(b) if self.F is None else np.linalg.norm(self.F)) or 1.0
        return (float(np.linalg.norm(self.Phi)) / F) ** 2 / 3 or 1.0

    def lam_max(self, norm: Norm) -> float:
        """Return the smallest lam with F theta = 0, where F has full row rank."""
        return norm.dual(self._multiplier(-self.gradient(self._flat), None))

    def certificate(self, z: Array, u: Array | None = None) -> LSCertificate:
        """Return the certificate of the best theta with F theta = z.

        u holds the multipliers of z = F theta, if they are known; it is not used if F = I.
        """
        theta, mapped = self._preimage(z)
        fitted = self.scores(theta)
        r = self.y - fitted
        primal = self.smooth(theta, fitted) + self.penalty.value(mapped)
        if self.F is None and self.eta:
            share, dual = 1.0, self.dual(r)
        else:
            slope = self.Phi.T @ r - 2 * self.eta * theta
            multiplier = self._multiplier(slope, u)
            share = self.penalty.share(multiplier)
            # The last term is 0 up to rounding, as the slope vanishes where F theta = 0.
            moment = float(self.y @ r - self._flat @ slope)
            dual = share * moment - share**2 * self.smooth(theta, fitted)
            dual -= self.penalty.conjugate(share * multiplier)
        return LSCertificate(
            theta=theta,
            fitted=fitted,
            dual_point=share * r,
            at_zero=self._at_zero,
            primal=primal,
            dual=dual,
        )

    def _conjugate(self, s: Array) -> float:
        """Return h*(s) for F = I; with eta > 0 the maximiser is the prox of g / (2 eta)."""
        if not self.eta:
            return self.penalty.conjugate(s)
        x = self.penalty.prox(s / (2 * self.eta), 1 / (2 * self.eta))
        return float(s @ x - self.eta * x @ x) - self.penalty.value(x)

    def _preimage(self, z: Array) -> tuple[Array, Array]:
        """Return the best theta with F theta = z, or as near as possible, and F theta."""
        if self.F is None:
            return z, z
        theta = self._inverse @ z
        m, b = self.F.shape
        if m + self._unseen.shape[1] == b:  # every z is some F theta
            return self._at_best_shift(theta), z
        theta = self._at_best_shift(self.penalty.room(self.F @ theta) * theta)
        return theta, self.F @ theta

    def _multiplier(self, slope: Array, near: Array | None) -> Array:
        """Return the u with F'u = slope that is nearest to a given u or to 0."""
        if self.F is None:
            return slope
        u = np.zeros(len(self.F)) if near is None else near
        return np.asarray(u + self._inverse.T @ (slope - self.F.T @ u))

    def _at_best_shift(self, theta: Array) -> Array:
        """Move theta in the null space of F to the minimum of the smooth part."""
        N = self._unseen
        if not N.size:
            return theta
        shift = np.linalg.solve(N.T @ self._hessian @ N, N.T @ -self.gradient(theta))
        return np.asarray(theta + N @ shift)

    @cached_property
    def _flat(self) -> Array:
        """The best theta with F theta = 0."""
        return self._at_best_shift(np.zeros(self.Phi.shape[1]))

    @cached_property
    def _at_zero(self) -> float:
        """The objective at `_flat`, or its rounding if it is 0."""
        value = self.smooth(self._flat, self.scores(self._flat))
        return max(value, 0.5 * float(np.finfo(float).eps * self.y @ self.y))

    @cached_property
    def _gram(self) -> Array:
        """Phi Phi' or Phi'Phi, the smaller one."""
        n, b = self.Phi.shape
        return self.Phi @ self.Phi.T if n < b else self.Phi.T @ self.Phi

    @cached_property
    def _gram_of_F(self) -> Array:
        return np.asarray(self._map.T @ self._map)

    @cached_property
    def _hessian(self) -> Array:
        return np.asarray(self.Phi.T @ self.Phi + 2 * self.eta * np.eye(self.Phi.shape[1]))

    @property
    def _map(self) -> Any:
        return eye_array(self.Phi.shape[1]) if self.F is None else self.F

    @cached_property
    def _inverse(self) -> Array:
        return np.asarray(np.linalg.pinv(self._map))

    @cached_property
    def _unseen(self) -> Array:
        b = self.Phi.shape[1]
        return np.zeros((b, 0)) if self.F is None else np.asarray(null_space(self.F))


def _columns(points: Array) -> Array:
    return points[:, None] if points.ndim == 1 else points
