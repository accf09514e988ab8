"""The skills that are shipped for agents, and the commands by which a person calls one."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from cairn.core.model.session import Host
from cairn.lib.markdown.frontmatter import parse

SKILLS: Final = ("cairn", "cairn-curate", "cairn-bootstrap")
CALLED: Final = "cairn-curate"
"""The one that a person calls by name. A skill is a command by itself in Claude Code, Codex and Cursor."""

SHARED: Final = ".agents/skills"
"""Where most hosts look."""
_OWN: Final[Mapping[Host, str]] = {"claude": ".claude/skills"}
"""Folders of hosts that look elsewhere."""
_TYPED: Final[Mapping[Host, str]] = {"claude": "/", "codex": "$", "cursor": "/", "opencode": "/"}
_GEMINI: Final = ".gemini"
_FOLDER: Final = files("cairn.agents") / "skills"
_DIGESTS: Final = "digests.txt"
"""Of every text that we ever shipped as a skill or a command, one on each line."""


def how_to_call(host: Host) -> str:
    """What a person types."""
    return f"{_TYPED[host]}{CALLED}"


@cache
def skill_text(name: str) -> str:
    return (_FOLDER / name / "SKILL.md").read_text("utf-8")


def skill_files(root: Path, host: Host) -> dict[str, str]:
    """What a host that works here should find: path and text of each file."""
    return shared_files(root) | own_files(root, host)


def shared_files(root: Path) -> dict[str, str]:
    """What several hosts read, and the command of Gemini CLI where it is used."""
    command = {f"{_GEMINI}/commands/{CALLED}.toml": _toml_command()} if (root / _GEMINI).is_dir() else {}
    return _skills(SHARED) | command


def own_files(root: Path, host: Host) -> dict[str, str]:
    """What no other host reads. OpenCode has two names for the folder of its commands, an old one and a new one."""
    if host != "opencode":
        return _skills(_OWN[host]) if host in _OWN else {}
    old, new = opencode_commands()
    is_old = (root / old).parent.is_dir() and not (root / new).parent.is_dir()
    return {old if is_old else new: _markdown_command()}


def files_to_remove(root: Path, host: Host, *, shared: bool) -> dict[str, str]:
    """Wherever one of these may be."""
    also = dict.fromkeys(opencode_commands(), _markdown_command()) if host == "opencode" else {}
    return own_files(root, host) | also | (shared_files(root) if shared else {})


def opencode_commands() -> tuple[str, str]:
    return f".opencode/command/{CALLED}.md", f".opencode/commands/{CALLED}.md"


def is_shipped(text: str) -> bool:
    """Whether this is a text of ours, also of an earlier version: then nobody has edited it."""
    return digest_of(text) in _digests()


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def _digests() -> frozenset[str]:
    return frozenset((_FOLDER / _DIGESTS).read_text("utf-8").split())


def _skills(folder: str) -> dict[str, str]:
    return {f"{folder}/{name}/SKILL.md": skill_text(name) for name in SKILLS}


def _markdown_command() -> str:
    return f"---\ndescription: {_sentence()}\n---\n\n{_order()} $ARGUMENTS\n"


def _toml_command() -> str:
    return f'description = {json.dumps(_sentence())}\nprompt = """\n{_order()} {{{{args}}}}\n"""\n'


def _order() -> str:
    return f"Read the skill `{SHARED}/{CALLED}/SKILL.md`, and follow it."


def _sentence() -> str:
    """The first of its description, without what would need quotes in YAML."""
    description = str(parse(skill_text(CALLED)).frontmatter["description"])
    return description.partition(" (")[0] + description.partition(")")[2].partition(".")[0] + "."
