"""The library behind `cairn mcp`: whether it is there, and how to add it to the environment that Cairn runs in."""

import shlex
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from typing import Final

_SECONDS: Final = 600.0
_EXTRA: Final = "mcp"


def has_library() -> bool:
    return find_spec("mcp") is not None


def adding() -> tuple[str, ...]:
    """The command that adds it, in the way in which this environment was made."""
    if "/pipx/venvs/" in sys.prefix:
        return ("pipx", "inject", "cairn-kb", *_wanted())
    if "/uv/tools/" in sys.prefix:
        return ("uv", "pip", "install", "--python", sys.executable, *_wanted())
    return (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *_wanted())


def _wanted() -> list[str]:
    """What the extra names. Asking for the extra itself would look for Cairn in an index, which may not have it."""
    try:
        named = requires("cairn-kb") or []
    except PackageNotFoundError:
        named = []
    found = [one.partition(";") for one in named]
    extra = [what.strip() for what, _, when in found if f"extra == '{_EXTRA}'" in when.replace('"', "'")]
    return extra or ["mcp>=2"]


def add_library(env: Mapping[str, str], folder: str) -> str:
    """Run the command; the last line that it said when that failed, else nothing."""
    from cairn.adapters.process.shell import run_shell

    ran = run_shell(shlex.join(adding()), stdin=b"", cwd=folder, env=env, seconds=_SECONDS)
    if ran.code == 0:
        return ""
    said = (ran.err.strip() or ran.out.strip()).splitlines()
    return said[-1][:200] if said else "it did not end in time" if ran.code is None else f"it ended with {ran.code}"
