"""A scan as a person asks for it: choose the provider, scan, remember, record; and again when files changed."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cairn.core.extension_points import Provider
from cairn.core.ports.application import CanWriteSettings
from cairn.core.ports.runtime import Clock, Files, Progress, Silent, WalkRequest
from cairn.core.registry import ExtensionFailure, LoadedExtension, Registry
from cairn.errors import CairnError, CannotWrite, ConfigError, UsageError
from cairn.graph.scan import scan
from cairn.graph.scan_request import GraphPorts, ScanPorts, ScanReport, ScanRequest
from cairn.lib.text.names import hint

Ask = Callable[[Sequence[str]], str | None]
"""Shows a person some provider ids and returns the chosen one."""


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """The active provider, and what is to be remembered about how it was found."""

    active: str | None
    found: tuple[str, ...]
    remember: bool = False
    warning: str | None = None
    note: str | None = None
    """Set when it is only the first of several, which nobody chose: that is never stored."""


def detect(registry: Registry, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Ids of the providers of which any marker is there, in dispatch order."""
    return tuple(p.id for p in registry.providers if any(map(exists, _markers(registry, p))))


def _markers(registry: Registry, provider: LoadedExtension[Provider]) -> Iterator[str]:
    yield from provider.manifest.markers
    for other in registry.providers:
        yield from other.manifest.host_markers.get(provider.id, ())


def choose(
    registry: Registry,
    *,
    configured: str | None,
    snapshot: Sequence[str] | None,
    exists: Callable[[str], bool],
    ask: Ask | None = None,
    take_first: bool = False,
) -> ProviderChoice:
    """The configured provider, or the only one found, or the one that a person picks; none at all is fine too."""
    found = detect(registry, exists)
    if configured is not None:
        if not registry.providers:  # switched off for this once
            return ProviderChoice(configured, ())
        if _is_off(registry, configured):
            return ProviderChoice(None, found, warning=_OFF.format(id=configured))
        must_be_known(registry, configured)
        if snapshot is None:
            return ProviderChoice(configured, found, remember=True)
        return ProviderChoice(configured, found, warning=_drift(found, snapshot))
    if not found:
        return ProviderChoice(None, ())
    if len(found) > 1 and (take_first or ask is None):
        note = _SEVERAL.format(found=", ".join(found), first=found[0])
        return ProviderChoice(found[0], found, note=note)
    return ProviderChoice(_pick(found, ask), found, remember=True)


_SEVERAL = (
    "several agent hosts are used here ({found}); the rules of {first} apply, "
    "`cairn config set active_provider NAME` selects another"
)


_OFF = (
    "active_provider is `{id}`, which is switched off, so names such as @agent or /command lead nowhere; "
    "`cairn plugins enable {id}` switches it on"
)


def _is_off(registry: Registry, id: str) -> bool:
    return any(e.kind == "provider" and e.id == id and not e.enabled for e in registry.extensions)


def _pick(found: Sequence[str], ask: Ask | None) -> str:
    if len(found) == 1:
        return found[0]
    picked = ask(found) if ask else None
    if picked is None:
        raise UsageError(
            f"Several agent hosts are used here ({', '.join(found)}); say whose rules count, "
            f"for example `cairn config set active_provider {found[0]}`.",
            candidates=list(found),
        )
    return picked


def must_be_known(registry: Registry, id: str) -> None:
    known = [p.id for p in registry.providers]
    if known and id not in known:
        meant = hint(id, known, f"known are {', '.join(known)}.")
        raise ConfigError(f"active_provider is `{id}`, which no plugin provides; {meant}", known=known)


def _drift(found: Sequence[str], snapshot: Sequence[str]) -> str | None:
    new = [id for id in found if id not in snapshot]
    removed = [id for id in snapshot if id not in found]
    if not new and not removed:
        return None
    parts = [f"new: {', '.join(new)}"] * bool(new) + [f"removed: {', '.join(removed)}"] * bool(removed)
    return (
        f"the agent hosts used here have changed since active_provider was set ({'; '.join(parts)}); "
        "`cairn config set active_provider NAME` settles it"
    )


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
        told = progress or Silent()
        told.event("scan.started", **_beginning(request))
        report = _scanned(ports, request, choice, told)
        _tell_end(told, report)
    remember = remember and not ports.works_in_memory
    if choice.remember and remember and active is None:
        remember_choice(ports, choice)
    warnings = [choice.warning] if choice.warning else []
    warnings += _record(ports, report) if remember else []
    warnings += [problem.sentence() for problem in ports.registry.problems]
    warnings += failure_sentences(report.failures)
    return ScanResult(report, tuple(warnings), choice)


def _beginning(request: ScanRequest) -> dict[str, object]:
    mode = "single" if request.force else "full" if request.rebuild or request.verify else "changed"
    roots = (*request.only, *request.force)
    return {"mode": mode, "target": ", ".join(roots) or None, "rootsCount": max(1, len(roots))}


def _tell_end(progress: Progress, report: ScanReport) -> None:
    for failure in report.failures:
        facts = {"extensionId": failure.extension, "node": failure.path or None, "message": failure.message}
        progress.event("extension.error", **facts)
    counts = report.counts
    size = {"nodes": counts["nodes"], "links": counts["links"], "issues": counts["errors"] + counts["warnings"]}
    progress.event("scan.completed", **size, durationMs=report.duration_ms)


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


_SHARE = 10
"""Looking may take at most a tenth of the time: a large tree is looked at less often."""
_SHORTEST = 0.25


class Beat(NamedTuple):
    """The files have come to rest in another state than before."""

    number: int


def beats(
    files: Files, request: WalkRequest, *, clock: Clock, sleep: Callable[[float], None], debounce: float
) -> Iterator[Beat]:
    """One for each time that something changed, forever. Looking at size, time and inode is enough."""
    seen = _state(files, request)
    number = 0
    while True:
        started = clock.monotonic()
        state = _state(files, request)
        cost = clock.monotonic() - started
        if state != seen:
            seen = _rest(files, request, state, sleep, debounce)
            number += 1
            yield Beat(number)
        else:
            sleep(max(_SHORTEST, cost * _SHARE))


def _rest(files: Files, request: WalkRequest, state: bytes, sleep: Callable[[float], None], debounce: float) -> bytes:
    """Wait until nothing changed for the time of the debounce, but not forever."""
    for _ in range(20):
        sleep(debounce)
        later = _state(files, request)
        if later == state:
            break
        state = later
    return state


def _state(files: Files, request: WalkRequest) -> bytes:
    return sha256(repr(files.walk(request).files).encode("utf-8", "surrogatepass")).digest()
