"""Ask everything of every bad file, and see that each answer is an array or a sentence.

    python -m tests.files.hostile FOLDER

takes a folder of malformed and hostile files and, beside it, makes 1,000 random bit flips and a
truncation at every hundredth byte of one ordinary file of each version of MATLAB, and of an
archive of images. For each file it asks for its readings and a few samples of the first, lists the
variables, and reads the first 30. It fails if anything but an array or a sentence comes back, later
than the limit, or with bytes of the secret files in it, or if a pickle ran.
"""

import argparse
import random
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pages.your_data.files import Contents, FileError, sandbox
from pages.your_data.files.formats.variables import EACH, READABLE
from tests.files import test_archive, test_formats, test_mcos
from tests.files.formats import WRITERS
from tests.files.make import mat

MOST_READ = 30
LONGEST_SENTENCE = 400
# What other files of the folder hold (all are called so), and no answer may.
SECRET = "secret"
SECRETS = (b"TOP SECRET", np.array("TOP SECRET").tobytes(), np.arange(10, dtype="i8").tobytes())
SWEPT = ("X", "y", "z", "mask", "bytes", "rows", "S", "samples", "s")  # of what formats hold
FLIPS = 1_000  # of each ordinary file
MARKER = "PICKLE_WAS_EXECUTED"  # the file that a pickle makes where it runs


class Outcome(NamedTuple):
    """What became of one file."""

    name: str
    read: int = 0  # variables
    refused: int = 0  # variables, or the file as a whole
    seconds: float = 0.0  # the longest answer
    faults: tuple[str, ...] = ()  # what must not be


def ordinary() -> dict[str, bytes]:
    """A file of each format with something of everything in it."""
    every = test_formats.EVERY.items()
    some = {name: value for name, (value, *_) in every if name in SWEPT}
    plain = {"X": some["X"][..., 0], "y": some["y"], "S": some["S"], "text": "hello"}
    files = {"v4": mat(_format="4", **plain), "zip": test_archive.ordinary()}
    for version, file_format in {"v5": "6", "v7": "7", "v7.3": "7.3"}.items():
        files[version] = WRITERS[f"version {file_format}"](some)
    return files | test_mcos.ordinary()


def flipped(content: bytes, count: int, seed: int = 1) -> Iterable[tuple[str, bytes]]:
    """The file with one bit changed, every second time near its beginning."""
    dice = random.Random(seed)
    for i in range(count):
        at, bit = dice.randrange(len(content) if i % 2 else 400), dice.randrange(8)
        changed = bytearray(content)
        changed[at] ^= 1 << bit
        yield f"bit {bit} of byte {at}", bytes(changed)


def cut(content: bytes, step: int = 100) -> Iterable[tuple[str, bytes]]:
    """The file's beginnings."""
    return ((f"first {size} bytes", content[:size]) for size in range(0, len(content), step))


def judge(name: str, content: bytes) -> Outcome:
    """List the variables of one file, ask for its samples, and read each variable."""
    file, faults, longest = Contents(content), [], 0.0

    def asked(question, *details):
        nonlocal longest
        began, answer = time.perf_counter(), None
        try:
            answer = question(*details)
        except FileError as error:
            answer, text = error, str(error)
            if not (text.endswith(".") and text.isprintable() and len(text) < LONGEST_SENTENCE):
                faults.append(f"no sentence: {text!r}")
            if "TOP SECRET" in text and SECRET not in name:
                faults.append(f"a sentence with bytes of a secret file: {text!r}")
        except Exception as error:
            faults.append(f"not a sentence, but {error!r}")
        longest = max(longest, time.perf_counter() - began)
        return answer

    variables = asked(lambda: file.variables)
    if not isinstance(variables, dict):
        return Outcome(name, refused=1, seconds=longest, faults=tuple(faults))
    samples = asked(understood, file)  # which reads most variables in one question
    names = [
        each.name
        for each in variables.values()
        if each.matlab_class in READABLE and EACH not in each.name  # whose members may differ
    ]
    answers = [asked(file.read, each) for each in names[:MOST_READ]]
    arrays = [each for each in answers if isinstance(each, np.ndarray)]
    few = samples if isinstance(samples, list) else []
    if SECRET not in name and any(
        secret in array.tobytes() for array in [*arrays, *few] for secret in SECRETS
    ):
        faults.append("bytes of a secret file")
    if longest > sandbox.PATIENCE * sandbox.SECONDS + 6:
        faults.append(f"an answer after {longest:.0f} seconds")
    return Outcome(name, len(arrays), len(answers) - len(arrays), longest, tuple(faults))


def understood(file: Contents) -> list[np.ndarray]:
    """What a page asks of a file: a few samples of its first reading, and their labels."""
    stored = file.raw_samples(file.infer_layouts()[0])
    few = stored.take(np.arange(min(3, len(stored.y))))
    with np.errstate(invalid="ignore"):
        return [few.X.astype("i8"), few.y]


def sweep(files: Iterable[tuple[str, bytes]]) -> list[Outcome]:
    """What became of these files, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda file: judge(*file), files))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="malformed and hostile files, at any depth")
    folder = parser.parse_args().folder
    Path(MARKER).unlink(missing_ok=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    parts = {"the folder": ((str(path), path.read_bytes()) for path in files)}
    for version, content in ordinary().items():
        parts[f"{version}, bit flips"] = flipped(content, FLIPS)
        parts[f"{version}, truncations"] = cut(content)
    faults = []
    for title, files in parts.items():
        outcomes = sweep(files)
        read = sum(each.read > 0 for each in outcomes)
        slowest = max(each.seconds for each in outcomes)
        print(f"{title}: {len(outcomes):,} files, {read:,} read, {slowest:.1f} s", flush=True)
        faults += [f"{each.name}: {fault}" for each in outcomes for fault in each.faults]
    faults += ["a pickle ran"] * Path(MARKER).exists()
    print(*faults, f"{len(faults)} faults", sep="\n")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
