"""The VC dimension of sign(<W, X> + b) with W of rank at most r: bounds for each r."""

import numpy as np

from smmcore.theory import vc_dimension_bound

P = 50
Q = 50

# %% At most 25 ranks, from 1 to the full one
print("rank  proved  by sign patterns  of all W  of the paper")
for r in np.unique(np.geomspace(1, min(P, Q), 25).round().astype(int)).tolist():
    bound = vc_dimension_bound(r, (P, Q))
    fails = "" if bound.printed_holds else "  (its proof fails here)"
    print(f"{r:4}  {bound.bound:6,}  {bound.warren:16,}  {bound.hyperplanes:8,}", end="  ")
    print(f"{bound.printed:12,.0f}{fails}")
