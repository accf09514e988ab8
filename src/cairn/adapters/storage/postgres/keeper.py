"""Looking after a workspace's schema on PostgreSQL."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cairn.adapters.storage.postgres.database import (
    BACKUP_HEAD,
    MIGRATIONS,
    PostgresDatabase,
    label,
    parse,
    schema_name,
)
from cairn.adapters.storage.postgres.store import open_postgres
from cairn.adapters.storage.sql.database import migrations, refuse_newer
from cairn.adapters.storage.sql.session import KEPT
from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.store import SchemaStep, Shell
from cairn.errors import CannotWrite, StoreCorrupt


class PostgresKeeper:
    suffix = ".sql"

    def __init__(
        self, url: str, *, workspace: str, folder: Path, now_ms: Callable[[], int], timeout: float = 2.0
    ) -> None:
        """What a restore replaces is kept in `folder`."""
        self._url = url
        self._workspace = workspace
        self._folder = folder
        self._now_ms = now_ms
        self._timeout = timeout

    @property
    def label(self) -> str:
        return label(parse(self._url))

    @property
    def schema(self) -> str:
        return schema_name(self._workspace)

    def exists(self) -> bool:
        return self.version() > 0

    def version(self) -> int:
        with self._connected() as database:
            return database.version()

    def steps(self) -> Sequence[SchemaStep]:
        return [SchemaStep(m.version, m.name) for m in migrations(MIGRATIONS)]

    def open(self) -> SqlStore:
        return open_postgres(self._url, workspace=self._workspace, now_ms=self._now_ms(), timeout=self._timeout)

    def inspect(self, backup: Path) -> int:
        with backup.open("rb") as file:
            first = file.readline(200).decode("utf-8", "replace").rstrip("\n")
        number = first.removeprefix(BACKUP_HEAD)
        if not first.startswith(BACKUP_HEAD) or not number.isdigit():
            raise StoreCorrupt(f"`{backup}` is no backup of Cairn's for PostgreSQL; `cairn db backup` writes one.")
        refuse_newer(int(number), MIGRATIONS)
        return int(number)

    def restore(self, backup: Path) -> str | None:
        kept = self._keep() if self.exists() else None
        database = PostgresDatabase.open(
            self._url, workspace=self._workspace, now_ms=self._now_ms(), timeout=self._timeout
        )
        try:
            database.replace_kept(KEPT, backup.read_text("utf-8"))
        finally:
            database.close()
        return kept

    def _keep(self) -> str:
        kept = self._folder / f"{self.schema}.before-restore.sql"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            kept.unlink(missing_ok=True)
        except OSError as error:
            raise CannotWrite(f"`{kept}` cannot be written: {(error.strerror or str(error)).lower()}.") from error
        store = self.open()
        try:
            store.backup(str(kept))
        finally:
            store.close()
        return str(kept)

    def erase(self) -> list[str]:
        parts = self.parts()
        if parts:
            with self._connected() as database:
                database.drop_schema()
        return parts

    def parts(self) -> list[str]:
        return [f"schema {self.schema}"] if self.exists() else []

    def shell(self) -> Shell:
        parts = parse(self._url)
        secret = parts.pop("password", None)
        options = {"options": f"-csearch_path={self.schema}", **parts}
        conninfo = " ".join(f"{key}='{_quoted(str(value))}'" for key, value in options.items())
        return Shell(("psql", conninfo), {"PGPASSWORD": secret} if secret else {})

    @contextmanager
    def _connected(self) -> Iterator[PostgresDatabase]:
        database = PostgresDatabase.connect(self._url, workspace=self._workspace, timeout=self._timeout)
        try:
            yield database
        finally:
            database.close()


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")
