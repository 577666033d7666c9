"""The server's own words: what a reader sees when a page fails."""

from __future__ import annotations

import tomllib
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def test_failing_page_shows_a_sentence_and_logs_the_traceback(caplog):
    def script():
        import app

        app.say_sorry(RuntimeError("the details"))

    shown = AppTest.from_function(script).run(timeout=30)
    assert not shown.exception
    assert "Something went wrong" in shown.error[0].value
    assert "the details" not in shown.error[0].value
    assert "the details" in caplog.text


def test_configuration_keeps_what_many_sessions_need():
    # Each was measured; with Streamlit's defaults ten sessions slow each other down.
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["runner"]["postScriptGC"] is False
    assert config["server"]["fileWatcherType"] == "none"
    assert config["browser"]["gatherUsageStats"] is False
    for theme in (config["theme"]["light"], config["theme"]["dark"]):
        for kind in ("Categorical", "Sequential", "Diverging"):
            assert len(theme[f"chart{kind}Colors"]) == 10  # with fewer Streamlit falls back
