"""`cairn check`: scan, and say what is wrong."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.issues import print_issues, print_timings, tally, verdict
from cairn.cli.judging import model_option, reading_now, with_option
from cairn.cli.output import reader_may_leave, safe
from cairn.cli.scan_run import run
from cairn.core.model.issue import Issue, Severity
from cairn.errors import NotInitialised, UsageError
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.graph.compare import BaselineComparison
    from cairn.workspace.findings import Findings
    from cairn.workspace.owners import Owners


@define(
    "check",
    help="Scan, then list what is wrong, by file and line. Ends with 1 when there is an error. With --diff or "
    "--staged instead: which sentences that change of the code puts in doubt; ends with 1 when there are any.",
    examples=(
        ("cairn check --baseline .cairn/baseline.json", "record what is there; from then on only new ones fail"),
        ("cairn check --diff HEAD", "which sentences my changes may have made false"),
        ("cairn check --diff main... --judge --with claude", "also those that only a reader can judge"),
    ),
    exits=(0, 1, 2, 5),
)
@click.option("-n", "--node", metavar="NODE", help="Check only this document.")
@click.option("--analyzers", metavar="A,B", help="Run only these analyzers.")
@click.option("--owner", metavar="@OWNER", help="Check only files of this owner in CODEOWNERS.")
@click.option("--diff", metavar="REV", help="Check changes since REV, or between A..B.")
@click.option("--staged", is_flag=True, help="Check staged changes, for a pre-commit hook.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include fixtures, generated and past pages.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warn", "never"]),
    default="error",
    help="Choose which findings end with 1.",
)
@click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0.")
@click.option("--github", "as_github", is_flag=True, help="Print annotations for GitHub's log.")
@click.option("--baseline", metavar="FILE", help="Report only findings that FILE does not list.")
@click.option("--update-baseline", is_flag=True, help="Record the current findings in the baseline.")
@click.option("--no-scan", is_flag=True, help="Use the last scan, without a new one.")
@click.option("--strict", is_flag=True, help="Treat problems in frontmatter as errors.")
@click.option("--yes", is_flag=True, help="Use the first agent host if there are several.")
@click.option("--judge", "judges", is_flag=True, help="Ask whether sentences about code still hold.")
@with_option
@model_option
@budget_option
def command(ctx: Invocation, **given: Any) -> int:
    from cairn.workspace.owners import owned_issues

    _one_format(given, ctx.json)
    _one_question(given)
    flags: dict[str, object] = {"scan.strict": True} if given["strict"] else {}
    if given["judges"]:
        with closing(ctx.app(flags)) as app:
            return _judged(ctx, app, given)
    if given["staged"] or given["diff"] is not None:
        with closing(_app_for_diff(ctx, flags)) as app:
            return _in_doubt(ctx, app, given)
    with closing(ctx.app(flags, reads=True)) as app:
        if given["no_scan"]:
            app.scanned_store()
        else:
            run(ctx, app, yes=given["yes"])
        owners = _owners(ctx, app)
        found = _found(ctx, app, everything=given["everything"])
        issues = owned_issues(_wanted(app, found, given["node"], given["analyzers"]), owners, given["owner"])
        compared = _against(ctx, app, issues, given["baseline"], given["update_baseline"])
        with reader_may_leave():
            _show(ctx, app, compared, found, owners, given)
    return _exit(compared.new, given["fail_on"])


def _found(ctx: Invocation, app: "App", *, everything: bool) -> "Findings":
    from cairn.workspace.findings import gather

    progress = ctx.out.progress()
    found = gather(app, everything=everything, progress=progress)
    progress.event("checked")
    print_timings(ctx.out, found.timings)
    for failure in found.failures:
        ctx.out.warn(safe(f"{failure.extension} failed, the other checks are complete: {failure.message}"))
    return found


def _one_format(given: dict[str, Any], json: bool) -> None:
    if sum((given["as_sarif"], given["as_github"], json)) > 1:
        raise UsageError("Choose one of --json, --sarif and --github.")
    if given["update_baseline"] and not given["baseline"]:
        raise UsageError("--update-baseline needs --baseline FILE.")


def _one_question(given: dict[str, Any]) -> None:
    is_diff = given["staged"] or given["diff"] is not None
    if given["staged"] and given["diff"] is not None:
        raise UsageError("Choose one of --diff and --staged.")
    if given["judges"] and not is_diff:
        raise UsageError("--judge is about a change; name it with --diff or --staged.")
    if not given["judges"] and any(given[name] is not None for name in ("reader", "model", "budget")):
        raise UsageError("--with, --model and --budget are for --judge.")
    if (given["staged"] or given["diff"] is not None) and (given["baseline"] or given["analyzers"] or given["owner"]):
        raise UsageError("--diff and --staged look at a change; --baseline, --analyzers and --owner are for issues.")


def _app_for_diff(ctx: Invocation, flags: dict[str, object]) -> "App":
    """Of the workspace; where there is none, git is enough."""
    try:
        return ctx.app(flags, reads=True)
    except NotInitialised:
        from cairn.app.open_workspace import open_without_workspace

        return open_without_workspace(ctx.directory, ctx.env)


def _in_doubt(ctx: Invocation, app: "App", given: dict[str, Any]) -> int:
    from cairn.cli.doubts import show_survey
    from cairn.workspace.check_diff import look_at_diff

    found = look_at_diff(
        app, given["diff"], node=given["node"], everything=given["everything"], mentions=bool(ctx.verbosity)
    )
    return show_survey(ctx, app, found, given)


def _judged(ctx: Invocation, app: "App", given: dict[str, Any]) -> int:
    from cairn.cli.doubts import show_judged
    from cairn.workspace.check_diff import judge_diff

    reader = reading_now(ctx, app, given["reader"], model=given["model"], budget=given["budget"])
    judged = judge_diff(app, given["diff"], reader, node=given["node"], everything=given["everything"])
    return show_judged(ctx, app, judged, given)


def _wanted(app: "App", found: "Findings", node: str | None, analyzers: str | None) -> list[Issue]:
    from cairn.graph.findings.visible import known_rules, only

    names = tuple(name.strip() for name in (analyzers or "").split(",") if name.strip())
    known_rules(app.registry, found.issues, names)
    return only(app.store, found.issues, node=node, analyzers=names)


def _owners(ctx: Invocation, app: "App") -> "Owners":
    from cairn.workspace.owners import broken_lines, owners_here

    owners = owners_here(app)
    for sentence in broken_lines(owners):
        ctx.out.warn(sentence)
    return owners


def _against(
    ctx: Invocation, app: "App", issues: list[Issue], baseline: str | None, update: bool
) -> "BaselineComparison":
    from cairn.graph.compare import BaselineComparison, compare, load, record

    if baseline is None:
        return BaselineComparison(tuple(issues), 0, 0)
    path = ctx.directory / baseline
    if path.is_file() and not update:
        return compare(issues, load(path.read_text("utf-8", "replace"), baseline))
    from cairn.changes.write import save

    text = record(issues)
    save(app.root, path, text)
    compared = compare(issues, load(text, baseline))
    entries = f" ({compared.known:,} entries)" if compared.known != len(issues) else ""
    ctx.out.say(f"recorded {tally(issues)}{entries} in {baseline}; from now on only new ones fail")
    return compared


def _show(
    ctx: Invocation,
    app: "App",
    compared: "BaselineComparison",
    found: "Findings",
    owners: "Owners",
    given: dict[str, Any],
) -> None:
    new = compared.new
    if given["as_sarif"]:
        from cairn.graph.findings.visible import rule_texts
        from cairn.graph.sarif import sarif

        failed = [f"Not checked: {reason}." for reason in found.failed]
        ctx.out.emit_json(sarif(new, rule_texts(app.registry), __version__, owners.of, _left(found), failed))
    elif given["as_github"]:
        from cairn.graph.sarif import github

        for line in github(_shown(ctx, new)):
            ctx.out.data(line)
        for sentence in _left(found):
            ctx.out.say(safe(sentence))
    elif ctx.json:
        ctx.out.emit_json(_json(compared, found, owners))
    else:
        _for_people(ctx, compared, found, owners, _asked(given))


def _json(compared: "BaselineComparison", found: "Findings", owners: "Owners") -> dict[str, Any]:
    from cairn.core.model.graph import issue_json
    from cairn.workspace.owners import issue_with_owners

    count = {severity: sum(issue.severity == severity for issue in compared.new) for severity in Severity}
    return {
        "issues": [{**issue_with_owners(issue, owners), "scope": str(found.scope(issue))} for issue in compared.new],
        "counts": {str(severity): number for severity, number in count.items()},
        "baseline": {"known": compared.known, "mended": compared.mended},
        "aside": [{**issue_json(issue), "scope": str(scope)} for scope, issue in found.aside],
        "asideDocuments": {str(scope): number for scope, number in found.documents_aside.items()},
        "notChecked": [*found.failed, *found.not_checked],
        "looked": dict(found.looked),
        "unread": list(found.unread),
    }


def _shown(ctx: Invocation, issues: Sequence[Issue]) -> list[Issue]:
    """Notes with -v only."""
    return [issue for issue in issues if ctx.verbosity or issue.severity != Severity.INFO]


def _asked(given: dict[str, Any]) -> str:
    """What the question was limited to, for the last line."""
    analyzers, node, owner = (given[key] for key in ("analyzers", "node", "owner"))
    by = f" by {safe(analyzers)}" if analyzers else ""
    return by + (f" in {safe(node)}" if node else "") + (f" in files of {safe(owner)}" if owner else "")


def _left(found: "Findings") -> list[str]:
    """What the result says nothing about."""
    return [*(f"Not checked: {reason}." for reason in found.not_checked), *found.unread]


def _for_people(
    ctx: Invocation, compared: "BaselineComparison", found: "Findings", owners: "Owners", asked: str
) -> None:
    """Prints findings, then the checks and documents that were left out."""
    shown = _shown(ctx, compared.new)
    print_issues(ctx.out, shown, owners.of)
    for reason in found.not_checked:
        ctx.out.say(f"Not checked: {safe(reason)}.")
    if found.left_out:
        ctx.out.say(f"Left out: {found.left_out}; `--all` includes them.")
    if found.unread:
        ctx.out.data("; ".join(found.unread))
    unread, left_out, failed = bool(found.unread), bool(found.left_out), bool(found.failures)
    aside = sum(found.documents_aside.values())
    parts = [verdict(shown, found.looked, unread=unread, left_out=left_out, asked=asked, failed=failed, aside=aside)]
    if compared.known:
        parts.append(f"{compared.known:,} known from the baseline")
    if compared.mended:
        parts.append(f"{compared.mended:,} of it fixed, --update-baseline drops them")
    ctx.out.data("; ".join(parts))


def _exit(issues: Sequence[Issue], fail_on: str) -> int:
    failing = {"error": {Severity.ERROR}, "warn": {Severity.ERROR, Severity.WARN}, "never": set()}[fail_on]
    return int(any(issue.severity in failing for issue in issues))
