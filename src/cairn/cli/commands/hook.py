"""`cairn hook`: what agent hosts call, and the step that follows on its own."""

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe


@define(
    "hook",
    help="Called by agent hosts, with their JSON on stdin: session-start, prompt, stop, stop-failure, interrupt, "
    "pre-compact, session-end. Records a pointer to the turn, answers in the host's own format, and always ends with "
    "0; mishaps go to .cairn/hook-errors.log. `cairn hook drain` is the step that it starts on its own: it reads the "
    "pointers and writes notes and session logs, and ends with 1 when a part of that failed.",
    examples=(
        ("cairn hook stop", "what `cairn agent install` writes into a host's settings"),
        ("cairn hook drain", "write what still waits, now and in front of you"),
    ),
    exits=(0, 1, 2),
    timed=False,
)
@argument("event", help="session-start, prompt, stop, stop-failure, interrupt, pre-compact, session-end, or drain.")
@click.option("--host", metavar="HOST", help="claude, codex, cursor or opencode; else it is recognised.")
@click.option("--only", type=click.Choice(["briefing"]), help="With drain: just make the next briefing.")
def command(ctx: Invocation, event: str, host: str | None, only: str | None) -> int:
    if event != "drain":  # only with options in front: else `__main__` has seen to it
        return _by_host(ctx, event, host)
    from cairn.app.open_workspace import open_internally
    from cairn.config.load import refuse_foreign
    from cairn.workspace.drain import brief, drain_all

    root = ctx.root()
    refuse_foreign(root)  # before the lock, which is a file in there
    told = (brief if only else drain_all)(root, lambda: open_internally(root, env=ctx.env))
    if ctx.json:
        ctx.out.emit_json(told.json())
        return int(bool(told.errors))
    ctx.out.say(told.sentence())
    for error in told.errors:
        ctx.out.warn(safe(error))
    return int(bool(told.errors))


def _by_host(ctx: Invocation, event: str, host: str | None) -> int:
    import os

    from cairn.hook import main

    if ctx.directory.is_dir():
        os.chdir(ctx.directory)
    return main([event, *(["--host", host] if host else [])], ctx.env)
