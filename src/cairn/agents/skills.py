"""The three skills that come with Cairn, and where hosts look for skills."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from cairn.core.model.session import Host

SKILLS: Final = ("cairn", "cairn-curate", "cairn-bootstrap")

SHARED: Final = ".agents/skills"
"""Where most hosts look."""
OWN: Final[Mapping[Host, str]] = {"claude": ".claude/skills"}
"""Folders of hosts that look elsewhere."""


def skill_text(name: str) -> str:
    return (files("cairn.agents") / "skills" / name / "SKILL.md").read_text("utf-8")


def skill_files(host: Host) -> dict[str, str]:
    """What a host that works here should find: path and text of each file."""
    folders = (SHARED, *([OWN[host]] if host in OWN else []))
    return {f"{folder}/{name}/SKILL.md": skill_text(name) for folder in folders for name in SKILLS}
