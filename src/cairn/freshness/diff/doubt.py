"""A sentence in doubt: a change of the code made something false that a document says, and this is the proof."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from cairn.core.model.issue import Issue, Place, Proof, Severity, proven


class StaleReason(StrEnum):
    """What the change did to something that a sentence relies on."""

    REMOVED = "removed"
    """The code defined this name, and has it nowhere now."""
    RENAMED = "renamed"
    """The same, and another name stands in its place."""
    PATH = "path-removed"
    """A file or folder is gone, or has another path."""
    IMPORT = "import"
    """A name can no longer be imported from the stated module."""
    ARGUMENT = "argument"
    """A call passes an argument that is no longer accepted, or lacks one that is required now."""
    VALUE = "value"
    """The sentence states the old value of something."""
    SOURCE = "source-changed"
    """A source that the document declares has changed."""
    MOVED = "moved"
    """A note: something has another place, and the same name."""
    READ = "read"
    """A reader found that the sentence is false now."""
    CHANGED = "changed"
    """A note: something that the sentence names has changed."""


class StaleSentence(NamedTuple):
    document: str
    line: int
    sentence: str
    """The line of the document."""
    written: str
    """The name or value in the line."""
    reason: StaleReason
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
        """The same for all doubts that one change of one thing caused: a name, a value, a path."""
        return f"{self.reason} {self.path} {self.message}"


IN_DOUBT = "sentence-in-doubt"


def as_issues(doubts: Iterable[StaleSentence]) -> list[Issue]:
    """One for each cause, with every place, for tools that show issues."""
    causes: dict[str, list[StaleSentence]] = {}
    for doubt in doubts:
        causes.setdefault(doubt.cause, []).append(doubt)
    return [_issue(same) for same in causes.values()]


def _issue(same: Sequence[StaleSentence]) -> Issue:
    first = same[0]
    note = first.reason in (StaleReason.MOVED, StaleReason.CHANGED)
    severity = Severity.INFO if note else Severity.ERROR if first.certain else Severity.WARN
    places = [Place(doubt.document, doubt.line, doubt.sentence) for doubt in same]
    facts = {"sentence": " ".join(first.sentence.split()), "reason": str(first.reason)}
    target = f"{first.path} {' '.join(sorted({doubt.written for doubt in same}))}"
    return proven(IN_DOUBT, severity, target, first.message, places, _proofs(first), first.fix, **facts)


def _proofs(doubt: StaleSentence) -> list[Proof]:
    """What the code said, and what it says."""
    if doubt.reason is StaleReason.PATH or doubt.old == doubt.path:
        return [Proof(f"moved to `{doubt.new}` by this change" if doubt.new else "deleted by this change", doubt.path)]
    if doubt.new and doubt.code_line:
        differs = doubt.old and doubt.old != doubt.new
        return [Proof(f"{doubt.old} → {doubt.new}" if differs else doubt.new, doubt.path, doubt.code_line)]
    return [Proof(doubt.old, doubt.path, doubt.old_line)] if doubt.old else []
