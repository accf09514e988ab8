"""What a finished run leaves, comparable with what another run of the same work left: without ids and times."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from cairn.adapters.storage.sqlite.store import open_sqlite
from repository import git
from snapshot import snapshot

_PASSING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\b[0-9a-f]{40}\b"), "<commit>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r"\b20\d{6}-\d{4}\b"), "<time>"),
    (re.compile(r"\b1[78]\d{11}\b"), "<ms>"),
    (re.compile(r'("(?:duration_ms|pid|inode|mtime_ns|place)": ?)\d+'), r"\1<n>"),
    (re.compile(r"\bc-[0-9a-f]{8}\b"), "<request>"),
    (re.compile(r'("by": )"[^"]*"'), r"\1<who>"),  # who it was is known to the process that was killed
)
_SKIPPED = ("cairn.db", ".git/", "/locks/", "/ledger/", "identity.json", "hook-errors.log", "/.new-", ".jsonl.torn")
"""Compared otherwise, or of no account: a beginning that is never read, and that is swept an hour later."""


def end_state(root: Path) -> dict[str, Any]:
    return {
        "files": dict(_files(root)),
        "ledger": _events(root),
        "refs": Counter(_plain(name) for name in git(root, "for-each-ref", "--format=%(refname)").split())
        if (root / ".git").exists()
        else {},
        "graph": _graph(root),
    }


def differences(expected: dict[str, Any], found: dict[str, Any], loose: frozenset[str]) -> list[str]:
    """A line for each; `loose` are types of events that may be there more or less often."""
    told = [
        f"{part}: {name}: {expected[part].get(name)!r} became {found[part].get(name)!r}"
        for part in ("files", "refs", "graph")
        for name in sorted({*expected[part], *found[part]})
        if expected[part].get(name) != found[part].get(name)
    ]
    return told + [
        f"ledger: {event} {expected['ledger'][event]} times, now {found['ledger'][event]} times"
        for event in sorted({*expected["ledger"], *found["ledger"]})
        if expected["ledger"][event] != found["ledger"][event] and event.partition(" ")[0] not in loose
    ]


def events(root: Path) -> list[Any]:
    """Of the ledger. A line without an end was cut by a death, and does not count."""
    files = sorted(root.glob(".cairn/ledger/*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().split("\n")[:-1]]


def _plain(text: str) -> str:
    for pattern, word in _PASSING:
        text = pattern.sub(word, text)
    return text


def _files(root: Path) -> Iterator[tuple[str, object]]:
    for path in sorted(root.rglob("*")):
        name = "/" + path.relative_to(root).as_posix()
        if path.is_file() and not any(part in name for part in _SKIPPED):
            yield _plain(name), sorted(_plain(path.read_text("utf-8", "replace")).splitlines())


def _events(root: Path) -> Counter[str]:
    return Counter(f"{one['type']} {_plain(json.dumps(one['payload'], sort_keys=True))}" for one in events(root))


def _graph(root: Path) -> dict[str, Any]:
    """The database may be gone, where nothing was scanned."""
    file = root / ".cairn/cairn.db"
    if not file.exists():
        return {}
    with closing(open_sqlite(file, now_ms=0)) as store:
        found = snapshot(store)
        return {} if found["meta"] is None else found
