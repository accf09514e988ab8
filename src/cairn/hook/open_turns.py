"""The turn that is under way in each session: begun by a prompt, ended by the host's word, or found abandoned.

One small file a session, `.cairn/spool/turns/<session>.json`. The hooks of a host and the server that the same host
started both read it: that is how a note that came through a tool finds its turn. No text of a prompt is in it, only a
few digits of its hash.
"""

import json
import os

from cairn.hook.aside import SPOOL, now_ms, plain, read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Open: TypeAlias = dict[str, Any]

TURNS = f"{SPOOL}/turns"
LIMIT = 16 * 1024
MOST = 500
"""Files that are looked at; older ones are removed by the detached step."""
SHELLS = (b"sh", b"bash", b"dash", b"zsh", b"ksh", b"fish")
LONGEST_MS = 24 * 3_600_000
"""A turn that began before that is not under way any more, whatever is known of its host."""


def begin(root: str, host: str, session: str, digest: str, more: "Open") -> "Open":
    """A turn begins. Its number counts the prompts of the session."""
    before = read(root, host, session)
    number = before.get("number", 0) + 1 if isinstance(before.get("number"), int) else 1
    opened = {"turn": f"{host}:{session}:{number}-{digest}", "host": host, "session": session, "number": number}
    opened |= {"at_ms": now_ms(), "process": host_process(), **more}
    _write(root, opened)
    return opened


def end(root: str, opened: "Open", message_id: str = "") -> None:
    """The host said that the turn is over. The file stays: it has the number, and a host may say so twice."""
    _write(root, {**opened, "over": True, "message_id": message_id or opened.get("message_id", "")})


def read(root: str, host: str, session: str) -> "Open":
    """Of this session: the turn under way, or the one that ended last; empty when nothing is known."""
    found = _load(_path(root, host, session))
    return found if found.get("host") == host and found.get("session") == session else {}


def is_under_way(opened: "Open") -> bool:
    """Whether the turn may still end by itself: its host runs, as far as one can tell."""
    if not opened or opened.get("over") is True or now_ms() - opened.get("at_ms", 0) > LONGEST_MS:
        return False
    process = opened.get("process")
    return not isinstance(process, list) or len(process) != 2 or _started(process[0]) == process[1]


def around(root: str, host: str | None = None, session: str | None = None) -> "Open":
    """The turn that this very process works for: of that session, where it is known; else of the host that started us;
    else the only one under way, of that host if it is known. Empty when nobody can tell."""
    known = [one for one in _all(root) if is_under_way(one) and (host is None or one.get("host") == host)]
    if session is not None:
        known = [one for one in known if one.get("session") == session]
    mine = host_process()
    own = [one for one in known if mine is not None and one.get("process") == mine]
    if own:
        return max(own, key=lambda one: one.get("at_ms", 0))
    return known[0] if len(known) == 1 else {}


def any_under_way(root: str) -> bool:
    """Of any session of this work tree."""
    return any(is_under_way(one) for one in _all(root))


def host_process() -> "list[int] | None":
    """The host that started this process, by its number and by when it began; None where the system does not tell.
    A shell in between, which only runs the command, is passed over."""
    pid = os.getppid()
    for _ in range(3):
        facts = _facts(pid)
        if facts is None:
            return None
        name, parent, started = facts
        if name not in SHELLS:
            return [pid, started]
        pid = parent
    return None


def _started(pid: int) -> int | None:
    facts = _facts(pid) if isinstance(pid, int) else None
    return facts[2] if facts else None


def _facts(pid: int) -> "tuple[bytes, int, int] | None":
    """Name, parent and start of a process, from Linux's table."""
    data = read_small(f"/proc/{pid}/stat", 4096)
    name, end = data.find(b"("), data.rfind(b")")
    words = data[end + 1 :].split()
    if name < 0 or end < 0 or len(words) < 20 or words[0] == b"Z":
        return None
    return data[name + 1 : end], int(words[1]), int(words[19])


# --- files ----------------------------------------------------------------------------------------------------------


def _path(root: str, host: str, session: str) -> str:
    from cairn.hook.tail import _sha256

    return os.path.join(root, TURNS, f"{_sha256(f'{host}:{session}'.encode())[:32]}.json")


def _load(path: str) -> "Open":
    try:
        value = json.loads(read_small(path, LIMIT) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _all(root: str) -> "list[Open]":
    folder = os.path.join(root, TURNS)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    return [_load(os.path.join(folder, name)) for name in names[:MOST]]


def _write(root: str, opened: "Open") -> None:
    path = _path(root, opened["host"], opened["session"])
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(beside, flags, 0o600)
    try:
        os.write(handle, json.dumps(opened).encode())
    finally:
        os.close(handle)
    os.replace(beside, path)


def digest_of(prompt: str) -> str:
    """Eight digits: enough to tell two prompts apart, too few to guess one from."""
    from cairn.hook.tail import _sha256

    return _sha256(plain(prompt, 4096).encode())[:8]
