"""Which ignore rules hold in a folder: the bundled ones, the settings', git's and Cairn's own.

From the least to the most important: bundled, `.git/info/exclude`, `.gitignore` from the top of the repository
downward, `scan.ignore` of the settings, `.cairnignore` from the root downward. So whatever git or we hide, a
`.cairnignore` can bring back (`!build/`).
"""

import os
from collections.abc import Callable
from typing import NamedTuple

from cairn.lib.globs.glob import Ignore, IgnoreRule, compile_rules, pattern_lines

BUNDLED = (
    ".git/",
    ".hg/",
    ".svn/",
    ".jj/",
    ".cairn/",
    "node_modules/",
    "bower_components/",
    ".pnpm-store/",
    ".yarn/",
    "dist/",
    "build/",
    "out/",
    "target/",
    ".next/",
    ".nuxt/",
    ".svelte-kit/",
    ".turbo/",
    ".parcel-cache/",
    ".cache/",
    ".tmp/",
    ".gradle/",
    ".terraform/",
    ".venv/",
    "venv/",
    ".tox/",
    ".nox/",
    ".eggs/",
    "*.egg-info/",
    "__pycache__/",
    "site-packages/",
    ".mypy_cache/",
    ".pytest_cache/",
    ".ruff_cache/",
    ".hypothesis/",
    ".ipynb_checkpoints/",
    ".DS_Store",
    "Thumbs.db",
    "*.swp",
    "*~",
    "*.log",
)

OF_AN_OLDER_BASE = tuple(
    f".ai/knowledge-base/{name}/" for name in ("_sessions", "_logs", ".state", ".config", "conflicts")
)
"""What was said in sessions, and what nobody has agreed to yet, is no page; where git hides it, that is by luck."""

READ_LIMIT = 1024 * 1024
"""An ignore file larger than this is somebody's mistake, or somebody's attack."""

ReadText = Callable[[str], str]
"""Text of an ignore file below the root, empty when there is none that can be used."""


class FolderRules(NamedTuple):
    """What holds in one folder. Shared by all folders below it that add nothing."""

    above: str
    """Where the root lies in its repository, with a slash behind it; empty when the root is the repository."""
    git: tuple[IgnoreRule, ...]
    cairn: tuple[IgnoreRule, ...]
    matcher: Ignore
    gitignore: bool

    def within(self, folder: str, names: "set[str] | dict[str, os.DirEntry[str]]", read: ReadText) -> "FolderRules":
        """The rules of a folder (relative to the root) that holds these names, given those of its parent."""
        git = self._added(".gitignore", folder, names, read) if self.gitignore else ()
        cairn = self._added(".cairnignore", folder, names, read)
        if not git and not cairn:
            return self
        return make_rules(self.above, self.git + git, self.cairn + cairn, self.gitignore)

    def _added(
        self, name: str, folder: str, names: "set[str] | dict[str, os.DirEntry[str]]", read: ReadText
    ) -> tuple[IgnoreRule, ...]:
        if name not in names:
            return ()
        text = read(f"{folder}/{name}" if folder else name)
        return compile_rules((self.above + folder).rstrip("/"), pattern_lines(text))


def make_rules(above: str, git: tuple[IgnoreRule, ...], cairn: tuple[IgnoreRule, ...], gitignore: bool) -> FolderRules:
    return FolderRules(above, git, cairn, Ignore(git + cairn), gitignore)


def outer_rules(root: str, ignore: tuple[str, ...], gitignore: bool) -> FolderRules:
    """What holds before the root's own files are looked at."""
    top = repository_top(root) if gitignore else None
    above = f"{os.path.relpath(root, top)}/" if top is not None and top != root else ""
    base = above.rstrip("/")
    git = compile_rules("", BUNDLED) + compile_rules(base, OF_AN_OLDER_BASE)
    if top is not None:
        git += compile_rules("", pattern_lines(_text(os.path.join(_common_dir(top), "info", "exclude"))))
        git += _gitignores_above(top, base)
    return make_rules(above, git, compile_rules(base, _lines(ignore)), gitignore)


def repository_top(root: str) -> str | None:
    """The nearest folder, from the root upward, with a `.git` in it."""
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _gitignores_above(top: str, base: str) -> tuple[IgnoreRule, ...]:
    """Of the folders from the repository's top down to, but not with, the root."""
    rules: tuple[IgnoreRule, ...] = ()
    folder = ""
    for part in base.split("/") if base else ():
        rules += compile_rules(folder, pattern_lines(_text(os.path.join(top, folder, ".gitignore"))))
        folder = f"{folder}/{part}" if folder else part
    return rules


def _common_dir(top: str) -> str:
    """Where the repository keeps what all its work trees share."""
    git_dir = os.path.join(top, ".git")
    if os.path.isdir(git_dir):
        return git_dir
    git_dir = os.path.join(top, _text(git_dir).removeprefix("gitdir:").strip())
    return os.path.join(git_dir, _text(os.path.join(git_dir, "commondir")).strip())


def _text(path: str) -> str:
    """Of a small file outside the root; empty when it is not there. A FIFO is not waited for."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        return os.read(fd, READ_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(fd)


def _lines(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return pattern_lines("\n".join(patterns))
