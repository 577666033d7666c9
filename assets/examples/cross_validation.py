"""Choose C and tau by cross-validation along paths, and measure the accuracy on new samples."""

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from smmcore import SupportMatrixMachineCV

digits = load_digits()
some = (digits.target == 3) | (digits.target == 8)
X, X_test, y, y_test = train_test_split(
    digits.images[some],
    digits.target[some],
    train_size=60,
    stratify=digits.target[some],
    random_state=0,
)
machine = SupportMatrixMachineCV(Cs=3, n_taus=6, cv=5, n_jobs=1).fit(X, y)

print(
    f"C = {machine.C_:.2g} and tau = {machine.tau_:.2g} were chosen of {machine.taus_.size} pairs"
)
print(f"rank {machine.rank_}, accuracy on new samples {machine.score(X_test, y_test):.3f}")
