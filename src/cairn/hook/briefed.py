"""The briefing that the detached step has put down, as a new session gets it: that of this branch, if there is one."""

import json
import os

from cairn.hook.aside import BRIEFING, NUDGED, branch_of, git_folder, now_ms, open_own, read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 256 * 1024
DAYS = 7
MODE = 0o400
"""Of the file. Git writes no file with this mode, so one that came with a repository is not taken for ours: its words
would go straight to a model."""
NUDGE_PAUSE_SECONDS = 3600


def briefing(root: str) -> str:
    """Empty when there is none that could be true."""
    found = put_down(root)
    text, nudged = found.get("text"), found.get("nudged")
    if isinstance(nudged, str) and nudged and _may_nudge(os.path.join(root, NUDGED)):
        return nudged
    return text if isinstance(text, str) else ""


def put_down(root: str) -> "dict[str, Any]":
    """The one that fits, with when and of what it was made; empty when there is none."""
    path = os.path.join(root, BRIEFING)
    return _fitting(root, _entries(path) if _is_ours(path) else {})


def _is_ours(path: str) -> bool:
    try:
        return os.lstat(path).st_mode & 0o777 == MODE
    except OSError:
        return False


def _entries(path: str) -> "dict[str, Any]":
    try:
        value = json.loads(read_small(path, LIMIT) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _fitting(root: str, known: "dict[str, Any]") -> "dict[str, Any]":
    """Of this branch; else of the commit that it stands on, as a new branch does; else of the main line. What another
    branch holds is nobody's business here: somebody may have looked at a stranger's."""
    listed = known.get("briefings")
    oldest = now_ms() - DAYS * 86_400_000
    recent = [one for one in listed if _is_recent(one, oldest)] if isinstance(listed, list) else []
    branch = branch_of(root)
    wanted: list[tuple[str, object]] = [("branch", branch)]
    if branch is not None:
        wanted += [("head", commit_of(root, branch)), ("branch", known.get("base") or "")]
    return next((one for key, value in wanted for one in recent if one.get(key) == value), {})


def _is_recent(one: object, oldest: int) -> bool:
    at = one.get("at_ms") if isinstance(one, dict) else None
    return isinstance(at, int) and at > oldest


def commit_of(root: str, branch: str) -> str:
    """Where a branch stands, as far as git has it in a file of its own; else empty, which no briefing is of."""
    git = git_folder(root) or ""
    common = read_small(os.path.join(git, "commondir"), 4096).strip()
    if common:
        git = os.path.join(git, os.fsdecode(common))
    found = read_small(os.path.join(git, "refs", "heads", branch), 256).decode("ascii", "replace").strip()
    return found or "unknown"


def _may_nudge(path: str) -> bool:
    """Once an hour, and this was it."""
    try:
        if -1 < now_ms() / 1000 - os.stat(path).st_mtime < NUDGE_PAUSE_SECONDS:
            return False
    except OSError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    os.close(open_own(path))
    os.utime(path)
    return True
