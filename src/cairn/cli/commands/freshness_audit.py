"""`cairn freshness audit-run-entry`: one entry, compared with its sources."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.core.model.verdict import VerdictFinding
    from cairn.core.model_budget import MeteredRunner
    from cairn.freshness.audit import AuditResult, SkippedAudit


@define(
    "audit-run-entry",
    help="Compare one entry with its sources and print a verdict. Without a provider nothing is sent anywhere: the "
    "`extractive` auditor compares what the sources said with what they say. Nothing in the repository changes.",
    examples=(
        ("cairn freshness audit-run-entry rate-limits", "by name, with the default auditor"),
        ("cairn freshness audit-run-entry rate-limits --out verdict.json", "for `audit-apply`"),
        ("cairn freshness audit-run-entry rate-limits --provider auto --budget 50k", "ask the model that there is"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("entry", help="The page, by path or by name.")
@click.option("--provider", metavar="P", help="Who judges: extractive, auto, anthropic, deepseek, zai, …")
@click.option("--out", metavar="FILE", help="Write the verdict as JSON to this file.")
@budget_option
@click.option("--timeout", type=click.IntRange(min=1), default=600, help="Seconds that a model may take.")
def command(ctx: Invocation, entry: str, out: str | None, **given: Any) -> int:
    from cairn.cli.output import json_text
    from cairn.cli.save_output import put
    from cairn.freshness.audit import SkippedAudit, audit_once

    target = None if out is None else _writable(ctx.directory / out)
    with closing(ctx.app({"freshness.provider": given["provider"]})) as app:
        run(ctx, app)
        result, metered = audit_once(app, entry, here=ctx.directory, budget=given["budget"], timeout=given["timeout"])
    value = _json(result, metered)
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
    if metered is not None:
        from cairn.core.model_budget import spending_text

        ctx.out.say(spending_text(metered.spent, metered.dollars))
    return 0


def _writable(path: Path) -> Path:
    """Known before anything is fetched or paid for."""
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--out is {path}, where no file can be; name one in a folder that is there.")
    return path


def _json(result: "AuditResult | SkippedAudit", metered: "MeteredRunner | None") -> dict[str, Any]:
    from cairn.freshness.audit import SkippedAudit, audited_json

    if isinstance(result, SkippedAudit):
        return {"skipped": True, "reason": "source-unusable", "url": result.url, "detail": result.detail}
    return audited_json(result, metered)


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
    return [
        f"{finding.severity} {finding.drift_kind}: {claim}",
        f"   {finding.evidence_url}",
        *earlier,
        f"   now:    {now or '(removed)'}",
    ]
