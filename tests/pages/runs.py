"""Small data for the runs of lessons, each run once for all tests of a process, stored runs."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from urllib.parse import urlencode

from starlette.requests import Request

from pages.effects.robustness.runs import NoiseSweep, Validation
from pages.shared.data.synthetic import BlockCorrelated, Split
from pages.shared.engine import precomputed
from pages.shared.engine.worker import advance

SPLIT = Split(BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2))
VALIDATION = Validation(
    Split(replace(SPLIT.data, p=5, q=6, scaling="as printed"), test_size=1 / 3),
    count=3,
    folds=2,
)
NOISE = NoiseSweep(VALIDATION, (0, 1, 2, 1), repetitions=3)


@cache
def run_to_the_end(run):
    """Return the whole run."""
    return advance(run, None, 600.0)


def load_stored(run):
    """Return the stored run."""
    piece = precomputed.load(run)
    assert piece is not None, "compute it: python -m tests.precompute"
    return piece


def wait_for(condition, seconds=120):
    """Return what a condition gives when it is no longer false."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    return result


def in_loop(coroutine):
    """Run a coroutine in a thread: this one may have the event loop of a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def request(body="", headers=(), query=(), **path):
    """Make a request to a route."""
    scope = {
        "type": "http",
        "path_params": path,
        "query_string": urlencode(query).encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    parts = [body if isinstance(body, bytes) else body.encode()]

    async def receive():
        return {"type": "http.request", "body": parts.pop()}

    return Request(scope, receive)
