"""Path sources that documents declare, with where each is written."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.knowledge import Source
from cairn.knowledge.lockfile import PageRecord
from cairn.knowledge.values import take_source
from cairn.lib.code.anchor import AnchorPlace
from cairn.lib.code.model import Outline, Probe


class DeclaredSource(NamedTuple):
    document: str
    source: Source
    at: int
    """Its place in the list, as the file has it."""
    locked: bool = False
    """Whether it stands in a `cairn.lock` instead of the document's frontmatter."""


class SourcePlace(NamedTuple):
    """What a source points at, at some moment; the outline is there when the file is, the place when the anchor is."""

    outline: Outline | None
    place: AnchorPlace | None
    unread: str = ""
    """Why nobody can say whether the anchor is there: its name is, but the file is broken, or needs a grammar."""


def declared_in(document: str, frontmatter: Mapping[str, Any]) -> Iterator[DeclaredSource]:
    """The path sources of a page."""
    listed = frontmatter.get("sources")
    for index, given in enumerate(listed if isinstance(listed, list) else ()):
        source = take_source(given) if isinstance(given, dict) else None
        if source is not None and source.kind == "path":
            yield DeclaredSource(document, source, index)


def declared_by_lock(document: str, frontmatter: Mapping[str, Any], record: PageRecord | None) -> list[DeclaredSource]:
    """The path sources of a page that is not ours to write in: those that it names, those that the lock file knows,
    each with the hash that the lock file has for it."""
    found = {one.source.reference: one for one in declared_in(document, frontmatter)}
    for source in record.sources if record else ():
        if source.kind == "path":
            found[source.reference] = DeclaredSource(document, source, len(found), locked=True)
    return list(found.values())


def look(
    sources: Iterable[Source], contents: Mapping[str, bytes], probe: Probe | None = None
) -> dict[Source, SourcePlace]:
    """What each source points at in these files; each file is parsed once."""
    from cairn.lib.code.anchor import locate
    from cairn.lib.code.read import outline

    wanted = list(sources)
    paths = [path for path in dict.fromkeys(source.target for source in wanted) if path in contents]
    outlines = {path: outline(path, contents[path], probe) for path in paths}
    places: dict[Source, SourcePlace] = {}
    for source in wanted:
        found, place = outlines.get(source.target), None
        if found:
            with item(source.reference):
                place = locate(found, contents[source.target], source.anchor)
        unread = found.note if found and place is None and _is_written(source, contents[source.target]) else ""
        places[source] = SourcePlace(found, place, unread)
    return places


def _is_written(source: Source, data: bytes) -> bool:
    names = re.findall(r"[^\W\d]\w*", source.anchor or "")
    words = re.findall(r"[^\W\d]\w*", data.decode("utf-8", "replace"))
    return bool(names) and names[-1] in words


def line_of(text: str, source: Source) -> int:
    """Where a file names a source; 1 when it spells it in a way that can't be found."""
    for wanted in (source.reference, source.target):
        found = re.search(rf"(?<![\w./-]){re.escape(wanted)}(?![\w#/-]|\.\w)", text)
        if found:
            return text.count("\n", 0, found.start()) + 1
    return 1
