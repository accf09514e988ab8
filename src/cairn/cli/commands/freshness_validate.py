"""`cairn freshness validate`: every page of knowledge, read strictly."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import cairn
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.width import safe
from cairn.errors import UsageError
from cairn.kernel.knowledge.corpus import LAYOUTS
from cairn.kernel.model.issue import Issue, Severity

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.app.validating import Validated

_COLOR = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "blue"}


@define(
    "validate",
    help="Read every page of knowledge strictly and say all that is wrong with it. Needs no scan and no workspace: "
    "without settings, corpora are found by their files. Ends with 1 when there is an error.",
    examples=(
        ("cairn freshness validate", "all corpora"),
        ("cairn freshness validate knowledge/security", "what is in one folder"),
        ("cairn freshness validate notes --layout entries --github", "a folder that no settings name, in a pipeline"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("paths", nargs=-1, metavar="[PATH]...", help="Files or folders; all corpora when none is named.")
@click.option("--layout", type=click.Choice(LAYOUTS), help="Take each PATH for a corpus of this layout.")
@click.option("--sarif", "as_sarif", is_flag=True, help="As SARIF 2.1.0 on stdout.")
@click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
def command(ctx: Invocation, paths: tuple[str, ...], layout: Any, as_sarif: bool, as_github: bool) -> int:
    if as_sarif + as_github + ctx.json > 1:
        raise UsageError("Choose one of --json, --sarif and --github.")
    if not ctx.directory.is_dir():
        raise UsageError(f"there is no folder {ctx.directory}; check the path given to -C")
    from cairn.app.validating import app_around, validate

    app = app_around(ctx.directory, env=ctx.env)
    validated = validate(app, [_below(app.root, ctx.directory, path) for path in paths], layout=layout)
    _show(ctx, app, validated, as_sarif=as_sarif, as_github=as_github)
    return int(any(issue.severity is Severity.ERROR for issue in validated.issues))


def _below(root: Path, directory: Path, path: str) -> str:
    """As seen from the root; a path outside stays one, and is refused later."""
    import os

    return os.path.relpath(directory.resolve() / path, root.resolve())


def _show(ctx: Invocation, app: "App", validated: "Validated", *, as_sarif: bool, as_github: bool) -> None:
    issues = validated.issues
    if as_sarif:
        from cairn.workspace.annotations import sarif
        from cairn.workspace.findings import rule_texts

        ctx.out.emit_json(sarif(issues, rule_texts(app.registry), cairn.__version__))
    elif as_github:
        from cairn.workspace.annotations import github

        for line in github(issues):
            ctx.out.data(line)
    elif ctx.json:
        ctx.out.emit_json(validated.json())
    else:
        _for_people(ctx, validated)


def _for_people(ctx: Invocation, validated: "Validated") -> None:
    from cairn.cli.issues import tally

    for issue in validated.issues:
        ctx.out.data(_line(ctx, issue))
    pages = sum(validated.pages.values())
    corpora = ", ".join(f"{safe(c.root or '.')} (layout {c.layout})" for c in validated.corpora)
    ctx.out.data(f"{pages:,} {'page' if pages == 1 else 'pages'} in {corpora}: {tally(validated.issues)}")


def _line(ctx: Invocation, issue: Issue) -> str:
    word = ctx.out.style(f"[{issue.severity}]", _COLOR[issue.severity])
    place = f"{issue.path}:{issue.line}" if issue.line else issue.path
    return f"{word} {safe(place)} {safe(' '.join(issue.message.split()))}"
