"""`propose`: a new page or another wording, as a change request that people decide about."""

from cairn.changes.add_page import AddPageOptions
from cairn.core.model.change import Level
from cairn.errors import UsageError
from cairn.mcp.tools.tool import Arguments, Tool, ToolAnswer, ToolCallContext, choice, flag, maybe, text, texts
from cairn.retrieve.suggest_page import Author, PageSuggestion, suggest_amendment, suggest_page

_OF_A_PAGE = ("title", "body", "summary", "kind", "category", "new_category", "topics", "sources")
_LARGEST = 60_000


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    call.fresh()
    caller = call.caller
    author = Author(given["reason"], caller.agent, caller.session, outside=given.get("outside", False))
    if "id" in given:
        suggested = _amendment(call, given, author)
    else:
        suggested = _page(call, given, author)
    data = {
        "state": "held" if suggested.held else "open",
        "request": suggested.id,
        "id": suggested.path,
        "url": suggested.url,
        "held": suggested.held,
        "against": list(suggested.against),
    }
    return ToolAnswer(data, _sentence(suggested))


def _amendment(call: ToolCallContext, given: Arguments, author: Author) -> PageSuggestion:
    extra = [name for name in _OF_A_PAGE if name in given]
    if extra or "old" not in given or "new" not in given:
        raise UsageError("To amend a page give `id`, `old`, `new` and `reason`, and nothing else of a page.")
    return suggest_amendment(call.app, given["id"], given["old"], given["new"], author)


def _page(call: ToolCallContext, given: Arguments, author: Author) -> PageSuggestion:
    if "title" not in given or "body" not in given or "old" in given or "new" in given:
        raise UsageError("A new page needs `title` and `body`; to amend one, give its `id`, `old` and `new`.")
    wishes = AddPageOptions(
        title=given["title"],
        body=given["body"],
        summary=given.get("summary", ""),
        kind=given.get("kind"),
        category=given.get("category"),
        new_category=given.get("new_category", False),
        topics=tuple(given.get("topics", ())),
        sources=tuple(given.get("sources", ())),
    )
    return suggest_page(call.app, wishes, author)


def _sentence(suggested: PageSuggestion) -> str:
    if suggested.held:
        return f"Held back, nothing was opened: {suggested.held}. Write it down with `note`, so that it is not lost."
    blocked = " It cannot land like this" if suggested.level is Level.BLOCK else ""
    said = f"{blocked or ' Gates say'}: {' '.join(suggested.against)}" if suggested.against else ""
    return f"Change request {suggested.id} is open for {suggested.path}; a person decides.{said}"


PROPOSE = Tool(
    "propose",
    "Propose a change of knowledge",
    "Suggest a new page (title, body) or another wording of a passage (id, old, new), as a change request: checks run, "
    "a person decides. Search first; amend rather than add.",
    takes={
        "reason": text("Why, and how you know", 2000),
        "title": text("", 200),
        "body": text("Markdown, without frontmatter", _LARGEST),
        "summary": text("One sentence", 400),
        "kind": text("", 40),
        "category": text("", 100),
        "new_category": flag(),
        "topics": texts("", 20),
        "sources": texts("URLs, or `src/app.py#symbol`", 20),
        "id": text("The page to amend", 1000),
        "old": text("The passage, word for word", _LARGEST),
        "new": text("What it should say", _LARGEST),
        "outside": flag("It follows web pages, tool output or other people's text"),
    },
    needs=("reason",),
    gives={
        "state": choice("open", "held"),
        "request": maybe(),
        "id": text(),
        "url": maybe(),
        "held": maybe(),
        "against": texts(),
    },
    answer=answer,
    writes=True,
    reaches_out=True,
    otherwise="`search` finds pages by what they say.",
)
