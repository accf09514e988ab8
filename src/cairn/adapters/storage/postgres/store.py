"""Opening a store on PostgreSQL."""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.errors import MissingExtra

_MISSING = 'The store on PostgreSQL needs its driver; add it with `pip install "cairn-kb[postgres]"`.'


def open_postgres(url: str, *, workspace: str, now_ms: int, timeout: float = 10.0) -> SqlStore:
    """The workspace's own schema on a server; made when missing, migrated when old, refused when newer."""
    require_driver()
    from cairn.adapters.storage.postgres.database import PostgresDatabase

    return SqlStore(PostgresDatabase.open(url, workspace=workspace, now_ms=now_ms, timeout=timeout))


def require_driver() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtra(_MISSING, extra="postgres") from error
