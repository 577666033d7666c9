"""Write the reference of smmcore as web pages: python -m tests.api FOLDER.

It needs the extra `docs`. Formulas stay text, as in `help()`, so the pages fetch nothing.
"""

import re
import sys
from pathlib import Path
from warnings import filterwarnings

import smmcore


def write_brackets(text: str) -> str:
    """Return a docstring whose <W, X_i> is no tag of HTML, which a browser would not show."""
    return re.sub(r"<([A-Za-z][^<>]*)>", r"⟨\1⟩", text)


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
    convert = pdoc.docstrings.convert
    pdoc.docstrings.convert = lambda text, *form: convert(write_brackets(text), *form)
    pdoc.render.configure(docformat="numpy")
    pdoc.pdoc("smmcore", output_directory=folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
