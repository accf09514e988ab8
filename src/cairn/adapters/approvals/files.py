"""Keeps approvals in the user's state directory, one line per decision; in memory where there is no such directory."""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from cairn.errors import CannotWrite
from cairn.knowledge.approval import REVOKED, ApprovalRecord, ApprovedBy, LogPosition, read_records, worth_recording
from cairn.lib.text.parse_json import parse_json

FILE = "approved.jsonl"
_PLACES = "commits-seen"


def state_directory(env: Mapping[str, str]) -> Path | None:
    """Of this user, for all repositories. None where the environment names no home."""
    if given := env.get("CAIRN_STATE_HOME"):
        return Path(given)
    if given := env.get("XDG_STATE_HOME"):
        return Path(given, "cairn")
    return Path(env["HOME"], ".local", "state", "cairn") if env.get("HOME") else None


class ApprovalFiles:
    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, str] | None = None

    def known(self) -> dict[str, str]:
        """State by hash. Read once."""
        if self._known is None:
            self._known = read_records(self._read(FILE))
        return self._known

    def by(self, hash: str) -> ApprovedBy | None:
        found = self.known().get(hash)
        return ApprovedBy(found) if found in set(ApprovedBy) else None

    def add(self, hashes: Iterable[str], by: ApprovedBy, *, now_ms: int) -> list[str]:
        """The hashes whose state changed."""
        new = worth_recording(self.known(), hashes, by)
        self._append(ApprovalRecord(one, str(by), now_ms) for one in new)
        return new

    def remove(self, hashes: Iterable[str], *, now_ms: int) -> list[str]:
        gone = [one for one in dict.fromkeys(hashes) if self.known().get(one) != REVOKED]
        self._append(ApprovalRecord(one, REVOKED, now_ms) for one in gone)
        return gone

    def _append(self, records: Iterable[ApprovalRecord]) -> None:
        new = list(records)
        if not new:
            return
        self.known().update((record.hash, record.by) for record in new)
        if self._folder is None:
            return
        data = "".join(record.line for record in new).encode()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                os.write(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise CannotWrite(f"`{self._folder / FILE}` cannot be written: {error.strerror}") from error

    # --- how far the reflogs were read --------------------------------------------------------------------------

    def seen(self, log: str) -> LogPosition | None:
        """How far a reflog was read before. Older versions recorded bytes only."""
        try:
            value: Any = parse_json(self._read(f"{_PLACES}/{_name(log)}") or "null")
        except ValueError:
            return None
        match value:
            case int(size) | [int(size)]:
                return LogPosition(size, "")
            case [int(size), str(last)]:
                return LogPosition(size, last)
        return None

    def remember(self, log: str, position: LogPosition) -> None:
        """Where the state directory cannot be written, every look is the first one: commits approve nothing."""
        if self._folder is None:
            return
        with suppress(OSError):
            (self._folder / _PLACES).mkdir(mode=0o700, parents=True, exist_ok=True)
            (self._folder / _PLACES / _name(log)).write_text(json.dumps(position))

    def places(self, logs: Iterable[str]) -> list[str]:
        """Files that record how far these logs were read."""
        folder = self._folder
        return [] if folder is None else [str(p) for log in logs if (p := folder / _PLACES / _name(log)).is_file()]

    def drop_places(self, logs: Iterable[str]) -> None:
        """Removes those files, and folders that are empty then. Approvals stay: they hold in other clones as well."""
        for place in self.places(logs):
            with suppress(OSError):
                os.unlink(place)
        for folder in (self._folder / _PLACES, self._folder) if self._folder else ():
            with suppress(OSError):
                folder.rmdir()

    def number(self) -> int:
        """Contents that are approved now, in all repositories."""
        return sum(state != REVOKED for state in self.known().values())

    def _read(self, name: str) -> str:
        if self._folder is None:
            return ""
        try:
            return (self._folder / name).read_text("utf-8", "replace")
        except OSError:
            return ""


def _name(log: str) -> str:
    return sha256(os.path.realpath(log).encode("utf-8", "surrogateescape")).hexdigest()[:32]
