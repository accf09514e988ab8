"""`cairn observe findings`, `ack` and `report`: what the last audits found, and what people say about it."""

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import Page, paged, say_more
from cairn.errors import NotFound

if TYPE_CHECKING:
    from cairn.core.model.lens import Finding


@define(
    "findings",
    help="List what the last audits found and nobody has acknowledged, the gravest first, without looking again.",
    examples=(
        ("cairn observe findings", "what is open"),
        ("cairn observe findings --all", "what was acknowledged, too"),
        ("cairn observe findings --severity P1 --json", "the grave ones, for a program"),
    ),
)
@click.option("--all", "everything", is_flag=True, help="What was acknowledged, too.")
@click.option("--lens", "lenses", multiple=True, metavar="ID", help="Only of this lens; repeat it.")
@click.option("--severity", type=click.Choice(["P0", "P1", "P2", "P3"]), help="As grave as this, or graver.")
@paged
def findings_command(
    ctx: Invocation, everything: bool, lenses: tuple[str, ...], severity: str | None, **page: Any
) -> int:
    from cairn.cli.findings import print_findings, tally
    from cairn.observe.acknowledge import findings_now

    with closing(ctx.app(reads=True)) as app:
        known = findings_now(app)
    listed = [one for one in known if _wanted(one, everything, lenses, severity)]
    part = Page(**page)
    shown, more = part.of(ctx, listed)
    if ctx.json:
        from cairn.observe.audit_result import finding_json

        ctx.out.emit_json({"findings": [finding_json(one) for one in shown], "more": more})
        return 0
    print_findings(ctx.out, shown)
    say_more(ctx, more, part.offset + len(shown))
    hidden = sum(one.status == "acknowledged" for one in known) if not everything else 0
    ctx.out.say(tally(listed) + (f"; {hidden:,} acknowledged, shown with --all" if hidden else ""))
    return 0


def _wanted(finding: "Finding", everything: bool, lenses: tuple[str, ...], severity: str | None) -> bool:
    if lenses and finding.lens not in lenses:
        return False
    return (everything or finding.status == "open") and (severity is None or finding.severity <= severity)


@define(
    "ack",
    help="Say that you know of a finding: it does not stand in the way any more, until it becomes graver. The first "
    "digits of its id are enough. With --status open, take that back.",
    examples=(
        ("cairn observe ack 3fa9c1 --note 'both hold, in different regions'", "that one is fine"),
        ("cairn observe ack 3fa9c1 --status open", "it is not, after all"),
    ),
    exits=(0, 2, 5),
)
@argument("prefix", metavar="ID", help="Beginning of the finding's id.")
@click.option("--status", type=click.Choice(["acknowledged", "open"]), default="acknowledged", help="What it is now.")
@click.option("--note", metavar="TEXT", help="Why; at most 200 characters.")
def ack_command(ctx: Invocation, prefix: str, status: str, note: str | None) -> int:
    from cairn.observe.acknowledge import acknowledge

    with closing(ctx.app()) as app:
        acked = acknowledge(app, prefix, status=status, note=note)
    if ctx.json:
        ctx.out.emit_json({"id": acked.id, "status": acked.status, "severity": acked.severity, "event": acked.event})
        return 0
    until = f", until it becomes graver than {acked.severity}" if status == "acknowledged" else ""
    ctx.out.say(safe(f"{acked.id} is {acked.status}{until}: {acked.title}"))
    return 0


@define(
    "report",
    help="Show the report of the last audit, or of the one whose id begins or ends as given.",
    examples=(
        ("cairn observe report", "the last one"),
        ("cairn observe report --list", "which there are"),
        ("cairn observe report 3fa9c1", "by the end of its id"),
    ),
    exits=(0, 2, 5),
)
@argument("report", required=False, metavar="[ID]", help="Beginning or end of the report's id.")
@click.option("--list", "listing", is_flag=True, help="Only the ids of all reports, the newest first.")
def report_command(ctx: Invocation, report: str | None, listing: bool) -> int:
    from cairn.observe.report_files import find_report, read_report, report_ids

    with closing(ctx.app(reads=True)) as app:
        if listing:
            return _ids(ctx, report_ids(app))
        id = find_report(app, report)
        data, text = read_report(app, id, ".json"), read_report(app, id, ".md")
    value = _parsed(id, data)
    if ctx.json:
        ctx.out.emit_json(value)
    else:
        for line in (text or data or b"").decode("utf-8", "replace").splitlines():
            ctx.out.data(safe(line))
    return 0


def _ids(ctx: Invocation, ids: list[str]) -> int:
    if ctx.json:
        ctx.out.emit_json({"reports": ids})
    for id in [] if ctx.json else ids:
        ctx.out.data(safe(id))
    return 0


def _parsed(id: str, data: bytes | None) -> Any:
    try:
        return json.loads(data or b"")
    except (ValueError, RecursionError):
        raise NotFound(f"The report {id} cannot be read as JSON; it may be damaged.", report=id) from None
