"""The formulas of Algorithm 1 as it is run here."""

import streamlit as st

NOTES = """
- **W and S.** The algorithm keeps two copies of the matrix: W fits the samples, S has low rank.
  The residual c(k) measures how far they are apart and how far they still move.
- **The gap.** Each iteration gives a value P and a lower bound D. The true minimum lies between
  them.
- **ρ** changes how fast the iterates converge, not where to. Read off where "auto" ends, then set
  ρ a thousand times smaller or larger.
"""


def draw_algorithm(eta: float) -> None:
    """Draw the formulas of Algorithm 1 and what they mean."""
    st.header("Algorithm 1")
    st.latex(
        r"""\begin{aligned}
\alpha &= \text{solution of Theorem 4's QP at } (\hat S, \hat\Lambda) \\
W &= (\hat\Lambda + \rho \hat S + \Omega(\alpha)) / (1 + \rho) \\
S &= \mathcal D_\tau(\rho W - \hat\Lambda) / \rho \\
\Lambda &= \hat\Lambda - \rho (W - S) \\
c &= \|\Lambda - \hat\Lambda\|_F^2 / \rho + \rho \|S - \hat S\|_F^2
\end{aligned}"""
    )
    st.latex(
        rf"""\begin{{aligned}}
& \text{{if }} c < {eta:g} \, c_\mathrm{{prev}}
\text{{ or the last step was a restart}}: \\
& \; t' = \tfrac12 (1 + \sqrt{{1 + 4 t^2}}) \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda) + \tfrac{{t - 1}}{{t'}} \,
\bigl((S, \Lambda) - (S, \Lambda)_\mathrm{{prev}}\bigr) \\
& \text{{else}}: \quad t' = 1, \quad c = c_\mathrm{{prev}} / {eta:g} \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda)_\mathrm{{prev}}
\end{{aligned}}"""
    )
    st.markdown(NOTES)
