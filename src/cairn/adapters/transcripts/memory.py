"""Finds what an agent host keeps in a person's home directory to remember a project by: names only."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_MOST: Final = 500


def memory_files(env: Mapping[str, str], root: Path) -> list[Path]:
    """Those of Claude Code for this project, in order of their names."""
    given, home = env.get("CLAUDE_CONFIG_DIR"), env.get("HOME")
    base = Path(given) if given else Path(home, ".claude") if home else None
    if base is None:
        return []
    folder = base / "projects" / re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(root)) / "memory"
    found = sorted(folder.glob("*.md"))[:_MOST]
    return [path for path in found if path.is_file() and not path.is_symlink()]
