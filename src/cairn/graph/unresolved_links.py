"""A node's own part of its links: what they say, before anybody looks where they lead. Pure."""

import json
import marshal
from collections.abc import Iterable, Sequence
from posixpath import normpath
from typing import Any, NamedTuple

from cairn.core.extension_points import Extractor
from cairn.core.model.link import Occurrence
from cairn.core.model.signal import Candidate, Signal
from cairn.core.packing import dump_rejections
from cairn.core.registry import Loaded
from cairn.graph.classify import Lens
from cairn.graph.resolve import ROOTED, Reading, Rules, alike, choose, lookup_key, occurrences, short_id

Sketch = tuple[str, str, str | None, int, int, int, str]
"""(target, kind, name to look up or None, line, offset, occurrences, detail): plain, as they are made by the hundred
thousand and travel between processes."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Sketched(NamedTuple):
    links: list[Sketch]
    rejections: str | None
    """Packed."""
    external: str | None
    """Addresses outside, as JSON."""
    external_count: int


class Referee:
    """Which extractors count for a node of a kind, while a provider is active."""

    def __init__(self, extractors: Sequence[Loaded[Extractor]], lens: Lens) -> None:
        self._extractors = [e for e in extractors if _counts(e, lens.active)]
        self._order = {e.qualified: position for position, e in enumerate(extractors)}
        active = lens.manifest(lens.active)
        self._rank = {kind: rank for rank, kind in enumerate(active.kind_priority)} if active else {}
        self._rules: dict[str, Rules] = {}

    def rules(self, qualified_kind: str) -> Rules:
        if qualified_kind not in self._rules:
            speaking = (e for e in self._extractors if _fits(e, qualified_kind))
            active = frozenset(e.qualified for e in speaking)
            self._rules[qualified_kind] = Rules(active, self._order, self._rank)
        return self._rules[qualified_kind]

    def sketch(self, provider: str | None, kind: str | None, signals: Iterable[Signal]) -> Sketched:
        """What a node says about its links; nothing while no provider claims it."""
        chosen = choose(signals, self.rules(f"{provider}/{kind}"))
        refs = chosen.external
        external = _encode(refs) if refs else None
        if kind is None:
            return Sketched([], None, external, len(refs))
        rejections = dump_rejections(chosen.rejections) if chosen.rejections else None
        return Sketched([sketch_link(group) for group in alike(chosen.readings)], rejections, external, len(refs))


def _counts(extractor: Loaded[Extractor], active: str | None) -> bool:
    wanted = extractor.manifest.precondition.provider
    return not wanted or active in wanted


def _fits(extractor: Loaded[Extractor], qualified_kind: str) -> bool:
    wanted = extractor.manifest.precondition.kind
    return not wanted or qualified_kind in wanted


def sketch_link(group: list[Reading]) -> Sketch:
    """One link, of all the places that say it."""
    if len(group) == 1:  # nearly always, so it takes the short way
        signal, candidate = group[0]
        sources: tuple[str, ...] = (short_id(candidate.extractor),)
        places: tuple[Occurrence, ...] = ()
        seen, data = 1, candidate.data
    else:
        group.sort(key=lambda r: (r.signal.line, r.signal.start))
        signal, candidate = group[0]
        sources = tuple(dict.fromkeys(short_id(r.candidate.extractor) for r in group))
        found = occurrences(group)
        seen = len(found)
        places = found if seen > 1 else ()
        data = _data(group)
    detail = _detail(signal.raw, candidate, sources, places, data)
    return (candidate.target, candidate.kind, _name(candidate), signal.line, signal.start, seen, detail)


def _data(group: Sequence[Reading]) -> dict[str, Any] | None:
    """Of the first reading that has any. An example counts as one only if no other place means it."""
    found = [reading.candidate.data for reading in group]
    meant = [data for data in found if not data or "example" not in data]
    return next((data for data in (meant or found) if data), None)


def _name(candidate: Candidate) -> str | None:
    """The key to look up. A path in code, or behind an `@`, may count from the folder of its page, from one above it or
    from the root, unless it says `./`."""
    if candidate.by_name:
        return lookup_key(candidate.normalized)
    written = candidate.original
    if candidate.kind == "references" and written[:1] == "@":
        written = written[1:].partition(":")[0]
    elif candidate.kind != "points":
        return None
    return None if written[:1] in (".", "") and not _is_hidden(written) else f"{ROOTED}{normpath(written)}"


def _is_hidden(written: str) -> bool:
    """`.claude/x.md`, not `./x.md` or `../x.md`."""
    return written[:1] == "." and written[1:2] not in (".", "/", "")


def _detail(
    raw: str,
    candidate: Candidate,
    sources: tuple[str, ...],
    places: tuple[Occurrence, ...],
    data: dict[str, Any] | None,
) -> str:
    """What only the detailed views need, as JSON: [sources, original, normalized, raw, occurrences, data].

    What can be told from the rest is left empty: the normalised trigger of a path-style link is its target, and a
    single occurrence is the link itself.
    """
    original = candidate.original
    normalized = "" if candidate.normalized == candidate.target else candidate.normalized
    raw = "" if raw == original else raw
    written = f"{original}{normalized}{raw}"
    plain = not places and data is None and len(sources) == 1
    if plain and written.isprintable() and '"' not in written and "\\" not in written:
        # Nothing to escape, as nearly always: written down without the encoder, which would take ten times as long.
        return f'[["{sources[0]}"],"{original}","{normalized}","{raw}",[],null]'
    return _encode([sources, original, normalized, raw, places, data])


def pack(links: list[Sketch]) -> bytes:
    """For the few moments between reading a file and knowing all others; never stored, never read by another run."""
    return marshal.dumps(links)


def unpack(packed: bytes) -> list[Sketch]:
    links: list[Sketch] = marshal.loads(packed)
    return links
