"""Let the Linux kernel refuse what a reader of files never needs, for good and also to root.

Landlock forbids to open, create, delete or rename files. The seccomp filter allows few system calls
and nothing else: an exploit in a parser could only compute, and give a wrong answer. Where the
kernel lacks one of them, the other still holds.
"""

import ctypes
import platform
import struct

from pages.shared.system import libc

# The numbers of the system calls that a reader may make, on x86_64 and on aarch64. Under `strace`,
# the tests in tests/files make half of these calls. The others are those that the C library and the
# interpreter may make at any time, and none of them reaches beyond the process and its answer.
CALLS = {
    "brk": (12, 214),
    "clock_gettime": (228, 113),
    "close": (3, 57),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "futex": (202, 98),
    "getcwd": (79, 17),
    "getpid": (39, 172),
    "getrandom": (318, 278),
    "gettid": (186, 178),
    "madvise": (28, 233),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "read": (0, 63),
    "recvfrom": (45, 207),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "sendto": (44, 206),
    "write": (1, 64),
}
MEMORY_CALLS = {"mmap": (9, 222), "mprotect": (10, 226)}  # never for memory that is executable
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, and AUDIT_ARCH

# Of the classic BPF: code, jump if true, jump if false, constant.
LOAD, JUMP_IF_EQUAL, JUMP_IF_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, ARCHITECTURE, THIRD_ARGUMENT = 0, 4, 32  # offsets in struct seccomp_data
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # with EPERM: parsers then raise an ordinary error
PROT_EXEC = 4

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38
SECCOMP_MODE_FILTER = 2
CREATE_RULESET, RESTRICT_SELF = 444, 446  # system calls of Landlock, the same on all machines
ASK_VERSION = 1
# As of each version: how many rights to files, to networks and beyond the process it knows.
RIGHTS = {6: (16, 2, 2), 5: (16, 2, 0), 4: (15, 2, 0), 3: (15, 0, 0), 2: (14, 0, 0), 1: (13, 0, 0)}


def pack_filter(machine: str) -> bytes:
    """Return the filter of system calls as a BPF program, empty for an unknown machine."""
    if machine not in MACHINES or struct.calcsize("P") != 8:
        return b""
    column, architecture = MACHINES[machine]
    mmap, mprotect = (numbers[column] for numbers in MEMORY_CALLS.values())
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_IF_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, NUMBER),
    ]
    for numbers in CALLS.values():
        program += [(JUMP_IF_EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, ALLOW)]
    program += [
        (JUMP_IF_EQUAL, 1, 0, mmap),
        (JUMP_IF_EQUAL, 0, 2, mprotect),
        (LOAD, 0, 0, THIRD_ARGUMENT),
        (JUMP_IF_BIT, 0, 1, PROT_EXEC),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


FILTER = pack_filter(platform.machine())


def hide_memory() -> None:
    """Let no other process of this user look into this process and those that it forks."""
    if libc is not None:
        _control(PR_SET_DUMPABLE, 0)


def forbid_files() -> bool:
    """Forbid this process to open or change files, by Landlock; return whether that holds.

    It needs a file descriptor for a moment.
    """
    if libc is None or not _control(PR_SET_NO_NEW_PRIVS, 1):
        return False
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    rights = next((counts for since, counts in RIGHTS.items() if version >= since), None)
    if rights is None:
        return False
    handled = struct.pack("QQQ", *((1 << count) - 1 for count in rights))  # and none is granted
    ruleset = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    if ruleset < 0:
        return False
    held = libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    libc.close(ruleset)
    return bool(held)


def forbid_calls() -> bool:
    """Forbid this process all other system calls, by seccomp; return whether that holds."""
    if libc is None or not FILTER or not _control(PR_SET_NO_NEW_PRIVS, 1):
        return False
    program = ctypes.create_string_buffer(FILTER, len(FILTER))
    length = len(FILTER) // struct.calcsize("HBBI")
    described = struct.pack("HP", length, ctypes.addressof(program))  # a struct sock_fprog
    return _control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described)


def _control(option: int, first: int, second: int | bytes = 0) -> bool:
    """Call prctl; return whether the kernel has done it."""
    last = second if isinstance(second, bytes) else ctypes.c_ulong(second)
    zero = ctypes.c_ulong(0)
    return bool(libc.prctl(option, ctypes.c_ulong(first), last, zero, zero) == 0)
