"""Reads the marks of a page: its names, its status, the pages that it supersedes and those that supersede it.

Only fields and labels count (`supersedes: x`, `Status: superseded by [x](x.md)`), never what a sentence means.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import basename, dirname, normpath, splitext
from typing import NamedTuple
from urllib.parse import unquote

from cairn.core.scope import Scope, scope_of
from cairn.knowledge.corpora import DECISION_FOLDERS
from cairn.lib.markdown.blocks import Lines
from cairn.lib.markdown.frontmatter import parse, split
from cairn.lib.markdown.outline import markdown_links
from cairn.observe.lens import LensDocument

_LABEL = re.compile(r"^\W*(supersedes|superseded[ -]by|replaces|replaced[ -]by)\b([\s:*_]*)(.+)$", re.IGNORECASE)
_FIELD = re.compile(r"^\W*status[\s*_]*(?=:).*?\b(superseded by|replaced by)\b([\s:*_]*)(.+)$", re.IGNORECASE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]++)[^)]*+\)")
_ID = re.compile(r"\b([A-Z][A-Z]{1,9})[- ]?0*(\d{1,5})\b")
_NUMBERED = re.compile(r"(?:([a-z]{2,10})[-_])?0*(\d{1,5})(?:[-_.]|$)", re.IGNORECASE)
_STATUS = re.compile(r"^\W{0,4}status\W{1,4}(superseded|deprecated|obsolete|archived|retired)\b", re.IGNORECASE)
"""Values of a field of the frontmatter, or of a line `Status: …`, that end a page."""
_WORD = re.compile(r"\w")
_HEAD_LINES = 25
_LONGEST = 400


def is_decision(path: str) -> bool:
    return not DECISION_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def is_history(path: str) -> bool:
    """Whether a page is about the past, so that nothing is reported of it. Decision records are still in force."""
    return scope_of(path) is Scope.PAST and not is_decision(path)


class SupersedesMark(NamedTuple):
    """A field or label of a page that names another page."""

    line: int
    text: str
    target: str
    """As written: a path, a name, an id."""


@dataclass(frozen=True, slots=True)
class PageMarks:
    path: str
    over: bool
    """It has a status that ends it, or a mark that names its successor."""
    supersedes: tuple[SupersedesMark, ...]
    superseded_by: tuple[SupersedesMark, ...]
    names: frozenset[str]


def marked(document: LensDocument) -> PageMarks:
    found = split(document.text)
    raw = found.raw or ""
    fields = parse(document.text).frontmatter if _REPLACING.search(raw) else {}
    said = [*_labels(found.body, found.body_line)]
    before = (*_field(raw, fields, ("supersedes", "replaces")), *(mark for word, mark in said if word == "before"))
    after = (
        *_field(raw, fields, ("superseded_by", "superseded-by")),
        *(mark for word, mark in said if word == "after"),
    )
    over = bool(after) or _ended(raw) or _ended(found.body)
    return PageMarks(document.path, over, before, after, _names(document.path, raw))


def _ended(text: str) -> bool:
    return any(_STATUS.match(line[:_LONGEST]) for line in text.split("\n", _HEAD_LINES)[:_HEAD_LINES])


_REPLACING = re.compile(r"^(?:supersede|replaces)", re.MULTILINE)
_CALLED = re.compile(r"^(?:name|id|title):[ \t]*[\"']?([^\n\"']{1,200})", re.MULTILINE)


def _names(path: str, raw: str) -> frozenset[str]:
    stem = splitext(basename(path))[0].lower()
    found = {path.lower(), stem} | {name.strip().lower() for name in _CALLED.findall(raw)}
    if number := _NUMBERED.match(stem):
        found.add(f"{(number[1] or 'adr').lower()}-{int(number[2])}")
    return frozenset(found)


def _field(raw: str, fields: Mapping[str, object], keys: Iterable[str]) -> Iterator[SupersedesMark]:
    for key in keys:
        value = fields.get(key)
        for target in value if isinstance(value, list) else [value]:
            if isinstance(target, str | int) and not isinstance(target, bool) and str(target).strip():
                line = next((number for number, text in enumerate(raw.split("\n"), 2) if text.startswith(key)), 1)
                yield SupersedesMark(line, f"{key}: {target}", str(target).strip())


def _labels(body: str, first_line: int) -> Iterator[tuple[str, SupersedesMark]]:
    """Lines at the top such as `Supersedes: ADR-3` or `Status: superseded by [that](that.md)`. Without a colon nothing
    may follow the link or id: `Replaces [npm](npm.md) in the container only` is a sentence."""
    for number, whole in enumerate(body.split("\n", _HEAD_LINES)[:_HEAD_LINES], first_line):
        line = whole[:_LONGEST]
        found = _LABEL.match(line) or _FIELD.match(line)
        if not found:
            continue
        word = "before" if found[1].lower() in ("supersedes", "replaces") else "after"
        link, named = _LINK.match(found[3]), _ID.match(found[3])
        if not (target := link or named):  # right behind the label: `Replaces the old [parser](x.md)` is a sentence
            continue
        if ":" in found[2] or found.re is _FIELD or not _WORD.search(found[3], target.end()):
            yield word, SupersedesMark(number, line.strip(), link[2] if link else f"{target[1]}-{int(target[2])}")


# --- finding pages by what they are called ----------------------------------------------------------------------------


class MarkedPages:
    def __init__(self, documents: Iterable[LensDocument]) -> None:
        self.documents = {document.path: document for document in documents}
        self.marked = {path: marked(document) for path, document in sorted(self.documents.items())}
        self._by_name: dict[str, set[str]] = {}
        for page in self.marked.values():
            for name in page.names:
                self._by_name.setdefault(name, set()).add(page.path)

    def meant(self, target: str, source: str) -> str | None:
        """The path of the page that is meant, if there is exactly one."""
        plain = unquote(target.partition("#")[0])
        beside = normpath(f"{dirname(source)}/{plain}") if dirname(source) else normpath(plain)
        for path in (beside, normpath(plain)):
            if path in self.documents:
                return path
        found = self._by_name.get(_as_name(plain), set())
        return next(iter(found)) if len(found) == 1 else None

    def is_known(self, target: str, source: str) -> bool:
        """Whether anything here is called so, however many."""
        return self.meant(target, source) is not None or bool(self._by_name.get(_as_name(target)))

    def links(self, path: str) -> Iterator[tuple[int, str]]:
        """(line, path) of each link to another page."""
        text = self.documents[path].text
        at = Lines(text, 1)
        for link in markdown_links(text):
            if not link.image and not link.auto and ":" not in link.target and link.target:
                found = self.meant(link.target, path)
                if found is not None and found != path:
                    yield at.at(link.start), found


def _as_name(target: str) -> str:
    plain = target.strip().strip("`\"'").lower()
    if named := _ID.fullmatch(plain.upper()):
        return f"{named[1]}-{int(named[2])}".lower()
    return splitext(basename(plain))[0] if plain.endswith(".md") else plain
