"""The result of an audit: its verdict, and its report as JSON without secrets and, on request, without paths."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from posixpath import splitext
from typing import Any, Literal, NamedTuple

from cairn.core.model.lens import SEVERITIES, Finding, FindingStatus, Severity
from cairn.journal import iso_utc
from cairn.observe.lens import AuditScope, LensRun, Profile

Verdict = Literal["pass", "degraded-pass", "blocked"]
STATUSES: tuple[FindingStatus, ...] = ("open", "acknowledged", "skipped")


def blocking(findings: Sequence[Finding], threshold: Severity) -> list[Finding]:
    """Open, and as grave as the threshold or graver."""
    return [finding for finding in findings if finding.status == "open" and finding.severity <= threshold]


def verdict(findings: Sequence[Finding], runs: Sequence[LensRun], threshold: Severity) -> Verdict:
    """`degraded-pass`: nothing that was seen stands in the way, but not all was looked at."""
    if blocking(findings, threshold):
        return "blocked"
    looked = any(run.state == "ran" for run in runs)
    return "pass" if looked and not any(run.missed for run in runs) else "degraded-pass"


def missed(runs: Sequence[LensRun]) -> list[Finding]:
    """Lenses that could not look, as findings, so that nobody takes their silence for a good sign."""
    return [_missed(run) for run in runs if run.missed]


def _missed(run: LensRun) -> Finding:
    word = "was skipped" if run.state == "skipped" else "failed"
    return Finding(
        id=f"lens_{run.state}:{run.lens}",
        lens=run.lens,
        severity="P3",
        title=f"The lens {run.lens} {word}",
        description=f"{run.reason[:1].upper()}{run.reason[1:]}."[:600],
        status="skipped",
        confidence="high",
        evidence={"kind": f"lens_{run.state}"},
    )


def summary(findings: Sequence[Finding], runs: Sequence[LensRun], threshold: Severity) -> dict[str, Any]:
    """In numbers; lenses that could not look are counted apart."""
    real = [finding for finding in findings if finding.status != "skipped"]
    both = Counter((finding.severity, finding.status) for finding in findings)
    return {
        "total": len(real),
        "by_severity": {severity: sum(one.severity == severity for one in real) for severity in SEVERITIES},
        "by_severity_status": {
            severity: {status: both[severity, status] for status in STATUSES} for severity in SEVERITIES
        },
        "blocking": len(blocking(findings, threshold)),
        "acknowledged": sum(one.status == "acknowledged" for one in real),
        "skipped_lenses": [run.lens for run in runs if run.missed],
    }


SCHEMA_VERSION = "1.0"
LONGEST_NAME = 120
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9.-]+")

Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit, judged."""

    report_id: str
    profile: Profile
    scope: AuditScope
    lenses: tuple[str, ...]
    """As asked for by name; empty when the scope chose."""
    threshold: Severity
    runs: tuple[LensRun, ...]
    findings: tuple[Finding, ...]
    """With what people said about them, the gravest first."""
    started_ms: int
    completed_ms: int
    args: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """`availability`, `snapshot`, `replay`, `knowledge_root`, `graph_stats`: what was there to look at."""
    notes: tuple[str, ...] = ()
    """What else a reader should know."""

    @property
    def verdict(self) -> Verdict:
        return verdict(self.findings, self.runs, self.threshold)

    @property
    def blocking(self) -> list[Finding]:
        return blocking(self.findings, self.threshold)

    @property
    def summary(self) -> dict[str, Any]:
        return summary(self.findings, self.runs, self.threshold)

    def of(self, status: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]


# --- names ----------------------------------------------------------------------------------------------------------


def report_id(now_ms: int, profile: str, scope: str, lenses: Sequence[str], token: str) -> str:
    """`audit-2026-03-01-081530250-fast-all-3fa9c1`: sorts by time, and says what was looked at."""
    at = datetime.fromtimestamp(now_ms / 1000, UTC)
    what = scope
    if lenses:
        named = "+".join(_NOT_IN_NAMES.sub("-", lens) for lens in lenses)
        what = f"lens-{named}" if len(lenses) == 1 else f"lenses-{named}"
    moment = f"{at:%Y-%m-%d-%H%M%S}{now_ms % 1000:03d}"
    return f"audit-{moment}-{profile}-{what[:LONGEST_NAME]}-{token[:6]}"


# --- writing --------------------------------------------------------------------------------------------------------


def engine_output(audit: Audit, *, version: str) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "invocation": {
            "command": "observe audit",
            "args": list(audit.args),
            "started_at": iso_utc(audit.started_ms),
            "completed_at": iso_utc(audit.completed_ms),
            "cairn_version": version,
        },
        "profile": audit.profile,
        "scope": audit.scope,
        "availability": dict(audit.facts.get("availability", {})),
        "snapshot": dict(audit.facts.get("snapshot", {})),
        "replay": dict(audit.facts.get("replay", {})),
        "knowledge_root": audit.facts.get("knowledge_root"),
        "lenses": [_run_json(run) for run in audit.runs],
        "findings": [finding_json(finding) for finding in audit.findings],
        "needs_attention": [finding.id for finding in audit.blocking],
        "graph_stats": dict(audit.facts.get("graph_stats", {})),
        "fix_threshold": audit.threshold,
        "verdict": audit.verdict,
        "summary": audit.summary,
        "notes": list(audit.notes),
    }


def _run_json(run: LensRun) -> dict[str, Any]:
    why = {"reason": run.reason} if run.reason else {}
    return {"id": run.lens, "state": run.state, "findings": len(run.findings), "ms": round(run.seconds * 1000), **why}


def finding_json(finding: Finding) -> dict[str, Any]:
    """With the lens under the name that seed 000 gives it, too."""
    return {**asdict(finding), "lens_id": finding.lens, "evidence": dict(finding.evidence)}


def finding_of(value: Mapping[str, Any]) -> Finding:
    return Finding(**{name: value[name] for name in Finding.__dataclass_fields__ if name in value})


# --- nothing private ------------------------------------------------------------------------------------------------


def cleaned(finding: Finding, clean: Redact) -> Finding:
    """With every text of it cleaned; its id, lens and the like are no texts."""
    value = finding_json(finding)
    texts = ("title", "description", "fix_hint", "source_doc", "ack_note", "evidence")
    return finding_of({**value, **{name: _cleaned(value[name], clean) for name in texts}})


def _cleaned(value: Any, clean: Redact) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {str(name): _cleaned(item, clean) for name, item in value.items()}
    return [_cleaned(item, clean) for item in value] if isinstance(value, list | tuple) else value


def path_mask(paths: Iterable[str]) -> Redact:
    """Puts a name in place of every path: the same one each time, and nobody can read the path from it."""
    known = sorted({path for path in paths if path}, key=len, reverse=True)
    if not known:
        return lambda text: text
    either = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, known))})(?![\w/-])")
    return lambda text: either.sub(lambda found: masked(found[0]), text)


def masked(path: str) -> str:
    return f"path-{sha256(path.encode()).hexdigest()[:8]}{splitext(path)[1]}"


# --- reading --------------------------------------------------------------------------------------------------------


class ReportedFinding(NamedTuple):
    """A finding that some report names."""

    id: str
    severity: str
    title: str


def reported(data: bytes) -> list[ReportedFinding]:
    """The findings of a report. Anybody may have written it: what makes no sense is passed over."""
    try:
        listed = json.loads(data)["engine_output"]["findings"]
        return [found for one in listed if (found := _reported(one))]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def _reported(value: Any) -> ReportedFinding | None:
    if not isinstance(value, dict):
        return None
    id, severity, title = (value.get(name) for name in ("id", "severity", "title"))
    if not isinstance(id, str) or not re.fullmatch(r"[0-9a-f]{16}", id) or severity not in SEVERITIES:
        return None
    return ReportedFinding(id, severity, title[:200] if isinstance(title, str) else "")


SHOWN = 8
"""Digits of an id that people see; as many as tell two apart in any report."""
