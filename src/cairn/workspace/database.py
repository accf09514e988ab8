"""Looking after the database: back it up, bring a backup back, empty it, migrate it, write it out."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cairn.core.ports.store import Keeper, SchemaStep, Shell
from cairn.errors import CannotWrite, EnvironmentProblem, NotFound, UsageError

NOTHING_YET = "There is no database yet at {}; `cairn scan` makes one."


class Backup(NamedTuple):
    file: Path
    bytes: int


class RestoreResult(NamedTuple):
    file: Path
    schema: int
    before: str | None
    """Where the database that it replaced is kept."""


class ResetResult(NamedTuple):
    what: str
    """`scan`, `state` or `hard`."""
    changed: bool
    removed: tuple[str, ...] = ()
    """Files or schemas that are gone, or would be."""


class MigrateResult(NamedTuple):
    before: int
    after: int
    applied: Sequence[SchemaStep]
    pending: Sequence[SchemaStep]


def backup(keeper: Keeper, target: Path | None, *, folder: Path, now_ms: int) -> Backup:
    """Write the kept state to a file: whole, or not at all. Without a name it gets one from the time."""
    _require(keeper)
    file = target or _stamped(folder, keeper.suffix, now_ms)
    if os.path.lexists(file):
        raise UsageError(f"`{file}` exists already; name another file for the backup.")
    beside = file.with_name(f".{file.name}.partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)
        _save(keeper, beside)
        _settle(beside, file)
        return Backup(file, file.stat().st_size)
    except OSError as error:
        raise CannotWrite(f"`{file}` could not be written: {(error.strerror or str(error)).lower()}.") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _save(keeper: Keeper, target: Path) -> None:
    store = keeper.open()
    try:
        store.backup(str(target))
    finally:
        store.close()


def _settle(beside: Path, file: Path) -> None:
    """A power cut leaves the backup or nothing: the bytes reach the disk before the name does."""
    with beside.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(beside, file)


def _stamped(folder: Path, suffix: str, now_ms: int) -> Path:
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%dT%H%M%S")
    names = (f"{stamp}Z{more}{suffix}" for more in ("", *(f"-{n}" for n in range(2, 1_000))))
    return next(folder / name for name in names if not (folder / name).exists())


def restore(keeper: Keeper, file: Path) -> RestoreResult:
    """Put a backup in the place of the database, which is kept beside it."""
    if not file.is_file():
        raise NotFound(f"There is no file `{file}`; `cairn db backup` writes one.")
    schema = keeper.inspect(file)
    return RestoreResult(file, schema, keeper.restore(file))


def reset(keeper: Keeper, *, state: bool = False, hard: bool = False, dry_run: bool = False) -> ResetResult:
    """Empty the graph; with `state` everything; `hard` takes the database itself away, damaged or not."""
    if state and hard:
        raise UsageError("Give --state or --hard, not both; --hard takes everything away.")
    what = "hard" if hard else "state" if state else "scan"
    if hard:
        parts = tuple(keeper.parts() if dry_run else keeper.erase())
        return ResetResult(what, bool(parts), parts)
    if not keeper.exists():
        return ResetResult(what, False)
    if not dry_run:
        store = keeper.open()
        try:
            store.reset(state=state)
        finally:
            store.close()
    return ResetResult(what, True)


def dump(keeper: Keeper) -> Generator[str, None, None]:
    """SQL that puts the kept state into an empty database of the same schema."""
    _require(keeper)
    store = keeper.open()
    try:
        yield f"-- The kept state of {keeper.label}, schema {keeper.version()}.\nBEGIN;\n"
        yield from store.dump()
        yield "COMMIT;\n"
    finally:
        store.close()


def migrate(keeper: Keeper, *, dry_run: bool = False) -> MigrateResult:
    """Bring the schema to the newest. Every command does that by itself; this one says what there was to do."""
    before = keeper.version()
    missing = [step for step in keeper.steps() if step.version > before]
    if dry_run:
        return MigrateResult(before, before, (), missing)
    keeper.open().close()
    return MigrateResult(before, keeper.version(), missing, ())


def shell(keeper: Keeper, *, installed: Callable[[str], bool]) -> Shell:
    """The program to talk to the database with."""
    _require(keeper)
    wanted = keeper.shell()
    if not installed(wanted.command[0]):
        raise EnvironmentProblem(f"`{wanted.command[0]}` is not installed; install it, or use `cairn db dump`.")
    return wanted


def _require(keeper: Keeper) -> None:
    if not keeper.exists():
        raise NotFound(NOTHING_YET.format(keeper.label))
