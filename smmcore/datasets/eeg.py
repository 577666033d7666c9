"""The EEG database of UCI: alcoholics and controls, electrodes by time."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from smmcore.datasets import download

Subset = Literal["train", "test"]
URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/eeg-mld/"
LARGEST_ARCHIVE = 200 << 20  # bytes; each of the two has some 40 MB
LARGEST_TRIAL = 1 << 20  # bytes of text; a trial has some 300 kB
NEAR_EMPTY = 1 << 10  # bytes, compressed: trials that were announced, but not recorded
MOST_MEMBERS = 10_000

TRIAL = re.compile(r"co\d[ac]\d{7}\.rd\.\d{3}\.gz")
CHANNEL = re.compile(r"# (\S+) chan \d+\s*")
HEADER_LINES = 4
NO_SCALP = {"X", "Y", "nd"}  # the eyes' two electrodes and the reference
SCALP = 61
SAMPLES = 256


def read_eeg_trial(packed: bytes) -> dict[str, NDArray[np.float64]]:
    """One trial: the 256 samples of each electrode on the scalp.

    Parameters
    ----------
    packed : bytes
        A file like `co2a0000364.rd.000.gz`: gzip of four header lines and, for each of 64
        channels, a line `# FP1 chan 0` and 256 lines `trial channel sample value`.

    Returns
    -------
    dict of str to ndarray of shape (256,)
        61 electrodes in the order of the file, microvolts.

    Raises
    ------
    ValueError
        Where the file is damaged or no such trial; the message is one sentence.
    """
    lines = _inflated(packed).splitlines()
    trial = {}
    for start in range(HEADER_LINES, len(lines), 1 + SAMPLES):
        head, *rows = lines[start : start + 1 + SAMPLES]
        heading = CHANNEL.fullmatch(head)
        if heading is None:
            raise ValueError(f"line {start + 1} of the trial names no channel: {head[:40]!r}")
        words = " ".join(rows).split()
        if words[1::4] != SAMPLES * [heading[1]] or words[2::4] != [*map(str, range(SAMPLES))]:
            raise ValueError(f"channel {heading[1]} of the trial does not have {SAMPLES} samples")
        values = np.array(words[3::4], dtype=float)
        if not np.isfinite(values).all():
            raise ValueError(f"channel {heading[1]} of the trial holds what is not finite")
        trial[heading[1]] = values
    scalp = {name: values for name, values in trial.items() if name not in NO_SCALP}
    if len(scalp) != SCALP:
        raise ValueError(f"the trial has {len(scalp)} electrodes on the scalp, not {SCALP}")
    return scalp


def _inflated(packed: bytes) -> str:
    """Text from gzip, no more than a trial can have."""
    gzip = zlib.decompressobj(wbits=31)
    try:
        text = gzip.decompress(packed, LARGEST_TRIAL)
    except zlib.error as error:
        raise ValueError(f"the trial is no gzip file ({error})") from error
    if not gzip.eof:
        long = len(text) == LARGEST_TRIAL
        what = f"has more than {LARGEST_TRIAL:,} bytes" if long else "was cut off"
        raise ValueError(f"the trial {what}")
    return text.decode("latin1")


def fetch_eeg_alcoholism(
    subset: Subset = "train", data_home: str | None = None
) -> tuple[NDArray[np.float64], NDArray[np.str_], NDArray[np.str_]]:
    """EEG of ten alcoholics and ten controls who looked at pictures, one second a trial.

    Fetched once, some 40 MB; 30 trials of a subject at most, electrodes by samples at 256 Hz.

    Parameters
    ----------
    subset : {"train", "test"}
        Which of two sets of trials, of the same subjects.
    data_home : str, optional
        Where to keep the archive; by default the folder of scikit-learn.

    Returns
    -------
    X : ndarray of shape (n, 61, 256)
        Microvolts.
    y : ndarray of shape (n,)
        "alcoholic" or "control".
    groups : ndarray of shape (n,)
        The subject. Trials of one subject are alike: split by subject, not at random.

    Raises
    ------
    OSError
        Where the archive cannot be fetched; the message is one sentence.
    ValueError
        Where it is damaged, or `subset` unknown.

    References
    ----------
    Begleiter, Ingber: EEG Database, UCI Machine Learning Repository, 1995.
    """
    if subset not in get_args(Subset):
        raise ValueError(f"subset must be one of {get_args(Subset)}, got {subset!r}")
    file = f"SMNI_CMI_{subset.upper()}.tar.gz"
    path = download.fetch("The EEG database", URL + file, file, LARGEST_ARCHIVE, data_home)
    try:
        with tarfile.open(path, "r:gz") as archive:
            trials = sorted(_trials(archive))
        read = [read_eeg_trial(packed) for _, packed in trials]
        if not read:
            raise ValueError("it holds no trials")
        X = np.array([[trial[electrode] for electrode in read[0]] for trial in read])
    except (tarfile.TarError, OSError, EOFError, zlib.error, KeyError, ValueError) as error:
        raise ValueError(
            f"{path} is damaged ({error}): delete it, and it is fetched again."
        ) from error
    subjects = np.array([name.split(".")[0] for name, _ in trials])
    alcoholic = np.array([subject[3] == "a" for subject in subjects])
    return X, np.where(alcoholic, "alcoholic", "control"), subjects


def _trials(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the trials in an archive, without those that were not recorded."""
    for count, member in enumerate(archive):
        if member.size > LARGEST_TRIAL or count == MOST_MEMBERS:
            raise ValueError(f"{member.name[-40:]!r} makes it larger than it can be")
        name = PurePosixPath(member.name).name
        file = archive.extractfile(member) if TRIAL.fullmatch(name) else None
        if file is not None and member.size >= NEAR_EMPTY:
            yield name, file.read()
