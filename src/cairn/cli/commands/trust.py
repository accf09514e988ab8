"""`cairn trust`: which pages have earned how much trust, and why."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands import trust_orders, trust_simulate, trust_votes
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import bring_up_to_date
from cairn.cli.trusting import PAGE, artefact_value, page_at, when

if TYPE_CHECKING:
    from cairn.trust.overview import TrustOverview
    from cairn.trust.tick import TickResult
    from cairn.trust.why import Why


@define(
    "status",
    help="Count the pages by status, and list those that wait for a person.",
    examples=(("cairn trust status", "how things are"), ("cairn trust status --json", "for a program")),
    exits=(0, 2),
)
def status_command(ctx: Invocation) -> int:
    from cairn.trust.overview import overview

    with closing(ctx.app(reads=True)) as app:
        bring_up_to_date(ctx, app)
        found = overview(app)
    if ctx.json:
        problems = [problem._asdict() for problem in found.problems]
        ctx.out.emit_json({**found._asdict(), "problems": problems})
        return 0
    for line in _overview_lines(found):
        ctx.out.data(line)
    counts = ", ".join(f"{number:,} {status}" for status, number in found.statuses.items())
    told = f"{found.artefacts:,} tracked ({counts})" if found.artefacts else "no page is tracked"
    ctx.out.say(f"{told}, {found.untracked:,} untracked; preset {found.preset}")
    return 0


def _overview_lines(found: "TrustOverview") -> list[str]:
    groups = (
        ("on hold", found.on_hold, "cairn trust why PAGE"),
        ("in quarantine", found.quarantined, "cairn trust reinstate PAGE"),
        ("hidden", found.hidden, "cairn trust why PAGE"),
        ("waiting for a merge", found.waiting, "cairn change list"),
    )
    lines = [f"{what}: {safe(path)}  ({command})" for what, paths, command in groups for path in paths]
    return [*lines, *(f"rule {one.rule}: {safe(one.path)}: {safe(one.message)}" for one in found.problems)]


@define(
    "why",
    help="Explain the status of a page: what is missing for the next one, who objects, and what happens next.",
    examples=(
        ("cairn trust why knowledge/limits.md", "why is this still alpha?"),
        ("cairn trust why knowledge/limits.md --json", "the same as data"),
    ),
    exits=(0, 2, 5),
)
@argument("page", help=PAGE)
def why_command(ctx: Invocation, page: str) -> int:
    from cairn.trust.maintain import Desk
    from cairn.trust.overview import why

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        row = Desk(app).artefact(page_at(ctx, app, page).path)
        found = why(app, row)
    if ctx.json:
        ctx.out.emit_json(_why_value(found))
        return 0
    ctx.out.data(
        f"{safe(row.artefact)}: {row.status}, version {row.version}, revision {row.rev} since {when(row.since_ms)}"
    )
    if found.target and found.missing:
        ctx.out.data(f"missing for {found.target}:")
    for one in found.missing:
        ctx.out.data(f"  {one.words}")
    for objection in found.against:
        said = f"  {objection.verdict} by {objection.source} {objection.voter}, {when(objection.at_ms)}"
        ctx.out.data(f"{said}: {safe(objection.reason)}" if objection.reason else said)
    ctx.out.data(found.next)
    return 0


def _why_value(found: "Why") -> dict[str, Any]:
    return {
        "artefact": artefact_value(found.artefact),
        "target": found.target or None,
        "missing": [one.json() for one in found.missing],
        "against": [one.json() for one in found.against],
        "measures": found.measures,
        "decision": {"transition": str(found.decision.transition), "to": str(found.decision.to)},
        "next": found.next,
    }


@define(
    "history",
    help="List what happened to a page: ballots, promotions, rollbacks, and orders of people.",
    examples=(
        ("cairn trust history knowledge/limits.md", "its whole life"),
        ("cairn trust history limits --json", "as data"),
    ),
    exits=(0, 2, 5),
)
@argument("page", help=PAGE)
def history_command(ctx: Invocation, page: str) -> int:
    from cairn.trust.overview import history

    with closing(ctx.app(reads=True)) as app:
        bring_up_to_date(ctx, app)
        path = page_at(ctx, app, page).path
        found = history(app, path)
    if ctx.json:
        ctx.out.emit_json({"artefact": path, "events": [event.json() for event in found]})
        return 0
    rows = [
        (
            when(event.at_ms),
            event.what,
            event.by,
            f"r{event.rev}" if event.rev else "",
            event.status,
            safe(event.reason),
        )
        for event in found
    ]
    ctx.out.table(rows, header=("when", "what", "by", "revision", "status", "why"))
    if not found:
        ctx.out.say("nothing has happened to it")
    return 0


@define(
    "tick",
    help="Promote, roll back and withdraw pages as the ballots say, with one change request for each. A second tick "
    "has nothing to do; one that was killed is finished by the next.",
    examples=(
        ("cairn trust tick --dry-run", "what would it do?"),
        ("cairn trust tick", "do it; run this from a scheduler"),
    ),
    exits=(0, 1, 2, 3),
)
@click.option("-n", "--dry-run", is_flag=True, help="Print the plan, and record nothing.")
def tick_command(ctx: Invocation, dry_run: bool) -> int:
    from cairn.trust.tick import tick

    app = ctx.app()
    if dry_run:
        from cairn.app.rehearsal import Rehearsal

        app = Rehearsal(app)
    with closing(app):
        bring_up_to_date(ctx, app)
        done = tick(app, dry_run=dry_run)
    if ctx.json:
        ctx.out.emit_json(_tick_value(done, dry_run=dry_run))
    else:
        _print_tick(ctx, done, dry_run=dry_run)
    return 1 if any(step.held for step in done.landing if not step.request) else 0


def _tick_value(done: "TickResult", *, dry_run: bool) -> dict[str, Any]:
    return {
        "dryRun": dry_run,
        "artefacts": done.artefacts,
        "observed": [{"path": e.row.artefact, "transition": e.row.transition} for e in done.observed],
        "evidence": [{"path": b.artefact.artefact, "source": b.source, "verdict": b.verdict} for b in done.evidence],
        "decided": [
            {
                "path": before.artefact,
                "transition": event.row.transition,
                "from": before.status,
                "to": event.row.status,
                "version": event.row.version,
                "anchor": before.anchor,
                "reason": event.reason,
            }
            for before, event in done.decided
        ],
        "changes": [step._asdict() for step in done.landing],
        "reviews": list(done.reviews),
    }


def _print_tick(ctx: Invocation, done: "TickResult", *, dry_run: bool) -> None:
    for event in done.observed:
        ctx.out.detail(f"{event.row.transition}: {safe(event.row.artefact)} is {event.row.status}")
    for before, event in done.decided:
        to = event.row.status
        ctx.out.data(f"{event.row.transition}: {safe(before.artefact)} {before.status} → {to} ({event.reason})")
    for step in done.landing:
        what = "merged" if step.landed else "opened" if step.request else "would open" if dry_run else "held"
        why = f": {safe(step.held)}" if step.held else ""
        ctx.out.data(f"{what} {step.request or 'a request'} ({safe(step.title)}){why}")
    for id in done.reviews:
        ctx.out.data(f"opened the review {id}")
    moves, ballots = len(done.decided), len(done.evidence)
    told = f"{done.artefacts:,} tracked, {ballots:,} new {'ballot' if ballots == 1 else 'ballots'} from evidence"
    ctx.out.say(f"{told}, {moves:,} {'decision' if moves == 1 else 'decisions'}")


command = define_group(
    "trust",
    [
        trust_orders.enroll_command,
        trust_votes.validate_command,
        tick_command,
        status_command,
        why_command,
        history_command,
        trust_orders.quarantine_command,
        trust_orders.reinstate_command,
        trust_votes.probe_command,
        trust_orders.check_command,
        trust_simulate.simulate_command,
    ],
    help="Show which pages have earned how much trust, and let ballots decide.",
    examples=(
        ("cairn trust enroll knowledge", "start a corpus at alpha"),
        ("cairn trust tick", "promote and withdraw what the ballots say"),
        ("cairn trust why knowledge/limits.md", "why is this still alpha?"),
    ),
    exits=(0, 1, 2, 3, 5),
)
