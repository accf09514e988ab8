"""A node's own part of its links: what they say, before anybody looks where they lead. Pure."""

import json
import marshal
from collections.abc import Iterable, Sequence
from posixpath import normpath
from typing import NamedTuple

from cairn.kernel.appearance import Lens
from cairn.kernel.model.link import LinkDraft
from cairn.kernel.model.signal import Signal
from cairn.kernel.packing import dump_rejections
from cairn.kernel.points import Extractor
from cairn.kernel.registry import Loaded
from cairn.kernel.resolve import ROOTED, Rules, choose, lookup_key, merge

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

    def sketch(self, path: str, provider: str | None, kind: str | None, signals: Iterable[Signal]) -> Sketched:
        """What a node says about its links; nothing while no provider claims it."""
        chosen = choose(signals, self.rules(f"{provider}/{kind}"))
        refs = chosen.external
        external = _encode(refs) if refs else None
        if kind is None:
            return Sketched([], None, external, len(refs))
        rejections = dump_rejections(chosen.rejections) if chosen.rejections else None
        return Sketched([_sketch(d) for d in merge(path, chosen.readings)], rejections, external, len(refs))


def _counts(extractor: Loaded[Extractor], active: str | None) -> bool:
    wanted = extractor.manifest.precondition.provider
    return not wanted or active in wanted


def _fits(extractor: Loaded[Extractor], qualified_kind: str) -> bool:
    wanted = extractor.manifest.precondition.kind
    return not wanted or qualified_kind in wanted


def _name(draft: LinkDraft) -> str | None:
    """The key to look up. A longer path in code mostly counts from the root, so that is where it is looked for first;
    one that says `./` does not, and neither does a bare file name."""
    if draft.by_name:
        return lookup_key(draft.normalized)
    written = draft.original
    if draft.kind == "points" and "/" in written and written[0] != ".":
        return f"{ROOTED}{normpath(written)}"
    return None


def _sketch(draft: LinkDraft) -> Sketch:
    name = _name(draft)
    return (draft.target, draft.kind, name, draft.line, draft.offset, len(draft.occurrences), link_detail(draft))


def link_detail(draft: LinkDraft) -> str:
    """What only the detailed views need, as JSON: [sources, original, normalized, raw, occurrences, data].

    What can be told from the rest is left empty: the normalised trigger of a path-style link is its target, and a
    single occurrence is the link itself.
    """
    normalized = "" if draft.normalized == draft.target else draft.normalized
    occurrences = draft.occurrences if len(draft.occurrences) > 1 else ()
    raw = "" if draft.raw == draft.original else draft.raw
    original = draft.original
    written = f"{original}{normalized}{raw}"
    if not occurrences and draft.data is None and written.isprintable() and '"' not in written and "\\" not in written:
        # Nothing to escape, as nearly always: written down without the encoder, which would take ten times as long.
        return f'[["{draft.sources[0]}"],"{original}","{normalized}","{raw}",[],null]'
    return _encode([draft.sources, original, normalized, raw, occurrences, draft.data])


def pack(links: list[Sketch]) -> bytes:
    """For the few moments between reading a file and knowing all others; never stored, never read by another run."""
    return marshal.dumps(links)


def unpack(packed: bytes) -> list[Sketch]:
    links: list[Sketch] = marshal.loads(packed)
    return links
