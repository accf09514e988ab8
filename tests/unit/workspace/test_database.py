"""What the care of a database does when its parts fail; the whole is tried in tests/surfaces."""

from pathlib import Path

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.store import SchemaStep, Shell
from cairn.errors import CannotWrite, EnvironmentProblem, NotFound, StoreProblem, UsageError
from cairn.workspace import database as care

NOW = 1_767_323_045_000
"""2026-01-02T03:04:05Z"""


class FakeKeeper:
    """A database that is there, or not, and writes what it is told."""

    label = "fake"
    suffix = ".db"

    def __init__(self, *, there: bool = True, fails: Exception | None = None) -> None:
        self.there = there
        self.fails = fails
        self.closed = 0

    def exists(self) -> bool:
        return self.there

    def version(self) -> int:
        return 1 if self.there else 0

    def steps(self) -> list[SchemaStep]:
        return [SchemaStep(1, "one"), SchemaStep(2, "two")]

    def open(self) -> SqlStore:
        keeper = self

        class Fake(SqlStore):
            def backup(self, target: str) -> None:
                Path(target).write_text("half")
                if keeper.fails:
                    raise keeper.fails

            def close(self) -> None:
                keeper.closed += 1
                super().close()

        return Fake(open_memory()._db)

    def inspect(self, backup: Path) -> int:
        return 1

    def restore(self, backup: Path) -> str | None:
        return None

    def erase(self) -> list[str]:
        self.there = False
        return ["fake"]

    def parts(self) -> list[str]:
        return ["fake"] if self.there else []

    def shell(self) -> Shell:
        return Shell(("fakesql",), {})


def test_a_backup_is_named_by_utc_and_never_twice_the_same(tmp_path: Path) -> None:
    names = [care.backup(FakeKeeper(), None, folder=tmp_path, now_ms=NOW).file.name for _ in range(3)]
    assert names == ["20260102T030405Z.db", "20260102T030405Z-2.db", "20260102T030405Z-3.db"]


@pytest.mark.parametrize("error", [StoreProblem("no"), KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_a_backup_that_fails_leaves_nothing(tmp_path: Path, error: Exception) -> None:
    keeper = FakeKeeper(fails=error)
    with pytest.raises((type(error), CannotWrite)):
        care.backup(keeper, tmp_path / "x.db", folder=tmp_path, now_ms=NOW)
    assert list(tmp_path.iterdir()) == []
    assert keeper.closed == 1


def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    keeper = FakeKeeper(fails=OSError(28, "No space left on device"))
    with pytest.raises(CannotWrite, match="no space left on device"):
        care.backup(keeper, None, folder=tmp_path / "made" / "too", now_ms=NOW)


def test_a_symlink_to_nowhere_counts_as_there(tmp_path: Path) -> None:
    (tmp_path / "x.db").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError):
        care.backup(FakeKeeper(), tmp_path / "x.db", folder=tmp_path, now_ms=NOW)


def test_what_is_pending_is_told_without_doing_it() -> None:
    keeper = FakeKeeper()
    assert care.migrate(keeper, dry_run=True) == care.MigrateResult(1, 1, (), [SchemaStep(2, "two")])
    assert keeper.closed == 0
    assert care.migrate(keeper).applied == [SchemaStep(2, "two")]
    assert keeper.closed == 1


def test_a_dump_closes_the_store_when_nobody_reads_on() -> None:
    keeper = FakeKeeper()
    lines = care.dump(keeper)
    assert next(lines).startswith("-- The kept state of fake")
    lines.close()
    assert keeper.closed == 1


def test_a_hard_reset_only_tells_when_it_is_dry() -> None:
    keeper = FakeKeeper()
    assert care.reset(keeper, hard=True, dry_run=True) == care.ResetResult("hard", True, ("fake",))
    assert keeper.there
    assert care.reset(keeper, hard=True) == care.ResetResult("hard", True, ("fake",))
    assert care.reset(keeper, hard=True, dry_run=True) == care.ResetResult("hard", False, ())


def test_a_program_that_is_not_installed_is_named() -> None:
    with pytest.raises(EnvironmentProblem, match="`fakesql` is not installed"):
        care.shell(FakeKeeper(), installed=lambda _: False)
    with pytest.raises(NotFound):
        care.shell(FakeKeeper(there=False), installed=lambda _: True)
    assert care.shell(FakeKeeper(), installed=lambda name: name == "fakesql").command == ("fakesql",)
