"""`cairn findings`: one list of what checks, audits and reports of jobs found."""

from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal

import click

from cairn.cli.arguments import since_ms
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe, severity_color
from cairn.cli.paging import Page, paged, say_more

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cairn.cli.output import Output
    from cairn.workspace.list_findings import ListedFinding

_SHOWN = 8
"""Digits of an id."""


@define(
    "list",
    help="List every finding that nobody acknowledged, the gravest first: of `cairn check`, of the last audits, and of "
    "the reports of jobs. Notes are counted; they are listed with -v, and where --kind asks for them.",
    examples=(
        ("cairn findings", "all that is open"),
        ("cairn findings --kind low-confidence --threshold 0.7", "doubtful reports"),
        ("cairn findings --since 7d --json", "of audits and reports of the last week, for a program"),
    ),
)
@click.option("--kind", "kinds", multiple=True, metavar="ID", help="Of this kind; may be repeated.")
@click.option("--since", metavar="TIME", help="Of audits and reports: from then on, a span such as 7d, or a day.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="N",
    help="A report with a lower confidence is a finding.",
)
@click.option("--security", is_flag=True, help="Only risks for those who read the documents.")
@click.option("--all", "everything", is_flag=True, help="Acknowledged ones, too.")
@paged
def list_command(
    ctx: Invocation,
    kinds: tuple[str, ...],
    since: str | None,
    threshold: float,
    security: bool,
    everything: bool,
    **page: Any,
) -> int:
    from cairn.workspace.list_findings import FindingsFilter, finding_value, list_findings

    with closing(ctx.app(reads=True)) as app:
        app.scanned_store()
        start = None if since is None else since_ms(since, now_ms=app.clock.now_ms())
        found = list_findings(app, FindingsFilter(kinds, start, threshold, security, everything))
    part = Page(**page)
    listed = found if ctx.json or ctx.verbosity or kinds else [one for one in found if not _is_note(one)]
    shown, more = part.of(ctx, listed)
    if ctx.json:
        ctx.out.emit_json({"findings": [finding_value(one) for one in shown], "more": more})
        return 0
    for one in shown:
        ctx.out.data("\n".join(_lines(ctx.out, one)))
    say_more(ctx, more, part.offset + len(shown))
    unlisted = len(found) > len(listed)
    ctx.out.say(_tally(found) + ("; notes are listed with -v" if unlisted else ""))
    return 0


def _is_note(one: "ListedFinding") -> bool:
    return str(one.severity) == "info"


def _lines(out: "Output", one: "ListedFinding") -> "Iterator[str]":
    """The problem, the evidence, the fix."""
    place = "" if one.path is None else f"  {one.path}" + (f":{one.line}" if one.line else "")
    state = " (acknowledged)" if one.acknowledged else ""
    word = {"warn": "warning", "info": "note"}.get(str(one.severity), str(one.severity))
    yield f"{out.style(word, severity_color(one.severity))} {one.id[:_SHOWN]}{state} {safe(one.kind + place)}"
    yield safe(f"    {one.title}")
    yield from (safe(f"    Evidence: {text}") for text in one.evidence)
    if one.note:
        yield safe(f"    Note: {one.note}")
    if one.fix:
        yield safe(f"    Fix: {one.fix}")


def _tally(found: "Sequence[ListedFinding]") -> str:
    words = {"error": ("error", "errors"), "warn": ("warning", "warnings"), "info": ("note", "notes")}
    counts = {name: sum(str(one.severity) == name for one in found) for name in words}
    said = [f"{number:,} {words[name][number != 1]}" for name, number in counts.items() if number]
    return ", ".join(said) or "no findings"


@define(
    "ack",
    help="Acknowledge a finding: it is not listed any more, until it becomes graver. The first digits of its id are "
    "enough. With --status open, take that back.",
    examples=(
        ("cairn findings ack 3fa9c1 --note 'an example of an attack'", "that one is fine"),
        ("cairn findings ack 3fa9c1 --status open", "it is not, after all"),
    ),
    exits=(0, 2, 5),
)
@argument("prefix", metavar="ID", help="Beginning of the finding's id.")
@click.option("--status", type=click.Choice(["acknowledged", "open"]), default="acknowledged", help="What it is now.")
@click.option("--note", metavar="TEXT", help="Why; at most 200 characters.")
def ack_command(ctx: Invocation, prefix: str, status: Literal["acknowledged", "open"], note: str | None) -> int:
    from cairn.workspace.list_findings import acknowledge_finding, finding_value

    with closing(ctx.app()) as app:
        app.scanned_store()
        found = acknowledge_finding(app, prefix, status=status, note=note)
    if ctx.json:
        value: Any = finding_value(found)
        ctx.out.emit_json(value)
        return 0
    ctx.out.say(safe(f"{found.id} is {status}: {found.title}"))
    return 0


command = define_group(
    "findings",
    [list_command, ack_command],
    help="List what `cairn check`, the last audits and the reports of jobs found, and acknowledge what you know of.",
    examples=(
        ("cairn findings", "all that is open"),
        ("cairn findings --security", "attempts to instruct readers, and other risks"),
        ("cairn findings ack 3fa9c1", "that one is fine"),
    ),
    exits=(0, 2, 5),
    bare=list_command,
    bare_options=True,
)
