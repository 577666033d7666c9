"""The VC dimension of sign(<W, X> + b) with W of rank at most r: bounds for each r."""

import numpy as np

P = 50
Q = 50

# %% At most 25 ranks, from 1 to the full one
print("rank  proved  by sign patterns  of all W  of the paper")
for r in np.unique(np.geomspace(1, min(P, Q), 25).round().astype(int)).tolist():
    size = r * (P + Q)  # of the vectors u_j and v_j, and with b:
    d = np.arange(size + 1, 8 * (size + 1) + 1)
    # d samples have fewer than (8 e d / (size + 1))^(size + 1) sign patterns
    warren = d[d >= (size + 1) * np.log2(8 * np.e * d / (size + 1))][0]
    printed = size * np.log2(size)
    fails = (size + 1) * np.log2(8 * np.e * np.log2(size)) > printed
    print(f"{r:4}  {min(warren, P * Q + 1):6,}  {warren:16,}  {P * Q + 1:8,}", end="  ")
    print(f"{printed:12,.0f}{'  (its proof fails here)' if fails else ''}")
