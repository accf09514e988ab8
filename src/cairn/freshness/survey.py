"""A survey: everything that changed between two moments, and the documents that this puts in doubt."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.freshness.anchors import Page
from cairn.freshness.code_index import ALONE, Reading, build_index
from cairn.freshness.declared import Declared, PlaceNow, declared_in, line_of, look
from cairn.freshness.delta import Delta, compare
from cairn.freshness.doubt import Doubt, Moments, Reason, could_concern, doubts
from cairn.freshness.states import Revision, Span, State, WorkTree
from cairn.kernel.code.model import Probe
from cairn.kernel.knowledge.entry import Source
from cairn.kernel.model.issue import Fix, Issue, Severity
from cairn.kernel.ports.files import Files
from cairn.kernel.ports.store import Store
from cairn.kernel.ports.vcs import Vcs
from cairn.kernel.text.frontmatter import decode, parse
from cairn.kernel.text.readable import readable

_OWN = re.compile(r"\.cairn/(?!plugins/)")
"""Files that Cairn writes. Plugins are code like any other."""


class Survey(NamedTuple):
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    """What could not be looked at as closely as it should be."""
    changed: int
    """Files that differ."""
    looked_at: int
    """Documents that name anything of what changed."""


class Ports(NamedTuple):
    files: Files
    vcs: Vcs
    store: Store | None = None
    """Keeps what files of code define; without one, everything is parsed again."""
    reading: Reading = ALONE


class _Text(NamedTuple):
    path: str
    text: str


def survey(span: Span, documents: Collection[str], ports: Ports, *, locked: Sequence[Declared] = ()) -> Survey:
    """Which sentences of these documents are in doubt after the change. `locked` are sources that a lock file declares
    for them; those that they declare themselves are found."""
    old: State = Revision(ports.vcs, span.old)
    new: State = WorkTree(ports.files) if span.new is None else Revision(ports.vcs, span.new)
    changes = [change for change in ports.vcs.changed(span.old, span.new) if not _OWN.match(change.path)]
    delta = compare(changes, old, new, ports.reading)
    if not delta.changed:
        return Survey((), (), 0, 0)
    texts = list(_texts(documents, new))
    found = _declared_doubts(texts, locked, delta, Both(old, new, ports.reading.probe))
    named = [text for text in texts if could_concern(text.text, delta)]
    if named:
        moments = _moments(new, delta, ports, cached=span.new is None)
        found += doubts((_page(text) for text in named), moments, lambda path: _old_body(path, old))
    return Survey(tuple(_in_order(found)), delta.notes, len(delta.changed), len(named))


def _moments(new: State, delta: Delta, ports: Ports, *, cached: bool) -> Moments:
    """The names of all files are only asked for when some document could be concerned."""
    index = build_index(new, store=ports.store if cached else None, reading=ports.reading)
    before = (index.paths - delta.added) | delta.removed
    now = index.at(delta.new, gone=(), paths=index.paths)
    return Moments(index.at(delta.old, gone=delta.new.keys(), paths=before), now, delta)


def _texts(documents: Iterable[str], state: State) -> Iterator[_Text]:
    wanted = sorted(documents)
    for start in range(0, len(wanted), 500):
        for path, data in state.read(wanted[start : start + 500]).items():
            yield _Text(path, readable(path, decode(data).text))


def _page(text: _Text) -> Page:
    parsed = parse(text.text)
    return Page(text.path, parsed.body, parsed.body_line)


def _old_body(path: str, old: State) -> str | None:
    data = old.read([path]).get(path)
    return None if data is None else parse(readable(path, decode(data).text)).body


def _in_order(found: Iterable[Doubt]) -> list[Doubt]:
    """By document, those first in which a sentence is surely false."""
    listed = list(found)
    surest = {doubt.document for doubt in listed if doubt.certain}
    return sorted(listed, key=lambda d: (d.document not in surest, d.document, not d.certain, d.line, d.written))


# --- declared sources -----------------------------------------------------------------------------------------------


class Both(NamedTuple):
    """The moments before and after, to look at sources."""

    old: State
    new: State
    probe: Probe | None

    def look(self, sources: Collection[Source], gone: Collection[str]) -> tuple[Mapping[Source, PlaceNow], ...]:
        paths = {source.target for source in sources}
        before, after = self.old.read(paths), self.new.read(paths.difference(gone))
        return look(sources, before, self.probe), look(sources, after, self.probe)


def _declared_doubts(texts: Sequence[_Text], locked: Sequence[Declared], delta: Delta, both: Both) -> list[Doubt]:
    """Documents that declare a source which is not what it was, whatever they say about it."""
    by_path = {text.path: text for text in texts}
    declared_here = [
        declared
        for text in texts
        if "sources" in text.text and "path" in text.text
        for declared in declared_in(text.path, parse(text.text).frontmatter)
    ]
    known = {(one.document, one.source.reference): one for one in (*declared_here, *locked)}
    concerned = [
        (by_path[one.document], one)
        for one in known.values()
        if one.source.target in delta.changed and one.document in by_path
    ]
    before, after = both.look({declared.source for _, declared in concerned}, delta.removed)
    made = (
        _declared_doubt(text, declared, before[declared.source], after[declared.source], delta)
        for text, declared in concerned
    )
    return [doubt for doubt in made if doubt is not None]


def _declared_doubt(text: _Text, declared: Declared, before: PlaceNow, after: PlaceNow, delta: Delta) -> Doubt | None:
    source, old, now = declared.source, before.place, after.place
    if after.unread:
        return None
    if now is not None and (old is None or old.digest == now.digest or source.hash == now.digest):
        return None
    line = line_of(text.text, source)
    what, where = _what_happened(declared, after, delta)
    return Doubt(
        declared.document,
        line,
        f"source {source.reference}",
        source.reference,
        Reason.SOURCE,
        what,
        where,
        now.line if now else None,
        old.shown if old else "",
        now.shown if now else "",
        certain=now is None,
    )


def _what_happened(declared: Declared, after: PlaceNow, delta: Delta) -> tuple[str, str]:
    source = declared.source
    if after.place is not None:
        return f"The source {source.reference} is not what it was.", source.target
    moved = delta.moved.get(source.target)
    if after.outline is None and moved:
        return f"The source {source.target} is now {moved}.", moved
    if after.outline is None:
        return f"The source {source.target} is gone.", source.target
    return f"There is no `{source.anchor}` in {source.target} any more.", source.target


# --- as an issue ----------------------------------------------------------------------------------------------------

IN_DOUBT = "sentence-in-doubt"


def as_issue(doubt: Doubt) -> Issue:
    """For tools that show issues."""
    severity = Severity.ERROR if doubt.certain else Severity.WARN
    fix = Fix("Update this sentence; if it is still true, edit its line in the same change.")
    data = {"target": f"{doubt.path} {doubt.written}", "sentence": doubt.sentence, "reason": str(doubt.reason)}
    return Issue(IN_DOUBT, severity, (doubt.document,), doubt.message, doubt.line, fix=fix, data=data)
