"""`context`: what to know before beginning, for this repository, these files, or a step of the work."""

from cairn.app.build import App
from cairn.errors import UsageError
from cairn.graph.subgraph import spellings
from cairn.mcp.tools.tool import Arguments, Tool, ToolAnswer, ToolCallContext, number, text, texts
from cairn.retrieve.context import ContextOptions, context, why_empty


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    call.fresh()
    paths = tuple(_from_root(call.app, path) for path in given.get("paths", ()))
    wanted = ContextOptions(given.get("budget"), paths, given.get("step"), tuple(given.get("topics", ())))
    found = context(call.app, wanted)  # who asks wants knowledge; reminders come when a session begins
    said = found.text or why_empty(call.app, found)
    return ToolAnswer({"text": said, "tokens": found.tokens, "ids": [page["id"] for page in found.pages]}, said)


def _from_root(app: App, path: str) -> str:
    found = next(spellings(path, root=app.root, here=app.root), None)
    if found is None:
        raise UsageError("`paths` are files of this repository, from its root, such as `src/orders.py`.")
    return found


CONTEXT = Tool(
    "context",
    "What to know before you begin",
    "Approved rules, components and pages for the files that you work on, a line each. With `step` or `topics`: "
    "what pages about them say.",
    takes={
        "paths": texts("Files; else what is changed here", 50),
        "step": text("Of the work, such as review", 200),
        "topics": texts("", 20),
        "budget": number(50, 8000, "Tokens (800; 4000 for a step)"),
    },
    gives={"text": text(), "tokens": {"type": "integer"}, "ids": texts()},
    answer=answer,
)
