"""Recorded behaviour of the programs that the seeds describe, where Cairn once differed without a reason."""

import json
from pathlib import Path

import pytest
from tests.program import cairn
from tests.repository import make

from cairn.capture.transcripts.claude import ClaudeReader
from cairn.capture.transcripts.cursor import CursorReader
from cairn.capture.transcripts.lines import Line, Tally
from cairn.core.session_log import log_name
from cairn.lib.text.model_text import json_in
from cairn.lib.text.private import without_private

ANSWERS = {
    "a fence that opens in the middle of a line": ('Here: ```json {"a": 1}``` and later {"b": 2}.', {"a": 1}),
    "a fence with tildes in the middle of a line": ('It is ~~~ {"a": 1} ~~~, not {"b": 2}', {"a": 1}),
    "no fence: the last object": ('First {"a": 1}, then {"b": 2}', {"b": 2}),
    "text after the JSON is tolerated (intended)": ('{"a": 1}\nThat is all.', {"a": 1}),
}


@pytest.mark.parametrize(("answer", "value"), ANSWERS.values(), ids=list(ANSWERS))
def test_the_json_of_an_answer(answer: str, value: object) -> None:
    assert json_in(answer) == value


NAMES = {
    "2026-05-04T01:30:00+05:30": "20260503-2000-s.md",
    "2026-05-04T23:30:00-02:00": "20260505-0130-s.md",
    "2026-05-04T10:00:00.000Z": "20260504-1000-s.md",
}


@pytest.mark.parametrize(("at", "name"), NAMES.items())
def test_the_name_of_a_log_is_in_utc(at: str, name: str) -> None:
    assert log_name(at, "s") == name


def test_an_empty_session_id_is_refused(tmp_path: Path) -> None:
    line = json.dumps({"type": "user", "message": {"role": "user", "content": "hello"}})
    root = make(tmp_path / "repo", {"session.jsonl": f"{line}\n"})
    cairn("init", cwd=root)
    done = cairn("session", "capture", "--transcript", "session.jsonl", "--session", "", "--host", "claude", cwd=root)
    assert done.code == 2 and "no id" in done.err


def _said(reader: "ClaudeReader | CursorReader", value: dict[str, object]) -> list[tuple[str, str]]:
    segments = [*reader.feed(Line(1, 0, 0, b""), value), *reader.finish()]
    return [(one.role, one.text) for one in segments]


def test_a_claude_line_of_the_role_agent_is_kept() -> None:
    assert _said(ClaudeReader(Tally()), {"role": "agent", "content": "Done."}) == [("assistant", "Done.")]


def test_string_content_of_cursor_is_read() -> None:
    """Intended: the original drops it, and a person's words with it."""
    assert _said(CursorReader(Tally()), {"role": "user", "message": {"content": "Hi"}}) == [("user", "Hi")]


def test_private_tags_in_capitals_are_honoured() -> None:
    """Intended: a mark of privacy that is missed can't be taken back."""
    assert without_private("a <PRIVATE>b</PRIVATE> c") == "a  c"
