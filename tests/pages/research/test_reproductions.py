"""The command that reproduces the papers' tables and figures: resuming, verifying, repeating."""

import csv
import shlex

import numpy as np
import pytest
from scipy.io import savemat

from pages.research.reproduce import report, runner
from pages.research.reproduce.__main__ import main
from pages.research.reproduce.data_files import load_sources
from pages.research.table_1.reproduce import Table1Cell
from pages.research.table_2.cross_validation import MACHINES
from pages.research.table_2.reproduce import CrossValidationCell
from pages.shared import wolf
from pages.shared.reproduction.reproduction import Verdict, judge, judge_order, reproductions
from pages.shared.reproduction.sources import EEG, EEG_ARCHIVE, SourceSamples
from pages.shared.reproduction.stored_results import read_csv
from pages.your_data.reproduce import TrialCell
from tests import comparisons

NAMES = [*reproductions()]
# Their small sizes take 3 to 17 seconds; the tests of the stored results compute a cell of each.
SLOW = {"table2", "table3", "figure1", "figure2", "lssmm-table2"}
SLOW |= {"wolf-table1", "wolf-faces", "wolf-tensors"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def small_cells(tmp_path_factory):
    """The folder of the cells of the small sizes, each of which is computed once."""
    return tmp_path_factory.mktemp("small cells")


@pytest.fixture
def shared(folder, small_cells):
    """A current folder without results, whose cells are the shared ones."""
    (folder / "cells").symlink_to(small_cells)
    return folder


@pytest.fixture
def counted(monkeypatch):
    """The cells of Wolf's Table 1 that are computed, here by a formula that takes no time."""
    computed = []

    def row(cell, samples):
        computed.append(cell)
        return dict.fromkeys(wolf.METHODS, 80 + cell.repetition + cell.setting / 7)

    monkeypatch.setattr(Table1Cell, "row", row)
    return computed


def run(name, *options):
    """Run the command, and return the header and the rows of its two CSV files."""
    assert main([name, "--out", "out.csv", *options]) == 0
    return read("out.csv"), read("out.cells.csv")


def read(path):
    """Return the header of a CSV file and its rows, without what was measured by a clock."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    header = [line for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(lines[len(header) :]))
    for row in rows:
        measured = {name for name in row if "seconds" in name}
        if "seconds" in row.get("part", ""):
            measured = {"ours", "standard error", "difference", "verdict", "reason"}
        row.update(dict.fromkeys(measured, "measured"))
    return header, rows


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.sweep] if name in SLOW else []) for name in NAMES],
)
def test_small_size_says_something_of_each_printed_figure_and_its_header_repeats_it(
    name, shared, small_cells, capsys
):
    first = run(name)
    header, rows = first[0]
    printed = capsys.readouterr().out
    assert reproductions()[name].title in printed
    for row in rows:
        assert row["verdict"] in {*Verdict, "measured"}
        assert row["reason"].endswith((".", "measured"))
        assert row["item"] in printed
        assert row["part"] in printed
    assert any(row["ours"] for row in rows)
    (command,) = (line for line in header if line.startswith("# command: "))
    *_, given, size, small = shlex.split(command)
    assert (given, size, small) == (name, "--size", "small")
    newest = max(small_cells.rglob("*.pkl"), key=lambda cell: cell.stat().st_mtime_ns)
    newest.unlink()  # one is computed again, because all of them would take twice the time
    assert run(given, size, small) == first


@pytest.mark.parametrize("name", NAMES)
def test_stored_comparisons_follow_from_the_stored_cells_which_are_read_with_all_digits(name):
    path = comparisons.FOLDER / f"{name}.csv"
    (command,) = (line for line in read(path)[0] if line.startswith("# command: "))
    assert f"pages.research.reproduce {name} --size paper" in command
    assert "/" not in command  # no folder of the machine
    assert comparisons.compare_again(name) == path.read_text(encoding="utf-8")
    text = (comparisons.FOLDER / f"{name}.cells.csv").read_text(encoding="utf-8")
    header, rows = read_csv(text)
    again = report.cells_csv(header, comparisons.read_cells(reproductions()[name], text))
    assert read_csv(again) == (header, rows)


def test_interrupted_run_keeps_what_is_done_and_ends_with_the_same_file(
    folder, counted, monkeypatch, capsys
):
    whole = run("wolf-table1")
    total = len(counted)
    (folder / "cells").rename(folder / "old cells")
    compute = Table1Cell.row

    def interrupted(cell, samples):
        if len(counted) == total + 4:
            raise KeyboardInterrupt  # as Ctrl-C does
        return compute(cell, samples)

    with monkeypatch.context() as context:
        context.setattr(Table1Cell, "row", interrupted)
        assert main(["wolf-table1", "--out", "out.csv"]) == 130
    assert "the same command continues" in capsys.readouterr().err
    assert run("wolf-table1") == whole
    said = capsys.readouterr().err
    assert "4 were finished before" in said
    assert f"{total}/{total}" in said
    assert len(counted) == 2 * total


def test_damaged_cells_are_computed_again_and_all_cells_with_other_code(
    folder, counted, monkeypatch
):
    whole = run("wolf-table1")
    total = len(counted)
    assert run("wolf-table1") == whole
    assert len(counted) == total  # nothing is computed twice
    cut, *_ = sorted((folder / "cells").rglob("*.pkl"))
    cut.write_bytes(cut.read_bytes()[:-20])
    assert run("wolf-table1") == whole
    assert len(counted) == total + 1
    monkeypatch.setattr(runner.worker, "version", lambda: "that of yesterday")
    run("wolf-table1")
    assert len(counted) == total + 1 + total


@pytest.mark.sweep
def test_two_processes_write_the_same_file(shared):
    whole = run("sugiyama-selection")
    (shared / "cells").unlink()
    assert run("sugiyama-selection", "--jobs", "2") == whole


def faces_file(folder):
    """Write a file of the shape of ORL_32x32.mat, and return its path."""
    rng = np.random.default_rng(0)
    people = np.repeat(np.arange(1, 41), 10)
    mean = rng.uniform(0, 255, (41, 1024))
    pixels = np.clip(mean[people] + 30 * rng.standard_normal((400, 1024)), 0, 255)
    savemat(folder / "mine.mat", {"fea": pixels.astype(np.uint8), "gnd": people[:, None]})
    return str(folder / "mine.mat")


def test_file_of_the_user_is_recognised_and_named_without_its_folder(folder, monkeypatch):
    fields = "accuracy", "deviation", "tau", "as good", "seconds"
    row = {f"{field} {name}": 1.0 for field in fields for name in MACHINES}
    monkeypatch.setattr(CrossValidationCell, "row", lambda *_: row | {"samples": 20})
    (header, rows), _ = run("lssmm-table2", "--data", faces_file(folder))
    assert any("--data mine.mat" in line for line in header)
    assert not any(str(folder) in line for line in header)
    of_orl = [row for row in rows if "ORL" in row["part"] + row["item"]]
    assert len(of_orl) == 15
    assert all(row["ours"] for row in of_orl)
    others = {row["verdict"] for row in rows if row not in of_orl and "Error" not in row["part"]}
    others -= {"measured"}
    assert others == {Verdict.NOT_TRIED}


def test_archive_of_the_eeg_database_is_read_as_such(folder, monkeypatch):
    samples = np.zeros((3, 61, 256)), np.array(["control", "alcoholic", "control"]), np.arange(3)
    asked = []
    monkeypatch.setattr(
        "pages.research.reproduce.data_files.read_eeg_alcoholism",
        lambda *given: asked.append(given) or samples,
    )
    (folder / "SMNI_CMI_TRAIN.tar.gz").touch()
    found = load_sources([EEG, EEG_ARCHIVE], [str(folder / "SMNI_CMI_TRAIN.tar.gz")])
    assert [*found] == [EEG_ARCHIVE.name]
    assert found[EEG_ARCHIVE.name].groups is samples[2]
    assert asked == [(folder / "SMNI_CMI_TRAIN.tar.gz",)]


def test_split_by_subject_tests_subjects_that_are_new():
    """Each subject has a mark of its own, and its class is a coin toss: nothing can be learned."""
    rng = np.random.default_rng(0)
    subjects = np.repeat(np.arange(24), 4)
    marks = rng.standard_normal((24, 4, 5))
    X = marks[subjects] + 0.1 * rng.standard_normal((96, 4, 5))
    samples = SourceSamples(X, rng.permutation(np.arange(24) % 2)[subjects], subjects)
    by_class, by_subject = (
        TrialCell("EEG", by, 0, "lsvm", grid_step=6).row(samples) for by in ("class", "group")
    )
    assert by_class["accuracy"] > 95
    assert by_subject["accuracy"] < 80


def test_file_that_is_not_used_is_named(folder, capsys):
    assert main(["wolf-table1", "--data", faces_file(folder)]) == 2
    sentence = "mine.mat holds 400 matrices 32 × 32 of 40 classes, which this reproduction does not"
    assert sentence in capsys.readouterr().err
    (folder / "text.mat").write_text("no numbers", encoding="utf-8")
    assert main(["lssmm-table2", "--data", "text.mat"]) == 2
    assert main(["lssmm-table2", "--data", "missing.mat"]) == 2
    assert "missing.mat" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name one of"),
        (["table9"], "invalid choice: 'table9'"),
        (["wolf-table1", "--jobs", "0"], "--jobs must be at least 1, got 0"),
        (["wolf-table1", "--size", "large"], "invalid choice: 'large'"),
    ],
)
def test_command_that_is_wrong_is_explained(arguments, sentence, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert sentence in capsys.readouterr().err


def test_list_has_each_name_with_its_time_and_its_data(capsys):
    assert main(["--list"]) == 0
    text = capsys.readouterr().out
    for name, each in reproductions().items():
        assert f"{name}\n    {each.title}\n    small: about" in text
    assert "ORL_32x32.mat" in text


def test_verdict_prefers_the_text_and_names_the_reading_that_agrees():
    readings = {"text": (90.0, 1.0), "other": (95.0, 1.0)}
    found = [judge("item", printed, 0.0, readings, "Why.") for printed in (91.0, 94.0, 80.0)]
    assert [(each.reading, each.verdict) for each in found] == [
        ("text", Verdict.REPRODUCED),
        ("other", Verdict.OTHER_READING),
        ("text", Verdict.NOT_REPRODUCED),
    ]
    assert found[2].reason == "Why."


@pytest.mark.parametrize(
    ("ours", "verdict", "begin"),
    [
        ((1.6, 0.3), Verdict.OTHER_READING, "The order is the printed one"),
        ((1.3, 0.3), Verdict.NOT_REPRODUCED, "Neither method is ahead"),
        ((0.5, 0.1), Verdict.NOT_REPRODUCED, "The order is reversed"),
        ((9.0, float("nan")), Verdict.NOT_REPRODUCED, "Neither method is ahead"),
    ],
)
def test_order_counts_beyond_two_standard_errors(ours, verdict, begin):
    found = judge_order("seconds", "our programs", 3.3, ours, "other data", ratio=True)
    assert found.verdict is verdict
    assert found.reason.startswith(begin)
    assert found.reason.endswith("; other data.")
