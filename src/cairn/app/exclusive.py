"""Locks of a workspace: one who captures a session, one who curates, one who runs at night."""

from cairn.adapters.lock.files import FileLocks
from cairn.app.build import App
from cairn.kernel.ports.lock import Locks

LOCKS = ".cairn/locks"


def locks_of(app: App) -> Locks:
    return FileLocks(app.root / LOCKS, app.clock.now_ms)
