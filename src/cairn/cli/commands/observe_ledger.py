"""`cairn observe ledger`: look at the ledger, check it, and bring several together."""

import json
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe, write_all
from cairn.cli.paging import say_more
from cairn.cli.save_output import STDOUT, force_option, refuse_to_replace
from cairn.errors import UsageError
from cairn.journal import EVENT_TYPES, iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.ledger_events import MergedLedger
    from cairn.core.ports.ledger import LedgerEventRow
    from cairn.observe.collect import CollectResult

_BEAT_SECONDS = 0.5
_COUNTED = 1_000
"""Older events are counted so far: a ledger may have a million."""
_SHOWN = 160
"""Characters of a payload in a list."""


# --- tail -----------------------------------------------------------------------------------------------------------


@define(
    "tail",
    help="Show the last events of the ledger, the newest at the end, with what was collected from elsewhere. With "
    "--follow, stay and show what comes; with --json then one object a line.",
    examples=(
        ("cairn observe ledger tail", "what happened lately"),
        ("cairn observe ledger tail --type knowledge_gap_signal --since 7d", "what was missed this week"),
        ("cairn observe ledger tail --follow", "what happens now"),
    ),
    timed=False,
)
@click.option("-n", "number", type=click.IntRange(min=0), default=20, show_default=True, help="How many.")
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the newest N.")
@click.option("--type", "kinds", multiple=True, metavar="TYPE", help="Only these; repeat it.")
@click.option("--since", metavar="SPAN|DAY", help="Not older than 24h, 7d, or a day such as 2026-01-31.")
@click.option("-f", "--follow", is_flag=True, help="Stay, and show what comes; ^C ends it.")
def tail_command(
    ctx: Invocation, number: int, offset: int, kinds: tuple[str, ...], since: str | None, follow: bool
) -> int:
    from cairn.cli.arguments import since_ms
    from cairn.core.ledger_events import with_payloads

    _must_be_types(kinds)
    if follow and offset:
        raise UsageError("--follow shows what comes, and --offset what was before; give one of them.")
    with closing(ctx.app(reads=True)) as app:
        oldest = None if since is None else since_ms(since, now_ms=app.clock.now_ms())
        app.index_ledger()
        end = offset + number
        found = list(app.store.events(types=kinds, since_ms=oldest, limit=end + _COUNTED))
        rows, more = list(with_payloads(app.ledger, found[offset:end]))[::-1], len(found[end:])
        if follow:
            return _follow(ctx, app, rows, kinds)
        if ctx.json:
            ctx.out.emit_json({"events": [_json(row) for row in rows], "more": more})
            return 0
        for row in rows:
            ctx.out.data(_line(row))
        if not rows:
            ctx.out.say("nothing like that is in the ledger")
        say_more(ctx, more, end, counted=_COUNTED)
    return 0


def _must_be_types(kinds: tuple[str, ...]) -> None:
    from cairn.lib.text.names import hint

    for kind in kinds:
        if kind not in EVENT_TYPES:
            meant = hint(kind, EVENT_TYPES, f"the types are {', '.join(EVENT_TYPES)}.")
            raise UsageError(f"There is no event type `{kind}`; {meant}", type=kind)


def _follow(ctx: Invocation, app: "App", rows: "list[LedgerEventRow]", kinds: tuple[str, ...]) -> int:
    from cairn.core.ledger_index import event_rows

    offsets = app.store.ledger_offsets()
    while True:
        for row in rows:
            ctx.out.data(json.dumps(_json(row), ensure_ascii=False) if ctx.json else _line(row))
        time.sleep(_BEAT_SECONDS)
        rows = []
        for file in app.ledger.files(collected=True):
            for block in app.ledger.blocks(file.name, min(offsets.get(file.key, 0), file.size)):
                offsets[file.key] = block.end
                rows += [row for row in event_rows(file.key, block) if not kinds or row.type in kinds]


def _json(row: "LedgerEventRow") -> dict[str, Any]:
    head = {"id": row.id, "type": row.type, "at": iso_utc(row.at_ms), "worktree": row.worktree, "file": row.file}
    return {**head, "payload": json.loads(row.payload)}


def _line(row: "LedgerEventRow") -> str:
    told = sorted(json.loads(row.payload).items(), key=lambda item: item[0] in _LAST)
    text = " ".join(f"{name}={_short(value)}" for name, value in told if value not in (None, "", [], {}))
    shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return safe(f"{iso_utc(row.at_ms)[:19].replace('T', ' ')}  {row.type}  {row.worktree}  {shown}")


_LAST = ("branch", "source", "project_id", "project", "producer", "schema_version", "hash", "fingerprint")
"""Fields that say least to a person."""


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    most = 12 if len(text) == 64 and text.isalnum() else 80
    return text if len(text) <= most else f"{text[: most - 1]}…"


# --- verify ---------------------------------------------------------------------------------------------------------


@define(
    "verify",
    help="Read every line of the ledger, its rotated and its collected files, and name those that are wrong: not JSON, "
    "fields that are not allowed, too long, an id twice or out of order. Ends with 1 when there are any. Notes, such "
    "as lines of a newer Cairn, don't count.",
    examples=(
        ("cairn observe ledger verify", "is all of it sound?"),
        ("cairn observe ledger verify --json", "the same for a program"),
    ),
    exits=(0, 1, 2),
)
def verify_command(ctx: Invocation) -> int:
    from cairn.workspace.verify_ledger import verify

    with closing(ctx.app(reads=True)) as app:
        checked = verify(app.ledger)
    if ctx.json:
        faults = [
            {"file": one.file, "line": one.line, "level": "error" if one.grave else "note", "text": one.text}
            for one in checked.faults
        ]
        totals = {"files": checked.files, "lines": checked.lines, "errors": checked.errors}
        ctx.out.emit_json({**totals, "faults": faults, "faultsOmitted": checked.omitted})
        return int(checked.errors > 0)
    for one in checked.faults:
        ctx.out.data(safe(f"{one.file}:{one.line}: {'' if one.grave else 'note: '}{one.text}"))
    if checked.omitted:
        ctx.out.data(f"… and {checked.omitted:,} more")
    wrong = f"{_many(checked.errors, 'fault')}" if checked.errors else "all is sound"
    ctx.out.say(f"{_many(checked.lines, 'line')} in {_many(checked.files, 'file')}: {wrong}")
    return int(checked.errors > 0)


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


# --- merge ----------------------------------------------------------------------------------------------------------


@define(
    "merge",
    help="Make one ledger of many: each event once, in the order of time. Takes files, repositories, and folders of "
    "either, in any order; the result is the same. Nothing is changed but the file that you name.",
    examples=(
        ("cairn observe ledger merge ../a ../b -o both.jsonl", "two repositories"),
        ("cairn observe ledger merge backups/ -o - | wc -l", "how many events there are"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("places", nargs=-1, required=True, metavar="FILE|DIR…", help="Ledgers, or where they are.")
@click.option("-o", "--output", required=True, metavar="FILE|-", help="Where to; - is standard output.")
@force_option
def merge_command(ctx: Invocation, places: tuple[str, ...], output: str, force: bool) -> int:
    from cairn.app.adapters_of_root import ledgers_at
    from cairn.changes.write import save
    from cairn.core.ledger_events import merge
    from cairn.observe.collect import merged_lines

    if ctx.json and output == STDOUT:
        raise UsageError("--json says what was done, so the events need a file; give -o FILE")
    refuse_to_replace(ctx, output, force=force)
    merged = merge(merged_lines([ctx.directory / place for place in places], ledgers_at))
    text = b"".join(merged.lines).decode()
    if output == STDOUT:
        write_all(ctx.out.stdout, text)
    else:
        save(ctx.directory, ctx.directory / output, text)
    return _merged(ctx, merged, output)


def _merged(ctx: Invocation, merged: "MergedLedger", output: str) -> int:
    if ctx.json:
        counts = {"duplicates": merged.duplicates, "malformed": merged.malformed, "newer": merged.newer}
        ctx.out.emit_json({"events": len(merged.lines), **counts, "file": output})
        return 0
    said = [f"{_many(merged.duplicates, 'line')} told of an event again" if merged.duplicates else ""]
    said += [f"left out {_many(merged.malformed, 'line')} that made no sense" if merged.malformed else ""]
    said += [f"left out {_many(merged.newer, 'line')} of a newer Cairn" if merged.newer else ""]
    ctx.out.say("; ".join([f"{_many(len(merged.lines), 'event')}", *filter(None, said)]))
    return 0


# --- collect --------------------------------------------------------------------------------------------------------


@define(
    "collect",
    help="Bring the events of other ledgers here, so that what agents in many projects miss can be seen together. "
    "Takes ledger files, repositories, and folders of either; only what is new is read. Lines are checked one by one "
    "and secrets are taken out; nothing is written elsewhere.",
    examples=(
        ("cairn observe ledger collect ../other-project", "from a repository"),
        ("cairn observe ledger collect ~/code", "from every workspace in a folder"),
        ("cairn observe ledger collect ledgers/*.jsonl", "from files that somebody sent"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("places", nargs=-1, required=True, metavar="SOURCE…", help="A file, a repository, or a folder of them.")
def collect_command(ctx: Invocation, places: tuple[str, ...]) -> int:
    from cairn.observe.collect import collect

    with closing(ctx.app()) as app:
        collection = collect(app, [Path(ctx.directory / place) for place in places])
    for name in collection.twins:
        ctx.out.warn(
            f"another folder writes as `{name}`, the name of this one; delete its .cairn/identity.json, "
            "and it gets a name of its own"
        )
    return _collected(ctx, collection)


def _collected(ctx: Invocation, collection: "CollectResult") -> int:
    refused = sum(sum(file.refused.values()) for file in collection.files)
    if ctx.json:
        files = [
            {"file": str(f.path), "taken": f.taken, "newer": f.newer, "refused": dict(f.refused)}
            for f in collection.files
        ]
        totals = {"new": collection.new, "refused": refused, "sameIdentity": list(collection.twins)}
        ctx.out.emit_json({**totals, "files": files})
        return 0
    for file in collection.files:
        if file.taken:
            ctx.out.data(safe(f"{file.path}: {_many(file.taken, 'event')}"))
        for why, number in sorted(file.refused.items()):
            ctx.out.warn(safe(f"{file.path}: left out {_many(number, 'line')}: {why}"))
        if file.newer:
            ctx.out.say(safe(f"{file.path}: kept {_many(file.newer, 'line')} of a newer Cairn, not read yet"))
    ctx.out.say(f"new here: {_many(collection.new, 'event')}" if collection.new else "nothing is new")
    return 0


command = define_group(
    "ledger",
    [tail_command, verify_command, merge_command, collect_command],
    help="Look at the ledger, check it, and bring several together.",
    examples=(
        ("cairn observe ledger tail", "what happened lately"),
        ("cairn observe ledger collect ../other-project", "bring the events of another project here"),
    ),
    exits=(0, 1, 2, 5),
)
