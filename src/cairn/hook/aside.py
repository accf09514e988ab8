"""What a hook does beside its task: reads and writes small files, starts the detached step, keeps a log of mishaps."""

import fcntl
import json
import os
import stat
import sys
import time

import cairn.journal as journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = ".cairn/settings.json"
LOCAL_SETTINGS = ".cairn/settings.local.json"
LEDGER = ".cairn/ledger"
LOG = ".cairn/hook-errors.log"
BRIEFING = ".cairn/briefing.json"
SPOOL = ".cairn/spool"
WANTED = f"{SPOOL}/drain.wanted"
NUDGED = f"{SPOOL}/nudged"
"""Its time is when somebody was last reminded of something."""
LOCK = f"{SPOOL}/drain.lock"

LOG_LIMIT = 256 * 1024
BRIEF_SECONDS = 4.0
"""How long the start of a session waits for a briefing of the newest commit; then it gets the one there is."""


def find_workspace(folder: str) -> str | None:
    while not os.path.isfile(os.path.join(folder, SETTINGS)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def detach(root: str, env: "Mapping[str, str]") -> None:
    """Start `cairn hook drain` on its own, unless one is at work: that one sees the mark and goes round once more."""
    if env.get("CAIRN_HOOK_DETACH", "1") in ("0", "false", "no", "off"):
        return
    spool = os.path.join(root, SPOOL)
    if not os.path.isdir(spool):
        os.mkdir(spool, 0o700)
    os.close(open_own(os.path.join(root, WANTED)))
    if _at_work(os.path.join(root, LOCK)) or not sys.executable:
        return
    # -P: whatever lies in the agent's folder must not be imported in place of what is installed.
    args = [sys.executable, "-P", "-m", "cairn", "hook", "drain", "-C", root, "-q"]
    nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    os.posix_spawn(sys.executable, args, dict(env), file_actions=nowhere, setsid=True)


def brief_now(root: str, env: "Mapping[str, str]") -> None:
    """Have the briefing made anew, and wait for it: a session begins once, and hosts allow seconds for it."""
    if env.get("CAIRN_HOOK_DETACH", "1") in ("0", "false", "no", "off") or not sys.executable:
        return
    args = [sys.executable, "-P", "-m", "cairn", "hook", "drain", "--only", "briefing", "-C", root, "-q"]
    nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    child = os.posix_spawn(sys.executable, args, dict(env), file_actions=nowhere, setsid=True)
    deadline = time.monotonic() + BRIEF_SECONDS
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.01)


def _at_work(path: str) -> bool:
    fd = open_own(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def log(root: str, hook: str, phase: str, error: str) -> None:
    """One line; and when even that is impossible, nothing."""
    line = {"ts": journal.iso_utc(now_ms()), "hook": plain(hook, 40), "phase": phase, "error": error[:500]}
    path = os.path.join(root, LOG)
    try:
        fd = open_own(path)
        if os.fstat(fd).st_size > LOG_LIMIT:
            os.close(fd)
            os.replace(path, f"{path}.1")
            fd = open_own(path)
        os.write(fd, json.dumps(line).encode() + b"\n")
        os.close(fd)
    except OSError:
        return


def open_own(path: str) -> int:
    """A file of ours: made when missing, never reached through a symbolic link, nobody else's to read."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.open(path, flags, 0o600)


def open_regular(path: str) -> int:
    """A descriptor, or -1: there is nothing, or it is something that one could wait for forever."""
    if not path or "\0" in path:
        return -1
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return -1
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return -1


def read_small(path: str, limit: int) -> bytes:
    """All of a file that is not larger than that; else nothing."""
    fd = open_regular(path)
    if fd < 0:
        return b""
    try:
        data = os.read(fd, limit + 1)
    finally:
        os.close(fd)
    return data if len(data) <= limit else b""


def size_of(path: str) -> int:
    fd = open_regular(path)
    if fd < 0:
        return 0
    try:
        return os.fstat(fd).st_size
    finally:
        os.close(fd)


def branch_of(root: str) -> str | None:
    """From git's own file; asking git would cost more than all the rest. Without a branch, the commit."""
    git = git_folder(root)
    if git is None:
        return None
    head = read_small(os.path.join(git, "HEAD"), 4096).decode("utf-8", "replace").strip()
    return plain(head.removeprefix("ref: refs/heads/"), 200) or None


def git_folder(root: str) -> str | None:
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    git = os.path.join(folder, ".git")
    link = read_small(git, 4096)  # in a linked work tree it is a file that names the real place
    if link.startswith(b"gitdir: "):
        git = os.path.join(folder, os.fsdecode(link[8:].strip()))
    return git


def plain(text: str, most: int) -> str:
    """Without anything that could spoil a line, and not longer than it should be."""
    return "".join(c for c in text if c.isprintable())[:most].strip()


def is_on(env: "Mapping[str, str]", name: str) -> bool:
    return env.get(name, "").strip().lower() not in ("", "0", "false", "no", "off")


def now_ms() -> int:
    return time.time_ns() // 1_000_000
