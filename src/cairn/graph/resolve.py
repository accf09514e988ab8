"""From signals to links: which reading wins, what belongs together, and what each link points at. Pure.

A signal has one reading or several; signals overlap. `choose` picks the readings and settles the overlaps, `merge`
makes one link of what says the same, `lift` finds the node that a link means. None of it reads a file, so a change of
the active provider only has to run this again over stored signals.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, takewhile
from types import MappingProxyType
from typing import NamedTuple

from cairn.core.model.graph import Candidate, ExternalRef, Occurrence, Rejection, Signal
from cairn.core.ports.graph import LinkTarget
from cairn.lib.urls.url import is_external

_UNRANKED = 1_000
_new = tuple.__new__  # a named tuple made without its own __new__, which is most of the cost of making one

ROOTED = "="
"""Before the key of a path-style link that may count from the root. No name begins with it: names are normalised
letters, and those of pages begin with `[[`."""

LABEL_NAME = "[[ref:"
"""Before the name of a label of a Sphinx page (`.. _label:`)."""
DOC_NAME = "[[doc:"
"""Before the path of a Sphinx page without its suffix, from some folder above it."""
KNOWLEDGE_NAME = "&"
"""Before the names by which pages of knowledge call each other; an analyzer reports two of one name."""
PAGE_SUFFIXES = (".md", ".rst", ".mdx", ".markdown")
_FRONT_PAGES = ("README.md", "index.md", "index.rst", "README.rst", "index.mdx")
_RENDERED = (*PAGE_SUFFIXES, ".txt", ".ipynb", ".html", ".adoc")
"""Suffixes of pages that a site may have."""


class ResolutionRules(NamedTuple):
    """What decides between readings, for one kind of node while one provider is active."""

    active: frozenset[str]
    """Qualified ids of the extractors whose readings count."""
    order: Mapping[str, int]
    """Registration order of extractors."""
    kind_rank: Mapping[str, int] = MappingProxyType({})
    """Position of a kind of link in the active provider's priority."""

    def rank(self, kind: str) -> int:
        return self.kind_rank.get(kind, _UNRANKED)


class SignalReading(NamedTuple):
    """A signal with the candidate that was chosen for it."""

    signal: Signal
    candidate: Candidate


class ChosenReadings(NamedTuple):
    readings: list[SignalReading]
    rejections: list[Rejection]
    external: list[ExternalRef]


def choose(signals: Iterable[Signal], rules: ResolutionRules) -> ChosenReadings:
    """The readings that become links, those that lost with the reason, and the addresses outside."""
    readings: list[SignalReading] = []
    urls: list[SignalReading] = []
    active = rules.active
    for signal in signals:
        candidates = signal.candidates
        candidate = candidates[0] if len(candidates) == 1 else _best(candidates, rules)
        if candidate is not None and candidate.extractor in active:
            target = candidate.target
            external = ":" in target and is_external(target) and not _is_node(candidate)
            (urls if external else readings).append(_new(SignalReading, (signal, candidate)))
    readings, rejections = _shadow(readings, urls) if urls else (readings, [])
    readings, lost = _settle(readings, rules)
    return ChosenReadings(readings, rejections + lost, _external_refs(urls))


def _is_node(candidate: Candidate) -> bool:
    """An address that has a virtual node of its own, because a page has what it says from there."""
    return candidate.data is not None and "node" in candidate.data


def _best(candidates: Sequence[Candidate], rules: ResolutionRules) -> Candidate | None:
    active = [c for c in candidates if c.extractor in rules.active]
    if not active:
        return None
    return min(active, key=lambda c: (rules.rank(c.kind), -c.confidence, rules.order.get(c.extractor, _UNRANKED)))


def _external_refs(urls: Iterable[SignalReading]) -> list[ExternalRef]:
    """Each address once, where it stands first."""
    first: dict[str, ExternalRef] = {}
    for signal, candidate in urls:
        if candidate.target not in first:
            first[candidate.target] = ExternalRef(candidate.target, signal.line, candidate.original)
    return list(first.values())


def _shadow(
    readings: list[SignalReading], urls: Sequence[SignalReading]
) -> tuple[list[SignalReading], list[Rejection]]:
    """`https://host/@name` is an address: a name inside it is no mention. Addresses collide with nothing else."""
    kept, lost = [], []
    ordered = sorted(urls, key=lambda url: url.signal.start)
    starts = [url.signal.start for url in ordered]
    furthest = list(accumulate(ordered, _further))
    for reading in readings:
        named = reading.candidate.by_name or reading.candidate.original[:1] == "@"
        cover = _cover(reading, starts, furthest) if named else None
        if cover is None:
            kept.append(reading)
        else:
            lost.append(_reject(reading, cover, "inside-url"))
    return kept, lost


def _further(a: SignalReading, b: SignalReading) -> SignalReading:
    return b if b.signal.end > a.signal.end else a


def _cover(reading: SignalReading, starts: Sequence[int], furthest: Sequence[SignalReading]) -> SignalReading | None:
    """An address that overlaps: of those that start before the reading ends, the one that reaches furthest."""
    before = bisect_left(starts, reading.signal.end)
    if not before or furthest[before - 1].signal.end <= reading.signal.start:
        return None
    return furthest[before - 1]


def _settle(readings: list[SignalReading], rules: ResolutionRules) -> tuple[list[SignalReading], list[Rejection]]:
    """One winner for each cluster of readings whose ranges overlap, directly or through others."""
    if not _overlapping(sorted([(s.start, s.end) for s, _ in readings if s.scope == "body"])):
        return readings, []
    body = sorted((r for r in readings if r.signal.scope == "body"), key=lambda r: (r.signal.start, r.signal.end))
    kept = [r for r in readings if r.signal.scope != "body"]
    lost: list[Rejection] = []
    for cluster in _clusters(body):
        winner = min(cluster, key=lambda r: _strength(r, rules))
        kept.append(winner)
        lost.extend(_reject(r, winner, _reason(r, winner, rules)) for r in cluster if r is not winner)
    return kept, lost


def _overlapping(ranges: Iterable[tuple[int, int]]) -> bool:
    reached = -1
    for start, end in ranges:
        if start < reached:
            return True
        reached = end
    return False


def _clusters(ordered: Sequence[SignalReading]) -> Iterable[list[SignalReading]]:
    cluster: list[SignalReading] = []
    end = -1
    for reading in ordered:
        if cluster and reading.signal.start >= end:
            yield cluster
            cluster = []
        cluster.append(reading)
        end = max(end, reading.signal.end)
    if cluster:
        yield cluster


def _strength(reading: SignalReading, rules: ResolutionRules) -> tuple[int, float, int, int, int]:
    signal, candidate = reading
    return (
        rules.rank(candidate.kind),
        -candidate.confidence,
        signal.start - signal.end,
        rules.order.get(candidate.extractor, _UNRANKED),
        signal.start,
    )


_STEPS = ("kind-priority", "higher-confidence", "longer-range", "earlier-declaration", "earlier-declaration")


def _reason(loser: SignalReading, winner: SignalReading, rules: ResolutionRules) -> str:
    pairs = zip(_STEPS, _strength(winner, rules), _strength(loser, rules), strict=True)
    return next((step for step, won, lost in pairs if won != lost), "earlier-declaration")


def _reject(loser: SignalReading, winner: SignalReading, reason: str) -> Rejection:
    won = winner.signal
    return Rejection(
        loser.signal,
        loser.candidate.extractor,
        loser.candidate.kind,
        loser.candidate.target,
        reason,
        winner.candidate.extractor,
        won.start,
        won.end,
        won.line,
    )


def alike(readings: Iterable[SignalReading]) -> Iterable[list[SignalReading]]:
    """What says the same, by (target, kind, normalised trigger): each becomes one link."""
    groups: dict[tuple[str, str, str], list[SignalReading]] = {}
    for reading in readings:
        candidate = reading.candidate
        groups.setdefault((candidate.target, candidate.kind, candidate.normalized), []).append(reading)
    return groups.values()


@cache
def short_id(qualified: str) -> str:
    return qualified.rpartition("/")[2]


def occurrences(group: Sequence[SignalReading]) -> tuple[Occurrence, ...]:
    """Every place that says it; twice on one line counts once."""
    seen: dict[tuple[str, str, int], Occurrence] = {}
    for signal, candidate in group:
        short = short_id(candidate.extractor)
        key = (short, candidate.original, signal.line)
        seen.setdefault(key, Occurrence(short, candidate.original, signal.line, signal.start))
    return tuple(seen.values())


class Lookup(NamedTuple):
    """What lifting needs to know of the rest of the graph and of the disk."""

    by_path: Callable[[str], LinkTarget | None]
    by_name: Callable[[str], Sequence[LinkTarget]]
    on_disk: Callable[[str], bool]
    reference: Callable[[str], bool]
    """Whether a path is named in `scan.reference_paths`."""
    resolution: Mapping[str, tuple[str, ...]]
    """Kinds that a name may resolve to, for each kind of link; a kind of link that is absent takes any."""
    providers: Mapping[str, int] = MappingProxyType({})
    """Which provider comes first where two nodes share a name: the active one, then in dispatch order."""
    built_in: frozenset[str] = frozenset()
    """Names that the active host answers to by itself."""
    by_suffix: Callable[[str], LinkTarget | None] = lambda _: None
    """The only node whose path ends with this one."""
    host_folders: tuple[str, ...] = ()
    """Folders of the active host, such as `.claude/`, wherever they are in the tree."""


Lifted = tuple[LinkTarget | None, str]
"""Where a link leads, and its state: the node, or why there is none."""


def lift(source: str, target: str, kind: str, name: str | None, lookup: Lookup) -> Lifted:
    """`name` is the key to look up, None for a path-style link."""
    if name is None:
        return _lift_path(target, lookup)
    return _lift_rooted(name[1:], target, lookup) if name[:1] == ROOTED else _lift_name(source, kind, name, lookup)


def lookup_key(normalized: str) -> str:
    """The name to look up: one leading `/` or `@` is the sigil. `[[` marks the names of pages."""
    return normalized[1:] if normalized[:1] in ("/", "@") else normalized


def path_spellings(target: str) -> tuple[str, ...]:
    """Paths of pages that a target may mean: itself, without its ending, or the front page of a folder."""
    if target in ("", "."):
        return _FRONT_PAGES
    bare = target.rstrip("/")
    if target.endswith(PAGE_SUFFIXES):
        return (target,)
    pages = [f"{bare}{suffix}" for suffix in PAGE_SUFFIXES]
    if bare.rpartition("/")[2].count(".") and not target.endswith("/"):
        return (target, *pages)
    return (bare, *pages, *(f"{bare}/{page}" for page in _FRONT_PAGES))


def _lift_path(target: str, lookup: Lookup) -> Lifted:
    found = lookup.by_path(target)
    if found is not None:
        return found, "node"
    if target.startswith("../") or target == "..":
        return None, "outside"
    for spelling in path_spellings(target):
        found = lookup.by_path(spelling)
        if found is not None:
            return found, "node"
    if lookup.on_disk(target) or _is_rendered(target, lookup):
        return None, "file"
    return None, "reference" if lookup.reference(target) else "broken"


def _lift_rooted(written: str, target: str, lookup: Lookup) -> Lifted:
    """Wherever the path may count from, else the only page whose path ends with it."""
    found: Lifted = None, "broken"
    for path in climbed(written, target):
        found = _lift_path(path, lookup)
        if found[1] in ("node", "file"):
            return found
    page = lookup.by_suffix(written)
    return (page, "node") if page is not None else found


def climbed(written: str, target: str) -> tuple[str, ...]:
    """The paths that a written one may mean, the likeliest first, `target` being the one in the folder of the page.

    A longer path mostly counts from the root; a bare name from the folder of the page, then from each one above it.
    """
    folder = target.removesuffix(written).rstrip("/") if target.endswith(written) else ""
    paths = [target]
    while folder:
        folder = folder.rpartition("/")[0]
        paths.append(f"{folder}/{written}" if folder else written)
    ordered = (written, *paths) if "/" in written else (*paths, written)
    return tuple(dict.fromkeys(ordered))


def _is_rendered(target: str, lookup: Lookup) -> bool:
    """Whether a target without a suffix means a page that is not read: too large, ignored, or of another format."""
    if target.endswith("/") or target.endswith(PAGE_SUFFIXES):
        return False
    return any(lookup.on_disk(f"{target}{suffix}") for suffix in _RENDERED)


def _lift_name(source: str, kind: str, name: str, lookup: Lookup) -> Lifted:
    candidates = lookup.by_name(name)
    if not candidates:
        return None, "outside" if name in lookup.built_in else "broken"
    if name.startswith("[["):
        return _nearest(source, candidates), "node"
    wanted = lookup.resolution.get(kind)
    accepted = candidates if wanted is None else [c for c in candidates if c.kind in wanted]
    if not accepted:
        return None, "mismatch"
    distances = [_distance(source, c, wanted or (), lookup) for c in accepted]
    least = min(distances)
    nearest = {c.path: c for c, distance in zip(accepted, distances, strict=True) if distance == least}
    if len(nearest) > 1 and not name.startswith(KNOWLEDGE_NAME):
        return None, "ambiguous"
    return nearest[min(nearest)], "node"


def _distance(source: str, node: LinkTarget, kinds: Sequence[str], lookup: Lookup) -> tuple[int, bool, int, int, int]:
    """Which of several nodes with one name is meant: one that the host does not hide, the active host's own, the one
    with the longest common folder, the one of the provider that is asked first, the one whose kind is asked first."""
    rank = lookup.providers.get(node.provider, _UNRANKED)
    foreign = rank > 0 and not _in_host_folder(source, node.path, lookup.host_folders)
    kind = kinds.index(node.kind) if node.kind in kinds else len(kinds)
    return (node.reserved, foreign, -_common(source, node.path), rank, kind)


def _in_host_folder(source: str, path: str, folders: Sequence[str]) -> bool:
    """Whether the node is in a folder of the host that holds for the source: `pkg/.claude/` for all files of `pkg`."""
    for folder in folders:
        at = path.find(f"/{folder}")
        if at >= 0 and source.startswith(path[: at + 1]):
            return True
    return False


def _common(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _nearest(source: str, pages: Sequence[LinkTarget]) -> LinkTarget:
    """Of several pages with one name: the one in the same folder, else the one highest up, else the first."""
    folder = source.rpartition("/")[0]
    return min(pages, key=lambda page: (page.path.rpartition("/")[0] != folder, page.path.count("/"), page.path))


def spelled_by(path: str) -> tuple[str, ...]:
    """The targets that may mean the page at this path: the inverse of `path_spellings`."""
    folder, _, name = path.rpartition("/")
    spellings = [path, f"{path}/"]
    stem, _, suffix = path.rpartition(".")
    if f".{suffix}" in PAGE_SUFFIXES:
        spellings += [stem, f"{stem}/"]
    if name in _FRONT_PAGES:
        spellings += [folder, f"{folder}/"] if folder else ["", "."]
    return tuple(spellings)
