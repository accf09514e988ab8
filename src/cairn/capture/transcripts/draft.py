"""Puts segments together: a text and the tools used after it are one, whatever lines the host spread them over."""

from collections.abc import Iterator
from typing import Final

from cairn.capture.transcripts.clean import clean
from cairn.capture.transcripts.injected import typed
from cairn.capture.transcripts.lines import Line
from cairn.core.model.session import Ending, Role, Segment, ToolCall

STOPPED: Final = ("[Request interrupted by user", "<turn_aborted>")
"""How hosts write down that a person stopped the agent."""
MOST_TOOLS: Final = 500
"""In one segment; an agent that uses more without a word gets another."""


class Draft:
    """What is known so far of the segment that is being read. Each call gives the segments that are complete by it."""

    def __init__(self) -> None:
        self._open: Segment | None = None
        self._tools: dict[str, ToolCall] = {}

    def user(
        self, text: str, line: Line, id: str | None, at: str | None, *, injected: bool = False
    ) -> Iterator[Segment]:
        """A message of the user. A blank one is none; one that is private all over is one in which nothing is said."""
        words = "" if injected else typed(text)
        shown = clean(words or text)
        if words or shown:
            yield from self.close()
            end: Ending | None = "interrupted" if not words and text.lstrip().startswith(STOPPED) else None
            yield Segment(
                "user", shown, id or f"@{line.start}", at, line.start, line.end, injected=not words, ending=end
            )

    def ended(self, how: Ending, line: Line, at: str | None) -> Iterator[Segment]:
        """The host says how the turn ended, in no words of anybody's."""
        yield from self.close()
        yield Segment("assistant", "", None, at, line.start, line.end, injected=True, ending=how)

    def say(
        self, text: str, line: Line, id: str | None, at: str | None, *, injected: bool = False
    ) -> Iterator[Segment]:
        """A text of the agent; the tools that follow belong to it."""
        shown = clean(text)
        if not shown:
            return
        yield from self.close()
        self._open = Segment("assistant", shown, id, at, line.start, line.end, injected=injected)

    def use(self, key: str | None, tool: ToolCall, line: Line, id: str | None, at: str | None) -> Iterator[Segment]:
        if len(self._tools) >= MOST_TOOLS:
            yield from self.close()
        if self._open is None:
            self._open = Segment("assistant", "", id, at, line.start, line.end)
        self._tools[key or f"#{len(self._tools)}"] = tool
        self._reach(line)

    def result(self, key: object, ok: bool | None, line: Line) -> None:
        """How a tool ended. The answer to one that is not known any more changes nothing."""
        if isinstance(key, str) and key in self._tools:
            self._tools[key] = self._tools[key]._replace(ok=ok)
            self._reach(line)

    def _reach(self, line: Line) -> None:
        if self._open is not None:
            self._open = self._open._replace(end=line.end)

    def close(self) -> Iterator[Segment]:
        if self._open is not None:
            yield self._open._replace(tools=tuple(self._tools.values()))
        self._open, self._tools = None, {}


def role_of(value: object) -> Role | None:
    return "user" if value == "user" else "assistant" if value in ("assistant", "agent") else None


def text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
