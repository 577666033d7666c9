"""Home: W as a stencil for faces, to play with, and the way to the lessons."""

from difflib import get_close_matches

import streamlit as st

from pages.home.stencil import draw_stencil
from pages.navigation import COURSE, FILES, FURTHER, LESSONS, SECTIONS, TITLES
from pages.shared.parts.question import Answer, introduce, is_class
from pages.shared.widgets import url

COURSE_PLAN, YOUR_DATA = SECTIONS["Course"][0], SECTIONS[""][0]
DOORS = (
    ("Learn", LESSONS[0], f"{len(LESSONS)} lessons, one picture each. Start with lesson 1."),
    ("Teach", COURSE_PLAN, "Classes of 45 and 20 minutes, ready for the projector."),
    ("Use", YOUR_DATA, "Drop in a .mat, .npz or .csv file, or a ZIP of images."),
)
IDEA = "A **support matrix machine** lays W on a picture and adds up."

if wrong := st.query_params.get(url.WRONG, "")[: url.MAX_LETTERS]:
    with st.container(horizontal=True, vertical_alignment="center", key="wrong"):
        st.text(f"There is no page “/{wrong}”. All pages are below, and in the line above.")
        for near in get_close_matches(wrong, TITLES, n=1):
            url.link(FILES[near], label=f"Did you mean **{TITLES[near]}?\u00a0→**")
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="title"):
    st.title("W is a stencil for faces", anchor=False, width="content")
    if not is_class():
        st.markdown(IDEA)
head = introduce(IDEA) if is_class() else None
with st.container(key="stage"):
    draw_stencil()
if head:
    head.ask(
        "Half of the products are added, and the sum is just below the line. Where will it end?",
        (
            Answer("Above: a face", "W says face, and it is one.", right=True),
            Answer("Below: no face", "The other half adds more than it subtracts: W says face."),
        ),
        at=("picture", "rank"),
    )
for place, (name, lesson, text) in zip(st.columns(3), DOORS, strict=True):
    with place.container(border=True, height="stretch", gap=None):
        url.link(lesson.file, label=f"**{name}\u00a0→**")
        st.markdown(text)
st.markdown(
    "Many things we classify are matrices: an image (rows × columns), an EEG (channels × time). A "
    "support matrix machine (SMM) learns a matrix W of low **rank**: W is the sum of a few layers, "
    "each a column times a row. The sign of ⟨W, X⟩ + b is the predicted class of a sample X; "
    "⟨W, X⟩ is the sum of the products of their entries. Above, X is a face if the sum is at "
    "least −b."
)
sections = {name: SECTIONS[name] for name in (*COURSE, FURTHER)}
for place, (name, section) in zip(st.columns(len(sections)), sections.items(), strict=True):
    with place.container(border=True, height="stretch", gap="xsmall"):
        st.header(name)
        for lesson in section:
            with st.container(gap=None):
                url.link(lesson.file, label=f"**{lesson.title}\u00a0→**")
                st.markdown(lesson.text)
st.caption(
    "The pictures: 25 × 25 grey values from Labeled Faces in the Wild, which come with "
    "scikit-image. Each W is trained on 75 faces and 75 backgrounds, with C = 0.1 and the smallest "
    "τ of a path that gives its rank. The address of a page holds its settings, so a link restores "
    "what you see. All computation is done by the smmcore package, which you can also use "
    "without this app."
)
