"""`cairn freshness validate`: every page of knowledge, read strictly."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.diff import diff_lines, print_diff
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.core.model.issue import Issue, Severity
from cairn.core.model.knowledge import LAYOUTS
from cairn.errors import UsageError
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.freshness.validate import MendedPage, ValidationResult

_COLOR = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "blue"}


@define(
    "validate",
    help="Read every page of knowledge strictly and say all that is wrong with it. Needs no scan and no workspace: "
    "without settings, corpora are found by their files. Ends with 1 when there is an error. --fix mends what needs no "
    "thought: a `#` inside the url of a source becomes its anchor.",
    examples=(
        ("cairn freshness validate", "all corpora"),
        ("cairn freshness validate knowledge/security --fix", "what is in one folder, and mend what can be"),
        ("cairn freshness validate notes --layout entries --github", "a folder that no settings name, in a pipeline"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("paths", nargs=-1, metavar="[PATH]...", help="Files or folders; all corpora when none is named.")
@click.option("--layout", type=click.Choice(LAYOUTS), help="Take each PATH for a corpus of this layout.")
@click.option("--sarif", "as_sarif", is_flag=True, help="As SARIF 2.1.0 on stdout.")
@click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
@click.option("--fix", is_flag=True, help="Mend what can be mended, in place, and show what was changed.")
@click.option("-n", "--dry-run", is_flag=True, help="With --fix: show what would change, and change nothing.")
def command(
    ctx: Invocation, paths: tuple[str, ...], layout: Any, as_sarif: bool, as_github: bool, fix: bool, dry_run: bool
) -> int:
    if as_sarif + as_github + ctx.json > 1:
        raise UsageError("Choose one of --json, --sarif and --github.")
    if dry_run and not fix:
        raise UsageError("--dry-run goes with --fix; without it nothing is ever changed.")
    if not ctx.directory.is_dir():
        raise UsageError(f"there is no folder {ctx.directory}; check the path given to -C")
    from cairn.app.open_workspace import open_around
    from cairn.freshness.validate import validate

    app = open_around(ctx.directory, env=ctx.env)
    below = [_below(app.root, ctx.directory, path) for path in paths]
    validated = validate(app, below, layout=layout)
    mended = _mend(ctx, app, validated, dry_run=dry_run) if fix else None
    if mended and not dry_run:
        validated = validate(app, below, layout=layout)
    _show(ctx, app, validated, mended, as_sarif=as_sarif, as_github=as_github)
    _tell(ctx, validated, mended, dry_run=dry_run)
    return int(any(issue.severity is Severity.ERROR for issue in validated.issues))


def _mend(ctx: Invocation, app: "App", validated: "ValidationResult", *, dry_run: bool) -> "list[MendedPage]":
    from cairn.freshness.validate import mend

    mended, notes = mend(app, validated.issues, dry_run=dry_run)
    for note in notes:
        ctx.out.warn(safe(note))
    return mended


def _below(root: Path, directory: Path, path: str) -> str:
    """As seen from the root; a path outside stays one, and is refused later."""
    import os

    return os.path.relpath(directory.resolve() / path, root.resolve())


def _show(
    ctx: Invocation,
    app: "App",
    validated: "ValidationResult",
    mended: "list[MendedPage] | None",
    *,
    as_sarif: bool,
    as_github: bool,
) -> None:
    issues = validated.issues
    if as_sarif:
        from cairn.graph.findings.visible import rule_texts
        from cairn.graph.sarif import sarif

        ctx.out.emit_json(sarif(issues, rule_texts(app.registry), __version__))
    elif as_github:
        from cairn.graph.sarif import github

        for line in github(issues):
            ctx.out.data(line)
    elif ctx.json:
        ctx.out.emit_json({**validated.json(), **_mended_json(mended)})
    else:
        for one in mended or ():
            print_diff(ctx.out, diff_lines(*one))
        _for_people(ctx, validated)


def _mended_json(mended: "list[MendedPage] | None") -> dict[str, Any]:
    if mended is None:
        return {}
    return {"fixed": [{"path": one.path, "diff": diff_lines(*one)} for one in mended]}


def _tell(ctx: Invocation, validated: "ValidationResult", mended: "list[MendedPage] | None", *, dry_run: bool) -> None:
    """What was mended, or could be; not part of the data."""
    if mended is None:
        mendable = sum(bool(issue.fix and issue.fix.autofixable) for issue in validated.issues)
        if mendable:
            ctx.out.say(f"{mendable:,} of these can be mended with --fix")
    else:
        pages = f"{len(mended):,} page{'' if len(mended) == 1 else 's'}"
        ctx.out.say(f"{'would mend' if dry_run else 'mended'} {pages}")


def _for_people(ctx: Invocation, validated: "ValidationResult") -> None:
    from cairn.cli.issues import tally

    for issue in validated.issues:
        ctx.out.data(_line(ctx, issue))
    pages = sum(validated.pages.values())
    corpora = ", ".join(f"{safe(c.root or '.')} (layout {c.layout})" for c in validated.looked_at)
    ctx.out.data(f"{pages:,} {'page' if pages == 1 else 'pages'} in {corpora}: {tally(validated.issues)}")


def _line(ctx: Invocation, issue: Issue) -> str:
    word = ctx.out.style(f"[{issue.severity}]", _COLOR[issue.severity])
    place = f"{issue.path}:{issue.line}" if issue.line else issue.path
    return f"{word} {safe(place)} {safe(' '.join(issue.message.split()))}"
