"""Which database is looked after: a file of SQLite, or a server of PostgreSQL."""

from pathlib import Path

from cairn.core.paths import BACKUPS
from cairn.core.ports.store import Keeper
from cairn.workspace.ports import WorkspacePorts


def choose_keeper(ports: WorkspacePorts) -> Keeper:
    """Opens nothing: the database may be missing or damaged."""
    location = ports.store_location
    if isinstance(location, Path):
        from cairn.adapters.storage.sqlite.keeper import SqliteKeeper

        return SqliteKeeper(location, now_ms=ports.clock.now_ms)
    from cairn.adapters.storage.postgres.store import require_driver

    require_driver()
    from cairn.adapters.storage.postgres.keeper import PostgresKeeper

    workspace = str(ports.root.resolve())
    return PostgresKeeper(location, workspace=workspace, folder=ports.root / BACKUPS, now_ms=ports.clock.now_ms)
