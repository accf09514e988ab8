"""`cairn search`: find the pages and notes that answer a question."""

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, Final

import click

from cairn.cli.arguments import from_root
from cairn.cli.complete import complete
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, cut, safe, terminal_width, width
from cairn.cli.scan_run import run
from cairn.core.search_query import Filters
from cairn.errors import StoreLocked, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.retrieve.find import Hit, SearchAnswer
    from cairn.retrieve.rank import Explanation
    from cairn.retrieve.read_page import NoteFacts

_FIELDS: Final = {"name": "path", "body": "text"}
"""As people say it."""
_FIELDS_OF_A_NOTE: Final = {**_FIELDS, "summary": "tags or target"}


@define(
    "search",
    help="Find the pages and notes that answer a question, best first, each with the passage that does. Says so when "
    "none does.",
    examples=(
        ('cairn search "how do I refund a customer?"', "a question, or just words"),
        ("cairn search 'refund \"money back\" prov* -oven'", "a phrase, a beginning, a word to leave out"),
        ("cairn search cents --type decision --path docs/", "the same as `cents type:decision path:docs/`"),
    ),
    exits=(0, 2),
)
@argument("query", nargs=-1, required=True, help="Search for words, a question, or phrases in quotes.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    shell_complete=complete("kinds"),
    help="Search only this kind; a,b for either.",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="TAG",
    shell_complete=complete("tags"),
    help="Search only this tag or topic; a,b for either.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPE",
    shell_complete=complete("kinds"),
    help="Search only this type: lesson, decision …",
)
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Search only these paths, such as `docs/`.")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    metavar="STATUS",
    shell_complete=complete("statuses"),
    help="Search only pages of this status: alpha, stable …",
)
@click.option("--also", multiple=True, metavar="WORDS", help="Ask the question in other words, too.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, metavar="N", help="Print at most N results. Default: 10."
)
@click.option(
    "--notes",
    type=click.Choice(["none", "usual", "all"]),
    default="usual",
    help="Choose which notes of agents to include.",
)
@click.option("--near", multiple=True, metavar="PATH", help="Prefer pages near this file.")
@click.option("--no-near", is_flag=True, help="Ignore which files you edit.")
@click.option("--all", "everything", is_flag=True, help="Include weak hits, copies and past pages.")
@click.option("--explain", "explained", is_flag=True, help="Explain the rank of each page.")
@click.option("--no-scan", is_flag=True, help="Use the last scan, without a new one.")
def command(ctx: Invocation, query: tuple[str, ...], **given: Any) -> int:
    from cairn.retrieve.factors import begun_around
    from cairn.retrieve.query_log import told_search
    from cairn.retrieve.search import SearchOptions, changed_since_scan, run_search

    names = ("kinds", "tags", "types", "paths", "statuses")
    filters = Filters(*(tuple(part for value in given[name] for part in value.split(",") if part) for name in names))
    if given["near"] and given["no_near"]:
        raise UsageError("--near and --no-near say opposite things; leave one of them out")
    with closing(ctx.app(reads=True)) as app, ExitStack() as begun:
        near = None if given["no_near"] else [from_root(ctx, app.root, path) for path in given["near"]]
        around = None if near is None else begun.enter_context(begun_around(app, near))
        looked = not given["no_scan"] and _brought_up_to_date(ctx, app)
        locked = not (looked or given["no_scan"])
        wanted = SearchOptions(given["limit"], given["everything"], given["notes"], near, around, given["also"], locked)
        answer = run_search(app, " ".join(query), filters, wanted)
        changed = () if looked else changed_since_scan(app.store, answer)
        told_search(app, " ".join(query), answer, surface="cli")
    if ctx.json:
        ctx.out.emit_json(_json(answer, changed, explained=given["explained"]))
    else:
        _for_people(ctx, answer, changed, explained=given["explained"])
    return 0


def _brought_up_to_date(ctx: Invocation, app: "App") -> bool:
    """Whoever looks something up shall not fail because somebody else writes."""
    try:
        run(ctx, app)
    except StoreLocked:
        ctx.out.say("note: another process is writing; searched as the last scan left it")
        return False
    return True


# --- for people -----------------------------------------------------------------------------------------------------


def _for_people(ctx: Invocation, answer: "SearchAnswer", changed: tuple[str, ...], *, explained: bool) -> None:
    for note in answer.query.notes:
        ctx.out.say(f"note: {note}")
    for typed, word in answer.guesses:
        ctx.out.say(f'note: nobody here wrote "{safe(typed)}"; looked for "{word}" instead')
    if not answer.hits:
        ctx.out.data(f"Nothing {'that passes the filters' if answer.filtered else 'here'} has any of these words.")
    elif not answer.fits:
        ctx.out.data("Nothing here fits well; this comes closest:")
    for hit in answer.hits:
        _print_hit(ctx.out, hit, explained=explained)
    for sentence in _afterwards(answer, changed):
        ctx.out.say(sentence)


def _afterwards(answer: "SearchAnswer", changed: tuple[str, ...]) -> list[str]:
    found = []
    if answer.total > len(answer.hits):
        more = "--limit shows more" if answer.fits else "--all shows the others"
        found.append(f"{len(answer.hits)} of {answer.total}{' or more' * answer.more} hits; {more}")
    if answer.left_out and not answer.fits:
        documents = f"{answer.left_out:,} document{'' if answer.left_out == 1 else 's'}"
        found.append(f"{documents} left out by scope (`--all` includes {'it' if answer.left_out == 1 else 'them'})")
    if answer.withheld:
        found.append(f"{answer.withheld} in quarantine, not shown")
    if changed:
        found.append(f"{safe(changed[0])} has changed since the last scan; search without --no-scan")
    return found


def _print_hit(out: Output, hit: "Hit", *, explained: bool) -> None:
    room = terminal_width(out.stdout) if out.stdout.isatty() else None
    place = hit.path if hit.note else f"{hit.path}:{hit.excerpt.line}"
    title = hit.title if hit.excerpt.heading in ("", hit.title) else f"{hit.title} › {hit.excerpt.heading}"
    parts = [out.style(safe(place), "cyan"), out.style(safe(title), "bold"), out.style(safe(_label(hit)), "dim")]
    head = "  ".join(part for part in parts if part != parts[1] or not _says_its_title(hit))
    out.data(cut(head, max(room, width(place))) if room else head)  # never without the line's number
    for sentence in hit.banner:
        words = f"    {out.style(safe(sentence), 'yellow')}"
        out.data(cut(words, room) if room else words)
    start = "    > " if hit.fence else "    "
    out.data(start + _marked(out, hit, room - len(start) if room else None))
    for line in hit.excerpt.code.split("\n") if hit.excerpt.code else ():
        code = f"    {'> ' if hit.fence else ''}  {safe(line)}"
        out.data(cut(code, room) if room else code)
    if hit.alike:
        alike = f"    +{len(hit.alike)} like it: {safe(', '.join(hit.alike))}"
        out.data(cut(alike, room) if room else alike)
    if explained:
        _print_explanation(out, hit)


def _says_its_title(hit: "Hit") -> bool:
    """The title of a note is the beginning of what it says, and need not be read twice."""
    return hit.note is not None and hit.excerpt.text.startswith(hit.title.removesuffix("…"))


def _label(hit: "Hit") -> str:
    """Of a note also who said it, and when."""
    if hit.note is None:
        from cairn.core.model.graph import shown_kind

        return hit.type or shown_kind(hit.kind)
    kind = "note" if hit.type in (None, "turn_note") else f"note, {hit.type}"
    failed = f" of {hit.note.target}" if hit.note.target else ""  # it may have been found by that alone
    return f"{kind}{failed}, {hit.note.agent}, {hit.note.at[:10]}"


def _marked(out: Output, hit: "Hit", room: int | None) -> str:
    """Bold on a terminal, between `**` elsewhere; on a terminal as much as one line holds, from the first mark on."""
    text, marks = hit.excerpt.text, hit.excerpt.marks
    start = 0
    if room and width(text) > room and marks and marks[0][0] > room // 2:
        start = text.rfind(" ", 0, marks[0][0] - room // 3) + 1
    shown, at = ("… " if start else ""), start
    for begin, end in marks:
        if begin >= start:
            shown += safe(text[at:begin]) + _mark(out, safe(text[begin:end]), bold=room is not None)
            at = end
    shown += safe(text[at:])
    return cut(shown, room) if room else shown


def _mark(out: Output, text: str, *, bold: bool) -> str:
    return out.style(text, "bold") if bold else f"**{text}**"


def _print_explanation(out: Output, hit: "Hit") -> None:
    why, shown = hit.explanation, _FIELDS_OF_A_NOTE if hit.note else _FIELDS
    out.data(f"    fit {hit.fit:.2f}: it has {why.anywhere:.0%} of what was asked, {why.together:.0%} of it together")
    for found in why.found:
        places = (f"{shown.get(field, field)}{f' ({found.times}×)' * (field == 'body')}" for field in found.fields)
        where = ", ".join(places) or "not here"
        among = f"{'in' if found.noted else 'on'} {found.pages:,} {'note' if found.noted else 'page'}"
        among += "s" * (found.pages != 1)
        out.data(f"      {safe(found.shown)}: weight {found.weight:.2f}, {among}; {where}")
    out.data(f"    score {why.score:.3f} = {' × '.join(f'{one.value:.3f}' for one in why.factors)}")
    for factor in why.factors:
        out.data(f"      {factor.name} {factor.value:.3f}: {safe(factor.why)}")


# --- for programs ---------------------------------------------------------------------------------------------------


def _json(answer: "SearchAnswer", changed: tuple[str, ...], *, explained: bool) -> dict[str, Any]:
    return {
        "fits": answer.fits,
        "hits": [_hit_json(hit, explained=explained) for hit in answer.hits],
        "total": answer.total,
        "more": answer.more,
        "withheld": answer.withheld,
        "leftOut": answer.left_out,
        "ignoredWords": list(answer.query.ignored),
        "guesses": dict(answer.guesses),
        "changedSinceScan": list(changed),
        "notes": list(answer.query.notes),
    }


def _hit_json(hit: "Hit", *, explained: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "id": hit.path,
        "path": None if hit.note else hit.path,
        "line": None if hit.note else hit.excerpt.line,
        "title": hit.title,
        "heading": hit.excerpt.heading,
        "kind": hit.kind,
        "type": hit.type,
        "summary": hit.summary,
        "excerpt": hit.excerpt.text,
        "marks": [list(mark) for mark in hit.excerpt.marks],
        "code": hit.excerpt.code,
        "fit": hit.fit,
        "trust": {"status": hit.status, "says": hit.standing.words},
        "banner": list(hit.banner),
        "fenced": bool(hit.fence),
        "freshness": {"lastReviewed": hit.last_reviewed, "review": hit.review},
        "sources": list(hit.sources),
        "alike": list(hit.alike),
        "note": _note_json(hit.note) if hit.note else None,
    }
    return {**out, "explanation": _explanation_json(hit.explanation)} if explained else out


def _note_json(note: "NoteFacts") -> dict[str, Any]:
    return {
        "turn": note.turn,
        "agent": note.agent,
        "session": note.session or None,
        "at": note.at,
        "seenCount": note.said,
        "visibility": "low" if note.low else "normal",
        "target": note.target or None,
        "taint": note.taint or None,
    }


def _explanation_json(why: "Explanation") -> dict[str, Any]:
    found = [
        {"shown": f.shown, "pages": f.pages, "weight": f.weight, "fields": list(f.fields), "times": f.times}
        for f in why.found
    ]
    factors = [factor._asdict() for factor in why.factors]
    return {
        "score": why.score,
        "factors": factors,
        "anywhere": why.anywhere,
        "together": why.together,
        "found": found,
    }
