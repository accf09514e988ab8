"""Which page contents this user approved: a hash of the text, and how it came to be approved.

A hash counts wherever it turns up: in a renamed file, another work tree or another clone of this user. An author field
or a committed setting never approves anything.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

from cairn.lib.text.parse_json import parse_json


class ApprovedBy(StrEnum):
    NAMED = "named"
    """`cairn approve PATH`. The only way that also admits a page with injection marks."""
    ALL = "all"
    """`cairn approve --all`."""
    MERGE = "merge"
    """`cairn change merge`, by a person."""
    COMMIT = "commit"
    """A plain `git commit` in a clone of this user."""
    SIGNATURE = "signature"
    """A commit signed by a key in `approvers`. Never stored: the setting may change."""


_WORDS = {
    ApprovedBy.NAMED: "approved by name",
    ApprovedBy.ALL: "approved with others",
    ApprovedBy.MERGE: "merged here",
    ApprovedBy.COMMIT: "committed here",
    ApprovedBy.SIGNATURE: "signed by an approver",
}
_DAY = rb"['\"]?\d{4}-\d\d-\d\d['\"]?"
_STAMP = re.compile(
    rb"^(?:last-reviewed: %s| {2,8}retrieved: %s| {2,8}hash: ['\"]?sha256:[0-9a-f]{64}['\"]?)$\n" % (_DAY, _DAY),
    re.MULTILINE,
)
_FRONTMATTER = re.compile(rb"---\n.*?\n---\n", re.DOTALL)
REVOKED = "revoked"


def words_for(by: ApprovedBy) -> str:
    return _WORDS[by]


def content_hash(data: bytes) -> str:
    """Of a page, whatever line ends the checkout has. The date of the last review and the hashes of sources are
    not part of it: a stamp does not change what the page says."""
    text = data.replace(b"\r\n", b"\n")
    front = _FRONTMATTER.match(text)
    if front is not None:
        text = _STAMP.sub(b"", front[0]) + text[front.end() :]
    return sha256(text).hexdigest()


class ApprovalRecord(NamedTuple):
    """One line of the record: the newest about a hash counts."""

    hash: str
    by: str
    """A value of `ApprovedBy`, or `revoked`."""
    at_ms: int

    @property
    def line(self) -> str:
        return json.dumps(self._asdict(), separators=(",", ":")) + "\n"


def read_records(text: str) -> dict[str, str]:
    """The state of each hash. A damaged line approves nothing."""
    known: dict[str, str] = {}
    for line in text.splitlines():
        try:
            value: Any = parse_json(line)
            known[str(value["hash"])] = str(value["by"])
        except (ValueError, KeyError, TypeError):
            continue
    return known


def worth_recording(known: dict[str, str], hashes: Iterable[str], by: ApprovedBy) -> list[str]:
    """Hashes whose state this approval changes. A commit or merge never revives a revoked page, and nothing but a
    revocation takes away what naming a page granted."""
    blocked = {ApprovedBy.NAMED.value, by.value}
    if by in (ApprovedBy.COMMIT, ApprovedBy.MERGE):
        blocked |= {REVOKED, ApprovedBy.ALL.value}
    return [one for one in dict.fromkeys(hashes) if known.get(one) not in blocked]


# --- ports ------------------------------------------------------------------------------------------------------------


class LogPosition(NamedTuple):
    """How far a log of git was read."""

    size: int
    last: str
    """A hash of the last line that was read. Empty when there was none, or when an older version kept the size only."""


LOG_START: Final = LogPosition(0, "")


class Approvals(Protocol):
    """What this user approved and revoked, in all repositories; and how far the logs of git were read for it."""

    def by(self, hash: str) -> ApprovedBy | None: ...

    def add(self, hashes: Iterable[str], by: ApprovedBy, *, now_ms: int) -> list[str]:
        """The hashes whose state changed."""
        ...

    def remove(self, hashes: Iterable[str], *, now_ms: int) -> list[str]: ...

    def seen(self, log: str) -> LogPosition | None:
        """How far a log of git was read; None for one that was never read."""
        ...

    def remember(self, log: str, position: LogPosition) -> None: ...


class OwnCommits(Protocol):
    """Plain commits that were made in this clone, by git's own logs of HEAD; and commits with a trusted signature."""

    def logs(self) -> Sequence[str]: ...

    def end_of(self, log: str) -> LogPosition:
        """The start for a log that does not exist yet."""
        ...

    def goes_on(self, log: str, start: LogPosition) -> bool:
        """Whether this is still the log that was read up to there, as far as one can tell."""
        ...

    def written_since(self, log: str, start: LogPosition) -> tuple[Sequence[bytes], LogPosition] | None:
        """Contents of the documents that were committed from `start` on, and how far the log was read. None where
        nothing is new."""
        ...

    def signed(self, paths: Sequence[str], approvers: Sequence[str]) -> Mapping[str, bytes]:
        """The content of each path whose last commit carries a good signature of one of these keys."""
        ...
