"""Strings, categorical arrays and tables of MATLAB: made here as its files hold them."""

import itertools
import struct

import h5py
import numpy as np
import pytest

from pages.your_data.files import FileError
from pages.your_data.files.formats import arrays
from tests.files.formats import matlab_73, store
from tests.files.make import array, compressed, element, numbers
from tests.files.reader import assert_read, first, listed, read

MAGIC = 0xDD000000


def letters(text):
    units = text.encode("utf-16-le")
    return array(4, (1, len(units) // 2), b"", element(4, units))


def cells(*parts, shape=None):
    return array(1, shape or (1, len(parts)), b"", b"".join(parts))


def reference(number, kind):
    return numbers(np.array([[MAGIC], [2], [1], [1], [number], [kind]], "u4"))


def opaque(kind, content, name=b""):
    body = element(6, struct.pack("<2I", 17, 0)) + element(1, name)
    return element(14, body + element(1, b"MCOS") + element(1, kind) + content)


class File:
    """Objects are added, then variables; `bytes` puts their properties into the subsystem."""

    def __init__(self):
        self.names, self.classes, self.objects = [], [], []
        self.properties, self.variables = [], []

    def place(self, name):
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name) + 1

    def add(self, kind, **properties):
        """A reference to a new object of this class."""
        if kind not in self.classes:
            self.classes.append(kind)
        found = []
        for name, content in properties.items():
            found.append((self.place(name), 1, len(self.properties)))
            self.properties.append(content)
        self.objects.append((self.classes.index(kind) + 1, found))
        return reference(len(self.objects), self.classes.index(kind) + 1)

    def categorical(self, codes, names):
        named = cells(*map(letters, names), shape=(len(names), 1))
        return self.add("categorical", categoryNames=named, codes=numbers(np.asarray(codes, "u1")))

    def string(self, words, shape, lengths=None):
        text = "".join(words).encode("utf-16-le")
        lengths = [len(word) for word in words] if lengths is None else lengths
        head = np.array([1, len(shape), *shape, *lengths], "u8").tobytes()
        packed = np.frombuffer(head + text + b"\0" * (-len(text) % 8), "u8")
        return self.add("string", any=numbers(packed[None]))

    def table(self, rows, **columns):
        return self.add(
            "table",
            data=cells(*columns.values()),
            nrows=numbers(float(rows)),
            nvars=numbers(float(len(columns))),
            varnames=cells(*map(letters, columns)),
        )

    def save(self, name, kind, content):
        self.variables.append(opaque(kind, content, name))

    def ties(self):
        """Which object is of which class and has which properties where."""
        classes = [(0, 0, 0, 0), *((0, self.place(kind), 0, 0) for kind in self.classes)]
        objects, written, usual = [(0,) * 6], [[0, 0]], [[0, 0]]
        for number, (kind, found) in enumerate(self.objects, 1):
            blocks = written if self.classes[kind - 1] == "string" else usual
            block = [len(found), *np.ravel(found)]
            blocks.append(block + [0] * (len(block) % 2))
            own = (len(blocks) - 1, 0) if blocks is written else (0, len(blocks) - 1)
            objects.append((kind, 0, 0, *own, number))
        names = b"".join(name.encode() + b"\0" for name in self.names)
        names += b"\0" * (-len(names) % 8)
        regions = [np.concatenate(each) for each in (classes, written, objects, usual)]
        regions = [each.astype("u4").tobytes() for each in regions] + [b"", b"", b""]
        starts = np.cumsum([40 + len(names), *map(len, regions)])
        return struct.pack("<10I", 4, len(self.names), *starts) + names + b"".join(regions)

    def parts(self, ties=None):
        ties = np.frombuffer(ties or self.ties(), "u1")
        return [numbers(ties[:, None]), cells(), *self.properties, cells(), cells(), cells()]

    def bytes(self, compress=True, ties=None):
        parts = self.parts(ties)
        wrapper = opaque(b"FileWrapper__", cells(*parts, shape=(len(parts), 1)))
        fields = element(5, struct.pack("<i", 8)) + element(1, b"MCOS".ljust(8, b"\0"))
        inside = b"\0\1IM\0\0\0\0" + array(2, (1, 1), b"", fields + wrapper)
        subsystem = numbers(np.frombuffer(inside, "u1")[None])
        variables = b"".join(self.variables)
        if compress:
            subsystem = compressed(subsystem)
        head = b"MATLAB 5.0 MAT-file".ljust(116) + struct.pack("<Q", 128 + len(variables))
        return head + b"\0\1IM" + variables + subsystem

    def hdf5(self, ties=None):
        """The same as a file of version 7.3."""
        return matlab_73(lambda file: self.into_hdf5(file, self.parts(ties)))

    def into_hdf5(self, file, parts):
        heap, places = file.create_group("#refs#"), itertools.count()

        def put(array, group=heap, name=None):
            name = name or f"p{next(places)}"
            if array.held_class:
                return as_object(put(array.parts[0], group, name), array.held_class)
            if array.kind == "char":
                units = np.frombuffer("".join(array.values).encode("utf-16-le"), "u2")
                return store(group, name, units.reshape(-1, 1).T, "char")
            if array.kind != "cell":
                return store(group, name, array.read(), array.kind)
            references = np.array([put(part).ref for part in array.parts], h5py.ref_dtype)
            data = group.create_dataset(name, data=references.reshape(array.shape[::-1]))
            data.attrs["MATLAB_class"] = np.bytes_("cell")
            return data

        def as_object(data, kind):
            data.attrs["MATLAB_class"] = np.bytes_(kind)
            data.attrs["MATLAB_object_decode"] = np.int32(3)
            return data

        subsystem = parse(cells(*parts))
        as_object(put(subsystem, file.create_group("#subsystem#"), "MCOS"), "FileWrapper__")
        for content in self.variables:
            elements = arrays.iterate_elements(memoryview(content)[8:], "<")
            put(parse(content), file, arrays.read_head(elements, "<").name)


def parse(content):
    return arrays.read_array(memoryview(content)[8:], "<")


WRITTEN = {"v6": lambda file: file.bytes(compress=False), "v7": File.bytes, "v7.3": File.hdf5}
X = np.random.default_rng(0).normal(size=(4, 3, 2))


def ordinary():
    """A file of each version that holds objects of three classes."""
    files = {}
    for version, write in WRITTEN.items():
        file = File()
        file.save(b"v", b"categorical", file.categorical([[1], [0], [2]], ["cat", "horse"]))
        columns = {"s": file.string(["x", "yz"], (2, 1)), "w": cells(letters("a"), letters("b"))}
        file.save(b"T", b"table", file.table(2, **columns))
        files[f"objects of {version}"] = write(file)
    return files


@pytest.fixture(params=WRITTEN)
def written(request):
    """A file in each of the versions that hold objects."""
    return WRITTEN[request.param]


def test_a_categorical_vector_labels_samples(written):
    file = File()
    file.save(b"y", b"categorical", file.categorical([[2], [1], [1], [2]], ["cat", "horse"]))
    file.variables.append(numbers(X, b"X"))
    content = written(file)
    assert listed(content)["y"] == ("categorical", (4, 1))
    assert_read(first(content), X, ["horse", "cat", "cat", "horse"])


def test_what_is_undefined_or_missing_is_empty_and_categories_may_be_named_by_strings(written):
    file = File()
    file.save(b"c", b"categorical", file.categorical([[1, 0, 3], [2, 2, 2]], ["low", "é𝄞", "up"]))
    file.save(b"s", b"string", file.string(["one", "zwölf 😀"], (1, 3), [3, 2**64 - 1, 8]))
    names, codes = file.string(["a", "b"], (2, 1)), numbers(np.array([[2, 1]], "u1"))
    file.save(b"w", b"categorical", file.add("categorical", categoryNames=names, codes=codes))
    content = written(file)
    kinds = {"c": ("categorical", (2, 3)), "s": ("string", (1, 3)), "w": ("categorical", (1, 2))}
    assert listed(content) == kinds
    assert read(content, "w").tolist() == ["b", "a"]
    assert read(content, "c").tolist() == ["low", "é𝄞", "", "é𝄞", "up", "é𝄞"]  # column by column
    assert read(content, "s").tolist() == ["one", "", "zwölf 😀"]


def test_the_columns_of_a_table_have_dotted_names(written):
    file = File()
    columns = {
        "pixels": numbers(np.arange(6.0).reshape(2, 3)),
        "small": numbers(np.array([[1], [255]], "u1")),
        "words": cells(letters("one"), letters("two"), shape=(2, 1)),
        "kind": file.categorical([[1], [2]], ["cat", "horse"]),
        "name": file.string(["x", "yz"], (2, 1)),
        "when": file.add("datetime", data=numbers(np.zeros((2, 1)))),
    }
    file.save(b"T", b"table", file.table(2, **columns))
    content = written(file)
    assert listed(content) == {
        "T": ("table", (2, 6)),
        "T.pixels": ("double", (2, 3)),
        "T.small": ("uint8", (2, 1)),
        "T.words": ("cell", (2, 1)),
        "T.kind": ("categorical", (2, 1)),
        "T.name": ("string", (2, 1)),
        "T.when": ("datetime", ()),
    }
    assert read(content, "T.pixels").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert read(content, "T.small").tolist() == [[1], [255]]
    assert read(content, "T.words").tolist() == ["one", "two"]
    assert read(content, "T.kind").tolist() == ["cat", "horse"]
    assert read(content, "T.name").tolist() == ["x", "yz"]
    for name, kind in {"T": "table", "T.when": "datetime"}.items():
        with pytest.raises(FileError, match=rf"^'{name}' is of class '{kind}', not an"):
            read(content, name)


SENSELESS = {
    "a code without a name": lambda file: file.categorical([[9]], ["cat"]),
    "no object of this id": lambda file: reference(99, 1),
    "letters that are not there": lambda file: file.string(["one"], (1, 1), [2**60]),
    "more strings than numbers": lambda file: file.string(["one"], (2**31, 2**31), [3]),
    "a table in itself": lambda file: file.table(1, inner=reference(1, 1)),
    "categories named by themselves": lambda file: file.add(
        "categorical", categoryNames=reference(1, 1), codes=numbers(np.array([[1]], "u1"))
    ),
    "an array of objects": lambda file: numbers(np.array([[MAGIC, 2, 1, 2, 1, 1, 1]], "u4").T),
    "a reference cut short": lambda file: numbers(np.array([[MAGIC], [2]], "u4")),
    "no reference": lambda file: numbers(np.eye(2)),
}


@pytest.mark.parametrize("what", SENSELESS)
def test_an_object_that_makes_no_sense_is_refused_and_harms_no_other(what, written):
    file = File()
    file.save(b"v", b"categorical", SENSELESS[what](file))
    file.variables.append(numbers(X, b"X"))
    content = written(file)
    assert {"v", "X"} <= listed(content).keys()
    np.testing.assert_array_equal(read(content, "X"), X)
    with pytest.raises(FileError, match=r"^'v' is not .* save double\(x\) or cellstr\(x\) in"):
        read(content, "v")


@pytest.mark.parametrize("write", [File.bytes, File.hdf5])
def test_without_their_ties_objects_are_listed_and_not_read(write):
    file = File()
    file.save(b"v", b"string", file.string(["one"], (1, 1)))
    content = write(file, ties=file.ties()[:60])
    assert listed(content) == {"v": ("string", ())}
    with pytest.raises(FileError, match=r"^'v' is not an array of numbers or of text: "):
        read(content, "v")
