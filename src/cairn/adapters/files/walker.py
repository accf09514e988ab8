"""Walks a folder: regular files, without those that ignore rules leave out."""

import os
import posixpath
import stat
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cairn.core.ports.runtime import FoundFile, NameEndings, ReadFailed, WalkProblem, WalkRequest
from cairn.errors import NotFound, UsageError
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


Entries = dict[str, os.DirEntry[str]]
Read = Callable[[str], tuple[bytes, FoundFile]]

NEVER = frozenset({".git", ".cairn"})
"""Folders that no rule brings back: git's own, and ours."""

TYPE_BITS, REGULAR, FOLDER = 0o170000, stat.S_IFREG, stat.S_IFDIR


class Walker:
    """Collects into `files` and `problems`. Made for one request, thrown away after it."""

    def __init__(self, root: str, request: WalkRequest, read: Read) -> None:
        self.files: list[FoundFile] = []
        self.problems: list[WalkProblem] = []
        self.links: list[tuple[str, str]] = []
        self._root = root
        self._request = request
        self._read = read
        self._ending = NameEndings.of(request.suffixes)

    def walk(self) -> None:
        modes = {root: self._mode(root) for root in map(self._relative, self._request.roots)} or {"": FOLDER}
        taken: list[str] = []
        for root in sorted(modes):
            if not any(_is_below(root, other) for other in taken):
                taken.append(root)
                self._walk_root(root, is_folder=stat.S_ISDIR(modes[root]))

    def passes_over(self, path: str) -> bool:
        rules = self._rules_for(path.split("/")[:-1])
        return rules is None or self._hidden(path, rules, os.path.isdir(os.path.join(self._root, path)))

    # --- where to start ---------------------------------------------------------------------------------------------

    def _relative(self, root: str) -> str:
        """A root as a clean path below ours; empty for ours itself."""
        path = root
        if os.path.isabs(path):
            path = os.path.relpath(os.path.realpath(path), os.path.realpath(self._root))
        path = posixpath.normpath(path)
        if path == ".." or path.startswith("../"):
            raise UsageError(f"{root} lies outside of {self._root}; name a folder or file inside it.")
        return "" if path == "." else path

    def _walk_root(self, root: str, *, is_folder: bool) -> None:
        rules = self._rules_for(root.split("/")[:-1]) if root else self._outer_rules()
        if rules is None or (root and self._hidden(root, rules, is_folder)):
            raise UsageError(
                f"{root} is passed over by an ignore rule, or belongs to another repository or workspace; "
                f"a line `!{root}` in .cairnignore brings an ignored path back."
            )
        if is_folder:
            self._walk_folder(root, rules)
        else:
            self._take_file(root)

    def _mode(self, root: str) -> int:
        """Of a root that is there and not reached through a symlink."""
        at = self._root
        mode = FOLDER
        for part in root.split("/") if root else ():
            at = os.path.join(at, part)
            try:
                mode = os.lstat(at).st_mode
            except (OSError, ValueError):
                raise NotFound(f"There is no file or folder {root} in {self._root}.") from None
            if stat.S_ISLNK(mode):
                raise UsageError(f"{root} leads through a symbolic link; name what the link points at.")
        return mode

    def _rules_for(self, folders: list[str]) -> FolderRules | None:
        """What holds in a folder deep down; None when a walk would not come there."""
        rules = self._outer_rules()
        path = ""
        for folder in folders:
            rules = rules.within(path, self._ignore_files(path), self._text)
            path = f"{path}/{folder}" if path else folder
            if self._hidden(path, rules, True):
                return None
        return rules.within(path, self._ignore_files(path), self._text)

    def _outer_rules(self) -> FolderRules:
        return outer_rules(self._root, self._request.ignore, self._request.gitignore)

    def _hidden(self, path: str, rules: FolderRules, is_folder: bool) -> bool:
        name, full = posixpath.basename(path), rules.above + path
        if not is_folder:
            return rules.matcher.file(full, name)
        absolute = os.path.join(self._root, path)
        foreign = os.path.lexists(os.path.join(absolute, ".git")) or _is_workspace(absolute)
        return foreign or name in NEVER or rules.matcher.folder(full, name)

    def _ignore_files(self, folder: str) -> set[str]:
        absolute = os.path.join(self._root, folder)
        return {name for name in (".gitignore", ".cairnignore") if os.path.lexists(os.path.join(absolute, name))}

    # --- the walk itself --------------------------------------------------------------------------------------------

    def _walk_folder(self, start: str, rules: FolderRules) -> None:
        waiting = [(start, rules)]
        while waiting:
            folder, rules = waiting.pop()
            entries = self._list(folder)
            if folder and self._is_foreign(folder, entries):
                continue
            if ".gitignore" in entries or ".cairnignore" in entries:
                rules = rules.within(folder, entries, self._text)
            prefix = f"{folder}/" if folder else ""
            waiting += [(path, rules) for path in self._look_at(prefix, entries, rules)]

    def _list(self, folder: str) -> Entries:
        try:
            with os.scandir(f"{self._root}/{folder}") as found:
                return {entry.name: entry for entry in found}
        except (FileNotFoundError, NotADirectoryError):
            return {}  # gone since its parent was listed
        except OSError as error:
            self._unreadable(folder or ".", error)
            return {}

    def _is_foreign(self, folder: str, entries: Entries) -> bool:
        return ".git" in entries or (".cairn" in entries and _is_workspace(os.path.join(self._root, folder)))

    def _look_at(self, prefix: str, entries: Entries, rules: FolderRules) -> list[str]:
        """Take the files of one folder; give the folders in it that should be walked too."""
        endings, names = self._ending
        named, folders = [], []
        for name, entry in entries.items():
            if name.endswith(endings) or (lowered := name.lower()).endswith(endings) or lowered in names:
                named.append(name)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
        hidden, above = rules.matcher.folder, rules.above + prefix
        if named:
            kept = rules.matcher.kept_files(above, named)
            folders += self._take(prefix, kept, entries)
            if len(kept) != len(named):  # a rule may hide a file and not a folder of the same name
                folders += [name for name in set(named).difference(kept) if entries[name].is_dir(follow_symlinks=False)]
        return [
            prefix + name
            for name in folders
            if name not in NEVER and not hidden(above + name, name) and self._decodable(prefix, name)
        ]

    def _take(self, prefix: str, names: list[str], entries: Entries) -> list[str]:
        """Add what is a regular file. Gives back what turned out to be a folder with such a name."""
        take, new, folders = self.files.append, tuple.__new__, []
        for name in names:
            try:
                facts = entries[name].stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._unreadable(prefix + name, error)
                continue
            kind = facts.st_mode & TYPE_BITS
            if kind == REGULAR:
                if name.isascii() or self._decodable(prefix, name):
                    # Half the price of calling the class, which tells once there are ten thousand of them.
                    take(new(FoundFile, (prefix + name, facts.st_size, facts.st_mtime_ns, facts.st_ino)))
                    if not name.isprintable():
                        self._deceptive(prefix + name)
            elif kind == FOLDER:
                folders.append(name)
            else:
                self._odd(prefix + name, kind)
        if len(set(map(str.lower, names))) != len(names):
            self._twins(prefix, names)
        return folders

    def _take_file(self, path: str) -> None:
        """A root that is a file: taken whatever its suffix, because somebody named it."""
        facts = os.lstat(os.path.join(self._root, path))
        if not stat.S_ISREG(facts.st_mode):
            self._odd(path, facts.st_mode)
        elif self._decodable("", path):
            self.files.append(FoundFile(path, facts.st_size, facts.st_mtime_ns, facts.st_ino))

    # --- what a person should know ----------------------------------------------------------------------------------

    def _text(self, path: str) -> str:
        """Of an ignore file; one that cannot be used is named and has no effect."""
        try:
            content, _ = self._read(path)
        except ReadFailed as failed:
            if failed.rule != "file-vanished":
                self._problem(path, "file-unreadable", f"{failed} Its ignore rules have no effect.")
            return ""
        if len(content) > READ_LIMIT:
            self._problem(path, "file-unreadable", f"{path} is too large for an ignore file and has no effect.")
            return ""
        return content.decode("utf-8", "replace")

    def _decodable(self, prefix: str, name: str) -> bool:
        """Whether a name is valid Unicode; one that is not cannot be stored or linked to."""
        try:
            name.encode()
        except UnicodeEncodeError:
            shown = (prefix + name).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            self._problem(shown, "name-undecodable", f"The name {shown} is not valid UTF-8; rename it.")
            return False
        return True

    def _deceptive(self, path: str) -> None:
        message = f"The name {path!a} has characters that do not show or that turn the text around; rename it."
        self._problem(path, "name-deceptive", message)

    def _odd(self, path: str, mode: int) -> None:
        if not self._decodable("", path):
            return
        if stat.S_ISLNK(mode) and (target := self._linked(path)) is not None:
            self.links.append((path, target))
        elif stat.S_ISLNK(mode):
            message = f"{path} is a symbolic link; Cairn does not follow them."
            self._problem(path, "symlink-skipped", message)
        else:
            self._problem(path, "file-special", f"{path} is a {_kind_of(mode)}, not a file with text in it.")

    def _linked(self, path: str) -> str | None:
        """The file of the repository that a symlink leads to; None when it leads elsewhere or nowhere."""
        try:
            target = os.path.relpath(os.path.realpath(os.path.join(self._root, path), strict=True), self._real_root)
            regular = stat.S_ISREG(os.lstat(os.path.join(self._real_root, target)).st_mode)
        except (OSError, ValueError):
            return None
        parts = target.split(os.sep)
        return "/".join(parts) if regular and parts[0] != os.pardir and not NEVER.intersection(parts) else None

    @property
    def _real_root(self) -> str:
        return os.path.realpath(self._root)

    def _twins(self, prefix: str, names: Iterable[str]) -> None:
        first: dict[str, str] = {}
        for name in sorted(names):
            other = first.setdefault(name.lower(), name)
            if other != name and self._decodable(prefix, name):
                message = f"{prefix}{name} differs from {other} in case only; many machines can keep just one of them."
                self._problem(prefix + name, "name-case-twin", message)

    def _unreadable(self, path: str, error: OSError) -> None:
        if self._decodable("", path):
            why = (error.strerror or str(error)).lower()
            self._problem(path, "file-unreadable", f"{path} cannot be read: {why}.")

    def _problem(self, path: str, rule: str, message: str) -> None:
        self.problems.append(WalkProblem(path, rule, message))


def _is_workspace(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".cairn", "settings.json"))


def _is_below(path: str, other: str) -> bool:
    return not other or path == other or path.startswith(f"{other}/")


def _kind_of(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "FIFO"
    if stat.S_ISSOCK(mode):
        return "socket"
    return "device"
