"""Examples in Python: short programs with the solver package, to read, download and run."""

import ast
from functools import partial
from pathlib import Path

import streamlit as st

from pages.shared.parts import downloads

FOLDER = Path(__file__).parents[2] / "assets" / "examples"
# In the order in which one learns the package.
NAMES = (
    "fit_and_certificate",
    "path",
    "cross_validation",
    "weights",
    "pipeline",
    "watching_the_iterations",
    "rivals",
    "your_own_file",
)

st.markdown(
    "Each program is complete and runs in seconds. They need the package `smmcore`, which the app "
    "uses too: run `pip install .` in the app's folder."
)
for name in NAMES:
    code = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    sentence = (ast.get_docstring(ast.parse(code)) or "").splitlines()[0]
    with st.expander(sentence, expanded=name == NAMES[0]):
        downloads.offer_script(f"{name}.py", partial(str, code))
        st.code(code, height=420)
