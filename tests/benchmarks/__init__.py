"""Longer measurements. Ctrl-C ends each of them with one word instead of a traceback."""

import signal
import sys
from types import TracebackType


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("\nStopped.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _end


def ignore_ctrl_c() -> None:
    """Leave Ctrl-C to the parent of this process, which ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
