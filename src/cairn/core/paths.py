"""The files that Cairn reads and writes: in `.cairn/`, and those of programs before it.

Most of `.cairn/` belongs to this machine: it is ignored by git, and refused when a commit brings it. A committed
database, write-ahead log or briefing would be somebody else's word about this machine.
"""

from fnmatch import fnmatchcase

FOLDER = ".cairn"
COMMITTED = ".cairn/settings.json"
LOCAL = ".cairn/settings.local.json"
DATABASE = ".cairn/cairn.db"
LEDGER = ".cairn/ledger"
IDENTITY = ".cairn/identity.json"
SNAPSHOTS = ".cairn/snapshots"
SESSIONS = ".cairn/sessions"
LOCKS = ".cairn/locks"
BACKUPS = ".cairn/backups"

OBSERVABILITY = ".scaffold/observability.yaml"
KNOWLEDGE_BASE = ".ai/knowledge-base/config.yaml"
REVIEWS = ".mmr.yaml"
OLD_BASE = ".ai/knowledge-base"
OLD_LOGS = f"{OLD_BASE}/_logs"
"""Of programs before Cairn; `config/old.py` says what is read of their settings."""

MACHINE_FILES = {
    "cairn.db*": "the graph, which can be rebuilt, and kept state",
    "ledger/": "what happened here, line by line",
    "identity.json*": "which work tree this is",
    "settings.local.json": "settings of this machine",
    "backups/": "made by `cairn db backup`",
    "log/": "of crashes, to paste into an issue",
    "spool/": "work that waits",
    "hook-errors.log*": "what went wrong in hooks of agents",
    "briefing.json": "what the next session is told",
    "snapshots/": "texts of sources",
    "sessions/": "what was said in sessions of agents",
    "forgotten.json": "what is not read again",
    "locks/": "who is at work",
    "curate/": "which candidates had which fate",
}
"""Patterns as in `.gitignore`, each with its purpose. `cairn.db*` includes `-wal`, `-shm` and `-journal`."""


def is_machine_file(name: str) -> bool:
    """For a name directly in `.cairn/`, in any case: on macOS `Cairn.DB` is the same file."""
    return any(fnmatchcase(name.lower(), pattern.rstrip("/")) for pattern in MACHINE_FILES)


def index_names() -> tuple[bytes, ...]:
    """How the paths of machine files begin in an index of git, in lower case."""
    return tuple(f"{FOLDER}/{pattern.rstrip('*/')}".encode() for pattern in MACHINE_FILES)
