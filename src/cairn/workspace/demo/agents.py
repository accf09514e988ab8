"""The chapters about agents: what their turns leave behind, what they missed, and what is learnt from them."""

from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Final

from cairn.curate.conflicts import read_conflict
from cairn.curate.resolve_conflict import short_id
from cairn.curate.run_journal import CONFLICTS
from cairn.workspace.demo.stage import Stage, talk


def request_of(stage: Stage, wanted: str) -> str:
    """The id of the open request of a kind, or about a page; nobody can know it before."""
    waiting = stage.answer("change", "list")["requests"]
    return next(str(one["id"]) for one in waiting if wanted in (one["kind"], *one["paths"]))


def conflict_of(stage: Stage) -> str:
    """The only one that waits."""
    files = sorted((stage.folder / CONFLICTS).glob("*.md"))
    found = [read_conflict(file.read_text("utf-8"), file.name) for file in files]
    return next(short_id(one) for one in found if one.status == "pending")


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


WEDDINGS: Final = "knowledge/practice/hold-wedding-orders-with-place-order.md"
HOLDS: Final = "knowledge/orders/order-holds.md"
ORDERS: Final = "sourdough/orders.py"

CLAUDE_SESSION: Final = "8c1f2d3a-6b7e-4f90-9a1b-3c4d5e6f7a81"
CODEX_SESSION: Final = "019a2d7b-52d5-7ac2-88dd-b56e73b90de6"

ASKING: Final = "scratch/asking.py"
ASKING_TEXT: Final = """\
import asyncio
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    # As a host starts it; `cairn agent install` writes these words into the host's own file.
    server = StdioServerParameters(command=sys.executable, args=["-P", "-m", "cairn", "mcp"])
    async with Client(server) as client:
        found = await client.call_tool("search", {"query": sys.argv[1], "limit": 1})
        page = await client.call_tool("read", {"id": found.structured_content["hits"][0]["id"]})
        for answer in (found, page):
            print(answer.content[0].text, end="\\n\\n")


asyncio.run(main())
"""
REPORT: Final = "scratch/report.json"
_EVENTS: Final = {"stop": "stop", "end": "session-end"}
QUESTION: Final = "how long do we hold a wedding order?"


def what_was_learned(stage: Stage) -> None:
    stage.say(
        "A session with Claude Code. It builds an endpoint for weddings, and somebody puts it right: “No, hold wedding "
        "orders for 48 hours with `place_order`, because the couple pays after the tasting.” Usually the next agent "
        "makes the same mistake again."
    )
    _session(stage, "claude", "scratch/.claude/wedding.jsonl", "stop", "end")
    stage.say(
        "Without a model, Cairn keeps only what a person explicitly asks to keep, such as “Remember: …”. The rest of a "
        "session waits to be read by an agent. The demo has none, so the answer below is one that was recorded. "
        "Cairn checks that the sentence it quotes was said, and by the person."
    )
    stage.cairn("session", "propose", CLAUDE_SESSION)
    stage.say(
        "The agent in this session used tools, so the session may quote text from outside. Agents at work get such a "
        "question only where you allow it; `cairn judge`, whose readers have no tools, always does."
    )
    stage.cairn("config", "set", "--local", "judge.agent_outside", "true", "--yes")
    stage.say("An agent claims the question with `cairn job claim`, reads the session, and records its answer.")
    _answer(stage, "core/learned", "wedding-claude-answer.json")
    stage.say("The curator compares the candidate with the pages there are, and asks what should become of it.")
    stage.cairn("curate")
    _answer(stage, "core/place", "wedding-claude-place.json")
    stage.say("No page is about that, so there will be a new one. The change request quotes the sentence it rests on.")
    stage.cairn("curate")
    request = request_of(stage, WEDDINGS)
    stage.cairn("change", "show", request)
    stage.cairn("change", "merge", request)


def it_says_otherwise(stage: Stage) -> None:
    stage.say(
        "Weeks later, with Codex: a couple did not turn up, and 200 loaves were thrown away. Hold such orders for 24 "
        "hours, somebody says. That is about the same page, with another number in it."
    )
    _session(stage, "codex", "scratch/.codex/rollout-2.jsonl", "stop", "end")
    stage.say("Again, the answer is a recorded one.")
    stage.cairn("session", "propose", CODEX_SESSION)
    _answer(stage, "core/learned", "wedding-codex-answer.json")
    stage.cairn("curate")
    _answer(stage, "core/place", "wedding-codex-place.json")
    stage.say("That contradicts a page, so it is a conflict, and a person decides.")
    stage.cairn("curate")
    conflict = conflict_of(stage)
    stage.cairn("conflict", "show", conflict)
    stage.say("The newer one is right.")
    stage.cairn("conflict", "accept", conflict)
    stage.cairn("change", "merge", request_of(stage, WEDDINGS))


def an_agent_asks(stage: Stage) -> None:
    stage.say("A new session begins with what people approved here, ranked for the branch, in at most 800 tokens.")
    stage.cairn("context")
    if find_spec("mcp") is None:
        stage.say("Agents ask over MCP as well; that needs `pip install 'cairn-kb[mcp]'`, which is not here.")
    else:
        stage.say(
            "And an agent asks over MCP when it needs to know. Here is one of fifteen lines, with the official client. "
            "It gets the page, and what that rests on."
        )
        stage.write(ASKING, ASKING_TEXT)
        stage.python(ASKING, QUESTION)
    _the_code_moves_on_once_more(stage)


def _the_code_moves_on_once_more(stage: Stage) -> None:
    stage.say("Then somebody gives `place_order` a better name. The pages that rest on it are named at once.")
    stage.edit(ORDERS, ("def place_order(", "def take_order("))
    stage.cairn("check", "--diff", "HEAD", ends=1)
    stage.say("They are mended in the same commit, and what agents learned stays true.")
    stage.replace_all(WEDDINGS, "`place_order`", "`take_order`")
    stage.replace_all(HOLDS, "place_order", "take_order")
    stage.cairn("freshness", "stamp", HOLDS)
    stage.cairn("check", "--diff", "HEAD")
    stage.git("commit", "--quiet", "--all", "--message", "Call it taking an order")


def _answer(stage: Stage, question: str, recorded: str) -> None:
    """As an agent does it, with an answer that one once gave."""
    claimed = stage.answer("job", "claim", "--filter", question)
    stage.write(REPORT, talk(recorded, {}))
    whose = ("--id", claimed["id"], "--nonce", claimed["nonce"])
    stage.cairn("record", *whose, "--status", "completed", "--report", REPORT)


def _session(stage: Stage, host: str, transcript: str, *events: str) -> None:
    """What the host writes, and what it calls; the rest usually happens in the background."""
    filled = {"{folder}": str(stage.folder), "{at}": datetime.now(UTC).isoformat(timespec="milliseconds")}
    stage.write(transcript, talk(f"wedding-{host}.jsonl", filled))
    for event in events:
        told = f"wedding-{host}-{event}.json"
        stage.write(f"scratch/{told}", talk(told, filled))
        stage.cairn("hook", _EVENTS[event], reads=f"scratch/{told}")
    stage.cairn("hook", "drain")
