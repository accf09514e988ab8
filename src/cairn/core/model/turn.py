"""A turn of an agent, and what became of it: a note, a stated reason for none, or a failure with a code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint

SCHEMA_VERSION: Final = 1

SKIP_REASONS: Final = ("routine-heartbeat", "duplicate-signal", "no-new-information")
"""The closed list. A workspace may declare more in `capture.skip_reasons`, and nothing else is taken."""

KEEP_TAGS: Final = ("keep", "keep-map")
"""Tags of a note that somebody asked to keep as a page: a practice, or a map."""


class TurnOutcome(StrEnum):
    """How a turn ended. Each eligible turn has exactly one."""

    COMPLETED = "completed"
    SKIPPED = "skipped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Stopped by a person, or left by a host that was killed."""


class ToolCall(NamedTuple):
    """A tool that the agent used in a turn: its name, what it was used on, and whether that worked."""

    name: str
    target: str = ""
    """A path, or the first word of a command; never arguments."""
    ok: bool | None = None
    """None when the transcript doesn't say."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """That a note be written about a turn, as hooks, the command line, MCP and `cairn.turn` all say it."""

    turn_id: str
    """Stable: the same turn said twice is one turn."""
    source: str
    """Family of the producer: `claude`, `codex`, `cli`, `mcp`, `agent-loop`, `heartbeat` …"""
    agent: str
    summary: str | None = None
    decision: str | None = None
    """None unless somebody marked it as one."""
    channel: str | None = None
    session: str | None = None
    turn_number: int | None = None
    evidence: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    type: str | None = None
    """`lesson`, `pattern`, `failed_target`, `decision` …; None is an ordinary note of a turn."""
    skip_reason: str | None = None
    tools: tuple[ToolCall, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    """`project`, `loop_id`, `story_id`, `run_id`, `source_message_id`, `stage`, `branch`."""
    occurred_at: str | None = None
    taint: Taint = Taint.MODEL
    """What the note followed: a person's words, or what an agent made of outside text."""


class Written(NamedTuple):
    """The answer to a request."""

    turn_id: str
    outcome: TurnOutcome
    result: str = ""
    """`inserted`, `updated`, `unchanged` for a note; the reason of a skip; the code of a failure."""
    note: str | None = None
    """Id of the note."""
    duplicate_of: str | None = None
    score: int | None = None
    low: bool = False
    """Kept, but shown only to who asks for such notes."""
