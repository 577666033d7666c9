"""The server's own words: what a reader sees when a page fails."""

from streamlit.testing.v1 import AppTest


def test_failing_page_shows_a_sentence_and_logs_the_traceback(caplog):
    def script():
        import app

        app.show_failure(RuntimeError("the details"))

    shown = AppTest.from_function(script).run(timeout=240)
    assert not shown.exception
    assert "Something went wrong" in shown.error[0].value
    assert "the details" not in shown.error[0].value
    assert "the details" in caplog.text
