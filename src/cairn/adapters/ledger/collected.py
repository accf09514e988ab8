"""What was collected from other ledgers: a file for each of theirs, and how far it was read."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

import cairn.journal as journal
from cairn.adapters.ledger.jsonl import LONGEST_LINE, SUFFIX, JsonlLedger, blocks_of, file_key, open_regular
from cairn.core.ports.ledger import COLLECTED, CollectPosition, LedgerBlock, LedgerSource
from cairn.errors import CannotWrite, EnvironmentProblem, NotFound, Refused
from cairn.lib.text.parse_json import parse_json

STATE = "state.json"
Done = TypeVar("Done")


class CollectedLedgerFiles:
    """Held by one process at a time: it takes the ledger's lock."""

    def __init__(self, ledger: Path) -> None:
        self._ledger, self._folder = ledger, ledger / COLLECTED
        self._lock = -1

    def __enter__(self) -> "CollectedLedgerFiles":
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._folder.is_symlink():
                raise CannotWrite(f"{self._folder} is a symbolic link; take it away, so that a folder can be made.")
            self._lock = journal.hold(os.fspath(self._folder))
        except OSError as error:
            raise CannotWrite(f"{self._folder} cannot be written ({error.strerror}); check its permissions.") from error
        self._known = self._read_state()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def read_so_far(self, source: LedgerSource) -> CollectPosition:
        """From the beginning, when the file is shorter than it was, or another one."""
        known = self._known.get(_name(source), CollectPosition())
        return CollectPosition() if known.inode != source.inode or known.offset > source.size else known

    def put(
        self, source: LedgerSource, lines: Iterable[bytes], *, start: CollectPosition, offset: int
    ) -> CollectPosition:
        """Add lines to the copy and remember how far that goes. A kill in between leaves a longer copy than is
        remembered; the next time it is cut to what is."""
        path = self._folder / _name(source)
        if start.offset == 0:
            path.unlink(missing_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.truncate(start.size)
            file.seek(start.size)
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
            reached = CollectPosition(offset, file.tell(), source.inode)
        self._known[_name(source)] = reached
        self._write_state()
        return reached

    def rewritten(self, name: str, work: Callable[[], Done]) -> Done:
        """Let somebody write a copy anew. Until that is done nothing is known of it: whoever is killed in between
        leaves a copy that is collected from the beginning."""
        known = self._known.pop(name, None)
        if known is not None:
            self._write_state()
        done = work()
        if known is not None and (self._folder / name).exists():
            self._known[name] = known._replace(size=(self._folder / name).stat().st_size)
            self._write_state()
        return done

    def _read_state(self) -> dict[str, CollectPosition]:
        try:
            said = parse_json((self._folder / STATE).read_bytes())
            return {str(name): CollectPosition(*map(int, reading)) for name, reading in said.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _write_state(self) -> None:
        beside = self._folder / f"{STATE}.new"
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "w") as file:
            json.dump(self._known, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._folder / STATE)


def _name(source: LedgerSource) -> str:
    """Safe, whatever the other file is called."""
    label = "".join(c if c.isascii() and c.isalnum() else "-" for c in source.path.name.partition(".")[0].lower())
    slug = "-".join(part for part in label.split("-") if part)[:60] or "ledger"
    return f"{slug}-{sha256(source.key.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}{SUFFIX}"


LARGEST = 1024 * 1024 * 1024
"""Bytes of one file; a ledger is rotated long before."""
_MOST_FILES = 10_000


class SourceFile(NamedTuple):
    path: Path
    key: str
    """The same as long as it is the same file of the same folder, also when it is rotated. In another folder it may be
    a copy, which goes its own way."""
    size: int
    inode: int

    def blocks(self, offset: int = 0) -> Iterator[LedgerBlock]:
        file = open_regular(os.fspath(self.path))
        if file is not None:
            with file:
                yield from blocks_of(file, offset)


def ledger_files(place: Path) -> list[SourceFile]:
    """What is there to read at a place that a person named."""
    if place.is_symlink():
        raise Refused(f"`{place}` is a symbolic link; name the place that it leads to.")
    if not place.exists():
        raise NotFound(f"There is nothing at `{place}`; name a ledger file, a repository, or a folder of them.")
    try:
        paths = list(_below(place)) if place.is_dir() else [place]
    except PermissionError as error:
        raise EnvironmentProblem(f"`{error.filename}` cannot be read; check its permissions.") from error
    if len(paths) > _MOST_FILES:
        raise Refused(f"There are more than {_MOST_FILES:,} files in `{place}`; name fewer at a time.")
    found = {file.key: file for path in paths if (file := _described(path)) is not None}
    if not found:
        raise NotFound(f"There is no ledger in `{place}`; a workspace keeps it in `.cairn/ledger`.")
    return [found[key] for key in sorted(found)]


def _below(folder: Path) -> Iterator[Path]:
    """A workspace's own ledger; else files of ledgers that lie here, and the workspaces one step below."""
    if _is_workspace(folder):
        yield from _own(folder)
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_file() and path.name.endswith(SUFFIX):
            yield path
        elif path.is_dir() and _is_workspace(path):
            yield from _own(path)


def _is_workspace(folder: Path) -> bool:
    return bool(JsonlLedger(folder / ".cairn/ledger").files())


def _own(folder: Path) -> Iterator[Path]:
    """Without what that workspace collected itself: who wants that goes to where it came from."""
    ledger = JsonlLedger(folder / ".cairn/ledger")
    yield from (ledger.path_of(file.name) for file in ledger.files())


def _described(path: Path) -> SourceFile | None:
    file = open_regular(os.fspath(path))
    if file is None:
        return None
    with file:
        facts = os.fstat(file.fileno())
        first = file.readline(LONGEST_LINE)
    if facts.st_size > LARGEST:
        raise Refused(f"`{path}` is larger than {LARGEST // 1024**2:,} MiB; no ledger is. Split it, if it is one.")
    if not first.endswith(b"\n"):
        return None
    key = f"{path.parent.resolve()}/{file_key(path.name, first)}"
    return SourceFile(path, key, facts.st_size, facts.st_ino)
