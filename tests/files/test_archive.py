"""ZIP archives of images and data files, and several files that are read as one."""

import stat
import zipfile
import zlib

import numpy as np
import pytest
from PIL import Image

from pages.research.reproduce.data_files import read_file
from pages.your_data.files import Contents, FileError, Layout, sandbox
from pages.your_data.files.formats import archive
from pages.your_data.files.infer.search import explain_unused
from pages.your_data.trial.form import find_unlabelled
from tests.files.make import image, mat, npz, zipped
from tests.files.reader import assert_read, first, listed, notes, read_samples

X = np.random.default_rng(0).integers(0, 256, (20, 12, 9)).astype(np.uint8)
Y = np.repeat(["cat", "dog"], 10)


def ordinary():
    """An archive with something of everything in it, for the hostile sweep."""
    members = {
        f"{Y[i]}/{i}.png": image(X[i], mode="RGB" if i % 2 else "L") for i in range(0, 20, 3)
    }
    members |= {f"{Y[i]}/{i}.jpg": image(X[i], "JPEG") for i in range(1, 20, 6)}
    members |= {"about/more.mat": mat(A=X[:4], b=Y[:4]), "about/n.npz": npz(x=X[:2])}
    return zipped({**members, "about/t.csv": b"1,2\n3,4"})


def in_folders(path, **how):
    """The images of an archive, at these paths: `{y}` stands for the class, `{i}` for a number."""
    return {path.format(i=i, y=Y[i], s=i % 3): image(X[i], **how) for i in range(20)}


@pytest.mark.parametrize("path", ["{y}/{i:02}.png", "pets/{y}/{i}.png", "a/b/{y}/x{i}.PNG"])
@pytest.mark.usefixtures("sandboxed")
def test_folders_are_the_labels_of_images(path):
    data = first(zipped({**in_folders(path), "__MACOSX/._x.png": b"", ".DS_Store": b""}))
    assert_read(data, X, Y)


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "P", "1", "I;16"])
def test_pictures_of_every_mode_become_grey(mode):
    pixels = 257 * X.astype("u2") if mode == "I;16" else np.where(X > 127, 255, 0).astype("u1")
    members = {f"{Y[i]}/{i:02}.png": image(pixels[i], mode=mode) for i in range(20)}
    archive = zipped(members)
    np.testing.assert_array_equal(first(archive).X, pixels)
    assert ("in colour" in notes(archive)) == (mode in ("RGB", "RGBA", "P"))


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("kind", ["bmp", "gif", "ppm", "tiff"])
def test_pictures_of_every_format_are_read(kind):
    pixels = np.where(X > 127, 255, 0).astype("u1")
    ending = "pgm" if kind == "ppm" else kind
    members = {f"{Y[i]}/{i:02}.{ending}": image(pixels[i], kind) for i in range(20)}
    np.testing.assert_array_equal(first(zipped(members)).X, pixels)


def test_a_folder_of_images_without_classes_beside_the_training_part_has_no_labels():
    members = {f"set/Training/{Y[i]}/{i:02}.png": image(X[i]) for i in range(0, 20, 2)}
    members |= {f"set/Testing/{i:02}.png": image(X[i]) for i in range(1, 20, 2)}
    contents = Contents(zipped(members))
    layout = contents.infer_layouts()[0]
    assert (layout.samples, layout.test) == ("Training.images", None)
    assert find_unlabelled(contents.context, layout, X.shape[1:]) == ["Testing.images"]


def test_deeper_folders_are_said_and_may_be_the_groups():
    contents = Contents(zipped(in_folders("{y}/s{s}/{i}.png")))
    layout = contents.infer_layouts()[0]
    assert layout.labels == "folder"
    assert "3 different texts for" in explain_unused(contents.context, layout, 20)["subfolder"]
    assert "folders of two levels" in notes(zipped(in_folders("{y}/s{s}/{i}.png")))
    assert "subfolder" not in listed(zipped(in_folders("{y}/images/{i}.png")))


@pytest.mark.usefixtures("sandboxed")
def test_data_files_in_an_archive_are_read_as_if_they_were_unpacked():
    stack = X.transpose(1, 2, 0)
    one = zipped({"data/pets.mat": mat(X=stack, y=np.repeat([1.0, 2.0], 10)), "data/a.pdf": b""})
    np.testing.assert_array_equal(first(one).X, X)
    assert list(listed(one)) == ["X", "y"]
    arrays = zipped({f"{Y[i]}/{i:02}.npz": npz(x=X[i]) for i in range(20)})
    assert_read(first(arrays), X, Y)
    two = {
        "train.mat": mat(X=stack, y=np.repeat([1.0, 2.0], 10)),
        "test.mat": mat(X=stack[..., 5:15]),
    }
    assert list(listed(zipped(two))) == ["test.X", "train.X", "train.y"]
    layout = Layout("train.X", 2, labels="train.y")
    for files in (two, zipped(two)):
        np.testing.assert_array_equal(read_samples(files, layout).X, X)


def test_many_tables_in_an_archive_take_two_questions(monkeypatch):
    asked, rows = [], "".join(f"{i**2 % 7},{i**3 % 9},{Y[i]}\n" for i in range(20))
    members = {f"t{k}.csv": f"x{k % 7},z{k},label\n{rows}".encode() for k in range(50)}

    def count(*question, **about):
        asked.append(question)
        return sandbox.ask(*question, **about)

    monkeypatch.setattr("pages.your_data.files.contents.ask", count)
    Contents(zipped(members)).infer_layouts()
    assert len(asked) == 2


def test_files_of_one_stem_keep_their_endings():
    assert list(listed({"a.mat": mat(X=X), "a.csv": b"1\n2\n" * 10})) == ["a.csv", "a.mat.X"]


# ---- what cannot be read --------------------------------------------------------------------

GOOD = in_folders("{y}/{i:02}.png")


def huge_png():
    """A PNG that declares 100,000 × 100,000 pixels."""
    content = bytearray(image(X[0]))
    content[16:24] = (100_000).to_bytes(4, "big") * 2
    content[29:33] = zipfile.crc32(content[12:29]).to_bytes(4, "big")
    return bytes(content)


def changed(content, offset, value):
    """The same archive with these bytes at this offset of each entry of its directory."""
    first, *entries = content.split(b"PK\1\2")
    offset -= 4  # of the signature
    entries = [each[:offset] + value + each[offset + len(value) :] for each in entries]
    return b"PK\1\2".join([first, *entries])


def called(size, *names):
    """An archive that says of each of these files, whose content is short, that it is so large."""
    return changed(zipped(dict.fromkeys(names, b"1")), 24, size.to_bytes(4, "little"))


def bomb(size):
    """An archive whose only file has many megabytes of zeros and is said to be small."""
    packer = zlib.compressobj(wbits=-15)
    megabyte = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    content = zipped({"a.mat": size * megabyte}, zipfile.ZIP_STORED)
    return changed(content, 10, zipfile.ZIP_DEFLATED.to_bytes(2, "little"))


LINK = zipfile.ZipInfo("a.png")
LINK.external_attr = (stat.S_IFLNK | 0o777) << 16
BAD = {
    "empty": (zipped({}), "The archive holds no data file and no image that can be read."),
    "other files": (zipped({"a.svg": b"<svg/>"}), "'a.svg' is neither a data file nor an"),
    "Excel": (zipped({"xl/workbook.xml": b"<"}), "This is an Excel workbook: save its sheet as a"),
    "huge": (zipped({"a/1.png": huge_png()}), "'1.png' is 100,000 × 100,000 pixels; an image may"),
    "cut PNG": ({"a.png": image(X[0])[:-30]}, "'a.png' is damaged or cut off."),
    "sizes": (
        zipped({f"{k}/{k}.png": image(X[k, : 5 + k % 4]) for k in range(8)}),
        "'1/1.png' is 6 × 9 pixels of 8 bits, but '0/0.png' is 5 × 9 pixels of 8 bits: all",
    ),
    "many pixels": (
        zipped(dict.fromkeys([f"{k}.png" for k in range(10)], image(np.zeros((4000, 4096))))),
        "The pixels of the 10 images are more than the 160 MB that can be read: make the images",
    ),
    "encrypted": (changed(zipped(GOOD), 8, b"\1"), "'cat/00.png' is encrypted."),
    "links": (zipped({LINK: "/etc/passwd"}), "'a.png' is a link, which is not followed."),
    "nested": (
        zipped({"a.zip": zipped(GOOD)}),
        "'a.zip' is an archive in an archive, which is not",
    ),
    "hidden": (zipped({"a.mat": zipped(GOOD)}), "In 'a.mat': This is an archive in an archive, wh"),
    "zeros": (called(200 << 20, "a.mat"), "'a.mat' holds 210 MB when unpacked; a file in an arch"),
    "many zeros": (
        called(100 << 20, *[f"{k}.csv" for k in range(6)]),
        "The archive holds 629 MB when unpacked; it may hold 500 MB.",
    ),
    "zeros that are called small": (
        bomb(161),
        "'a.mat' holds more than the archive says when unpacked; a file in an archive may hold 160",
    ),
    "cut off": (zipped(GOOD)[:-40], "The file is incomplete, it ends in the middle of a variable"),
}


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("kind", BAD)
def test_bad_archives_get_a_sentence_and_the_other_files_are_read(kind):
    content, sentence = BAD[kind]
    with pytest.raises(FileError) as error:
        first(content)
    text = str(error.value)
    assert text.startswith(sentence)
    assert text.endswith(".")
    assert "/etc" not in text
    other = mat(X=X.transpose(1, 2, 0), y=np.repeat([1.0, 2.0], 10))
    bad = content if isinstance(content, dict) else {"bad.zip": content}
    np.testing.assert_array_equal(first({**bad, "good.mat": other}).X, X)


@pytest.mark.usefixtures("sandboxed")
def test_too_many_members_are_refused(monkeypatch):
    many = zipped({f"{i}.csv": "" for i in range(archive.MOST_MEMBERS + 1)}, zipfile.ZIP_STORED)
    with pytest.raises(FileError, match=r"^The archive holds more than the 20,000 files al"):
        Contents(many).infer_layouts()


@pytest.mark.parametrize("prefix", ["../../", "/", "C:\\x\\", "\x1b[31m/", "*/"])
def test_names_of_members_are_text_and_no_paths(prefix):
    members = {prefix + name: content for name, content in GOOD.items()}
    data = first(zipped(members))
    np.testing.assert_array_equal(
        data.X[np.lexsort((data.X[:, 0, 0],))], X[np.lexsort((X[:, 0, 0],))]
    )


def test_a_name_that_holds_a_nul_ends_there():
    content = zipped(in_folders("{y}/xQQ{i:02}.png")).replace(b"QQ", b"\0Q")
    with pytest.raises(FileError, match=r"^'cat/x' is neither a data file .* so for 19 more\.$"):
        first(content)


NOISE = np.random.default_rng(1).integers(0, 256, (90, 81)).astype(np.uint8)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("cover.png", image(X[3]), "is in no folder, as others are."),
        ("cat/x.png", b"<svg/>", "is no PNG, JPEG, PGM, BMP, GIF or TIFF image, or is damaged."),
        ("cat/x.png", b"", "is no PNG, JPEG, PGM, BMP, GIF or TIFF image, or is damaged."),
        ("cat/x.png", image(X[3])[:-30], "is damaged or cut off."),
        ("dog/0.jpg", image(NOISE, "JPEG")[:2000], "is damaged or cut off."),
        ("cat/x.png", image(X[0, :5]), "is 5 × 9 pixels of 8 bits, but most others are 12 × 9"),
        (
            "dog/y.png",
            image(X[0].astype(np.uint16), mode="I;16"),
            "is 12 × 9 pixels of 16 bits, but most",
        ),
        ("cat/x.png", huge_png(), "is 100,000 × 100,000 pixels; an image may have 16,777,216."),
    ],
)
def test_an_image_that_cannot_be_used_is_named_and_left_out(name, content, sentence):
    contents = Contents(zipped({**GOOD, name: content}))
    assert_read(contents.raw_samples(contents.infer_layouts()[0]).take(np.arange(20)), X, Y)
    (listing,) = contents.listings.values()
    assert [each[: len(name) + 3 + len(sentence)] for each in listing.left_out] == [
        f"{name!r} {sentence}"
    ]
    assert listing.left_out_note == f"1 image is left out: {listing.left_out[0]}"


def test_a_reader_of_samples_is_warned_of_images_that_are_left_out(tmp_path):
    path = tmp_path / "pictures.zip"
    path.write_bytes(zipped({**GOOD, **{f"cat/x{k}.png": b"no" for k in range(5)}}))
    with pytest.warns(UserWarning, match=r"^5 images are left out, such as these: 'cat/x0.png' is"):
        data = read_file(path)
    np.testing.assert_array_equal(data.X, X)


@pytest.mark.parametrize("orientation", range(10))
def test_a_photograph_is_turned_as_the_camera_was_held(orientation):
    smooth = np.add.outer(np.arange(12) * 5, np.arange(9) * 20).astype(np.uint8)
    upright = {
        **{2: smooth[:, ::-1], 3: smooth[::-1, ::-1], 4: smooth[::-1], 5: smooth.T},
        **{6: np.rot90(smooth, -1), 7: np.rot90(smooth, 2).T, 8: np.rot90(smooth)},
    }.get(orientation, smooth)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = image(smooth, "JPEG", quality=95, exif=exif)
    archive = zipped(dict.fromkeys(["a/1.jpg", "a/2.JPEG", "b/1.jpg", "b/2.jpg"], photo))
    assert abs(first(archive).X - upright).max() < 8
    assert ("4 of 4 images are turned" in notes(archive)) == (orientation in range(2, 9))


def test_damaged_exif_leaves_a_photograph_as_it_is():
    photo = image(NOISE, "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\x01\x12")
    assert listed({"a.jpg": photo})["images"][1] == (1, 90, 81)


def test_a_damaged_image_in_an_archive_hides_no_data_file():
    contents = Contents(
        zipped({"a/x.png": b"no", "b/X.mat": mat(X=X, y=np.repeat([1.0, 2.0], 10))})
    )
    assert contents.raw_samples(contents.infer_layouts()[0]).shape == (20, 12, 9)
