"""The report of a trial: it opens without a network, shows its figures, and runs no name."""

from types import SimpleNamespace

import numpy as np
from sklearn.datasets import load_digits

from pages.shared.data.uploads import spool
from pages.shared.engine import session
from pages.shared.engine.slices import advance
from pages.your_data.program import trial_program
from pages.your_data.results import report
from pages.your_data.results.html_report import make_report
from pages.your_data.results.trial_results import TrialResults, table_rows
from pages.your_data.runs import SplitRequest, TrialRun, split_samples
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.training import MethodSpec
from pages.your_data.trial.trial import Trial

ATTACK = "<img src=x onerror=document.title='hacked'>"
SCRIPT = "</script><script>document.title='hacked'</script>"
LINK = "<a href='javascript:1'>\"&amp; ${1+1}"
FILE = f"{SCRIPT}{ATTACK}.mat"
DIGITS = load_digits()


def run_trial():
    """Return the results of a trial whose classes and file have hostile names, and its run."""
    rows = np.flatnonzero(DIGITS.target < 3)[:60]
    codes = DIGITS.target[rows]
    codes[::9] = (codes[::9] + 1) % 3  # so that there are mistakes to show
    labels = np.array([ATTACK, SCRIPT, LINK])[codes]
    data = spool(DIGITS.images[rows], labels, name="mine")
    specs = MethodSpec("lsvm", 10.0), MethodSpec("smm", 10.0, share=0.5)
    experiment = TrialRun(data, Trial(specs, scheme=Scheme("k-fold", number=2)))
    piece = advance(experiment, None, 1e3)
    train_test = split_samples(SplitRequest(data, experiment.trial.scheme))
    names = list(data.classes)
    results = TrialResults(
        experiment, train_test, piece.certificate, np.array(names), names, np.arange(60), seen=3
    )
    return results, SimpleNamespace(status="finished", frames=piece)


def test_report_opens_without_a_network_and_shows_names_as_they_are(
    new_page, tmp_path, monkeypatch
):
    """It is light in a dark browser and fits a phone."""
    results, run = run_trial()
    chosen = results.machines["smm"][1]
    monkeypatch.setattr(session, "run_task", lambda slot, note, task, request: task(request))
    samples = report.fetch_shown_samples(results, chosen, 0)
    settings, warnings = [("Classes", ATTACK)], [f"A warning about {ATTACK}."]
    path, requests = tmp_path / "report.html", []
    path.write_bytes(make_report(results, chosen, 0, samples, run, FILE, settings, warnings))
    new_page.context.set_offline(True)
    new_page.on("request", lambda request: requests.append(request.url))
    new_page.goto(path.as_uri())
    new_page.wait_for_function("document.querySelectorAll('svg.main-svg').length > 0")
    count = new_page.locator("figure").count()
    assert count == len(results.machines) + 1 + 6  # confusion, ROC; the cards of the page
    assert new_page.locator("figure .main-svg .gtitle").count() == count
    assert requests == [path.as_uri()]
    assert new_page.complaints == []
    assert new_page.title() == f"A trial of {FILE}"  # not hacked
    assert new_page.locator("body > script").count() == 3
    assert new_page.locator("img, figure a[href]").count() == 0

    text = new_page.locator("body").inner_text()
    assert f"A warning about {ATTACK}." in text
    assert "You have seen the accuracy of 3 settings of a classifier" in text
    program = trial_program(results.experiment, results.tested)
    assert program.strip() in new_page.locator("pre").inner_text()
    for row in table_rows(results):
        assert new_page.get_by_role("row").filter(has_text=row[""]).first.is_visible()
    ticks = new_page.locator("#figure-0 .ytick text").all_text_contents()
    assert [tick[:4] for tick in ticks] == [name[:4] for name in (SCRIPT, LINK, ATTACK)]

    new_page.emulate_media(color_scheme="dark")
    new_page.set_viewport_size({"width": 390, "height": 800})
    new_page.reload()
    new_page.wait_for_function("document.querySelectorAll('svg.main-svg').length > 0")
    background = "getComputedStyle(document.body).backgroundColor"
    assert new_page.evaluate(background) == "rgb(255, 255, 255)"
    assert new_page.evaluate("document.documentElement.scrollWidth") == 390
