"""Say what each of several files contributes to the samples that are read."""

from __future__ import annotations

from collections import Counter
from math import prod

import numpy as np

from pages.shared.files import Contents, Layout
from pages.shared.files.inputs import IMAGES
from pages.shared.files.layout import RawSamples
from pages.your_data.runs import count_noun


def describe_contributions(
    contents: Contents, layout: Layout, stored: RawSamples
) -> dict[str, str]:
    """Return what each file contributes, by the name of the file."""
    training, testing = _count_samples(contents, layout, stored)
    unlabelled: Counter[str] = Counter()
    for each in contents.find_unlabelled(layout):
        (name,) = each.samples
        (file,) = contents.files_of(name)
        variable = contents.variables[name]
        cell = variable.matlab_class == "cell"
        unlabelled[file] += prod(variable.shape) if cell else variable.shape[each.axis]
    texts = {}
    for file, listing in contents.listings.items():
        found = []
        for counts, part in ((training, "training part"), (testing, "test part")):
            if counts[file]:
                samples = count_noun(counts[file], "sample")
                found.append(f"{samples}, {part}" if testing else samples)
        if unlabelled[file]:
            found.append(f"{unlabelled[file]:,} samples without labels, which are not used")
        found += [
            role
            for role, names in _list_roles(layout).items()
            if file in _files_of(contents, names)
        ]
        if count := len(listing.left_out):
            found.append(f"{count_noun(count, 'image')} left out")
        texts[file] = ", ".join(found) or listing.problem or "not used"
    return texts


def display_file(name: str, contents: Contents) -> str:
    """Return the name of a file, or of all images that are no part of an archive."""
    return "The images" if name == IMAGES and name in contents.listings else name


def _list_roles(layout: Layout) -> dict[str, tuple[str, ...]]:
    """List the layout's labels, groups and test part by role."""
    others = layout.test[1:] if layout.test and layout.implied != "variable" else ()
    roles = {"labels": (layout.labels, *others[:1]), "groups": (layout.groups, *others[1:])}
    return roles | {"the places of the test part": (layout.parts,)}


def _files_of(contents: Contents, names: tuple[str, ...]) -> set[str]:
    return {file for name in names if name for file in contents.files_of(name)}


def _count_samples(
    contents: Contents, layout: Layout, stored: RawSamples
) -> tuple[Counter[str], Counter[str]]:
    """Count the samples of each file in the training part and in the test part."""
    training: Counter[str] = Counter()
    testing: Counter[str] = Counter()
    tests = layout.test or ()
    tests = tests if layout.implied == "variable" else tests[:1]
    lengths = [len(stack[0]) for stack in stored.stacks]
    files = contents.files_of(layout.samples[0])
    if len(files) > 1 and stored.groups is not None:  # a cell for each file
        training.update(dict(zip(files, np.bincount(stored.groups)[1:].tolist(), strict=False)))
        return training, testing
    count = len(layout.samples) if layout.implied != "axis" and layout.group_axis is None else 1
    own = len(lengths) - len(tests) if count == 1 else count
    for i, length in enumerate(lengths[:own]):
        training[contents.files_of(layout.samples[i if count > 1 else 0])[0]] += length
    for name, length in zip(tests, lengths[own:], strict=False):
        testing[contents.files_of(name)[0]] += length
    return training, testing
