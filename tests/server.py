"""The server as a reader starts it, for tests in a browser and for measurements."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 200.0  # seconds to start or to end, on a busy machine


class Server:
    """A running server, and the processes that it started."""

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self.pid = pid

    def workers(self) -> list[int]:
        """Return the process ids of its pool's workers."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/children")
        pids = [
            int(pid) for children in threads for pid in children.read_text(encoding="utf-8").split()
        ]
        return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    @contextmanager
    def stopped_workers(self) -> Iterator[None]:
        """Let its workers compute nothing for a while."""
        pids = self.workers()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def memory(self) -> tuple[float, float]:
        """Return the resident memory of the server and of its workers in MB."""
        size = os.sysconf("SC_PAGE_SIZE") / 1e6
        return tuple(sum(size * int(row[1]) for row in rows) for rows in self._tables("statm"))

    def seconds(self) -> float:
        """Return the processor time that the server and its workers have used."""
        ticks = [int(row[13]) + int(row[14]) for rows in self._tables("stat") for row in rows]
        return sum(ticks) / os.sysconf("SC_CLK_TCK")

    def _tables(self, name: str) -> Iterator[list[list[str]]]:
        for pids in ([self.pid], self.workers()):
            yield [Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8").split() for pid in pids]


@contextmanager
def serve(log: Path, **environment: str) -> Iterator[Server]:
    """Run `streamlit run app.py` on a free port, and print at the end what it logged."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with log.open("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(process, f"{address}/_stcore/health")
            yield Server(address, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(LONGEST)
            finally:
                process.kill()  # where it hangs, which is an error, it hangs for nobody else
            output.seek(0)
            print(output.read())


def _wait_for(process: subprocess.Popen, address: str) -> None:
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended at once"
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server does not answer within {LONGEST:.0f} seconds")
