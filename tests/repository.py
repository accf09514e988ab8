"""A git repository to change things in: real files, the real git, nobody's configuration."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from cairn.adapters.approvals.files import ApprovalFiles, state_directory
from cairn.adapters.vcs.own_commits import reflogs
from cairn.knowledge.approval import LOG_START

IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *IDENTITY, "-C", os.fspath(root), *arguments],
        check=True,
        capture_output=True,
        env=environment | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull},
    )
    return done.stdout.decode().strip()


def put(root: Path, files: Mapping[str, str | None]) -> None:
    """Write files, and take those away that are None."""
    for name, text in files.items():
        path = root / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def commit(root: Path, files: Mapping[str, str | None] | None = None) -> str:
    put(root, files or {})
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "a step")
    return git(root, "rev-parse", "HEAD")


def known(root: Path, state: Path | None = None) -> dict[str, str]:
    """The environment of somebody who had Cairn look at this clone before its first commit: commits made here count."""
    state = state or root.with_name(f"{root.name}-state")
    for log in reflogs(os.fspath(root))[:1]:
        ApprovalFiles(state).remember(log, LOG_START)
    return {"CAIRN_STATE_HOME": os.fspath(state)}


def known_here(root: Path) -> Path:
    """The same for the user whom the tests run as."""
    known(root, state_directory(os.environ))
    return root


def make(root: Path, files: Mapping[str, str | None]) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    commit(root, files)
    return root
