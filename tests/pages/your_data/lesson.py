"""Open the lesson "Your data" as a reader does, upload files, and wait for its runs."""

import json
import re

import numpy as np
from sklearn.datasets import load_digits

from pages.shared.parts.downloads import to_mat, to_npz
from pages.your_data.files import Layout
from pages.your_data.reading.selection import TABLES, Table
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.trial import MethodSpec, on_everything
from smmcore.decision import predicted_class
from tests.pages.visit import components, finish, link, set_address, visit

DIGITS = load_digits()
GIVEN = (
    MethodSpec("lsvm", 10.0),
    MethodSpec("bsvm", 10.0, rank=2),
    MethodSpec("rglm", share=0.05),
    MethodSpec("smm", 10.0, share=0.05),
    MethodSpec("logistic", 10.0),
)
MODELS = [f"your data: {name} on everything" for name in ("lsvm", "smm")]


def open_lesson(app, **query):
    """Open the page, by default on digits with weights by hand."""
    return finish_runs(visit(app, "yours", **({"source": "Digits", "weights": "By hand"} | query)))


def open_file(app, content, name="mine.mat", **query):
    """Open the page at this address and upload a file of samples, or several by name."""
    address = {"source": "My file", "weights": "By hand"} | query
    return upload(visit(app, "yours", **address), content, name)


def upload(page, content, name="mine.mat", key="upload"):
    """Upload a file, or several by name, and wait for the runs."""
    return finish_runs(with_file(page, content, name, key))


def with_file(page, content, name="mine.mat", key="upload"):
    """Upload a file, or several by name, in place of those that the uploader shows."""
    files = content if isinstance(content, dict) else {name: content}
    _, before = setter(page)
    page.file_uploader(key=key).set_value([(name, data, "") for name, data in files.items()])
    page.run()
    texts, occasion = setter(page)
    if occasion != before:
        set_address(page, texts)
    assert not page.exception
    return page


def setter(page):
    """Return what the browser is told to set in the address, and on which occasion, once."""
    (told,) = components(page, "setter") or [{"texts": {}, "occasion": ""}]
    return told["texts"], told["occasion"]


def go_and_come_back(page):
    """Visit another page, and go back to the same address."""
    address = link(page)
    page.query_params.clear()
    page.switch_page("home/page.py").run()
    assert not page.query_params
    page.query_params.update(address)
    return finish_runs(page.switch_page("your_data/page.py").run())


def finish_runs(page):
    """Return the page when its runs are over; in a browser the player asks for the last rerun."""
    labels = [button.proto.label for button in page.get("download_button")]
    models = [slot for slot in MODELS if slot in page.session_state]
    if not page.error and (not labels or (models and "Model on everything (.npz)" not in labels)):
        for slot in ("your data", *models):
            if slot in page.session_state:
                finish(page.session_state[slot])
        page.run()
    assert not page.exception
    return page


def numbers(page):
    """Return what the page says in large letters: the accuracies of the methods, and metrics."""
    shown = {}
    for chart in page.get("plotly_chart"):
        figure = json.loads(chart.proto.spec)
        if figure["layout"]["title"]["text"].startswith("Accuracy on"):
            names = figure["layout"]["yaxis"]["categoryarray"][::-1]
            said = {trace["name"]: trace["text"][0] for trace in figure["data"] if "text" in trace}
            shown |= {name: re.sub("<.*?>", "", said[name]) for name in names}
            (line,) = figure["layout"]["annotations"]
            shown["Majority rate"] = line["text"].partition(": ")[2]
    return shown | {metric.label: metric.value for metric in page.metric}


def name_classes(page, names):
    """Use classes of the last data, place and name of each, as a click would."""
    tables = page.session_state[TABLES]
    owner = [*tables][-1]
    tables[owner] = Table(names, names, tables[owner].number + 1)
    return page.run()


def digits(*classes, first=0, count=60, gaps=False):
    """Some digits as images and labels."""
    rows = np.flatnonzero(np.isin(DIGITS.target, classes))[first : first + count]
    images = DIGITS.images[rows].copy()
    if gaps:
        images[::5, 2, 3] = np.nan
    return images, DIGITS.target[rows]


def samples(K=2, n=60, shape=(5, 4), seed=0):
    """Samples of K classes whose means differ by a matrix of rank 1, and their classes."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % K
    means = random.normal(size=(K, shape[0], 1)) * random.normal(size=(K, 1, shape[1]))
    return means[y] + random.normal(size=(n, *shape)), y


def texts(elements):
    """Join what these elements of a page say, without the backslashes of Markdown."""
    return " ".join(each.value for each in elements).replace("\\", "")


def button(page, label):
    """Return the only button whose label begins so."""
    (found,) = (each for each in page.button if each.label.startswith(label))
    return found


def machine_file(machine, suffix=".mat"):
    write = to_mat if suffix == ".mat" else to_npz
    return write(machine.to_arrays())


def labels_of(machine, X):
    return machine.classes[predicted_class(machine.decision(X))]


def train_on_all(trial, X, y, groups=None):
    """Train the method of a trial on everything."""
    classes = np.unique(y)
    (result,) = on_everything(trial, trial.specs).run(X, y, groups)
    return Machine.from_result(result, classes)


def form_of(order="", samples="x", axis=0, **layout):
    """The form of matrices, or of samples that lie flattened in this order, of this layout."""
    shape = (1, 1) if order else None
    return SampleForm(Layout(samples, axis, shape, "C" if order == "rows" else "F", **layout))
