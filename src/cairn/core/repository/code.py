"""The words of the code of a repository: whether a name stands anywhere in it."""

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from cairn.core.repository.tree import RepositoryTree
from cairn.lib.document.outline import format_of, is_prose

_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_SPACED = bytes(byte if byte in _LETTERS else 32 for byte in range(256))
"""Every byte that is part of no name becomes a space; splitting at spaces is faster than a pattern."""
_HYPHENATED = bytes(byte if byte in _LETTERS or byte == 45 else 32 for byte in range(256))
_TOKEN = re.compile(rb"(?:--)?[A-Za-z]\w*(?:-\w+)*")
_DIGITS = b"0123456789"
_FLAG = re.compile(rb"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")


def words_in(data: bytes) -> set[bytes]:
    """Names as code spells them, without digits in front of them, and flags with their dashes."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    if b"--" in data:
        words.update(_FLAG.findall(data))
    return words


def tokens_in(data: bytes) -> set[bytes]:
    """Like `words_in`, and words with hyphens: `--dry-run`, `max-age`."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    words.discard(b"")
    joined = {_without_dash(word) for word in set(data.translate(_HYPHENATED).split()) if b"-" in word}
    words.update(word for word in joined if _TOKEN.fullmatch(word))
    return words


def _without_dash(word: bytes) -> bytes:
    """Without hyphens at its end, and without the one that a flag may begin with: `-max-age`."""
    word = word.rstrip(b"-")
    return word[1:] if word[:1] == b"-" and word[1:2] != b"-" else word


def as_token(word: bytes) -> re.Pattern[bytes]:
    """Where a text has a word as one of its `tokens_in`: quicker than these if few words are looked for."""
    quoted = re.escape(word)
    if b"-" in word:
        return re.compile(rb"(?<!\w)(?<!\w-)(?<!--)" + quoted + rb"-*(?![\w-])") if _TOKEN.fullmatch(word) else _NOTHING
    return re.compile(rb"(?<!\w)[0-9]*" + quoted + rb"(?!\w)") if _NAME.fullmatch(word) else _NOTHING


_NAME = re.compile(rb"[A-Za-z_]\w*")
_NOTHING = re.compile(rb"(?!)")


def with_words(text: bytes, wanted: frozenset[bytes]) -> set[bytes]:
    """The lines of a text that have one of these words or flags, maybe as part of a longer word."""
    hits = wanted.intersection(text.translate(_SPACED).split())
    if b"--" in text:
        hits |= wanted.intersection(_FLAG.findall(text))
    found: set[bytes] = set()
    for word in hits:
        at = text.find(word)
        while at >= 0:
            end = text.find(b"\n", at)
            end = end if end >= 0 else len(text)
            found.add(text[text.rfind(b"\n", 0, at) + 1 : end])
            at = text.find(word, end)
    return found


LARGEST_FILE = 20_000_000
MOST_BYTES = 400_000_000
_STRING = re.compile(rb"""["']([a-z][a-z0-9]+(?:-[a-z0-9]+)*)["'|,= ]""")
_BUILDS = re.compile(
    r"(?:^|/)(?:Makefile|GNUmakefile|Rakefile|justfile|CMakeLists\.txt|package\.json|conf\.py|noxfile\.py|tasks\.py|tox\.ini"
    r"|setup\.py|pyproject\.toml|mkdocs\.ya?ml|\.readthedocs\.ya?ml|[\w.-]+\.(?:sh|bash|mk|gradle|kts))$"
    r"|(?:^|/)(?:scripts?|tools?|bin|build|hack|docs?|documentation|website|site|\.github|\.vitepress|\.vuepress)/"
    r"[^\n]*\.(?:py|[cm]?[jt]s|rb|sh|ya?ml|json|pl|php|go|rs|toml)$"
)
"""Files that say how documents are built."""
_SCRIPT_SIZE = 200_000
_PACKAGE_NAMES = (
    ("composer.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("package.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("pyproject.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("setup.cfg", re.compile(r"^name\s*=\s*(\S+)", re.MULTILINE)),
    ("Cargo.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("go.mod", re.compile(r"^module\s+(\S+)", re.MULTILINE)),
)

MANIFESTS = tuple(name for name, _ in _PACKAGE_NAMES)
"""Files that name the package that they are in."""


class Code:
    def __init__(self, tree: RepositoryTree) -> None:
        self._tree = tree
        self.incomplete = False
        """Whether there is more code than is read, so that nobody can say that a name is gone."""

    def has(self, name: str) -> bool:
        """Whether the name stands in the code; a flag of several words also if a parser would derive it from a name."""
        if self.spells(name) or not name.startswith("--"):
            return self.spells(name)
        bare = name[2:]
        if bare in self._quoted:
            return True
        camel = re.sub(r"-(\w)", lambda found: found[1].upper(), bare)
        return "-" in bare and (self.spells(bare.replace("-", "_")) or self.spells(camel))

    def spells(self, name: str) -> bool:
        """Whether the name or flag stands in the code, letter by letter."""
        return name.encode() in self._words

    def in_other_case(self, name: str) -> str:
        """The only word of the code that differs from the name in its letter case; empty if there is none."""
        wanted = name.lower().encode()
        same = [word for word in self._words if len(word) == len(wanted) and word.lower() == wanted]
        return same[0].decode() if len(same) == 1 else ""

    @cached_property
    def number_of_files(self) -> int:
        return sum(not is_prose(file.path) for file in self._tree.found)

    @cached_property
    def _words(self) -> frozenset[bytes]:
        """Every word and flag of every file that is not prose."""
        found: set[bytes] = set()
        for data in self._contents():
            found |= words_in(data)
        return frozenset(found)

    @cached_property
    def _quoted(self) -> frozenset[str]:
        """Words that are strings by themselves: many parsers declare a flag without its dashes."""
        found: set[bytes] = set()
        for data in self._contents():
            found.update(_STRING.findall(data))
        return frozenset(word.decode() for word in found)

    def _contents(self) -> Iterator[bytes]:
        left = MOST_BYTES
        for file in self._tree.found:
            if is_prose(file.path):
                continue
            left -= file.size
            if left < 0 or file.size > LARGEST_FILE:
                self.incomplete = self.incomplete or left < 0
                continue
            yield self._tree.read(file.path) or b""

    def program_that_names(self, name: str) -> str:
        """The first script or setting of the build that has this name of a file; empty if none has."""
        wanted = name.encode()
        return next((path for path, data in self._build_files if wanted in data), "")

    @cached_property
    def _build_files(self) -> list[tuple[str, bytes]]:
        paths = [file.path for file in self._tree.found if file.size <= _SCRIPT_SIZE and _BUILDS.search(file.path)]
        return [(path, self._tree.read(path) or b"") for path in sorted(paths) if not format_of(path)]

    @cached_property
    def stems(self) -> frozenset[str]:
        """How the names of packages begin that were split off this one: `guzzlehttp` of `guzzlehttp/guzzle`."""
        names = {name for file, pattern in _PACKAGE_NAMES for name in self._names(file, pattern)}
        parts = (re.split(r"[/_.-]", name.lower().removeprefix("@"))[0] for name in names)
        return frozenset(part for part in parts if len(part) > 3)

    def _names(self, file: str, pattern: re.Pattern[str]) -> list[str]:
        """The names in the manifests at the root."""
        return pattern.findall(self._tree.text(file) or "")[:1] if file in self._tree.paths else []

    def has_prefix(self, name: str) -> bool:
        """Whether the name begins like a package of this repository: `SHOP_DEBUG` of `shop` or `py-shop`."""
        first = name.lower().strip("_").partition("_")[0]
        return any(first in re.split(r"[/_.@-]", package) or package.startswith(first) for package in self.packages)

    @cached_property
    def script_packages(self) -> frozenset[str]:
        """Names of the packages of npm that the repository has."""
        return self._all_names("package.json")

    @cached_property
    def rust_crates(self) -> frozenset[str]:
        """Names of its crates, as code spells them."""
        return frozenset(name.replace("-", "_") for name in self._all_names("Cargo.toml"))

    def _all_names(self, file: str) -> frozenset[str]:
        """The first name in each manifest of this kind."""
        pattern = dict(_PACKAGE_NAMES)[file]
        texts = (self._tree.text(path) or "" for path in self._tree.by_name.get(file, ()))
        return frozenset(found[1] for text in texts if (found := pattern.search(text)))

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code of this repository is imported: its packages, and its own folders."""
        return package_names(self._tree.paths, lambda path: self._tree.text(path) or "")


def package_names(paths: Collection[str], text: Callable[[str], str]) -> frozenset[str]:
    """The names of all manifests, of the folders at the root, and of those right below `src` and `lib`."""
    parts = [path.split("/") for path in paths]
    found = {part[0] for part in parts if len(part) > 1}
    found |= {part[1] for part in parts if len(part) > 2 and part[0] in ("src", "lib", "cmd", "bin", "exe")}
    patterns = dict(_PACKAGE_NAMES)
    for path in paths:
        if pattern := patterns.get(path.rpartition("/")[2]):
            names = pattern.findall(text(path))
            found |= {*names, *(name.replace("-", "_") for name in names)}
    return frozenset(name.lower() for name in found)
