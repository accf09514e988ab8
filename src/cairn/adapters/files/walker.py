"""One walk over the folders of a repository."""

import os
import posixpath
import stat
from collections.abc import Callable, Iterable

from cairn.adapters.files.ignores import READ_LIMIT, FolderRules, outer_rules
from cairn.core.ports.runtime import FoundFile, NameEndings, ReadFailed, WalkProblem, WalkRequest
from cairn.errors import NotFound, UsageError

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
