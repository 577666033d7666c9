"""Run what model files tell MATLAB in Octave, where it is installed."""

import itertools
import shutil
import subprocess

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from pages.shared.parts.array_files import to_mat

needs_octave = pytest.mark.skipif(not shutil.which("octave-cli"), reason="Octave is not installed")
RESULTS = ("f", "label", "probability", "y")
CASE = """
clear -x found
load('model_{number}.mat'); load('samples_{number}.mat');
for i = 1:size(samples, 3)
  X = samples(:, :, i);
  {use};
  result = struct();
  {results}
  v = X(:); {by_columns}; result.by_columns = X;
  v = samples(:, :, i)'(:); {by_rows}; result.by_rows = X;
  found{{end + 1}} = result;
end
"""


def list_statements(use):
    """List the statements about a sample in the text of a model's file."""
    return use.partition("data file: ")[2].partition(". A sample")[0].split("; ")


def follow_instructions(folder, cases):
    """Return what Octave computes for each sample of each model, in one process.

    Each case is the arrays of a model's file, and samples of shape (m, p, q).
    """
    save_results = " ".join(
        f"if exist('{name}', 'var'), result.{name} = {name}; end;" for name in RESULTS
    )
    program = "found = {};"
    for number, (arrays, X) in enumerate(cases):
        (folder / f"model_{number}.mat").write_bytes(to_mat(arrays))
        savemat(folder / f"samples_{number}.mat", {"samples": np.moveaxis(X, 0, -1)})
        use = loadmat(folder / f"model_{number}.mat")["use"].item()
        as_vector = use.partition("file has as a vector is ")[2].partition(" if along the rows")[0]
        by_columns, _, by_rows = as_vector.partition(" if it runs down the columns, ")
        program += CASE.format(
            number=number,
            use="; ".join(list_statements(use)),
            results=save_results,
            by_columns=by_columns,
            by_rows=by_rows,
        )
    (folder / "program.m").write_text(f"{program}\nsave('-v7', 'found.mat', 'found');\n")
    done = subprocess.run(
        ["octave-cli", "--quiet", "--norc", "program.m"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = loadmat(folder / "found.mat", struct_as_record=False, squeeze_me=True)["found"]
    results = map(vars, np.atleast_1d(found))
    return [list(itertools.islice(results, len(X))) for _, X in cases]
