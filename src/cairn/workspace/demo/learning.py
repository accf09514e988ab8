"""Tells the chapters about learning: a session becomes a page, another one disagrees, and an agent searches."""

from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Final

from cairn.workspace.demo.requests import conflict_of, request_of
from cairn.workspace.demo.stage import Stage
from cairn.workspace.demo.unpack import ANSWERS, talk

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
        "session waits to be read. The demo has no model, so here is a recorded answer of a coding agent, replayed "
        "through the same interface. Cairn checks that the sentence it quotes was said, and by the person."
    )
    _read(stage, "claude", CLAUDE_SESSION)
    stage.say(
        "The curator compares the candidate with the pages there are, and opens a change request. It quotes the "
        "sentence that the page rests on."
    )
    stage.cairn("curate")
    request = request_of(stage, WEDDINGS)
    stage.cairn("change", "show", request)
    stage.cairn("change", "merge", request)


def it_says_otherwise(stage: Stage) -> None:
    stage.say(
        "Weeks later, with Codex: a couple did not turn up, and 200 loaves were thrown away. From now on it is 24 "
        "hours. That is about the same page, with another number in it."
    )
    _session(stage, "codex", "scratch/.codex/rollout-2.jsonl", "stop", "end")
    stage.say("Again, a recorded answer of a coding agent stands in for a model.")
    _read(stage, "codex", CODEX_SESSION)
    stage.say("The same words with another number need no model: that is a conflict, and a person decides.")
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


def _read(stage: Stage, host: str, session: str) -> None:
    """As a model would, from an answer that was recorded."""
    stage.write(f"{ANSWERS}/{session}.json", talk(f"wedding-{host}-answer.json", {}))
    stage.set(CAIRN_FRESHNESS_REPLAY=str(stage.folder / ANSWERS))
    stage.cairn("session", "propose", session, "--provider", "replay")


def _session(stage: Stage, host: str, transcript: str, *events: str) -> None:
    """What the host writes, and what it calls; the rest usually happens in the background."""
    filled = {"{folder}": str(stage.folder), "{at}": datetime.now(UTC).isoformat(timespec="milliseconds")}
    stage.write(transcript, talk(f"wedding-{host}.jsonl", filled))
    for event in events:
        told = f"wedding-{host}-{event}.json"
        stage.write(f"scratch/{told}", talk(told, filled))
        stage.cairn("hook", _EVENTS[event], reads=f"scratch/{told}")
    stage.cairn("hook", "drain")
