"""Sessions of OpenCode where it keeps them: its database, or, before it had one, folders of small files."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cairn.adapters.transcripts.files import checksum
from cairn.core.ports.turns import FoundTranscript
from cairn.errors import Refused

if TYPE_CHECKING:
    import sqlite3

DATABASE = "opencode.db"
FOLDER = "storage"
_LARGEST = 16 * 1024 * 1024


class OpenCodeTranscript:
    """A message a line, as the reader wants it. A message that is still being written is left for later."""

    def __init__(self, messages: "DatabaseMessages | FolderMessages") -> None:
        self._messages = messages

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        for line in self._lines():
            if start < len(line):
                yield line[start:]
            start = max(0, start - len(line))

    def check(self, end: int) -> str | None:
        return checksum(self._lines(), end)

    def _lines(self) -> Iterator[bytes]:
        last, written = b"", True
        for info, parts in self._messages.read():
            if last:
                yield last  # another one follows: whatever it is, it is not written any more
            line = json.dumps({"info": info, "parts": parts}, separators=(",", ":")).encode() + b"\n"
            last, written = line, _is_written(info)
        if last and written:
            yield last


def _is_written(info: dict[str, Any]) -> bool:
    time = info.get("time")
    return info.get("role") != "assistant" or (isinstance(time, dict) and "completed" in time)


def _loaded(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


# --- the database ---------------------------------------------------------------------------------------------------


class DatabaseMessages:
    def __init__(self, path: Path, session: str) -> None:
        self._path, self._session = path, session

    def read(self) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        with closing(_connected(self._path)) as database:
            messages = "select id, data from message where session_id = ? order by time_created, id"
            parts = "select data from part where message_id = ? and length(data) <= ? order by id"
            for id, data in _rows(database, messages, self._session):
                found = [_loaded(row[0]) for row in _rows(database, parts, id, _LARGEST)]
                yield {**_loaded(data), "id": id}, found


def _connected(path: Path) -> "sqlite3.Connection":
    """For reading only: it is not ours, and OpenCode may be at work."""
    import sqlite3

    try:
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)
    except sqlite3.Error as error:
        raise _unreadable(path, error) from None


def _rows(database: "sqlite3.Connection", statement: str, *given: object) -> list[Any]:
    import sqlite3

    try:
        return database.execute(statement, given).fetchall()
    except sqlite3.Error as error:
        raise _unreadable(None, error) from None


def _unreadable(path: Path | None, error: Exception) -> Refused:
    where = f"The database of OpenCode{f' {path}' if path else ''}"
    return Refused(f"{where} cannot be read ({error}); export the session with `opencode export` and name that file.")


# --- folders --------------------------------------------------------------------------------------------------------


class FolderMessages:
    """`message/<session>/*.json`, and for each of them `part/<message>/*.json`."""

    def __init__(self, storage: Path, session: str) -> None:
        self._storage, self._session = storage, session

    def read(self) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        for file in _files(self._storage / "message" / self._session):
            parts = [_loaded(_content(part)) for part in _files(self._storage / "part" / file.stem)]
            yield {**_loaded(_content(file)), "id": file.stem}, parts


def _files(folder: Path) -> list[Path]:
    """In order of their names, which begin with the time."""
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".json" and file.is_file())
    except OSError:
        return []


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.stat().st_size <= _LARGEST else b""
    except OSError:
        return b""


# --- sessions of a project ------------------------------------------------------------------------------------------


def sessions_in(data: Path) -> Iterator[tuple[FoundTranscript, str]]:
    """Every session that OpenCode knows and that no other session started, with the folder that it was about."""
    database = data / DATABASE
    if database.is_file():
        yield from _in_database(database)
    for file in sorted((data / "storage" / "session").glob("*/*.json")):
        value = _loaded(_content(file))
        time = value.get("time")
        at = time.get("updated") if isinstance(time, dict) else None
        if isinstance(value.get("directory"), str) and not value.get("parentID"):
            path = str(data / "storage")
            yield FoundTranscript("opencode", file.stem, path, at if isinstance(at, int) else 0, 0), value["directory"]


def _in_database(path: Path) -> Iterator[tuple[FoundTranscript, str]]:
    statement = "select id, directory, time_updated from session where parent_id is null"
    try:
        with closing(_connected(path)) as database:
            rows = _rows(database, statement)
    except Refused:
        return
    for id, directory, at in rows:
        if isinstance(id, str) and isinstance(directory, str):
            yield FoundTranscript("opencode", id, str(path), at if isinstance(at, int) else 0, 0), directory


def open_opencode(path: Path, session: str) -> OpenCodeTranscript | None:
    """For a place where OpenCode keeps sessions; None for anything else, such as an exported file. Our plugin may have
    named the folder because OpenCode had not made its database yet."""
    database = path.with_name(DATABASE) if _is_folder_without(path, session) else path
    if database.name == DATABASE and database.is_file():
        return OpenCodeTranscript(DatabaseMessages(database, session))
    if path.is_dir() and "/" not in session and session not in ("", ".", ".."):
        return OpenCodeTranscript(FolderMessages(path, session))
    return None


def _is_folder_without(path: Path, session: str) -> bool:
    return path.name == FOLDER and not (path / "message" / session).is_dir()
