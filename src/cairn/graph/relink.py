"""Links of a node: as its own text gives them, and resolved again where a change may have touched them."""

import json
import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import normpath
from typing import Any, NamedTuple

from cairn.core.extension_points import Extractor, ProviderManifest
from cairn.core.model.graph import Candidate, Emitters, Occurrence, Signal, dump_rejections, load_signals
from cairn.core.ports.graph import LinkRow, LinkTarget
from cairn.core.ports.runtime import Here, Workers
from cairn.core.ports.store import ScanSession
from cairn.core.registry import LoadedExtension
from cairn.graph.analysis import LIFTED
from cairn.graph.extraction import Providers
from cairn.graph.resolve import (
    ROOTED,
    Lookup,
    ResolutionRules,
    SignalReading,
    alike,
    choose,
    climbed,
    lift,
    lookup_key,
    occurrences,
    path_spellings,
    short_id,
)

UnresolvedLink = tuple[str, str, str | None, int, int, int, str]
"""(target, kind, name to look up or None, line, offset, occurrences, detail): plain, as they are made by the hundred
thousand and travel between processes."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class UnresolvedLinks(NamedTuple):
    links: list[UnresolvedLink]
    rejections: str | None
    """Packed."""
    external: str | None
    """Addresses outside, as JSON."""
    external_count: int


class Referee:
    """Which extractors count for a node of a kind, while a provider is active."""

    def __init__(self, extractors: Sequence[LoadedExtension[Extractor]], lens: Providers) -> None:
        self._extractors = [e for e in extractors if _counts(e, lens.active)]
        self._order = {e.qualified: position for position, e in enumerate(extractors)}
        active = lens.manifest(lens.active)
        self._rank = {kind: rank for rank, kind in enumerate(active.kind_priority)} if active else {}
        self._rules: dict[str, ResolutionRules] = {}

    def rules(self, qualified_kind: str) -> ResolutionRules:
        if qualified_kind not in self._rules:
            speaking = (e for e in self._extractors if _fits(e, qualified_kind))
            active = frozenset(e.qualified for e in speaking)
            self._rules[qualified_kind] = ResolutionRules(active, self._order, self._rank)
        return self._rules[qualified_kind]

    def sketch(self, provider: str | None, kind: str | None, signals: Iterable[Signal]) -> UnresolvedLinks:
        """What a node says about its links; nothing while no provider claims it."""
        chosen = choose(signals, self.rules(f"{provider}/{kind}"))
        refs = chosen.external
        external = _encode(refs) if refs else None
        if kind is None:
            return UnresolvedLinks([], None, external, len(refs))
        rejections = dump_rejections(chosen.rejections) if chosen.rejections else None
        return UnresolvedLinks(
            [unresolved_link(group) for group in alike(chosen.readings)], rejections, external, len(refs)
        )


def _counts(extractor: LoadedExtension[Extractor], active: str | None) -> bool:
    wanted = extractor.manifest.precondition.provider
    return not wanted or active in wanted


def _fits(extractor: LoadedExtension[Extractor], qualified_kind: str) -> bool:
    wanted = extractor.manifest.precondition.kind
    return not wanted or qualified_kind in wanted


def unresolved_link(group: list[SignalReading]) -> UnresolvedLink:
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


def _data(group: Sequence[SignalReading]) -> dict[str, Any] | None:
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


def pack(links: list[UnresolvedLink]) -> bytes:
    """For the few moments between reading a file and knowing all others; never stored, never read by another run."""
    return marshal.dumps(links)


def unpack(packed: bytes) -> list[UnresolvedLink]:
    links: list[UnresolvedLink] = marshal.loads(packed)
    return links


_BATCH = 100
_PRELOAD = 1_500
"""From so many nodes on it is cheaper to fetch every path and name at once."""


class RelinkedNodes(NamedTuple):
    sources: set[int]
    """The nodes whose links were written."""
    targets: set[int]
    """The nodes that these links lead to now."""


class Atlas:
    """Paths and names of the graph: all of them at once, or those that a batch asks for."""

    def __init__(self, session: ScanSession, symlinks: Mapping[str, str], *, preload: bool) -> None:
        self._session = session
        self._symlinks = symlinks
        self._paths: dict[str, LinkTarget | None] = {}
        self._names: dict[str, list[LinkTarget]] = {}
        self._by_file: dict[str, list[LinkTarget]] | None = None
        self._complete = preload
        if preload:
            self._paths.update((target.path, target) for target in session.targets())
            self._take_names(None)

    def prepare(self, links: Iterable[UnresolvedLink]) -> None:
        """Fetch what these links will ask for."""
        if self._complete:
            return
        paths: set[str] = set()
        names: set[str] = set()
        for target, _, name, *_ in links:
            if name is None or name[:1] == ROOTED:
                paths.update((target, *path_spellings(target)))
                for path in climbed(name[1:], target) if name else ():
                    paths.update((path, *path_spellings(path)))
            else:
                names.add(name)
        paths.update([self._symlinks[path] for path in paths if path in self._symlinks])
        unknown = paths - self._paths.keys()
        self._paths.update(dict.fromkeys(unknown))
        self._paths.update((target.path, target) for target in self._session.targets(unknown))
        self._take_names(names - self._names.keys())

    def _take_names(self, names: Collection[str] | None) -> None:
        for name in names or ():
            self._names[name] = []
        for name, target in self._session.named(names):
            self._names.setdefault(name, []).append(target)

    def by_path(self, path: str) -> LinkTarget | None:
        return self._paths.get(path) or self._paths.get(self._symlinks.get(path, ""))

    def by_name(self, name: str) -> Sequence[LinkTarget]:
        return self._names.get(name, ())

    def by_suffix(self, written: str) -> LinkTarget | None:
        """The only node whose path ends with this one. All paths are fetched the first time this is asked."""
        if self._by_file is None:
            self._by_file = {}
            for target in self._session.targets():
                self._by_file.setdefault(target.path.rpartition("/")[2], []).append(target)
        ending = f"/{written}"
        found = [t for t in self._by_file.get(written.rpartition("/")[2], ()) if t.path.endswith(ending)]
        return found[0] if len(found) == 1 else None


class Relinker:
    """Writes links anew. `on_disk` is asked once for each path."""

    def __init__(
        self,
        session: ScanSession,
        referee: Referee,
        lens: Providers,
        *,
        on_disk: Callable[[str], bool],
        reference_paths: Sequence[str],
        emitters: Emitters,
        symlinks: Mapping[str, str] | None = None,
        workers: Workers | None = None,
    ) -> None:
        self._session = session
        self._symlinks = symlinks or {}
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

    def run(self, ids: Collection[int] | None, *, tick: Callable[[int], None]) -> RelinkedNodes:
        """These nodes, or all. With everything fetched beforehand, several processes can share the work."""
        preload = ids is None or len(ids) > _PRELOAD
        atlas = Atlas(self._session, self._symlinks, preload=preload)
        resolve = LinkResolver(atlas, self._lookup(atlas), self._referee, self._emitters).resolve
        sources: set[int] = set()
        targets: set[int] = set()
        for part in (self._workers if preload else Here()).map(resolve, _chunks(map(tuple, self._session.stored(ids)))):
            self._session.put_links(part.sources, part.links)
            self._session.put_rejections(part.sources, part.rejections)
            self._session.put_external_refs(part.external)
            sources.update(part.sources)
            targets.update(row[_RESOLVED] for row in part.links if row[_RESOLVED] is not None)
            tick(len(sources))
        return RelinkedNodes(sources, targets)

    def run_sketched(self, sketched: Iterable[tuple[int, str, bytes]], *, tick: Callable[[int], None]) -> int:
        """Nodes that were all read just now, with their links as `pack` left them; how many there were."""
        lookup = self._lookup(Atlas(self._session, self._symlinks, preload=True))
        done = 0
        for batch in _chunks(sketched):
            rows = [row for id, path, packed in batch for row in rows_of(id, path, unpack(packed), lookup)]
            self._session.put_links([id for id, *_ in batch], rows)
            done += len(batch)
            tick(done)
        return done

    def _lookup(self, atlas: Atlas) -> Lookup:
        active = self._lens.manifest(self._lens.active)
        resolution: Mapping[str, tuple[str, ...]] = active.resolution if active else {}
        ids = [provider.id for provider in self._lens.providers]
        ranks = {id: 0 if id == self._lens.active else rank for rank, id in enumerate(ids, start=1)}
        asked = (atlas.by_path, atlas.by_name, self.on_disk, self.is_reference)
        folders = active.roots if active else ()
        return Lookup(*asked, resolution, ranks, _built_in(active), atlas.by_suffix, folders)

    def is_reference(self, path: str) -> bool:
        """Named in `scan.reference_paths`: itself, a folder above it, or a pattern that fits."""
        return any(
            path == named or path.startswith(f"{named.rstrip('/')}/") or fnmatchcase(path, named)
            for named in self._reference_paths
        )


def _built_in(active: ProviderManifest | None) -> frozenset[str]:
    return active.built_in_names.union(*active.reserved_names.values()) if active else frozenset()


class ResolvedLinks(NamedTuple):
    """The rows of some nodes; plain, since they may come from another process."""

    sources: list[int]
    links: list[tuple[Any, ...]]
    rejections: list[tuple[int, str]]
    external: list[tuple[int, str | None, int]]


class LinkResolver:
    """From the stored signals of some nodes to the rows of their links. Writes nothing."""

    def __init__(self, atlas: Atlas, lookup: Lookup, referee: Referee, emitters: Emitters) -> None:
        self._atlas = atlas
        self._lookup = lookup
        self._referee = referee
        self._emitters = emitters

    def resolve(self, batch: Sequence[Sequence[Any]]) -> ResolvedLinks:
        out = ResolvedLinks([], [], [], [])
        drawn: list[tuple[int, str, list[UnresolvedLink]]] = []
        for id, path, kind, provider, signals in batch:
            sketched = self._referee.sketch(provider, kind, load_signals(signals, self._emitters))
            drawn.append((id, path, sketched.links))
            out.sources.append(id)
            out.external.append((id, sketched.external, sketched.external_count))
            if sketched.rejections is not None:
                out.rejections.append((id, sketched.rejections))
        self._atlas.prepare([sketch for _, _, links in drawn for sketch in links])
        for id, path, links in drawn:
            out.links.extend(rows_of(id, path, links, self._lookup))
        return out


_RESOLVED = LinkRow._fields.index("resolved_id")


def rows_of(id: int, path: str, links: Iterable[UnresolvedLink], lookup: Lookup) -> Iterator[tuple[Any, ...]]:
    """The values of a `LinkRow` for each."""
    for target, kind, name, line, offset, seen, detail in links:
        resolved, state = lift(path, target, kind, name, lookup)
        found = None if resolved is None else resolved.id
        yield (id, target, kind, found, state, LIFTED, name, line, offset, seen, detail)


def _chunks(items: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    source = iter(items)
    while chunk := list(islice(source, _BATCH)):
        yield chunk


def both(target: str) -> tuple[str, ...]:
    """A target that may be loose, and the pages that may have answered to it so far."""
    return (target, *path_spellings(target))


def endings(path: str) -> Iterable[str]:
    """The path, and what is left of it below each of its folders: a page may call it by any of these."""
    parts = path.split("/")
    return ("/".join(parts[index:]) for index in range(len(parts)))


def loose_state(relinker: Relinker, target: str, name: str | None) -> str:
    paths = climbed(name[1:], target) if name and name[:1] == ROOTED else (target,)
    if any(map(relinker.on_disk, paths)):
        return "file"
    return "reference" if relinker.is_reference(target) else "broken"
