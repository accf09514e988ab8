"""`cairn freshness link-check`: are the pages that sources name still there?"""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.freshness_gates import read_input
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.ports.sources import UrlCheckRow
    from cairn.freshness.list_sources import CitationPlace, LinkCheckResult


@define(
    "link-check",
    help="Ask for the page of every source and say which are gone. Each URL is asked for once, at most two at a time "
    "from one host. Without a PATH, sources of pages that your branch and edits changed. What fails a second time "
    "is P1, else P2. Ends with 1 when a page is gone.",
    examples=(
        ("cairn freshness link-check --all", "every source of every page"),
        ("cairn freshness link-check knowledge/security", "of the pages in one folder"),
        ("cairn freshness link-check --files-from changed.json", "of the pages that a list names"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("paths", nargs=-1, metavar="[PATH]...", help="Pages or folders.")
@click.option("--files-from", metavar="FILE", help="Pages as a JSON array or one a line; - reads stdin.")
@click.option("--all", "everything", is_flag=True, help="Every page of every corpus.")
@click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
def command(ctx: Invocation, paths: tuple[str, ...], files_from: str | None, everything: bool, as_github: bool) -> int:
    from cairn.freshness.list_sources import check, links_of
    from cairn.lib.urls.url import shown_places

    if bool(paths) + bool(files_from) + everything > 1:
        raise UsageError("Name pages, or give --files-from or --all; one of them.")
    if as_github and ctx.json:
        raise UsageError("Choose one of --json and --github.")
    allowed = shown_places(ctx.env)
    with closing(ctx.app()) as app:
        run(ctx, app)
        meant = _meant(ctx, app, paths or _listed(ctx, files_from), everything=everything)
        places = links_of(app, meant) if meant or everything else {}
        progress = ctx.out.progress()
        checked = check(app, list(places), progress=progress)
        progress.event("links.checked")
    cited = _by_page(places)
    if ctx.json:
        ctx.out.emit_json(_json(checked, cited, allowed))
    elif as_github:
        _annotate(ctx, checked, cited)
    else:
        _for_people(ctx, checked, cited, allowed)
    return 1 if checked.broken or checked.offline else 0


def _listed(ctx: Invocation, file: str | None) -> tuple[str, ...]:
    from cairn.changes.check_changes import listed_paths

    if file is None:
        return ()
    found = tuple(listed_paths(read_input(ctx, file).decode("utf-8", "replace")))
    if not found:
        raise UsageError("--files-from names no page.")
    return found


def _meant(ctx: Invocation, app: "App", paths: tuple[str, ...], *, everything: bool) -> list[str]:
    from cairn.freshness.list_sources import changed_pages, must_be_pages

    if everything:
        return []
    if not paths:
        return changed_pages(app)
    below = [_below(ctx, app, path) for path in paths]
    must_be_pages(app, below)
    return below


def _below(ctx: Invocation, app: "App", name: str) -> str:
    target, root = (ctx.directory / name).resolve(), app.root.resolve()
    if target != root and root not in target.parents:
        raise UsageError(f"`{name}` lies outside of this workspace; name something below {app.root}.")
    return "" if target == root else target.relative_to(root).as_posix()


def _by_page(places: "dict[str, list[CitationPlace]]") -> "dict[str, list[CitationPlace]]":
    """URLs are checked without their fragments and in one spelling."""
    from cairn.lib.urls.url import without_fragment

    found: dict[str, list[CitationPlace]] = {}
    for url, where in places.items():
        found.setdefault(without_fragment(url), []).extend(where)
    return found


def _for_people(
    ctx: Invocation, checked: "LinkCheckResult", cited: "dict[str, list[CitationPlace]]", allowed: list[str]
) -> None:
    from cairn.freshness.list_sources import severity

    for row in checked.broken:
        level = severity(row)
        times = f" ({row.failures} times in a row)" if row.failures > 1 else ""
        mark = ctx.out.style(level, "red" if level == "P1" else "yellow")
        ctx.out.data(f"{mark} {safe(row.url)}: {safe(row.reason or '')}{times}")
        for place in cited.get(row.url, ()):
            ctx.out.data(f"   {safe(place.document)}:{place.line}")
    if checked.offline:
        ctx.out.warn("no network: no host answered, so nothing was recorded; run it again when this machine is online")
        return
    fine = len(checked.rows) - len(checked.broken)
    left = f", {len(checked.skipped):,} passed over" if checked.skipped else ""
    if checked.rows or checked.skipped:
        ctx.out.say(f"{fine:,} of {len(checked.rows):,} pages are there{left}")
    else:
        ctx.out.say("there was nothing to check; name pages, or give --all")
    if allowed:
        ctx.out.say(f"CAIRN_FETCH_ALLOW also allows {', '.join(allowed)}")


def _annotate(ctx: Invocation, checked: "LinkCheckResult", cited: "dict[str, list[CitationPlace]]") -> None:
    from cairn.core.model.issue import Issue, Severity
    from cairn.freshness.list_sources import severity
    from cairn.graph.sarif import github

    levels = {"P1": Severity.ERROR, "P2": Severity.WARN}
    issues = [
        Issue("link-check", levels[severity(row)], (place.document,), f"{row.url}: {row.reason}", place.line)
        for row in checked.broken
        for place in cited.get(row.url, ())
    ]
    for line in github(issues):
        ctx.out.data(line)


def _json(checked: "LinkCheckResult", cited: "dict[str, list[CitationPlace]]", allowed: list[str]) -> dict[str, Any]:
    return {
        "checked": len(checked.rows),
        "findings": [_finding(row, cited.get(row.url, [])) for row in checked.broken],
        "skipped": sorted(checked.skipped),
        "offline": checked.offline,
        "allowed": allowed,
    }


def _finding(row: "UrlCheckRow", places: "list[CitationPlace]") -> dict[str, Any]:
    from cairn.freshness.list_sources import severity

    return {
        "url": row.url,
        "severity": severity(row),
        "cause": row.cause,
        "reason": row.reason,
        "status": row.status,
        "failures": row.failures,
        "cited": [{"path": place.document, "line": place.line} for place in places],
    }
