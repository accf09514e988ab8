"""A note, or a stated reason for none? The first rule that fits decides."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cairn.capture.echoes import without_recalled
from cairn.core.model.session import SKIP_REASONS, ToolCall, TurnRequest

HEARTBEAT, DUPLICATE, NOTHING_NEW = SKIP_REASONS
RECALLED: Final = "recalled-context-only"
"""Said instead of `no-new-information` where a workspace declares it."""
_HEARTBEAT_MARK: Final = "HEARTBEAT_OK"
_HEARTBEAT_LONGEST: Final = 320
_LEAST: Final = 48
"""Characters below which an answer that used no tools says nothing."""
AUTOMATIC_LONGEST: Final = 700
_DECISION = re.compile(r"^\W{0,4}decision\W{0,2}:\W{0,3}(\S.*)$", re.IGNORECASE | re.MULTILINE)
_DECISION_LONGEST: Final = 240
_BLANKS = re.compile(r"\s+")
_SHOWN: Final = 4


class Capture(NamedTuple):
    turn: TurnRequest
    """With the summary that is to be kept."""


class Skip(NamedTuple):
    reason: str
    duplicate_of: str | None = None


class Fault(NamedTuple):
    """The request is not acceptable, and would not be the next time."""

    code: str


Decision = Capture | Skip | Fault


def decide(
    turn: TurnRequest, *, declared: Sequence[str] = (), recalled: Collection[str] = (), automatic: bool = False
) -> Decision:
    """`automatic` where nobody asked for a note: then little talk is skipped. What somebody says on purpose is kept
    however short it is. Whether it was said before is not decided here."""
    allowed = (*SKIP_REASONS, *declared)
    if turn.skip_reason is not None:
        return Skip(turn.skip_reason) if turn.skip_reason in allowed else Fault("invalid_skip_reason")
    if is_heartbeat(turn):
        return Skip(HEARTBEAT)
    summary = without_recalled(turn.summary or "", recalled) if recalled else turn.summary or ""
    if turn.summary and not summary and not turn.tools:
        return Skip(RECALLED if RECALLED in allowed else NOTHING_NEW)
    if not summary and turn.tools:
        return Capture(replace(turn, summary=synthesised(turn.tools)))
    if automatic:
        return _of_a_hook(turn, summary)
    return Capture(replace(turn, summary=summary)) if summary else Fault("missing_summary_without_skip_reason")


def _of_a_hook(turn: TurnRequest, summary: str) -> Decision:
    if not turn.tools and len(summary) < _LEAST:
        return Skip(NOTHING_NEW)
    shortened = shorten(_BLANKS.sub(" ", summary).strip(), AUTOMATIC_LONGEST)
    return Capture(replace(turn, summary=shortened, decision=turn.decision or marked_decision(summary)))


def is_heartbeat(turn: TurnRequest) -> bool:
    """Only a turn that did nothing: one that used tools is kept, whoever asked for it."""
    summary = turn.summary or ""
    said = _HEARTBEAT_MARK in summary and len(summary) < _HEARTBEAT_LONGEST
    return not turn.tools and (turn.source.lower() == "heartbeat" or said)


def marked_decision(text: str) -> str | None:
    """A line that somebody wrote as `Decision: …`; the first sentence of a text is none."""
    found = _DECISION.search(text)
    return shorten(found[1].strip().strip("*_"), _DECISION_LONGEST) if found else None


def shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def synthesised(tools: Sequence[ToolCall]) -> str:
    """What a turn did, for one that ended without words: tools, what they were used on, and how that ended."""
    calls = Counter(tool.name for tool in tools)
    parts = []
    for name, number in calls.most_common():
        own = [tool for tool in tools if tool.name == name]
        targets = list(dict.fromkeys(tool.target for tool in own if tool.target))
        shown = ", ".join(targets[:_SHOWN]) + (f" and {len(targets) - _SHOWN} more" if len(targets) > _SHOWN else "")
        failed = sum(tool.ok is False for tool in own)
        ended = "" if not failed else " (failed)" if number == 1 else f" ({failed} of {number} failed)"
        parts.append(f"{name}{f' on {shown}' if shown else f' {number} times' if number > 1 else ''}{ended}")
    return shorten(f"Without words: {'; '.join(parts)}.", AUTOMATIC_LONGEST)
