"""Locks of a workspace: one who captures a session, one who curates. And of a repository: one who runs at night."""

from cairn.adapters.lock.files import FileLocks
from cairn.core.paths import LOCKS
from cairn.core.ports.application import CorePorts
from cairn.core.ports.runtime import Locks


def locks_of(ports: CorePorts) -> Locks:
    return FileLocks(ports.root / LOCKS, ports.clock.now_ms)


def repository_locks(ports: CorePorts) -> Locks:
    """Of all work trees together: they share the place where requests live."""
    from cairn.adapters.vcs.program import GitProgram

    common = (GitProgram(ports.root).answer("rev-parse", "--git-common-dir") or ".git").removesuffix("\n")
    return FileLocks(ports.root / common / "cairn", ports.clock.now_ms)


def all_locks(ports: CorePorts) -> tuple[Locks, ...]:
    return locks_of(ports), repository_locks(ports)
