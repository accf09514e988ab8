"""Opening one database, again and again, for tests that need two connections to it."""

import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from cairn.adapters.storage.postgres.store import open_postgres
from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite

OpenStore = Callable[..., SqlStore]


def opener(kind: str, request: pytest.FixtureRequest) -> OpenStore:
    """Opens a connection to one and the same database, each time that it is called."""
    if kind == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        return lambda timeout=0.2: open_sqlite(folder / "cairn.db", now_ms=0, timeout=timeout)
    url = request.getfixturevalue("postgres_url")
    workspace = f"/w/{uuid.uuid4()}"
    return lambda timeout=0.2: open_postgres(url, workspace=workspace, now_ms=0, timeout=timeout)
