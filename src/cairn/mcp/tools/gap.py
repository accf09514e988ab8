"""`gap`: something that nobody has written about."""

from cairn.core.ledger_events import tell
from cairn.errors import UsageError
from cairn.knowledge.topics import LONGEST, normalize_topic
from cairn.mcp.tools.tool import Arguments, Tool, ToolAnswer, ToolCallContext, text


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    topic = normalize_topic(given["topic"])[:LONGEST].strip("-")
    if not topic:
        raise UsageError("`topic` needs a word or a few, such as “rate limits”.")
    payload = {
        "topic": topic,
        "source": "agent_search",
        "agent_excerpt": given.get("excerpt"),
        "session": call.caller.session,
    }
    told = tell(call.app, "knowledge_gap_signal", payload)
    return ToolAnswer({"signal": told.id, "topic": topic}, f"Counted: nobody has written about `{topic}` yet.")


GAP = Tool(
    "gap",
    "Signal a missing topic",
    "Say that knowledge is missing which should be here, after a search found nothing that fits. Signals are counted; "
    "enough of them make a draft.",
    takes={"topic": text("A few words", 200), "excerpt": text("What you were looking for", 200)},
    needs=("topic",),
    gives={"signal": text(), "topic": text()},
    answer=answer,
    writes=True,
    repeatable=False,
)
