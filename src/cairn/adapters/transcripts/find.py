"""Finds the transcripts that belong to a project, in the folders where agent hosts keep them."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cairn.adapters.transcripts.opencode import sessions_in
from cairn.core.model.session import HOSTS, Host
from cairn.core.ports.turns import FoundTranscript

_HEAD: Final = 256 * 1024
_LONGEST: Final = 16 * 1024 * 1024
"""Of a line that the head ends in."""
_MOST: Final = 2_000
"""Files that are looked into for each host, the newest first: a person who works a lot has thousands."""
_ROLLOUT: Final = re.compile(r"rollout-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-(.+)")


def find_transcripts(env: Mapping[str, str], root: Path, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
    """Of sessions that took place in the project or a folder of it, newest first."""
    found = [one for host in hosts for one in _FINDERS[host](env, root)]
    return sorted(found, key=lambda one: (-one.at_ms, one.host, one.session))


def kept_here(env: Mapping[str, str]) -> list[Host]:
    """Hosts that have a folder for transcripts on this machine."""
    places = {
        "claude": (_home(env, "CLAUDE_CONFIG_DIR", ".claude"), "projects"),
        "codex": (_home(env, "CODEX_HOME", ".codex"), "sessions"),
        "cursor": (_home(env, None, ".cursor"), "projects"),
        "opencode": (_home(env, "XDG_DATA_HOME", ".local", "share"), "opencode"),
    }
    return [host for host in HOSTS if (place := places[host])[0] is not None and (place[0] / place[1]).is_dir()]


def _home(env: Mapping[str, str], variable: str | None, *default: str) -> Path | None:
    if variable and env.get(variable):
        return Path(env[variable])
    return Path(env["HOME"], *default) if env.get("HOME") else None


def _is_about(root: Path, folder: object) -> bool:
    """Whether a session in that folder was one of the project."""
    if not isinstance(folder, str) or not folder.startswith("/"):
        return False
    here = os.path.realpath(root)
    there = os.path.realpath(folder)
    return there == here or there.startswith(here + os.sep)


def _newest(files: Iterator[Path]) -> list[tuple[Path, os.stat_result]]:
    known = []
    for file in files:
        try:
            facts = file.stat()
        except OSError:
            continue
        if file.is_file():
            known.append((file, facts))
    known.sort(key=lambda one: -one[1].st_mtime_ns)
    return known[:_MOST]


def _values(file: Path) -> Iterator[dict[str, Any]]:
    """Of the first lines of a file."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD) + stream.readline(_LONGEST)  # a first prompt may be long
    except OSError:
        return
    for line in head.split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _found(host: Host, session: str, file: Path, facts: os.stat_result) -> FoundTranscript:
    return FoundTranscript(host, session, str(file), facts.st_mtime_ns // 1_000_000, facts.st_size)


# --- hosts ----------------------------------------------------------------------------------------------------------


def _claude(env: Mapping[str, str], root: Path) -> Iterator[FoundTranscript]:
    """The folder's name is the path with `-` for everything else, which several paths may share: the lines tell."""
    base = _home(env, "CLAUDE_CONFIG_DIR", ".claude")
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(root))
    if base is None:
        return
    for file, facts in _newest((base / "projects").glob(f"{slug}*/*.jsonl")):
        told = next((value["cwd"] for value in _values(file) if "cwd" in value), None)
        if _is_about(root, told) or (told is None and file.parent.name == slug):
            yield _found("claude", file.stem, file, facts)


def _codex(env: Mapping[str, str], root: Path) -> Iterator[FoundTranscript]:
    base = _home(env, "CODEX_HOME", ".codex")
    if base is None:
        return
    for file, facts in _newest((base / "sessions").glob("**/*.jsonl")):
        meta = next(_values(file), {})
        payload = meta.get("payload")
        told = payload if isinstance(payload, dict) else meta
        if _is_about(root, told.get("cwd")):
            named = _ROLLOUT.fullmatch(file.stem)
            session = told.get("id")
            yield _found(
                "codex", session if isinstance(session, str) else named[1] if named else file.stem, file, facts
            )


def _cursor(env: Mapping[str, str], root: Path) -> Iterator[FoundTranscript]:
    """Nothing in the lines tells the folder; its name has to do."""
    base = _home(env, None, ".cursor")
    slug = re.sub(r"[^A-Za-z0-9]+", "-", os.path.realpath(root).strip("/"))
    if base is None:
        return
    folder = base / "projects" / slug / "agent-transcripts"
    files = (
        file for file in folder.glob("**/*") if file.suffix in (".jsonl", ".txt") and "subagents" not in file.parts
    )
    for file, facts in _newest(files):
        yield _found("cursor", file.stem, file, facts)


def _opencode(env: Mapping[str, str], root: Path) -> Iterator[FoundTranscript]:
    base = _home(env, "XDG_DATA_HOME", ".local", "share")
    if base is None:
        return
    seen: set[str] = set()
    for found, folder in sessions_in(base / "opencode"):
        if found.session not in seen and _is_about(root, folder):
            seen.add(found.session)
            yield found


_FINDERS: Final[dict[Host, Callable[[Mapping[str, str], Path], Iterator[FoundTranscript]]]] = {
    "claude": _claude,
    "codex": _codex,
    "cursor": _cursor,
    "opencode": _opencode,
}
