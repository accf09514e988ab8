"""`cairn try`: `cairn check` on a workspace that is never written to, with the results ranked."""

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.model.issue import Issue, Severity, places_of, proofs_of
from cairn.core.ports.runtime import Progress, Silent
from cairn.graph.findings.visible import best, ranked, rule_texts, worth
from cairn.graph.run_scan import detect
from cairn.graph.scan import scan
from cairn.graph.scan_request import ScanPorts
from cairn.workspace.findings import Findings, gather
from cairn.workspace.ports import WorkspacePorts

MOST_NODES = 20_000


class TryResult(NamedTuple):
    root: Path
    findings: tuple[Issue, ...]
    """Every error and warning, best first."""
    shown: tuple[Issue, ...]
    looked: Mapping[str, int]
    seconds: float
    not_checked: tuple[str, ...]
    problems: tuple[str, ...]
    """Analyzers that failed, each with why."""
    kinds: tuple[str, ...]
    """That can be asked for."""
    timings: tuple[tuple[str, float], ...] = ()
    unread: tuple[str, ...] = ()
    left_out: str = ""
    """Documents that are left out by scope, with their counts."""
    aside: int = 0
    """The number of documents that are left out by scope."""

    def json(self) -> dict[str, Any]:
        return {
            "root": str(self.root),
            "findings": [_json(issue) for issue in self.shown],
            "total": len(self.findings),
            "looked": {**self.looked, "seconds": round(self.seconds, 1)},
            "leftOut": list(self.not_checked),
            "problems": list(self.problems),
            "unread": list(self.unread),
        }


def look_around(
    ports: WorkspacePorts,
    *,
    progress: Progress | None = None,
    kind: str | None = None,
    everything: bool = False,
) -> TryResult:
    """Nothing is written, not even a cache: these ports have a store in memory, and git is only asked."""
    started = ports.clock.monotonic()
    with redirect_stdout(sys.stderr):
        _scan(ports, progress or Silent())
        scanned = ports.clock.monotonic() - started
        found = gather(ports, everything=everything, progress=progress)
    wanted = [issue for issue in found.issues if issue.severity is not Severity.INFO and kind in (None, issue.analyzer)]
    shown = ranked(wanted) if everything else best(wanted)
    seconds = ports.clock.monotonic() - started
    kinds = tuple(sorted(rule_texts(ports.registry)))
    return TryResult(
        ports.root,
        tuple(ranked(wanted)),
        tuple(shown),
        found.looked,
        seconds,
        found.not_checked,
        _problems(found),
        kinds,
        (("scan", scanned), *found.timings),
        found.unread,
        found.left_out,
        sum(found.documents_aside.values()),
    )


def _scan(ports: WorkspacePorts, progress: Progress) -> None:
    active = next(iter(detect(ports.registry, ports.files.exists)), None)
    scan_ports = ScanPorts(ports.files, ports.store, ports.clock, progress, ports.workers)
    scan(ports.scan_request(max_nodes=MOST_NODES), registry=ports.registry, active=active, ports=scan_ports)


def _problems(found: Findings) -> tuple[str, ...]:
    return tuple(f"{failure.extension}: {failure.message}" for failure in found.failures)


def _json(issue: Issue) -> dict[str, Any]:
    places = places_of(issue)
    proofs = [proof.sentence for proof in proofs_of(issue)]
    return {
        "kind": issue.analyzer,
        "message": issue.message,
        "path": issue.path,
        "line": issue.line or 1,
        "evidence": [{"path": place.path, "line": place.line or 1, "text": place.text} for place in places],
        "because": "; ".join(proofs) or issue.detail or "",
        "fix": issue.fix.summary if issue.fix else "",
        "score": worth(issue),
        "more": max(0, len(places) - 3),
    }
