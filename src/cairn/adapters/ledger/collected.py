"""What was collected from other ledgers: a file for each of theirs, and how far it was read."""

import json
import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from cairn import journal
from cairn.adapters.ledger.jsonl import SUFFIX
from cairn.core.ports.ledger import COLLECTED, CollectPosition, LedgerSource
from cairn.errors import CannotWrite
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
