"""Scripts run one at a time, and give way where they wait."""

import threading

import pytest

from pages.shared import turns
from pages.shared.turns import step_aside, take_turn

LONG = 60.0  # seconds; no test waits as long


@pytest.fixture
def script():
    """Start scripts in threads, and join them at the end."""
    threads = []

    def start(body):
        thread = threading.Thread(target=body, daemon=True)
        threads.append(thread)
        thread.start()
        return thread

    yield start
    for thread in threads:
        thread.join(LONG)
        assert not thread.is_alive()


def test_script_waits_for_its_turn_and_runs_where_another_steps_aside(script, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", LONG)
    entered, waiting, awake, order = threading.Event(), threading.Event(), threading.Event(), []

    def first():
        with take_turn():
            entered.set()
            assert waiting.wait(LONG)
            order.append("first begins to wait")
            with step_aside():
                assert awake.wait(LONG)
            order.append("first goes on")

    def second():
        assert entered.wait(LONG)
        waiting.set()
        with take_turn():
            order.append("second")
            awake.set()

    for thread in (script(first), script(second)):
        thread.join(LONG)
    assert order == ["first begins to wait", "second", "first goes on"]


def take_one():
    with take_turn():
        pass


def test_turn_is_given_back_by_a_script_that_fails(script):
    with pytest.raises(ValueError, match="as any script may"), take_turn():
        raise ValueError("fails, as any script may")
    script(take_one)  # which ends, as all scripts must


def test_script_runs_beside_one_that_does_not_end(script, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    with take_turn():
        beside = script(take_one)
        beside.join(LONG)
        assert not beside.is_alive()
