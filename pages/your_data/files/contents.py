"""The variables of uploaded files, a single one or several; each is read when it is needed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrange import RawSamples, arrange
from .formats.detection import ZIPS
from .formats.errors import FileError, missing_variable_error, quote
from .formats.headings import find_places
from .formats.reader import finish_array, parse_expression
from .formats.variables import (
    CLOCK,
    COLUMN,
    EACH,
    HEADER,
    IMAGE_ENDINGS,
    IMAGES,
    LARGEST_ARRAY,
    NUMERIC,
    SLOT,
    TABLE,
    list_stems,
    qualify,
)
from .infer.context import (
    MOST_PREFETCHED,
    MOST_TRIED,
    Context,
    Part,
    find_parts,
    label_likelihood,
    list_names_to_prefetch,
)
from .infer.families import Family, find_families
from .infer.keys import BY, Join, Tables, find_joins
from .infer.search import find_layouts, find_threshold_layouts
from .labels import MissingError
from .layout import Layout, Variable
from .sandbox import PATIENCE, SECONDS, ask

Files = bytes | Mapping[str, bytes]  # contents, of several files by their names
Found = NDArray[Any] | FileError

MOST_CACHED = 2 * LARGEST_ARRAY  # bytes of variables that are kept for the next questions
MOST_PROBLEMS = 3  # files that an error names if none can be read
MOST_NAMED = 3  # images that are not read
LONGEST = PATIENCE * SECONDS  # for all the variables that are read to find samples and labels
BY_ROWS = ("text", "npy", "archive")  # formats in which arrays are usually stored by rows


def name_files(files: Files) -> dict[str, bytes]:
    """Return the content of each file by its name, in the order of the names.

    A single file needs no name. The files of a folder become an archive, and so do images.
    """
    if isinstance(files, bytes):
        return {"": files}
    contents = dict(sorted(files.items()))
    archives: dict[str, dict[str, bytes]] = {}
    for name in files:
        folder = name.partition("/")[0] if "/" in name else ""
        if folder or name.lower().endswith(IMAGE_ENDINGS):
            archives.setdefault(folder or IMAGES, {})[name] = contents.pop(name)
    return {name: _pack(members) for name, members in archives.items()} | contents


def _pack(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


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
        self._cache: dict[str, Found] = {}

    @cached_property
    def listings(self) -> dict[str, Listing]:
        """The variables of each file, by the name of the file."""
        listings = {}
        for name, data in self._files.items():
            try:
                self._refuse_after_long()
                head, _ = ask(data, spent=self._spent if len(self._files) > 1 else None)
            except FileError as error:
                if len(self._files) == 1:
                    raise
                listings[name] = Listing(problem=str(error))
                continue
            variables = [
                Variable(own, kind, tuple(shape)) for own, kind, shape in head["variables"]
            ]
            notes, left_out = map(tuple, head["remarks"])
            listings[name] = Listing(head["format"], tuple(variables), notes, left_out=left_out)
        if all(each.problem for each in listings.values()):
            some = list(listings.items())[:MOST_PROBLEMS]
            raise FileError(" ".join(f"In {quote(name)}: {each.problem}" for name, each in some))
        return listings

    @cached_property
    def _sources(self) -> dict[str, tuple[str, Variable]]:
        """The file and the variable in it, by the name of the variable among all files."""
        names = list(self.listings)
        alone = len(names) == 1
        return {
            own.name if alone else ".".join(qualify(stem, (own.name,))): (name, own)
            for name, stem in zip(names, list_stems([(name,) for name in names]), strict=True)
            for own in self.listings[name].variables
        }

    @cached_property
    def _own(self) -> dict[str, Variable]:
        """The variables in the files, by name."""
        return {
            name: each._replace(name=name)
            for name, (_, each) in self._sources.items()
            if each.name.rpartition(".")[2] not in (HEADER, CLOCK)
        }

    @cached_property
    def _parts(self) -> dict[str, Part]:
        """The variables that are made of those in the files, by name."""
        return find_parts(self._own, self._families, self.read, self.read_alike)

    @cached_property
    def _families(self) -> list[Family]:
        return find_families(self._own)

    @cached_property
    def _joins(self) -> tuple[list[Join], dict[str, str]]:
        """The tables that belong to the samples by a key, and doubts about columns of others."""
        tables: Tables = {}
        outer = {name.rpartition(".")[0] for name in self._sources}
        for name in self._own:
            file, _ = self._sources[name]
            member = name if name in outer else name.rpartition(".")[0]  # a table has no name
            member = member if self._files[file].startswith(ZIPS) else ""
            tables.setdefault((file, member), []).append(self._own[name])
        if len(tables) < 2:
            return [], {}
        self._prefetch()
        return find_joins(tables, self._families, self.read)

    @cached_property
    def _joined(self) -> dict[str, tuple[Join, str]]:
        """The columns in the order of the samples, by their new names."""
        return {join.rename(each): (join, each) for join in self._joins[0] for each in join.columns}

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The variables of all files by name, and those that are made of them."""
        joined = {}
        for name, (join, column) in self._joined.items():
            kind = self._own[column].matlab_class
            is_text = kind not in NUMERIC
            width = self._own[column].shape[1] if is_text else 1
            kind = "char" if is_text else "double" if (join.rows < 0).any() else kind
            joined[name] = Variable(name, kind, (len(join.rows), width))
        parts = {name: each.variable for name, each in self._parts.items()}
        return self._own | parts | joined

    def files_of(self, name: str) -> list[str]:
        """Return the names of the files that hold a variable."""
        sources = self._parts[name].sources if name in self._parts else [name]
        if name in self._joined:
            sources = [self._joined[name][1]]
        return list(dict.fromkeys(self._sources[each][0] for each in sources))

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
            name
            for name in self.variables
            if COLUMN not in name and with_samples.isdisjoint(self.files_of(name))
        )

    def read(self, name: str) -> NDArray[Any]:
        """Read a variable, or an expression about cells, as in `formats.reader.try_read_arrays`."""
        self._fill_cache([name])
        found = self._cache[name]
        while sum(getattr(each, "nbytes", 0) for each in self._cache.values()) > MOST_CACHED:
            del self._cache[next(iter(self._cache))]
        if isinstance(found, FileError):
            raise found
        return found

    def read_alike(self, names: list[str]) -> list[NDArray[Any]]:
        """Read several variables, tables with their columns in the order of those of the first."""
        self._fill_cache(
            [each for name in names for each in (name, self._beside(name, HEADER)) if each]
        )
        wanted, of = self.column_names(names[0]), quote(names[0])
        found = []
        for name in names:
            places = find_places(self.column_names(name), wanted, name, of)
            found.append(self.read(name)[..., places] if places else self.read(name))
        return found

    def _fill_cache(self, names: list[str]) -> None:
        """Read those of these variables that are not in the cache, in one question."""
        if new := [name for name in names if name not in self._cache]:
            self._cache |= self._read(new)

    def _read(self, names: list[str]) -> dict[str, Found]:
        """Read these variables: each as an array, or as the error that it raises."""
        found: dict[str, Found] = {}
        by_file: dict[str, dict[str, str]] = {}  # the name by the expression in its file
        for name in names:
            base = parse_expression(name, self._sources).name
            if base in self._sources:
                file, own = self._sources[base]
                by_file.setdefault(file, {})[name.replace(base, own.name, 1)] = name
            else:
                found[name] = self._read_part(name)
        for file, expressions in by_file.items():
            self._refuse_after_long()
            try:
                arrays: list[Any] = ask(self._files[file], list(expressions), self._spent)[1]
            except FileError as error:
                if len(expressions) > 1:  # the others may be readable
                    raise
                arrays = [error]
            if len(self._files) > 1:
                arrays = [
                    FileError(f"In {quote(file)}: {each}") if isinstance(each, FileError) else each
                    for each in arrays
                ]
            found |= dict(zip(expressions.values(), arrays, strict=True))
        return found

    def _read_part(self, name: str) -> Found:
        """Read a variable that is made of others, or an expression about it."""
        if BY in name and name in self._joined:
            join, column = self._joined[name]
            return join.read(column, self.read)
        asked = parse_expression(name, self._parts)
        if asked.name not in self._parts:
            return missing_variable_error(asked.name, list(self.variables))
        variable, sources, read = self._parts[asked.name]
        if asked.how == "size" and EACH in asked.name and variable.matlab_class == "cell":
            shapes = [self._own[each].shape for each in sources]
            if all(self._own[each].matlab_class in NUMERIC for each in sources):  # headers tell
                axes = max(map(len, shapes))
                return np.array([(*each, *[1] * (axes - len(each))) for each in shapes])
        try:
            found: Found = finish_array(read(), variable.matlab_class, variable.shape, asked)
        except FileError as error:
            return error
        return found

    def _refuse_after_long(self) -> None:
        if sum(self._spent) > LONGEST:
            raise FileError(f"The file took longer than {LONGEST:g} seconds to read.")

    def infer_layouts(self) -> list[Layout]:
        """Infer how the files hold samples and their labels, the likeliest layout first."""
        self._prefetch()
        try:
            return find_layouts(self.context)
        except FileError:
            if layouts := find_threshold_layouts(self.context):
                return layouts
            raise

    def column_names(self, table: str) -> tuple[str, ...]:
        """Return the names of the columns of a table of text; nothing if it has none.

        A cell array of tables has those of its first one.
        """
        header = self._beside(table, HEADER)
        return tuple(self.read(header).tolist()) if header else ()

    def _beside(self, table: str, what: str) -> str:
        """Return the name of the header or the clock of a table; empty if it has none."""
        first = self._parts[table].sources[0] if EACH in table and table in self._parts else table
        name = what if first == TABLE else f"{first}.{what}"
        return name if name in self._sources else ""

    def cell_sizes(self) -> dict[str, NDArray[np.intp]]:
        """Read the shape of each cell, one row per cell, of the cell arrays of numbers."""
        cells = [name for name, each in self.variables.items() if each.matlab_class == "cell"]
        expressions = {name: f"size({name}{{:}})" for name in cells[:MOST_TRIED]}
        sizes = {}
        with suppress(FileError):  # each is read again below
            self._fill_cache(list(expressions.values()))
        for name, expression in expressions.items():
            with suppress(FileError):  # cells of text, or damaged
                sizes[name] = self.read(expression)
        return sizes

    @property
    def context(self) -> Context:
        """What inference takes: the variables, and the function that reads them."""
        formats = {
            self.listings[file].format for file, own in self._sources.values() if own.may_be_samples
        }
        joins, doubts = self._joins
        by_place = {column for join in joins for column in join.columns}  # which would be wrong
        return Context(
            variables={
                name: each
                for name, each in self.variables.items()
                if SLOT not in name and name not in by_place
            },
            beside=self.beside,
            read=self.read,
            by_rows=formats <= {*BY_ROWS},
            table=formats == {"text"},
            families={each.pattern: each for each in self._families if each.are_matrices},
            of_members={name for name, (join, _) in self._joined.items() if join.of_members},
            doubts=doubts | {name: join.doubt for name, (join, _) in self._joined.items()},
            archive=formats == {"archive"},
            column_names=self.column_names,
            has_clock=lambda table: bool(self._beside(table, CLOCK)),
        )

    def _prefetch(self) -> None:
        """Read the variables that inference needs in one question, as each question takes time."""
        for file in self._files:
            variables = {
                name: each for name, each in self._own.items() if self._sources[name][0] == file
            }
            headings = [
                name
                for name, (of_file, own) in self._sources.items()
                if of_file == file and own.name.rpartition(".")[2] == HEADER
            ]
            with suppress(FileError):  # raised again where the variable is needed
                self._fill_cache([*list_names_to_prefetch(variables), *headings[:MOST_PREFETCHED]])

    def raw_samples(self, layout: Layout) -> RawSamples:
        """Read labels, and samples in the type in which they were saved."""
        names = [layout.samples, *(layout.test or ()), layout.labels, layout.parts, layout.groups]
        own = [self._own[name] for name in names if name in self._own]
        with suppress(FileError):  # raised again where the variable is needed
            # In one question, which decodes an archive once.
            self._fill_cache([each.name for each in own if each.matlab_class != "cell"])

        def read(name: str) -> NDArray[Any]:
            is_test = name in (layout.test or ())[:1]
            return self.read_alike([layout.samples, name])[1] if is_test else self.read(name)

        try:
            return arrange(layout, read)
        except MissingError as error:
            join, _ = self._joined.get(layout.labels, (None, ""))
            if join is None or not join.doubt:
                raise
            raise MissingError(f"{error} {join.doubt}.", *error.ways) from None
