"""Charts and tables wait for the first picture of a session, unless a chart is that picture."""

import pytest

from pages.shared.parts import charts
from tests.pages.visit import visit

MUST_WAIT = charts._must_wait  # before the tests of pages say that nothing waits


@pytest.fixture(autouse=True)
def as_in_a_browser(monkeypatch):
    monkeypatch.setattr(charts, "_must_wait", MUST_WAIT)


@pytest.mark.parametrize(("page", "kind"), [("smm", "plotly_chart"), ("table_2", "dataframe")])
def test_what_waits_comes_when_the_browser_has_told_of_its_picture(contents, page, kind):
    visit(contents, page)
    assert len(contents.get("bidi_component")) > 0
    assert len(contents.get(kind)) == 0
    contents.session_state[charts.BEGUN] = True
    contents.run()
    assert len(contents.get(kind)) > 0


def test_a_chart_that_is_the_first_picture_is_drawn_at_once(contents):
    visit(contents, "vc_dimension")
    assert len(contents.get("plotly_chart")) > 0
