"""Follow the solution along tau: singular values leave zero one after the other."""

from sklearn.datasets import load_digits

from smmcore import smm_path

digits = load_digits()
some = (digits.target == 3) | (digits.target == 8)
path = smm_path(digits.images[some], digits.target[some], C=0.001, n_taus=10, eps=1e-3)

print("     tau  rank  largest singular values          gap / objective")
for tau, rank, sigma, gap in zip(
    path.taus, path.ranks, path.singular_values, path.dual_gaps / path.objectives, strict=True
):
    values = " ".join(f"{value:.4f}" for value in sigma[:4])
    print(f"{tau:8.4f}  {rank:4}  {values}  {gap:16.1e}")
