"""A scan as a person asks for it: choose the provider, scan, remember, record."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass

from cairn.core.ports.application import CanWriteSettings
from cairn.core.ports.runtime import Progress, Silent
from cairn.core.registry import ExtensionFailure
from cairn.errors import CairnError, CannotWrite
from cairn.graph.ports import GraphPorts
from cairn.graph.providers import Ask, ProviderChoice, choose
from cairn.graph.scan import scan
from cairn.graph.scan_request import ScanPorts, ScanReport, ScanRequest


@dataclass(frozen=True, slots=True)
class ScanResult:
    report: ScanReport
    warnings: tuple[str, ...]
    choice: ProviderChoice
    unread: str = ""
    """A line about documents that were not read."""
    documents: int | None = None
    """How many were checked, if somebody asked for findings."""
    left_out: str = ""
    """Documents that are left out by scope, with their counts."""


def run_scan(
    ports: GraphPorts,
    request: ScanRequest,
    *,
    progress: Progress | None = None,
    ask: Ask | None = None,
    take_first: bool = False,
    active: str | None = None,
    remember: bool = True,
) -> ScanResult:
    """Bring the graph up to date. `active` overrides the provider of the settings for this once."""
    with _extensions_speak_on_stderr():
        choice = choose(
            ports.registry,
            configured=active or ports.settings.optional_text("active_provider"),
            snapshot=_snapshot(ports),
            exists=ports.files.exists,
            ask=ask,
            take_first=take_first,
        )
        report = _scanned(ports, request, choice, progress or Silent())
    remember = remember and not ports.works_in_memory
    if choice.remember and remember and active is None:
        remember_choice(ports, choice)
    warnings = [choice.warning] if choice.warning else []
    warnings += _record(ports, report) if remember else []
    warnings += [problem.sentence() for problem in ports.registry.problems]
    warnings += failure_sentences(report.failures)
    return ScanResult(report, tuple(warnings), choice)


def _scanned(ports: GraphPorts, request: ScanRequest, choice: ProviderChoice, progress: Progress) -> ScanReport:
    """Once more in memory, where the database turned out to be unwritable and the command only reads."""
    try:
        return _once(ports, request, choice, progress)
    except CannotWrite as error:
        if not ports.move_to_memory(error.message):
            raise
        return _once(ports, request, choice, progress)


def _once(ports: GraphPorts, request: ScanRequest, choice: ProviderChoice, progress: Progress) -> ScanReport:
    scan_ports = ScanPorts(ports.files, ports.store, ports.clock, progress, ports.workers)
    return scan(request, registry=ports.registry, active=choice.active, ports=scan_ports)


def _snapshot(ports: GraphPorts) -> tuple[str, ...] | None:
    snapshot = ports.settings.values["active_provider_markers"]
    return None if snapshot is None else tuple(snapshot)


@contextmanager
def _extensions_speak_on_stderr() -> Iterator[None]:
    """What an extension prints must not end up in the data of a command."""
    with redirect_stdout(sys.stderr):
        yield


def settle_provider(ports: GraphPorts) -> tuple[str, ...]:
    """After somebody set the active provider by hand: what is found now is what it was chosen among."""
    choice = choose(
        ports.registry,
        configured=ports.settings.optional_text("active_provider"),
        snapshot=None,
        exists=ports.files.exists,
        take_first=True,
    )
    remember_choice(ports, choice)
    return choice.found


def remember_choice(settings: CanWriteSettings, choice: ProviderChoice) -> None:
    import json

    if choice.active is not None:
        settings.write_setting("active_provider", choice.active)
    settings.write_setting("active_provider_markers", json.dumps(list(choice.found)))


def failure_sentences(failures: Sequence[ExtensionFailure]) -> list[str]:
    """One sentence for each extension that failed, however often it did."""
    first: dict[str, tuple[str, int]] = {}
    for failure in failures:
        where = f" on `{failure.path}`" if failure.path else ""
        text = f"plugin {failure.extension} {failure.version} (extension-error), skipped{where}: {failure.message}"
        told, times = first.get(failure.extension, (text, 0))
        first[failure.extension] = (told, times + 1)
    return [text if times == 1 else f"{text} (and {times - 1} more)" for text, times in first.values()]


def _record(ports: GraphPorts, report: ScanReport) -> list[str]:
    """A scan that changed something is an event; one that found everything as it was leaves no trace."""
    if report.quiet:
        return []
    payload = {
        "active_provider": report.active_provider,
        "added": len(report.added),
        "changed": len(report.changed),
        "removed": len(report.removed),
        "renamed": len(report.renamed),
        "nodes": report.counts["nodes"],
        "links": report.counts["links"],
        "errors": report.counts["errors"],
        "warnings": report.counts["warnings"],
        "duration_ms": report.duration_ms,
    }
    try:
        append(ports, "scan_completed", payload)
    except CairnError as error:
        return [f"the scan is done, but could not be recorded: {error.message}"]
    return []


def append(ports: GraphPorts, kind: str, payload: Mapping[str, object]) -> None:
    """Record an event and bring the store's index of the ledger up to date."""

    ports.ledger.append(kind, payload, now_ms=ports.clock.now_ms())
    ports.index_ledger()
