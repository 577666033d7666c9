"""Write the reference of smmcore as web pages: python -m tests.api FOLDER.

It needs the extra `docs`. Formulas stay text, as in `help()`, so the pages fetch nothing.
"""

import sys
from pathlib import Path
from warnings import filterwarnings

import smmcore

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import pdoc

    for name in smmcore.__all__:  # pdoc does not see what is imported on first use
        setattr(smmcore, name, getattr(smmcore, name))
    filterwarnings("ignore", message="Error parsing type annotation")  # pdoc prints it as it is
    pdoc.render.configure(docformat="numpy")
    pdoc.pdoc("smmcore", output_directory=Path(sys.argv[1]))
