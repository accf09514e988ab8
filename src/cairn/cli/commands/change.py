"""`cairn change`: look at the changes that wait, and decide about them."""

from typing import Any

import click

from cairn.cli.commands import change_check, change_decide, change_review
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import Page, paged, say_more
from cairn.cli.requests import ID, emit, page, ruling_rows, summary_row

STATES = ("open", "ready", "merged", "closed", "reverted")


@define(
    "list",
    help="List change requests that wait for somebody, newest first.",
    examples=(
        ("cairn change list", "what waits"),
        ("cairn change list --all --limit 20", "also what is merged, closed or reverted"),
        ("cairn change list --state merged", "of one state"),
    ),
)
@click.option("--all", "everything", is_flag=True, help="Of every state.")
@click.option("--state", "states", multiple=True, type=click.Choice(STATES), help="Of this state; may be repeated.")
@paged
def list_command(ctx: Invocation, everything: bool, states: tuple[str, ...], **page: Any) -> int:
    from cairn.changes.request_lifecycle import request_value
    from cairn.core.model.change import RequestState

    app = ctx.app()
    wanted = [RequestState(state) for state in states] or (
        [] if everything else [RequestState.OPEN, RequestState.READY]
    )
    found, part = app.forge.requests(states=wanted), Page(**page)
    shown, more = part.of(ctx, found)
    if ctx.json:
        ctx.out.emit_json({"requests": [request_value(request) for request in shown], "more": more})
        return 0
    now_ms = app.clock.now_ms()
    rows = [summary_row(ctx.out, request, now_ms) for request in shown]
    ctx.out.table(rows, header=("id", "state", "gates", "age", "subject", "title"))
    say_more(ctx, more, part.offset + len(shown))
    if not found:
        ctx.out.say("no change request waits" if not (everything or states) else "there is none")
    return 0


@define(
    "show",
    help="Show everything about one change request: what the gates say, its labels, and who did what when.",
    examples=(
        ("cairn change show c-1f2e", "by the beginning of its id"),
        ("cairn change show c-1f2e --json", "with the evidence"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help=ID)
def show_command(ctx: Invocation, id: str) -> int:
    request = ctx.app().forge.request(id)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.data(page(ctx.out, request))
    return 0


@define(
    "diff",
    help="Print what a change request would change, as a unified diff.",
    examples=(
        ("cairn change diff c-1f2e", "look at it"),
        ("cairn change diff c-1f2e | git apply --check", "hand it on"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help=ID)
def diff_command(ctx: Invocation, id: str) -> int:
    forge = ctx.app().forge
    request = forge.request(id)
    diff = forge.diff(request.id)
    if ctx.json:
        ctx.out.emit_json({"id": request.id, "base": request.base, "head": request.head, "diff": diff})
    elif diff:
        lines = diff.removesuffix("\n").split("\n")
        ctx.out.data("\n".join(map(safe, lines)) if ctx.stdout_tty else "\n".join(lines))
    return 0


@define(
    "gates",
    help="Let the gates look at a change request again: those of the installed package, with the settings of the base "
    "branch. Ends with 1 when one of them blocks it.",
    examples=(
        ("cairn change gates c-1f2e", "may it land?"),
        ("cairn change gates c-1f2e --json", "with what each gate is based on"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
def gates_command(ctx: Invocation, id: str) -> int:
    from cairn.changes.requests import judge_again
    from cairn.core.model.change import Level

    request = judge_again(ctx.app(), id)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.table(ruling_rows(ctx.out, request.rulings), header=("gate", "says", "why"))
        ctx.out.say(f"{request.id}: {request.level.word}")
    return 1 if request.level is Level.BLOCK else 0


command = define_group(
    "change",
    [
        list_command,
        show_command,
        diff_command,
        gates_command,
        change_check.command,
        change_review.command,
        *change_decide.COMMANDS,
    ],
    help="Look at the changes that wait, and decide about them.",
    examples=(
        ("cairn change list", "what waits"),
        ("cairn change diff c-1f2e", "what it would change"),
        ("cairn change merge c-1f2e", "take it"),
    ),
    exits=(0, 1, 2, 3, 5),
)
