"""Finds the workspace that a folder belongs to."""

import os
from pathlib import Path

from cairn.core.paths import COMMITTED
from cairn.errors import NotInitialised


def find_root(start: Path) -> Path:
    """The nearest folder, from here upwards, that has a workspace; the deepest one wins."""
    folder = os.path.abspath(start)
    while not os.path.lexists(os.path.join(folder, COMMITTED)):
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NotInitialised(
                f"there is no Cairn workspace in {os.path.abspath(start)} or above it; "
                "run `cairn init` in the root of your repository",
                directory=os.path.abspath(start),
            )
        folder = parent
    return Path(folder)
