"""The real data sets: what the loaders return, and what a damaged or missing file says."""

import gzip
import io
import tarfile

import numpy as np
import pytest

from pages.shared.data.eeg import read_eeg_alcoholism, read_eeg_trial
from pages.shared.data.faces import load_faces


def test_faces_come_with_the_wheel_and_differ_from_the_background():
    X, y = load_faces()
    assert X.shape == (200, 25, 25)
    assert X.dtype == float
    assert 0 <= X.min() < X.max() <= 1
    assert list(y[[0, 99, 100, 199]]) == ["face", "face", "background", "background"]
    # A face has eyes and a mouth, from row to row; what lies behind it is flat.
    detail = np.abs(np.diff(X, axis=1)).mean(axis=(1, 2))
    assert np.median(detail[y == "face"]) > 2 * np.median(detail[y == "background"])


ELECTRODES = [f"E{number}" for number in range(61)]


def trial(voltages, channels=(*ELECTRODES[:31], "X", *ELECTRODES[31:], "nd", "Y")):
    """A file as in the EEG database, in which electrode E_k has the voltages times k + 1."""
    lines = ["# co2a0000364.rd", "# 120 trials, 64 chans", "# 3.906 msecs uV", "# S1 obj , trial 0"]
    for place, name in enumerate(channels):
        factor = int(name[1:]) + 1 if name in ELECTRODES else 1e6
        lines.append(f"# {name} chan {place}")
        lines += [f"0 {name} {k} {factor * value:.3f}" for k, value in enumerate(voltages)]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


VOLTAGES = np.round(np.sin(np.arange(256) / 9) * 8, 3)


def test_a_trial_is_what_the_electrodes_on_the_scalp_have_measured():
    read = read_eeg_trial(trial(VOLTAGES))
    assert list(read) == ELECTRODES
    np.testing.assert_allclose(read["E0"], VOLTAGES)
    np.testing.assert_allclose(read["E60"], 61 * VOLTAGES)


@pytest.mark.parametrize(
    "packed",
    [
        trial(VOLTAGES)[:-400],
        gzip.compress(b"# co2a0000364.rd\n" * 4, mtime=0),
        gzip.compress(bytes(2 << 20), mtime=0),
        gzip.compress(b"<p>\n" * 9, mtime=0),
        trial(VOLTAGES, ELECTRODES[:60]),
        trial(VOLTAGES[:255]),
    ],
)
def test_a_damaged_trial_is_refused(packed):
    with pytest.raises((ValueError, OSError, EOFError)):
        read_eeg_trial(packed)


def archive(**files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"SMNI_CMI_TRAIN/{name[:11]}/{name.replace('_', '.')}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def test_the_eeg_database_is_labelled_by_its_names(tmp_path):
    path = tmp_path / "SMNI_CMI_TRAIN.tar.gz"
    packed = archive(
        co2c0000337_rd_004_gz=trial(2 * VOLTAGES),
        co2a0000364_rd_000_gz=trial(VOLTAGES),
        co2a0000364_rd_001_gz=gzip.compress(b"# co2a0000364.rd\n" * 4, mtime=0),
        README=b"read me",
    )
    path.write_bytes(packed)
    X, y, groups = read_eeg_alcoholism(path)
    assert X.shape == (2, 61, 256)
    np.testing.assert_allclose(X[1, 0], 2 * VOLTAGES)
    assert list(y) == ["alcoholic", "control"]
    assert list(groups) == ["co2a0000364", "co2c0000337"]


@pytest.mark.parametrize(
    ("packed", "sentence"),
    [
        (archive(README=b"read me"), "it holds no trials"),
        (archive(co2a0000364_rd_000_gz=b"\0" * 2000), "Not a gzipped file"),
        (archive(co2a0000364_rd_000_gz=bytes(2 << 20)), "it is larger than the original"),
        (b"<html>", "not a gzip file"),
    ],
)
def test_a_damaged_archive_is_named(packed, sentence, tmp_path):
    path = tmp_path / "mine.tar.gz"
    path.write_bytes(packed)
    with pytest.raises(ValueError, match=rf"tar\.gz is damaged \(.*{sentence}.*\): delete it"):
        read_eeg_alcoholism(path)
