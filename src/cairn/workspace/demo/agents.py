"""The chapters about agents: what their turns leave behind, and what they looked for and did not find."""

from datetime import UTC, datetime
from typing import Final

from cairn.workspace.demo.requests import request_of
from cairn.workspace.demo.stage import Stage
from cairn.workspace.demo.unpack import talk

VANS_TOO: Final = "vans"
"""The repository of the vans: inside of the folder, so that the demo stays in one place, and ignored by git."""
ROUNDS: Final = "# Rounds\n\n- river: mill, bridge, market, school\n- hill: castle, station\n"

CLAUDE: Final = "scratch/.claude/talk.jsonl"
CODEX: Final = "scratch/.codex/rollout-1.jsonl"
CLAUDE_STOPS: Final = "scratch/claude-stop.json"
CODEX_STOPS: Final = "scratch/codex-stop.json"

PLANNER: Final = "scratch/planner.py"
PLANNER_TEXT: Final = """\
import os

import cairn

with cairn.turn(agent="planner", stage="plan", session="monday"):
    os._exit(1)  # as if somebody pulled the plug
"""

TOPIC: Final = "frost-on-the-ramp"
PAGE_ABOUT_FROST: Final = f"knowledge/delivery/{TOPIC}.md"
ASKED: Final = ("Who salts the ramp, and when?", "May a van start from an icy ramp?", "What does a van do on ice?")
ANSWER: Final = (
    "The early shift salts the ramp at four o'clock whenever the night was below zero. No van starts before that: "
    "the bread waits, and the first stop gets a call."
)


def three_agents(stage: Stage) -> None:
    stage.say(
        "Agents work here as well: Claude Code in the bakery, Codex in the repository of the vans, and a planner, "
        f"which is a program of the bakery's own. The vans have a workspace of theirs, in {VANS_TOO}/."
    )
    stage.write(f"{VANS_TOO}/rounds.md", ROUNDS)
    stage.git("init", "--quiet", VANS_TOO)
    stage.cairn("-C", VANS_TOO, "init", "--no-scan", "--quiet")
    stage.say(
        "`cairn agent install` has hosts call Cairn when a turn ends. Here the demo plays the hosts: transcripts and "
        "calls are made up, in their real formats, and lie in scratch/. A hook writes down where the turn stands in "
        "the transcript, and nothing of what was said."
    )
    _play_hosts(stage)
    stage.say(
        "The planner says itself that it is at work, in a `with cairn.turn(...)`. But then somebody pulls the plug."
    )
    stage.write(PLANNER, PLANNER_TEXT)
    stage.python(PLANNER, ends=1)
    _what_became_of_them(stage)


def _play_hosts(stage: Stage) -> None:
    """After each turn, as hosts do; what hooks start in the background is run later, in front of everybody."""
    stage.set(CAIRN_HOOK_DETACH="0")
    filled = {"{folder}": str(stage.folder), "{at}": datetime.now(UTC).isoformat(timespec="milliseconds")}
    stage.write(CLAUDE_STOPS, talk("claude-stop.json", filled))
    stage.write(CODEX_STOPS, talk("codex-stop.json", filled))
    stage.write(CLAUDE, talk("claude-1.jsonl", filled))
    stage.cairn("hook", "stop", reads=CLAUDE_STOPS)
    stage.write(CLAUDE, talk("claude-1.jsonl", filled) + talk("claude-2.jsonl", filled))
    stage.cairn("hook", "stop", reads=CLAUDE_STOPS)
    stage.write(CODEX, talk("codex.jsonl", filled))
    stage.cairn("hook", "stop", reads=CODEX_STOPS)


def _what_became_of_them(stage: Stage) -> None:
    stage.set(CAIRN_CAPTURE__GRACE_MINUTES="0")
    stage.say(
        "What follows usually happens in the background: pointers become notes, scrubbed of secrets and addresses, or "
        "a reason for none; a thank-you is not worth one. And the watchdog counts. It gives a turn ten minutes; we "
        "don't wait (CAIRN_CAPTURE__GRACE_MINUTES=0)."
    )
    stage.cairn("hook", "drain")
    stage.cairn("-C", VANS_TOO, "hook", "drain")
    stage.cairn("turns", "list")
    stage.say("One turn ended without a trace, and it is named.")
    stage.cairn("turns", "verify", ends=1)


def what_was_missing(stage: Stage) -> None:
    stage.say(
        "The first frost. Twice an agent of the bakery looks for something and finds nothing, and says so, as "
        "`cairn gaps tail` asks it to at the end of a prompt. Codex misses the same, among the vans."
    )
    first, second, third = ASKED
    _miss(stage, "frost on the ramp", first)
    _miss(stage, "frost on the ramps", second)
    _miss(stage, "frost on the ramp", third, "-C", VANS_TOO)
    stage.say("Two misses in one place may be a coincidence.")
    stage.cairn("gaps", "list")
    stage.say("Together with what the vans missed it is a gap.")
    stage.cairn("observe", "ledger", "collect", VANS_TOO)
    stage.cairn("gaps", "list")
    _fill_it(stage)


def _miss(stage: Stage, topic: str, asked: str, *where: str) -> None:
    stage.cairn(*where, "gaps", "signal", topic, "--source", "agent_search", "--excerpt", asked)


def _fill_it(stage: Stage) -> None:
    stage.say("A page is begun, as a change request. Somebody who knows answers its questions on the branch.")
    stage.cairn("gaps", "draft", TOPIC, "--category", "delivery")
    stage.git("checkout", "--quiet", f"cairn/gaps/gap-{TOPIC}")
    stage.replace_from(PAGE_ABOUT_FROST, "<!-- ", f"{ANSWER}\n")
    stage.git("commit", "--quiet", "--all", "--message", "Say who salts the ramp")
    stage.git("checkout", "--quiet", "main")
    stage.cairn("change", "merge", request_of(stage, PAGE_ABOUT_FROST))
    stage.say("Now there is a page, so nobody is told about a gap any more.")
    stage.cairn("gaps", "list", "--suppressed")
