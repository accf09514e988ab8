"""Contents in files named by their hash: packed, written beside and renamed, so that a kill leaves none half done."""

import os
import re
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from cairn.core.ports.runtime import BlobInfo
from cairn.errors import CannotWrite

_KEY = re.compile(r"sha256:([0-9a-f]{2})([0-9a-f]{62})")
_NAME = re.compile(r"[0-9a-f]{62}")
_BESIDE = ".new-"
_HOUR = 3600.0
"""Nobody takes that long to write one."""
_LARGEST = 64 * 1024 * 1024
"""Unpacked. Nothing larger is ever put."""


class FileBlobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        key = f"sha256:{sha256(data).hexdigest()}"
        path = self._path(key)
        assert path is not None
        try:
            if self.get(key) == data:
                os.utime(path)
            else:
                _write(path, zlib.compress(data, 6))
        except OSError as error:
            raise CannotWrite(f"{path.parent} cannot be written: {error.strerror}; check its permissions.") from None
        return key

    def get(self, key: str) -> bytes | None:
        path = self._path(key)
        if path is None:
            return None
        try:
            data = zlib.decompressobj().decompress(path.read_bytes(), _LARGEST)
        except (OSError, zlib.error):
            return None
        return data if f"sha256:{sha256(data).hexdigest()}" == key else None

    def keys(self) -> list[str]:
        return sorted(key for key, _ in self._files())

    def entries(self) -> list[BlobInfo]:
        found = []
        for key, path in self._files():
            try:
                facts = path.stat()
            except OSError:
                continue
            found.append(BlobInfo(key, facts.st_size, facts.st_mtime_ns // 1_000_000))
        return sorted(found, key=lambda kept: (kept.at_ms, kept.key))

    def drop(self, keys: list[str]) -> int:
        """With what a process that died in the middle of a `put` has left."""
        self._sweep()
        dropped = 0
        for key in keys:
            path = self._path(key)
            try:
                if path is not None:
                    path.unlink()
                    dropped += 1
            except OSError:
                continue
        return dropped

    def _sweep(self) -> None:
        for path in self._folder.glob(f"[0-9a-f][0-9a-f]/{_BESIDE}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _HOUR:
                    path.unlink()

    def _path(self, key: str) -> Path | None:
        """None for a text that is no key: it may come from a file that somebody else wrote."""
        found = _KEY.fullmatch(key)
        return None if found is None else self._folder / found[1] / found[2]

    def _files(self) -> Iterator[tuple[str, Path]]:
        for folder in self._folder.glob("[0-9a-f][0-9a-f]"):
            for path in folder.iterdir():
                if _NAME.fullmatch(path.name):
                    yield f"sha256:{folder.name}{path.name}", path


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=_BESIDE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
