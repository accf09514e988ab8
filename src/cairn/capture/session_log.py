"""The log of a session: a head that says what it is and how far it got, the rendered text, and what came of it.

The length of the text stands in the head, so that a transcript which quotes `## Proposal` is not cut short there.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final, NamedTuple, get_args

from cairn.core.model.session import HOSTS, CapturedBy, ProposalStatus, ScanStatus, SessionLog
from cairn.lib.markdown.frontmatter import parse

SCHEMA_VERSION: Final = 1
TRANSCRIPT: Final = b"\n## Transcript\n\n"
PROPOSAL: Final = b"\n\n## Proposal\n\n"
PLACEHOLDER: Final = b"Nothing was proposed yet.\n"
QUOTE: Final = "'"
HEAD_LIMIT: Final = 4 * 1024 * 1024
"""Bytes in which the head of a log must end. Proposals stand in it."""

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "host": HOSTS,
    "captured_by": get_args(CapturedBy),
    "proposal_status": get_args(ProposalStatus),
    "secret_scan_status": get_args(ScanStatus),
}
_DEFAULTS: Final = {
    "host": None,
    "captured_by": "manual",
    "proposal_status": "pending",
    "secret_scan_status": "skipped",
}


class Head(NamedTuple):
    values: dict[str, Any]
    """Everything that stands in it, also what is not ours: it is written back as it was."""
    log: SessionLog
    length: int
    """Bytes, up to where the rendered text begins."""


def read_head(data: bytes) -> Head | None:
    """The head in the first bytes of a log; None when this is no log. Values of the wrong type count as missing."""
    end = data.find(TRANSCRIPT, 0, HEAD_LIMIT)
    parsed = parse(data[: end + 1].decode("utf-8", "replace")) if end >= 0 else None
    values = parsed.frontmatter if parsed else {}
    if not isinstance(values.get("session_id"), str) or not isinstance(values.get("captured_at"), str):
        return None
    return Head(values, _log(values), end + len(TRANSCRIPT))


def _log(values: Mapping[str, Any]) -> SessionLog:
    given: dict[str, Any] = {}
    for field in fields(SessionLog):
        value = values.get(field.name)
        if field.name in _CHOICES:
            given[field.name] = value if value in _CHOICES[field.name] else _DEFAULTS[field.name]
        elif field.name == "topics":
            given["topics"] = tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
        elif field.name == "outside_from" and value is None and field.name in values:
            given["outside_from"] = None  # it says so: no tool was used yet
        elif isinstance(value, int) and not isinstance(value, bool) and "int" in str(field.type):
            given[field.name] = max(0, value)
        elif isinstance(value, str) and "str" in str(field.type):
            given[field.name] = value
    given.setdefault("transcript_hash", "")
    log = SessionLog(**given)
    return replace(log, proposal_status="pending", curated_through=0) if _was_read_by_rules(log) else log


def _was_read_by_rules(log: SessionLog) -> bool:
    """Whether Cairn's first build marked it as read without a reader: a reader leaves its answers, and this build the
    mark of cues."""
    has_mark = log.proposal_log or log.cues_through or log.cues_at
    return log.host is not None and log.proposal_status == "done" and not has_mark


def head_bytes(log: SessionLog, before: Mapping[str, Any] | None = None) -> bytes:
    """As it is written: what stood there before stays, where `log` has nothing newer to say."""
    from cairn.lib.yaml.write import inline

    values: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **(before or {}), **asdict(log)}
    values["topics"] = list(log.topics)
    values.setdefault("proposals", {"practice": [], "map": []})
    # A time without quotes is no text to the program that older logs are from, and it passes over such a log.
    lines = [f"{key}: {inline(value, style=QUOTE if key.endswith('_at') else '')}" for key, value in values.items()]
    return "\n".join(("---", *lines, "---", "")).encode() + TRANSCRIPT


def text_end(head: Head, size: int, follows: bytes) -> int | None:
    """Where the rendered text ends, if what `follows` at the place that the head names is the next heading."""
    end = head.length + head.log.transcript_bytes
    return end if head.log.transcript_bytes and end <= size and follows.startswith(PROPOSAL.rstrip()) else None
