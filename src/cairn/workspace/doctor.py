"""Is everything in order? Each check is one function that says what it found and what to do."""

import os
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from cairn.changes.write import leftovers
from cairn.core.model.event import BadLine, Event
from cairn.core.model.issue import HealthFinding, HealthState
from cairn.core.paths import MACHINE_FILES
from cairn.core.ports.ledger import LedgerFile
from cairn.errors import CairnError, ConfigError, StoreProblem
from cairn.graph.run_scan import choose, detect
from cairn.workspace.init import IGNORE
from cairn.workspace.ports import WorkspacePorts

_LATELY = 4 * 1024 * 1024
"""Bytes at the end of each file of the ledger."""


Check = Callable[[WorkspacePorts], Iterator[HealthFinding]]


def examine(ports: WorkspacePorts) -> list[HealthFinding]:
    """All checks; one that fails unexpectedly is a finding itself and does not hide the others."""
    found: list[HealthFinding] = []
    for name, check in CHECKS:
        try:
            found += check(ports)
        except CairnError as error:
            found.append(HealthFinding(name, HealthState.ERROR, error.message))
        except OSError as error:
            found.append(HealthFinding(name, HealthState.ERROR, f"{error.strerror or error}: {error.filename}"))
    return found


def examine_without_settings(ports: WorkspacePorts, error: ConfigError) -> list[HealthFinding]:
    """When the settings can't be read: that, and what can be said with default ones."""
    found = [
        HealthFinding(
            "settings", HealthState.ERROR, error.message, "mend the file that is named; the other checks used defaults"
        )
    ]
    for name, check in CHECKS:
        if name in ("python", "git", "folder", "gitignore", "ledger"):
            found += check(ports)
    return found


def _python(_: WorkspacePorts) -> Iterator[HealthFinding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield HealthFinding("python", HealthState.OK, f"Python {version}")


def _git(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    top = ports.vcs.root()
    if top is None:
        fix = "install git, or run `git init` in the root of your project"
        yield HealthFinding("git", HealthState.WARN, "this workspace is in no git repository that can be read", fix)
    else:
        yield HealthFinding("git", HealthState.OK, f"repository at {top}")


def _settings(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    for warning in ports.settings.warnings:
        yield HealthFinding("settings", HealthState.WARN, warning)
    if not ports.settings.warnings:
        yield HealthFinding("settings", HealthState.OK, "every key is known and of the right type")


def _ignore_file(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    path = ports.root / IGNORE
    text = path.read_text("utf-8", "replace") if path.is_file() else ""
    missing = [name for name in MACHINE_FILES if f"/{name}" not in text.split("\n")]
    if missing:
        message = f"{IGNORE} does not keep {', '.join(missing)} out of git"
        yield HealthFinding(
            "gitignore", HealthState.WARN, message, "run `cairn init` again; it only adds what is missing"
        )
    else:
        yield HealthFinding("gitignore", HealthState.OK, "what belongs to this machine stays out of git")


def _provider(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    snapshot = ports.settings.values["active_provider_markers"]
    configured = ports.settings.optional_text("active_provider")
    if configured is None:
        found = detect(ports.registry, ports.files.exists)
        hint = (
            f"found {', '.join(found)}, none is chosen"
            if found
            else "no agent host keeps agents, commands or skills here"
        )
        yield HealthFinding(
            "provider", HealthState.OK if not found else HealthState.WARN, hint, "run `cairn scan`" if found else None
        )
        return
    choice = choose(ports.registry, configured=configured, snapshot=snapshot, exists=ports.files.exists)
    if choice.warning:
        yield HealthFinding("provider", HealthState.WARN, choice.warning)
    else:
        yield HealthFinding("provider", HealthState.OK, f"active is {configured}")


def _database(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    location = ports.store_location
    if isinstance(location, Path) and not location.exists():
        yield HealthFinding("database", HealthState.WARN, "there is no database yet", "run `cairn scan`")
        return
    problems = ports.store.check()
    for problem in problems:
        fix = "restore a backup with `cairn db restore FILE`, or begin anew with `cairn db reset --hard`"
        yield HealthFinding("database", HealthState.ERROR, problem, fix)
    if not problems:
        yield HealthFinding("database", HealthState.OK, f"sound, schema {ports.db_schema()}")
    if not ports.store.meta():
        yield HealthFinding("graph", HealthState.WARN, "nothing was scanned yet", "run `cairn scan`")
    else:
        from cairn.graph.scan_request import size_of

        yield HealthFinding("graph", HealthState.OK, size_of(ports.store.counts()))


def _orphans(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        return
    try:
        ports.store.orphans()
    except StoreProblem:
        return  # said already, by the check of the database
    kept = [orphan.path for orphan in ports.store.orphans() if orphan.kept]
    if kept:
        message = f"{len(kept)} files that are gone still have kept facts, such as {kept[0]}"
        yield HealthFinding(
            "orphans", HealthState.WARN, message, "`cairn orphans` lists them, `cairn reconcile` moves the facts"
        )


def _ledger(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    """What was written lately: to read a ledger of years takes longer than everything else here."""
    files = ports.ledger.files()
    seen = [isinstance(event, BadLine) for file in files for _, event in _lately(ports, file)]
    lines, bad = f"{len(seen):,}", sum(seen)
    whole = all(file.size <= _LATELY for file in files)
    if bad:
        message = f"{bad:,} of {'' if whole else 'the last '}{lines} lines cannot be understood; they are passed over"
        yield HealthFinding("ledger", HealthState.WARN, message, "`cairn observe ledger verify` names them")
    else:
        events = "1 event" if len(seen) == 1 else f"{lines} events"
        yield HealthFinding("ledger", HealthState.OK, events if whole else f"the last {lines} events are sound")


def _lately(ports: WorkspacePorts, file: LedgerFile) -> Iterator[tuple[int, Event | BadLine]]:
    begin = max(0, file.size - _LATELY)
    lines = ports.ledger.read(file.name, begin)
    return islice(lines, 1 if begin else 0, None)  # the first one is only the end of a line


def _kept(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    """How much there is, and whether somebody was stopped while they forgot."""
    from cairn.capture.retention import sizes, sizes_text
    from cairn.workspace.forget.selection import was_stopped

    if was_stopped(ports):
        fix = "run the same `cairn forget` again; it goes on where it was"
        yield HealthFinding("kept", HealthState.WARN, "`cairn forget` was stopped in the middle", fix)
    yield HealthFinding("kept", HealthState.OK, sizes_text(sizes(ports)) or "nothing yet")


def _changes(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    """What a process that died has left half done; each is finished by whoever comes by next."""
    from cairn.changes.record_requests import unrecorded

    forge = ports.forge if ports.vcs.root() is not None else None
    if forge is None or forge.name != "local":
        return
    requests = forge.requests()
    for id in forge.under_way():
        message = f"a merge of {id} was stopped in the middle"
        yield HealthFinding("changes", HealthState.WARN, message, f"`cairn change merge {id}` finishes it")
    for id in forge.damaged():
        yield HealthFinding("changes", HealthState.WARN, f"the change request {id} cannot be read; it is passed over")
    late = len({payload["id"] for _, payload in unrecorded(ports, requests)})
    if late:
        message = f"{late} change request{'s are' if late > 1 else ' is'} not in the ledger yet"
        yield HealthFinding(
            "changes", HealthState.WARN, message, "the next `cairn change` or `cairn freshness run` writes that down"
        )
    else:
        yield HealthFinding("changes", HealthState.OK, f"{len(requests):,} change requests, all in the ledger")


def _leftovers(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        return
    try:
        folders = {fact[0].rpartition("/")[0] for fact in ports.store.file_facts()} | {"", ".cairn"}
    except StoreProblem:
        return
    for path in (path for folder in sorted(folders) for path in leftovers(ports.root, folder)):
        fix = "nothing: the next file that is written there takes it along, or remove it yourself"
        yield HealthFinding(
            "leftovers", HealthState.WARN, f"{path} was left by a process that died while it wrote", fix
        )


def _index(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    from cairn.workspace.index_age import index_problems

    for problem, fix in index_problems(ports):
        yield HealthFinding("index", HealthState.ERROR, problem, fix)


def _requirements(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    """What holds everywhere, see `cairn.capture.watchdog`."""
    if (isinstance(ports.store_location, Path) and not ports.store_location.exists()) or not ports.ledger.files():
        return
    from cairn.capture.watchdog import verify_all

    try:
        ports.store.meta()
        found = list(verify_all(ports))
    except StoreProblem:
        return  # said already, by the check of the database
    for requirement, problems in found:
        if problems:
            more = f" and {len(problems) - 1:,} more" if len(problems) > 1 else ""
            yield HealthFinding("rules", HealthState.WARN, f"{requirement.id}: {problems[0]}{more}", requirement.says)
    if not any(problems for _, problems in found):
        yield HealthFinding("rules", HealthState.OK, f"{len(found)} hold everywhere")


def _base(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    from cairn.workspace.doctor_knowledge import older_base

    yield from older_base(ports)


def _documents(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    from cairn.workspace.doctor_knowledge import documents

    yield from documents(ports)


def _pages(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    from cairn.workspace.doctor_knowledge import pages

    yield from pages(ports)


def _vectors(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    if ports.settings.text("retrieve.embeddings") != "off":
        from cairn.retrieve.embeddings import examine_vectors

        yield from examine_vectors(ports)


def _plugins(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    for problem in ports.registry.problems:
        state = HealthState.WARN if problem.status == "untrusted" else HealthState.ERROR
        yield HealthFinding("plugins", state, problem.sentence(), "`cairn plugins doctor` says more")
    on = sum(extension.enabled for extension in ports.registry.extensions)
    if not ports.registry.problems:
        yield HealthFinding("plugins", HealthState.OK, f"{len(ports.registry.plugins)} plugins, {on} extensions are on")


def _agents(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    from cairn.agents.try_hooks import in_short

    yield from in_short(ports.root, env=ports.env, settings=ports.settings, run_shell=ports.run_shell)


def _writable(ports: WorkspacePorts) -> Iterator[HealthFinding]:
    folder = ports.root / ".cairn"
    if os.access(folder, os.W_OK):
        yield HealthFinding("folder", HealthState.OK, ".cairn can be written")
    else:
        yield HealthFinding("folder", HealthState.ERROR, f"{folder} cannot be written", "check who owns it")


CHECKS: tuple[tuple[str, Check], ...] = (
    ("python", _python),
    ("git", _git),
    ("folder", _writable),
    ("settings", _settings),
    ("gitignore", _ignore_file),
    ("plugins", _plugins),
    ("provider", _provider),
    ("database", _database),
    ("orphans", _orphans),
    ("ledger", _ledger),
    ("kept", _kept),
    ("index", _index),
    ("vectors", _vectors),
    ("rules", _requirements),
    ("agents", _agents),
    ("changes", _changes),
    ("leftovers", _leftovers),
    ("base", _base),
    ("documents", _documents),
    ("pages", _pages),
)
