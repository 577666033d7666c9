"""What an exploit in a parser would try, as a program that prints what worked, as JSON.

python -m tests.files.attempts [confined] [ordinary], that is not as root.
"""

import ctypes
import importlib
import json
import mmap
import os
import resource
import signal
import socket
import sys
import tempfile
from pathlib import Path

from pages.your_data.files import child

NOBODY, PR_SET_DUMPABLE = 65534, 4
CLONE_NEWUSER, PTRACE_ATTACH = 0x10000000, 16
READ, WRITE, EXECUTE = mmap.PROT_READ, mmap.PROT_WRITE, mmap.PROT_EXEC
# System calls for which Python has no function, by their numbers on x86_64.
ADD_KEY, IO_URING_SETUP, MPROTECT, SHMGET = 248, 425, 10, 29
PROCESS_VM_READV, PROCESS_VM_WRITEV, PTRACE = 310, 311, 101
TGKILL, UNSHARE, USERFAULTFD = 234, 272, 323
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.addressof(ctypes.c_char.from_buffer(mapped := mmap.mmap(-1, 4096)))
memory = ctypes.create_string_buffer(4096)  # at the same address in the server, its parent
piece = (ctypes.c_ulong * 2)(ctypes.addressof(memory), 8)  # a struct iovec


def call(*arguments: object) -> None:
    """Make a system call; raise an `OSError` if the kernel refuses it."""
    longs = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    if libc.syscall(*longs) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def attempts(file: Path, server: int) -> dict:
    """Return each attempt by its name: on a file by its path, and on a process."""
    beside = file.with_name("beside")
    return {
        "open": lambda: os.open(file, os.O_RDONLY),
        "create": lambda: os.open(beside, os.O_CREAT | os.O_WRONLY),
        "list": lambda: os.listdir(file.parent),
        "delete": lambda: file.unlink(),
        "rename": lambda: file.rename(beside),
        "truncate": lambda: os.truncate(file, 0),
        "mkdir": lambda: beside.mkdir(),
        "symlink": lambda: beside.symlink_to(file),
        "link": lambda: beside.hardlink_to(file),
        "mkfifo": lambda: os.mkfifo(beside),
        "chmod": lambda: file.chmod(0o777),
        "utime": lambda: os.utime(file),
        "setxattr": lambda: os.setxattr(file, "user.a", b"b"),
        "stat": lambda: os.stat("/etc/shadow"),
        "chdir": lambda: os.chdir("/"),
        "readlink": lambda: os.readlink(f"/proc/{server}/cwd"),
        "fork": lambda: os.fork() or os._exit(0),
        "exec": lambda: os.execv("/bin/true", ["true"]),
        "executable memory": lambda: mmap.mmap(-1, 4096, prot=READ | WRITE | EXECUTE),
        "make memory executable": lambda: call(MPROTECT, page, 4096, READ | EXECUTE),
        "signal": lambda: os.kill(server, 0),
        "signal a thread": lambda: call(TGKILL, server, server, 0),
        "stop": lambda: os.kill(server, signal.SIGSTOP),
        "read limits": lambda: resource.prlimit(server, resource.RLIMIT_NOFILE),
        "set limits": lambda: resource.prlimit(server, resource.RLIMIT_NOFILE, (0, 0)),
        "renice": lambda: os.setpriority(os.PRIO_PROCESS, server, 19),
        "read memory": lambda: call(PROCESS_VM_READV, server, piece, 1, piece, 1, 0),
        "write memory": lambda: call(PROCESS_VM_WRITEV, server, piece, 1, piece, 1, 0),
        "trace": lambda: call(PTRACE, PTRACE_ATTACH, server, 0, 0),
        "pidfd": lambda: os.pidfd_open(server),
        "socket": socket.socket,
        "memfd": lambda: os.memfd_create("a"),
        "io_uring": lambda: call(IO_URING_SETUP, 1, memory),
        "userfaultfd": lambda: call(USERFAULTFD, 1),
        "key": lambda: call(ADD_KEY, b"user", b"a", b"b", 1, -1),
        "shared memory": lambda: call(SHMGET, 0, 4096, 0o600),
        "user namespace": lambda: call(UNSHARE, CLONE_NEWUSER),
        "no clock": lambda: signal.setitimer(signal.ITIMER_REAL, 0),
        "more files": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
        "more memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40)),
    }


def works(name: str, confined: bool) -> bool:
    """Try in a process of its own, as a process that has a new namespace loses its rights."""
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "file")).write_text("private", encoding="utf-8")
        if (server := os.fork()) == 0:
            signal.pause()
        attempt = attempts(file, server)[name]
        if (reader := os.fork()) == 0:
            try:
                if confined:
                    child.confine(1 << 30, 10.0)
                attempt()
                os._exit(0)
            except BaseException:
                os._exit(1)
        _, status = os.waitpid(reader, 0)
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)
        return status == 0


if __name__ == "__main__":
    sys.path.append(str(Path(child.__file__).parent))  # as the fork server has it
    importlib.import_module("kernel")
    if "ordinary" in sys.argv and os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        libc.prctl(PR_SET_DUMPABLE, 1)  # as before: the process may look into its children
    confined = "confined" in sys.argv
    print(json.dumps({name: works(name, confined) for name in attempts(Path("file"), 0)}))
