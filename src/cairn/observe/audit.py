"""An audit of a workspace: lenses, documents and what people said before, put together."""

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.isolate import each
from cairn.core.model.lens import Finding, Severity
from cairn.core.ports.observe import FindingRow
from cairn.core.ports.runtime import ReadFailed
from cairn.core.scope import Scope
from cairn.errors import CairnError
from cairn.journal import iso_utc
from cairn.knowledge.serving_status import page_scope
from cairn.lib.document.document import DOCUMENTS, format_of, readable
from cairn.observe.acknowledge import acknowledged, acks_of
from cairn.observe.audit_result import Audit, cleaned, finding_json, missed, path_mask, report_id
from cairn.observe.lens import (
    AuditScope,
    Lens,
    LensDocument,
    LensRun,
    LensView,
    Profile,
    SelectedLenses,
    choose,
    look,
    meant_lens,
)
from cairn.observe.lenses import LensNotes, known_lenses
from cairn.observe.report_files import folder_of

if TYPE_CHECKING:
    from cairn.observe.ask_contradictions import Contradictions
    from cairn.observe.ports import ObservePorts

_READ = (Scope.CURRENT, Scope.PAST)
"""The past is read: decisions supersede each other, and old pages define ids. Lenses decide what they report of it."""


class AuditedDocuments:
    """Without the reports of audits, which quote the others."""

    def __init__(self, ports: "ObservePorts", reports: str) -> None:
        self._ports = ports
        self._reports = f"{reports}/"

    @cached_property
    def paths(self) -> tuple[str, ...]:
        app = self._ports
        largest = app.settings.integer("scan.max_file_size_bytes")
        walk = app.files.walk(app.scan_request().walk(DOCUMENTS))
        return tuple(
            file.path
            for file in walk.files
            if file.size <= largest and not file.path.startswith(self._reports) and self._is_ours(file.path)
        )

    def _is_ours(self, path: str, text: str = "") -> bool:
        return format_of(path) is not None and page_scope(path, self._ports.corpora, text) in _READ

    @cached_property
    def _read(self) -> tuple[LensDocument, ...]:
        return tuple(found for found in each(self.paths, self._document, str) if found)

    def _document(self, path: str) -> LensDocument | None:
        try:
            data = self._ports.files.read(path)[0]
            text = data.decode("utf-8-sig")
        except (ReadFailed, UnicodeDecodeError):
            return None  # `cairn check` names such files
        return LensDocument(path, readable(path, text)) if "\0" not in text and self._is_ours(path, text) else None

    def __call__(self) -> Iterable[LensDocument]:
        return self._read


class AuditRequest(NamedTuple):
    profile: Profile = "fast"
    scope: AuditScope = "all"
    lenses: tuple[str, ...] = ()
    threshold: Severity | None = None
    """None: as the settings say."""
    knowledge_root: str | None = None
    args: tuple[str, ...] = ()
    """As it was called, for the report."""
    notes: tuple[str, ...] = ()
    postfix: bool = False
    """After mending; the report's id says so."""
    within_seconds: float | None = None


class LensResults(NamedTuple):
    """What lenses saw, before anybody judged it."""

    runs: list[LensRun]
    heard: LensNotes
    strangers: tuple[str, ...]
    """Names among the disabled lenses that no lens has."""
    around: LensView
    documents: AuditedDocuments


def audit(ports: "ObservePorts", request: AuditRequest, *, contradictions: "Contradictions | None" = None) -> Audit:
    """Look, remember what was found, and judge it by what people said before. Nothing is written but the store. With
    `contradictions` readers are asked about what is missing."""
    started_ms = ports.clock.now_ms()
    looked = look_around(ports, request, contradictions)
    now_ms = ports.clock.now_ms()
    id = report_id(started_ms, request.profile, request.scope, request.lenses, os.urandom(3).hex())
    done = Audit(
        report_id=f"{id}-postfix" if request.postfix else id,
        profile=request.profile,
        scope=request.scope,
        lenses=request.lenses,
        threshold=request.threshold or _threshold(ports),
        runs=tuple(looked.runs),
        findings=tuple(_judged(ports, looked.runs, id, now_ms)),
        started_ms=started_ms,
        completed_ms=now_ms,
        args=request.args,
        facts=_facts(ports, looked),
        notes=(*request.notes, *looked.strangers, *looked.heard.notes.values()),
    )
    _remember(ports, done)
    return done


def look_around(
    ports: "ObservePorts", request: AuditRequest, contradictions: "Contradictions | None" = None
) -> LensResults:
    heard = LensNotes()
    known = known_lenses(ports, heard, knowledge_root=request.knowledge_root, contradictions=contradictions)
    chosen = _chosen(ports, request, known)
    documents = AuditedDocuments(ports, folder_of(ports))
    around = LensView(documents, _there(ports, documents), request.profile)
    with _limited(request.within_seconds):
        runs = look(chosen, around, now=time.monotonic)
    return LensResults(runs, heard, tuple(_strangers(ports, known)), around, documents)


def _chosen(ports: "ObservePorts", request: AuditRequest, known: Sequence[Lens]) -> SelectedLenses:
    disabled = ports.settings.texts("observe.disabled_lenses")
    return choose(known, scope=request.scope, names=request.lenses, disabled=disabled)


def _limited(seconds: float | None) -> AbstractContextManager[None]:
    if seconds is None:
        return nullcontext()
    from cairn.core.interrupts import within

    return within(seconds)


def _there(ports: "ObservePorts", documents: AuditedDocuments) -> frozenset[str]:
    there = {"docs": bool(documents.paths), "git": ports.vcs.root() is not None, "ledger": True}
    return frozenset(name for name, found in there.items() if found)


def _threshold(ports: "ObservePorts") -> Severity:
    threshold: Severity = ports.settings.text("observe.fix_threshold")  # type: ignore[assignment]
    return threshold


# --- findings -------------------------------------------------------------------------------------------------------


def _judged(ports: "ObservePorts", runs: Sequence[LensRun], report: str, now_ms: int) -> list[Finding]:
    from cairn.core.ledger_events import redact_text

    known = {row.id: row for row in ports.store.findings.all()}
    found = [_dated(cleaned(one, redact_text), known, now_ms) for run in runs for one in run.findings]
    rows = [_row(one, known, report, now_ms) for one in found]
    ports.store.findings.replace([run.lens for run in runs if run.state == "ran"], rows)
    judged = [*acknowledged(found, acks_of(ports)), *(cleaned(one, redact_text) for one in missed(runs))]
    return sorted(judged, key=lambda one: (one.severity, one.status == "skipped", one.lens))


def _dated(finding: Finding, known: Mapping[str, FindingRow], now_ms: int) -> Finding:
    """Lenses that count know when something was first seen; for the others an audit remembers."""
    row = known.get(finding.id)
    first = finding.first_seen or iso_utc(row.first_seen_ms if row else now_ms)
    return replace(finding, first_seen=first, last_seen=finding.last_seen or iso_utc(now_ms))


def _row(finding: Finding, known: Mapping[str, FindingRow], report: str, now_ms: int) -> FindingRow:
    first_ms = known[finding.id].first_seen_ms if finding.id in known else now_ms
    detail = json.dumps(finding_json(finding), ensure_ascii=False)
    return FindingRow(finding.id, finding.lens, finding.severity, report, first_ms, now_ms, detail)


def without_paths(ports: "ObservePorts", audit: Audit) -> Audit:
    """For people who may know what was found, but not what the files are called."""
    named = [finding.source_doc for finding in audit.findings if finding.source_doc]
    mask = path_mask([*AuditedDocuments(ports, folder_of(ports)).paths, *named])
    return replace(audit, findings=tuple(cleaned(finding, mask) for finding in audit.findings))


# --- what there was -------------------------------------------------------------------------------------------------


def _facts(ports: "ObservePorts", looked: LensResults) -> dict[str, Any]:
    from cairn.worktree import branch

    documents, has = len(looked.documents.paths), looked.around.has
    return {
        "availability": {
            "docs": f"{documents:,} documents" if documents else "no documents",
            "git": "a repository" if "git" in has else "no repository",
            "ledger": "there",
        },
        "snapshot": {"commit": commit_of(ports), "branch": branch(os.fspath(ports.root)), "documents": documents},
        "replay": {"ledger_files": len(ports.ledger.files(collected=True))},
        "knowledge_root": looked.heard.knowledge.json() if looked.heard.knowledge else None,
        "graph_stats": {name: ports.store.counts()[name] for name in ("nodes", "links")} if ports.store.meta() else {},
    }


def commit_of(ports: "ObservePorts") -> str | None:
    """What is checked out; None where nothing was committed yet."""
    try:
        return ports.vcs.resolve("HEAD") if ports.vcs.root() else None
    except CairnError:
        return None


def _strangers(ports: "ObservePorts", known: Sequence[Lens]) -> list[str]:
    """Names among the disabled ones that no lens has. An old file may name lenses that another product had."""
    if ports.settings.source("observe.disabled_lenses").layer == "old":
        return []
    ids = [lens.id for lens in known]
    strangers = [name for name in ports.settings.texts("observe.disabled_lenses") if name not in ids]
    return [
        f"`observe.disabled_lenses` names `{name}`, which is no lens; {meant_lens(name, ids)}" for name in strangers
    ]


def _remember(ports: "ObservePorts", audit: Audit) -> None:
    summary = audit.summary
    counts = {"findings": summary["total"], "blocking": summary["blocking"]}
    said = {"report_id": audit.report_id, "verdict": audit.verdict, "profile": audit.profile, "scope": audit.scope}
    ports.ledger.append("audit_completed", {**said, **counts}, now_ms=ports.clock.now_ms())
