"""Classify the samples of your own file: python your_own_file.py FILE."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sklearn.model_selection import train_test_split

from pages.shared.files import infer_layouts, read_samples
from smmcore import MatrixScaler, SupportMatrixMachineCV


def read(file):
    """Print the possible layouts of a file and read its samples in the likeliest."""
    layouts = infer_layouts(file)  # the likeliest first
    for layout in layouts:
        names = " and ".join(layout.samples)
        print(f"possible: samples {names} along axis {layout.axis}, labels {layout.labels!r}")
    return read_samples(file, layouts[0])


def read_digits():
    """Write handwritten digits to a file, which is deleted again, and read it."""
    from scipy.io import savemat
    from sklearn.datasets import load_digits

    digits = load_digits(n_class=2)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "digits.mat"
        savemat(file, {"X": digits.images, "y": digits.target})
        return read(file)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        data = read(sys.argv[1])
    else:
        print("No FILE is given: these are handwritten digits.")
        data = read_digits()
    X, X_test, y, y_test = train_test_split(
        data.X, data.y, train_size=0.7, stratify=data.y, random_state=0
    )
    scaler = MatrixScaler("z-score").fit(X)
    machine = SupportMatrixMachineCV(Cs=2, n_taus=4, cv=3).fit(scaler.transform(X), y)
    accuracy = machine.score(scaler.transform(X_test), y_test)
    print(
        f"{len(X)} samples of {X.shape[1]} x {X.shape[2]} to train on, classes {machine.classes_}"
    )
    print(f"C = {machine.C_:.2g}, tau = {machine.tau_:.2g}, rank {machine.rank_}")
    print(f"accuracy on the other {len(X_test)} samples: {accuracy:.3f}")
