"""Documents that a survey judges: found by their words, and by the folder that a helper script belongs to."""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cairn.core.repository.code import MANIFESTS, as_token, package_names, tokens_in
from cairn.freshness.diff.definition import is_manifest
from cairn.freshness.states import RepositoryState
from cairn.lib.document.document import format_of
from cairn.lib.markdown.frontmatter import decode

if TYPE_CHECKING:
    from cairn.freshness.diff.occurrence import WrittenPage


class SurveyMemory:
    """What is known about contents, for those who compare many moments."""

    def __init__(self, most: int = 20_000) -> None:
        self.tokens: Callable[[bytes], set[bytes]] = lru_cache(most)(tokens_in)


class SurveyedPages:
    def __init__(
        self,
        texts: Mapping[str, bytes],
        memory: SurveyMemory | None,
        code: Sequence[RepositoryState],
        programs: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self.texts = texts
        self._remembers = memory is not None
        self._tokens_of = memory.tokens if memory else tokens_in
        self._code = code
        self._programs = programs
        self._pages: dict[str, WrittenPage] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code is imported and run, or was before the change."""
        return frozenset().union(*(_packages(moment) for moment in self._code))

    @cached_property
    def programs(self) -> frozenset[str]:
        """Names under which the code is run: those of packages, and those that it tells parsers of command lines."""
        return self.packages | self._programs()

    def having(self, words: Collection[str]) -> dict[str, list[str]]:
        """By word: the documents that have it."""
        wanted = frozenset(word.encode() for word in words)
        if not self._remembers:
            wanted &= self._tokens if len(wanted) > _FEW else {word for word in wanted if word in self._joined}
        few = {word: as_token(word) for word in wanted} if len(wanted) <= _FEW else {}
        found: dict[str, list[str]] = defaultdict(list)
        for path, data in self.texts.items() if wanted else ():
            tokens = [word for word in few if word in data and few[word].search(data)] if few else self._tokens_of(data)
            for word in wanted.intersection(tokens):
                found[word.decode()].append(path)
        return found

    @cached_property
    def _joined(self) -> bytes:
        """All documents: to look through them at once is quicker, unless their words are known already."""
        return b"\n".join(self.texts.values())

    @cached_property
    def _tokens(self) -> set[bytes]:
        return tokens_in(self._joined)

    def page(self, path: str) -> "WrittenPage":
        from cairn.freshness.diff.occurrence import WrittenPage

        if path not in self._pages:
            self._pages[path] = WrittenPage(
                path, decode(self.texts[path]).text, lambda: self.packages, lambda: self.programs
            )
        return self._pages[path]


_FEW = 40
"""Words; for more it is quicker to split the text."""
_PROGRAM = re.compile(
    r"""^[ \t]*+["']?([\w.-]++)["']?[ \t]*+[=:][ \t]*+["']?[\w./-]+(?::\w+|\.[cm]?js)["']?,?[ \t\r]*$""", re.MULTILINE
)
"""A script of a manifest: `app = "app.cli:main"`, `"app": "./bin/app.js"`."""


_NAMES = {
    "Package.swift": re.compile(r"""\bname:\s*"([\w-]+)\""""),
    "mix.exs": re.compile(r"\bapp:\s*:(\w+)"),
}
"""How manifests of other languages name packages and programs."""


def _packages(code: RepositoryState) -> frozenset[str]:
    paths = [path for path in code.facts() if format_of(path) is None]
    modules = {path.removesuffix(".py").lower() for path in paths if path.endswith(".py") and "/" not in path}
    read = code.read([path for path in paths if path.rpartition("/")[2] in (*MANIFESTS, "setup.py", *_NAMES)])
    texts = {path: decode(data).text for path, data in read.items()}
    programs = {name.lower() for text in texts.values() for name in _PROGRAM.findall(text)}
    names = package_names(paths, lambda path: texts.get(path, ""))
    programs |= {
        name.lower()
        for path, text in texts.items()
        if (pattern := _NAMES.get(path.rpartition("/")[2]))
        for name in pattern.findall(text)
    }
    programs |= {name.lower() for path, text in texts.items() if path.endswith("package.json") for name in _bins(text)}
    last = {name.rpartition("/")[2] for name in names if "/" in name}
    return names | modules | programs | last | set(_executables(paths))


def _bins(text: str) -> Iterator[str]:
    """The programs that a package of npm installs."""
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return
    bins = package.get("bin") if isinstance(package, dict) else None
    if isinstance(bins, dict):
        yield from bins


def _executables(paths: Iterable[str]) -> Iterator[str]:
    """Names of programs that files have: `bin/app`, `exe/app.rb`, `app.gemspec`, `src/App/App.csproj`."""
    for path in paths:
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0].lower()
        if stem and (folder in ("bin", "exe", "cmd") or name.endswith((".gemspec", ".csproj", ".cabal", ".podspec"))):
            yield stem


_SKILL = "SKILL.md"
_GUIDES = ("README.md", "README.rst", "index.md")
_HELPERS = re.compile(r"(?:scripts?|tools?|helpers?|hooks?|snippets?)/")
_SHORTEST = 5
"""Characters of a file's name that no page has by chance."""


class ScriptFolders:
    """The folders that helper scripts belong to: that of a skill, or one with a guide and its own `scripts/`. What is a
    package, or lies at the root, belongs to the whole repository."""

    def __init__(self, paths: Collection[str], pages: SurveyedPages) -> None:
        self._paths = paths
        self._pages = pages
        self._home = lru_cache(None)(self._find)

    def concern(self, scripts: Iterable[str], document: str) -> bool:
        """Whether one of these files of code proves something about a document: it has no home, the document is at
        home there too, or names the file."""
        return any(
            (home := self._home(path)) is None or document.startswith(home) or self._names(document, path)
            for path in scripts
        )

    def _names(self, document: str, path: str) -> bool:
        stem = posixpath.basename(path).partition(".")[0]
        return len(stem) >= _SHORTEST and stem in self._pages.page(document).text

    def _find(self, path: str) -> str | None:
        """With a slash at its end."""
        folder = posixpath.dirname(path)
        while folder and folder not in self._packages:
            if f"{folder}/{_SKILL}" in self._all or (
                _HELPERS.match(path.removeprefix(f"{folder}/"))
                and any(f"{folder}/{name}" in self._all for name in _GUIDES)
            ):
                return f"{folder}/"
            folder = posixpath.dirname(folder)
        return None

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _packages(self) -> frozenset[str]:
        """Folders with a manifest."""
        return frozenset(posixpath.dirname(path) for path in self._all if is_manifest(path))
