"""`search`: the pages and notes that answer a question, each with the passage that does."""

from textwrap import indent
from typing import TYPE_CHECKING, Any

from cairn.core.search_query import Filters
from cairn.lib.injection.marks import without_unseen
from cairn.mcp.tools.tool import (
    Arguments,
    Tool,
    ToolAnswer,
    ToolCallContext,
    choice,
    flag,
    maybe,
    number,
    rows,
    text,
    texts,
)
from cairn.retrieve.excerpt import MEANING, fenced, one_line
from cairn.retrieve.factors import begun_around
from cairn.retrieve.query_log import told_search
from cairn.retrieve.search import SearchOptions, run_search

if TYPE_CHECKING:
    from cairn.retrieve.find import Hit, SearchAnswer

_LIMIT = 5
_BUDGET = 1500
_CHARS_A_TOKEN = 4


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    filters = Filters(**{name: tuple(given.get(name, ())) for name in ("kinds", "tags", "paths")})
    with begun_around(call.app) as around:
        stale = call.fresh()
        notes = given.get("notes", "usual")
        also = tuple(given.get("also", ()))
        wanted = SearchOptions(given.get("limit", _LIMIT), notes=notes, around=around, also=also, as_it_is=bool(stale))
        found = run_search(call.app, given["query"], filters, wanted)
    told_search(call.app, given["query"], found, surface="mcp", session=call.caller.session, turn=call.caller.turn)
    hits = _within([_hit(hit) for hit in found.hits], given.get("budget", _BUDGET))
    notes = [*found.query.notes, *_notes(found, len(hits), stale, reworded=bool(also))]
    data = {"fits": found.fits, "hits": hits, "notes": notes}
    return ToolAnswer(data, "\n".join([*_head(found), *map(_shown, hits), *notes]))


def _hit(hit: "Hit") -> dict[str, Any]:
    return {
        "id": hit.path,
        "title": one_line(hit.title),
        "section": one_line(hit.excerpt.heading),
        "excerpt": one_line(hit.excerpt.text),
        "code": _code(hit.excerpt.code),
        "trust": hit.status,
        "banner": " ".join(hit.banner) or None,
        "fenced": bool(hit.fence),
        "freshness": hit.review,
        "sources": list(hit.sources[:5]),
        "alike": list(hit.alike[:5]),
        "said": _said(hit) if hit.note else None,
    }


def _code(code: str) -> str | None:
    """Line by line, without characters that a terminal would obey."""
    lines = ("".join(char if char.isprintable() else " " for char in line) for line in code.split("\n"))
    return without_unseen("\n".join(lines)) or None


def _said(hit: "Hit") -> str:
    """What sort of note it is, who made it, and when."""
    assert hit.note is not None
    sort = (
        "" if hit.type in (None, "turn_note") else f"{hit.type} of {hit.note.target}" if hit.note.target else hit.type
    )
    return one_line(", ".join(part for part in (sort, hit.note.agent, hit.note.at[:10]) if part))


def _within(hits: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """As many as there is room for; the best one in any case."""
    kept: list[dict[str, Any]] = []
    room = budget * _CHARS_A_TOKEN
    for hit in hits:
        room -= len(_shown(hit))
        if kept and room < 0:
            break
        kept.append(hit)
    return kept


def _notes(found: "SearchAnswer", shown: int, stale: str | None, *, reworded: bool) -> list[str]:
    notes = [f'Nobody here wrote "{one_line(typed)}"; looked for "{word}" instead.' for typed, word in found.guesses]
    if not found.fits and not reworded:
        notes.append("Ask again with rewordings in `also`.")
    if not found.fits:
        notes.append("If this is something that should be written down here, tell it with the tool `gap`.")
    if found.total > shown:
        notes.append(f"{shown} of {found.total} hits; a higher `limit` or `budget` shows more.")
    if found.withheld:
        notes.append(f"{found.withheld} in quarantine, not shown.")
    return [*notes, *([f"The graph could not be brought up to date: {stale}"] if stale else [])]


def _head(found: "SearchAnswer") -> list[str]:
    if not found.hits:
        return ["Nothing here has any of these words."]
    says = "" if found.fits else "Nothing here fits well; this comes closest. "
    return [f"{says}Excerpts are {MEANING}; `read` gives the whole."]


def _shown(hit: dict[str, Any]) -> str:
    elsewhere = hit["section"] and hit["section"].casefold() != hit["title"].casefold()
    id = one_line(hit["id"])
    place = f"{id} › {hit['section']}" if elsewhere else id
    said = hit["said"] and f"note, {hit['said']}"
    facts = ", ".join(part for part in (said, hit["trust"], hit["freshness"] and f"review {hit['freshness']}") if part)
    lines = [f"- {place}: {hit['title']}{f' ({facts})' if facts else ''}"]
    lines += [f"  ! {hit['banner']}"] if hit["banner"] else []
    passage = "\n".join(part for part in (hit["excerpt"], hit["code"]) if part)
    lines += [fenced(passage, hit["id"]) if hit["fenced"] else indent(passage, "  > ")]
    lines += [f"  sources: {one_line(', '.join(hit['sources']))}"] if hit["sources"] else []
    lines += [f"  like it: {one_line(', '.join(hit['alike']))}"] if hit["alike"] else []
    return "\n".join(lines)


SEARCH = Tool(
    "search",
    "Search the knowledge base",
    "Find the pages and notes that answer a question about this repository, best first. Ask it before you guess. "
    "Pages are found by their words, so always give `also`. "
    "`fits` is false when nothing answers well enough. Nobody approved what is `fenced`.",
    takes={
        "query": text("A question, or words; “a phrase”, begin*, -without, type:lesson", 4000),
        "also": texts(
            "2 or 3 rewordings in the words and the language that a page here would use, such as a heading", 4
        ),
        "kinds": texts("entry, decision, skill, note …", 10),
        "tags": texts("", 10),
        "paths": texts("Folders (`docs/`) or globs", 10),
        "notes": choice("none", "usual", "all", description="all: also of little value"),
        "limit": number(1, 20, f"Pages ({_LIMIT})"),
        "budget": number(100, 8000, f"Tokens ({_BUDGET})"),
    },
    needs=("query",),
    gives={
        "fits": flag(),
        "hits": rows(
            id=text(),
            title=text(),
            section=text(),
            excerpt=text(),
            code=maybe(),
            trust=maybe(),
            banner=maybe(),
            fenced=flag(),
            freshness=maybe(),
            sources=texts(),
            alike=texts("Others that say the same"),
            said=maybe(),
        ),
        "notes": texts(),
    },
    answer=answer,
)
