"""Lines of a transcript, and the segment that is being put together of them."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

from cairn.core.model.session import Ending, Role, Segment, ToolCall
from cairn.lib.text.private import without_private


@dataclass(slots=True)
class Tally:
    lines: int = 0
    broken: int = 0
    """Lines that are no JSON, or not of the form that the host writes."""
    unknown: int = 0
    """Lines of a kind that this Cairn doesn't know; a newer host may write them."""
    too_long: int = 0
    recoded: int = 0
    """Lines that are not UTF-8 and were read as Latin-1."""
    torn: bool = False
    """The last line is not whole; it may still be written."""
    encoding: str = "utf-8"
    through: int = 0
    """Offset behind the last line that was read to its end."""

    def remarks(self) -> list[str]:
        """In words, for a person; nothing when all was well."""
        said = []
        if self.encoding != "utf-8":
            said.append(f"it is written in {self.encoding.upper()}, not in UTF-8")
        if self.recoded:
            said.append(f"{_lines(self.recoded)} not in UTF-8; read as Latin-1")
        if self.broken:
            said.append(f"{_lines(self.broken)} broken; passed over")
        if self.too_long:
            said.append(f"{_lines(self.too_long)} too long; passed over")
        if self.torn:
            said.append("the last line is not whole; it is read when it is")
        return said


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count:,} lines are"


LINE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes. No message of a person is that long; a longer line is passed over without being kept in memory."""

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_BLANK: Final = b" \t\r\n\0"
"""Around a line. A machine that lost its power leaves NUL bytes where a line should be."""


class Line(NamedTuple):
    start: int
    end: int
    """Behind its newline."""
    data: bytes
    """In UTF-8 as far as we can tell, without what is blank around it."""
    last: bool = False
    """No newline follows: it may still be written."""


def sniff(head: bytes) -> str:
    """The encoding that the first bytes of a file announce."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def lines(chunks: Iterable[bytes], tally: Tally, *, start: int = 0, encoding: str | None = None) -> Iterator[Line]:
    """Every line that is neither blank nor too long. `start` is the offset of the first byte in its file; who starts in
    the middle has to say the encoding."""
    rest = iter(chunks)
    first = next(rest, b"")
    encoding = encoding or (sniff(first) if start == 0 else "utf-8")
    tally.encoding = encoding.removesuffix("-sig")
    tally.through = start
    cutter = _Cutter(tally, start, "\n".encode(tally.encoding))
    stream = chain((first,), rest)
    for chunk in stream if cutter.width == 1 else _even(stream):
        for line in cutter.feed(chunk):
            yield from _shown(line, encoding)
    for line in cutter.rest():
        yield from _shown(line, encoding)


def _even(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Whole characters of two bytes, so that a newline is never cut in half."""
    left = b""
    for chunk in chunks:
        data = left + chunk
        cut = len(data) & ~1
        left = data[cut:]
        yield data[:cut]
    yield left


def _shown(line: Line, encoding: str) -> Iterator[Line]:
    data = line.data
    if encoding == "utf-8-sig":
        data = data.removeprefix(codecs.BOM_UTF8)
    elif encoding != "utf-8":
        data = data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    data = data.strip(_BLANK)
    if data:
        yield line._replace(data=data)


class _Cutter:
    """Keeps no more than one line, and nothing of one that is too long."""

    def __init__(self, tally: Tally, start: int, newline: bytes) -> None:
        self._tally = tally
        self._newline = newline
        self.width = len(newline)
        self._start = self._at = start
        self._held = bytearray()
        self._too_long = False

    def feed(self, chunk: bytes) -> Iterator[Line]:
        position = 0
        while (cut := self._find(chunk, position)) >= 0:
            self._hold(chunk[position : cut + self.width])
            position = cut + self.width
            yield from self._cut(last=False)
        self._hold(chunk[position:])

    def rest(self) -> Iterator[Line]:
        if self._at > self._start:
            yield from self._cut(last=True)

    def _find(self, chunk: bytes, position: int) -> int:
        cut = chunk.find(self._newline, position)
        while cut % self.width and cut >= 0:
            cut = chunk.find(self._newline, cut + 1)
        return cut

    def _hold(self, piece: bytes) -> None:
        self._at += len(piece)
        if self._at - self._start > LINE_LIMIT:
            self._too_long = True
            self._held = bytearray()
        else:
            self._held += piece

    def _cut(self, *, last: bool) -> Iterator[Line]:
        line = Line(self._start, self._at, bytes(self._held), last)
        too_long = self._too_long
        self._start, self._held, self._too_long = self._at, bytearray(), False
        if too_long and not last:
            self._tally.too_long += 1
            self._tally.through = line.end
        elif too_long:
            self._tally.torn = True
        else:
            yield line


def objects(source: Iterable[Line], tally: Tally) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Those lines that hold a JSON object. The last one counts as read only when it is whole."""
    for line in source:
        value = _loaded(line.data, tally)
        if value is None and line.last:
            tally.torn = True
            return
        tally.lines += 1
        tally.through = line.end
        if value is None:
            tally.broken += 1
        else:
            yield line, value


def _loaded(data: bytes, tally: Tally) -> dict[str, Any] | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        tally.recoded += 1
        text = data.decode("latin-1")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


TEXT_LIMIT: Final = 100_000
"""Characters of one message that are kept. What is longer was pasted, not said."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    text = without_private(text)
    if len(text) > TEXT_LIMIT:
        text = f"{text[:TEXT_LIMIT]}\n[… {len(text) - TEXT_LIMIT:,} characters left out]"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text)).strip()


_TAGS: Final = (
    # Claude Code
    "system-reminder",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    # Codex
    "environment_context",
    "user_instructions",
    "INSTRUCTIONS",
    "permissions instructions",
    "collaboration_mode",
    "skills_instructions",
    "plugins_instructions",
    "apps_instructions",
    "recommended_plugins",
    "subagent_notification",
    "turn_aborted",
    "user_shell_command",
    "app-context",
    # Cursor
    "system_reminder",
    "attached_files",
    "additional_data",
    "open_and_recently_viewed_files",
    "user_info",
    "git_status",
    "agent_transcripts",
    "agent_skills",
    "timestamp",
    "rules",
    # Cairn
    "cairn",
    "cairn-context",
    "cairn-briefing",
    "cairn-recalled",
)
_NAMES: Final = "|".join(re.escape(tag) for tag in _TAGS)
_OPEN: Final = re.compile(rf"<({_NAMES})(?:\s[^<>]{{0,500}})?>", re.IGNORECASE)
_COMMAND: Final = re.compile(r"<command-(name|args|message|contents)>([^<]*+(?:<(?!/?command-)[^<]*+)*+)</command-\1>")
_QUERY: Final = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)
_WHOLE: Final = re.compile(
    r"(?:Caveat: The messages below were generated"
    r"|\[Request interrupted by user"
    r"|This session is being continued from a previous conversation"
    r"|Stop hook feedback:"
    r"|# AGENTS\.md instructions\b"
    r"|API Error: )"
)
"""How a message begins that nobody typed a word of."""


def typed(text: str) -> str:
    """What a person typed of a message; empty when nobody typed anything."""
    if "<" in text:
        text = _command(text) or _query(text) or _without_blocks(text)
    text = text.strip()
    return "" if _WHOLE.match(text) else text


def _command(text: str) -> str:
    """`/review 42`, as it was typed, for the wrapper that the host makes of it."""
    parts = {found[1]: found[2].strip() for found in _COMMAND.finditer(text)}
    name = parts.get("name", "")
    return f"/{name.lstrip('/')} {parts.get('args', '')}".strip() if name else ""


def _query(text: str) -> str:
    return "\n".join(found[1].strip() for found in _QUERY.finditer(text))


def _without_blocks(text: str) -> str:
    kept: list[str] = []
    position = 0
    while opened := _OPEN.search(text, position):
        kept.append(text[position : opened.start()])
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        position = len(text) if end < 0 else end + len(closing)
    return "".join((*kept, text[position:]))


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


TARGET_LIMIT: Final = 300
_PATHS: Final = ("file_path", "notebook_path", "filePath", "target_file", "relative_workspace_path", "path", "file")
_COMMANDS: Final = ("command", "cmd", "script")
_SHELLS: Final = ("bash", "sh", "zsh", "fish", "dash")
_PROGRAM: Final = re.compile(r"[\w.+/-]{1,80}")
_PATCHED: Final = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)


def target_of(value: Any) -> str:
    """Of a tool's input, as the host recorded it: an object, JSON in a text, or the text of a patch."""
    if isinstance(value, str):
        return _in_text(value)
    if not isinstance(value, Mapping):
        return ""
    for name in _PATHS:
        if isinstance(value.get(name), str):
            return _one_line(value[name])
    for name in _COMMANDS:
        if name in value:
            return program_of(value[name])
    return _patched(value["input"]) if isinstance(value.get("input"), str) else ""


def _in_text(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return _patched(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return target_of(value) if isinstance(value, dict) else ""


def _patched(text: str) -> str:
    found = _PATCHED.search(text[:10_000])
    return _one_line(found[1]) if found else ""


def program_of(command: Any) -> str:
    """`pytest` of `TOKEN=x pytest -q`: neither what is set before it nor what follows may be told."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        if len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS and words[1].startswith("-"):
            return program_of(words[2])
        command = words[0] if words else ""
    if not isinstance(command, str):
        return ""
    first = next((word for word in command[:10_000].split() if "=" not in word), "")
    return first if _PROGRAM.fullmatch(first) else ""


def _one_line(path: str) -> str:
    return path.strip().partition("\n")[0][:TARGET_LIMIT]
