"""Drift: declared sources in the repository that are no longer what they were when somebody last looked.

Computed when it is asked for and never stored. Only files that some document declares as a source are read; history
is asked about those alone that differ.
"""

import posixpath
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cairn.core.isolate import item
from cairn.core.model.entry import Source
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.ports.files import Files
from cairn.core.ports.vcs import Commit, Vcs
from cairn.freshness.diff.code_index import CodeIndex
from cairn.freshness.path_sources import Declared, PlaceNow, line_of, look
from cairn.freshness.states import WorkTree
from cairn.lib.code.anchor import Place, find_symbols
from cairn.lib.code.model import Outline, Probe

CHANGED, MISSING, UNHASHED, UNREAD = "source-changed", "source-missing", "source-unhashed", "source-unread"


class Past(NamedTuple):
    """A source as it was at an earlier commit."""

    commit: Commit
    outline: Outline
    place: Place


class Around(NamedTuple):
    """What is needed to look at sources, and to find out what became of them."""

    files: Files
    vcs: Vcs
    everything: Callable[[], CodeIndex]
    """All that the repository defines; asked for only when something is gone."""
    probe: Probe | None = None


def drift(declared: Iterable[Declared], around: Around) -> list[Issue]:
    """One issue for each declared source that is not as it was, in order of the documents."""
    listed = list(declared)
    contents = WorkTree(around.files).read({one.source.target for one in listed})
    places = look({one.source for one in listed}, contents, around.probe)
    pages = WorkTree(around.files).read({one.document for one in listed if _differs(one.source, places[one.source])})
    found = []
    for one in sorted(listed, key=lambda one: (one.document, one.at)):
        if _differs(one.source, places[one.source]):
            with item(f"{one.document}: {one.source.reference}"):
                line = line_of(pages.get(one.document, b"").decode("utf-8", "replace"), one.source)
                found.append(_issue(one, places[one.source], around)._replace(line=line))
    return found


def _differs(source: Source, now: PlaceNow) -> bool:
    return now.place is None or source.hash is None or source.hash != now.place.digest


def _issue(declared: Declared, now: PlaceNow, around: Around) -> Issue:
    source = declared.source
    if now.unread:
        return _unread(declared, now.unread)
    if now.place is None:
        return _missing(declared, now, around)
    if source.hash is None:
        message = f"The source {source.reference} was never stamped, so a change of it goes unnoticed."
        fix = f"Read it, then run `cairn freshness stamp {declared.document}`."
        return _made(declared, UNHASHED, Severity.INFO, message, fix)
    past = find_past(source, around)
    if past is None and now.place.note:
        return _unread(declared, now.place.note)
    message = f"The source {source.reference} is not what it was{_since(past)}{_what(past, now.place)}."
    fix = f"Read the page again; if it is still right, run `cairn freshness stamp {declared.document}`."
    return _made(declared, CHANGED, Severity.WARN, message, fix)


def _unread(declared: Declared, note: str) -> Issue:
    """Read as text, a file has another hash than the one that was stamped, whether it changed or not."""
    message = f"The source {declared.source.reference} was not compared. {note}"
    return _made(declared, UNREAD, Severity.WARN, message, "See that the file can be read, then check again.")


def _made(declared: Declared, rule: str, severity: Severity, message: str, fix: str) -> Issue:
    data = {"target": declared.source.reference}
    return Issue(rule, severity, (declared.document,), message, fix=Fix(fix), data=data)


# --- what was -------------------------------------------------------------------------------------------------------


def find_past(source: Source, around: Around) -> Past | None:
    """The newest commit at which a source was what its hash says."""
    from cairn.lib.code.anchor import locate
    from cairn.lib.code.read import outline

    commits = around.vcs.versions(source.target)
    contents = around.vcs.show([(one.id, source.target) for one in commits])
    for commit, data in zip(commits, contents, strict=True):
        if data is not None:
            then = outline(source.target, data, around.probe)
            place = locate(then, data, source.anchor)
            if place is not None and (source.hash is None or place.digest == source.hash):
                return Past(commit, then, place)
    return None


def _since(past: Past | None) -> str:
    if past is None:
        return " when it was last stamped"
    return f" at {past.commit.short} of {past.commit.date}"


def _what(past: Past | None, now: Place) -> str:
    if past is None or past.place.shown == now.shown:
        return ""
    return f": `{past.place.shown}` is now `{now.shown}`"


# --- what is gone ---------------------------------------------------------------------------------------------------


def _missing(declared: Declared, now: PlaceNow, around: Around) -> Issue:
    source = declared.source
    if now.outline is None:
        moved = _file_elsewhere(source, around)
        message = f"The source {source.target} is gone{f'; it may be {moved} now' if moved else ''}."
    else:
        moved = _symbol_elsewhere(source, around)
        message = f"There is no `{source.anchor}` in {source.target}{f'; it is now {moved}' if moved else ''}."
    fix = f"Write `path: {moved}` instead." if moved else "Name what the page relies on now, or take the source out."
    return _made(declared, MISSING, Severity.ERROR, message, fix)


def _file_elsewhere(source: Source, around: Around) -> str:
    """The one file that defines the same, else the one of the same name."""
    index = around.everything()
    past = find_past(source._replace(anchor=None, hash=None), around)
    same = [path for path, outline in index.outlines.items() if past and outline.digest == past.outline.digest]
    named = index.files_by_name.get(posixpath.basename(source.target), ())
    for found in (same, named):
        if len(found) == 1:
            return _spelled(found[0], source.anchor)
    return _symbol_elsewhere(source, around) if source.anchor else ""


def _symbol_elsewhere(source: Source, around: Around) -> str:
    from cairn.lib.code.moved import same_elsewhere

    past = find_past(source, around) or find_past(source._replace(hash=None), around)
    old = find_symbols(past.outline, source.anchor or "") if past else ()
    found = same_elsewhere(old[0], around.everything().outlines.values()) if old else None
    return found.reference if found else ""


def _spelled(path: str, anchor: str | None) -> str:
    return f"{path}#{anchor}" if anchor else path


def worst_first(issues: Iterable[Issue]) -> Sequence[Issue]:
    order = list(Severity)
    return sorted(issues, key=lambda i: (order.index(i.severity), i.path, i.line or 0, i.analyzer, i.message))
