"""`cairn search`: find the pages that answer a question."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.scan import run
from cairn.cli.complete import complete
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, terminal_width
from cairn.cli.width import cut, safe, width
from cairn.errors import StoreLocked
from cairn.retrieve.query import Filters

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.retrieve.explain import Explanation
    from cairn.retrieve.find import Answer, Hit


@define(
    "search",
    help="Find the pages that answer a question, best first, each with the passage that does. Says so when none does.",
    examples=(
        ('cairn search "how do I refund a customer?"', "a question, or just words"),
        ("cairn search 'refund \"money back\" prov* -oven'", "a phrase, a beginning, a word to leave out"),
        ("cairn search cents --type decision --path docs/", "the same as `cents type:decision path:docs/`"),
    ),
    exits=(0, 2),
)
@argument("query", nargs=-1, required=True, help="Words, a question, phrases in quotes; see docs/search.md.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    shell_complete=complete("kinds"),
    help="Of this kind; a,b for either.",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="TAG",
    shell_complete=complete("tags"),
    help="With this tag or topic; a,b for either.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPE",
    shell_complete=complete("kinds"),
    help="Type or kind of a page: lesson, decision …",
)
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB", help="`docs/*` or `docs/`, from the root of the workspace."
)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    metavar="STATUS",
    shell_complete=complete("statuses"),
    help="How far it is trusted: alpha, stable …",
)
@click.option("--limit", type=click.IntRange(min=1), default=10, metavar="N", help="At most so many (10).")
@click.option("--all", "everything", is_flag=True, help="Also pages that have little of what was asked.")
@click.option("--explain", "explained", is_flag=True, help="Say why each page stands where it stands.")
@click.option("--no-scan", is_flag=True, help="As the last scan left it.")
def command(ctx: Invocation, query: tuple[str, ...], **given: Any) -> int:
    from cairn.app.searching import changed_since_scan, run_search

    names = ("kinds", "tags", "types", "paths", "statuses")
    filters = Filters(*(tuple(part for value in given[name] for part in value.split(",") if part) for name in names))
    with closing(ctx.app()) as app:
        looked = not given["no_scan"] and _brought_up_to_date(ctx, app)
        answer = run_search(app, " ".join(query), filters, limit=given["limit"], everything=given["everything"])
        changed = () if looked else changed_since_scan(app.store, answer)
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


def _for_people(ctx: Invocation, answer: "Answer", changed: tuple[str, ...], *, explained: bool) -> None:
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


def _afterwards(answer: "Answer", changed: tuple[str, ...]) -> list[str]:
    found = []
    if answer.total > len(answer.hits):
        more = "--limit shows more" if answer.fits else "--all shows the others"
        found.append(f"{len(answer.hits)} of {answer.total}{' or more' * answer.more} pages; {more}")
    if answer.withheld:
        found.append(f"{answer.withheld} in quarantine, not shown")
    if changed:
        found.append(f"{safe(changed[0])} has changed since the last scan; search without --no-scan")
    return found


def _print_hit(out: Output, hit: "Hit", *, explained: bool) -> None:
    room = terminal_width(out.stdout) if out.stdout.isatty() else None
    place = f"{hit.path}:{hit.excerpt.line}"
    title = hit.title if hit.excerpt.heading in ("", hit.title) else f"{hit.title} › {hit.excerpt.heading}"
    label = hit.type or hit.kind
    head = f"{out.style(safe(place), 'cyan')}  {out.style(safe(title), 'bold')}  {out.style(safe(label), 'dim')}"
    out.data(cut(head, max(room, width(place))) if room else head)  # never without the line's number
    if hit.standing.words:
        words = f"    {out.style(safe(hit.standing.words), 'yellow')}"
        out.data(cut(words, room) if room else words)
    out.data("    " + _marked(out, hit, room - 4 if room else None))
    if explained:
        _print_explanation(out, hit.fit, hit.explanation)


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


def _print_explanation(out: Output, fit: float, why: "Explanation") -> None:
    out.data(f"    score {why.score:.2f}, fit {fit:.2f} (anywhere {why.anywhere:.2f}, together {why.together:.2f})")
    for found in why.found:
        where = f"{', '.join(found.fields)} ({found.times}×)" if found.fields else "not here"
        out.data(f"      {safe(found.shown)}: weight {found.weight:.2f}, on {found.pages:,} pages; {where}")


# --- for programs ---------------------------------------------------------------------------------------------------


def _json(answer: "Answer", changed: tuple[str, ...], *, explained: bool) -> dict[str, Any]:
    return {
        "fits": answer.fits,
        "hits": [_hit_json(hit, explained=explained) for hit in answer.hits],
        "total": answer.total,
        "more": answer.more,
        "withheld": answer.withheld,
        "ignoredWords": list(answer.query.ignored),
        "guesses": dict(answer.guesses),
        "changedSinceScan": list(changed),
        "notes": list(answer.query.notes),
    }


def _hit_json(hit: "Hit", *, explained: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "path": hit.path,
        "line": hit.excerpt.line,
        "title": hit.title,
        "heading": hit.excerpt.heading,
        "kind": hit.kind,
        "type": hit.type,
        "summary": hit.summary,
        "excerpt": hit.excerpt.text,
        "marks": [list(mark) for mark in hit.excerpt.marks],
        "fit": hit.fit,
        "trust": {"status": hit.status, "says": hit.standing.words},
        "freshness": {"lastReviewed": hit.last_reviewed, "review": hit.review},
        "sources": list(hit.sources),
    }
    return {**out, "explanation": _explanation_json(hit.explanation)} if explained else out


def _explanation_json(why: "Explanation") -> dict[str, Any]:
    found = [
        {"shown": f.shown, "pages": f.pages, "weight": f.weight, "fields": list(f.fields), "times": f.times}
        for f in why.found
    ]
    return {"score": why.score, "anywhere": why.anywhere, "together": why.together, "found": found}
