"""The entry by which a host starts our MCP server: what it looks like in each host's file, in and out again."""

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from cairn.agents.hook_settings import read_object
from cairn.core.model.session import Host
from cairn.core.ports.process import RunShell
from cairn.errors import ConfigError
from cairn.lib.text.json_splice import with_member, without

NAME: Final = "cairn"
_BY_HAND: Final = "the entry by hand as docs/how-to/mcp.md shows it"
Style = Literal["servers", "opencode", "toml"]
"""`servers`: `mcpServers` of a JSON file, as Claude Code and Cursor have it; `toml`: a table of Codex."""


class EntryPlace(NamedTuple):
    paths: tuple[str, ...]
    """The first that is there, else the first."""
    style: Style
    here: tuple[str, ...] = ()
    """Words in front of `mcp` for a host that starts servers elsewhere than in the project."""


PLACES: Final[Mapping[Host, EntryPlace]] = {
    "claude": EntryPlace((".mcp.json",), "servers"),
    "codex": EntryPlace((".codex/config.toml",), "toml"),
    "cursor": EntryPlace((".cursor/mcp.json",), "servers", ("-C", "${workspaceFolder}")),
    "opencode": EntryPlace(("opencode.json", "opencode.jsonc", ".opencode/opencode.json"), "opencode"),
}

_KEYS: Final[Mapping[Style, tuple[str, str]]] = {
    "servers": ("mcpServers", NAME),
    "opencode": ("mcp", NAME),
    "toml": ("mcp_servers", NAME),
}
_TABLE: Final = re.compile(r'(?:\A|\n)\n?\[mcp_servers\.(?:cairn|"cairn")\][ \t]*(?:#[^\n]*)?(?:\n(?!\s*\[)[^\n]*)*')
"""Our table in a TOML file: from the blank line before its head to the line before the next head."""


def place_of(root: Path, place: EntryPlace) -> str:
    return next((path for path in place.paths if os.path.lexists(root / path)), place.paths[0])


def entry_in(place: EntryPlace, path: str, text: str) -> Any:
    """What the file has under our name; None when it has nothing."""
    value: Any = _value(place, path, text)
    for key in _KEYS[place.style]:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_ours(entry: Any) -> bool:
    """Whether this is a plain call of ours, which we may change and take out; everything else is somebody's own."""
    if not isinstance(entry, dict):
        return False
    command, args = entry.get("command"), entry.get("args", [])
    words = command if isinstance(command, list) else [command, *(args if isinstance(args, list) else [None])]
    if len(words) < 2 or not all(isinstance(word, str) for word in words) or words[-1] != "mcp":
        return False
    program = [word for word in words[:-1] if word not in ("-C", "${workspaceFolder}")]
    called = program[0].rpartition("/")[2] == "cairn" and len(program) == 1
    return called or program[1:] == ["-P", "-m", "cairn"]


def with_entry(place: EntryPlace, path: str, text: str | None, program: Sequence[str]) -> str:
    """The file with our entry, calling this program; one of somebody's own under our name stays."""
    text = text or ""
    known = entry_in(place, path, text) if text.strip() else None
    wanted = _entry(place, program)
    if known == wanted or (known is not None and not is_ours(known)):
        return text
    if known is not None:
        text = without_entry(place, path, text, None) or ""
    after = _put_in(place, path, text, wanted)
    if entry_in(place, path, after) != wanted:
        raise ConfigError(f"{path} cannot be edited safely; add {_BY_HAND}. Nothing was written.")
    return after


def without_entry(place: EntryPlace, path: str, text: str, backup: str | None) -> str | None:
    """The file without our entry: as it was before us, where nothing else has changed since; None when nothing is left
    of a file that we made."""
    if place.style == "toml":
        after = _TABLE.sub("", text, count=1)
        after = after if after.endswith("\n") or not after else f"{after}\n"
    else:
        after = without(text, _KEYS[place.style])
    left = _beneath(place, path, after)
    if backup is not None and _beneath(place, path, backup) == left:
        return backup
    return None if backup is None and not left else after


def _beneath(place: EntryPlace, path: str, text: str) -> dict[str, Any]:
    """What a file says, an empty place for servers left aside."""
    value = _value(place, path, text)
    outer = _KEYS[place.style][0]
    return {key: item for key, item in value.items() if key != outer or item != {}}


def _entry(place: EntryPlace, program: Sequence[str]) -> dict[str, Any]:
    words = [*program, *place.here, "mcp"]
    if place.style == "opencode":
        return {"type": "local", "command": words, "enabled": True}
    return {"command": words[0], "args": words[1:]}


def _put_in(place: EntryPlace, path: str, text: str, entry: Mapping[str, Any]) -> str:
    if place.style == "toml":
        lines = [f"[mcp_servers.{NAME}]", *(f"{key} = {json.dumps(value)}" for key, value in entry.items())]
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}" + "\n".join(lines) + "\n"
    text = text if text.strip() else "{}\n"
    outer = read_object(text, path, _BY_HAND).get(_KEYS[place.style][0], {})
    if not isinstance(outer, dict):
        raise ConfigError(f"{path}: `{_KEYS[place.style][0]}` is no object; mend it, nothing was written.", file=path)
    return with_member(text, _KEYS[place.style], dict(entry))


def _value(place: EntryPlace, path: str, text: str) -> dict[str, Any]:
    if place.style != "toml":
        return read_object(text, path, _BY_HAND) if text.strip() else {}
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML ({error}); mend it, nothing was written.", file=path) from None


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


def add_library(env: Mapping[str, str], folder: str, run_shell: RunShell) -> str:
    """Run the command; the last line that it said when that failed, else nothing."""
    ran = run_shell(shlex.join(adding()), stdin=b"", cwd=folder, env=env, seconds=_SECONDS)
    if ran.code == 0:
        return ""
    said = (ran.err.strip() or ran.out.strip()).splitlines()
    return said[-1][:200] if said else "it did not end in time" if ran.code is None else f"it ended with {ran.code}"
