"""Looking at sources: what they say now, what they said before, and whether that is a change one can rely on.

A page is fetched once for all entries that cite it. A text that differs is drift only when a second look shows the
same: later in the run, or in the next one. The first text ever seen of a page is taken as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from cairn.core.isolate import item
from cairn.core.model.knowledge import Source
from cairn.core.ports.runtime import Blobs, Clock, Progress, Silent, utc_day
from cairn.core.ports.sources import Conditions, Fetcher, FetchFailed, Outcome, SourceRow, SourceStore, SourceTextRow
from cairn.freshness.snapshots import pack, snapshot_text, unpack
from cairn.freshness.unreliable_sources import OFFLINE, REASON, AskedHosts, is_silent, next_try, really_changed
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.read import CANON, Unusable, canonical_hash, raw_hash, read_page
from cairn.lib.urls.url import without_fragment

Place = tuple[str, str]
"""A URL without its fragment, and an anchor or nothing."""
_WRITTEN_AT_ONCE = 100
"""Looks; should a run be killed, no more than these have to be done again."""


class SourceStanding(StrEnum):
    SAME = "same"
    """What the entry's hash was taken of."""
    CHANGED = "changed"
    """Something else, seen twice."""
    PENDING = "pending"
    """Something else, but seen only once; the next run will know."""
    BASELINE = "baseline"
    """Nobody knows what it was; what it is now was kept, so that the next run can compare."""
    UNREACHABLE = "unreachable"
    """It could not be fetched or read."""


class SourceLook(NamedTuple):
    """One source of one entry."""

    source: Source
    standing: SourceStanding
    new: str | None = None
    """Canonical text now."""
    old: str | None = None
    """Canonical text that the entry's hash was taken of; None when nobody kept it."""
    hash: str | None = None
    """Of the text now, as the entry would have it."""
    raw: str | None = None
    cause: str = ""
    reason: str = ""
    """Of a source that is unreachable: one sentence."""


class LazyTexts(Mapping[Source, SourceLook]):
    """Each is made when somebody asks for it: most pages are what they were, and then nobody reads them."""

    def __init__(self, sources: Iterable[Source], make: Callable[[Source], SourceLook]) -> None:
        self._sources = dict.fromkeys(sources)
        self._make = make
        self._made: dict[Source, SourceLook] = {}

    def __getitem__(self, source: Source) -> SourceLook:
        if source not in self._made:
            if source not in self._sources:
                raise KeyError(source)
            self._made[source] = self._make(source)
        return self._made[source]

    def __contains__(self, source: object) -> bool:
        return source in self._sources

    def __iter__(self) -> Iterator[Source]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


class SourceLooks(NamedTuple):
    of: Mapping[Source, SourceLook]
    requests: int
    """How many pages were asked for, second looks included."""

    def standing(self, source: Source) -> SourceStanding:
        return self.of[source].standing


class _Look(NamedTuple):
    text: str
    hash: str
    raw: str
    page: FetchedPage


class _Failed(NamedTuple):
    cause: str
    reason: str


class _Seen(NamedTuple):
    """How a place stands after this run."""

    row: SourceRow
    look: _Look | None
    failed: _Failed | None = None


def place_of(source: Source) -> Place:
    return without_fragment(source.target), source.anchor or ""


def look_at(
    sources: Iterable[Source],
    *,
    fetcher: Fetcher,
    blobs: Blobs,
    store: SourceStore,
    clock: Clock,
    eager: bool = False,
    progress: Progress | None = None,
    fetch: bool = True,
) -> SourceLooks:
    """Every source that is a page of the web; places in the repository take `freshness.declared.look`, without a
    network. `eager` also asks for what failed lately and should be left alone. Without `fetch` nobody is asked."""
    wanted = list(dict.fromkeys(source for source in sources if source.kind == "url"))
    run = _Run(wanted, fetcher, blobs, store, clock, progress or Silent())
    if not fetch:
        run.remember()
        return SourceLooks(LazyTexts(wanted, run.sighting), 0)
    run.first_looks(eager=eager)
    run.second_looks()
    run.keep()
    return SourceLooks(LazyTexts(wanted, run.sighting), run.requests)


class _Run:
    def __init__(
        self,
        sources: Sequence[Source],
        fetcher: Fetcher,
        blobs: Blobs,
        store: SourceStore,
        clock: Clock,
        progress: Progress,
    ) -> None:
        self._fetcher, self._blobs, self._store, self._progress = fetcher, blobs, store, progress
        self._now = clock.now_ms()
        self._by_place: dict[Place, list[Source]] = {}
        for source in sources:
            self._by_place.setdefault(place_of(source), []).append(source)
        self._places: dict[str, list[Place]] = {}
        for place in self._by_place:
            self._places.setdefault(place[0], []).append(place)
        self._memory = SourceMemory(store, blobs)
        self._seen: dict[Place, _Seen] = {}
        self._doubtful: dict[Place, _Look] = {}
        """What was seen for the first time in this run and needs a second look."""
        self._texts: list[SourceTextRow] = []
        self._reached = AskedHosts()
        self._silent: dict[Place, _Failed] = {}
        """Places whose host did not answer: no failure of theirs while nobody answers."""
        self.requests = 0

    def remember(self) -> None:
        """Pages as earlier runs settled on them."""
        self._seen = {place: _Seen(self._row(place), None) for place in self._by_place}

    # --- looking ---------------------------------------------------------------------------------------------------

    def first_looks(self, *, eager: bool) -> None:
        asked = [url for url in self._places if eager or not self._is_left_alone(url)]
        for url in self._places.keys() - set(asked):
            for place in self._places[url]:
                row = self._row(place)
                self._seen[place] = _Seen(row, None, _Failed(row.cause or "", row.reason or ""))
        for outcome in self._fetched([(url, self._conditions(url)) for url in asked], again=False):
            self._reached.note(outcome)
            for place in self._places[outcome.url]:
                self._first(place, outcome)
            if self.requests % _WRITTEN_AT_ONCE == 0:
                self.keep()
        self._judge_silence()

    def _judge_silence(self) -> None:
        """Without a network nothing is recorded against any source."""
        for place, failed in self._silent.items():
            if self._reached.nobody:
                self._seen[place] = _Seen(self._row(place), None, _Failed(OFFLINE, REASON))
            else:
                self._seen[place] = _Seen(_with_failure(self._row(place), failed, self._now), None, failed)

    def second_looks(self) -> None:
        urls = list(dict.fromkeys(place[0] for place in self._doubtful))
        for outcome in self._fetched([(url, Conditions()) for url in urls], again=True):
            for place in self._places[outcome.url]:
                if place in self._doubtful:
                    self._second(place, outcome)

    def _fetched(self, wanted: list[tuple[str, Conditions]], *, again: bool) -> Iterator[Outcome]:
        stage = "looking again" if again else "looking at sources"
        for number, outcome in enumerate(self._fetcher.fetch_all(wanted, again=again), 1):
            self.requests += 1
            self._progress.step(stage, number, len(wanted))
            yield outcome

    def _is_left_alone(self, url: str) -> bool:
        rows = [self._row(place) for place in self._places[url]]
        return all(row.failures > 1 and row.next_try_ms is not None and row.next_try_ms > self._now for row in rows)

    def _conditions(self, url: str) -> Conditions:
        """Only when the answer “as it was” would be enough for everybody who asks."""
        rows = [self._row(place) for place in self._places[url]]
        tags = {(row.etag, row.modified) for row in rows}
        whole = all(
            row.hash and not row.pending_hash and self._blobs.get(row.snapshot or "") is not None for row in rows
        )
        return Conditions(*tags.pop()) if whole and len(tags) == 1 else Conditions()

    def _first(self, place: Place, outcome: Outcome) -> None:
        row, look = self._row(place), self._read(place, outcome)
        if isinstance(look, _Failed) and is_silent(outcome):
            self._silent[place] = look
        elif isinstance(look, _Failed):
            self._seen[place] = _Seen(_with_failure(row, look, self._now), None, look)
        elif look is None:
            self._seen[place] = _Seen(_steady(row, self._now), None)
        elif row.hash is None:
            self._new_place(place, row, look)
        elif look.hash in (row.hash, row.pending_hash) or self._memory.pending(row) is not None:
            self._settle(place, row, look, self._memory.pending(row))
        else:
            self._doubt(place, row, look)

    def _new_place(self, place: Place, row: SourceRow, look: _Look) -> None:
        """The first text is taken as it is, unless an entry was stamped with another one."""
        if any(_contradicts(source, look) for source in self._by_place[place]):
            self._doubt(place, row, look)
        else:
            self._accept(place, row, look)

    def _second(self, place: Place, outcome: Outcome) -> None:
        row, look, first = self._row(place), self._read(place, outcome), self._doubtful[place]
        if isinstance(look, _Look):
            self._settle(place, row, look, first)  # else what was seen once stays as it is until the next run

    def _settle(self, place: Place, row: SourceRow, look: _Look, first: _Look | None) -> None:
        """What two looks say together."""
        if look.hash == row.hash:
            flips = row.flips + (1 if row.pending_hash or first else 0)
            row = self._with_page(row._replace(flips=flips), look)
            self._seen[place] = _Seen(_steady(row, self._now, look), look)
        elif row.pending_hash == look.hash or (first is not None and first.hash == look.hash):
            self._accept(place, row, look)
        elif self._is_change(row, first, look):
            self._accept(place, row._replace(flips=row.flips + 1), look)
        else:
            steady = _steady(row._replace(flips=row.flips + 1), self._now)
            self._seen[place] = _Seen(steady._replace(etag=None, modified=None), None)

    def _with_page(self, row: SourceRow, look: _Look) -> SourceRow:
        """The text stayed; where the page shows other editions around it than before, it is kept all the same."""
        if look.raw == row.raw:
            return row
        from cairn.freshness.signs import shows_the_same

        before = unpack(self._blobs.get(row.shown_snapshot or row.snapshot or "") or b"")
        if before is None or shows_the_same(before, look.page):
            return row
        return row._replace(shown_snapshot=self._blobs.put(pack(look.page)), shown_at_ms=self._now)

    def _is_change(self, row: SourceRow, first: _Look | None, look: _Look) -> bool:
        settled = self._memory.settled(row)
        return settled is None or first is None or really_changed(settled, first.text, look.text)

    def _doubt(self, place: Place, row: SourceRow, look: _Look) -> None:
        """Kept at once: should this run end here, the next one has the first look."""
        self._doubtful[place] = look
        pending = row._replace(
            pending_hash=look.hash, pending_snapshot=self._blobs.put(pack(look.page)), pending_at_ms=self._now
        )
        self._seen[place] = _Seen(_looked(pending, self._now, look), look)

    def _accept(self, place: Place, row: SourceRow, look: _Look) -> None:
        """From now on this is what the place says."""
        key = self._blobs.put(pack(look.page))
        changed = self._now if row.hash is not None else row.changed_at_ms
        fresh = row._replace(canon=CANON, hash=look.hash, snapshot=key, changed_at_ms=changed)
        fresh = fresh._replace(shown_snapshot=None, shown_at_ms=self._now)
        self._seen[place] = _Seen(_steady(fresh, self._now, look), look)
        text = SourceTextRow(*place, CANON, look.hash, look.raw, key, self._now)
        self._texts.append(text)
        self._memory.add(text)

    def _read(self, place: Place, outcome: Outcome) -> _Look | _Failed | None:
        """None: the server says that nothing changed."""
        if isinstance(outcome, FetchFailed):
            return _Failed(outcome.cause, outcome.reason)
        if outcome.unchanged:
            return None
        with item(outcome.url):
            reading = read_page(outcome, place[1] or None)
            if isinstance(reading, Unusable):
                return _Failed("unusable", reading.reason)
            return _Look(reading.text, canonical_hash(reading.text), raw_hash(outcome.body), outcome)
        return _Failed("internal", "Cairn failed to read this page.")

    def _row(self, place: Place) -> SourceRow:
        if place in self._seen:
            return self._seen[place].row
        return self._memory.row(place)

    def keep(self) -> None:
        """Also in between: whoever comes after a kill need not look at everything again. With the hash that today's
        canonicaliser gives to a page which an earlier one read."""
        rows = [seen.row for seen in self._seen.values()]
        self._store.keep_sources(rows, [*self._texts, *self._memory.unlisted(rows, self._now)])

    # --- what it means for an entry --------------------------------------------------------------------------------

    def sighting(self, source: Source) -> SourceLook:
        seen = self._seen[place_of(source)]
        row, look = seen.row, seen.look
        if seen.failed is not None:
            return SourceLook(source, SourceStanding.UNREACHABLE, cause=seen.failed.cause, reason=seen.failed.reason)
        if row.hash is None or row.pending_hash is not None:
            same = look is not None and source.hash in (look.hash, look.raw)
            return self._made(source, SourceStanding.SAME if same else SourceStanding.PENDING, row, look)
        before = self._memory.before(source, row)
        if source.hash in (row.hash, row.raw) or (before is not None and before.hash == row.hash):
            return self._made(source, SourceStanding.SAME, row, look)
        if before is None and not _is_comparable(source):
            return self._made(source, SourceStanding.BASELINE, row, look)
        return self._made(source, SourceStanding.CHANGED, row, look, before)

    def _made(
        self,
        source: Source,
        standing: SourceStanding,
        row: SourceRow,
        look: _Look | None,
        before: SourceTextRow | None = None,
    ) -> SourceLook:
        if look is not None and look.hash != row.hash and standing is not SourceStanding.PENDING:
            look = None  # an unstable page: what is settled counts, not what this look happened to show
        new = look.text if look is not None else self._memory.settled(row)
        old = self._memory.text(before) if before is not None else None
        return SourceLook(source, standing, new, old, row.hash if look is None else look.hash, row.raw)


class SourceMemory:
    """What is known about places from earlier runs."""

    def __init__(self, store: SourceStore, blobs: Blobs) -> None:
        self._blobs = blobs
        self._rows = {(row.url, row.anchor): row for row in store.sources()}
        self._texts: dict[Place, list[SourceTextRow]] = {}
        for text in store.texts():
            self._texts.setdefault((text.url, text.anchor), []).append(text)

    def add(self, text: SourceTextRow) -> None:
        self._texts.setdefault((text.url, text.anchor), []).insert(0, text)

    def unlisted(self, rows: Iterable[SourceRow], now_ms: int) -> Iterator[SourceTextRow]:
        for row in rows:
            known = {text.hash for text in self._texts.get((row.url, row.anchor), ())}
            if row.hash and row.snapshot and row.hash not in known:
                yield SourceTextRow(row.url, row.anchor, CANON, row.hash, row.raw or "", row.snapshot, now_ms)

    def row(self, place: Place) -> SourceRow:
        """With hashes of today's canonicaliser: a new version of it is no drift."""
        row = self._rows.get(place) or SourceRow(*place, canon=CANON)
        if row.canon == CANON:
            return row
        text = self.settled(row)
        row = row._replace(canon=CANON, hash=None if text is None else canonical_hash(text))
        row = row._replace(pending_hash=None, pending_snapshot=None, pending_at_ms=None, etag=None, modified=None)
        self._rows[place] = row
        return row

    def settled(self, row: SourceRow) -> str | None:
        return snapshot_text(self._blobs, row.snapshot, row.anchor)

    def text(self, row: SourceTextRow) -> str | None:
        return snapshot_text(self._blobs, row.snapshot, row.anchor)

    def page(self, source: Source) -> tuple[FetchedPage, int] | None:
        """The newest page that was kept of a source, and since when it has been like this; None when nobody looked."""
        row = self.row(place_of(source))
        data = self._blobs.get(row.shown_snapshot or row.snapshot or "")
        page = unpack(data) if data is not None else None
        return None if page is None else (page, row.shown_at_ms or row.changed_at_ms or row.seen_at_ms or 0)

    def pending(self, row: SourceRow) -> _Look | None:
        """What an earlier run saw once."""
        text = snapshot_text(self._blobs, row.pending_snapshot, row.anchor) if row.pending_hash else None
        if text is None:
            return None
        return _Look(text, canonical_hash(text), "", FetchedPage(row.url, row.url, 200, "", b"", None, None))

    def before(self, source: Source, row: SourceRow) -> SourceTextRow | None:
        """The text that a source's hash was taken of. Without a hash, the newest one of the day of the last look."""
        texts = self._texts.get(place_of(source), [])
        if source.hash is not None:
            found = next((text for text in texts if source.hash in (text.hash, text.raw)), None)
        else:
            found = next(
                (text for text in texts if utc_day(text.seen_at_ms).isoformat() <= (source.retrieved or "")), None
            )
            found = found or (texts[-1] if texts else None)
        if found is not None and found.snapshot == row.snapshot:
            return found._replace(hash=row.hash or found.hash)
        return found

    def remembered(self, source: Source) -> str | None:
        """The text that a source's hash was taken of; of a source without one, what was settled."""
        row = self.row(place_of(source))
        found = self.before(source, row)
        return None if found is None else self.text(found)


def _is_comparable(source: Source) -> bool:
    """Whether its hash says anything about a text that nobody kept: it was made by today's canonicaliser."""
    return source.hash is not None and source.canon == CANON


def _contradicts(source: Source, look: _Look) -> bool:
    return _is_comparable(source) and source.hash not in (look.hash, look.raw)


# --- rows -----------------------------------------------------------------------------------------------------------


def _looked(row: SourceRow, now_ms: int, look: _Look | None = None) -> SourceRow:
    row = row._replace(
        looks=row.looks + 1,
        seen_at_ms=now_ms,
        failures=0,
        cause=None,
        reason=None,
        failed_at_ms=None,
        next_try_ms=None,
    )
    return row if look is None else row._replace(raw=look.raw)


def _steady(row: SourceRow, now_ms: int, look: _Look | None = None) -> SourceRow:
    """Nothing is pending; the server may be asked whether anything changed since."""
    row = _looked(row, now_ms, look)._replace(pending_hash=None, pending_snapshot=None, pending_at_ms=None)
    return row if look is None else row._replace(etag=look.page.etag, modified=look.page.modified)


def _with_failure(row: SourceRow, failed: _Failed, now_ms: int) -> SourceRow:
    failures = row.failures + 1
    return row._replace(
        failures=failures,
        cause=failed.cause,
        reason=failed.reason,
        failed_at_ms=now_ms,
        next_try_ms=next_try(failures, now_ms),
    )
