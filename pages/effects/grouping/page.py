"""The grouping effect: equal columns of the samples get equal columns of W."""

import streamlit as st

from pages.effects.grouping.rail import ANSWER, STEP, draw_rail, read_settings
from pages.effects.grouping.samples import (
    counterexample_formula,
    draw_recipe_in_formulas,
    draw_samples,
)
from pages.shared.algorithm1 import QUICK
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.widgets import recipe, url

head = introduce("Samples often say the same thing several times. What does W make of that?")
picture = read_settings()
head.ask(
    "Two columns of every sample become equal. What about those of W?",
    (
        Answer("They become equal", "At δ = 0 they are equal in W, too.", right=True),
        Answer("They stay different", "They become equal: W cannot tell them apart."),
        Answer("One becomes 0", "Neither does. W shares the work equally between them."),
    ),
    at=("l1", "l2"),
    shows={STEP: ANSWER, "order": "sorted", "noise": 0.0},
)
draw_rail(picture)

st.header("How the data are made")
words, recipe_place = st.columns(2)
words.markdown(
    "So far: 60 samples of 12 × 20. Now the paper's own recipe, at any size. A sample without "
    "noise is V numbers, each repeated over its group of columns; the label is the sign of ⟨W, X⟩ "
    "for a random W. Raise δ: where an entry, about 1/√n in size, is smaller than its noise, the "
    "groups are gone."
)
experiment, [delta] = recipe.draw_recipe(
    QUICK, recipe_place.container(horizontal=True, key="recipe-below"), by_hand=["delta"]
)
overview = draw_samples(experiment.data, delta)
with st.expander("The recipe in formulas"):
    draw_recipe_in_formulas(overview)
with st.expander("How this was made"):
    st.markdown(
        "The picture has samples of the same recipe, times √n, so that an entry is about 1. The "
        "labels are those of the samples **without** noise: they stay while δ moves. (In the "
        "recipe, as in the paper, they are those with noise.) Its four draws were chosen: without "
        "noise the groups of W clearly differ, and at δ = 1 columns 4 and 5 of W do. New samples "
        "have new numbers and new noise. G = 1 − (variance within the groups) / (variance of all "
        "columns). The R-GLM and the bilinear SVM are in *The SMM and its "
        "rivals*: the bilinear SVM is not convex, so no floor proves its W."
    )

st.header("Theorem 2: why equal columns stay equal")
words, formula = st.columns(2)
formula.latex(r"\| W_{:l} - W_{:l'} \|^2 \;\le\; n\, C^2 \textstyle\sum_j \| f_{jl} - f_{jl'} \|^2")
words.markdown(
    "f is a feature: one entry, seen over all n samples. Ω is a sum of samples with loads of at "
    "most C, so its columns differ at most by √n C times the distance of the features. The cut "
    "multiplies all columns of Ω by one matrix, which lengthens no difference."
)
with st.expander("Not for single entries"):
    st.markdown(
        "Two samples ±Ω/10 with y = ±1, C = 5, τ = 1 have all α = C and this Ω. The entries (1, 1) "
        "and (2, 2) have the same feature. In W they differ, for the cut looks at the whole matrix:"
    )
    st.latex(counterexample_formula())
url.link("research/theorem_2/page.py", label="**Theorem 2, measured on all pairs of columns** →")

prose.end_lesson(
    "Equal columns of the samples get equal columns of W. How alike similar columns become is "
    "decided by C: a large C follows the noise of single samples.",
    (
        "in step 4, set C = 1. How small must δ be for G = 0.9?",
        "About 0.02: at δ = 0.022 G is 0.92, at 0.031 0.85.",
    ),
    (
        "do equal entries of the samples get equal entries of W?",
        "No: the theorem is about whole columns and rows. See *Not for single entries*.",
    ),
)
with prose.draw_tools(programs.fill(__file__), "smm_grouping"):
    downloads.draw_data_downloads(experiment.data)
