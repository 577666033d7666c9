"""Read the data files that a user names for a reproduction."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from pages.shared.data.eeg import FILE as EEG_FILE
from pages.shared.data.eeg import read_eeg_alcoholism
from pages.shared.reproduction.sources import Source, SourceSamples
from pages.your_data.files import Contents


def load_sources(sources: Sequence[Source], files: Iterable[str]) -> dict[str, SourceSamples]:
    """Load the sources that come with a package, and those that are in the user's files."""
    found = {source.name: source.load() for source in sources if source.load is not None}
    for file in files:
        samples = read_file(Path(file))
        names = [source.name for source in sources if source.matches(samples)]
        if not names:
            n, p, q = samples.X.shape
            known = "; ".join(source.note for source in sources if source.load is None)
            raise ValueError(
                f"{Path(file).name} holds {n:,} matrices {p} × {q} of "
                f"{len(np.unique(samples.y)):,} classes, which this reproduction does not use: "
                + (f"it reads {known}" if known else "it reads no files")
            )
        found[names[0]] = samples
    return found


def read_file(path: Path) -> SourceSamples:
    """Read the samples of the EEG archive, or of a data file in the layout inferred from it."""
    if path.name == EEG_FILE and path.exists():
        return SourceSamples(*read_eeg_alcoholism(path))
    contents = Contents(path.read_bytes())
    stored = contents.raw_samples(contents.infer_layouts()[0])
    for each in contents.listings.values():
        if each.left_out:
            warnings.warn(each.left_out_note, stacklevel=2)
    X, y, groups, *_ = stored.take(np.arange(len(stored.y)))
    return SourceSamples(X, y, groups)
