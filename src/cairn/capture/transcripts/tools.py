"""What a tool was used on, in a word: a path or the name of a program, never an argument."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

TARGET_LIMIT: Final = 300
_PATHS: Final = ("file_path", "notebook_path", "filePath", "target_file", "relative_workspace_path", "path", "file")
_COMMANDS: Final = ("command", "cmd", "script")
_SHELLS: Final = ("bash", "sh", "zsh", "fish", "dash")
_PROGRAM: Final = re.compile(r"[\w.+/-]{1,80}")
_PATCHED: Final = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)


def target_of(value: Any) -> str:
    """Of a tool's input, as the host recorded it: an object, JSON in a text, or the text of a patch."""
    if isinstance(value, str):
        return _in_text(value)
    if not isinstance(value, Mapping):
        return ""
    for name in _PATHS:
        if isinstance(value.get(name), str):
            return _one_line(value[name])
    for name in _COMMANDS:
        if name in value:
            return program_of(value[name])
    return _patched(value["input"]) if isinstance(value.get("input"), str) else ""


def _in_text(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return _patched(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return target_of(value) if isinstance(value, dict) else ""


def _patched(text: str) -> str:
    found = _PATCHED.search(text[:10_000])
    return _one_line(found[1]) if found else ""


def program_of(command: Any) -> str:
    """`pytest` of `TOKEN=x pytest -q`: neither what is set before it nor what follows may be told."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        if len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS and words[1].startswith("-"):
            return program_of(words[2])
        command = words[0] if words else ""
    if not isinstance(command, str):
        return ""
    first = next((word for word in command[:10_000].split() if "=" not in word), "")
    return first if _PROGRAM.fullmatch(first) else ""


def _one_line(path: str) -> str:
    return path.strip().partition("\n")[0][:TARGET_LIMIT]
