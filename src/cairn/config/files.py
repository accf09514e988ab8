"""The two settings files: where they are, and how they are read without trusting them."""

import os
import stat
from pathlib import Path

from cairn.errors import ConfigError

LARGEST = 1_048_576


def read_text(root: Path, file: str) -> str | None:
    """The text of a settings file, None when there is none; anything but a small, regular UTF-8 file is refused."""
    path = os.path.join(root, file)
    try:
        # Without O_NONBLOCK a FIFO in its place would make us wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        if os.path.islink(path):
            raise ConfigError(f"{file} is a link to nowhere; remove it or make it a file", file=file) from None
        return None
    except OSError as problem:
        raise ConfigError(f"{file} cannot be read ({problem.strerror}); check its permissions", file=file) from None
    try:
        _refuse_odd(os.fstat(handle), root, file)
        with open(handle, "rb", closefd=False) as stream:
            return _decoded(stream.read(LARGEST + 1), file)
    finally:
        os.close(handle)


def _refuse_odd(facts: os.stat_result, root: Path, file: str) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise ConfigError(f"{file} is not a regular file; replace it by one", file=file)
    if facts.st_size > LARGEST:
        raise ConfigError(f"{file} is larger than 1 MB, which no settings are; make it smaller", file=file)
    base = os.path.realpath(root)
    if not os.path.realpath(os.path.join(base, file)).startswith(base.rstrip("/") + "/"):
        raise ConfigError(f"{file} is a link to a place outside the repository; make it a file", file=file)


def _decoded(data: bytes, file: str) -> str:
    if len(data) > LARGEST:
        raise ConfigError(f"{file} is larger than 1 MB, which no settings are; make it smaller", file=file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise ConfigError(f"{file}:{line}: this is not UTF-8; save the file as UTF-8", file=file, line=line) from None
