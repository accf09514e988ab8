"""Doubts about declared sources: a document declares a source that the change altered or removed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.core.model.entry import Source
from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.path_sources import Declared, PlaceNow, declared_in, line_of, look
from cairn.freshness.states import State
from cairn.lib.code.model import Probe
from cairn.lib.markdown.frontmatter import decode, parse


class SourceChange(NamedTuple):
    old: State
    new: State
    changed: Collection[str]
    moved: Mapping[str, str]
    """Where files that are gone went."""
    probe: Probe | None = None

    def places(self, sources: Collection[Source]) -> tuple[Mapping[Source, PlaceNow], Mapping[Source, PlaceNow]]:
        paths = {source.target for source in sources}
        return look(sources, self.old.read(paths), self.probe), look(sources, self.new.read(paths), self.probe)


def source_doubts(
    texts: Mapping[str, bytes], declaring: Mapping[str, bytes], locked: Sequence[Declared], change: SourceChange
) -> Iterator[Doubt]:
    """Whatever the documents say about the source. `declaring` may declare one, `locked` are those that
    lock files declare."""
    declared = [*_declared(declaring), *(one for one in locked if one.document in texts)]
    known = {(one.document, one.source.reference): one for one in declared}
    concerned = [one for one in known.values() if one.source.target in change.changed]
    before, after = change.places({one.source for one in concerned})
    for one in concerned:
        if doubt := _doubt(one, decode(texts[one.document]).text, before[one.source], after[one.source], change):
            yield doubt


def _declared(texts: Mapping[str, bytes]) -> Iterable[Declared]:
    for path, data in texts.items():
        yield from declared_in(path, parse(decode(data).text).frontmatter)


def _doubt(declared: Declared, text: str, before: PlaceNow, after: PlaceNow, change: SourceChange) -> Doubt | None:
    source, old, now = declared.source, before.place, after.place
    if after.unread:
        return None
    if now is not None and (old is None or old.digest == now.digest or source.hash == now.digest):
        return None
    message, where = _what_happened(declared, after, change)
    return Doubt(
        declared.document,
        line_of(text, source),
        f"source {source.reference}",
        source.reference,
        Reason.SOURCE,
        message,
        where,
        now.line if now else None,
        old.shown if old else "",
        now.shown if now else "",
        certain=now is None,
        old_line=old.line if old else 0,
        fix="Review the page, then run `cairn freshness stamp`.",
    )


def _what_happened(declared: Declared, after: PlaceNow, change: SourceChange) -> tuple[str, str]:
    source = declared.source
    if after.place is not None:
        return f"The source `{source.reference}` has changed.", source.target
    moved = change.moved.get(source.target)
    if after.outline is None and moved:
        return f"The source `{source.target}` no longer exists: moved to `{moved}`.", moved
    if after.outline is None:
        return f"The source `{source.target}` no longer exists.", source.target
    return f"`{source.anchor}` no longer exists in {source.target}.", source.target
