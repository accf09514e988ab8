"""Who looks after the database of a workspace."""

from pathlib import Path

from cairn.app.build import App
from cairn.core.ports.keeper import Keeper

BACKUPS = ".cairn/backups"


def keeper_of(app: App) -> Keeper:
    """Opens nothing: the database may be missing or damaged."""
    location = app.store_location
    if isinstance(location, Path):
        from cairn.adapters.storage.sqlite.keeper import SqliteKeeper

        return SqliteKeeper(location, now_ms=app.clock.now_ms)
    from cairn.adapters.storage.postgres.store import require_driver

    require_driver()
    from cairn.adapters.storage.postgres.keeper import PostgresKeeper

    workspace = str(app.root.resolve())
    return PostgresKeeper(location, workspace=workspace, folder=app.root / BACKUPS, now_ms=app.clock.now_ms)
