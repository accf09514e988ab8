"""A session of an agent: its turns with their notes, its transcript, and the log that Cairn keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple

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


class TurnResult(NamedTuple):
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


Host = Literal["claude", "codex", "cursor", "opencode"]
HOSTS: tuple[Host, ...] = ("claude", "codex", "cursor", "opencode")

Role = Literal["user", "assistant"]


Ending = Literal["answered", "unfinished", "error", "interrupted"]
"""Of a turn: the agent's last words, or work without any; what the host wrote about the model or the person."""


class Segment(NamedTuple):
    """What one side said, as far as it is text, and the tools that the agent used while saying it."""

    role: Role
    text: str
    id: str | None
    """The host's own id of the message."""
    at: str | None
    start: int
    end: int
    """Bytes of the transcript that it was read from."""
    tools: tuple[ToolCall, ...] = ()
    injected: bool = False
    """Not typed by anybody: text of the host, of a hook or of Cairn itself."""
    ending: Ending | None = None
    """The host says that the turn ended here, and how."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """One turn as the transcript shows it: from a message of the user to the end of the agent's answer."""

    host: Host
    session: str
    message_id: str
    """Of the user's message that began it."""
    number: int
    """Counted from 1 in the transcript, or in that part of it that was read."""
    asked: str
    """What the user typed."""
    answered: str
    """The agent's last text."""
    tools: tuple[ToolCall, ...]
    start: int
    end: int
    at: str | None = None
    ending: Ending = "answered"

    @property
    def turn_id(self) -> str:
        return f"{self.host}:{self.session}:{self.message_id}"


CapturedBy = Literal["stop", "session_end", "pre_compact", "manual"]
ProposalStatus = Literal["pending", "done", "failed", "skipped"]
ScanStatus = Literal["clean", "redacted", "blocked", "skipped"]


@dataclass(frozen=True, slots=True)
class SessionLog:
    """The head of a session's log. Curating stamps it; capturing more never erases a stamp."""

    session_id: str
    """As it may stand in a file name."""
    host: Host | None
    """None in a log that was written by something older than Cairn."""
    captured_by: CapturedBy
    captured_at: str
    transcript_hash: str
    """`sha256:…` of the rendered text after redaction."""
    proposal_status: ProposalStatus = "pending"
    proposal_completed_at: str | None = None
    proposal_error: str | None = None
    proposal_log: str | None = None
    proposal_attempts: int = 0
    """That failed since the last one that did not."""
    proposal_tried_at: str | None = None
    secret_scan_status: ScanStatus = "clean"
    read_through: int = 0
    """Bytes of the transcript that are in the log."""
    curated_through: int = 0
    """Characters of the rendered text that a reader has read."""
    curator_processed_at: str | None = None
    curator_run_id: str | None = None
    topics: tuple[str, ...] = ()
    updated_at: str | None = None
    """When something was last added."""
    read_check: str = ""
    """`crc32:…` of those bytes, by which a transcript that was rewritten is noticed."""
    transcript_bytes: int = 0
    """Length of the rendered text in the log, in UTF-8."""
    transcript_chars: int = 0
    parts: int = 1
    """How often the host began its transcript anew, and once."""
    user_turns: int = 0
    user_chars: int = 0
    agent_chars: int = 0
    redactions: int = 0
    outside_from: int | None = 0
    """Characters of the rendered text behind which the agent had seen what a tool printed; None when it has not yet. A
    log that doesn't tell counts as all behind it."""
    question: str | None = None
    """Hash of the question about it that waits for an answer, or whose answer was not used yet."""
    asked_through: int = 0
    """Characters of the rendered text up to which that question goes."""
    cues_through: int = 0
    """Characters of the rendered text in which explicit cues were looked for."""
    cues_at: str | None = None
    """When such a cue last brought a candidate."""


NOTE_TYPES: Final = (
    "turn_note",
    "lesson",
    "pattern",
    "failed_target",
    "decision",
    "insight",
    "retro",
    "adr",
    "skill",
)
