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
TITLES = ("How things are done here:", "What there is:", "Worth reading:")
"""Of groups of lines (`retrieve.briefing` has them; a test holds the two together)."""


def briefing(root: str) -> str:
    """Empty when there is none that could be true."""
    found = put_down(root)
    text, nudged = found.get("text"), found.get("nudged")
    if isinstance(nudged, str) and nudged and _may_nudge(os.path.join(root, NUDGED)):
        text = nudged
    return _still_true(root, text, found.get("pages")) if isinstance(text, str) and text else ""


def _still_true(root: str, text: str, pages: object) -> str:
    """Without lines whose page is not the very file any more that was approved: somebody may have put it in quarantine,
    edited it, or pulled another one since."""
    lines = text.split("\n")
    gone = {one[0] for one in pages if one[1:] != state_of(root, one[1])} if isinstance(pages, list) else set()
    if gone:
        lines = [line for line in lines if line not in gone]
        after = [line.startswith("- ") for line in lines[1:]] + [False]
        lines = [line for line, more in zip(lines, after, strict=True) if more or line not in TITLES]
    return "\n".join(lines)


def state_of(root: str, path: str) -> "list[Any]":
    """By which a file is known to be the same, as JSON keeps it."""
    try:
        found = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return [path]
    return [path, found.st_size, found.st_mtime_ns, found.st_ino]


def put_down(root: str) -> "dict[str, Any]":
    """The one that fits, with when and of what it was made; empty when there is none."""
    return _fitting(root, kept(root))


def kept(root: str) -> "dict[str, Any]":
    """All that was put down, as far as it was us, and here: an archive may have brought a file of any mode."""
    path = os.path.join(root, BRIEFING)
    try:
        value = json.loads(read_small(path, LIMIT) or b"{}") if os.lstat(path).st_mode & 0o777 == MODE else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) and value.get("place") == place_of(root) else {}


def place_of(root: str) -> int:
    """A number that nobody who made an archive or a repository can know."""
    return os.stat(os.path.dirname(os.path.join(root, BRIEFING))).st_ino


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


def is_behind(root: str) -> bool:
    """Whether the branch has moved on since its briefing was made: a page may have been merged a minute ago. Where git
    has packed the branch away nobody can tell without asking it, and nothing moved since."""
    branch = branch_of(root)
    made = put_down(root)
    if branch is None or made.get("branch") != branch:
        return False
    commit = commit_of(root, branch)
    return commit not in ("unknown", made.get("head"))


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
    """Once an hour, and this was it. Where that cannot be written down, never: every time would be too often."""
    try:
        if os.path.lexists(path) and -1 < now_ms() / 1000 - os.stat(path).st_mtime < NUDGE_PAUSE_SECONDS:
            return False
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(open_own(path))
        os.utime(path)
    except OSError:
        return False
    return True
