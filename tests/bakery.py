"""A repository with a page of knowledge in it, and changes to that page: for tests of forges and of the change path."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cairn.adapters.forge.local.forge import LocalForge
from cairn.core.model.change import ChangeSet, FileEdit
from repository import git, make

NOW = 1_767_225_600_000
PAGE = "knowledge/ovens.md"
LINES = "one\n\ntwo\n\nthree\n\nfour\n\nfive\n"
LOUDER = LINES.replace("two", "TWO")


def bakery(root: Path, **more: str) -> Path:
    return make(root, {PAGE: LINES, "README.md": "# Bakery\n", **more})


def proposal(root: Path, files: Mapping[str, str | bytes | None] | None = None, **facts: Any) -> ChangeSet:
    texts = {PAGE: LOUDER} if files is None else files
    edits = tuple(FileEdit(path, text.encode() if isinstance(text, str) else text) for path, text in texts.items())
    given = {"origin": "freshness", "subject": "ovens", "title": "docs: say two louder", **facts}
    return ChangeSet(**{"base": git(root, "rev-parse", "main"), **given, "edits": edits})


def opened(root: Path, files: Mapping[str, str | bytes | None] | None = None, **facts: Any) -> str:
    return LocalForge(root).publish(proposal(root, files, **facts), (), now_ms=NOW).id


def status(root: Path) -> str:
    return git(root, "status", "--porcelain", "--untracked-files=all")
