"""Which migrations are applied, and which database is refused."""

from pathlib import Path

import pytest

from cairn.adapters.storage.sql.database import SHARED, Migration, compose, migrate, migrations, newest, queries
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


FOLDER = SHARED[0].parent.parent

TEXT = "SELECT a FROM t WHERE 1 = 1 [focus t.id] [where] ORDER BY [order] [limit]"

FILLED = {
    "nothing": ({"order": "a"}, "SELECT a FROM t WHERE 1 = 1 ORDER BY a"),
    "focus": (
        {"focused": True, "order": "a"},
        "SELECT a FROM t WHERE 1 = 1 AND t.id IN (SELECT id FROM scan_focus) ORDER BY a",
    ),
    "all": (
        {"where": "a = :a", "order": "a", "limit": "LIMIT :n"},
        "SELECT a FROM t WHERE 1 = 1 AND a = :a ORDER BY a LIMIT :n",
    ),
}


@pytest.mark.parametrize(("given", "text"), FILLED.values(), ids=FILLED.keys())
def test_holes_are_filled(given: dict, text: str) -> None:
    assert compose(TEXT, **given) == text


def test_a_later_file_overrides_an_earlier_one(tmp_path: Path) -> None:
    first, second = tmp_path / "a.sql", tmp_path / "b.sql"
    first.write_text("-- About.\n\n-- name: one\nSELECT 1\n-- name: two\nSELECT 2\n")
    second.write_text("-- name: two\nSELECT 22\n")
    assert queries((first, second)) == {"one": "SELECT 1", "two": "SELECT 22"}


def test_a_name_stands_for_what_has_it(tmp_path: Path) -> None:
    file = tmp_path / "a.sql"
    file.write_text("-- name: all\nSELECT [= columns]\n-- name: columns\n[= first], b\n-- name: first\na\n")
    assert queries((file,))["all"] == "SELECT a, b"


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_both_dialects_answer_the_same_questions(dialect: str) -> None:
    own = queries((*SHARED, FOLDER / dialect / "queries.sql")).keys() - queries(SHARED).keys()
    assert {"last_text_id", "text_counts", "clear_texts"} <= own


def test_no_query_is_named_twice() -> None:
    names = [line for file in SHARED for line in file.read_text().splitlines() if line.startswith("-- name: ")]
    assert len(names) == len(set(names))
