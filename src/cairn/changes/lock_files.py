"""Lock files on disk: with the first one, git is told how to merge it; when Cairn goes, both go with it."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cairn.changes.write import remove_file, write_file
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import CairnError
from cairn.knowledge.lockfile import ATTRIBUTES, lock_file, with_attribute, without_attribute
from cairn.knowledge.ports import KnowledgePorts

GIT_ATTRIBUTES = ".gitattributes"
WHY = f"{GIT_ATTRIBUTES} gets the line `{ATTRIBUTES}`, so that git keeps the stamps of everybody"


def attributes_beside(ports: KnowledgePorts, locks: Iterable[str]) -> bytes | None:
    """What `.gitattributes` should hold once these lock files are written; None when it may stay as it is: nobody is
    asked twice, so a line that was taken out again stays out."""
    if all(ports.files.exists(lock) for lock in locks) or ports.vcs.root() is None:
        return None
    known = _attributes(ports)
    wanted = known if known is None else with_attribute(known)
    return None if wanted == known else wanted


def _attributes(ports: KnowledgePorts) -> bytes | None:
    """Empty when there is no such file, None when it cannot be read."""
    if not ports.files.exists(GIT_ATTRIBUTES):
        return b""
    try:
        return ports.files.read(GIT_ATTRIBUTES)[0]
    except ReadFailed:
        return None


def write_attributes(ports: KnowledgePorts, content: bytes | None) -> list[str]:
    """What a person should know: a merge is convenience, and nothing to fail for."""
    if content is None:
        return []
    try:
        write_file(ports.root, GIT_ATTRIBUTES, content)
    except CairnError as error:
        return [f"{error.message} Add the line `{ATTRIBUTES}` there, so that git merges lock files by itself."]
    return []


# --- when Cairn goes ------------------------------------------------------------------------------------------------


class LockFileRemoval(NamedTuple):
    """What Cairn wrote outside of `.cairn` that is of no use without it."""

    locks: tuple[str, ...] = ()
    attributes: bytes | None = None
    """What stays of `.gitattributes`; None when nothing in it is ours."""

    @property
    def removed(self) -> tuple[str, ...]:
        return (*self.locks, GIT_ATTRIBUTES) if self.attributes == b"" else self.locks

    @property
    def edited(self) -> tuple[str, ...]:
        return (GIT_ATTRIBUTES,) if self.attributes else ()


def left_behind(ports: KnowledgePorts) -> LockFileRemoval:
    locks = [lock_file(corpus) for corpus in ports.corpora if corpus.layout == "plain"]
    known = _attributes(ports)
    rest = without_attribute(known) if known else known
    return LockFileRemoval(tuple(lock for lock in locks if ports.files.exists(lock)), rest if rest != known else None)


def take_along(root: Path, left: LockFileRemoval) -> None:
    for path in left.removed:
        remove_file(root, path)
    for path in left.edited:
        write_file(root, path, left.attributes or b"")
