"""One entry, audited: its page, the texts behind its sources, the auditor's word, made fit to be relied on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.core.model.knowledge import Corpus, Entry, Source, corpus_of
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.core.ports.runtime import Progress, ReadFailed, utc_day
from cairn.errors import NotFound, Refused
from cairn.freshness.drift import DriftContext, find_past
from cairn.freshness.path_sources import SourcePlace, look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.sources import SourceLook, SourceStanding
from cairn.freshness.states import WorkTree
from cairn.freshness.unreliable_sources import OFFLINE, failed_again
from cairn.graph.subgraph import node_called
from cairn.knowledge.corpora import kind_of
from cairn.knowledge.read import take_entry
from cairn.lib.code.anchor import AnchorPlace
from cairn.lib.code.model import decode, lines_of
from cairn.lib.html.read import CANON
from cairn.lib.markdown.frontmatter import parse

if TYPE_CHECKING:
    from cairn.freshness.plain_pages import PlainCorpora, ReviewRecordPlace

_UNREAD: Final = (
    "{}: nobody has compared this entry with it yet; `cairn freshness run --with NAME` asks a reader, "
    "`cairn freshness stamp` records your own review"
)
_UNCOMPARED: Final = (
    "{}: nobody has compared this entry with it yet. It has not changed since Cairn first read it, which does not "
    "show that the entry is right: read both before you merge."
)


class SourceVersions(NamedTuple):
    """What a source says."""

    source: Source
    text: str
    hash: str
    raw: str | None = None
    old: str | None = None
    """What it said when its hash was taken; None when nobody kept that."""
    canon: int | None = None
    """Of a page of the web: the version of what made a text out of it."""


class UnreadableSource(NamedTuple):
    """A source that could not be read."""

    source: Source
    reason: str
    """One sentence."""
    unusable: bool = False
    """There is a page, but it says nothing: a stub, a login, a wall. Trying again would not help."""
    offline: bool = False
    """Nobody answered: there is no network."""


class SourceReader(NamedTuple):
    pages: Callable[[Sequence[Source]], Mapping[Source, SourceLook]]
    """Looks at pages of the web."""
    repository: DriftContext
    remembered: Callable[[Source], str | None]
    """The text that a source's hash was taken of, where it was kept."""


def never_read(one: SourceVersions) -> bool:
    """Whether a source was never stamped, or with a hash of no text that we know: an earlier text of it shows what
    changed since then, and not that the page was right."""
    if one.source.hash is None or one.source.kind == "path":
        return one.source.hash is None
    return one.old == one.text and one.source.hash not in (one.hash, one.raw)


def gather(sources: Sequence[Source], ports: SourceReader, *, page: str) -> list[SourceVersions | UnreadableSource]:
    """Of the page that cites them, in the order of the sources."""
    places = _places([source for source in sources if source.kind == "path"], ports, page)
    urls = [source for source in sources if source.kind == "url"]
    pages = ports.pages(urls) if urls else {}
    return [places[source] if source.kind == "path" else _page(pages[source]) for source in sources]


def _page(sighting: SourceLook) -> SourceVersions | UnreadableSource:
    source = sighting.source
    if sighting.standing is SourceStanding.UNREACHABLE or sighting.new is None or sighting.hash is None:
        return UnreadableSource(
            source, sighting.reason or "It could not be read.", sighting.cause == "unusable", sighting.cause == OFFLINE
        )
    # What was seen only once may be gone at the next look: nobody judges by it yet.
    old = {SourceStanding.SAME: sighting.new, SourceStanding.CHANGED: sighting.old}.get(sighting.standing)
    return SourceVersions(source, sighting.new, sighting.hash, sighting.raw, old, CANON)


def compared_with_baseline(sighting: SourceLook, baseline: str | None) -> SourceLook:
    """A source whose hash says nothing (there is none, or nobody kept what it was taken of) is compared with the first
    text that an earlier look kept. Without one, this look takes the baseline, and the next can judge."""
    unknown = sighting.standing is SourceStanding.BASELINE
    if not unknown and not (sighting.standing is SourceStanding.SAME and sighting.source.hash is None):
        return sighting
    if baseline is None:
        return sighting._replace(standing=SourceStanding.BASELINE, old=None)
    same = baseline == sighting.new
    return sighting._replace(standing=SourceStanding.SAME if same else SourceStanding.CHANGED, old=baseline)


# --- the repository -------------------------------------------------------------------------------------------------


def _places(
    sources: Sequence[Source], ports: SourceReader, page: str
) -> dict[Source, SourceVersions | UnreadableSource]:
    contents = WorkTree(ports.repository.files).read({source.target for source in sources})
    now = look(sources, contents, ports.repository.probe)
    return {source: _place(source, now[source], contents.get(source.target), ports, page) for source in sources}


def _place(
    source: Source, now: SourcePlace, data: bytes | None, ports: SourceReader, page: str
) -> SourceVersions | UnreadableSource:
    if now.unread:
        return UnreadableSource(source, f"{source.target} can't be read. {now.unread}")
    if now.place is None or data is None:
        what = f"There is no `{source.anchor}` in {source.target}." if now.outline else f"{source.target} is gone."
        return UnreadableSource(source, what)
    text, digest = _lines(now.place, data), now.place.digest
    if source.hash is None:
        return SourceVersions(source, text, digest, old=_when_written(source, page, ports.repository))
    return SourceVersions(
        source, text, digest, old=text if source.hash == digest else _before(source, ports.repository)
    )


def _before(source: Source, repository: DriftContext) -> str | None:
    """As it was when its hash was taken."""
    past = find_past(source, repository)
    return _at(source, past.commit.id, repository) if past else None


def _when_written(source: Source, page: str, repository: DriftContext) -> str | None:
    """As it was when the page was last committed: whoever wrote that had this in front of them."""
    commits = repository.vcs.versions(page, limit=1)
    return _at(source, commits[0].id, repository) if commits else None


def _at(source: Source, commit: str, repository: DriftContext) -> str | None:
    [data] = repository.vcs.show([(commit, source.target)])
    then = look([source], {} if data is None else {source.target: data}, repository.probe)[source]
    return None if then.place is None or data is None else _lines(then.place, data)


def _lines(place: AnchorPlace, data: bytes) -> str:
    chosen = lines_of(data)[place.line - 1 : place.end_line]
    return "\n".join(decode(line) for line in chosen) + "\n"


class EntryPage(NamedTuple):
    """A page of a corpus that can be audited."""

    entry: Entry
    corpus: Corpus
    text: str
    body: str
    kept: "ReviewRecordPlace | None" = None
    """Where what is known about it stands, when the page itself is not ours to edit."""

    @property
    def digest(self) -> str:
        """To tell later whether somebody edited it meanwhile."""
        return digest_of(self.text)


# --- pages ----------------------------------------------------------------------------------------------------------


def today_of(ports: FreshnessPorts) -> str:
    return utc_day(ports.clock.now_ms()).isoformat()


def digest_of(text: str) -> str:
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def page_called(ports: FreshnessPorts, name: str, *, here: Path) -> EntryPage:
    """The page that somebody means, by path or by name."""
    return load_page(ports, node_called(ports.store, name, root=ports.root, here=here).path)


def load_page(ports: FreshnessPorts, path: str) -> EntryPage:
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as error:
        raise NotFound(str(error)) from None
    return page_of(ports, path, data)


def page_of(ports: FreshnessPorts, path: str, data: bytes, *, plain: "PlainCorpora | None" = None) -> EntryPage:
    """Whoever has many pages says once what is known of those that are not ours."""
    corpus = corpus_of(path, ports.corpora)
    kind = kind_of(corpus, path) if corpus else None
    if corpus is None or kind is None:
        raise NotFound(f"{path} is no page of a corpus; `cairn freshness audit-prefilter --explain` lists those.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8; save it as UTF-8, then try again.") from None
    parsed = parse(text)
    if corpus.layout == "plain":
        return _plain_page(ports, path, corpus, text, parsed.body, plain)
    entry = take_entry(path, parsed.frontmatter, kind=kind, layout=corpus.layout, body=parsed.body)
    if entry is None:
        raise Refused(f"{path} has no name that can be read; `cairn freshness validate {path}` says what is wrong.")
    return EntryPage(entry, corpus, text, parsed.body)


def _plain_page(
    ports: FreshnessPorts, path: str, corpus: Corpus, text: str, body: str, plain: "PlainCorpora | None"
) -> EntryPage:
    if plain is None:
        from cairn.freshness.plain_pages import PlainCorpora

        plain = PlainCorpora(ports)
    found = plain.of(corpus, path)
    if found is None:
        raise Refused(
            f"{path} is not ours to edit, and its links are not looked at; `cairn freshness stamp {path}` records a "
            "look, `cairn config set freshness.plain on` has them looked at."
        )
    return EntryPage(found[0], corpus, text, body, found[1])


# --- audit ------------------------------------------------------------------------------------------------------------


def without_sources(page: EntryPage, gone: Sequence[UnreadableSource]) -> EntryPage:
    left = tuple(source for source in page.entry.sources if source not in {one.source for one in gone})
    return page._replace(entry=replace(page.entry, sources=left))


def compared(page: EntryPage, seen: Sequence[SourceVersions], today: str) -> Verdict:
    """Without a reader: what the sources said with what they say. A comparison can find a difference, but it can't
    confirm an entry that nobody ever compared with a source: in the repository, somebody stamps it, and a request
    about a page of the web warns whoever merges it."""
    from cairn.freshness.extractive import SourceTexts
    from cairn.freshness.extractive import audit as compare

    texts = [SourceTexts(one.source, one.old, one.text, today) for one in seen]
    verdict = compare(page.entry, page.body, texts, today=today)
    if verdict.outcome is VerdictOutcome.CURRENT and not verdict.source_unverifiable:
        unread = [one.source for one in seen if never_read(one)]
        stamped = all(source.kind == "url" for source in unread)
        warnings = tuple((_UNCOMPARED if stamped else _UNREAD).format(source.reference) for source in unread)
        verdict = verdict._replace(source_unverifiable=not stamped, preserve_warnings=warnings)
    hashes = {one.source.reference: one.hash for one in seen}
    checked = tuple(one._replace(content_hash=hashes.get(one.url, one.content_hash)) for one in verdict.sources_checked)
    return verdict._replace(sources_checked=checked)


def ports_of(
    ports: FreshnessPorts, *, eager: bool = True, progress: Progress | None = None, fetch: bool = True
) -> SourceReader:
    """`eager` where somebody wants to know now: pages that failed lately are asked for all the same. Without `fetch`
    pages are as the last look found them."""
    from cairn.freshness.drift import DriftContext, code_index
    from cairn.freshness.sources import LazyTexts, SourceLook, SourceMemory, look_at

    def pages(sources: Sequence[Source]) -> Mapping[Source, SourceLook]:
        store = ports.store.web
        earlier = SourceMemory(store, ports.blobs)
        seen = look_at(
            sources,
            fetcher=ports.fetcher,
            blobs=ports.blobs,
            store=store,
            clock=ports.clock,
            eager=eager,
            progress=progress,
            fetch=fetch,
        ).of

        def compared(source: Source) -> SourceLook:
            return compared_with_baseline(seen[source], earlier.remembered(source._replace(hash=None)))

        return LazyTexts(sources, compared)

    repository = DriftContext(ports.files, ports.vcs, lambda: code_index(ports), ports.probe)
    return SourceReader(pages, repository, lambda source: SourceMemory(ports.store.web, ports.blobs).remembered(source))


def record_failure(ports: FreshnessPorts, path: str, cause: str, reason: str) -> None:
    """One more in a row; the pause doubles each time. Nothing is held against an entry while there is no network."""
    if cause == OFFLINE:
        return
    before = next((row for row in ports.store.web.attempts() if row.path == path), None)
    row = failed_again(before, path, cause=cause, reason=reason[:400], now_ms=ports.clock.now_ms())
    ports.store.web.keep_attempts([row])
