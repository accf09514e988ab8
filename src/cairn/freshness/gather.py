"""The texts behind an entry's sources: as they are now, and as they were when somebody last found the entry right.

Pages of the web are looked at by `freshness.sources`, which remembers what they said. Places in the repository are
read, cost no network, and git knows every state that they were in.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cairn.core.model.knowledge import Source
from cairn.freshness.drift import Around as Repository
from cairn.freshness.drift import find_past
from cairn.freshness.offline import OFFLINE
from cairn.freshness.path_sources import PlaceNow, look
from cairn.freshness.sources import Sighting, Standing
from cairn.freshness.states import WorkTree
from cairn.lib.code.anchor import AnchorPlace
from cairn.lib.code.text import decode, lines_of
from cairn.lib.html.read import CANON


class Seen(NamedTuple):
    """What a source says."""

    source: Source
    text: str
    hash: str
    raw: str | None = None
    old: str | None = None
    """What it said when its hash was taken; None when nobody kept that."""
    canon: int | None = None
    """Of a page of the web: the version of what made a text out of it."""


class Unseen(NamedTuple):
    """A source that could not be read."""

    source: Source
    reason: str
    """One sentence."""
    unusable: bool = False
    """There is a page, but it says nothing: a stub, a login, a wall. Trying again would not help."""
    offline: bool = False
    """Nobody answered: there is no network."""


class Ports(NamedTuple):
    pages: Callable[[Sequence[Source]], Mapping[Source, Sighting]]
    """Looks at pages of the web."""
    repository: Repository
    remembered: Callable[[Source], str | None]
    """The text that a source's hash was taken of, where it was kept."""


def gather(sources: Sequence[Source], ports: Ports, *, page: str) -> list[Seen | Unseen]:
    """Of the page that cites them, in the order of the sources."""
    places = _places([source for source in sources if source.kind == "path"], ports, page)
    urls = [source for source in sources if source.kind == "url"]
    pages = ports.pages(urls) if urls else {}
    return [places[source] if source.kind == "path" else _page(pages[source]) for source in sources]


def _page(sighting: Sighting) -> Seen | Unseen:
    source = sighting.source
    if sighting.standing is Standing.UNREACHABLE or sighting.new is None or sighting.hash is None:
        return Unseen(
            source, sighting.reason or "It could not be read.", sighting.cause == "unusable", sighting.cause == OFFLINE
        )
    # What was seen only once may be gone at the next look: nobody judges by it yet.
    old = {Standing.SAME: sighting.new, Standing.CHANGED: sighting.old}.get(sighting.standing)
    return Seen(source, sighting.new, sighting.hash, sighting.raw, old, CANON)


def compared_with_baseline(sighting: Sighting, baseline: str | None) -> Sighting:
    """A source whose hash says nothing (there is none, or nobody kept what it was taken of) is compared with the first
    text that an earlier look kept. Without one, this look takes the baseline, and the next can judge."""
    unknown = sighting.standing is Standing.BASELINE
    if not unknown and not (sighting.standing is Standing.SAME and sighting.source.hash is None):
        return sighting
    if baseline is None:
        return sighting._replace(standing=Standing.BASELINE, old=None)
    same = baseline == sighting.new
    return sighting._replace(standing=Standing.SAME if same else Standing.CHANGED, old=baseline)


# --- the repository -------------------------------------------------------------------------------------------------


def _places(sources: Sequence[Source], ports: Ports, page: str) -> dict[Source, Seen | Unseen]:
    contents = WorkTree(ports.repository.files).read({source.target for source in sources})
    now = look(sources, contents, ports.repository.probe)
    return {source: _place(source, now[source], contents.get(source.target), ports, page) for source in sources}


def _place(source: Source, now: PlaceNow, data: bytes | None, ports: Ports, page: str) -> Seen | Unseen:
    if now.unread:
        return Unseen(source, f"{source.target} can't be read. {now.unread}")
    if now.place is None or data is None:
        what = f"There is no `{source.anchor}` in {source.target}." if now.outline else f"{source.target} is gone."
        return Unseen(source, what)
    text, digest = _lines(now.place, data), now.place.digest
    if source.hash is None:
        return Seen(source, text, digest, old=_when_written(source, page, ports.repository))
    return Seen(source, text, digest, old=text if source.hash == digest else _before(source, ports.repository))


def _before(source: Source, repository: Repository) -> str | None:
    """As it was when its hash was taken."""
    past = find_past(source, repository)
    return _at(source, past.commit.id, repository) if past else None


def _when_written(source: Source, page: str, repository: Repository) -> str | None:
    """As it was when the page was last committed: whoever wrote that had this in front of them."""
    commits = repository.vcs.versions(page, limit=1)
    return _at(source, commits[0].id, repository) if commits else None


def _at(source: Source, commit: str, repository: Repository) -> str | None:
    [data] = repository.vcs.show([(commit, source.target)])
    then = look([source], {} if data is None else {source.target: data}, repository.probe)[source]
    return None if then.place is None or data is None else _lines(then.place, data)


def _lines(place: AnchorPlace, data: bytes) -> str:
    chosen = lines_of(data)[place.line - 1 : place.end_line]
    return "\n".join(decode(line) for line in chosen) + "\n"
