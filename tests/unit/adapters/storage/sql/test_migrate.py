"""Which migrations are applied, and which database is refused."""

from pathlib import Path

import pytest

from cairn.adapters.storage.sql.migrate import Migration, migrate, migrations, newest
from cairn.errors import StoreNewer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("0002_more.sql", "0001_first.sql", "0010_tenth.sql", "README.md"):
        (tmp_path / name).write_text(f"-- {name}\n")
    return tmp_path


def test_migrations_come_in_order_with_their_names(folder: Path) -> None:
    assert [(m.version, m.name) for m in migrations(folder)] == [(1, "first"), (2, "more"), (10, "tenth")]
    assert newest(folder) == 10


@pytest.mark.parametrize(("current", "applied"), [(0, [1, 2, 10]), (1, [2, 10]), (9, [10]), (10, [])])
def test_what_is_missing_is_applied(folder: Path, current: int, applied: list[int]) -> None:
    seen: list[Migration] = []
    migrate(folder, current, seen.append)
    assert [migration.version for migration in seen] == applied


def test_a_newer_database_is_refused_untouched(folder: Path) -> None:
    seen: list[Migration] = []
    with pytest.raises(StoreNewer, match="schema 11, this Cairn knows 10"):
        migrate(folder, 11, seen.append)
    assert seen == []
