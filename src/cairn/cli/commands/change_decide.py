"""`cairn change label|approve|merge|close|reopen|revert`: what a person decides about a change request."""

import click

from cairn.cli.define import CairnCommand, argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.requests import ID, emit, say_gates
from cairn.errors import UsageError


@define(
    "label",
    help="Put labels on a change request or take them off; the gates then look again. A label remembers who set it, "
    "and gates ignore those that the change's own origin has set.",
    examples=(
        ("cairn change label c-1f2e --add reviewed", "put one on"),
        ("cairn change label c-1f2e --remove reviewed", "take it off"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
@click.option("--add", multiple=True, metavar="NAME", help="Put this label on; may be repeated.")
@click.option("--remove", multiple=True, metavar="NAME", help="Take this label off; may be repeated.")
def label_command(ctx: Invocation, id: str, add: tuple[str, ...], remove: tuple[str, ...]) -> int:
    from cairn.changes.requests import label

    if not (add or remove):
        raise UsageError("name a label with --add or --remove")
    if not all(name.strip() == name and name.isprintable() and name for name in add):
        raise UsageError("a label is a word or a few, without blanks around it")
    request = label(ctx.app(), id, add=add, remove=remove)
    if ctx.json:
        emit(ctx, request)
    else:
        names = ", ".join(f"{label.name} ({label.setter})" for label in request.labels) or "none"
        ctx.out.say(f"{request.id}: labels {safe(names)}")
        say_gates(ctx, request)
    return 0


@define(
    "approve",
    help="Say that you have looked at a change request and stand behind it. It is not merged by that.",
    examples=(
        ("cairn change approve c-1f2e", "under the name that git knows you by"),
        ("cairn change show c-1f2e", "afterwards: who approved it"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("id", help=ID)
def approve_command(ctx: Invocation, id: str) -> int:
    from cairn.changes.requests import approve

    request = approve(ctx.app(), id)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.say(f"{request.id} is approved by {safe(', '.join(request.approved_by))}")
    return 0


@define(
    "merge",
    help="Bring a change request into its base branch. The gates look first. Where the branch has moved on, the change "
    "is put on top of it. A work tree that has the branch checked out moves along, if the files are untouched there.",
    examples=(
        ("cairn change merge c-1f2e", "take it"),
        ("cairn change merge c-1f2e --json", "and tell a program where it landed"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
def merge_command(ctx: Invocation, id: str) -> int:
    from cairn.changes.requests import merge

    merged = merge(ctx.app(), id)
    if ctx.json:
        more = {"commit": merged.commit, "rebased": merged.rebased, "moved": list(merged.moved)}
        emit(ctx, merged.request, **more)
        return 0
    request = merged.request
    on_top = ", on top of what had come since" if merged.rebased else ""
    ctx.out.say(f"{request.id} is in `{safe(request.base_branch)}` now as {merged.commit[:9]}{on_top}")
    for top in merged.moved:
        ctx.out.say(f"the checkout in {safe(top)} moved along")
    return 0


@define(
    "close",
    help="Decline a change request. It is kept and can be opened again.",
    examples=(
        ("cairn change close c-1f2e", "it is not wanted"),
        ("cairn change close c-1f2e --reason 'not true here'", "with the reason"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("id", help=ID)
@click.option("--reason", default="", metavar="TEXT", help="Why; kept with it.")
def close_command(ctx: Invocation, id: str, reason: str) -> int:
    from cairn.changes.requests import close

    request = close(ctx.app(), id, reason=reason)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.say(f"{request.id} is closed; `cairn change reopen {request.id}` opens it again")
    return 0


@define(
    "reopen",
    help="Open a change request again that was closed.",
    examples=(
        ("cairn change reopen c-1f2e", "after all"),
        ("cairn change list --state closed", "which there are"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
def reopen_command(ctx: Invocation, id: str) -> int:
    from cairn.changes.requests import reopen

    request = reopen(ctx.app(), id)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.say(f"{request.id} is open again")
        say_gates(ctx, request)
    return 0


@define(
    "revert",
    help="Make a change request that takes a merged one back. Merge that to have it undone.",
    examples=(
        ("cairn change revert c-1f2e", "what it changed, the other way round"),
        ("cairn change list --state merged", "which there are"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
def revert_command(ctx: Invocation, id: str) -> int:
    from cairn.changes.requests import revert

    request = revert(ctx.app(), id)
    if ctx.json:
        emit(ctx, request)
    else:
        ctx.out.say(f"{request.id} takes {request.reverts} back; `cairn change merge {request.id}` does it")
        say_gates(ctx, request)
    return 0


COMMANDS: tuple[CairnCommand, ...] = (
    label_command,
    approve_command,
    merge_command,
    close_command,
    reopen_command,
    revert_command,
)
