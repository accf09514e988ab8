"""Writes what is known about a crash to a file that can be pasted into an issue."""

import os
import platform
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from cairn.version import __version__

_PASSWORD = re.compile(r"(://[^\s:/@]*:)[^\s@]{1,2000}@")


def write_log(problem: BaseException, args: Sequence[str]) -> tuple[str, str | None]:
    """(the text, where it was written); None when it could be written nowhere."""
    return write_text("".join(traceback.format_exception(problem)), args)


def write_text(trace: str, args: Sequence[str]) -> tuple[str, str | None]:
    text = describe(trace, args)
    for folder in (_workspace_logs(), tempfile.gettempdir()):
        path = folder and _written(folder, text)
        if path:
            return text, path
    return text, None


def describe(trace: str, args: Sequence[str]) -> str:
    lines = [
        f"cairn {__version__}",
        f"python {platform.python_version()} on {platform.system()} {platform.release()} {platform.machine()}",
        f"command: cairn {' '.join(_tellable(args))}",
        f"when: {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}",
        "",
        trace,
    ]
    return _PASSWORD.sub(r"\1<redacted>@", "\n".join(lines))


def _tellable(args: Sequence[str]) -> Sequence[str]:
    """Without what somebody wants forgotten."""
    return [*args[: list(args).index("forget") + 1], "…"] if "forget" in args else args


def _workspace_logs() -> str | None:
    """The log folder of the workspace, if there is one and it is really there."""
    from cairn.config.load import find_root
    from cairn.errors import CairnError

    try:
        home = find_root(Path.cwd()) / ".cairn"
        folder = home / "log"
        folder.mkdir(exist_ok=True)
    except (CairnError, OSError):
        return None
    return None if home.is_symlink() or folder.is_symlink() else str(folder)


def _written(folder: str, text: str) -> str | None:
    name = f"cairn-crash-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}.log"
    path = os.path.join(folder, name)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding=sys.getdefaultencoding(), errors="backslashreplace") as stream:
            stream.write(text)
    except OSError:
        return None
    return path
