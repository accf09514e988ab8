"""`cairn forget`: take something out of everything that Cairn keeps, and prove that it is gone."""

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation, confirmed
from cairn.cli.output import safe
from cairn.errors import NotFound, Refused, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.workspace.forget.run import ForgetPlan, ForgetResult
    from cairn.workspace.forget.selection import ForgetTarget


@define(
    "forget",
    help="Take something out of everything that Cairn keeps here: the ledger, notes, logs of sessions, texts of "
    "sources, the database with its free space, refs of git, small files. Then every byte is searched again, in other "
    "case and encodings too. What is not Cairn's is named. Ends with 1 when it is still somewhere, with 5 when nothing "
    "was found.",
    examples=(
        ("cairn forget --literal -", "a text; typed or piped in, so that no shell remembers it"),
        ("cairn forget --session 5f1c --dry-run", "what would go with a session"),
        ("cairn forget --rescan --dry-run", "what newer rules find in older sessions and notes"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", help="Of turns, events, sessions or snapshots.", nargs=-1, metavar="[ID]...")
@click.option("--literal", metavar="TEXT", help="This text, however it is written; `-` reads it from standard input.")
@click.option("--pattern", metavar="REGEX", help="What a regular expression finds; `-` reads it likewise.")
@click.option("--session", metavar="ID", help="A session: its log, its turns, their notes.")
@click.option("--before", metavar="DATE", help="Events and logs from before that day (UTC).")
@click.option("--expired", is_flag=True, help="What is older, or takes more room, than the settings allow.")
@click.option("--rescan", is_flag=True, help="What `cairn scrub` finds today in what was stored before; it is masked.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would go, and change nothing.")
def command(
    ctx: Invocation,
    ids: tuple[str, ...],
    literal: str | None,
    pattern: str | None,
    session: str | None,
    before: str | None,
    expired: bool,
    rescan: bool,
    yes: bool,
    dry_run: bool,
) -> int:
    given = [ids or None, literal, pattern, session, before, expired or None, rescan or None]
    if sum(one is not None for one in given) != 1:
        raise UsageError(
            "Name one thing to forget: IDs, --literal, --pattern, --session, --before, --expired or --rescan."
        )
    with closing(ctx.app()) as app:
        if expired:
            return _expired(ctx, app, dry_run=dry_run)
        if rescan:
            from cairn.workspace.forget.selection import wanted_by_rules

            return _forget(ctx, app, wanted_by_rules(), yes=yes, dry_run=dry_run)
        wanted = _wanted(ctx, app, ids, literal, pattern, session, before)
        return _forget(ctx, app, wanted, yes=yes, dry_run=dry_run)


def _wanted(
    ctx: Invocation,
    app: "App",
    ids: tuple[str, ...],
    literal: str | None,
    pattern: str | None,
    session: str | None,
    before: str | None,
) -> "ForgetTarget":
    from cairn.workspace.forget.selection import wanted_before, wanted_ids, wanted_session, wanted_text

    if literal is not None or pattern is not None:
        return wanted_text(literal=_read(ctx, literal), pattern=_read(ctx, pattern))
    if session is not None:
        return wanted_session(app, session)
    return wanted_ids(app, ids) if before is None else wanted_before(before, now_ms=app.clock.now_ms())


def _read(ctx: Invocation, given: str | None) -> str | None:
    """One line, not shown while it is typed."""
    if given != "-":
        return given
    if ctx.interactive:
        typed: str = click.prompt("What is to be forgotten", hide_input=True, err=True)
        return typed
    return sys.stdin.read().rstrip("\r\n")


def _forget(ctx: Invocation, app: "App", wanted: "ForgetTarget", *, yes: bool, dry_run: bool) -> int:
    from cairn.workspace.forget.run import forget, plan

    found = plan(app, wanted)
    if not ctx.json:
        _show(ctx, found)
    if not found.anything and found.stays:
        return _told_left(ctx, wanted, forget(app, wanted))
    if not found.anything:
        raise NotFound(_nothing(found, wanted), notOurs=[one.json() for one in found.outside])
    if dry_run:
        return _told(ctx, {"dryRun": True, "reason": wanted.reason, **found.json()})
    if not confirmed(ctx, "Forget it? There is no way back.", yes=yes):
        raise Refused("Nothing was forgotten; say --yes to go ahead, or --dry-run to see what there is.")
    return _told_left(ctx, wanted, forget(app, wanted))


def _told_left(ctx: Invocation, wanted: "ForgetTarget", done: "ForgetResult") -> int:
    if ctx.json:
        proof = done.proof.json() | {"left": list(done.left)}
        ctx.out.emit_json({"dryRun": False, "reason": wanted.reason, **done.plan.json(), "proof": proof})
    else:
        _proof(ctx, done, masked=wanted.by_rules)
    return int(bool(done.left))


def _nothing(found: "ForgetPlan", wanted: "ForgetTarget") -> str:
    if wanted.by_rules:
        return "The rules find no secret and no personal data in what Cairn keeps here."
    if wanted.before:
        return "Nothing that Cairn keeps here is from before that."
    return "Nothing that Cairn keeps here holds it" + (", but for what is named above." if found.outside else ".")


def _told(ctx: Invocation, value: dict[str, object]) -> int:
    if ctx.json:
        ctx.out.emit_json(value)
    return 0


def _show(ctx: Invocation, found: "ForgetPlan") -> None:
    for held in found.held.values():
        ctx.out.data(safe(held.text))
    if found.begun:
        ctx.out.say("somebody was stopped while forgetting; this finishes it")
    if found.outside:
        ctx.out.say("not Cairn's to forget:")
    for one in found.outside:
        ctx.out.say(f"  {safe(one.what)}: {safe(one.why)}")


def _proof(ctx: Invocation, done: "ForgetResult", *, masked: bool) -> None:
    proof = done.proof
    searched = f"{proof.files:,} files ({proof.bytes:,} bytes), {proof.rows:,} rows, {proof.texts:,} unpacked texts"
    if done.left:
        for left in done.left:
            ctx.out.data(f"still there: {safe(left)}")
        ctx.out.say(f"searched {searched}")
    elif masked:
        ctx.out.data("masked; the rules find nothing more in the ledger, in logs of sessions and in small files")
    else:
        ctx.out.data(f"gone; searched {searched} and found nothing")


def _expired(ctx: Invocation, app: "App", *, dry_run: bool) -> int:
    from cairn.capture.retention import expire

    swept = expire(app, dry_run=dry_run)
    if ctx.json:
        ctx.out.emit_json({"dryRun": dry_run, "reason": "expired", "expired": swept.json()})
        return 0
    for text in swept.texts():
        ctx.out.data(f"{'would go' if dry_run else 'gone'}: {text}")
    if not swept.anything:
        ctx.out.say("nothing is older, or takes more room, than the settings allow")
    return 0
