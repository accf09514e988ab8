"""The files in `.cairn/` that belong to this machine: ignored by git, and refused when a commit brings them.

A committed database, write-ahead log or briefing would be somebody else's word about this machine.
"""

from fnmatch import fnmatchcase

FOLDER = ".cairn"
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
