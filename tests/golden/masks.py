"""Masks in answers whatever differs between two runs, and the sentences that are written for people.

An id that is drawn at random gets a name by the order in which the record shows it, such as `<uuid-1>`; one of a change
request keeps its name through the whole table, so that commands can use it as an argument. Ids, codes, paths, counts
and values of enumerations stay.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

SENTENCES = frozenset(
    """
    _problems about additionalContext advice answer banner because body cause consequence description detail do
    documentation error evidenceText expects explanation fix fix_hint help hint instructions label left leftOut meaning
    message next notChecked note notes notice otherwise preserve_warnings problems purpose rationale reason reasons
    remark remarks rule said sentence suggestion summary summaryLine text title todo waits warning warnings what why
    words
    """.split()
)
"""Keys whose texts are written for people."""
VOLATILE = frozenset(
    """
    bytes cairn_version databaseBytes durationMs duration_ms elapsedMs inode memory mtime mtimeNs mtime_ns ms pid python
    seconds sizeBytes tookMs version
    """.split()
)
"""Keys whose values differ from run to run, or from release to release."""
_NAMED: tuple[tuple[str, str], ...] = (
    ("request", r"\bc-[0-9a-f]{8}\b"),
    ("report", r"\baudit-\d{4}-\d\d-\d\d-\d{9}-[\w-]+-[0-9a-f]{6}\b"),
    ("run", r"\br-(?:[a-z]+-)?\d{8}-\d{6}-[0-9a-f]{4}\b"),
    ("worktree", r"\bwork-[0-9a-f]{8,}\b"),
    ("turn", r"\bturn-[0-9a-f]{16}\b"),
    ("key", r"(?<=/commits-seen/)[0-9a-f]{32}\b"),
    ("uuid", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("ulid", r"\b[0-9A-HJKMNP-TV-Z]{26}\b"),
)
_COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
_SHORT_COMMIT = re.compile(r"\b[0-9a-f]{7,39}\b")
_PROJECT = frozenset({"project", "project_id", "projectId"})
_SIZES = frozenset({"ledger", "ledgers"})
"""Where a count stands in one place and a number of bytes in another."""
_SIZE = 100
_JOBS = re.compile(r"^INSERT INTO (state_job\w*) .*?\n(?=INSERT INTO |COMMIT)", re.MULTILINE | re.DOTALL)
"""Rows of a dump that are full of drawn values: nonces, and digests of prompts with ids in them."""
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/\S*/cairn-pg-\w+"), "<server>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b\d{8}T?-?\d{4,9}Z?\b"), "<time>"),
    (re.compile(r"\bcrc32:[0-9a-f]{8}\b"), "<checksum>"),
    (re.compile(r'"(ms|duration_ms|inode|place)": ?\d+'), "<number>"),
    (re.compile(r'"cairn_version": ?"[^"]*"'), "<version>"),
)


class Masks:
    """Of one sample: knows its folders, its commits and its requests."""

    def __init__(self, folders: Mapping[str, str], commits: Sequence[str]) -> None:
        self._folders = sorted(folders.items(), key=lambda item: -len(item[0]))
        self._kept = {commit: f"<commit-{number}>" for number, commit in enumerate(commits, 1)}
        self._passing: dict[str, str] = {}
        self._digests: dict[bytes, str] = {}

    def next_record(self) -> None:
        """Names other than those of requests begin anew, so that one more id changes one record."""
        self._passing = {}

    def value(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {self.text(str(name)): self.value(held, str(name)) for name, held in value.items()}
        if isinstance(value, list):
            held = [self.value(one, key) for one in value]
            return sorted(held) if key == "refs" else held
        if isinstance(value, str):
            return self._text_of(value, key)
        if key in VOLATILE and not isinstance(value, bool) and value is not None:
            return "<number>"
        if key in _SIZES and isinstance(value, int) and value > _SIZE:
            return "<number>"
        return _time_of(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    def text(self, text: str) -> str:
        for folder, name in self._folders:
            text = text.replace(folder, name)
        for kind, pattern in _NAMED:
            text = re.sub(pattern, self._namer(kind), text)
        text = _COMMIT.sub(self._namer("later"), text)
        text = _SHORT_COMMIT.sub(self._short_commit, text)
        for pattern, name in _PLAIN:
            text = pattern.sub(name, text)
        return text

    def digest(self, content: bytes) -> str:
        """Of a file, without what differs between two runs; the same each time that the file is seen."""
        if content not in self._digests:
            passing, self._passing = self._passing, {}
            with suppress(UnicodeDecodeError):
                masked = self.text(content.decode()).encode()
                self._digests[content] = hashlib.sha256(masked).hexdigest()[:12]
            self._passing = passing
        return self._digests.setdefault(content, hashlib.sha256(content).hexdigest()[:12])

    def unmasked(self, argument: str) -> str:
        """An argument of a command, with the real ids in the place of their names."""
        for real, name in self._kept.items():
            argument = argument.replace(name, real)
        for folder, name in self._folders:
            argument = argument.replace(name, folder)
        return argument

    def _text_of(self, text: str, key: str) -> str:
        if key in VOLATILE:
            return "<text>"
        if key == "sql":
            text = _JOBS.sub(r"-- a row of \1\n", text)
        if key in _PROJECT and len(text) == 64:
            return "<project>"
        if key in SENTENCES and " " in text:
            return "<sentence>"
        return self.text(text)

    def _namer(self, kind: str) -> Callable[[re.Match[str]], str]:
        return lambda found: self.name_of(kind, found[0])

    def _short_commit(self, found: re.Match[str]) -> str:
        for known, name in (*self._kept.items(), *self._passing.items()):
            if known.startswith(found[0]) and name.startswith(("<commit-", "<later-")):
                return name
        return found[0]

    def name_of(self, kind: str, real: str) -> str:
        if real in self._kept:
            return self._kept[real]
        names = self._kept if kind == "request" else self._passing
        if real not in names:
            number = sum(name.startswith(f"<{kind}-") for name in names.values()) + 1
            names[real] = f"<{kind}-{number}>"
        return names[real]


def _time_of(number: float) -> Any:
    """A moment in milliseconds, or in nanoseconds, is no number to compare."""
    return "<time>" if number > 1_000_000_000_000 else number


def dense(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(", ", ": "))
