"""Examples in Python: short programs with the solver package, to read, download and run."""

import ast
from pathlib import Path

import streamlit as st

from pages.shared.parts import downloads

FOLDER = Path(__file__).parents[3] / "assets" / "examples"
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
    "Each program is complete, runs in seconds and needs only `smmcore`, the app's own package: "
    "`pip install .` in the app's folder installs it."
)
for name in NAMES:
    code = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    sentence = (ast.get_docstring(ast.parse(code)) or "").splitlines()[0]
    with st.expander(sentence):
        downloads.offer_script(f"{name}.py", code)
        st.code(code, language=None)  # Streamlit's colours for Python are too faint in both themes
