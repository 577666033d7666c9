"""Write the reference of smmcore as web pages: python -m tests.api FOLDER.

It needs the extra `docs`. Formulas stay text, as in `help()`, so the pages fetch nothing. Above an
example stands the W that it finds.
"""

import re
import sys
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote
from warnings import filterwarnings

import numpy as np

import smmcore
from tests import svg


def write_brackets(text: str) -> str:
    """Return a docstring whose <W, X_i> is no tag of HTML, which a browser would not show."""
    return re.sub(r"<([A-Za-z][^<>]*)>", r"⟨\1⟩", text)


def draw_example(text: str) -> str:
    """Return a picture of the matrix that a docstring's example finds, or "" if there is none."""
    names: dict[str, Any] = {}
    with redirect_stdout(StringIO()):
        for example in DocTestParser().get_examples(text):
            exec(example.source, names)
    for name, field in (("machine", "coef_"), ("proof", "W"), ("state", "W")):
        found = getattr(names.get(name), field, None)
        if np.ndim(found) == 2:
            data = quote(svg.matrix(np.asarray(found)))
            place = 'style="display: block; height: 8em" alt="W of the example"'
            return f'<img {place} src="data:image/svg+xml,{data}">\n\n'
    return ""


def main(folder: Path) -> None:
    """Write the pages."""
    import pdoc

    for name in smmcore.__all__:  # pdoc does not see what is imported on first use
        value = getattr(smmcore, name)
        setattr(smmcore, name, value)
        for base in getattr(value, "__mro__", ()):  # scikit-learn's own, the same in each class
            for method in [each for each in vars(base) if re.fullmatch("set_.*_request", each)]:
                delattr(base, method)
    filterwarnings("ignore", message="Error parsing type annotation")  # pdoc prints it as it is
    convert, title = pdoc.docstrings.convert, "###### Examples\n"

    def convert_with_picture(text: str, *form: Any) -> str:
        written: str = convert(write_brackets(text), *form)
        return written.replace(title, title + draw_example(text)) if title in written else written

    pdoc.docstrings.convert = convert_with_picture
    pdoc.render.configure(docformat="numpy")
    pdoc.pdoc("smmcore", output_directory=folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
