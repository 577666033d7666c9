"""The variables of one file or of several, each read when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrange import arrange, arrange_unlabelled
from .formats.errors import MatFileError, missing_variable_error, quote
from .formats.naming import list_stems, qualify
from .formats.per_subject import SubjectVariables, find_subject_variables
from .formats.reader import Expression, finish_array, parse_expression
from .formats.variables import COLUMN, EACH, LARGEST_ARRAY, Header
from .infer.context import MOST_TRIED, Context, list_names_to_prefetch
from .infer.names import label_likelihood
from .infer.search import find_layouts, find_threshold_layouts
from .inputs import Files, name_files
from .layout import Layout, RawSamples, Variable
from .parts import AT_ZERO, find_columns, find_events, find_views, read_events
from .sandbox import PATIENCE, SECONDS, ask

MOST_CACHED = 2 * LARGEST_ARRAY  # bytes of variables that are kept for the next questions
MOST_PROBLEMS = 3  # files that an error names if none can be read
MOST_NAMED = 3  # images that are not read
LONGEST = PATIENCE * SECONDS  # for all the variables that are read to find samples and labels
BY_ROWS = ("text", "npy", "archive")  # formats in which arrays are usually stored by rows


class Listing(NamedTuple):
    """The variables of one file, or the reason why it cannot be read."""

    format: str = ""
    variables: tuple[Variable, ...] = ()
    notes: tuple[str, ...] = ()  # what a reader should know, such as members that are not read
    problem: str = ""
    left_out: tuple[str, ...] = ()  # a sentence about each image that is not read

    @property
    def left_out_note(self) -> str:
        """A sentence about the images that are not read, which names the first; empty if none."""
        if not self.left_out:
            return ""
        count = len(self.left_out)
        are = "1 image is" if count == 1 else f"{count:,} images are"
        such = ", such as these" if count > MOST_NAMED else ""
        return f"{are} left out{such}: {' '.join(self.left_out[:MOST_NAMED])}"


class Contents:
    """The variables of one file or of several; each is read when it is needed."""

    def __init__(self, files: Files) -> None:
        self._files = name_files(files)
        self._spent: list[float] = []  # seconds of each answer
        self._cache: dict[str, NDArray[Any] | MatFileError] = {}

    @cached_property
    def listings(self) -> dict[str, Listing]:
        """The variables of each file, by the name of the file."""
        listings = {}
        for name, data in self._files.items():
            try:
                self._refuse_after_long()
                head, _ = ask(data, spent=self._spent if len(self._files) > 1 else None)
            except MatFileError as error:
                if len(self._files) == 1:
                    raise
                listings[name] = Listing(problem=str(error))
                continue
            variables = [
                Variable(own, kind, tuple(shape)) for own, kind, shape in head["variables"]
            ]
            listings[name] = Listing(
                head["format"],
                tuple(variables),
                tuple(head["notes"]),
                left_out=tuple(head["left_out"]),
            )
        if all(each.problem for each in listings.values()):
            some = list(listings.items())[:MOST_PROBLEMS]
            raise MatFileError(" ".join(f"In {quote(name)}: {each.problem}" for name, each in some))
        return listings

    @cached_property
    def _sources(self) -> dict[str, tuple[str, Variable]]:
        """The file and the variable in it, by the name of the variable among all files."""
        names = list(self.listings)
        stems = list_stems([(name,) for name in names])
        return {
            self._qualify(stem, own.name): (name, own)
            for name, stem in zip(names, stems, strict=True)
            for own in self.listings[name].variables
        }

    def _qualify(self, stem: tuple[str, ...], name: str) -> str:
        return name if len(self._files) == 1 else ".".join(qualify(stem, (name,)))

    @cached_property
    def _series(self) -> dict[str, SubjectVariables]:
        """The variables that come once in each of several files, by name."""
        if len(self._files) == 1:
            return {}
        headers = {
            name: Header(tuple(name.split(".")), own.matlab_class, own.shape)
            for name, (_, own) in self._sources.items()
            if EACH not in name
        }
        found = find_subject_variables(headers)
        return {name: each for name, each in found.items() if name not in self._sources}

    @cached_property
    def _whole(self) -> dict[str, Variable]:
        """The variables of all files, by name, without parts of them."""
        own = {name: each._replace(name=name) for name, (_, each) in self._sources.items()}
        series = {
            name: Variable(name, each.header.kind, each.header.shape)
            for name, each in self._series.items()
        }
        return own | series

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The variables of all files by name, and parts of them that may be used like variables."""
        own = self._whole
        columns = {
            name: Variable(name, own[base].matlab_class, (own[base].shape[0], 1))
            for name, (base, _) in self._columns.items()
        }
        return own | columns | find_views(own, self.read) | find_events(own, self.read)

    def files_of(self, name: str) -> list[str]:
        """Return the names of the files that hold a variable."""
        name = parse_expression(name.partition(COLUMN)[0].removesuffix(AT_ZERO), self._whole).name
        members = self._series[name].members if name in self._series else [name]
        return list(dict.fromkeys(self._sources[member][0] for member in members))

    @cached_property
    def beside(self) -> frozenset[str]:
        """The variables of files that hold no samples, beside files that may.

        Such a file is given for its labels, groups or parts.
        """
        with_samples = {
            file
            for name, (file, own) in self._sources.items()
            if own.may_be_samples and label_likelihood(name) < 2
        }
        if not with_samples:
            return frozenset()
        return frozenset(
            name for name, (file, _) in self._sources.items() if file not in with_samples
        )

    def read(self, name: str) -> NDArray[Any]:
        """Read a variable, or an expression about cells, as in `formats.reader.try_read_arrays`."""
        return self._read_cached([name])

    def read_all(self, names: list[str]) -> list[NDArray[Any]]:
        """Read several variables at once, or raise the first error."""
        arrays: list[NDArray[Any]] = []
        for found in self._read(names).values():
            if isinstance(found, MatFileError):
                raise found
            arrays.append(found)
        return arrays

    def _read_cached(self, names: list[str]) -> NDArray[Any]:
        """Read these variables, keep all in the cache, and return the first."""
        if new := [name for name in names if name not in self._cache]:
            self._cache |= self._read(new)
        first = self._cache[names[0]]
        while sum(getattr(each, "nbytes", 0) for each in self._cache.values()) > MOST_CACHED:
            del self._cache[next(iter(self._cache))]
        if isinstance(first, MatFileError):
            raise first
        return first

    def _read(self, names: list[str]) -> dict[str, NDArray[Any] | MatFileError]:
        """Read these variables: each as an array, or as the error that it raises."""
        found: dict[str, NDArray[Any] | MatFileError] = {}
        by_file: dict[str, dict[str, str]] = {}  # the name by the expression in its file
        for name in names:
            if name in self._columns or name.endswith(AT_ZERO):
                found[name] = self._read_part(name)
                continue
            asked = parse_expression(name, self._whole)
            base = asked.name
            if base not in self._whole:
                found[name] = missing_variable_error(base, list(self.variables))
            elif base in self._series:
                found[name] = self._read_series(asked)
            else:
                file, own = self._sources[base]
                by_file.setdefault(file, {})[name.replace(base, own.name, 1)] = name
        for file, expressions in by_file.items():
            arrays = self._ask(file, list(expressions))
            found |= dict(zip(expressions.values(), arrays, strict=True))
        return found

    @cached_property
    def _columns(self) -> dict[str, tuple[str, int]]:
        """The columns of matrices that may be used like variables: base and place, by name."""
        return find_columns(self._whole)

    def _read_part(self, name: str) -> NDArray[Any] | MatFileError:
        """Read a column of a variable, or the events at time 0."""
        try:
            if name in self._columns:
                base, column = self._columns[name]
                return self.read(base)[:, [column]]
            return read_events(self._whole, name, self.read)
        except MatFileError as error:
            return error

    def _ask(self, file: str, names: list[str]) -> Sequence[NDArray[Any] | MatFileError]:
        """Read variables of one file."""
        self._refuse_after_long()
        arrays: Sequence[NDArray[Any] | MatFileError]
        try:
            arrays = ask(self._files[file], names, self._spent)[1]
        except MatFileError as error:
            if len(names) > 1:  # the others may be readable
                raise
            arrays = [error]
        return [self._name_file(each, file) for each in arrays]

    def _refuse_after_long(self) -> None:
        if sum(self._spent) > LONGEST:
            raise MatFileError(f"The file took longer than {LONGEST:g} seconds to read.")

    def _name_file(
        self, found: NDArray[Any] | MatFileError, file: str
    ) -> NDArray[Any] | MatFileError:
        """Return an array as it is, and an error with the name of the file if there are several."""
        if isinstance(found, MatFileError) and len(self._files) > 1:
            return MatFileError(f"In {quote(file)}: {found}")
        return found

    def _read_series(self, asked: Expression) -> NDArray[Any] | MatFileError:
        """Read a variable of several files as one cell array, or as an expression about it."""
        series = self._series[asked.name]
        if error := series.find_size_error():
            return error
        loaded: dict[Header, Any] = {}
        for header, member in zip(series.headers, series.members, strict=True):
            try:
                loaded[header] = self.read(member)
            except MatFileError as error:
                return error
        found: NDArray[Any] | MatFileError = finish_array(
            series.gather(loaded), series.header, asked
        )
        return found

    def infer_layouts(self) -> list[Layout]:
        """Infer how the file can be read; see the function of this name."""
        self._prefetch()
        try:
            return find_layouts(self.context)
        except MatFileError:
            if layouts := find_threshold_layouts(self.context):
                return layouts
            raise

    def cell_sizes(self) -> dict[str, NDArray[np.intp]]:
        """Read the shape of each cell, one row per cell, of the cell arrays of numbers."""
        cells = [name for name, each in self.variables.items() if each.matlab_class == "cell"]
        expressions = {name: f"size({name}{{:}})" for name in cells[:MOST_TRIED]}
        sizes = {}
        if expressions:
            with suppress(MatFileError):  # each is read again below
                self._read_cached(list(expressions.values()))
        for name, expression in expressions.items():
            with suppress(MatFileError):  # cells of text, or damaged
                sizes[name] = self.read(expression)
        return sizes

    @property
    def context(self) -> Context:
        """What inference takes: the variables, and the function that reads them."""
        formats = {
            self.listings[file].format for file, own in self._sources.values() if own.may_be_samples
        }
        return Context(
            variables=self.variables,
            beside=self.beside,
            read=self.read,
            by_rows=formats <= {*BY_ROWS},
            table=formats == {"text"},
            archive=formats == {"archive"},
        )

    def _prefetch(self) -> None:
        """Read the variables that inference needs in one question, as each question takes time."""
        for file in self._files:
            variables = {
                name: self.variables[name]
                for name, (own, _) in self._sources.items()
                if own == file
            }
            if names := list_names_to_prefetch(variables):
                with suppress(MatFileError):  # raised again where the variable is needed
                    self._read_cached(names)

    def _read_together(self, layout: Layout) -> None:
        """Read the arrays of a layout in one question, which decodes an archive once."""
        names = [*layout.samples, *(layout.test or ()), layout.labels, layout.parts, layout.groups]
        arrays = [
            name
            for name in names
            if name in self._sources and self._sources[name][1].matlab_class != "cell"
        ]
        if arrays:
            with suppress(MatFileError):  # raised again where the variable is needed
                self._read_cached(arrays)

    def raw_samples(self, layout: Layout) -> RawSamples:
        """Read labels, and samples in the type in which they were saved."""
        self._read_together(layout)
        return arrange(layout, self.read)

    def raw_unlabelled_samples(self, layout: Layout) -> RawSamples:
        """Read samples without labels; their numbers take the place of the labels."""
        return arrange_unlabelled(layout, self.read)
