"""A file goes in, predictions come out: those of `smmcore` called directly."""

import csv
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import expect
from sklearn.datasets import load_digits

from pages.your_data.trial.splits import Scheme
from smmcore import SupportMatrixMachine
from smmcore.problems import SMMProblem
from tests.browser.navigation import ended, settled
from tests.files.formats import matlab_73, store

DIGITS = load_digits()
ROWS = np.flatnonzero(np.isin(DIGITS.target, (1, 7)))
X, Y = DIGITS.images[ROWS][:, :, 1:7].copy(), DIGITS.target[ROWS]  # 8 x 6: no transpose hides


def write(file):
    store(file, "images", X.transpose(1, 2, 0))
    store(file, "digit", 1.0 * Y[:, None])


def downloaded(page, button) -> str:
    """Click, and return the file: Streamlit forgets who asked while it draws the page."""
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value.path().read_text(encoding="utf-8")


def test_predictions_of_an_uploaded_file_are_those_of_smmcore(server, page):
    settings = {"yours_source": "My file", "yours_trained": "smm", "yours_C_rel": "10"}
    settings |= {"yours_tau_rel": "0.02"}  # by hand: none are searched
    page.goto(f"{server.address}/yours?{urlencode(settings)}")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "mine.mat", "mimeType": "application/octet-stream", "buffer": matlab_73(write)}
    )
    expect(page.get_by_text("Read as")).to_contain_text(f"{len(X)} samples of 8 × 6")
    ended(page)
    page.get_by_role("button", name="Download").click()
    expect(page.get_by_role("button", name="Predictions (.csv)")).to_be_visible()
    table = list(csv.DictReader(downloaded(page, "Predictions (.csv)").splitlines()))

    train, test = Scheme().splits((Y == 7).astype(int))[0]
    problem = SMMProblem(X[train], np.where(Y[train] == 7, 1.0, -1.0), 1.0, 0.0)
    C = 10 / problem.spread**2
    machine = SupportMatrixMachine(C, 0.02 * C * problem.tau_bound()).fit(X[train], Y[train])
    told = {int(row["sample"]) - 1: row for row in table}
    assert sorted(told) == sorted(test)
    assert [float(told[i]["label"]) for i in test] == Y[test].tolist()
    assert [float(told[i]["prediction"]) for i in test] == machine.predict(X[test]).tolist()
    ours = machine.decision_function(X[test])
    theirs = np.array([float(told[i]["decision_value"]) for i in test])
    # Each W is within sqrt(2 gap) of the optimum, so <W, X_i - X_0> of the two differ by at most:
    reach = np.linalg.norm(X[test] - X[test[0]], axis=(1, 2))
    bound = 2 * np.sqrt(2 * 1e-6 * machine.objective_) * reach
    assert (np.abs((ours - ours[0]) - (theirs - theirs[0])) <= bound).all()
    assert np.ptp(theirs) > 20 * bound.max()  # it says something
