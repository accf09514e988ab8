"""Make a ChangeSet: of what is different in the working tree, of a diff, or of files as they should be."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from cairn.changes.diff import edits_of
from cairn.core.model.change import ChangeSet, Edit
from cairn.core.ports.vcs import Vcs

PERSON = "person"
"""Origin of what somebody made by hand."""


class ReadNow(Protocol):
    def __call__(self, path: str, /) -> bytes | None:
        """A file of the working tree; None when it is not there."""
        ...


def from_worktree(
    vcs: Vcs, read: ReadNow, *, base: str, wanted: Callable[[str], bool] = lambda _: True, **facts: Any
) -> ChangeSet:
    """What the working tree holds that the base does not, of the files that are wanted."""
    paths = [change.path for change in vcs.changed(base) if wanted(change.path)]
    old = vcs.show([(base, path) for path in paths])
    now = [(path, before, read(path)) for path, before in zip(paths, old, strict=True)]
    return _change(base, (Edit(path, content) for path, before, content in now if content != before), facts)


def from_diff(diff: bytes, read_base: Callable[[str], bytes | None], *, base: str, **facts: Any) -> ChangeSet:
    """What a unified diff does to the files at the base."""
    return _change(base, edits_of(diff, read_base), facts)


def from_files(files: Mapping[str, bytes | None], *, base: str, **facts: Any) -> ChangeSet:
    """These files, as they should be; None takes one away."""
    return _change(base, (Edit(path, content) for path, content in files.items()), facts)


def _change(base: str, edits: Iterable[Edit], facts: Mapping[str, Any]) -> ChangeSet:
    known = tuple(sorted(edits, key=lambda edit: edit.path))
    subject = known[0].path if len(known) == 1 else "the working tree"
    title = f"Change {subject}" if len(known) == 1 else f"Change {len(known)} files"
    return ChangeSet(**{"origin": PERSON, "subject": subject, "title": title, **facts, "base": base, "edits": known})
