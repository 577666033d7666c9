"""The EEG database of UCI: trials of alcoholics and controls, electrodes by time."""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array

FILE = "SMNI_CMI_TRAIN.tar.gz"
LARGEST_TRIAL = 1 << 20  # bytes of text; a trial has about 300 kB
SMALLEST_TRIAL = 1 << 10  # bytes, compressed; smaller files belong to trials without data
MAX_MEMBERS = 10_000

TRIAL = re.compile(r"co\d[ac]\d{7}\.rd\.\d{3}\.gz")
NOT_SCALP = {"X", "Y", "nd"}  # the two electrodes at the eyes and the reference
N_SCALP = 61
SAMPLES = 256


def read_eeg_trial(packed: bytes) -> dict[str, Array]:
    """Read a trial: the 256 samples of each electrode on the scalp."""
    with gzip.open(BytesIO(packed)) as file:
        text = file.read(LARGEST_TRIAL + 1).decode("latin1")
    if len(text) > LARGEST_TRIAL:
        raise ValueError(f"the trial has more than {LARGEST_TRIAL:,} bytes")
    trial: dict[str, list[float]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            _, electrode, number, value = line.split()
            samples = trial.setdefault(electrode, [])
            if int(number) != len(samples):
                raise ValueError(f"a sample of electrode {electrode} is missing")
            samples.append(float(value))
    scalp = {name: np.array(values) for name, values in trial.items() if name not in NOT_SCALP}
    whole = all(len(each) == SAMPLES and np.isfinite(each).all() for each in scalp.values())
    if len(scalp) != N_SCALP or not whole:
        raise ValueError(
            f"the trial must hold {SAMPLES} finite samples of {N_SCALP} electrodes on the scalp"
        )
    return scalp


def read_eeg_alcoholism(path: Path) -> tuple[Array, NDArray[np.str_], NDArray[np.str_]]:
    """Read EEG trials of ten alcoholics and ten controls who looked at pictures.

    A trial lasts one second, sampled at 256 Hz; a subject has up to 30 trials. The archive, `FILE`,
    has about 40 MB.

    References
    ----------
    Begleiter, Ingber: EEG Database, UCI Machine Learning Repository, 1995.
    """
    try:
        with tarfile.open(path, "r:gz") as archive:
            trials = sorted(_trials(archive))
        read = [read_eeg_trial(packed) for _, packed in trials]
        if not read:
            raise ValueError("it holds no trials")
        X = np.array([[trial[electrode] for electrode in read[0]] for trial in read])
    except (tarfile.TarError, OSError, EOFError, zlib.error, KeyError, ValueError) as error:
        raise ValueError(f"{path} is damaged ({error}): delete it to download it again.") from error
    subjects = np.array([name.split(".")[0] for name, _ in trials])
    alcoholic = np.array([subject[3] == "a" for subject in subjects])
    return X, np.where(alcoholic, "alcoholic", "control"), subjects


def _trials(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the trials in an archive, except those without data."""
    for count, member in enumerate(archive):
        if member.size > LARGEST_TRIAL or count == MAX_MEMBERS:
            raise ValueError(f"it is larger than the original from {member.name[-40:]!r} on")
        name = PurePosixPath(member.name).name
        file = archive.extractfile(member) if TRIAL.fullmatch(name) else None
        if file is not None and member.size >= SMALLEST_TRIAL:
            yield name, file.read()
