"""Runs the plugin for OpenCode in node, with a client that answers like the host: calls of Cairn, and briefings."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cairn.agents.hook_settings import installed
from cairn.agents.hosts import AGENTS

DRIVER = Path(__file__).parents[2] / "opencode_plugin.mjs"
BRIEFING = "Prices are integers, in cents."
RECORDER = """
import json, sys
told = json.load(sys.stdin)
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[2], told.get("session_id"), told.get("message_id"), told.get("tools")]) + "\\n")
if sys.argv[2] == "session-start":
    print(json.dumps({{"hookSpecificOutput": {{"additionalContext": {briefing!r}}}}}))
"""
MESSAGES = [
    {"info": {"id": "m1", "role": "user"}, "parts": []},
    {"info": {"id": "m2", "role": "assistant", "time": {"completed": 1}}, "parts": [{"type": "tool", "tool": "bash"}]},
]

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the plugin is JavaScript: needs node")


class Played(NamedTuple):
    told: list[list[Any]]
    """Event, session, message and tools of each call of the program."""
    systems: list[list[str]]
    """The system prompts as the model gets them."""


def play(folder: Path, *calls: list[Any], sessions: dict[str, Any] | None = None, **more: Any) -> Played:
    log, program = folder / "told.jsonl", folder / "program.py"
    program.write_text(RECORDER.format(log=str(log), briefing=BRIEFING))
    plugin = folder / "cairn.mjs"
    plugin.write_text(installed(AGENTS["opencode"], None, (sys.executable, str(program))))
    asked = {"sessions": sessions or {"s1": {"messages": MESSAGES}}, "calls": calls, **more}
    done = subprocess.run(
        ["node", str(DRIVER), str(plugin)],
        input=json.dumps(asked),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return Played(told, json.loads(done.stdout))


def prompted(session: str) -> list[Any]:
    return ["chat.message", {"sessionID": session}, {"message": {"id": "m1"}}]


def asked(session: str, system: str = "You are a coding agent.") -> list[Any]:
    return ["experimental.chat.system.transform", {"sessionID": session}, {"system": [system]}]


def test_a_turn_that_is_under_way_when_the_host_ends_is_told_with_its_session(tmp_path: Path) -> None:
    told = play(tmp_path, prompted("s1"), ["dispose"]).told
    assert told == [["prompt", "s1", "m1", None], ["stop", "s1", "m1", ["bash"]], ["session-end", "s1", None, None]]


def test_a_turn_that_ended_before_is_told_once(tmp_path: Path) -> None:
    idle = ["event", {"type": "session.idle", "properties": {"sessionID": "s1"}}]
    told = play(tmp_path, prompted("s1"), idle, ["dispose"]).told
    assert [event for event, *_ in told] == ["prompt", "stop", "session-end"]


def test_a_continued_session_is_briefed_without_having_been_created(tmp_path: Path) -> None:
    played = play(tmp_path, prompted("s1"), asked("s1"), asked("s1"))
    assert played.systems == [["You are a coding agent.", BRIEFING]] * 2
    assert [event for event, *_ in played.told] == ["prompt", "session-start"]


@pytest.mark.parametrize("system", ["You are a title generator. You output ONLY a title.", "Summarise what was done."])
def test_a_request_of_the_host_itself_is_not_briefed(tmp_path: Path, system: str) -> None:
    agents = [{"name": "summary", "hidden": True, "prompt": "Summarise what was done."}]
    assert play(tmp_path, asked("s1", system), agents=agents).systems == [[system]]


def test_a_session_that_an_agent_started_is_no_turn_and_gets_no_briefing(tmp_path: Path) -> None:
    child = {"s2": {"parent": "s1", "messages": MESSAGES}}
    played = play(tmp_path, prompted("s2"), asked("s2"), ["dispose"], sessions=child)
    assert played == Played([], [["You are a coding agent."]])
