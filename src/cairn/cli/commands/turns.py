"""`cairn turns`: whether every turn of an agent left a trace, and what the traces say."""

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.capture.list_turns import BY, By, TrendRow, total, trend
from cairn.cli.arguments import since_ms, span_ms
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import say_more
from cairn.journal import iso_utc
from cairn.lib.text.sparkline import sparkline

if TYPE_CHECKING:
    from cairn.capture.list_turns import ListedTurn
    from cairn.capture.watchdog import Counts, Look

_PROJECT = re.compile(r"[0-9a-f]{64}")
"""The id of a project; its beginning is enough for a reader."""
OUTCOMES = ("completed", "skipped", "failed", "interrupted", "unaccounted")


# --- verify ---------------------------------------------------------------------------------------------------------


@define(
    "verify",
    help="Check that every turn ended with a note, a stated reason for none, a failure or an interruption. Names the "
    "turns that did not, and those that ended badly. Ends with 0 when all are accounted for, 1 when some are missing, "
    "2 when nobody can tell.",
    examples=(
        ("cairn turns verify", "the last seven days"),
        ("cairn turns verify --since 24h --grace 2m", "a day, and turns older than two minutes"),
    ),
    exits=(0, 1, 2),
)
@click.option("--since", default="7d", metavar="SPAN|DAY", help="How far back: 24h, 7d (the default), 2026-01-31.")
@click.option("--grace", metavar="SPAN", help="How old a turn without an outcome must be (capture.grace_minutes).")
def verify_command(ctx: Invocation, since: str, grace: str | None) -> int:
    from cairn.capture.settle_turns import settle_abandoned
    from cairn.capture.watchdog import grace_ms_of, look_at_turns, unreadable_lines

    with closing(ctx.app(reads=True)) as app:
        settle_abandoned(app)
        now_ms = app.clock.now_ms()
        begin = since_ms(since, now_ms=now_ms)
        patience = grace_ms_of(app) if grace is None else span_ms(grace, "--grace")
        look = look_at_turns(app, since_ms=begin, grace_ms=patience)
        unread = 0 if _cannot_tell(look) else unreadable_lines(app, since_ms=begin)
    code = 2 if _cannot_tell(look) else 1 if look.missing else 2 if unread else 0
    if ctx.json:
        ctx.out.emit_json(_verify_json(look, begin, unread, code))
    else:
        _tell_verified(ctx, look, unread, since)
    return code


def _cannot_tell(look: "Look") -> bool:
    return any(issue.kind == "unreadable" for issue in look.issues)


def _tell_verified(ctx: Invocation, look: "Look", unread: int, since: str) -> None:
    for issue in look.issues:
        if issue.kind == "unreadable":
            ctx.out.fail(safe(issue.text))
            return
    if not look.counts.eligible and not look.waiting:
        ctx.out.data(f"no turns since {since}" if "-" in since else f"no turns in the last {since}")
    else:
        ctx.out.data(f"{_counted(look.counts)}{f'; {look.waiting:,} still under way' if look.waiting else ''}")
    if look.badly:
        ctx.out.data(f"{len(look.badly):,} ended badly:")
        ctx.out.table([[safe(r.turn_id), r.outcome, _when(r.eligible_at_ms), safe(r.reason)] for r in look.badly])
    if look.missing:
        ctx.out.data(f"{len(look.missing):,} missing:")
        ctx.out.table([[safe(r.turn_id), safe(r.source), _when(r.eligible_at_ms), safe(r.error)] for r in look.missing])
    if unread:
        lines = "1 line" if unread == 1 else f"{unread:,} lines"
        ctx.out.warn(
            f"{lines} of the ledger cannot be understood and may be about turns; "
            "`cairn observe ledger verify` names them"
        )


def _counted(counts: "Counts") -> str:
    accounted = counts.eligible - counts.unaccounted
    parts = f"{counts.completed:,} noted, {counts.skipped:,} skipped, {counts.failed:,} failed"
    stopped = f", {counts.interrupted:,} interrupted" if counts.interrupted else ""
    return f"{accounted:,} of {counts.eligible:,} turns accounted for: {parts}{stopped}"


def _verify_json(look: "Look", begin: int, unread: int, code: int) -> dict[str, Any]:
    from cairn.capture.list_turns import ListedTurn, turn_json

    ratio = look.counts.ratio
    return {
        "verdict": {0: "fine", 1: "drift", 2: "unknown"}[code],
        "since": iso_utc(begin),
        "counts": {
            **look.counts._asdict(),
            "waiting": look.waiting,
            "ratio": None if ratio is None else round(ratio, 4),
        },
        "sources": {source: counts._asdict() for source, counts in look.sources.items()},
        "missing": [turn_json(ListedTurn(row)) for row in look.missing],
        "endedBadly": [turn_json(ListedTurn(row)) for row in look.badly],
        "issues": [issue.payload() for issue in look.issues],
        "unreadableLines": unread,
    }


# --- trend ----------------------------------------------------------------------------------------------------------


@define(
    "trend",
    help="Show how turns ended, by day or by whose they were, and within which time 95 of 100 had their outcome.",
    examples=(
        ("cairn turns trend", "the last 14 days"),
        ("cairn turns trend --by stage --days 30", "by stage of a loop"),
    ),
)
@click.option("--by", type=click.Choice(BY), default="day", help="What the rows are.")
@click.option("--days", type=click.IntRange(min=1, max=366), default=14, metavar="N", help="How far back (14).")
@click.option("--source", default="", metavar="NAME", help="Only of this source.")
def trend_command(ctx: Invocation, by: By, days: int, source: str) -> int:
    from cairn.capture.list_turns import window_rows
    from cairn.capture.watchdog import grace_ms_of

    with closing(ctx.app(reads=True)) as app:
        now_ms, grace = app.clock.now_ms(), grace_ms_of(app)
        begin = (now_ms // 86_400_000 - days + 1) * 86_400_000
        turns = [row for row in window_rows(app, begin) if not source or row.source == source]
    rows = trend(turns, by=by, days=days, now_ms=now_ms, grace_ms=grace)
    overall = total(turns, days=days, now_ms=now_ms, grace_ms=grace)
    if ctx.json:
        ctx.out.emit_json({"by": by, "days": days, "rows": [row.json() for row in rows], "total": overall.json()})
    elif not turns:
        ctx.out.data(f"no turns in the last {days} days")
    else:
        _print_trend(ctx, by, rows, overall)
    return 0


def _print_trend(ctx: Invocation, by: By, rows: list[TrendRow], overall: TrendRow) -> None:
    ctx.out.data(f"{sparkline(overall.days)}  {_counted(overall.counts)}")
    header = (
        by,
        "eligible",
        "noted",
        "skipped",
        "failed",
        "missing",
        "interrupted",
        "p95",
        *(("days",) if by != "day" else ()),
    )
    shown = [row for row in rows if by != "day" or row.counts.eligible or row.key >= _first(rows)]
    ctx.out.table([_trend_cells(row, by) for row in shown], header=header)


def _first(rows: list[TrendRow]) -> str:
    """Days before the first turn say nothing."""
    return next((row.key for row in rows if row.counts.eligible), "")


def _trend_cells(row: TrendRow, by: By) -> list[str]:
    numbers = [f"{number:,}" for number in row.counts]
    line = [sparkline(row.days)] if by != "day" else []
    return [safe(row.key), *numbers, _lag(row.lag_p95_ms), *line]


def _lag(milliseconds: int | None) -> str:
    from cairn.cli.output import elapsed

    return "–" if milliseconds is None else elapsed(milliseconds / 1000)


# --- list, show, clear ----------------------------------------------------------------------------------------------


@define(
    "list",
    help="List turns with what became of them, newest first; with words, the notes that have them, best first. Notes "
    "that score little are shown with --low.",
    examples=(
        ("cairn turns list --source claude --since 24h", "a day of one host"),
        ("cairn turns list --type lesson utf-8 importer", "lessons about that"),
        ("cairn turns list --outcome unaccounted", "turns that nobody accounted for"),
    ),
)
@argument("words", nargs=-1, help="Words that a note must have.")
@click.option("--text", "more", multiple=True, metavar="WORDS", help="The same as the argument.")
@click.option("--source", default="", metavar="NAME", help="Of this producer.")
@click.option("--agent", default="", metavar="NAME", help="Of this agent.")
@click.option("--session", default="", metavar="ID", help="Of this session.")
@click.option("--stage", default="", metavar="NAME", help="Of this stage of a loop.")
@click.option("--project", default="", metavar="NAME", help="Of this project.")
@click.option("--type", default="", metavar="TYPE", help="Notes of this type: lesson, decision …")
@click.option("--outcome", type=click.Choice(OUTCOMES), default=None, help="That ended so.")
@click.option("--low", is_flag=True, help="Also notes of low visibility.")
@click.option("--since", default=None, metavar="SPAN|DAY", help="24h, 7d, 2026-01-31.")
@click.option("--limit", type=click.IntRange(min=1), default=50, metavar="N", help="At most so many (50).")
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Pass over so many.")
def list_command(ctx: Invocation, words: tuple[str, ...], more: tuple[str, ...], **given: Any) -> int:
    from cairn.capture.list_turns import COUNTED, ListTurnsOptions, list_turns, turn_json

    since, outcome = given.pop("since"), given.pop("outcome")
    with closing(ctx.app(reads=True)) as app:
        begin = since_ms(since, now_ms=app.clock.now_ms()) if since else 0
        asked = tuple(" ".join((*words, *more)).split())
        page = list_turns(app, ListTurnsOptions(**given, outcome=outcome or "", words=asked, since_ms=begin))
    found = page.turns
    if ctx.json:
        ctx.out.emit_json({"turns": [turn_json(listed) for listed in found], "more": page.more})
    elif not found:
        ctx.out.data("no turns" + (" that fit" if asked or begin or outcome or any(given.values()) else " yet"))
    else:
        ctx.out.table([_cells(listed) for listed in found], header=("when (UTC)", "turn", "outcome", "agent", ""))
        say_more(ctx, page.more, given["offset"] + len(found), counted=COUNTED)
    return 0


def _cells(listed: "ListedTurn") -> list[str]:
    turn, note = listed.turn, listed.note
    when = turn.eligible_at_ms if turn.eligible_at_ms is not None else turn.ended_at_ms
    if note is None:
        about = turn.reason + (f", as {turn.duplicate_of}" if turn.duplicate_of else "")
    else:
        marks = [note.type] if note.type != "turn_note" else []
        marks += [f"seen {listed.seen_count} times"] if listed.seen_count > 1 else []
        marks += ["low"] if note.low else []
        about = note.title + (f"  ({', '.join(marks)})" if marks else "")
    who = turn.agent if turn.agent == turn.source else f"{turn.source}/{turn.agent}"
    outcome = turn.outcome or ("under way" if turn.under_way else "none")
    return [_when(when), safe(turn.turn_id), outcome, safe(who), safe(about)]


def _when(ms: int | None) -> str:
    return "" if ms is None else iso_utc(ms)[:16].replace("T", " ")


@define(
    "show",
    help="Show one turn, with its note.",
    examples=(
        ("cairn turns show turn-4be9b0a1c7d2e3f4", "by its id, as `cairn turns list` prints it"),
        ("cairn turns show turn:claude:s1:u7 --json", "by that of its note"),
    ),
    exits=(0, 2, 5),
)
@argument("turn", help="Id of the turn, or of its note.")
def show_command(ctx: Invocation, turn: str) -> int:
    from cairn.capture.list_turns import show_turn

    with closing(ctx.app(reads=True)) as app:
        listed = show_turn(app, turn)
    return tell_turn(ctx, listed)


def tell_turn(ctx: Invocation, listed: "ListedTurn") -> int:
    from cairn.capture.list_turns import turn_json

    if ctx.json:
        ctx.out.emit_json(turn_json(listed))
    else:
        _print_turn(ctx, listed)
    return 0


def _print_turn(ctx: Invocation, listed: "ListedTurn") -> None:
    from cairn.capture.list_turns import turn_json

    facts = turn_json(listed)
    note = facts.pop("note")
    if note:
        ctx.out.data(ctx.out.style(safe(note["title"]), "bold"))
        if note["summary"] != note["title"]:
            ctx.out.data("\n".join(safe(line) for line in note["summary"].splitlines()))
    rows = [[_plain(name), safe(_text(value))] for name, value in facts.items() if value not in (None, False, 0)]
    more = [(n, v) for n, v in (note or {}).items() if n not in ("title", "summary", "id") and v not in (None, [], {})]
    ctx.out.table([*rows, *([_plain(name), safe(_text(value))] for name, value in more)])


def _plain(name: str) -> str:
    """`turnId` as people write it."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    text = str(value)
    return text[:12] if _PROJECT.fullmatch(text) else text


@define(
    "clear",
    help="Say that failed attempts at something are history, so that nobody is warned of them any more. Without that "
    "they are forgotten after seven days.",
    examples=(
        ("cairn turns clear 'deploy to staging'", "it works again"),
        ("cairn turns list --type failed_target", "what is still known to fail"),
    ),
    exits=(0, 2, 5),
)
@argument("target", help="What failed, as --target named it.")
def clear_command(ctx: Invocation, target: str) -> int:
    from cairn.capture.list_turns import clear_target
    from cairn.capture.turn_request import host_around

    with closing(ctx.app()) as app:
        number = clear_target(app, target, by=host_around(ctx.env) or "cli")
    if ctx.json:
        ctx.out.emit_json({"target": target, "cleared": number})
    else:
        ctx.out.data(f"{'1 failed attempt' if number == 1 else f'{number:,} failed attempts'} cleared")
    return 0


command = define_group(
    "turns",
    [verify_command, trend_command, list_command, show_command, clear_command],
    help="See whether every turn of an agent left a trace, and what the traces say.",
    examples=(
        ("cairn turns verify", "is every turn accounted for?"),
        ("cairn turns list --since 24h", "what turns brought"),
        ("cairn turns trend --by agent", "how it goes"),
    ),
    exits=(0, 1, 2, 5),
)
