"""Bounds of the VC dimension of classifiers of low rank."""

from bisect import bisect_left
from math import e, log2
from typing import NamedTuple


class VCBound(NamedTuple):
    """Bounds of the VC dimension of the classifiers sign(<W, X> + b) with rank(W) <= k."""

    bound: int  # proved: the minimum of `warren` and `hyperplanes`
    warren: int  # from sign patterns: smallest d >= Q with (8 e d / Q)^Q <= 2^d
    hyperplanes: int  # nm + 1, the VC dimension without a bound on the rank
    printed: float  # k (n + m) log2(k (n + m))
    printed_holds: bool  # whether the last inequality of the printed proof holds


def vc_dimension_bound(rank: int, shape: tuple[int, int]) -> VCBound:
    """Bound the VC dimension of the classifiers sign(<W, X> + b) with rank(W) <= k.

    The decision values of d samples are d polynomials of degree 2 in the Q = k (n + m) + 1 entries
    of u_1, v_1, ..., u_k, v_k and b. They have fewer than (8 e d / Q)^Q sign patterns if d >= Q
    (Warren 1968), so no d samples with (8 e d / Q)^Q <= 2^d can be given all 2^d labellings. The
    paper inserts d = k (n + m) log(k (n + m)) and claims that this is enough for k (n + m) >= 100.
    With log2 it is enough from 166 on, and for small matrices the bound exceeds nm + 1.

    The rank k is at least 1; above min(n, m) it does not restrict W. `shape` is (n, m). The source
    is Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, Theorems 1 and 2.
    """
    n, m = shape
    size = min(rank, n, m) * (n + m)
    Q = size + 1
    # d - Q log2(8 e d / Q) falls up to d = Q / ln 2 and rises from there; it is negative at d = Q,
    # and positive at 8 Q, for 8 e 8 < 2^8.
    enough = range(Q, 8 * Q + 1)
    warren = enough[bisect_left(enough, True, key=lambda d: d >= Q * log2(8 * e * d / Q))]
    return VCBound(
        bound=min(warren, n * m + 1),
        warren=warren,
        hyperplanes=n * m + 1,
        printed=size * log2(size),
        printed_holds=Q * log2(8 * e * log2(size)) <= size * log2(size),
    )
