"""Locks of a workspace: one who captures a session, one who curates. And of a repository: one who runs at night."""

from cairn.adapters.lock.files import FileLocks
from cairn.app.build import App
from cairn.core.ports.lock import Locks

LOCKS = ".cairn/locks"


def locks_of(app: App) -> Locks:
    return FileLocks(app.root / LOCKS, app.clock.now_ms)


def repository_locks(app: App) -> Locks:
    """Of all work trees together: they share the place where requests live."""
    from cairn.adapters.vcs.program import GitProgram

    common = (GitProgram(app.root).answer("rev-parse", "--git-common-dir") or ".git").removesuffix("\n")
    return FileLocks(app.root / common / "cairn", app.clock.now_ms)


def all_locks(app: App) -> tuple[Locks, ...]:
    return locks_of(app), repository_locks(app)
