"""`cairn freshness audit-run-entry`: one entry, compared with its sources."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import renamed_provider
from cairn.cli.scan_run import run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.core.model.verdict import VerdictFinding
    from cairn.freshness.audit_entry import AuditResult


@define(
    "audit-run-entry",
    help="Compare one entry with its sources and print a verdict. With --with a reader judges the passages that "
    "differ, or whole sources on the first audit; without it nothing is sent anywhere, and an answer that exists is "
    "used. Nothing in the repository changes.",
    examples=(
        ("cairn freshness audit-run-entry rate-limits", "by name, with the answers that exist"),
        ("cairn freshness audit-run-entry rate-limits --out verdict.json", "for `audit-apply`"),
        ("cairn freshness audit-run-entry rate-limits --with claude --budget 50k", "have a reader judge it now"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("entry", help="The page, by path or by name.")
@with_option
@model_option
@click.option("--out", metavar="FILE", help="Write the verdict as JSON to this file.")
@budget_option
@renamed_provider
def command(ctx: Invocation, entry: str, out: str | None, **given: Any) -> int:
    from cairn.app.judging import dollars_of
    from cairn.cli.output import json_text
    from cairn.cli.save_output import put
    from cairn.freshness.audit_entry import SkippedAudit, audit_once, audited_json
    from cairn.jobs.spent import is_stopped

    target = None if out is None else _writable(ctx.directory / out)
    with closing(ctx.app()) as app:
        reader = reading_now(ctx, app, given["reader"], model=given["model"], budget=given["budget"])
        run(ctx, app)
        result = audit_once(app, entry, here=ctx.directory, reader=reader)
        spent = None if isinstance(result, SkippedAudit) else result.spent
        dollars = None if spent is None else dollars_of(app, spent.tokens_in, spent.tokens_out)
    if isinstance(result, SkippedAudit):
        value = {"skipped": True, "reason": "source-unusable", "url": result.url, "detail": result.detail}
    else:
        value = audited_json(result, dollars)
    if target is not None:
        put(app.root, target, json_text(value) + "\n")
    if ctx.json:
        ctx.out.emit_json(value)
    elif isinstance(result, SkippedAudit):
        ctx.out.data(
            f"{safe(result.page.entry.path)}: skipped, since {safe(result.url)} says nothing. {safe(result.detail)}"
        )
    else:
        _for_people(ctx, result)
    tell_read(ctx, spent, named=reader is not None)
    return int(is_stopped(spent))


def _writable(path: Path) -> Path:
    """Known before anything is fetched or paid for."""
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--out is {path}, where no file can be; name one in a folder that is there.")
    return path


def _for_people(ctx: Invocation, audited: "AuditResult") -> None:
    verdict = audited.verdict
    word = "to be read" if verdict.to_be_read else "not verifiable" if verdict.source_unverifiable else verdict.outcome
    ctx.out.data(f"{safe(audited.page.entry.path)}: {ctx.out.style(str(word), 'bold')} ({safe(verdict.model)})")
    for finding in verdict.findings:
        for line in _finding(finding):
            ctx.out.data(f"  {safe(line)}")
    for change in verdict.proposed_changes:
        ctx.out.data(f"  would {change.kind} {safe(change.location)}: {safe(' '.join(change.rationale.split()))}")
    for warning in dict.fromkeys((*verdict.preserve_warnings, *audited.notes)):
        ctx.out.say(f"note: {safe(' '.join(warning.split()))}")


def _finding(finding: "VerdictFinding") -> list[str]:
    claim, now, before = (
        " ".join(text.split()) for text in (finding.claim_in_entry, finding.source_excerpt, finding.previous_excerpt)
    )
    earlier = [f"   before: {before}"] if before else []
    later = [f"   now:    {now or '(removed)'}"] if now or before else []
    return [f"{finding.severity} {finding.drift_kind}: {claim}", f"   {finding.evidence_url}", *earlier, *later]
