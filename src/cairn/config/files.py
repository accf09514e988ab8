"""The two settings files: where they are, and how they are read without trusting them."""

import os
import stat
from pathlib import Path
from typing import Any

from cairn.config.keys import Value
from cairn.errors import ConfigError

LARGEST = 1_048_576


class _Repeated(Exception):
    pass


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


def parse_object(text: str, file: str) -> dict[str, Value]:
    """The JSON object in a settings file; duplicate names, NaN and the like are refused."""
    import json

    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        where = f"{file}:{problem.lineno}:{problem.colno}"
        raise ConfigError(
            f"{where}: this is not valid JSON ({problem.msg[0].lower()}{problem.msg[1:]})",
            file=file,
            line=problem.lineno,
            column=problem.colno,
        ) from None
    except _Repeated as problem:
        raise _repeated(text, file, str(problem)) from None
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply to be settings", file=file) from None
    except ValueError as problem:
        raise ConfigError(f"{file}: {problem}", file=file) from None
    if not isinstance(value, dict):
        raise ConfigError(f"{file}:1: settings are a JSON object, so the file must start with {{", file=file, line=1)
    return value


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


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON; write a number")


def _repeated(text: str, file: str, name: str) -> ConfigError:
    from cairn.lib.text.json_splice import repeated

    found = repeated(text)
    where = f"{file}:{found[1]}" if found else file
    return ConfigError(
        f"{where}: '{name}' stands here twice; keep one of them", file=file, line=found[1] if found else None, key=name
    )
