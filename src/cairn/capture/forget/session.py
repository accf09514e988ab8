"""The log of a session without what is to be forgotten: the rest stays, and what its head says about it fits again."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

from cairn.capture.forget.needle import Needle
from cairn.capture.session_log import PROPOSAL, Head, head_bytes, read_head, text_end


def masked_log(data: bytes, needle: Needle) -> bytes | None:
    """None when it can't be done: this is no log, or it holds the thing in a form that can't be masked."""
    head = read_head(data)
    if head is None:
        return None
    end = text_end(head, len(data), data[head.length + head.log.transcript_bytes :][: len(PROPOSAL)])
    if end is None:
        cut = data.rfind(PROPOSAL.rstrip())
        end = len(data) if cut < head.length else cut
    text = needle.masked(data[head.length : end])
    fresh = _head(head, data[head.length : end].decode("utf-8", "replace"), text, needle)
    log = fresh + text + needle.masked(data[end:])
    return None if needle.found(log) else log


def _head(head: Head, before: str, text: bytes, needle: Needle) -> bytes:
    log = replace(
        head.log,
        transcript_hash=f"sha256:{sha256(text).hexdigest()}",
        transcript_bytes=len(text) if head.log.transcript_bytes else 0,
        transcript_chars=len(text.decode("utf-8", "replace")) if head.log.transcript_chars else 0,
        curated_through=_masked_length(before[: head.log.curated_through], needle),
        cues_through=_masked_length(before[: head.log.cues_through], needle),
        topics=tuple(needle.shown(topic) for topic in head.log.topics),
        proposal_error=None if head.log.proposal_error is None else needle.shown(head.log.proposal_error),
    )
    return head_bytes(log, _masked(head.values, needle))


def _masked_length(text: str, needle: Needle) -> int:
    return len(needle.masked(text.encode()).decode("utf-8", "replace"))


def _masked(value: Any, needle: Needle) -> Any:
    if isinstance(value, str):
        return needle.shown(value)
    if isinstance(value, dict):
        return {key: _masked(item, needle) for key, item in value.items()}
    return [_masked(item, needle) for item in value] if isinstance(value, list) else value
