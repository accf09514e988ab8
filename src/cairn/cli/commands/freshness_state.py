"""`cairn freshness state`: what other clones can know of what runs have seen."""

from contextlib import closing
from typing import Any

from cairn.cli.define import define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.scan_run import run


@define(
    "show",
    help="Say what the ref refs/cairn/state of this repository holds, and how much of what is known here it does not "
    "hold yet. Asks nobody.",
    examples=(
        ("cairn freshness state show", "what a fresh clone would know"),
        ("cairn freshness state show --json", "the same, for a program"),
    ),
    exits=(0, 1, 2),
)
def show_command(ctx: Invocation) -> int:
    from cairn.freshness.sync_state import shown

    with closing(ctx.app(reads=True)) as app:
        run(ctx, app)
        state = shown(app)
    if ctx.json:
        ctx.out.emit_json(state)
    else:
        _for_people(ctx, state)
    return 0


def _for_people(ctx: Invocation, state: dict[str, Any]) -> None:
    where = f"{state['ref']} is at {state['commit'][:9]}" if state["commit"] else f"{state['ref']} is not there yet"
    ctx.out.data(f"{where}; `freshness.state` is {state['mode']}")
    waits = {**state["notYet"], "snapshots": None, "requests": None}
    rows = [[name, f"{number:,}", _number(waits[name])] for name, number in state["holds"].items()]
    ctx.out.table(rows, header=("what", "there", "only here"))
    if not state["remote"]:
        ctx.out.say("this repository has no remote `origin`, so it cannot travel")


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


@define(
    "pull",
    help="Fetch refs/cairn/state from origin and take in what it knows of sources, failed audits and change requests. "
    "What is newer here stays. A state that is damaged is refused as a whole.",
    examples=(
        ("cairn freshness state pull", "in a fresh clone"),
        ("cairn freshness state pull --json", "how much of it was new here"),
    ),
    exits=(0, 1, 2),
)
def pull_command(ctx: Invocation) -> int:
    from cairn.freshness.sync_state import pull

    with closing(ctx.app()) as app:
        pulled = pull(app, remote=True)
    if ctx.json:
        numbers = {**pulled.rows, "snapshots": pulled.snapshots, "requests": pulled.requests}
        ctx.out.emit_json({"commit": pulled.commit, "restored": numbers})
    elif pulled.commit is None:
        ctx.out.data("origin has no state yet; `cairn freshness state push` puts it there")
    else:
        parts = ", ".join(f"{number:,} {name}" for name, number in pulled.rows.items())
        more = f"{pulled.snapshots:,} snapshots, {pulled.requests:,} change requests"
        ctx.out.data(f"took in {parts}, {more}" if pulled.anything else "everything was known already")
    return 0


@define(
    "push",
    help="Put what is known here on top of what refs/cairn/state at origin says, and push it. The ref only ever grows: "
    "when somebody else was faster, what they said is taken in first.",
    examples=(
        ("cairn freshness state push", "for fresh clones and scheduled runs"),
        ("cairn freshness state push --json", "with the commit that origin has now"),
    ),
    exits=(0, 1, 2, 3),
)
def push_command(ctx: Invocation) -> int:
    from cairn.freshness.sync_state import push

    with closing(ctx.app()) as app:
        run(ctx, app)
        pushed = push(app, remote=True)
    if ctx.json:
        ctx.out.emit_json({"commit": pushed.commit, "moved": pushed.moved, "tries": pushed.tries})
    else:
        ctx.out.data(f"pushed {pushed.commit[:9]} to origin" if pushed.moved else "origin knows all of this already")
    return 0


command = define_group(
    "state",
    [show_command, pull_command, push_command],
    help="Let other clones know what runs have seen, on a ref of git.",
    examples=(
        ("cairn freshness state show", "what a fresh clone would know"),
        ("cairn freshness state pull", "take in what origin knows"),
    ),
    exits=(0, 1, 2, 3),
)
