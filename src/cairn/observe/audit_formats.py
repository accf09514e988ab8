"""Writes the result of an audit: as Markdown, HTML and SARIF, as GitHub annotations, and for review tools."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.lens import SEVERITIES, Finding
from cairn.core.paths import COMMITTED
from cairn.journal import iso_utc
from cairn.observe.audit_result import SHOWN, STATUSES, Audit
from cairn.observe.lens import LensRun
from cairn.version import __version__

LENS_TEXTS = {
    "H-cross-doc": "A mark or an id names no document, or a link leads to a superseded page.",
    "I-knowledge-gaps": "A topic was missed again and again, and no entry is about it.",
}

_MARKUP = re.compile(r"[\\`*\[\]<>|~&]|(?<!\w)[_#]|_(?!\w)")
_MOST_EVIDENCE = 12
_QUOTED = 300
MEANING = {
    "pass": "nothing stands in the way",
    "degraded-pass": "nothing that was seen stands in the way, but not everything was looked at",
    "blocked": "something stands in the way",
}


def markdown(audit: Audit) -> str:
    return "\n".join(_lines(audit)).rstrip("\n") + "\n"


def _lines(audit: Audit) -> Iterator[str]:
    yield from (f"# Audit {plain(audit.report_id)}", "")
    yield from (f"**{audit.verdict}**: {MEANING[audit.verdict]}.", "")
    yield f"- at: {iso_utc(audit.completed_ms)[:19]}Z"
    yield f"- profile: {audit.profile}"
    yield f"- scope: {', '.join(map(plain, audit.lenses)) or audit.scope}"
    yield f"- stands in the way: {audit.threshold} and graver"
    yield from (f"- note: {plain(note)}" for note in audit.notes)
    yield from ("", "## Summary", "", *table(audit.summary))
    for severity in SEVERITIES:
        yield from _section(severity, [one for one in audit.of("open") if one.severity == severity])
    yield from _section("Acknowledged", audit.of("acknowledged"))
    yield from _not_looked(audit.runs)
    yield from _availability(audit.facts.get("availability", {}))


def table(summary: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"| severity | {' | '.join(STATUSES)} |", f"|---|{'---:|' * len(STATUSES)}")
    for severity, counts in summary["by_severity_status"].items():
        yield f"| {severity} | {' | '.join(str(counts[status]) for status in STATUSES)} |"


def _section(title: str, findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield from ("", f"## {title}")
        for finding in findings:
            yield from ("", *_finding(finding))


def _finding(finding: Finding) -> Iterator[str]:
    yield f"### {plain(finding.title)}"
    yield ""
    sure = f"confidence {finding.confidence}"
    yield f"{finding.id} · {plain(finding.lens)} · {finding.severity} · {sure}{_place(finding)}"
    yield from ("", plain(finding.description))
    if finding.ack_note:
        yield from ("", f"Note: {plain(finding.ack_note)}")
    if finding.fix_hint:
        yield from ("", f"What to do: {plain(finding.fix_hint)}")
    quoted = [f"> {plain(name)}: {plain(text)}" for name, text in evidence_texts(finding.evidence)]
    if quoted:
        yield from ("", "  \n".join(quoted))


def _place(finding: Finding) -> str:
    return f" · {plain(place(finding))}" if finding.source_doc else ""


def place(finding: Finding) -> str:
    """Where it stands, as `path:line`; empty when it is about no document."""
    return f"{finding.source_doc or ''}{f':{finding.line}' if finding.source_doc and finding.line else ''}"


def evidence_texts(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The evidence as (name, text), flat, without what only programs want."""
    return list(_flat("", {name: value for name, value in evidence.items() if name != "kind"}))[:_MOST_EVIDENCE]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and isinstance(value.get("text"), str) and value.get("path"):
        yield f"{value['path']}:{value.get('line') or 1}", value["text"][:_QUOTED]
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{name} {key}".strip().replace("_", " "), item)
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for item in value:
            yield from _flat(name, item)
    elif isinstance(value, list | tuple):
        if value:
            yield name, ", ".join(str(item) for item in value)[:_QUOTED]
    elif value not in (None, ""):
        yield name, str(value)[:_QUOTED]


def _not_looked(runs: Iterable[LensRun]) -> Iterator[str]:
    absent = [run for run in runs if run.state != "ran"]
    if absent:
        yield from ("", "## Skipped lenses", "")
        yield from (f"- {plain(run.lens)} ({run.state}): {plain(run.reason)}" for run in absent)


def _availability(availability: Mapping[str, Any]) -> Iterator[str]:
    if availability:
        yield from ("", "## What there was to look at", "")
        yield from (f"- {plain(str(name))}: {plain(str(said))}" for name, said in availability.items())


def plain(text: str) -> str:
    """On one line, and nothing in it means anything to Markdown."""
    return _MARKUP.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


_STYLE = """
.cairn-audit{font:14px/1.5 system-ui,sans-serif;color:#1c2024;background:#fff;border:1px solid #d8dde3;
border-radius:8px;padding:16px 20px;max-width:60rem}
.cairn-audit h2{font-size:1.1rem;margin:0 0 4px}
.cairn-audit table{border-collapse:collapse;margin:12px 0}
.cairn-audit th,.cairn-audit td{text-align:left;padding:2px 16px 2px 0}
.cairn-audit td{font-variant-numeric:tabular-nums}
.cairn-audit details{border-top:1px solid #e8ebef;padding:8px 0}
.cairn-audit summary{cursor:pointer}
.cairn-audit blockquote{margin:4px 0;padding-left:10px;border-left:3px solid #d8dde3;overflow-wrap:anywhere}
.cairn-audit .where{color:#5b6570}
@media (prefers-color-scheme:dark){.cairn-audit{color:#e6e8eb;background:#16191d;border-color:#333a42}
.cairn-audit details,.cairn-audit blockquote{border-color:#333a42}.cairn-audit .where{color:#98a2ad}}
"""


def fragment(audit: Audit) -> str:
    return "\n".join(_fragment_lines(audit)) + "\n"


def _fragment_lines(audit: Audit) -> Iterator[str]:
    yield f'<section class="cairn-audit" data-verdict="{audit.verdict}" data-report="{escape(audit.report_id)}">'
    yield f"<style>{_STYLE}</style>"
    yield f"<h2>Audit: {audit.verdict}</h2>"
    yield f"<p>{escape(MEANING[audit.verdict])}. {escape(_looked(audit))}</p>"
    yield "<table><thead><tr><th>severity</th><th>open</th><th>acknowledged</th></tr></thead><tbody>"
    for severity in SEVERITIES:
        counts = audit.summary["by_severity_status"][severity]
        yield f"<tr><td>{severity}</td><td>{counts['open']}</td><td>{counts['acknowledged']}</td></tr>"
    yield "</tbody></table>"
    for finding in audit.findings:
        yield from _fragment_finding(finding)
    yield "</section>"


def _looked(audit: Audit) -> str:
    looked = ", ".join(run.lens for run in audit.runs if run.state == "ran") or "no lens"
    return f"{looked} looked, {iso_utc(audit.completed_ms)[:16].replace('T', ' ')} UTC, profile {audit.profile}."


def _fragment_finding(finding: Finding) -> Iterator[str]:
    state = "" if finding.status == "open" else f" ({finding.status})"
    yield f'<details data-id="{escape(finding.id)}" data-severity="{finding.severity}">'
    where = f' <span class="where">{escape(place(finding))}</span>' if finding.source_doc else ""
    yield f"<summary><b>{finding.severity}</b> {escape(finding.title)}{state}{where}</summary>"
    yield f"<p>{escape(finding.description)}</p>"
    for name, text in evidence_texts(finding.evidence):
        yield f"<blockquote>{escape(name)}: {escape(text)}</blockquote>"
    for label, said in (("What to do", finding.fix_hint), ("Note", finding.ack_note)):
        if said:
            yield f"<p>{label}: {escape(said)}</p>"
    yield f'<p class="where">{escape(finding.lens)} · {escape(finding.id)}</p></details>'


_LEVELS = {"P0": Severity.ERROR, "P1": Severity.ERROR, "P2": Severity.WARN, "P3": Severity.INFO}


def sarif_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """Each result is known by the id of its finding, so that it stays the same alert as long as it is one finding."""
    from cairn.graph.sarif import sarif

    shown = _shown(findings)
    log = sarif([_issue(one) for one in shown], LENS_TEXTS, __version__)
    for result, finding in zip(log["runs"][0]["results"], shown, strict=True):
        result["partialFingerprints"] = {"cairn/v1": finding.id}
    return log


def github_lines(findings: Sequence[Finding]) -> list[str]:
    from cairn.graph.sarif import github

    return github(_issue(one) for one in _shown(findings))


def _shown(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.status == "open"]


def _issue(finding: Finding) -> Issue:
    """What is about no document, such as a missing one, is shown at a file that every workspace has."""
    message = f"{finding.severity} {finding.title}: {finding.description} ({finding.id[:SHOWN]})"
    fix = Fix(finding.fix_hint) if finding.fix_hint else None
    path = finding.source_doc or COMMITTED
    return Issue(finding.lens, _LEVELS[finding.severity], (path,), message, finding.line, fix=fix)


CATEGORY = "doc-conformance"


def review_findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The location has the lens and the beginning of the id in it, by which a finding can be acknowledged."""
    return [_item(finding) for finding in findings if finding.status == "open"]


def _item(finding: Finding) -> dict[str, Any]:
    where = finding.source_doc or "(no-source-doc)"
    return {
        "severity": finding.severity,
        "location": f"{where}::{finding.lens}::{finding.id[:SHOWN]}",
        "description": f"[{CATEGORY}/{finding.lens}] {finding.title} — {finding.description}",
        "suggestion": finding.fix_hint,
        "category": CATEGORY,
    }
