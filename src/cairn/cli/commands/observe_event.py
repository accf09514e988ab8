"""`cairn observe event`: tell the ledger that something happened."""

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.observe_phase import after_phase
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import NotFound, UsageError
from cairn.journal import EVENT_TYPES, TOLD

if TYPE_CHECKING:
    from cairn.core.ledger_events import RecordedEvent

_LARGEST = 1024 * 1024
_OPTION = "field_"


@define(
    "event",
    help="Tell the ledger that something happened: a task claimed or completed, a decision, a blocker, a gap in what "
    "is known. Fields are checked, secrets are taken out, the branch is filled in. Each field is an option of its own, "
    "too: --topic, --pr-number. Without a TYPE, lists the types; with --fields, the fields of one.",
    examples=(
        ("cairn observe event progress_heartbeat --field note='tests are green'", "how far one is"),
        ("cairn observe event knowledge_gap_signal --topic rate-limits --source manual", "nobody wrote about this"),
        ("cairn observe event decision_recorded --from decision.json", "the fields from a file"),
    ),
    exits=(0, 2, 5),
    timed=False,
)
@argument("kind", metavar="[TYPE]", required=False, help="What happened.")
@click.option("--field", "given", multiple=True, metavar="KEY=VALUE", help="One field; repeat it, also for lists.")
@click.option("--from", "source", metavar="FILE|-", help="All fields as one JSON object.")
@click.option("--task-id", metavar="ID", help="The same as --field task_id=ID.")
@click.option("--branch", metavar="NAME", help="The same as --field branch=NAME; default: the one checked out.")
@click.option("--fields", is_flag=True, help="List the fields of TYPE, and record nothing.")
def command(
    ctx: Invocation,
    kind: str | None,
    given: tuple[str, ...],
    source: str | None,
    task_id: str | None,
    branch: str | None,
    fields: bool,
    **options: tuple[str, ...],
) -> int:
    from cairn.core.ledger_events import from_texts, must_be_told

    if kind is None:
        return _types(ctx, given or source or task_id or branch or fields or any(options.values()))
    must_be_told(kind)
    if fields:
        return _fields(ctx, kind)
    named = [("task_id", task_id), ("branch", branch)]
    pairs = [*map(_pair, given), *((name, value) for name, value in named if value is not None)]
    pairs += [(name.removeprefix(_OPTION), value) for name, values in options.items() for value in values]
    payload = {**(_object(ctx, source) if source else {}), **from_texts(kind, pairs)}
    from cairn.core.ledger_events import tell

    with closing(ctx.app()) as app:
        code = _said(ctx, tell(app, kind, payload))
        if kind == "phase_completed":
            after_phase(ctx, app, payload["phase"])
        return code


def _field_options() -> list[click.Option]:
    """An option for each field of the types that people tell; the help lists them with --fields."""
    names = {name for kind in TOLD for name in EVENT_TYPES[kind]} - {"task_id", "branch"}
    return [
        click.Option(
            [f"{_OPTION}{name}", f"--{name.replace('_', '-')}"], multiple=True, hidden=True, help=f"The field `{name}`."
        )
        for name in sorted(names)
    ]


command.params += _field_options()


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.strip():
        raise UsageError(f"--field wants KEY=VALUE, such as --field note=done, not '{text}'")
    return name.strip(), value


def _object(ctx: Invocation, source: str) -> dict[str, Any]:
    import json

    if source == "-":
        data = sys.stdin.buffer.read(_LARGEST + 1)
    else:
        try:
            with (ctx.directory / source).open("rb") as file:
                data = file.read(_LARGEST + 1)
        except (FileNotFoundError, IsADirectoryError):
            raise NotFound(f"There is no file `{source}`; check the path given to --from.") from None
        except OSError as error:
            raise UsageError(f"`{source}` cannot be read: {error.strerror}.") from None
    shown = "standard input" if source == "-" else f"`{source}`"
    if len(data) > _LARGEST:
        raise UsageError(f"{shown} is larger than an event can be; give a smaller object.")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shown} is not JSON ({str(error)[:120]}); it must be one object.") from None
    if not isinstance(value, dict):
        raise UsageError(f"{shown} must hold one JSON object with the fields of the event.")
    return value


# --- answers --------------------------------------------------------------------------------------------------------


def _said(ctx: Invocation, told: "RecordedEvent") -> int:
    if ctx.json:
        body = {"id": told.id, "type": told.type, "payload": told.payload}
        ctx.out.emit_json({**body, "droppedFields": list(told.dropped), "redactedFields": list(told.redacted)})
        return 0
    ctx.out.data(told.id)
    if told.dropped:
        names = ", ".join(f"`{name}`" for name in told.dropped)
        ctx.out.warn(safe(f"{told.type} has no field {names}, so that was left out; --fields lists what it has"))
    if told.redacted:
        ctx.out.say(safe(f"something private was taken out of {', '.join(told.redacted)}"))
    return 0


def _types(ctx: Invocation, more: object) -> int:
    from cairn.core.ledger_events import describe

    if more:
        raise UsageError(f"say what happened: {', '.join(TOLD)}")
    if ctx.json:
        ctx.out.emit_json({"types": [{"type": kind, "fields": _field_list(kind)} for kind in TOLD]})
        return 0
    rows = [[kind, ", ".join(name for name, needed, _ in describe(kind) if needed)] for kind in TOLD]
    ctx.out.table(rows, header=("type", "needs"))
    return 0


def _fields(ctx: Invocation, kind: str) -> int:
    if ctx.json:
        ctx.out.emit_json({"types": [{"type": kind, "fields": _field_list(kind)}]})
        return 0
    from cairn.core.ledger_events import describe

    rows = [[name, "needed" if needed else "", what] for name, needed, what in describe(kind)]
    ctx.out.table(rows, header=("field", "", "what"))
    return 0


def _field_list(kind: str) -> list[dict[str, Any]]:
    from cairn.core.ledger_events import describe

    return [{"field": name, "needed": needed, "what": what} for name, needed, what in describe(kind)]
