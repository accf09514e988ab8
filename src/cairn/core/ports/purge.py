"""Taking something out of the store for good: which rows hold it, and that nothing of them is left."""

from collections.abc import Callable, Mapping
from typing import Protocol

Holds = Callable[[bytes], bool]


class Purge(Protocol):
    """Part of the store."""

    def holding(self, holds: Holds) -> Mapping[str, int]:
        """By table, where there are any: how many rows hold it. An index of words is not looked at."""
        ...

    def outdated_texts(self) -> int:
        """Rows of the index of words that belong to earlier versions of files."""
        ...

    def total(self) -> int:
        """Rows that `holding` looks at."""
        ...

    def drop(self, holds: Holds) -> int:
        """Delete such rows of what is kept; how many. What is made of files is made anew from them."""
        ...

    def wipe(self) -> None:
        """Nothing of what was deleted is left in free space, in indexes, or in a log of writes."""
        ...
