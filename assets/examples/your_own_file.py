"""Classify the samples of your own .mat file: python your_own_file.py FILE SAMPLES LABELS AXIS.

SAMPLES and LABELS are the names of two variables in the file. AXIS says along which axis of SAMPLES
the samples lie: 1, 2 or 3, as MATLAB counts them.
"""

import sys
from io import BytesIO

import numpy as np
from scipy.io import loadmat, savemat
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from smmcore import MatrixScaler, SupportMatrixMachineCV


def write_digits() -> tuple[BytesIO, str, str, str]:
    """Write digits to a file in memory, samples last as in MATLAB; return how to read it."""
    file, digits = BytesIO(), load_digits(n_class=2)
    savemat(file, {"images": np.moveaxis(digits.images, 0, -1), "digits": digits.target})
    return file, "images", "digits", "3"


if __name__ == "__main__":
    if sys.argv[1:] and (len(sys.argv) != 5 or sys.argv[4] not in ("1", "2", "3")):
        sys.exit(__doc__)
    if len(sys.argv) == 1:
        print("No FILE is given: these are handwritten digits.")
    file, samples, labels, axis = sys.argv[1:] or write_digits()

    variables = loadmat(file)
    for name in (samples, labels):
        if name not in variables:
            found = [each for each in variables if not each.startswith("__")]
            sys.exit(f"The file has no variable {name!r}, but {found}.")
    X = np.moveaxis(variables[samples], int(axis) - 1, 0)  # n samples of size p x q
    y = variables[labels].ravel()  # n labels
    X, X_test, y, y_test = train_test_split(X, y, train_size=0.7, stratify=y, random_state=0)

    scaler = MatrixScaler("z-score").fit(X)
    machine = SupportMatrixMachineCV(Cs=2, n_taus=4, cv=3).fit(scaler.transform(X), y)
    accuracy = machine.score(scaler.transform(X_test), y_test)
    print(
        f"{len(X)} samples of {X.shape[1]} x {X.shape[2]} to train on, classes {machine.classes_}"
    )
    print(f"C = {machine.C_:.2g}, tau = {machine.tau_:.2g}, rank {machine.rank_}")
    print(f"accuracy on the other {len(X_test)} samples: {accuracy:.3f}")
