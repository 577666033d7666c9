"""Proximal operators and projections: plain functions of arrays.

They take arrays or array-likes and raise a ValueError if these are not real, not finite or of the
wrong shape. Only `thresholded_svd`, which runs in every iteration of a solver, checks nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy  # it imports its modules when they are used
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array = NDArray[np.float64]

ROOT_EPS = float(np.sqrt(np.finfo(float).eps))


class ThresholdedSVD(NamedTuple):
    """D_tau(M) together with the spectra before and after the threshold."""

    matrix: Array  # (p, q), D_tau(M)
    singular_values: Array  # (min(p, q),), of M, descending
    thresholded: Array  # (min(p, q),), [sigma - tau]_+, of D_tau(M)


def thresholded_svd(M: Array, tau: float) -> ThresholdedSVD:
    """Threshold the singular values of M, and return both spectra as well. Nothing is checked.

    Parameters
    ----------
    M : ndarray of shape (p, q)
    tau : float
        Threshold, at least 0, in the unit of the singular values.

    Returns
    -------
    ThresholdedSVD
        D_tau(M), and the singular values before and after.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import thresholded_svd
    >>> svd = thresholded_svd(np.diag([3.0, 1.0]), 2.0)
    >>> svd.singular_values, svd.thresholded
    (array([3., 1.]), array([1., 0.]))
    """
    return _threshold(*np.linalg.svd(M, full_matrices=False), tau)


def _threshold(U: Array, sigma: Array, Vt: Array, tau: float) -> ThresholdedSVD:
    shrunk = np.maximum(sigma - tau, 0.0)
    r = np.count_nonzero(shrunk)
    return ThresholdedSVD((U[:, :r] * shrunk[:r]) @ Vt[:r], sigma, shrunk)


def singular_value_threshold(M: ArrayLike, tau: float) -> Array:
    """Proximal operator of tau times the nuclear norm: D_tau(M) = U diag([sigma - tau]_+) V'.

    Parameters
    ----------
    M : array-like of shape (p, q)
        Any real matrix, M = U diag(sigma) V'.
    tau : float
        Threshold, at least 0, in the unit of the singular values.

    Returns
    -------
    ndarray of shape (p, q)
        The minimiser of 1/2 ||Z - M||_F^2 + tau ||Z||_* over Z.

    Raises
    ------
    ValueError
        If M is not a finite real matrix or tau is negative.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 2.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import singular_value_threshold
    >>> singular_value_threshold(np.diag([3.0, 1.0]), 2.0)
    array([[1., 0.],
           [0., 0.]])
    """
    M = _matrix(M)
    _check_not_negative("tau", tau)
    return thresholded_svd(M, tau).matrix


class SVTDerivative:
    """The derivative of the singular value threshold, D_tau'(M), with tau > 0.

    In the bases U, V of M = U diag(sigma) V' it acts on each pair of entries (i, j), (j, i): it
    multiplies their mean by (s_i - s_j) / (sigma_i - sigma_j) and half their difference by
    (s_i + s_j) / (sigma_i + sigma_j), with s = [sigma - tau]_+. Pairs with both s = 0 become 0. In
    the parts of the larger space that U or V do not span the factor is s_i / sigma_i. Nothing is
    checked.

    Parameters
    ----------
    U, sigma, Vt : ndarray of shape (p, m), (m,), (m, q)
        The thin singular value decomposition of M, m = min(p, q).
    tau : float
        Threshold. Where a sigma equals tau, the derivative is that from below.
    part : slice, default slice(None)
        Of the sigma above tau: the pairs and the outer parts of these i, with j >= i. The
        derivative is the sum of such parts.
    dtype : data type, default float
        In which `root` computes.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import SVTDerivative
    >>> derivative = SVTDerivative(*np.linalg.svd(np.diag([3.0, 1.0])), tau=2.0)
    >>> X = np.eye(2)[None]  # one direction; D_tau'(M)[X] is diag(1, 0)
    >>> rows = np.empty((1, derivative.rank))
    >>> derivative.root(X, rows)
    >>> print(f"{float(rows[0] @ rows[0]):.3f}")
    1.000
    """

    def __init__(
        self,
        U: Array,
        sigma: Array,
        Vt: Array,
        tau: float,
        part: slice = slice(None),
        dtype: DTypeLike = float,
    ) -> None:
        m, (p, q) = len(sigma), (len(U), Vt.shape[1])
        shrunk = np.maximum(sigma - tau, 0.0)
        of = np.arange(np.count_nonzero(shrunk))[part]
        kept, large = sigma[of, None], shrunk[of, None]
        apart = kept - sigma
        mean = np.divide(large - shrunk, apart, out=np.ones_like(apart), where=apart > 0)
        difference = (large + shrunk) / (kept + sigma)
        # The Cholesky factor of [[mean + difference, mean - difference], [.., ..]] / 2.
        first = np.sqrt(0.5 * (mean + difference))
        mixed = 0.5 * (mean - difference) / first
        second = np.sqrt(np.maximum(first**2 - mixed**2, 0.0))
        i, j = of[:, None], np.arange(m)
        alone = i == j  # an entry on the diagonal is no pair
        factors = np.where(alone, 1.0, first), np.where(alone, 0.0, mixed), second
        self._factors = [factor.astype(dtype) for factor in factors]
        self._pairs = np.flatnonzero(j >= i), np.flatnonzero(j > i)
        self._outside = np.sqrt(large / kept).astype(dtype)
        self._U, self._V = _basis(U, dtype), _basis(Vt.T, dtype)
        self._kept = U[:, of].T.astype(dtype), Vt[of].astype(dtype)
        self._ends = np.cumsum([*map(len, self._pairs), len(of) * abs(p - q)])

    @property
    def rank(self) -> int:
        """The length of the rows of `root`, an upper bound of the rank of the derivative."""
        return int(self._ends[-1])

    def root(self, X: Array, out: Array) -> None:
        """Write a row for each matrix into `out`, with <row i, row j> = <X_i, D_tau'(M)[X_j]>.

        Parameters
        ----------
        X : ndarray of shape (n, p, q)
        out : ndarray of shape (n, rank)
        """
        (first, mixed, second), n = self._factors, len(X)
        above, over = _in_basis(self._kept[0] @ X, self._V)  # entries (i, j) in the bases
        below, under = _in_basis(self._kept[1] @ X.transpose(0, 2, 1), self._U)  # (j, i)
        a, b, c = self._ends
        out[:, :a] = (above * first + below * mixed).reshape(n, -1)[:, self._pairs[0]]
        out[:, a:b] = (below * second).reshape(n, -1)[:, self._pairs[1]]
        if c > b:
            rest = max(over, under, key=np.size)
            out[:, b:] = (rest * self._outside).reshape(n, -1)


class _Basis(NamedTuple):
    """An orthonormal basis of R^q whose first m vectors are the columns of V, shape (q, m)."""

    V: Array
    YM: Array  # (q, m), of the reflection


def _basis(V: Array, dtype: DTypeLike) -> _Basis:
    """Complete orthonormal columns to a basis.

    Let E be the first m axes and E' V = A diag(s) B'. With Y = V + E A B' and
    M = B diag(1 / (1 + s)) B', Q = I - Y M Y' is orthogonal and maps the span of E to that of V,
    so its other columns are the rest of the basis.
    """
    q, m = V.shape
    if q == m:
        return _Basis(V.astype(dtype), np.empty((q, 0), dtype))
    A, s, Bt = np.linalg.svd(V[:m])
    Y = V.copy()
    Y[:m] += A @ Bt
    return _Basis(V.astype(dtype), ((Y @ Bt.T / (1 + s)) @ Bt).astype(dtype))


def _in_basis(rows: Array, basis: _Basis) -> tuple[Array, Array]:
    """Return the first m coordinates of rows, shape (..., q), in a basis, and the other ones."""
    q, m = basis.V.shape
    if q == m:
        return rows @ basis.V, rows[..., m:]
    product = rows @ np.hstack(basis)
    return product[..., :m], rows[..., m:] - product[..., m:] @ basis.V[m:].T


def derivative_factors(sigma: Array, tau: float, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Return by which factors D_tau'(M) multiplies an entry and adds the one across the diagonal.

    In the bases U, V of M = U diag(sigma) V', D_tau'(M)[E]_ij = same_ij E_ij + swapped_ij E_ji, see
    `SVTDerivative`.

    Parameters
    ----------
    sigma : ndarray of shape (min(p, q),)
        Singular values of M.
    tau : float
        Threshold, at least 0. Where a sigma equals tau, the derivative is that from below.
    shape : tuple of int
        (p, q).

    Returns
    -------
    same : ndarray of shape (p, q)
    swapped : ndarray of shape (min(p, q), min(p, q))
        0 on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import derivative_factors
    >>> same, swapped = derivative_factors(np.array([3.0, 1.0]), 2.0, (2, 2))
    >>> same
    array([[1.   , 0.375],
           [0.375, 0.   ]])
    >>> swapped
    array([[0.   , 0.125],
           [0.125, 0.   ]])
    """
    (p, q), m = shape, len(sigma)
    padded = np.zeros(max(shape))
    padded[:m] = sigma
    shrunk = np.maximum(padded - tau, 0.0)
    apart, sums = padded[:, None] - padded, padded[:, None] + padded
    mean = np.broadcast_to((padded > tau) * 1.0, apart.shape).copy()
    np.divide(shrunk[:, None] - shrunk, apart, out=mean, where=apart != 0)
    difference = np.zeros_like(mean)
    np.divide(shrunk[:, None] + shrunk, sums, out=difference, where=sums > 0)
    np.fill_diagonal(difference, np.diag(mean))
    return 0.5 * (mean + difference)[:p, :q], 0.5 * (mean - difference)[:m, :m]


def soft_threshold(v: ArrayLike, t: float) -> Array:
    """Proximal operator of t ||.||_1: sign(v_j) [|v_j| - t]_+ for every entry.

    Parameters
    ----------
    v : array-like
        Finite real numbers, of any shape.
    t : float
        Threshold, at least 0, in the unit of v.

    Returns
    -------
    ndarray of the shape of v
        The minimiser of 1/2 ||x - v||^2 + t ||x||_1 over x.

    Raises
    ------
    ValueError
        If v is not finite and real, or t is negative.

    Examples
    --------
    >>> from smmcore.prox import soft_threshold
    >>> soft_threshold([3.0, -0.5, -2.0], 1.0)
    array([ 2.,  0., -1.])
    """
    v = _finite("v", v)
    _check_not_negative("t", t)
    return v - np.clip(v, -t, t)


def group_norms(v: ArrayLike, groups: ArrayLike) -> Array:
    """Return the l2 norm of each group of entries.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    groups : array-like of int, shape (m,)
        The number of each entry's group, counted from 0.

    Returns
    -------
    ndarray of shape (number of groups,)

    Raises
    ------
    ValueError
        If v is not a finite real vector, or `groups` does not hold an integer from 0 for each of
        its entries.

    Examples
    --------
    >>> from smmcore.prox import group_norms
    >>> group_norms([3.0, 4.0, -1.0], [0, 0, 1])
    array([5., 1.])
    """
    v, groups = _vector(v), np.asarray(groups)
    if groups.shape != v.shape or groups.dtype.kind not in "iu" or (v.size and groups.min() < 0):
        raise ValueError(
            f"groups must hold an integer from 0 for each of the {len(v)} entries of v, "
            f"got shape {groups.shape}, dtype {groups.dtype}"
        )
    return np.sqrt(np.bincount(groups, v * v))


def group_soft_threshold(v: ArrayLike, groups: ArrayLike, t: float) -> Array:
    """Proximal operator of t ||.||_{1,2}: the norm of every group shrinks by t, but not below 0.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    groups : array-like of int, shape (m,)
        The number of each entry's group, counted from 0.
    t : float
        Threshold, at least 0, in the unit of v.

    Returns
    -------
    ndarray of shape (m,)
        The minimiser of 1/2 ||x - v||^2 + t ||x||_{1,2} over x.

    Raises
    ------
    ValueError
        As for `group_norms`, or if t is negative.

    References
    ----------
    Sugiyama, section 24.4.4.

    Examples
    --------
    >>> from smmcore.prox import group_soft_threshold
    >>> group_soft_threshold([3.0, 4.0, -1.0], [0, 0, 1], 2.5)
    array([ 1.5,  2. , -0. ])
    """
    _check_not_negative("t", t)
    norms = group_norms(v, groups)
    share = np.maximum(norms - t, 0.0) / np.where(norms > 0, norms, 1.0)
    return np.asarray(v * share[np.asarray(groups)])


def l1_ball_threshold(v: ArrayLike, radius: float) -> float:
    """Return the smallest t >= 0 with sum [|v_j| - t]_+ <= radius.

    Soft thresholding at this t is the projection on the l1 ball. Likewise for ||.||_{1,2} and
    ||.||_tr, where v holds the norms of the groups or the singular values.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    radius : float
        At least 0, in the unit of v.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If v is not a finite real vector, or the radius is negative.

    Examples
    --------
    >>> from smmcore.prox import l1_ball_threshold
    >>> l1_ball_threshold([3.0, -1.0], 2.0)
    1.0
    """
    _check_not_negative("radius", radius)
    sizes = np.sort(np.abs(_vector(v)))[::-1]
    if sizes.sum() <= radius:
        return 0.0
    excess = (np.cumsum(sizes) - radius) / np.arange(1, len(sizes) + 1)
    return float(excess[np.flatnonzero(sizes >= excess)[-1]])


def project_simplex_ball(v: ArrayLike) -> Array:
    """Project on {x >= 0, sum x <= 1}.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        If v is not a finite real vector.

    Examples
    --------
    >>> from smmcore.prox import project_simplex_ball
    >>> project_simplex_ball([1.5, 0.75, -2.0])
    array([0.875, 0.125, 0.   ])
    """
    positive = np.maximum(_vector(v), 0.0)
    return np.asarray(np.maximum(positive - l1_ball_threshold(positive, 1.0), 0.0))


def project_l1_ball(v: ArrayLike, radius: float) -> Array:
    """Project on {||x||_1 <= radius}.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    radius : float
        At least 0, in the unit of v.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        If v is not a finite real vector, or the radius is negative.

    References
    ----------
    Sugiyama, section 24.2.

    Examples
    --------
    >>> from smmcore.prox import project_l1_ball
    >>> project_l1_ball([3.0, -2.0, 0.5], 2.0)
    array([ 1.5, -0.5,  0. ])
    """
    return soft_threshold(v, l1_ball_threshold(v, radius))


def project_group_ball(v: ArrayLike, groups: ArrayLike, radius: float) -> Array:
    """Project on {||x||_{1,2} <= radius}, by projecting the norms of the groups on the l1 ball.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    groups : array-like of int, shape (m,)
        The number of each entry's group, counted from 0.
    radius : float
        At least 0, in the unit of v.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        As for `group_norms`, or if the radius is negative.

    References
    ----------
    Sugiyama, section 24.4.4.

    Examples
    --------
    >>> from smmcore.prox import project_group_ball
    >>> project_group_ball([3.0, 4.0, -1.0], [0, 0, 1], 2.5)
    array([ 1.5,  2. , -0. ])
    """
    return group_soft_threshold(v, groups, l1_ball_threshold(group_norms(v, groups), radius))


def project_trace_ball(M: ArrayLike, radius: float) -> Array:
    """Project on {||Z||_tr <= radius}, by projecting the singular values on the l1 ball.

    Parameters
    ----------
    M : array-like of shape (p, q)
        Any finite real matrix.
    radius : float
        At least 0, in the unit of the singular values.

    Returns
    -------
    ndarray of shape (p, q)

    Raises
    ------
    ValueError
        If M is not a finite real matrix, or the radius is negative.

    References
    ----------
    Sugiyama, section 24.4.5.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import project_trace_ball
    >>> project_trace_ball(np.diag([3.0, 1.0]), 2.0)
    array([[2., 0.],
           [0., 0.]])
    """
    U, sigma, Vt = np.linalg.svd(_matrix(M), full_matrices=False)
    return _threshold(U, sigma, Vt, l1_ball_threshold(sigma, radius)).matrix


def lp_norm(x: ArrayLike, p: float) -> Array:
    """Return ||x||_p over the last axis; for p = 0 the number of nonzero entries.

    Parameters
    ----------
    x : array-like of shape (..., m)
    p : float
        At least 0, or infinity.

    Returns
    -------
    ndarray of shape (...)

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import lp_norm
    >>> [float(lp_norm(np.array([3.0, 4.0, 0.0]), p)) for p in (0, 1, 2, np.inf)]
    [2.0, 7.0, 5.0, 4.0]
    """
    sizes = np.abs(x)
    if p == 0:
        return np.asarray(np.count_nonzero(sizes, axis=-1), dtype=float)
    largest = sizes.max(axis=-1)
    if p == np.inf:
        return np.asarray(largest)
    scale = np.where(largest > 0, largest, 1.0)  # powers of large numbers would overflow
    powers = (sizes / scale[..., None]) ** p
    return np.asarray(scale * powers.sum(axis=-1) ** (1 / p))


def project_lp_ball(v: ArrayLike, p: float, radius: float) -> Array:
    """Project on {||x||_p <= radius}, p at least 1 or 0.

    For p = 0 the `radius` largest entries stay; this nearest point is not unique if some entries
    are equal. For other p the multiplier mu of x + mu p x^(p - 1) = |v| is found by root finding.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    p : float
        0, or at least 1, or infinity.
    radius : float
        At least 0, in the unit of v.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        If 0 < p < 1, where the ball is not convex and no such formula is known, if the radius is
        negative, or if v is not a finite vector.

    References
    ----------
    Sugiyama, section 24.4.2.

    Examples
    --------
    >>> from smmcore.prox import project_lp_ball
    >>> project_lp_ball([3.0, 4.0, 0.0], 2, 2.5)
    array([1.5, 2. , 0. ])
    >>> project_lp_ball([3.0, 4.0, 0.0], 0, 1)
    array([0., 4., 0.])
    """
    if not (p == 0 or p >= 1):
        raise ValueError(f"p must be 0 or at least 1 for a projection, got {p}")
    _check_not_negative("radius", radius)
    v = _vector(v)
    if radius == np.inf:
        return v.copy()
    if p == 0:
        kept = np.argsort(-np.abs(v), kind="stable")[: int(min(radius, len(v)))]
        x = np.zeros_like(v)
        x[kept] = v[kept]
        return x
    if p - 1 <= ROOT_EPS:
        # So close to 1 rounding hides the power, and the balls differ by as little.
        return project_l1_ball(v, radius)
    if p == np.inf:
        return np.clip(v, -radius, radius)
    if p == 2 or not radius or not np.any(v):  # the direction stays the same
        return v * min(1.0, radius / (float(np.linalg.norm(v)) or 1.0))
    sizes = np.abs(v) / radius

    def shrunk(mu: float) -> Array:
        if not mu:
            return sizes
        c, m = mu * p, p - 1
        return _balance(sizes, c, m) if m >= 1 else _balance(sizes / c, 1 / c, 1 / m) ** (1 / m)

    x = _at_level(shrunk, lambda x: float(lp_norm(x, p)), 1.0)
    return np.asarray(np.sign(v) * x * radius)


def _balance(a: Array, c: float, m: float) -> Array:
    """Solve x + c x^m = a for x >= 0, entry by entry, m >= 1, by Newton's method from above."""
    x = np.minimum(a, (a / c) ** (1 / m))  # at most twice the root: one term has half of a
    for _ in range(100):  # about log(m) steps that each divide the power by e, and a few more
        power = c * x ** (m - 1)
        new = np.maximum(x - (x + power * x - a) / (1 + m * power), 0.0)
        if (new >= x).all():
            break
        x = new
    return x


def elastic_value(x: ArrayLike, tau: float) -> Array:
    """Return the elastic net (1 - tau) ||x||_1 + tau ||x||^2, over the last axis.

    Parameters
    ----------
    x : array-like of shape (..., m)
    tau : float
        Share of the squared norm, between 0 and 1.

    Returns
    -------
    ndarray of shape (...)

    Examples
    --------
    >>> from smmcore.prox import elastic_value
    >>> float(elastic_value([1.0, -2.0], 0.5))
    4.0
    """
    x = np.asarray(x, dtype=float)
    return np.asarray((1 - tau) * np.abs(x).sum(axis=-1) + tau * (x * x).sum(axis=-1))


def project_elastic_ball(v: ArrayLike, tau: float, bound: float) -> Array:
    """Project on {(1 - tau) ||x||_1 + tau ||x||^2 <= bound}.

    Parameters
    ----------
    v : array-like of shape (m,)
        Any finite real vector.
    tau : float
        Share of the squared norm, between 0 and 1.
    bound : float
        At least 0.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        If v is not a finite real vector, or tau or the bound is out of range.

    References
    ----------
    Sugiyama, section 24.4.3.

    Examples
    --------
    >>> from smmcore.prox import project_elastic_ball
    >>> project_elastic_ball([2.0, -1.0], 0.0, 1.0)  # at tau = 0 the l1 ball
    array([1., 0.])
    """
    v = _vector(v)
    _check_not_negative("bound", bound)
    if not 0 <= tau <= 1:
        raise ValueError(f"tau must lie between 0 and 1, got {tau}")
    return _at_level(
        lambda mu: soft_threshold(v, mu * (1 - tau)) / (1 + 2 * mu * tau),
        lambda x: float(elastic_value(x, tau)),
        bound,
    )


def _at_level(
    shrunk: Callable[[float], Array], value: Callable[[Array], float], bound: float
) -> Array:
    """Return shrunk(mu) at the smallest multiplier mu >= 0 with value(shrunk(mu)) <= bound."""
    if value(shrunk(0.0)) <= bound:
        return shrunk(0.0)
    high = 1.0
    while value(shrunk(high)) > bound:
        high *= 2
    # The tolerance is relative to mu, which may be so tiny that bisection takes over 100 steps.
    options = {"xtol": 1e-300, "rtol": 1e-15, "maxiter": 10_000}
    return shrunk(scipy.optimize.brentq(lambda mu: value(shrunk(mu)) - bound, 0.0, high, **options))


def _finite(name: str, values: ArrayLike) -> Array:
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must be real, got complex numbers")
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return values


def _vector(values: ArrayLike) -> Array:
    v = _finite("v", values)
    if v.ndim != 1:
        raise ValueError(f"v must be a vector, got an array of shape {v.shape}")
    return v


def _matrix(values: ArrayLike) -> Array:
    M = _finite("M", values)
    if M.ndim != 2:
        raise ValueError(f"M must be a matrix, got an array of shape {M.shape}")
    return M


def _check_not_negative(name: str, value: float) -> None:
    if not value >= 0:
        raise ValueError(f"{name} must be at least 0, got {value}")
