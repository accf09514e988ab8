"""What the finders of `cairn try` look at: documents, the words of the code, the past, and how much time is left."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from cairn.adapters.vcs.past import Past
from cairn.app.trying.finding import Evidence
from cairn.kernel.code.model import Probe
from cairn.kernel.places import is_code_noise, is_document, is_history
from cairn.kernel.ports.files import Files, ReadFailed, WalkRequest
from cairn.kernel.ports.store import Store
from cairn.kernel.text.mask import Range, blank, code_ranges, fences

MOST_DOCUMENTS = 5_000
MOST_CODE_FILES = 20_000
MOST_CODE_BYTES = 80_000_000
LARGEST_FILE = 1_048_576
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{2,}")
_QUOTED = 200


class Page:
    """A document with the views of its text that several finders want."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.split("\n")

    @cached_property
    def code(self) -> list[Range]:
        return code_ranges(self.text)

    @cached_property
    def _fences(self) -> list[Range]:
        return fences(self.text)

    @cached_property
    def prose_lines(self) -> list[str]:
        """The lines with fenced blocks, comments and scripts blanked out; what stands between backticks is left."""
        pieces, position = [], 0
        for start, end in self._fences:
            pieces += [self.text[position:start], blank(self.text[start:end])]
            position = end
        text = "".join([*pieces, self.text[position:]])
        return _COMMENT.sub(lambda found: blank(found[0]), text).split("\n")

    def spans(self) -> Iterator[tuple[int, str]]:
        """(line, text) of each inline code that stands on one line."""
        for number, line in enumerate(self.prose_lines, 1):
            if "`" in line:
                yield from ((number, found[1].strip()) for found in _SPAN.finditer(line))

    def fenced(self) -> Iterator[tuple[int, str, str]]:
        """(line, language, text) of each line in a fenced block."""
        for start, end in self._fences:
            number = self.text.count("\n", 0, start) + 1
            first, *rest = self.text[start:end].split("\n")
            language = first.strip(" `~").split(" ")[0].lower()
            yield from ((number + at, language, line) for at, line in enumerate(rest, 1))

    def evidence(self, line: int) -> Evidence:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Evidence(self.path, line, " ".join(text.split())[:_QUOTED])


_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<(style|script|svg|pre)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_SPAN = re.compile(r"(?<!`)`([^`\n]{1,120})`(?!`)")


class Deadline:
    """Work that has a limit. `left_out` is what a person should know was not looked at."""

    def __init__(self, now: Callable[[], float], seconds: float) -> None:
        self._now = now
        self._started = now()
        self._end = self._started + seconds
        self.left_out: list[str] = []

    def over(self) -> bool:
        return self._now() >= self._end

    def spent(self) -> float:
        return self._now() - self._started

    def say(self, text: str) -> None:
        if text not in self.left_out:
            self.left_out.append(text)


class CodeFile(NamedTuple):
    path: str
    size: int


class Ground:
    def __init__(
        self,
        root: Path,
        files: Files,
        store: Store,
        past: Past,
        deadline: Deadline,
        probe: Probe | None = None,
        whys: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.root = root
        self.files = files
        self.store = store
        self.past = past
        self.deadline = deadline
        self.probe = probe
        self.whys = whys
        """By the name of a check: why it matters, as a sentence without its full stop."""
        self.told: set[tuple[str, int]] = set()
        """Places about which some finder of code that went has said something."""
        self._pages: dict[str, Page | None] = {}

    # --- documents ------------------------------------------------------------------------------------------------

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """Markdown files that people are meant to read, without vendored ones, fixtures, templates, translations."""
        found = [file.path for file in self._walked if is_document(file.path)]
        if len(found) > MOST_DOCUMENTS:
            self.deadline.say(f"{len(found) - MOST_DOCUMENTS:,} of {len(found):,} documents")
        return tuple(sorted(found, key=lambda path: (path.count("/"), path))[:MOST_DOCUMENTS])

    def pages(self, *, history: bool = True) -> Iterator[Page]:
        """The documents; without `history`, not those that talk about the past, such as a changelog."""
        for path in self.documents:
            if not history and is_history(path):
                continue
            page = self.page(path)
            if page is not None:
                yield page

    def page(self, path: str) -> Page | None:
        if path not in self._pages:
            text = self.text(path)
            self._pages[path] = None if text is None else Page(path, text)
        return self._pages[path]

    def text(self, path: str) -> str | None:
        try:
            data, _ = self.files.read(path)
        except ReadFailed:
            return None
        if len(data) > LARGEST_FILE or b"\0" in data:
            return None
        return data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")

    # --- everything else ------------------------------------------------------------------------------------------

    @cached_property
    def _walked(self) -> tuple[CodeFile, ...]:
        """Every file that is neither ignored nor in another repository."""
        walk = self.files.walk(WalkRequest(suffixes=("",)))
        return tuple(CodeFile(file.path, file.size) for file in walk.files)

    @cached_property
    def paths(self) -> frozenset[str]:
        return frozenset(file.path for file in self._walked)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Paths by the last part of their name."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def code_words(self) -> frozenset[str]:
        """Every word in files that are no documents; a word that is not here may still be in what was left out."""
        found: set[bytes] = set()
        for data in self._code():
            found.update(_WORD.findall(data))
        return frozenset(word.decode() for word in found)

    def _code(self) -> Iterator[bytes]:
        left = MOST_CODE_BYTES
        for number, file in enumerate(f for f in self._walked if not is_code_noise(f.path)):
            left -= file.size
            if number >= MOST_CODE_FILES or left < 0 or self.deadline.over():
                self.deadline.say("a part of the code, which is large")
                return
            if file.size <= LARGEST_FILE:
                try:
                    yield self.files.read(file.path)[0]
                except ReadFailed:
                    continue

    @cached_property
    def has_past(self) -> bool:
        """Whether there is more than one commit to compare."""
        return self.past.commits(2) > 1

    def counts(self) -> dict[str, int]:
        return {"documents": len(self.documents), "files": len(self._walked)}
