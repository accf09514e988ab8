"""Mending what `cairn freshness validate` can mend: in place, page by page, and nothing but the slip."""

from collections.abc import Iterable
from typing import NamedTuple

from cairn.changes.write import write_file
from cairn.core.model.issue import Issue
from cairn.core.ports.files import ReadFailed
from cairn.errors import CannotEdit
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.mend import mended


class Mended(NamedTuple):
    path: str
    before: str
    after: str


def mend(ports: FreshnessPorts, issues: Iterable[Issue], *, dry_run: bool) -> tuple[list[Mended], list[str]]:
    """What was changed, or would be, and which pages could not be, with the reason. All pages are read before the
    first is written."""
    done: list[Mended] = []
    notes: list[str] = []
    for path in dict.fromkeys(issue.path for issue in issues if issue.fix and issue.fix.autofixable):
        try:
            before = ports.files.read(path)[0].decode("utf-8")
            done.append(Mended(path, before, mended(before)))
        except (ReadFailed, UnicodeDecodeError, CannotEdit) as error:
            notes.append(f"{path} was left as it is: {error}")
    changed = [one for one in done if one.before != one.after]
    for one in () if dry_run else changed:
        write_file(ports.root, one.path, one.after)
    return changed, notes
