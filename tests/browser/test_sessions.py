"""Several at once: two students over their websockets, and one browser among them."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from urllib.parse import urlencode

from tests.browser.navigation import ended
from tests.pages.visit import SMALL
from tests.student import Student

TAUS = "0.5", "1", "2"
PERIOD = 0.5  # seconds between two moves of a student


def attend(address: str, seed: int) -> list[str]:
    """Move τ again and again, lose the connection once; return the runs that were seen.

    The page hears of the moves after the reconnection.
    """
    with Student(address, seed=str(seed), **SMALL) as student:
        seen = [student.url]
        for tau in TAUS:
            due = monotonic() + PERIOD
            student.watch(due)
            sleep(max(0, due - monotonic()))
            student.drag({"tau": float(tau)})
            seen.append(student.url)
        student.reconnect()
        student.rest("tau", TAUS[-1])
        seen.append(student.url)
        return seen


def test_two_students_and_a_browser_get_what_they_ask_for(server, page):
    with ThreadPoolExecutor(2) as pool:
        visits = [pool.submit(attend, server.address, seed) for seed in range(100, 102)]
        page.goto(f"{server.address}/live?seed=105&{urlencode(SMALL)}")
        ended(page)
        page.locator(".st-key-recipe summary").click()
        with page.expect_response("**/frames?first=0&*"):  # of the new run
            page.get_by_label("seed", exact=True).fill("106")
            page.get_by_label("seed", exact=True).press("Enter")
        ended(page)
        seen = [visit.result() for visit in visits]
    for runs in seen:
        assert runs[-1] == runs[-2]  # the run is still there for whoever comes back
    everything = [run for runs in seen for run in runs[:-1]]
    assert len(everything) == len(set(everything)) == 2 * (1 + len(TAUS))
