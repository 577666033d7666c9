"""The real data sets: what the loaders return, and what a damaged or missing file says."""

import gzip
import hashlib
import io
import tarfile
from socket import gaierror
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
import sklearn.datasets._olivetti_faces
from scipy.io import savemat

from pages.shared.data import download, eeg
from pages.shared.data.eeg import fetch_eeg_alcoholism, read_eeg_trial
from pages.shared.data.faces import fetch_olivetti, load_faces


def test_faces_come_with_the_wheel_and_differ_from_the_background():
    X, y = load_faces()
    assert X.shape == (200, 25, 25)
    assert X.dtype == float
    assert 0 <= X.min() < X.max() <= 1
    assert list(y[[0, 99, 100, 199]]) == ["face", "face", "background", "background"]
    # A face has eyes and a mouth, from row to row; what lies behind it is flat.
    detail = np.abs(np.diff(X, axis=1)).mean(axis=(1, 2))
    assert np.median(detail[y == "face"]) > 2 * np.median(detail[y == "background"])


class Answer(io.BytesIO):
    """What a server sends."""

    def __init__(self, content, url="https://archive.example/file", length=None):
        super().__init__(content)
        self.url, self.headers = url, {"Content-Length": str(length or len(content))}


@pytest.fixture
def server(monkeypatch):
    """Let downloads meet this answer, or this error; counts them."""

    def answers(answer):
        def urlopen(url, timeout):
            assert url.startswith("https://")
            assert timeout <= 10
            asked.append(url)
            if isinstance(answer, Exception):
                raise answer
            return Answer(*answer)

        asked = []
        monkeypatch.setattr(download, "urlopen", urlopen)
        return asked

    return answers


@pytest.mark.parametrize("fetch", [fetch_olivetti, fetch_eeg_alcoholism])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (URLError(gaierror(-2, "Name or service not known")), "Name or service not known"),
        (TimeoutError("timed out"), "timed out"),
        (HTTPError("https://x", 404, "Not Found", None, None), "Not Found"),
        ((b"half", "https://x", 8), "it ended after 4 of 8 bytes"),
        ((b"", "http://other.example/"), "it redirects to an address without https"),
    ],
)
def test_what_cannot_be_fetched_is_one_sentence_and_leaves_nothing(
    fetch, answer, reason, server, tmp_path
):
    server(answer)
    sentence = rf"^The (Olivetti faces|EEG database) could not be fetched from \S+ \({reason}\); "
    with pytest.raises(OSError, match=sentence) as refused:
        fetch(data_home=str(tmp_path))
    assert str(refused.value).endswith("the first use needs an internet connection.")
    assert not list(tmp_path.iterdir())


def test_olivetti_is_fetched_once_and_left_to_scikit_learn(server, tmp_path, monkeypatch):
    images = np.arange(400)[:, None] // 10 + np.arange(4096) % 200  # column by column
    content = io.BytesIO()
    savemat(content, {"faces": images.T.astype(np.uint8)})
    theirs = sklearn.datasets._olivetti_faces.FACES
    checksum = hashlib.sha256(content.getvalue()).hexdigest()
    monkeypatch.setattr(
        sklearn.datasets._olivetti_faces, "FACES", theirs._replace(checksum=checksum)
    )
    asked = server((content.getvalue(),))
    for _ in range(2):
        X, y = fetch_olivetti(data_home=str(tmp_path))
        assert X.dtype == float
        np.testing.assert_allclose(X, images.reshape(400, 64, 64).transpose(0, 2, 1) / 238)
        np.testing.assert_array_equal(y, np.arange(400) // 10)
    assert asked == [theirs.url]


def test_a_download_without_end_is_given_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(eeg, "LARGEST_ARCHIVE", 1 << 20)
    server((bytes(3 << 20),))
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        fetch_eeg_alcoholism(data_home=str(tmp_path))


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


def test_the_eeg_database_is_fetched_once_and_labelled_by_its_names(server, tmp_path):
    packed = archive(
        co2c0000337_rd_004_gz=trial(2 * VOLTAGES),
        co2a0000364_rd_000_gz=trial(VOLTAGES),
        co2a0000364_rd_001_gz=gzip.compress(b"# co2a0000364.rd\n" * 4, mtime=0),
        README=b"read me",
    )
    asked = server((packed,))
    for _ in range(2):
        X, y, groups = fetch_eeg_alcoholism(data_home=str(tmp_path))
        assert X.shape == (2, 61, 256)
        np.testing.assert_allclose(X[1, 0], 2 * VOLTAGES)
        assert list(y) == ["alcoholic", "control"]
        assert list(groups) == ["co2a0000364", "co2c0000337"]
    assert [each.rpartition("/")[2] for each in asked] == ["SMNI_CMI_TRAIN.tar.gz"]


@pytest.mark.parametrize(
    ("packed", "sentence"),
    [
        (archive(README=b"read me"), "it holds no trials"),
        (archive(co2a0000364_rd_000_gz=b"\0" * 2000), "Not a gzipped file"),
        (archive(co2a0000364_rd_000_gz=bytes(2 << 20)), "it is larger than the original"),
        (b"<html>", "not a gzip file"),
    ],
)
def test_a_damaged_archive_is_named(packed, sentence, server, tmp_path):
    server((packed,))
    with pytest.raises(ValueError, match=rf"tar\.gz is damaged \(.*{sentence}.*\): delete it"):
        fetch_eeg_alcoholism(data_home=str(tmp_path))
