"""Resolving again the links of the nodes that a change may have touched, from their stored signals."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, NamedTuple

from cairn.core.extension_points import ProviderManifest
from cairn.core.packing import Emitters, load_signals
from cairn.core.ports.graph import LinkRow, Target
from cairn.core.ports.runtime import Here, Workers
from cairn.core.ports.store import ScanSession
from cairn.graph.analysis import LIFTED
from cairn.graph.classify import Lens
from cairn.graph.resolve import ROOTED, Lookup, climbed, lift, path_spellings
from cairn.graph.unresolved_links import Referee, Sketch, unpack

_BATCH = 100
_PRELOAD = 1_500
"""From so many nodes on it is cheaper to fetch every path and name at once."""


class Relinked(NamedTuple):
    sources: set[int]
    """The nodes whose links were written."""
    targets: set[int]
    """The nodes that these links lead to now."""


class Atlas:
    """Paths and names of the graph: all of them at once, or those that a batch asks for."""

    def __init__(self, session: ScanSession, symlinks: Mapping[str, str], *, preload: bool) -> None:
        self._session = session
        self._symlinks = symlinks
        self._paths: dict[str, Target | None] = {}
        self._names: dict[str, list[Target]] = {}
        self._by_file: dict[str, list[Target]] | None = None
        self._complete = preload
        if preload:
            self._paths.update((target.path, target) for target in session.targets())
            self._take_names(None)

    def prepare(self, links: Iterable[Sketch]) -> None:
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

    def by_path(self, path: str) -> Target | None:
        return self._paths.get(path) or self._paths.get(self._symlinks.get(path, ""))

    def by_name(self, name: str) -> Sequence[Target]:
        return self._names.get(name, ())

    def by_suffix(self, written: str) -> Target | None:
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
        lens: Lens,
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

    def run(self, ids: Collection[int] | None, *, tick: Callable[[int], None]) -> Relinked:
        """These nodes, or all. With everything fetched beforehand, several processes can share the work."""
        preload = ids is None or len(ids) > _PRELOAD
        atlas = Atlas(self._session, self._symlinks, preload=preload)
        resolve = Resolver(atlas, self._lookup(atlas), self._referee, self._emitters).resolve
        sources: set[int] = set()
        targets: set[int] = set()
        for part in (self._workers if preload else Here()).map(resolve, _chunks(map(tuple, self._session.stored(ids)))):
            self._session.put_links(part.sources, part.links)
            self._session.put_rejections(part.sources, part.rejections)
            self._session.put_external_refs(part.external)
            sources.update(part.sources)
            targets.update(row[_RESOLVED] for row in part.links if row[_RESOLVED] is not None)
            tick(len(sources))
        return Relinked(sources, targets)

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
        drawn: list[tuple[int, str, list[Sketch]]] = []
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


def rows_of(id: int, path: str, links: Iterable[Sketch], lookup: Lookup) -> Iterator[tuple[Any, ...]]:
    """The values of a `LinkRow` for each."""
    for target, kind, name, line, offset, seen, detail in links:
        resolved, state = lift(path, target, kind, name, lookup)
        found = None if resolved is None else resolved.id
        yield (id, target, kind, found, state, LIFTED, name, line, offset, seen, detail)


def _chunks(items: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    source = iter(items)
    while chunk := list(islice(source, _BATCH)):
        yield chunk
