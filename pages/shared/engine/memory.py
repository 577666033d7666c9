"""Give memory that the server and its workers no longer use back to the system."""

import gc
from contextlib import suppress

from pages.shared import system

# The numbers by which mallopt knows the limit of pools, and the size to map from.
M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3


def share_pools() -> None:
    """Let all threads share two pools of memory, and map pieces of a megabyte by themselves.

    The GNU C library has a pool for each thread, which cannot shrink below its last piece in use.
    """
    with suppress(AttributeError):  # there is no C library of GNU
        for option, value in ((M_ARENA_MAX, 2), (M_MMAP_THRESHOLD, 2**20)):
            system.libc.mallopt(option, value)


def give_back() -> None:
    """Give the system the memory of what is no longer in use."""
    gc.collect()
    with suppress(AttributeError):
        system.libc.malloc_trim(0)
