"""A sentence in doubt: a change of the code made something false that a document says, and this is the proof."""

from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """What the change did to something that a sentence relies on."""

    REMOVED = "removed"
    """The code defined this name, and has it nowhere now."""
    RENAMED = "renamed"
    """The same, and another name stands in its place."""
    PATH = "path-removed"
    """A file or folder is gone, or has another path."""
    ARGUMENT = "argument"
    """A call passes an argument that is no longer accepted, or lacks one that is required now."""
    VALUE = "value"
    """The sentence states the old value of something."""
    SOURCE = "source-changed"
    """A source that the document declares has changed."""
    MOVED = "moved"
    """A note: something has another place, and the same name."""
    CHANGED = "changed"
    """A note: something that the sentence names has changed."""


class Doubt(NamedTuple):
    document: str
    line: int
    sentence: str
    """The line of the document."""
    written: str
    """The name or value in the line."""
    reason: Reason
    message: str
    """What happened, in a sentence."""
    path: str
    """Of the code."""
    code_line: int | None
    """Where that is now; None if it is gone."""
    old: str
    new: str
    """Before and after; empty when there is nothing."""
    certain: bool
    """Whether something that the sentence says is false, not only different."""
    old_line: int = 0
    """Where it was, in the file before the change."""
    fix: str = "Update or remove this sentence."

    @property
    def cause(self) -> str:
        """The same for all doubts that one change of one thing caused."""
        return f"{self.reason} {self.path} {self.message}"
