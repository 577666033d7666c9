"""The votes of a class: what is counted, what is refused, and when all of it is forgotten."""

import gc
import json

import pytest
import streamlit as st

from pages.shared import votes
from tests.pages.runs import in_loop, request

JSON = (("content-type", "application/json"),)


@pytest.fixture
def poll():
    """A poll on a question with three answers."""
    poll = votes.open_poll()
    poll.ask("rank", 3)
    return poll


def post(key, message, headers=JSON):
    """Return what the server answers to a message."""
    body = message if isinstance(message, str | bytes) else json.dumps(message)
    return in_loop(votes._take(request(body, headers, key=key)))


def vote(poll, voter, answer, lesson="rank"):
    """Send a student's vote; return the state of the poll that the student gets."""
    answer = post(poll.code, {"lesson": lesson, "voter": voter, "answer": answer})
    assert answer.status_code == 200, answer.body
    return json.loads(answer.body)


def counts(poll, shown=False, hands=0):
    """Return the counts that the lecturer gets, who has counted so many hands."""
    news = {"lesson": "rank", "shown": shown, "hands": hands}
    return json.loads(post(poll.token, news).body)["counts"]


def test_each_tab_has_one_vote_which_it_can_change_and_take_back(poll):
    assert vote(poll, "a", 0) == {"lesson": "rank", "shown": False, "vote": 0}
    vote(poll, "b", 2)
    vote(poll, "a", 2)
    assert counts(poll) == [0, 0, 2]
    assert vote(poll, "b", None)["vote"] is None
    assert counts(poll) == [0, 0, 1]


def test_after_the_answer_is_shown_nothing_is_counted_until_it_is_asked_again(poll):
    vote(poll, "a", 1)
    assert counts(poll, shown=True) == [0, 1, 0]
    assert vote(poll, "b", 1) == {"lesson": "rank", "shown": True, "vote": None}
    vote(poll, "a", None)
    assert counts(poll, shown=True) == [0, 1, 0]
    assert counts(poll, shown=False) == [0, 0, 0]
    assert vote(poll, "b", 1)["shown"] is False


def test_asking_again_by_mistake_loses_no_vote(poll):
    vote(poll, "a", 1)
    counts(poll, shown=True)
    assert counts(poll, shown=False) == [0, 0, 0]
    assert counts(poll, shown=True) == [0, 1, 0]  # nobody has voted meanwhile
    counts(poll, shown=False)
    vote(poll, "b", 2)
    assert counts(poll, shown=True) == [0, 0, 1]  # a new round
    counts(poll, shown=False)
    assert counts(poll, shown=True, hands=1) == [0, 0, 0]  # hands are a new round as well


def test_next_question_has_no_votes_and_takes_none_for_the_one_before(poll):
    vote(poll, "a", 1)
    poll.ask("rank", 3)  # the page was drawn again
    assert poll.counts() == [0, 1, 0]
    counts(poll, shown=True)
    poll.ask("corners", 2)
    assert vote(poll, "a", 1) == {"lesson": "corners", "shown": False, "vote": None}
    counts(poll, shown=True)  # from the page before
    assert not poll.is_shown
    assert poll.counts() == [0, 0]


def test_address_on_the_wall_leads_to_the_question(poll, monkeypatch):
    answer = in_loop(votes._join(request(key=poll.code.lower())))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/rank?vote={poll.code}")
    assert in_loop(votes._join(request(key="XXXXX"))).status_code == 404
    monkeypatch.setattr(st, "get_option", lambda _: "lab/smm")
    assert votes.url(poll.code) == f"/lab/smm/vote/{poll.code}"
    assert [route.path for route in votes.routes()] == ["/lab/smm/vote/{key}"] * 2
    answer = in_loop(votes._join(request(key=poll.code)))
    assert answer.headers["location"] == f"/lab/smm/rank?vote={poll.code}"


BALLOT = {"lesson": "rank", "voter": "a", "answer": 1}


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        *(
            (BALLOT | {"answer": answer}, "the answer must be from 0 to 2")
            for answer in (-1, 3, 10**30, True)
        ),
        *(
            (message, "a vote must have a lesson, a voter and an answer.")
            for message in (
                *(BALLOT | wrong for wrong in ({"answer": 1.5}, {"answer": "1"}, {"voter": 7})),
                *(
                    [BALLOT],
                    {},
                    None,
                    {"lesson": "rank", "shown": True, "hands": 0},
                ),  # the lecturer's message
            )
        ),
        ("[" * 999, "."),
        (b"\xff", "."),
        (BALLOT | {"voter": "a" * 1_000}, "the body must have at most 1,000 bytes."),
    ],
)
def test_message_that_makes_no_sense_is_refused_with_a_sentence(poll, message, sentence):
    answer = post(poll.code, message)
    assert answer.status_code == 400
    assert sentence in answer.body.decode()
    assert counts(poll) == [0, 0, 0]
    assert not poll.is_shown


def test_vote_needs_a_poll_and_a_page_of_this_server(poll):
    assert post("XXXXX", BALLOT).status_code == 404
    assert post(poll.code, BALLOT, (*JSON, ("sec-fetch-site", "cross-site"))).status_code == 403
    assert post(poll.code, BALLOT, (("content-type", "text/plain"),)).status_code == 400
    assert counts(poll) == [0, 0, 0]


def test_flood_of_votes_ends_at_a_limit_and_leaves_those_before_as_they_are(poll, monkeypatch):
    monkeypatch.setattr(votes, "MAX_VOTES", 3)
    for voter in "abc":
        vote(poll, voter, 0)
    answer = post(poll.code, BALLOT | {"voter": "d"})
    assert (answer.status_code, answer.body) == (
        400,
        b"this question has 3 votes, and no more are taken.",
    )
    vote(poll, "c", 1)
    assert counts(poll) == [2, 1, 0]


def test_number_of_polls_is_limited_and_each_ends_with_its_session(monkeypatch):
    gc.collect()
    assert len(votes._polls) == 0
    monkeypatch.setattr(votes, "MAX_POLLS", 2)
    held = [votes.open_poll() for _ in range(2)]
    assert len({poll.code for poll in held}) == 2
    with pytest.raises(ValueError, match="2 classes vote on this server already"):
        votes.open_poll()
    code = held.pop().code
    gc.collect()
    assert post(code, BALLOT).status_code == 404
    votes.open_poll()
