"""A browser's runs: slices, lost workers, turns, memory, and who is still watching."""

import asyncio
import errno
import gc
import json
import multiprocessing
import os
import pickle
import signal
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest

from pages.shared.algorithm1 import ROUGH_RADIUS, Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import frames as frames_module
from pages.shared.engine import moves as moves_module
from pages.shared.engine import scheduler as scheduler_module
from pages.shared.engine import session, stream
from pages.shared.engine import subscription as job_store_module
from pages.shared.engine.frames import Frames
from pages.shared.engine.moves import Moves
from pages.shared.engine.processes import Processes, WorkerLost
from pages.shared.engine.scheduler import Job, Scheduler, Task
from pages.shared.engine.subscription import JobStore, Subscription
from pages.shared.engine.worker import advance
from pages.smm.meet.runs import train
from tests.pages import worker
from tests.pages.runs import in_loop, request, wait_for
from tests.pages.visit import finish

SMALL = Algorithm1(BlockCorrelated(n=40, p=6, q=8, rank=2), C=0.1, tau=0.5)
LONG = replace(SMALL, tol=1e-12, rho=1e6, max_iter=10_000)


class Bench:
    """A pool whose tasks are done when, and as, the test says."""

    def __init__(self):
        self.tasks: list[tuple[Future, tuple]] = []

    def __call__(self, threads):
        self.threads = threads
        return self

    def submit(self, *job):
        future = Future()
        self.tasks.append((future, job))
        return future

    def shutdown(self, **_):
        pass

    def next_recipe(self):
        _do, _job, experiment, *_ = self.tasks[0][1]
        return experiment

    def finish(self, result=None):
        future, job = self.tasks.pop(0)
        future.set_result(job[0](*job[1:]) if result is None else result)

    def finish_all(self):
        while self.tasks:
            self.finish()

    def die(self):
        future, _ = self.tasks.pop(0)
        future.set_exception(WorkerLost())


@pytest.fixture
def bench(monkeypatch):
    """The pool of the scheduler that the test makes."""
    pool = Bench()
    monkeypatch.setattr(scheduler_module, "Processes", pool)
    monkeypatch.setattr(scheduler_module, "SLICE_SECONDS", 0.0)  # one iteration a slice
    return pool


def watched(experiment, scheduler):
    run = Subscription(Job(experiment, scheduler))
    run.poll()
    return run


def seeds(n):
    return [replace(LONG, data=replace(LONG.data, seed=seed)) for seed in range(n)]


# ---- slices ------------------------------------------------------------------------------------


def test_run_ends_at_its_limit_or_at_its_certificate_which_praises_W_only_if_it_may(bench):
    scheduler = Scheduler(1)
    certified, limited = watched(SMALL, scheduler), watched(replace(LONG, max_iter=3), scheduler)
    bench.finish_all()
    assert certified.status == limited.status == "finished"
    assert certified.frames.certificate.relative_gap <= SMALL.tol
    assert certified.message.startswith("Certified after")
    assert "√(2 gap) / ‖W‖" in certified.message
    assert "proves the objective" not in certified.message
    assert len(limited.frames.metrics) == 3
    assert limited.message.startswith("Ended at its limit, after 3 iterations: relative gap")
    # A loss that dwarfs the penalty: the objective is certified long before W is.
    run = watched(replace(SMALL, C=10.0, tau=1.0, tol=1.0), scheduler)
    bench.finish_all()
    assert run.frames.certificate.relative_radius > ROUGH_RADIUS
    assert run.message.endswith("That proves the objective; of W only that it is near.")


# ---- lost workers ------------------------------------------------------------------------------


def test_killed_worker_costs_only_time(monkeypatch):
    monkeypatch.setattr(scheduler_module, "SLICE_SECONDS", 0.0)  # one iteration a slice
    scheduler = Scheduler(1)
    try:
        run = Subscription(Job(replace(LONG, max_iter=200), scheduler))
        first = Future()
        run._job.add_listener(lambda: first.done() or first.set_result(to_all(signal.SIGSTOP)))
        run.poll()
        first.result()  # the first slice is here, and the next one does not come
        before = len(run.frames.metrics)
        wait_for(lambda: scheduler._underway)
        to_all(signal.SIGKILL)
        finish(run)
        assert run.status == "finished"
        assert len(run.frames.metrics) > before > 0
        undisturbed = advance(run.experiment, None, 60.0)
        assert np.array_equal(run.frames.metrics["k"], undisturbed.metrics["k"])
        np.testing.assert_allclose(run.frames.metrics["primal"], undisturbed.metrics["primal"])
    finally:
        scheduler.close()


def to_all(number):
    """Send a signal to the worker processes; those of other tests can be replaced."""
    for process in multiprocessing.active_children():
        os.kill(process.pid, number)


def test_end_of_the_server_does_not_wait_for_a_job_under_way():
    others = set(multiprocessing.active_children())
    scheduler = session._task_scheduler()
    scheduler.add(Task(worker.run_for_ever, SMALL.data))
    wait_for(lambda: set(multiprocessing.active_children()) - others)
    session.stop_workers()
    assert not multiprocessing.active_children()


def test_run_that_kills_its_worker_takes_nobody_else_down(bench):
    scheduler = Scheduler(2)
    deadly, *others = [watched(experiment, scheduler) for experiment in seeds(5)]
    for _ in range(20):
        if deadly.experiment in bench.tasks[0][1]:
            bench.die()
        else:
            bench.finish()
    assert deadly.status == "failed"
    assert all(len(run.frames.metrics) and not run.ended for run in others)


def test_two_losses_in_a_row_end_the_run_and_a_finished_slice_forgives_one(bench):
    run = watched(LONG, Scheduler(1))
    for _ in range(3):
        bench.die()
        bench.finish()
    assert not run.ended
    assert len(run.frames.metrics) == 3
    bench.die()
    assert not run.ended
    bench.die()
    assert run.status == "failed"
    assert "ended its worker process twice in a row" in run.message


@pytest.fixture(scope="module")
def processes():
    """Two real worker processes, which take seconds to start."""
    pool = Processes(2)
    yield pool
    pool.shutdown(cancel_futures=True)


def test_worker_that_dies_while_it_writes_costs_its_own_task_only(processes):
    lost, kept = processes.submit(worker.die_while_writing), processes.submit(bytes, 10_000_000)
    assert len(kept.result()) == 10_000_000
    with pytest.raises(WorkerLost):
        lost.result()
    for count in (20_000_000, 30_000_000):
        assert len(processes.submit(bytes, count).result()) == count


def test_worker_that_died_while_idle_is_replaced(processes):
    pids = {processes.submit(os.getpid).result() for _ in range(8)}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)  # and not waited for: the system may still be at it
    assert processes.submit(os.getpid).result() not in pids
    assert processes.submit(os.getpid).result() not in pids


def test_worker_that_cannot_be_started_is_not_called_lost(monkeypatch):
    full = MagicMock(Pipe=MagicMock(side_effect=OSError(errno.EMFILE, "Too many open files")))
    monkeypatch.setattr("multiprocessing.get_context", lambda _: full)
    pool = Processes(1)
    with pytest.raises(ValueError, match="can start no worker process now"):
        pool.submit(int).result()
    pool.shutdown()


def test_task_that_fails_or_cannot_be_sent_is_an_error_and_the_process_goes_on(processes):
    with pytest.raises(ZeroDivisionError) as caught:
        processes.submit(divmod, 1, 0).result()
    assert "Traceback" in caught.value.__notes__[0]
    with pytest.raises((AttributeError, pickle.PicklingError), match="<lambda>"):
        processes.submit(len, lambda: None).result()
    with pytest.raises(RuntimeError, match="cannot be sent"):
        processes.submit(threading.Lock).result()
    assert processes.submit(len, "abc").result() == 3


def test_sentence_of_an_error_reaches_the_reader_and_no_error_stops_the_dispatch(bench, caplog):
    scheduler = Scheduler(1)
    refused, broken, sound = (watched(experiment, scheduler) for experiment in seeds(3))
    for error in (ValueError("y must hold both -1 and +1"), ZeroDivisionError()):
        future, _ = bench.tasks.pop(0)
        future.set_exception(error)
    assert refused.status == broken.status == "failed"
    assert refused.message == "Y must hold both -1 and +1."
    assert "log" in broken.message
    assert "ZeroDivisionError" in caplog.text
    bench.finish()
    assert len(sound.frames.metrics) == 1


# ---- turns -------------------------------------------------------------------------------------


def test_runs_that_have_shown_nothing_get_three_turns_of_four_and_the_oldest_comes_first(bench):
    scheduler = Scheduler(1)
    experiments = seeds(9)
    runs = [watched(experiment, scheduler) for experiment in experiments]
    assert len(bench.tasks) == 2  # one more than there are workers; the others wait
    order = []
    for _ in range(15):
        order.append(experiments.index(bench.next_recipe()))
        bench.finish()
    # Two turns are given before another run waits that has shown something.
    assert order == [0, 1, 2, 3, 4, 0, 5, 6, 7, 1, 8, 2, 3, 4, 0]
    assert all(len(run.frames.metrics) for run in runs)


def test_slice_is_as_long_as_all_before_it_from_a_hundredth_to_a_third_of_a_second(bench):
    job = Job(LONG, Scheduler(1))
    piece = advance(LONG, None, 0.0)
    scheduler_module.SLICE_SECONDS = 1 / 3  # which `bench` has set to 0, and sets back
    budgets = []
    for _ in range(9):
        *_, budget, _first = job.next_call(hurried=False)
        *_, hurried, _first = job.next_call(hurried=True)
        budgets.append(budget)
        assert hurried == 0.01  # while others have shown nothing
        job.receive(piece._replace(seconds=budget))
    np.testing.assert_allclose(budgets[:7], [0.01, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32])
    assert budgets[7:] == [1 / 3, 1 / 3]


def test_no_more_data_sets_are_open_than_a_worker_keeps(bench, monkeypatch):
    scheduler = Scheduler(1)
    one = LONG.data.memory_bytes
    monkeypatch.setattr("pages.shared.engine.worker.CACHE_BYTES", 2 * one)
    experiments = seeds(4)
    runs = [watched(experiment, scheduler) for experiment in experiments]
    for _ in range(12):
        bench.finish()
    assert [bool(len(run.frames.metrics)) for run in runs].count(True) == 2
    for run in runs:
        if len(run.frames.metrics):
            run.stop()
    for _ in range(6):
        bench.finish()
    assert all(len(run.frames.metrics) for run in runs)


# ---- who is watching ---------------------------------------------------------------------------


def test_run_of_a_departed_viewer_pauses_and_goes_on_at_the_next_poll(bench, monkeypatch):
    clock = 1_000.0
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: clock)
    scheduler = Scheduler(1)
    run = watched(LONG, scheduler)
    clock += scheduler_module.SILENCE
    assert run.message.startswith("Nothing new for 10 seconds: ")
    bench.finish()
    assert run.message == ""
    assert bench.tasks
    clock += scheduler_module.POLL_TIMEOUT + 1
    bench.finish()  # the slice that was under way
    assert not bench.tasks
    assert not run.ended
    seen = len(run.frames.metrics)
    run.poll()
    bench.finish()
    assert len(run.frames.metrics) == seen + 1


def test_question_is_passed_over_while_its_reader_is_away_and_keeps_its_answer(bench, monkeypatch):
    clock = 1_000.0
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: clock)
    scheduler = Scheduler(1)
    ahead = [watched(each, scheduler) for each in seeds(2)]  # all that the executor holds
    question = Task(train, SMALL)
    scheduler.add(question)
    clock += scheduler_module.POLL_TIMEOUT + 1
    for run in ahead:
        run.stop()
    bench.finish()
    bench.finish()
    assert not bench.tasks
    question.wait(0)
    scheduler.add(question)
    bench.finish()
    assert question.wait(0)
    assert len(question.result.margins) == SMALL.data.n
    scheduler.add(question)  # it has its answer
    assert not bench.tasks


def test_nothing_keeps_the_run_of_a_session_that_is_gone(bench):
    scheduler = Scheduler(1)
    run = watched(SMALL, scheduler)
    stream.publish(run)
    bench.finish_all()
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None
    of_scheduler = scheduler._waiting, scheduler._underway, scheduler._open, scheduler._losses
    assert not any((stream._subscriptions, *of_scheduler))


# ---- what is asked for twice -------------------------------------------------------------------


def test_same_recipe_asked_twice_is_solved_once(bench):
    job_store = JobStore(Scheduler(1))
    first, second = (job_store.subscribe(SMALL) for _ in range(2))
    first.poll()
    second.poll()
    bench.finish_all()
    assert first.token != second.token
    assert first.frames is second.frames
    late = job_store.subscribe(SMALL)
    late.poll()
    assert not bench.tasks
    assert late.status == "finished"


def test_stop_of_one_viewer_leaves_the_other_where_it_is(bench):
    job_store = JobStore(Scheduler(1))
    first, second = (job_store.subscribe(LONG) for _ in range(2))
    first.poll()
    bench.finish()
    first.stop()
    bench.finish()
    assert (first.status, len(first.frames.metrics)) == ("stopped", 1)
    assert (second.status, len(second.frames.metrics)) == ("running", 2)
    second.stop()
    assert second.status == "stopped"
    again = job_store.subscribe(LONG)
    assert (again.status, len(again.frames.metrics)) == ("waiting", 0)


def test_viewer_who_comes_as_the_last_one_leaves_gets_a_chain_that_goes_on(bench, monkeypatch):
    job_store = JobStore(Scheduler(1))
    first = job_store.subscribe(LONG)
    join = Job.join

    def join_late(job, viewer):
        first.stop()
        join(job, viewer)

    monkeypatch.setattr(Job, "join", join_late)
    assert job_store.subscribe(LONG).status == "waiting"


def test_chains_that_nobody_watches_have_a_bound(bench, monkeypatch):
    job_store = JobStore(Scheduler(1))
    monkeypatch.setattr(job_store_module, "MAX_IDLE_JOBS", 3)
    kept = [weakref.ref(job_store.subscribe(experiment)._job) for experiment in seeds(8)]
    gc.collect()
    assert [job() is not None for job in kept] == [False] * 5 + [True] * 3
    monkeypatch.setattr(job_store_module, "MAX_IDLE_BYTES", 0)
    run = job_store.subscribe(SMALL)
    run.poll()
    bench.finish()
    job_store.subscribe(LONG)
    assert SMALL not in job_store._recent
    assert job_store.subscribe(SMALL).frames is run.frames  # somebody watches it


def test_run_that_exceeds_its_budget_ends_with_what_it_has(bench, monkeypatch):
    monkeypatch.setattr(scheduler_module, "MAX_JOB_SECONDS", 0.0)
    run = watched(LONG, Scheduler(1))
    bench.finish()
    assert run.status == "stopped"
    assert run.message.startswith("Ended after 0 seconds of processor time")
    assert len(run.frames.metrics) == 1
    assert run.frames.certificate is not None


def test_load_is_told_where_runs_share_a_worker(bench):
    scheduler = Scheduler(2)
    runs = [watched(experiment, scheduler) for experiment in seeds(2)]
    assert runs[0].message == ""
    runs += [watched(experiment, scheduler) for experiment in seeds(5)[2:]]
    assert runs[0].message == "5 runs share 2 workers."
    for run in runs[1:]:
        run.stop()
    while len(bench.tasks) > 1:
        bench.finish()
    assert runs[0].message == ""


# ---- frames ------------------------------------------------------------------------------------


def test_pictures_are_thinned_by_halves_and_curves_are_not(monkeypatch):
    pieces = [advance(replace(LONG, max_iter=200), None, 60.0)]
    monkeypatch.setattr(frames_module, "IMAGE_BYTES", 30 * pieces[0].images.itemsize)
    frames = Frames()
    for begin in range(0, 200, 7):
        frames = frames.with_slice(
            pieces[0]._replace(
                metrics=pieces[0].metrics[begin : begin + 7],
                images=pieces[0].images[begin : begin + 7],
            )
        )
        assert frames.images.nbytes <= frames_module.IMAGE_BYTES
        assert frames.images["frame"][-1] == len(frames.metrics) - 1  # the newest is always there
    assert len(frames.metrics) == 200
    assert list(frames.images["frame"][:-1]) == list(range(0, 199, frames.stride))
    assert len(frames.images) > 15


def test_answers_join_to_the_whole_run_and_none_is_larger_than_announced(monkeypatch):
    monkeypatch.setattr(frames_module, "ANSWER_BYTES", 2_000)
    piece = advance(replace(LONG, max_iter=100), None, 60.0)
    frames = Frames().with_slice(piece)
    first, curves, pictures = 0, b"", b""
    while first < 100:
        header, some_curves, some_pictures = unpacked(frames.to_bytes(first, "running", ""), frames)
        assert header["first"] == first
        assert len(some_curves) + len(some_pictures) <= 2 * 2_000
        first += header["count"]
        curves += some_curves
        pictures += some_pictures
    assert curves == piece.metrics.tobytes()
    assert pictures == piece.images.tobytes()
    header, some_curves, _ = unpacked(frames.to_bytes(3, "running", "", after=5), frames)
    assert (header["first"], header["count"], header["total"]) == (3, 2, 100)
    assert some_curves == piece.metrics[3:5].tobytes()


def test_sessions_that_ask_for_the_same_share_a_task_until_the_last_one_has_left():
    ask = partial(session._change_task, function=train)
    mine, yours = ask(None, subject=SMALL), ask(None, subject=SMALL)
    assert mine is yours
    other = replace(SMALL, C=2 * SMALL.C)
    ask(mine, subject=other)
    assert yours.is_wanted()
    ask(yours, subject=other)
    assert not yours.is_wanted()
    again = ask(None, subject=SMALL)
    assert again is not yours  # it has been given up
    again.fail("a worker was lost")
    assert ask(None, subject=SMALL) is not again


# ---- what a script reads -----------------------------------------------------------------------


def test_script_waits_for_the_end_of_a_small_run_which_does_not_pause(bench, monkeypatch):
    monkeypatch.setattr(job_store_module, "WATCH", 0.01)
    run = watched(replace(LONG, max_iter=2), Scheduler(1))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(run.wait, 3600)
        wait_for(lambda: run._job._listeners)
        run._job._polled -= scheduler_module.POLL_TIMEOUT + 1  # so long ago
        bench.finish()  # the slice that was under way
        wait_for(lambda: bench.tasks)
        assert not waiting.done()
        bench.finish()
        waiting.result()
    assert run.status == "finished"


# ---- the way to the player ---------------------------------------------------------------------


def answered(token, **query):
    """Ask the server's route for frames as the player does."""
    return in_loop(stream._frames(request(query=query, token=token)))


def moved(token, body, headers=(("content-type", "application/json"),), **query):
    """Move settings by the server's route as the player does."""
    return in_loop(stream._move(request(body, headers, query, token=token)))


def test_answer_comes_as_soon_as_there_is_a_frame_or_an_end_and_not_before(bench, monkeypatch):
    monkeypatch.setattr(stream, "MAX_WAIT", 3600)
    run = watched(LONG, Scheduler(1))
    stream.publish(run)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(answered, run.token, first=0, wait=3600)
        wait_for(lambda: run._job._listeners)
        assert not asked.done()
        bench.finish()
        answer = asked.result()
    header, curves, _ = unpacked(answer.body, run.frames)
    assert header["total"] == header["count"] == 1
    assert curves == run.frames.metrics.tobytes()
    assert answer.headers["content-encoding"] == "identity"
    assert answer.headers["cache-control"] == "no-store"
    run.stop()
    ended = answered(run.token, first=1, wait=3600)  # which it does not wait for
    assert unpacked(ended.body, run.frames)[0]["status"] == "stopped"


def is_current(run):
    """Whether the answer to the player says that the page needs no rerun at the end."""
    stream.publish(run)
    return unpacked(answered(run.token, first=0).body, run._frames)[0]["current"]


@pytest.mark.parametrize("reading", ["frames", "status", "message", "ended"])
def test_page_that_has_read_anything_before_the_end_hears_of_the_end(bench, reading):
    scheduler = Scheduler(1)
    early, late = (watched(replace(LONG, max_iter=1), scheduler) for _ in range(2))
    getattr(early, reading)
    bench.finish()
    bench.finish()
    getattr(late, reading)
    assert early.ended
    assert late.ended
    assert not is_current(early)
    assert is_current(late)


def test_run_that_was_replaced_answers_until_the_next_is(bench, monkeypatch):
    job_store = JobStore(Scheduler(1))
    monkeypatch.setattr(session, "_job_store", lambda: job_store)
    monkeypatch.setattr(session.st, "session_state", {})
    experiments = [replace(LONG, C=C) for C in (1.0, 2.0, 3.0)]
    tokens = [session.subscribe("live", experiment).token for experiment in experiments]
    gc.collect()
    assert [answered(token).status_code for token in tokens] == [404, 200, 200]


@pytest.mark.parametrize(("base", "begin"), [("", "/runs/"), ("lab/smm", "/lab/smm/runs/")])
def test_address_of_the_frames_is_under_the_base_path(bench, monkeypatch, base, begin):
    monkeypatch.setattr(stream.st, "get_option", lambda _: base)
    run = watched(LONG, Scheduler(1))
    assert stream.url(run).startswith(begin)
    paths = [route.path for route in stream.routes()]
    root = begin.removesuffix("runs/")
    assert paths[:2] == [f"{begin}{{token}}/frames", f"{begin}{{token}}/move"]
    assert paths[2:] == [f"{root}grids/{{name}}"]


# ---- moves -------------------------------------------------------------------------------------

VALUES = {"C": [1.0, 2.0, 3.0], "tau": [0.5, 1.0, 1.5], "rho": [None, 1e6]}
MOVES = Moves(
    {name: SimpleNamespace(key=name, values=values) for name, values in VALUES.items()},
    is_result=lambda last: last["k"] >= 3,
)


def test_moves_of_a_name_that_is_none_of_the_experiments_are_refused():
    with pytest.raises(TypeError, match="gamma"):
        Moves({"gamma": MOVES.knobs["C"]}, lambda run, C: run)


@pytest.fixture
def subscribe(bench, monkeypatch):
    """Subscribe as the script of a session does, whose moves are answered and made at once."""
    job_store = JobStore(Scheduler(1))
    monkeypatch.setattr(session, "_job_store", lambda: job_store)
    monkeypatch.setattr(session.st, "session_state", {})
    monkeypatch.setattr(stream, "MAX_WAIT", 0.0)
    monkeypatch.setattr(moves_module, "PERIOD", 0.0)

    def subscribe(moves=MOVES, **settings):
        return session.subscribe("live", replace(LONG, **settings), moves=moves)

    return subscribe


def run_after(token, body, rests=0):
    """Move settings; return the subscription on the screen."""
    answer = moved(token, body, rests=rests)
    assert answer.status_code == 200, answer.body
    return stream._subscriptions[answer.headers["run"].split("/")[-2]]


def test_move_is_answered_as_soon_as_the_new_run_shows_its_result(subscribe, bench, monkeypatch):
    monkeypatch.setattr(stream, "MAX_WAIT", 3600)
    script_run, seat = subscribe(), session.st.session_state["seat of live"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(moved, script_run.token, '{"rho": null, "tau": 1}', wait=3600)
        wait_for(lambda: seat._run is not script_run and len(seat._run._job._listeners) == 2)
        run = seat._run
        while len(run.frames.metrics) < 3:
            assert not waiting.done()
            bench.finish()
        answer = waiting.result()
    assert run.experiment == replace(LONG, rho=None, tau=1.0)
    assert repr(run.experiment.tau) == "1.0"  # as the lesson writes it: stored runs have this name
    assert answer.headers["run"] == stream.url(run)
    assert unpacked(answer.body, run.frames)[0]["count"] == 3
    assert answered(script_run.token).status_code == answered(run.token).status_code == 200


LONG_BODY, OTHER_TYPE = f'{{"tau": {"1" * 1_000}}}', (("content-type", "text/plain"),)


@pytest.mark.parametrize(
    ("body", "query", "sentence"),
    [
        *((body, {}, "a JSON object") for body in ("[1]", "[" * 999, b"\xff", "{}")),
        *(
            (f"{{{setting}}}", {}, "a move must set C, tau, rho to one of their values.")
            for setting in (
                *('"gamma": 1', '"tau": 0.7', '"tau": true', '"tau": NaN', '"tau": [1]'),
                '"C": 1, "rho": "auto"',
            )
        ),
        (LONG_BODY, {}, "the body must have at most 1,000 bytes."),
        ('{"tau": 1}', {"wait": "nan"}, "wait must be seconds, 0 or more, got 'nan'."),
        ('{"tau": 1}', {"headers": OTHER_TYPE}, "must be application/json, got 'text/plain'."),
    ],
)
def test_move_that_makes_no_sense_is_refused_with_a_sentence(subscribe, body, query, sentence):
    run = subscribe()
    answer = moved(run.token, body, **query)
    assert answer.status_code == 400
    assert sentence in answer.body.decode()
    assert subscribe() is run


def test_move_needs_a_run_of_the_session_whose_settings_move_and_a_page_of_this_server(subscribe):
    run, body = subscribe(), '{"tau": 1}'
    assert moved("foreign", body).status_code == 404
    headers = ("content-type", "application/json"), ("sec-fetch-site", "cross-site")
    assert moved(run.token, body, headers).status_code == 403
    subscribe(moves=None)
    assert moved(run.token, body).status_code == 400
    dead = run.token
    del run
    session.st.session_state.clear()  # the session is gone
    gc.collect()
    assert moved(dead, body).status_code == 404
    assert not stream._seats


def test_newest_position_is_made_and_those_that_it_overtakes_never(subscribe, monkeypatch):
    subscribe()
    seat, pauses, made = session.st.session_state["seat of live"], [], []
    make, sleep = seat._store.subscribe, asyncio.sleep
    monkeypatch.setattr(seat._store, "subscribe", lambda run: made.append(run.C) or make(run))
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: pauses.append(seconds) or sleep(0))
    monkeypatch.setattr(moves_module, "monotonic", lambda: 1_000.0)
    monkeypatch.setattr(moves_module, "PERIOD", 0.05)

    async def move_all():
        await asyncio.gather(*(seat.move({"C": C}) for C in (1.0, 2.0, 3.0)))
        await seat.move({"C": 3.0})  # sent twice
        await seat.move({"C": 2.0})

    in_loop(move_all())
    assert made == [3.0, 2.0]
    assert pauses[-1] == pytest.approx(0.05)  # at most twenty a second


def test_script_with_older_settings_does_not_take_back_what_the_hand_has_moved(subscribe):
    first = subscribe()
    moved_run = run_after(first.token, '{"tau": 1}')
    assert subscribe() is moved_run  # it asks for the same as the one before
    newest = run_after(moved_run.token, '{"tau": 1.5}')
    assert subscribe(tau=1.0) is newest  # where the hand has been meanwhile
    assert subscribe(tau=1.0) is newest
    assert subscribe(tau=1.5) is newest  # it has caught up
    assert subscribe().experiment == LONG  # by Back: now it is something new


def test_script_that_asks_for_something_new_has_the_last_word(subscribe):
    first = subscribe()
    run_after(first.token, '{"tau": 1}')
    assert subscribe(eta=0.5).experiment == replace(LONG, eta=0.5)
    assert subscribe(eta=0.5).experiment == replace(LONG, eta=0.5)


def test_script_is_right_once_the_hand_has_come_back_and_rests(subscribe):
    first = subscribe()
    away = run_after(first.token, '{"tau": 1}')
    assert run_after(away.token, '{"tau": 0.5}', rests=1) is first
    assert subscribe() is first
    run_after(first.token, '{"tau": 1}', rests=1)
    assert subscribe().experiment == LONG  # the address has not gone there after all


def test_move_ends_the_run_of_the_move_before_and_not_that_of_the_script(subscribe):
    runs = [subscribe()]
    for tau in (1.0, 1.5, 1.0):
        runs.append(run_after(runs[-1].token, json.dumps({"tau": tau})))
    assert [run.is_stopped for run in runs] == [False, True, True, False]
    assert run_after(runs[-1].token, '{"tau": 0.5}') is runs[0]
    assert is_current(runs[0])  # a move reads nothing of which the page must hear again


def test_restart_gives_the_script_its_own_settings(subscribe):
    first = subscribe()
    moved_run = run_after(first.token, '{"tau": 1}')
    session.restart("live")
    again = subscribe()
    assert again.experiment == LONG
    assert again is not first
    assert moved_run.status == "stopped"
    assert again.status != "stopped"


def test_stored_run_is_read_outside_the_event_loop(subscribe, monkeypatch):
    run, whole, threads = subscribe(), advance(replace(LONG, max_iter=5), None, 60.0), []
    thread = threading.current_thread
    stored = job_store_module.precomputed
    monkeypatch.setattr(stored, "is_stored", lambda _: threads.append(thread()) or True)
    monkeypatch.setattr(stored, "load", lambda _: threads.append(thread()) or whole)
    assert len(run_after(run.token, '{"C": 2}').frames.metrics) == len(whole.metrics)
    in_event_loop, in_file = threads
    assert in_file is not in_event_loop


def unpacked(answer, frames):
    end = 4 + int.from_bytes(answer[:4], "little")
    header = json.loads(answer[4:end])
    split = end + header["count"] * frames.metrics.itemsize
    assert len(answer) == split + header["images"] * frames.images.itemsize
    return header, answer[end:split], answer[split:]
