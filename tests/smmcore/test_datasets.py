import gzip
import hashlib
import io
import tarfile
from math import ceil
from socket import gaierror
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
import sklearn.datasets._olivetti_faces
from scipy.io import savemat

from pages.shared.data import download, eeg
from pages.shared.data.eeg import fetch_eeg_alcoholism, read_eeg_trial
from pages.shared.data.faces import fetch_olivetti, load_faces
from pages.variants.low_rank.tensor_data import make_rank_one_tensors
from smmcore.datasets import (
    column_groups,
    correlated_pair,
    make_block_correlated,
    make_feature_groups,
    make_low_rank,
    make_low_rank_relevant,
    make_sinc,
    make_steps,
    tight_pair,
)


@pytest.mark.parametrize("scaling", ["as printed", "unit length", "unit variance"])
def test_labels_follow_the_sign_of_a_low_rank_truth(scaling):
    X, y, W = make_block_correlated(60, (8, 10), 4, 0.01, 3, scaling, 0, coef=True)
    assert X.shape == (60, 8, 10)
    assert np.linalg.matrix_rank(W) == 3
    np.testing.assert_array_equal(y, np.sign(np.tensordot(X, W)))
    assert set(y) == {-1, 1}


def test_tensors_are_separated_by_an_outer_product():
    X, y, W = make_rank_one_tensors(30, (4, 3, 2), 5)
    assert X.shape == (30, 4, 3, 2)
    np.testing.assert_array_equal(y, np.sign(np.einsum("nijk,ijk->n", X, W)))
    for axis in range(3):
        assert np.linalg.matrix_rank(np.moveaxis(W, axis, 0).reshape(W.shape[axis], -1)) == 1
    with pytest.raises(ValueError, match="n_samples must be at least 2, got 1"):
        make_rank_one_tensors(1)
    with pytest.raises(ValueError, match=r"one axis or more, each of 1 or more, got \(4, 0\)"):
        make_rank_one_tensors(30, (4, 0))


def test_features_are_scaled_as_the_name_says():
    printed = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "as printed", 1)[0]
    length = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "unit length", 1)[0]
    variance = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "unit variance", 1)[0]
    np.testing.assert_allclose(np.linalg.norm(length, axis=0), 1)
    np.testing.assert_allclose(variance.std(axis=0), 1)
    np.testing.assert_allclose(length * np.linalg.norm(printed, axis=0), printed)


def test_columns_of_a_group_correlate_and_columns_of_two_groups_do_not():
    X = make_block_correlated(500, (3, 12), 4, 1e-3, 2, "unit length", 2)[0]
    groups = column_groups(12, 4)
    inner = X[:, 0].T @ X[:, 0]
    same = groups[:, None] == groups
    # nu'nu is exactly 0 or 1; noise of deviation delta adds delta each, and n delta^2 to the norm.
    assert inner[same].min() > 1 - 500 * 1e-6 - 6e-3
    assert np.abs(inner[~same]).max() < 6e-3


@pytest.mark.parametrize(("q", "V"), [(100, 4), (100, 10), (25, 4), (7, 3), (5, 5)])
def test_there_are_as_many_groups_as_asked_for(q, V):
    # The printed ceil(l / (0.2 q)) makes five groups, whatever V is.
    groups = column_groups(q, V)
    assert groups.tolist() == [ceil(column * V / q) - 1 for column in range(1, q + 1)]
    assert set(groups) == set(range(V))
    assert len(set(np.ceil(np.arange(1, 101) / 20))) == 5


def test_a_seed_determines_the_data():
    one, two = (make_block_correlated(30, (4, 5), random_state=7)[0] for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 1}, "n_samples must be at least 2, got 1"),
        ({"shape": (0, 5)}, r"shape must hold two positive numbers, got \(0, 5\)"),
        ({"n_groups": 6}, "n_groups must be between 1 and 5 .* got 6"),
        ({"noise": -1.0}, "noise must be at least 0 and finite, got -1.0"),
        ({"rank": 5}, "rank must be between 1 and 4, got 5"),
        ({"scaling": "none"}, "scaling must be one of .* got 'none'"),
    ],
)
def test_what_is_out_of_range_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        make_block_correlated(**{"n_samples": 20, "shape": (4, 5), **change})


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.999, 1.0])
def test_a_correlated_pair_has_the_correlation_in_each_row_and_all_else_as_it_was(correlation):
    X = 3 + np.random.default_rng(0).standard_normal((30, 4, 5))
    mixed = correlated_pair(X, 1, 3, correlation)
    for k in range(4):
        R = np.corrcoef(mixed[:, k, 1], mixed[:, k, 3])
        assert R[0, 1] == pytest.approx(correlation, abs=1e-12)
    np.testing.assert_array_equal(np.delete(mixed, 3, axis=2), np.delete(X, 3, axis=2))
    distance = np.sum((mixed[:, :, 1] - mixed[:, :, 3]) ** 2, axis=0)
    expected = 2 * (1 - correlation) * 30 * X[:, :, 1].var(axis=0)
    np.testing.assert_allclose(distance, expected, rtol=1e-9)


def test_a_pair_that_cannot_be_mixed_is_refused_with_a_sentence():
    X = np.random.default_rng(0).standard_normal((30, 4, 5))
    with pytest.raises(ValueError, match="must be at least 0 and at most 1, got nan"):
        correlated_pair(X, 0, 1, float("nan"))
    X[:, :, 1] = 2 * X[:, :, 0]
    with pytest.raises(ValueError, match="column 2 is a multiple of column 1"):
        correlated_pair(X, 0, 1, 0.5)


def test_a_tight_pair_differs_by_the_labels_of_equal_classes():
    X = np.random.default_rng(0).standard_normal((30, 4, 5))
    y = np.where(np.arange(30) % 3, 1.0, -1.0)
    tight, labels = tight_pair(X, y, 0, 2)
    assert np.count_nonzero(labels > 0) == np.count_nonzero(labels < 0) == 10
    apart = (tight[:, :, 2] - tight[:, :, 0]) * labels[:, None]
    np.testing.assert_allclose(apart, np.broadcast_to(apart[0], (20, 4)))
    assert (apart > 0).all()
    assert X[0, 0, 2] == np.random.default_rng(0).standard_normal((30, 4, 5))[0, 0, 2]


@pytest.mark.parametrize(("share", "count"), [(0.05, 2), (0.5, 20), (1e-9, 1), (0.999, 39)])
def test_share_of_positives_is_kept_and_they_have_the_highest_scores(share, count):
    X, y, W = make_block_correlated(40, (6, 8), positives=share, random_state=0, coef=True)
    scores = np.tensordot(X, W)
    assert np.count_nonzero(y > 0) == count
    assert scores[y > 0].min() > scores[y < 0].max()
    plain = make_block_correlated(40, (6, 8), random_state=0)
    np.testing.assert_array_equal(X, plain[0])


# ---- real sets ------------------------------------------------------------------------------


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
    ("packed", "sentence"),
    [
        (b"", "was cut off"),
        (trial(VOLTAGES)[:-400], "was cut off"),
        (b"0 FP1 0 -8.9", "is not a gzip file"),
        (
            gzip.compress(b"# co2a0000364.rd\n" * 4, mtime=0),
            "has 0 electrodes on the scalp, not 61",
        ),
        (gzip.compress(bytes(2 << 20), mtime=0), "has more than 1,048,576 bytes"),
        (gzip.compress(b"<p>\n" * 9, mtime=0), "line 5 of the trial names no channel: '<p>'"),
        (trial(VOLTAGES, ELECTRODES[:60]), "has 60 electrodes on the scalp, not 61"),
        (trial(VOLTAGES[:255]), "channel E0 of the trial does not have 256 samples"),
        (trial(VOLTAGES[:255], ["E0"]), "channel E0 of the trial does not have 256 samples"),
        (trial(np.full(256, np.nan)), "channel E0 of the trial holds values that are not finite"),
    ],
)
def test_a_damaged_trial_is_refused_with_a_sentence(packed, sentence):
    with pytest.raises(ValueError, match=sentence):
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
        (archive(co2a0000364_rd_000_gz=b"\0" * 2000), "is not a gzip file"),
        (archive(co2a0000364_rd_000_gz=bytes(2 << 20)), "it is larger than the original"),
        (b"<html>", "not a gzip file"),
    ],
)
def test_a_damaged_archive_is_named(packed, sentence, server, tmp_path):
    server((packed,))
    with pytest.raises(ValueError, match=rf"tar\.gz is damaged \(.*{sentence}.*\): delete it"):
        fetch_eeg_alcoholism(data_home=str(tmp_path))


def test_a_set_that_there_is_not_is_named():
    with pytest.raises(ValueError, match=r"subset must be one of .* got 'full'"):
        fetch_eeg_alcoholism("full")


def best_accuracy(X, y, W):
    scores = np.tensordot(X, W)
    order = np.argsort(scores)
    right = np.cumsum(np.where(y[order] < 0, 1, -1)) + np.count_nonzero(y > 0)
    return right.max() / len(y)


@pytest.mark.parametrize(
    ("protocol", "best"),
    # Means 28^(1/2) deviations apart, priors .7 and .3: 99.63%; 56^(1/2) apart: 99.99%.
    [("as printed", 0.9963), ("one triple", 0.9999), ("Weston", 0.996)],
)
def test_the_relevant_direction_tells_the_classes_apart_as_well_as_can_be(protocol, best):
    X, y, W = make_low_rank_relevant(20_000, random_state=0, coef=True, protocol=protocol)
    assert best_accuracy(X, y, W) == pytest.approx(best, abs=2e-3)
    assert np.count_nonzero(W) == (3 if protocol == "one triple" else 6)
    assert np.mean(y > 0) == pytest.approx(0.5 if protocol == "Weston" else 0.7, abs=0.02)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)


def test_without_a_permutation_the_relevant_features_stand_in_one_row_and_W_has_rank_one():
    _, _, W = make_low_rank_relevant(50, random_state=0, coef=True, permute=False)
    assert np.count_nonzero(W[0]) == np.count_nonzero(W) == 6
    ranks = [
        np.linalg.matrix_rank(make_low_rank_relevant(50, None, 0.0, seed, coef=True)[2])
        for seed in range(20)
    ]
    assert np.mean(ranks) > 3


@pytest.mark.parametrize("size", [10, 50])
def test_orthogonal_A_and_B_keep_all_inner_products_and_noise_does_not(size):
    plain, y, w = make_low_rank_relevant(40, None, 0.0, 3, coef=True)
    X, labels, W = make_low_rank_relevant(40, size, 0.0, 3, coef=True)
    assert X.shape == (40, size, size)
    np.testing.assert_array_equal(labels, y)
    np.testing.assert_allclose(
        np.tensordot(X, X, ((1, 2), (1, 2))), np.tensordot(plain, plain, ((1, 2), (1, 2)))
    )
    np.testing.assert_allclose(np.tensordot(X, W), np.tensordot(plain, w))
    noisy, _ = make_low_rank_relevant(40, size, 0.5, 3)
    assert (noisy - X).std() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_samples": 1}, "n_samples must be at least 2, got 1"),
        ({"size": 9}, "size must be at least 10, got 9"),
        ({"noise": -1.0}, "noise must be at least 0 and finite, got -1.0"),
        ({"protocol": "mine"}, "protocol must be one of .*, got 'mine'"),
    ],
)
def test_a_parameter_of_the_relevant_features_out_of_range_is_named(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_low_rank_relevant(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_sinc(0), "n must be at least 1, got 0"),
        (lambda: make_sinc(5, -1.0), "noise must be at least 0 and finite, got -1.0"),
        (lambda: make_steps(10, 6), "n_steps must be between 1 and n / 2 = 5, got 6"),
        (lambda: make_feature_groups(n_active=9), "n_active must be between 0 and n_groups = 8"),
        (lambda: make_low_rank(rank=11), "rank must be between 1 and 10, got 11"),
    ],
)
def test_data_out_of_range_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_books_recipe_has_no_hole_in_the_middle():
    x, y, truth = make_sinc(51, 0.0)
    assert x[25] == 0
    assert y[25] == truth[25] == 1


def test_steps_are_steps_and_low_rank_is_low():
    _, _, truth = make_steps(60, 5, 0.3, 3)
    assert np.count_nonzero(np.diff(truth)) == 4
    assert np.abs(np.diff(truth))[np.diff(truth) != 0].min() >= 1
    coef = make_low_rank(10, (6, 5), 2, random_state=0).coef
    assert np.linalg.matrix_rank(coef) == 2
    assert np.linalg.norm(coef) == pytest.approx(1)
