"""Let the project believe that it runs on Windows or macOS, while it runs on Linux.

    SIMULATE=windows PYTHONPATH=tests/simulate:. python -m streamlit run app.py

Only the project's own modules are deceived: `import os` gives them a proxy that lacks what the
other system lacks. The standard library and the packages see Linux. What is simulated:

windows  sys.platform is win32. os.fork, nice, getuid and others are missing, as are setitimer, most
         signals, socket.AF_UNIX and recv_fds. resource and fcntl cannot be imported.
         time.process_time ticks 64 times a second. ctypes has windll, and no library of all. For
         everybody, a file that is open, and a folder with an open file, can neither be renamed nor
         deleted. Names with one of <>:"|?* or of a device cannot be made. There is no /proc.
mac      sys.platform is darwin. RLIMIT_AS cannot be set. 256 open files are allowed, at most 10,240
         can be had, and the hard limit is "unlimited". There is no sched_getaffinity and no /proc.
         Socket pairs hold 8 kB.

What it cannot show: the event loop of Windows (Proactor), the launcher of its virtual environments,
its console, DLLs, firewalls, virus scanners, paths that are too long, a fork after Accelerate was
loaded, and whether a call of `windll` does what it should. These need the real system.
"""

import builtins
import ctypes
import errno
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
import types
from contextlib import suppress

KIND = os.environ.get("SIMULATE", "")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE)) + os.sep
SIMULATOR = [os.path.join(HERE, name) for name in ("sitecustomize.py", "isolated.py")]
PACKAGES = f"{os.sep}site-packages{os.sep}"
LIBRARY = os.path.dirname(os.__file__) + os.sep

WINDOWS_LACKS = {
    "os": """fork forkpty nice getuid geteuid getgid getegid getgroups sched_getaffinity getloadavg
        register_at_fork mkfifo killpg getpgid setsid setpgid wait wait4 waitid uname sysconf chown
        lchown pread pwrite statvfs openpty posix_spawn memfd_create O_NONBLOCK O_CLOEXEC
        getpriority setpriority sched_yield""",
    "signal": """setitimer getitimer ITIMER_REAL ITIMER_PROF ITIMER_VIRTUAL SIGKILL SIGCHLD SIGHUP
        SIGALRM SIGPROF SIGUSR1 SIGUSR2 SIGSTOP SIGCONT SIGXCPU SIGQUIT SIGPIPE alarm pause
        pthread_kill sigwait SIG_BLOCK pthread_sigmask""",
    "socket": "AF_UNIX recv_fds send_fds SCM_RIGHTS CMSG_LEN SO_REUSEPORT",
    **dict.fromkeys(("resource", "fcntl", "pwd", "grp", "termios", "pty", "syslog")),
}
MAC_LACKS = {"os": "sched_getaffinity sched_setaffinity memfd_create O_PATH"}
LACKS = {"windows": WINDOWS_LACKS, "mac": MAC_LACKS}.get(KIND, {})
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{kind}{i}" for kind in ("com", "lpt") for i in "123456789"),
}
OPEN_MAX = 10_240


def is_deceived(file: str) -> bool:
    """Return whether a file is a module of the project."""
    own = file.startswith(ROOT) and file.endswith(".py") and PACKAGES not in file
    return own and file not in SIMULATOR


class Proxy(types.ModuleType):
    """A module without some names, and with others in place of its own."""

    def __init__(self, module, lacks, instead):
        super().__init__(module.__name__)
        own = object.__getattribute__(self, "__dict__")
        own.update(_module=module, _lacks=lacks, _instead=instead)

    def __getattribute__(self, name):
        own = object.__getattribute__(self, "__dict__")
        if name == "__class__":
            return object.__getattribute__(self, name)
        if name in own["_lacks"]:
            raise AttributeError(f"module {own['_module'].__name__!r} has no attribute {name!r}")
        return own["_instead"][name] if name in own["_instead"] else getattr(own["_module"], name)

    def __setattr__(self, name, value):  # a test may put a clock of its own here
        own = object.__getattribute__(self, "__dict__")
        if name in own["_instead"]:
            own["_instead"][name] = value
        else:
            setattr(own["_module"], name, value)


class Popen(subprocess.Popen):
    """A process that is deceived as well, even if it is isolated from its environment."""

    def __init__(self, args, *rest, **named):
        for name in ("pass_fds", "preexec_fn"):
            if KIND == "windows" and named.get(name):
                raise ValueError(f"{name} not supported on Windows")
        args = [str(each) for each in args] if isinstance(args, (list, tuple)) else args
        if isinstance(args, list) and args[0] == sys.executable and "-I" in args:
            script = next((i for i, each in enumerate(args) if is_deceived(each)), 0)
            if script:
                args[script:script] = [os.path.join(HERE, "isolated.py"), KIND]
        super().__init__(args, *rest, **named)


class WindowsLibrary:
    """The functions of kernel32 that the project calls; a priority class is kept for tests."""

    def __init__(self):
        self.GetCurrentProcess = lambda: 2**64 - 1
        self.priorities = []

    def SetPriorityClass(self, process, priority):
        assert isinstance(process, ctypes.c_void_p)
        self.priorities.append(priority)
        return 1


def windows_instead():
    """Return, by module, what takes the place of its own names on Windows."""

    def no_library(name=None, *args, **kwargs):
        if name is None:
            raise TypeError("argument of type 'NoneType' is not iterable")  # as on Windows
        return ctypes.CDLL(name, *args, **kwargs)

    return {
        "sys": {"platform": "win32"},
        "os": {"name": "nt"},
        "platform": {"system": lambda: "Windows", "machine": lambda: "AMD64"},
        "time": {"process_time": lambda: time.process_time() * 64 // 1 / 64},
        "ctypes": {
            "CDLL": no_library,
            "windll": types.SimpleNamespace(kernel32=WindowsLibrary()),
        },
        "subprocess": {"Popen": Popen},
    }


def mac_instead():
    """Return, by module, what takes the place of its own names on macOS."""
    infinite = resource.RLIM_INFINITY
    files = [(256, infinite)]

    def setrlimit(kind, limits):
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        if kind != resource.RLIMIT_NOFILE:
            return resource.setrlimit(kind, limits)
        if limits[0] == infinite or limits[0] > OPEN_MAX:
            raise ValueError("current limit exceeds maximum limit")
        files[0] = limits
        return None if limits[1] == infinite else resource.setrlimit(kind, limits)

    def getrlimit(kind):
        return files[0] if kind == resource.RLIMIT_NOFILE else resource.getrlimit(kind)

    def socketpair(*args, **kwargs):
        pair = socket.socketpair(*args, **kwargs)
        for each in pair:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        return pair

    return {
        "sys": {"platform": "darwin"},
        "platform": {"system": lambda: "Darwin", "machine": lambda: "arm64"},
        "resource": {"setrlimit": setrlimit, "getrlimit": getrlimit},
        "socket": {"socketpair": socketpair},
        "subprocess": {"Popen": Popen},
    }


def deceive():
    """Replace `import` for the project's modules, and watch what everybody does with files."""
    true_import, proxies = builtins.__import__, {}
    instead = windows_instead() if KIND == "windows" else mac_instead()

    def importing(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and globals is not None and is_deceived(str(globals.get("__file__", ""))):
            if name in LACKS and LACKS[name] is None:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in LACKS or name in instead:
                if name not in proxies:
                    lacks = (LACKS.get(name) or "").split()
                    proxies[name] = Proxy(true_import(name), lacks, instead.get(name, {}))
                return proxies[name]
        return true_import(name, globals, locals, fromlist, level)

    builtins.__import__ = importing
    sys.addaudithook(watch)
    if KIND == "windows":
        for name in ("rename", "replace", "unlink", "remove", "rmdir"):
            setattr(os, name, refuse_open(getattr(os, name), name))
        shutil._use_fd_functions = False  # as on Windows
        shutil.rmtree.avoids_symlink_attacks = False


true_readlink, true_listdir = os.readlink, os.listdir
quiet = False


def open_files():
    """Return the paths that processes of this user have open."""
    global quiet
    quiet, found = True, set()
    try:
        for pid in filter(str.isdigit, true_listdir("/proc")):
            with suppress(OSError):
                for fd in true_listdir(f"/proc/{pid}/fd"):
                    with suppress(OSError):  # closed by now
                        found.add(true_readlink(f"/proc/{pid}/fd/{fd}"))
    finally:
        quiet = False
    return found


def refuse_open(function, name):
    """Refuse to rename or delete what is open."""

    def checked(path, *rest, **named):
        full = os.path.abspath(os.fsdecode(path))
        inside = full + os.sep
        if any(
            each == full or (name != "rmdir" and each.startswith(inside)) for each in open_files()
        ):
            raise PermissionError(errno.EACCES, "[WinError 32] used by another process", full)
        if name == "rename" and os.path.exists(rest[0]):
            raise FileExistsError(errno.EEXIST, "[WinError 183] the file exists", str(rest[0]))
        return function(path, *rest, **named)

    return checked


def watch(event, args):
    """Refuse /proc to the project, and to all on Windows names that it cannot have."""
    if (
        quiet
        or event not in ("open", "os.mkdir", "os.listdir")
        or not isinstance(args[0], str | bytes)
    ):
        return
    path = os.fsdecode(args[0])
    if path.startswith("/proc/") and "/fd/" not in path:
        frame = sys._getframe(1)
        while (
            frame
            and frame.f_code.co_filename.startswith(LIBRARY)
            and PACKAGES not in frame.f_code.co_filename
        ):
            frame = frame.f_back  # pathlib, say
        if frame and is_deceived(frame.f_code.co_filename):
            raise FileNotFoundError(errno.ENOENT, "No such file", path)
    makes = event == "os.mkdir" or (event == "open" and {*str(args[1])} & {*"wxa"})
    if KIND == "windows" and makes and not path.startswith("/dev/"):
        name = os.path.basename(path.rstrip("/"))
        device = name.split(".")[0].lower() in DEVICES
        if device or {*name} & {*'<>:"|?*\\'} or name.endswith((" ", ".")):
            raise OSError(errno.EINVAL, "[WinError 123] this cannot be the name of a file", path)


if KIND:
    deceive()
