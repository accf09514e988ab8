"""The lens `H-cross-doc`: reports marks and ids of documents that are provably broken.

Whether two passages disagree is a question for a reader; its answers come in from outside.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, splitext
from typing import Any, Literal, NamedTuple

from cairn.core.model.lens import Finding, Severity, finding_id
from cairn.lib.markdown.blocks import code_ranges, without
from cairn.observe.lens import LensDocument, LensView, Scope
from cairn.observe.lens_contradictions.marks import MarkedPages, PageMarks, SupersedesMark, is_decision, is_history

FEWEST = 3
"""So many of a family of ids must be defined before a missing one is missed."""
MOSTLY = 0.6
"""So much of what is named must be defined: else these ids live somewhere else."""
DENSE = 0.5
"""So much of the numbers up to the highest must be defined: else they are those of a tracker, which is elsewhere."""
_ID = re.compile(r"(?<![\w/-])([A-Z]{2,10})-0*(\d{1,5})(?![\w-]|\.\d)")
_DEFINED = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|\|\s*|[-*+]\s+|\d+[.)]\s+)?(?:\*\*|`|\[)*([A-Z]{2,10})-0*(\d{1,5})(?:\*\*|`|\])*\s*(?:[:|.)–—-]|$)",
    re.MULTILINE,
)
_FILE = re.compile(r"([a-z]{2,10})[-_]0*(\d{1,5})(?:[-_.]|$)", re.IGNORECASE)
_NUMBERED = re.compile(r"0*(\d{1,5})[-_]")
_QUOTED = re.compile(r"[\"“][^\"“”]{1,80}[\"”]")
"""Quotes and code show how an id looks."""


class LostId(NamedTuple):
    path: str
    line: int
    id: str
    text: str
    known: int
    """How many of its family are defined."""


def lost_ids(pages: MarkedPages) -> Iterator[LostId]:
    """Ids that are named but defined nowhere, of families that are defined here."""
    named = list(_named(pages))
    for family, numbers in sorted(numbered_here(pages).items()):
        mentioned = {number for other, number, *_ in named if other == family}
        if len(mentioned & numbers) < MOSTLY * len(mentioned):
            continue
        seen: set[tuple[str, int]] = set()
        for other, number, path, line, text in named:
            if other == family and number not in numbers and (path, number) not in seen:
                seen.add((path, number))
                yield LostId(path, line, f"{family}-{number}", text, len(numbers))


def numbered_here(pages: MarkedPages) -> dict[str, set[int]]:
    """Families of ids whose numbers these documents give out."""
    found = _definitions(pages).items()
    return {name: numbers for name, numbers in found if len(numbers) >= max(FEWEST, DENSE * max(numbers))}


def _definitions(pages: MarkedPages) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for path, document in pages.documents.items():
        stem = splitext(basename(path))[0]
        if name := _FILE.match(stem):
            found[name[1].upper()].add(int(name[2]))
        elif (number := _NUMBERED.match(stem)) and is_decision(path):
            found["ADR"].add(int(number[1]))
        for family, digits in _DEFINED.findall(document.text):
            found[family].add(int(digits))
    return found


def _named(pages: MarkedPages) -> Iterator[tuple[str, int, str, int, str]]:
    for path, document in pages.documents.items():
        if is_history(path):
            continue
        prose = without(document.text, code_ranges(document.text))
        page = pages.marked[path]
        marks = {mark.line for mark in (*page.supersedes, *page.superseded_by)}  # `superseded.py` reports these
        for number, line in enumerate(prose.split("\n"), 1):
            for found in _ID.finditer(_QUOTED.sub("", line)) if number not in marks else ():
                yield found[1], int(found[2]), path, number, line.strip()


_SUPERSEDED_ID = re.compile(r"([A-Z]{2,10})-\d{1,5}")
_INDEX = re.compile(
    r"(?:^|/)(?:readme|index|_index|summary|toc|sidebar|_sidebar|graph|llms[\w-]*)\.\w+$", re.IGNORECASE
)
"""Pages that list all others."""


class MissingPredecessor(NamedTuple):
    """A page is marked to supersede one that does not exist."""

    path: str
    mark: SupersedesMark


class OneSidedMark(NamedTuple):
    """A page is marked to supersede another, which has no mark and no link to it."""

    path: str
    mark: SupersedesMark
    old: str


class SupersededCitation(NamedTuple):
    """A page links to one that names its successor, and not to the successor."""

    path: str
    line: int
    text: str
    old: str
    instead: str


def missing(pages: MarkedPages) -> Iterator[MissingPredecessor]:
    """By path or name; by an id only where these documents give out its numbers."""
    for path, page in pages.marked.items():
        if is_history(path):
            continue
        for mark in page.supersedes:
            if not pages.is_known(mark.target, path) and "://" not in mark.target and _belongs_here(mark, pages):
                yield MissingPredecessor(path, mark)


def _belongs_here(mark: SupersedesMark, pages: MarkedPages) -> bool:
    found = _SUPERSEDED_ID.fullmatch(mark.target)
    return found is None or found[1] in numbered_here(pages)


def unmarked(pages: MarkedPages) -> Iterator[OneSidedMark]:
    for path, page in pages.marked.items():
        for mark in page.supersedes:
            old = pages.meant(mark.target, path)
            if old is None or old == path or page.over or pages.marked[old].over or is_history(old):
                continue
            if path not in {target for _, target in pages.links(old)}:
                yield OneSidedMark(path, mark, old)


def cited(pages: MarkedPages) -> Iterator[SupersededCitation]:
    """The first link on each page to each superseded one. Indexes, decisions, history and superseded pages may have
    one."""
    for path, page in pages.marked.items():
        if page.over or is_history(path) or is_decision(path) or _INDEX.search(path):
            continue
        links = list(pages.links(path))
        linked = {target for _, target in links}
        lines = pages.documents[path].text.split("\n")
        for old, line in {target: line for line, target in reversed(links)}.items():
            instead = _successor(pages.marked[old], pages)
            if instead and instead != path and instead not in linked:
                yield SupersededCitation(path, line, lines[line - 1].strip(), old, instead)


def _successor(old: PageMarks, pages: MarkedPages) -> str | None:
    found = (pages.meant(mark.target, old.path) for mark in old.superseded_by)
    return next((path for path in found if path is not None), None)


LENS = "H-cross-doc"


def _nothing(_: Sequence[LensDocument]) -> list[Finding]:
    return []


@dataclass(frozen=True, slots=True)
class CrossDoc:
    """Marks and ids are exact; `contradictions` finds what readers answered about passages."""

    contradictions: Callable[[Sequence[LensDocument]], list[Finding]] = _nothing
    id: str = LENS
    scope: Scope = "docs"
    needs: frozenset[str] = frozenset({"docs"})
    after: tuple[str, ...] = ()

    def look(self, around: LensView) -> Iterable[Finding]:
        pages = MarkedPages(around.documents())
        found = [
            *map(_missing, missing(pages)),
            *map(_unmarked, unmarked(pages)),
            *map(_cited, cited(pages)),
            *map(_lost_id, lost_ids(pages)),
            *self.contradictions(_in_force(pages)),
        ]
        once = {finding.id: finding for finding in reversed(found)}
        return sorted(once.values(), key=lambda one: (one.severity, one.source_doc or "", one.line or 0, one.id))


def _in_force(pages: MarkedPages) -> list[LensDocument]:
    """What is over, or about the past, may say something else."""
    return [
        document
        for path, document in pages.documents.items()
        if not pages.marked[path].over and not is_history(path) and not _INDEX.search(path)
    ]


def _finding(
    kind: str, severity: Severity, parts: Iterable[str], *, at: tuple[str, int], title: str, text: str, fix: str,
    sure: Literal["medium", "high"] = "high", evidence: Mapping[str, Any],
) -> Finding:  # fmt: skip
    path, line = at
    known = {"kind": kind, **evidence}
    return Finding(finding_id(LENS, kind, *parts), LENS, severity, title, text, fix, path, line, sure, known)


# --- superseded -------------------------------------------------------------------------------------------------------


def _missing(found: MissingPredecessor) -> Finding:
    return _finding(
        "supersedes-missing",
        "P0",
        (found.path, found.mark.target),
        at=(found.path, found.mark.line),
        title=f"`{found.path}` supersedes `{found.mark.target}`, which does not exist",
        text=f"Line {found.mark.line} says “{found.mark.text}”, and no page has that path, name or id.",
        fix="Correct the name, or remove the line if the old page was deleted on purpose.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "target": found.mark.target},
    )


def _unmarked(found: OneSidedMark) -> Finding:
    return _finding(
        "superseded-unmarked",
        "P2",
        (found.path, found.old),
        at=(found.old, 1),
        title=f"`{found.old}` has no link to `{found.path}`, which supersedes it",
        text=f"Line {found.mark.line} of `{found.path}` says “{found.mark.text}”; the old page does not.",
        fix=f"Write `Superseded by` and a link to `{found.path}` at the top of `{found.old}`.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "old": found.old},
    )


def _cited(found: SupersededCitation) -> Finding:
    return _finding(
        "superseded-cited",
        "P3",
        (found.path, found.old),
        at=(found.path, found.line),
        title=f"`{found.path}` links to `{found.old}`, which `{found.instead}` supersedes",
        text=f"Line {found.line} says “{found.text}”; the page has no link to `{found.instead}`.",
        fix=f"Link to `{found.instead}`, unless the old page is meant.",
        sure="medium",
        evidence={
            "path": found.path,
            "line": found.line,
            "text": found.text,
            "old": found.old,
            "instead": found.instead,
        },
    )


# --- references -------------------------------------------------------------------------------------------------------


def _lost_id(found: LostId) -> Finding:
    return _finding(
        "dead-reference",
        "P3",
        (found.path, found.id),
        at=(found.path, found.line),
        title=f"`{found.path}` names `{found.id}`, which no document defines",
        text=f"Line {found.line} says “{found.text}”; {found.known} other ids of this kind are defined here.",
        fix="Correct the number, or remove the reference.",
        sure="medium",
        evidence={"path": found.path, "line": found.line, "text": found.text, "target": found.id},
    )
