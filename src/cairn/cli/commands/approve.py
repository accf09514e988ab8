"""`cairn approve`: lets pages into the briefings of agents."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import from_root
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import Page, paged, say_more
from cairn.cli.scan_run import bring_up_to_date
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.knowledge.approve import PageToApprove


@define(
    "approve",
    help="Approve pages of knowledge, so that agents are told of them when a session starts. Without arguments, "
    "list the pages that wait: first flagged pages, which have injection marks or in which a reader found a "
    "risk, then pages to read, which may give orders (`cairn judge --only review-security` has them read). "
    "Approvals are hashes in your state directory, never in the repository; a page that changes needs a new "
    "one. Your own plain `git commit` and `cairn change merge` approve it.",
    examples=(
        ("cairn approve", "after cloning: list what waits, flagged pages first"),
        ("cairn approve --all", "approve all of them but those that are flagged or to be read"),
        ("cairn approve knowledge/orders.md", "approve this page, also if it is flagged"),
    ),
    exits=(0, 2, 5),
)
@argument("paths", nargs=-1, help="Pages to approve.")
@click.option(
    "--all", "every", is_flag=True, help="Approve every page that waits and is neither flagged nor to be read."
)
@click.option("--revoke", is_flag=True, help="Take the approval of PATHS back.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be approved, and record nothing.")
@click.option("--no-scan", is_flag=True, help="As the last scan left it.")
@paged
def command(
    ctx: Invocation, paths: tuple[str, ...], every: bool, revoke: bool, dry_run: bool, no_scan: bool, **page: Any
) -> int:
    from cairn.knowledge.approve import approve_pages, pages_to_approve, revoke_pages
    from cairn.workspace.review_pages import with_reviews

    _check_usage(paths, every, revoke)
    with closing(ctx.app(reads=dry_run or not (paths or every))) as app:
        if not (paths or no_scan):
            bring_up_to_date(ctx, app)
        pages = with_reviews(app, pages_to_approve(app, [from_root(ctx, app.root, path) for path in paths]))
        if dry_run or not (paths or every):
            return _list(ctx, pages, Page(**page))
        done = revoke_pages(app, pages) if revoke else approve_pages(app, pages, named=bool(paths))
    return _report(ctx, done, pages, revoke=revoke)


def _check_usage(paths: tuple[str, ...], every: bool, revoke: bool) -> None:
    if every and paths:
        raise UsageError("Name paths, or use --all, not both.")
    if revoke and not paths:
        raise UsageError("Name the pages whose approval to revoke.")


def _list(ctx: Invocation, pages: "Sequence[PageToApprove]", part: Page) -> int:
    shown, more = part.of(ctx, pages)
    if ctx.json:
        waiting = [page.json() for page in shown]
        ctx.out.emit_json({"waiting": waiting, "more": more, "approved": [], "revoked": []})
        return 0
    for page in shown:
        ctx.out.data(safe(page.path))
        for mark in page.marks:
            ctx.out.data(f"  {ctx.out.style('flagged', 'yellow')} {mark.why}: {safe(mark.excerpt)}")
        if page.doubt:
            ctx.out.data(f"  {ctx.out.style('to read', 'yellow')}: {safe(page.doubt)}")
    say_more(ctx, more, part.offset + len(shown))
    ctx.out.say(_summary(pages))
    return 0


def _summary(pages: "Sequence[PageToApprove]") -> str:
    if not pages:
        return "No page waits for approval."
    flagged, unread = sum(bool(page.marks) for page in pages), sum(bool(page.doubt) for page in pages)
    wait = "page waits" if len(pages) == 1 else "pages wait"
    told = f"{len(pages):,} {wait} for approval, {flagged:,} flagged, {unread:,} to read."
    return f"{told} `cairn approve --all` approves the others, `cairn approve PATH` any page."


def _report(ctx: Invocation, done: "Sequence[PageToApprove]", pages: "Sequence[PageToApprove]", *, revoke: bool) -> int:
    paths = [page.path for page in done]
    left = [page for page in pages if (page.marks or page.doubt) and page not in done] if not revoke else []
    if ctx.json:
        kept = {"waiting": [page.json() for page in left], "more": 0}
        ctx.out.emit_json({**kept, "approved": [] if revoke else paths, "revoked": paths if revoke else []})
        return 0
    for path in paths:
        ctx.out.data(safe(path))
    ctx.out.say(f"{len(paths):,} {'revoked' if revoke else 'approved'}")
    if left:
        ctx.out.warn(
            f"{len(left):,} flagged or to read, such as {safe(left[0].path)}; read it, then `cairn approve PATH`"
        )
    return 0
