"""A repository with a past, made commit by commit, each on its day."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from program import clean_env
from repository import IDENTITY, put


def git(root: Path, *arguments: str, **env: str) -> str:
    command = ["git", *IDENTITY, *arguments]
    return subprocess.run(command, cwd=root, env=clean_env(**env), capture_output=True, text=True, check=True).stdout


def commit(root: Path, files: Mapping[str, str | None], message: str = "change", *, day: int = 1) -> str:
    """Write these files (None removes one) and commit all there is; the id of the commit."""
    if not (root / ".git").exists():
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q", "-b", "main")
    put(root, files)
    git(root, "add", "-A")
    git(root, "clean", "-dfq")  # as in a clone, which has no empty folders
    at = f"2024-03-{day:02}T12:00:00Z"
    git(root, "commit", "-q", "--allow-empty", "-m", message, GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
    return git(root, "rev-parse", "HEAD").strip()
