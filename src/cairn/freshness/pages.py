"""The documents that a survey judges, looked up by the words that they have."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cairn.freshness.states import State
from cairn.kernel.repository.code import MANIFESTS, package_names
from cairn.kernel.repository.words import tokens_in
from cairn.kernel.text.frontmatter import decode
from cairn.kernel.text.outline import format_of

if TYPE_CHECKING:
    from cairn.freshness.occurrence import WrittenPage


class SurveyMemory:
    """What is known about contents, for those who compare many moments."""

    def __init__(self, most: int = 20_000) -> None:
        self.tokens: Callable[[bytes], set[bytes]] = lru_cache(most)(tokens_in)


class Pages:
    def __init__(self, texts: Mapping[str, bytes], memory: SurveyMemory, code: Sequence[State]) -> None:
        self.texts = texts
        self._memory = memory
        self._code = code
        self._pages: dict[str, WrittenPage] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code is imported and run, or was before the change."""
        return frozenset().union(*(_packages(moment) for moment in self._code))

    def having(self, words: Collection[str]) -> dict[str, list[str]]:
        """By word: the documents that have it."""
        wanted = frozenset(word.encode() for word in words)
        few = wanted if len(wanted) <= _FEW else None
        found: dict[str, list[str]] = defaultdict(list)
        for path, data in self.texts.items():
            if few is None or any(word in data for word in few):
                for word in wanted & self._memory.tokens(data):
                    found[word.decode()].append(path)
        return found

    def page(self, path: str) -> "WrittenPage":
        from cairn.freshness.occurrence import WrittenPage

        if path not in self._pages:
            self._pages[path] = WrittenPage(path, decode(self.texts[path]).text, lambda: self.packages)
        return self._pages[path]


_FEW = 40
"""Words; for more it is quicker to split the text."""
_PROGRAM = re.compile(r"""^\s*["']?([\w.-]+)["']?\s*[=:]\s*["']?[\w./-]+(?::\w+|\.[cm]?js)["']?,?\s*$""", re.MULTILINE)
"""A script of a manifest: `app = "app.cli:main"`, `"app": "./bin/app.js"`."""


def _packages(code: State) -> frozenset[str]:
    paths = [path for path in code.facts() if format_of(path) is None]
    modules = {path.removesuffix(".py").lower() for path in paths if path.endswith(".py") and "/" not in path}
    read = code.read([path for path in paths if path.rpartition("/")[2] in (*MANIFESTS, "setup.py")])
    texts = {path: decode(data).text for path, data in read.items()}
    programs = {name.lower() for text in texts.values() for name in _PROGRAM.findall(text)}
    return package_names(paths, lambda path: texts.get(path, "")) | modules | programs
