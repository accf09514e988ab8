"""The words of the code of a repository: whether a name stands anywhere in it."""

import re
from collections.abc import Iterator
from functools import cached_property

from cairn.kernel.repository.tree import Tree
from cairn.kernel.text.outline import format_of

LARGEST_FILE = 20_000_000
MOST_BYTES = 400_000_000
_WORD = re.compile(rb"[A-Za-z_]\w{2,}", re.ASCII)
_FLAG = re.compile(rb"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")
_PACKAGE_NAMES = (
    ("composer.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("package.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("pyproject.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("setup.cfg", re.compile(r"^name\s*=\s*(\S+)", re.MULTILINE)),
    ("Cargo.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("go.mod", re.compile(r"^module\s+(\S+)", re.MULTILINE)),
)


class Code:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.incomplete = False
        """Whether there is more code than is read, so that nobody can say that a name is gone."""

    def has(self, name: str) -> bool:
        """Whether the name stands in the code; a flag of several words also if a parser would derive it from a name."""
        if not name.startswith("--"):
            return name in self._words
        if name in self._flags:
            return True
        snake = name[2:].replace("-", "_")
        camel = re.sub(r"-(\w)", lambda found: found[1].upper(), name[2:])
        return "-" in name[2:] and bool({snake, camel} & self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every word of every file that is not a document."""
        found: set[bytes] = set()
        for data in self._contents():
            found.update(_WORD.findall(data))
        return frozenset(word.decode() for word in found)

    @cached_property
    def _flags(self) -> frozenset[str]:
        found: set[bytes] = set()
        for data in self._contents():
            if b"--" in data:
                found.update(_FLAG.findall(data))
        return frozenset(flag.decode() for flag in found)

    def _contents(self) -> Iterator[bytes]:
        left = MOST_BYTES
        for file in self._tree.found:
            if format_of(file.path):
                continue
            left -= file.size
            if left < 0 or file.size > LARGEST_FILE:
                self.incomplete = self.incomplete or left < 0
                continue
            yield self._tree.read(file.path) or b""

    @cached_property
    def stems(self) -> frozenset[str]:
        """How the names of packages begin that were split off this one: `guzzlehttp` of `guzzlehttp/guzzle`."""
        names = {name for file, pattern in _PACKAGE_NAMES for name in self._names(file, pattern)}
        parts = (re.split(r"[/_.-]", name.lower().removeprefix("@"))[0] for name in names)
        return frozenset(part for part in parts if len(part) > 3)

    def _names(self, file: str, pattern: re.Pattern[str]) -> list[str]:
        """The names in the manifests at the root."""
        return pattern.findall(self._tree.text(file) or "")[:1] if file in self._tree.paths else []

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code of this repository is imported: its packages, and its own folders."""
        parts = [path.split("/") for path in self._tree.paths]
        found = {part[0] for part in parts if len(part) > 1}
        found |= {part[1] for part in parts if len(part) > 2 and part[0] in ("src", "lib")}
        for file, pattern in _PACKAGE_NAMES:
            for path in self._tree.by_name.get(file, ()):
                names = pattern.findall(self._tree.text(path) or "")
                found |= {*names, *(name.replace("-", "_") for name in names)}
        return frozenset(name.lower() for name in found)
