"""Resolving again the links of the nodes that a change may have touched, from their stored signals."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from cairn.kernel.analysis import LIFTED
from cairn.kernel.appearance import Lens
from cairn.kernel.model.link import LinkDraft
from cairn.kernel.packing import Emitters, dump_rejections, load_signals
from cairn.kernel.points import Extractor
from cairn.kernel.ports.store import LinkRow, ScanSession, Stored, Target
from cairn.kernel.ports.workers import Here, Workers
from cairn.kernel.registry import Loaded
from cairn.kernel.resolve import Lifted, Lookup, Rules, choose, lift, lookup_key, merge, path_spellings

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_BATCH = 100
_PRELOAD = 1_500
"""From so many nodes on it is cheaper to fetch every path and name at once."""


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


def _counts(extractor: Loaded[Extractor], active: str | None) -> bool:
    wanted = extractor.manifest.precondition.provider
    return not wanted or active in wanted


def _fits(extractor: Loaded[Extractor], qualified_kind: str) -> bool:
    wanted = extractor.manifest.precondition.kind
    return not wanted or qualified_kind in wanted


class Relinked(NamedTuple):
    sources: set[int]
    """The nodes whose links were written."""
    targets: set[int]
    """The nodes that these links lead to now."""


class Atlas:
    """Paths and names of the graph: all of them at once, or those that a batch asks for."""

    def __init__(self, session: ScanSession, *, preload: bool) -> None:
        self._session = session
        self._paths: dict[str, Target | None] = {}
        self._names: dict[str, list[Target]] = {}
        self._complete = preload
        if preload:
            self._paths.update((target.path, target) for target in session.targets())
            self._take_names(None)

    def prepare(self, drafts: Sequence[LinkDraft]) -> None:
        """Fetch what these drafts will ask for."""
        if self._complete:
            return
        paths = {s for d in drafts if not d.by_name for s in (d.target, *path_spellings(d.target))}
        names = {lookup_key(d.normalized) for d in drafts if d.by_name}
        unknown = paths - self._paths.keys()
        self._paths.update(dict.fromkeys(unknown))
        self._paths.update((target.path, target) for target in self._session.targets(unknown))
        self._take_names(names - self._names.keys())

    def _take_names(self, names: Collection[str] | None) -> None:
        for name in names or ():
            self._names[name] = []
        for name, target in self._session.named(names):
            self._names.setdefault(name, []).append(target)

    def by_path(self, path: str) -> Target | None:
        return self._paths.get(path)

    def by_name(self, name: str) -> Sequence[Target]:
        return self._names.get(name, ())


class Relinker:
    """Writes links anew. `on_disk` is asked once for each path."""

    def __init__(
        self,
        session: ScanSession,
        referee: Referee,
        lens: Lens,
        *,
        on_disk: Callable[[str], bool],
        reference_paths: Sequence[str],
        emitters: Emitters,
        workers: Workers | None = None,
    ) -> None:
        self._session = session
        self._referee = referee
        self._lens = lens
        self._emitters = emitters
        self._workers = workers or Here()
        self._disk: dict[str, bool] = {}
        self._ask_disk = on_disk
        self._reference_paths = tuple(reference_paths)

    def on_disk(self, path: str) -> bool:
        if path not in self._disk:
            self._disk[path] = self._ask_disk(path)
        return self._disk[path]

    def run(self, ids: Collection[int] | None, *, tick: Callable[[int], None]) -> Relinked:
        """These nodes, or all. With everything fetched beforehand, several processes can share the work."""
        preload = ids is None or len(ids) > _PRELOAD
        atlas = Atlas(self._session, preload=preload)
        resolve = Resolver(atlas, self._lookup(atlas), self._referee, self._emitters).resolve
        sources: set[int] = set()
        targets: set[int] = set()
        for part in (self._workers if preload else Here()).map(resolve, _batches(self._session.stored(ids))):
            self._session.put_links(part.sources, part.links)
            self._session.put_rejections(part.sources, part.rejections)
            self._session.put_external_refs(part.external)
            sources.update(part.sources)
            targets.update(row[_RESOLVED] for row in part.links if row[_RESOLVED] is not None)
            tick(len(sources))
        return Relinked(sources, targets)

    def _lookup(self, atlas: Atlas) -> Lookup:
        active = self._lens.manifest(self._lens.active)
        resolution: Mapping[str, tuple[str, ...]] = active.resolution if active else {}
        return Lookup(atlas.by_path, atlas.by_name, self.on_disk, self.is_reference, resolution)

    def is_reference(self, path: str) -> bool:
        """Named in `scan.reference_paths`: itself, a folder above it, or a pattern that fits."""
        return any(
            path == named or path.startswith(f"{named.rstrip('/')}/") or fnmatchcase(path, named)
            for named in self._reference_paths
        )


class Resolved(NamedTuple):
    """The rows of some nodes; plain, since they may come from another process."""

    sources: list[int]
    links: list[tuple[Any, ...]]
    rejections: list[tuple[int, str]]
    external: list[tuple[int, str | None, int]]


class Resolver:
    """From the stored signals of some nodes to the rows of their links. Writes nothing."""

    def __init__(self, atlas: Atlas, lookup: Lookup, referee: Referee, emitters: Emitters) -> None:
        self._atlas = atlas
        self._lookup = lookup
        self._referee = referee
        self._emitters = emitters

    def resolve(self, batch: Sequence[Sequence[Any]]) -> Resolved:
        out = Resolved([], [], [], [])
        drafts: list[tuple[int, LinkDraft]] = []
        for id, path, kind, provider, signals in batch:
            chosen = choose(load_signals(signals, self._emitters), self._referee.rules(f"{provider}/{kind}"))
            out.sources.append(id)
            if kind is not None:
                drafts.extend((id, draft) for draft in merge(path, chosen.readings))
                if chosen.rejections:
                    out.rejections.append((id, dump_rejections(chosen.rejections)))
            refs = chosen.external
            out.external.append((id, _encode(refs) if refs else None, len(refs)))
        self._atlas.prepare([draft for _, draft in drafts])
        out.links.extend(_row(id, draft, lift(draft, self._lookup)) for id, draft in drafts)
        return out


_RESOLVED = LinkRow._fields.index("resolved_id")


def _row(source: int, draft: LinkDraft, lifted: Lifted) -> tuple[Any, ...]:
    """The values of a `LinkRow`."""
    resolved, state, name = lifted
    return (
        source,
        draft.target,
        draft.kind,
        None if resolved is None else resolved.id,
        state,
        LIFTED,
        name,
        draft.line,
        draft.offset,
        len(draft.occurrences),
        link_detail(draft),
    )


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


def _batches(stored: Iterator[Stored]) -> Iterator[list[tuple[Any, ...]]]:
    batch: list[tuple[Any, ...]] = []
    for item in stored:
        batch.append(tuple(item))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
