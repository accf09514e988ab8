"""One old version of a file, as the proof of a removal looks at it. Thousands of names may have one file, so whatever
depends on the file alone is found out once."""

import re
from functools import cached_property
from itertools import accumulate

from cairn.kernel.repository.definitions import types_in
from cairn.kernel.repository.successor import Successors
from cairn.kernel.repository.tree import decoded

_PASSED_ON = re.compile(rb"\bimport\s+\*|\bexport\s+\*|\buse\s+[\w:]+::\*")
_QUOTED_FLAG = re.compile(rb"""["'`]--[a-z]""")


class Version:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.lines = data.split(b"\n")
        self._successors: tuple[Version, Successors] | None = None

    def find(self, line: bytes) -> int | None:
        """The index of the first line that reads like this."""
        return self._places.get(line)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {line: at for at, line in reversed(list(enumerate(self.lines)))}

    def in_docstring(self, at: int) -> bool:
        return self._quotes[at] % 2 == 1

    @cached_property
    def _quotes(self) -> list[int]:
        """How many triple quotes stand above each line."""
        return list(accumulate((line.count(b'"""') + line.count(b"'''") for line in self.lines), initial=0))

    def in_raw_string(self, at: int) -> bool:
        """Whether the line begins inside of a string between backticks."""
        return self._backticks[at] % 2 == 1

    @cached_property
    def _backticks(self) -> list[int]:
        return list(accumulate((line.count(b"`") for line in self.lines), initial=0))

    @cached_property
    def types(self) -> frozenset[str]:
        return types_in(self.lines)

    @cached_property
    def passes_on(self) -> bool:
        """Whether something that another module defines can be imported from this one."""
        return any(_PASSED_ON.search(line) for line in self.lines)

    @cached_property
    def quotes_flags(self) -> bool:
        return any(_QUOTED_FLAG.search(line) for line in self.lines)

    def has(self, word: str) -> bool:
        """Whether the word stands anywhere in it by itself."""
        data = word.encode()
        return data in self._data and re.search(rb"\b" + re.escape(data) + rb"\b", self._data) is not None

    def successors(self, old: "Version") -> Successors:
        """Among the lines that the version before did not have."""
        if self._successors is None or self._successors[0] is not old:
            known = frozenset(old.lines)
            self._successors = old, Successors(decoded(line).strip() for line in self.lines if line not in known)
        return self._successors[1]
