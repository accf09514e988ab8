"""`cairn freshness bump-version`: which version a corpus has after what was merged."""

from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.freshness_gates import read_input
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.changes.bump_version import Bump, Plan
    from cairn.changes.requests import HeldChange, PublishResult


@define(
    "bump-version",
    help="Say which version a corpus gets. A line `BREAKING CHANGE:` is major, a title `feat(knowledge):` minor, and "
    "everything else a patch. Without options it counts what was merged and no bump has counted yet; with --apply it "
    "opens a change request for the file `VERSION` of the corpus, or brings the open one up to date.",
    examples=(
        ("cairn freshness bump-version --apply", "for everything that was merged since the last bump"),
        ("cairn freshness bump-version --title 'feat(knowledge): cover retries'", "what one change would do"),
        ("git log -z --reverse --format=%B v1.2.0.. | cairn freshness bump-version --replay -", "what many would do"),
    ),
    exits=(0, 1, 2, 5),
)
@click.option("--title", metavar="TEXT", help="Of one change.")
@click.option("--body", metavar="TEXT", help="Of the same change.")
@click.option("--count", type=click.IntRange(min=1), default=1, metavar="N", help="So many patches at once.")
@click.option("--replay", metavar="FILE", help="Commit messages, oldest first, with NUL between them; - reads stdin.")
@click.option("--file", metavar="PATH", help="The version's file; the one of the corpus when there is only one.")
@click.option("--apply", "apply", is_flag=True, help="Open a change request that raises it.")
def command(ctx: Invocation, **given: Any) -> int:
    from cairn.changes.bump_version import plan, version_file
    from cairn.changes.requests import publish_bump

    _one_choice(given)
    app = ctx.app()
    planned = plan(app, version_file(app, _file(ctx, given["file"])), _bumps(ctx, given))
    done = publish_bump(app, planned) if given["apply"] else None
    if ctx.json:
        ctx.out.emit_json(_json(planned, done))
    else:
        _for_people(ctx, planned, done, replay=bool(given["replay"]))
    return int(_held(done) is not None)


def _one_choice(given: dict[str, Any]) -> None:
    if given["replay"] and (given["title"] or given["body"]):
        raise UsageError("Give --title and --body of one change, or --replay for many.")
    if (given["body"] or given["count"] > 1) and not given["title"]:
        raise UsageError("--body and --count are about one change; give its --title too.")


def _file(ctx: Invocation, given: str | None) -> str | None:
    from cairn.changes.check_changes import relative_to

    return None if given is None else relative_to(ctx.root(), ctx.directory, given)


def _bumps(ctx: Invocation, given: dict[str, Any]) -> "list[Bump] | None":
    from cairn.changes.bump_version import bump_of, counted, replayed, split_messages

    if given["replay"]:
        return replayed(split_messages(read_input(ctx, given["replay"]).decode("utf-8", "replace")))
    if given["title"]:
        return counted(bump_of(given["title"], given["body"] or ""), given["count"])
    return None


def _held(done: "PublishResult | HeldChange | None") -> str | None:
    from cairn.changes.requests import HeldChange

    return done.reason if isinstance(done, HeldChange) else None


def _json(planned: "Plan", done: "PublishResult | HeldChange | None") -> dict[str, Any]:
    from cairn.changes.bump_version import plan_json
    from cairn.changes.request_lifecycle import request_value
    from cairn.changes.requests import PublishResult

    request = request_value(done.request) if isinstance(done, PublishResult) else None
    return {**plan_json(planned), "request": request, "held": _held(done)}


def _for_people(ctx: Invocation, planned: "Plan", done: "PublishResult | HeldChange | None", *, replay: bool) -> None:
    from cairn.changes.requests import PublishResult

    kinds = [bump.kind for bump in planned.bumps]
    word = "replayed" if replay or len(kinds) != 1 else "bump"
    ctx.out.data(f"current: {planned.current}")
    ctx.out.data(f"{word}: {', '.join(kinds) or 'nothing'}")
    ctx.out.data(f"next: {planned.next}")
    for bump in planned.bumps:
        if bump.notice:
            ctx.out.warn(f"{safe(bump.title)}: {bump.notice}")
    if isinstance(done, PublishResult):
        ctx.out.say(f"{done.request.id} {'is merged' if done.landed else 'waits for you'}: {safe(done.request.title)}")
    elif reason := _held(done):
        ctx.out.warn(f"no request was opened: {safe(reason)}")
