"""Charts of Plotly wait for the first picture of a session, unless they are that picture."""

import pytest
import streamlit as st

from pages.shared.parts import charts
from tests.pages.visit import visit


@pytest.fixture(autouse=True)
def as_in_a_browser(monkeypatch):
    monkeypatch.setattr(charts, "_has_begun", lambda: charts.BEGUN in st.session_state)


def test_charts_come_when_the_browser_has_told_of_its_picture(contents):
    visit(contents, "data")
    assert len(contents.get("bidi_component")) > 0
    assert len(contents.get("plotly_chart")) == 0
    contents.session_state[charts.BEGUN] = True
    contents.run()
    assert len(contents.get("plotly_chart")) == 2


@pytest.mark.parametrize("page", ["vc_dimension", "squared_loss"])
def test_a_chart_that_is_the_first_picture_is_drawn_at_once(contents, page):
    visit(contents, page)
    assert len(contents.get("plotly_chart")) > 0
