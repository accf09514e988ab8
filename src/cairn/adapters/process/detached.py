"""Starts work that nobody waits for."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def start_detached(command: Sequence[str], *, folder: Path, env: Mapping[str, str]) -> None:
    """In a session of its own, without a terminal. The shell ends at once, so that no process is left to be awaited."""
    script = '"$@" </dev/null >/dev/null 2>&1 &'
    subprocess.run(
        ["/bin/sh", "-c", script, "sh", *command], cwd=folder, env=dict(env), start_new_session=True, check=True
    )
