"""`cairn lock`: who is at work, and what to do when somebody died at it."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import NotFound, Refused

if TYPE_CHECKING:
    from cairn.core.ports.runtime import Holder


@define(
    "status",
    help="List the locks that are held, by whom, and which may be taken over. A lock whose process is gone is taken "
    "over by the next one that needs it; nothing has to be done about it.",
    examples=(("cairn lock status", "who is at work"), ("cairn lock status --json", "for a program")),
)
def status_command(ctx: Invocation) -> int:

    with closing(ctx.app()) as app:
        held = [found for locks in (app.locks, app.repository_locks) for found in locks.holders()]
    if ctx.json:
        ctx.out.emit_json({"locks": [_value(holder, stale) for holder, stale in held]})
        return 0
    rows = [
        [safe(h.name), str(h.pid), safe(h.host), _at(h.acquired_at_ms), safe(stale) or "at work"] for h, stale in held
    ]
    ctx.out.table(rows, header=("lock", "process", "host", "since", "state"))
    if not held:
        ctx.out.say("nobody holds a lock")
    return 0


def _at(ms: int) -> str:
    from cairn.journal import iso_utc

    return iso_utc(ms)[:19].replace("T", " ")


def _value(holder: "Holder", stale: str) -> dict[str, Any]:
    from cairn.journal import iso_utc

    return {
        "name": holder.name,
        "pid": holder.pid,
        "host": holder.host,
        "acquiredAt": iso_utc(holder.acquired_at_ms),
        "beatAt": iso_utc(holder.beat_at_ms),
        "ttlMs": holder.ttl_ms,
        "stale": stale or None,
    }


@define(
    "break",
    help="Take a lock away. One whose holder may still be at work needs --force: it will notice, and stop.",
    examples=(
        ("cairn lock break curate", "its process is gone"),
        ("cairn lock break curate --force", "it hangs, and I know better"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("name", help="As `cairn lock status` shows it.")
@click.option("--force", is_flag=True, help="Also one that is at work.")
def break_command(ctx: Invocation, name: str, force: bool) -> int:

    with closing(ctx.app()) as app:
        places = (app.locks, app.repository_locks)
        found = [one for locks in places for one in locks.holders() if one[0].name == name]
        if found and not found[0][1] and not force:
            who = f"process {found[0][0].pid} on {found[0][0].host}"
            raise Refused(f"`{name}` is held by {who}, which may be at work; add --force to take it away all the same.")
        if not any(locks.break_lock(name) for locks in places):
            raise NotFound(f"Nobody holds a lock `{name}`; `cairn lock status` shows those that are held.")
    if ctx.json:
        ctx.out.emit_json({"broken": name})
    else:
        ctx.out.say(f"took `{safe(name)}` away")
    return 0


command = define_group(
    "lock",
    [status_command, break_command],
    help="See who is at work, and take a lock away that was left behind.",
    examples=(("cairn lock status", "who is at work"), ("cairn lock break curate", "take one away")),
    exits=(0, 1, 2, 5),
)
