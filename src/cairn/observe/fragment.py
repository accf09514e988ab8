"""The result of an audit as a piece of HTML for some page: it needs nothing else, and everything in it is escaped."""

from collections.abc import Iterator
from html import escape

from cairn.core.model.finding import SEVERITIES, Finding
from cairn.journal import iso_utc
from cairn.observe.report import MEANING, evidence_texts, place
from cairn.observe.sidecar import Audit

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
    return "\n".join(_lines(audit)) + "\n"


def _lines(audit: Audit) -> Iterator[str]:
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
        yield from _finding(finding)
    yield "</section>"


def _looked(audit: Audit) -> str:
    looked = ", ".join(run.lens for run in audit.runs if run.state == "ran") or "no lens"
    return f"{looked} looked, {iso_utc(audit.completed_ms)[:16].replace('T', ' ')} UTC, profile {audit.profile}."


def _finding(finding: Finding) -> Iterator[str]:
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
