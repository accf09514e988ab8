"""The texts behind an entry's sources: as they are now, and as they were when somebody last found the entry right.

Pages of the web are fetched, places in the repository are read. What was is found by its hash: texts of pages are kept
under it, and of files git knows every state. A place in the repository costs no network.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cairn.freshness.declared import PlaceNow, look
from cairn.freshness.drift import Around as Repository
from cairn.freshness.drift import find_past
from cairn.freshness.states import WorkTree
from cairn.kernel.code.anchor import Place
from cairn.kernel.code.text import decode, lines_of
from cairn.kernel.knowledge.entry import Source
from cairn.kernel.page.read import CANON, Reading, canonical_hash, raw_hash, read_page
from cairn.kernel.ports.fetch import Conditions, Fetcher, FetchFailed, Page


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


Remembered = Callable[[Source], str | None]
"""The text of a page that a source's hash was taken of; for a source without one, the text that was settled on."""


class Ports(NamedTuple):
    fetcher: Fetcher
    repository: Repository
    remembered: Remembered


def gather(sources: Sequence[Source], ports: Ports) -> list[Seen | Unseen]:
    """In the order of the sources; each page is fetched once, whatever its anchors."""
    places = _places([source for source in sources if source.kind == "path"], ports)
    pages = _pages([source for source in sources if source.kind == "url"], ports)
    return [
        places[source] if source.kind == "path" else _read(source, pages[source.target], ports) for source in sources
    ]


# --- the web --------------------------------------------------------------------------------------------------------


def _pages(sources: Sequence[Source], ports: Ports) -> dict[str, Page | FetchFailed]:
    """Without conditions: an audit needs the text, not the news that it is the same."""
    wanted = dict.fromkeys(source.target for source in sources)
    if not wanted:
        return {}
    return {page.url: page for page in ports.fetcher.fetch_all((url, Conditions()) for url in wanted)}


def _read(source: Source, page: Page | FetchFailed, ports: Ports) -> Seen | Unseen:
    if isinstance(page, FetchFailed):
        return Unseen(source, page.reason, page.cause == "unusable")
    reading = read_page(page, source.anchor)
    if not isinstance(reading, Reading):
        return Unseen(source, reading.reason, unusable=True)
    raw = raw_hash(page.body)
    same = source.hash in (canonical_hash(reading.text), raw)  # entries of the old kind have the hash of the bytes
    old = reading.text if same else ports.remembered(source)
    return Seen(source, reading.text, canonical_hash(reading.text), raw, old, CANON)


# --- the repository -------------------------------------------------------------------------------------------------


def _places(sources: Sequence[Source], ports: Ports) -> dict[Source, Seen | Unseen]:
    contents = WorkTree(ports.repository.files).read({source.target for source in sources})
    now = look(sources, contents, ports.repository.probe)
    return {source: _place(source, now[source], contents.get(source.target), ports) for source in sources}


def _place(source: Source, now: PlaceNow, data: bytes | None, ports: Ports) -> Seen | Unseen:
    if now.unread:
        return Unseen(source, f"{source.target} can't be read. {now.unread}")
    if now.place is None or data is None:
        what = f"There is no `{source.anchor}` in {source.target}." if now.outline else f"{source.target} is gone."
        return Unseen(source, what)
    text = _lines(now.place, data)
    if source.hash == now.place.digest:
        return Seen(source, text, now.place.digest, old=text)
    return Seen(source, text, now.place.digest, old=_before(source, ports))


def _before(source: Source, ports: Ports) -> str | None:
    past = find_past(source, ports.repository) if source.hash else None
    if past is None:
        return None
    [data] = ports.repository.vcs.show([(past.commit.id, source.target)])
    return None if data is None else _lines(past.place, data)


def _lines(place: Place, data: bytes) -> str:
    chosen = lines_of(data)[place.line - 1 : place.end_line]
    return "\n".join(decode(line) for line in chosen) + "\n"
