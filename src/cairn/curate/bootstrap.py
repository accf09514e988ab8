"""Starts a knowledge base from existing documents: imports those that have its form, and asks about the others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.candidate import Fate, KnowledgeCandidate, Quote
from cairn.core.ports.runtime import Progress, Silent
from cairn.curate.ask_reader import DocumentAnswers, Readers
from cairn.curate.bootstrap_survey import (
    ASKED,
    READER,
    RULES,
    BootstrapFiles,
    BootstrapOptions,
    BootstrapState,
    BootstrapSurvey,
    DerivedCandidates,
    Doc,
    Due,
    Estimate,
    survey,
    text_of,
    tokens_to_read,
    total,
)
from cairn.curate.curate import CurateOptions, CurateResult, curate, merged
from cairn.curate.curated_pages import OF_DOCUMENTS, WorkPages
from cairn.curate.document_material import distil_inputs
from cairn.curate.import_document import RemovedStatement, derive, digest_in, origin_of, paired, still_holds
from cairn.curate.land_plan import open_request
from cairn.curate.ports import CuratePorts
from cairn.curate.questions.distil.question import QUESTION as DISTIL
from cairn.curate.questions.found_candidates import candidates_in
from cairn.curate.questions.place.question import QUESTION as PLACE
from cairn.curate.run_journal import FAILED, CurateState, FateStamp
from cairn.curate.shortlist import FOLLOWS
from cairn.errors import CairnError, Refused
from cairn.jobs.ask import ReadNow
from cairn.jobs.run import JobRunSummary
from cairn.jobs.spent import together
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.curate.shortlist import Near

LOCK: Final = "bootstrap"
LOCK_TTL_MS: Final = 900_000
_ROUNDS: Final = 20
_LANDED: Final = (Fate.ADD.value, Fate.MODIFY.value)


class DocumentReading(NamedTuple):
    """What came of one document."""

    path: str
    status: str
    """`done`, `failed`, `unread` when it takes a reader, `asked` when its candidates do, or `waits` when they could not
    be curated for another reason."""
    candidates: tuple[KnowledgeCandidate, ...] = ()
    error: str = ""
    remarks: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    """Pages that were made of it, now and before."""


class NoLonger(NamedTuple):
    """A page rests on words that its document does not have any more."""

    document: str
    page: str
    title: str
    deleted: bool = False
    """The document itself is gone."""


class BootstrapResult(NamedTuple):
    survey: BootstrapSurvey
    documents: tuple[DocumentReading, ...] = ()
    curated: CurateResult | None = None
    no_longer: tuple[NoLonger, ...] = ()
    index_problem: str = ""
    to_read: Estimate | None = None
    """What reading the documents costs that nobody was asked about; None when there are none."""
    tokens: Mapping[str, Estimate] = {}
    """By document that nobody was asked about."""

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(one.path for one in self.documents if one.status == "unread")

    def any(self, *statuses: str) -> bool:
        return any(one.status in statuses for one in self.documents)


def bootstrap(
    ports: CuratePorts, wanted: BootstrapOptions, survey: BootstrapSurvey, progress: Progress | None = None
) -> BootstrapResult:
    """Each document is written down as soon as it is read, so that a run that dies goes on where it was."""
    CurateState(ports).refuse_tracked()
    told = progress or Silent()
    if wanted.dry_run:
        return _Run(ports, wanted, survey, told, lambda: None).rehearsed()
    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS) as lease:
        return _Run(ports, wanted, survey, told, lease.beat).carried_out()


class _Run:
    def __init__(
        self,
        ports: CuratePorts,
        wanted: BootstrapOptions,
        survey: BootstrapSurvey,
        progress: Progress,
        beat: Callable[[], None],
    ) -> None:
        self._ports, self._wanted, self._survey = ports, wanted, survey
        self._reader = _DocumentReader(ports, ask=wanted.ask and not wanted.dry_run)
        self._progress, self._beat = progress, beat
        self._files = BootstrapFiles(ports)
        self._before, _ = self._files.state()
        self._stamps = CurateState(ports).stamps()
        self._pages = WorkPages(ports, _proposed(ports, here=wanted.here))
        self._failed: dict[str, str] = {}
        self._unread: set[str] = set()
        self._asked: set[str] = set()
        self._to_read: set[str] = set()

    def rehearsed(self) -> BootstrapResult:
        derived = self._derived(keep=False)
        curated, no_longer = self._curated(derived)
        documents = tuple(self._read(one, derived.get(one.path), self._stamps) for one in self._survey.due)
        planned = tuple(one._replace(status="done") if one.status in ("waits", "asked") else one for one in documents)
        return self._priced(BootstrapResult(self._survey, planned, curated, no_longer))

    def carried_out(self) -> BootstrapResult:
        derived = self._derived(keep=True)
        curated, no_longer = self._curated(derived)
        stamps = CurateState(self._ports).stamps()
        documents = tuple(self._read(one, derived.get(one.path), stamps) for one in self._survey.due)
        self._keep(documents)
        done = BootstrapResult(self._survey, documents, curated, no_longer, index_problem=self._index(curated))
        return self._priced(done)

    def _priced(self, done: BootstrapResult) -> BootstrapResult:
        tokens = tokens_to_read(self._ports, sorted(self._unread - self._asked))
        return done._replace(to_read=total(self._ports, tokens.values()) if tokens else None, tokens=tokens)

    # --- reading -------------------------------------------------------------------------------------------------

    def _derived(self, *, keep: bool) -> dict[str, DerivedCandidates]:
        """What an earlier run read and did not bring to an end is not read again."""
        known = self._files.derived()
        found: dict[str, DerivedCandidates] = {}
        for number, due in enumerate(self._survey.due):
            self._progress.step("reading", number, len(self._survey.due))
            self._beat()
            earlier = known.get(due.path)
            if earlier is not None and earlier.sha256 == due.sha256 and not self._is_open(earlier):
                found[due.path] = earlier
            elif (derived := self._tried(due, earlier)) is not None:
                if keep and derived != earlier and (derived.by != ASKED or derived.remarks):
                    self._files.add(derived)
                if derived.by != ASKED:
                    found[due.path] = derived
        self._progress.event("bootstrap.read")
        return found

    def _is_open(self, earlier: DerivedCandidates) -> bool:
        """Whether a reader has to answer, or is asked once more because part of an answer was set aside."""
        return earlier.by == ASKED or (earlier.by == READER and bool(earlier.remarks) and self._wanted.ask)

    def _tried(self, due: Due, earlier: DerivedCandidates | None) -> DerivedCandidates | None:
        derived, self._failed[due.path] = None, "Cairn failed to read it"
        try:
            with item(due.path):
                derived = _verbatim(self._ports, due) or self._reader(due, earlier, self._made(due.path))
                del self._failed[due.path]
        except CairnError as error:
            self._failed[due.path] = error.message
        if derived is None or due.path in self._failed:
            return None
        if derived.by == ASKED:
            self._unread.add(due.path)
            if derived.remarks:
                self._asked.add(due.path)
            return derived
        return self._named(derived)

    def _made(self, path: str) -> list["Near"]:
        """Pages that an earlier version of the document led to."""
        doc = self._before.docs.get(path)
        return [] if doc is None else list(_pages_of(doc, self._pages))

    def _named(self, derived: DerivedCandidates) -> DerivedCandidates:
        """A document that nobody remembers is asked about anew, also where a person said no the last time."""
        if derived.path in self._before.docs:
            return derived
        stamps, pages = self._stamps, self._pages
        fresh = tuple(replace(one, origin=_unasked(one.origin, stamps, pages)) for one in derived.candidates)
        return derived._replace(candidates=fresh)

    # --- curating ------------------------------------------------------------------------------------------------

    def _curated(self, derived: Mapping[str, DerivedCandidates]) -> tuple[CurateResult | None, tuple[NoLonger, ...]]:
        candidates: list[KnowledgeCandidate] = []
        revises: dict[str, str] = {}
        no_longer: list[NoLonger] = []
        for path, one in derived.items():
            found = paired([c for c in one.candidates if c.origin not in self._stamps], list(self._gone(one)))
            candidates += (replace(c, supports=found.about.get(c.origin)) for c in one.candidates)
            revises |= found.revises
            no_longer += (NoLonger(path, gone.page.path, gone.page.title) for gone in found.left if gone.origin)
        no_longer += self._of_deleted()
        if not candidates:
            return None, tuple(no_longer)
        how = CurateOptions(
            "here" if self._wanted.here else "request",
            self._wanted.dry_run,
            everything=self._wanted.everything_placed,
        )
        curated = curate(self._ports, how, candidates, revises)
        self._to_read = {one.origin for one in curated.plan.unread}
        return curated, tuple(no_longer)

    def _gone(self, derived: DerivedCandidates) -> Iterator[RemovedStatement]:
        """What the document said before and does not say now, with its page."""
        doc = self._before.docs.get(derived.path)
        if doc is None or doc.content_sha256 == derived.sha256:
            return
        said = {digest_in(one.origin) for one in derived.candidates}
        mine = _stamped(derived.path, self._stamps)
        if not mine:  # another program made the pages, and nobody knows of which words
            yield from (RemovedStatement("", page) for page in _pages_of(doc, self._pages))
        kept = {stamp.node for stamp in mine if digest_in(stamp.origin) in said}
        for stamp in mine:
            page = self._pages.near(stamp.node) if digest_in(stamp.origin) not in said else None
            if page is not None and page.derived_from == (derived.path,):  # else others say it still
                gone = RemovedStatement(stamp.origin, page)
                if stamp.node not in kept or still_holds(gone):
                    yield gone

    def _of_deleted(self) -> Iterator[NoLonger]:
        """Named until nobody rests on them."""
        for path in self._survey.deleted:
            for page in _pages_of(self._before.docs[path], self._pages):
                if _rests_on(path, page):
                    yield NoLonger(path, page.path, page.title, deleted=True)

    # --- the end -------------------------------------------------------------------------------------------------

    def _read(self, due: Due, derived: DerivedCandidates | None, stamps: Mapping[str, FateStamp]) -> DocumentReading:
        if due.path in self._unread:
            return DocumentReading(due.path, "unread")
        if derived is None:
            return DocumentReading(due.path, "failed", error=self._failed.get(due.path, ""))
        open_ = {one.origin for one in derived.candidates if one.origin not in stamps}
        nodes = dict.fromkeys(_node(path) for one in derived.candidates if (path := _page_of(one, stamps)))
        status, error = "done", ""
        if open_:
            status = "asked" if open_ <= self._to_read else "waits"
        elif derived.by == READER and derived.remarks:
            status, error = "failed", f"part of the answer was set aside: {'; '.join(derived.remarks)}"
        remarks = () if error else derived.remarks
        return DocumentReading(due.path, status, derived.candidates, error, remarks, tuple(nodes))

    def _keep(self, documents: Sequence[DocumentReading]) -> None:
        now = iso_utc(self._ports.clock.now_ms())
        hashes = {one.path: one.sha256 for one in self._survey.due}
        done = [one for one in documents if one.status == "done"]
        state = self._before
        for one in done:
            state = state.processed(one.path, hashes[one.path], at=now, nodes=one.nodes)
        state = state.without(self._settled_deletions())
        self._files.keep(self._dated(state, now, any_done=bool(done)))
        self._files.settle(state, {one.path for one in documents if one.status != "done"})

    def _settled_deletions(self) -> list[str]:
        open_ = {one.document for one in self._of_deleted()}
        return [path for path in self._survey.deleted if path not in open_]

    def _dated(self, state: BootstrapState, now: str, *, any_done: bool) -> BootstrapState:
        if self._wanted.incremental:
            return replace(state, last_incremental_at=now) if any_done else state
        through = self._wanted.everything and (any_done or not self._survey.due)
        return replace(state, last_full_bootstrap_at=now) if through else state

    def _index(self, curated: CurateResult | None) -> str:
        """INDEX and GRAPH of an older base, once pages were written here."""
        if curated is None or not curated.landed.written:
            return ""
        from cairn.curate.index_documents import rebuild_documents

        return rebuild_documents(self._ports).problem


def _stamped(path: str, stamps: Mapping[str, FateStamp]) -> list[FateStamp]:
    begins = f"{OF_DOCUMENTS}{path}:"
    return [one for origin, one in stamps.items() if origin.startswith(begins) and one.fate in _LANDED and one.node]


def _page_of(candidate: KnowledgeCandidate, stamps: Mapping[str, FateStamp]) -> str:
    """That it led to; or that another document led to which says the same."""
    stamp = stamps.get(candidate.origin)
    leader = (
        stamps.get(stamp.reason.split(FOLLOWS)[-1].partition(",")[0]) if stamp and FOLLOWS in stamp.reason else None
    )
    found = leader or stamp
    return found.node if found is not None and found.fate in _LANDED else ""


def _rests_on(path: str, page: "Near") -> bool:
    return path in page.derived_from


def _node(path: str) -> str:
    """`<kind>/<file>.md`, whatever the layout has in front."""
    return "/".join(path.split("/")[-2:])


def _pages_of(doc: Doc, pages: WorkPages) -> "Iterator[Near]":
    for node in doc.produced_nodes:
        places = (f"{corpus.root}/{folder}{node}" for corpus in pages.knowledge.corpora for folder in ("", "nodes/"))
        yield from (page for place in places if (page := pages.near(place.lstrip("/"))) is not None)


def _proposed(ports: CuratePorts, *, here: bool) -> dict[str, str]:
    """What an open request would write."""
    try:
        found = None if here else open_request(ports)
    except CairnError:  # whoever curates says what to do about it
        return {}
    return found.texts if found else {}


def _unasked(origin: str, stamps: Mapping[str, FateStamp], pages: WorkPages) -> str:
    """The origin, or one for a second time, where the page that it once led to was not wanted or went away."""
    number, name = 1, origin
    while (stamp := stamps.get(name)) is not None:
        if stamp.fate not in (*_LANDED, FAILED) or pages.read(stamp.node) is not None:
            return name
        number += 1
        name = f"{origin}~{number}"
    return name


# --- who reads --------------------------------------------------------------------------------------------------------


def unread_documents(ports: CuratePorts, survey: BootstrapSurvey) -> dict[str, Estimate]:
    """Documents that take a reader, and that nobody was asked about yet, with what that costs."""
    known = BootstrapFiles(ports).derived()
    paths = []
    for due in survey.due:
        earlier = known.get(due.path)
        with item(due.path):
            if (earlier is None or earlier.sha256 != due.sha256) and _verbatim(ports, due) is None:
                paths.append(due.path)
    return tokens_to_read(ports, paths)


def _verbatim(ports: CuratePorts, due: Due) -> DerivedCandidates | None:
    found = derive(text_of(ports, due.path), path=due.path)
    if found is None:
        return None
    clean, remarks = _clean(found)
    return DerivedCandidates(due.path, due.sha256, RULES, clean, remarks)


def _clean(candidates: Sequence[KnowledgeCandidate]) -> tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]:
    """What looks like a secret stays where it is."""
    from cairn.lib.scrub.find import redact

    kept = tuple(one for one in candidates if not redact(f"{one.title}\n{one.summary}\n{one.body}").counts)
    gone = len(candidates) - len(kept)
    return kept, (f"{gone} with what looks like a secret or personal data left out",) if gone else ()


class _DocumentReader:
    """Asks about documents, and makes candidates of the answers."""

    def __init__(self, ports: CuratePorts, *, ask: bool) -> None:
        self._ports, self._ask = ports, ask
        self._readers = Readers(ports)

    def __call__(self, due: Due, earlier: DerivedCandidates | None, made: Sequence["Near"]) -> DerivedCandidates:
        """By `ASKED` while an answer is missing."""
        questions: Sequence[str] = ()
        if earlier is not None and (earlier.sha256, earlier.by) == (due.sha256, ASKED):
            questions = earlier.remarks
        found = self._readers.document_answers(questions) if questions else None
        if self._ask and (found is None or found.failed):
            was_read = earlier is not None and earlier.by == READER
            questions = self._asked(due, made, again=was_read or found is not None)
            found = self._readers.document_answers(questions)
        if found is not None and found.failed and not found.waits:
            raise Refused(f"no reader could answer: {found.failed}")
        if found is None or found.waits or found.failed:
            return DerivedCandidates(due.path, due.sha256, ASKED, (), tuple(questions))
        return self._derived(due, found)

    def _asked(self, due: Due, made: Sequence["Near"], *, again: bool) -> list[str]:
        origin = f"{OF_DOCUMENTS}{due.path}:"  # a document is not compared with documents: it would find itself

        def near(candidate: KnowledgeCandidate) -> list["Near"]:
            return self._readers.near(replace(candidate, origin=origin))

        facts = distil_inputs(text_of(self._ports, due.path), path=due.path, made=made, near=near)
        return self._readers.ask_document(facts, due.path, again=again)

    def _derived(self, due: Due, found: DocumentAnswers) -> DerivedCandidates:
        text = text_of(self._ports, due.path)
        new = candidates_in(
            {"candidates": found.items},
            where=due.path,
            said_at=None,
            origin=lambda one: origin_of(due.path, one["body"]),
        )
        placed = tuple({one.origin: _placed(one, text) for one in new}.values())
        return DerivedCandidates(due.path, due.sha256, READER, placed, found.problems)


def _placed(candidate: KnowledgeCandidate, text: str) -> KnowledgeCandidate:
    """With its quotes as they stand in the file, which is not what was sent where something was taken out."""
    found = ((quote, text.find(quote.text)) for quote in candidate.quotes)
    quotes = (
        Quote(quote.where, quote.text, start, start + len(quote.text)) if start >= 0 else Quote(quote.where, quote.text)
        for quote, start in found
    )
    return replace(candidate, quotes=tuple(quotes))


def bootstrap_with(
    ports: CuratePorts,
    wanted: BootstrapOptions,
    found: BootstrapSurvey,
    reader: ReadNow | None,
    progress: Progress | None = None,
) -> tuple[BootstrapResult, JobRunSummary | None]:
    """With a reader, questions are answered right away, and so are those that follow."""
    done = bootstrap(ports, wanted, found, progress)
    spent: JobRunSummary | None = None
    idle = 0
    for _ in range(_ROUNDS if reader and not wanted.dry_run else 0):
        left = {one.path for one in done.documents if one.status in ("unread", "asked")}
        if not left or reader is None:
            break
        summary = reader((DISTIL.id, PLACE.id))
        spent = together(spent, summary)
        narrow = found._replace(due=tuple(due for due in found.due if due.path in left))
        done = _merged(done, bootstrap(ports, wanted._replace(ask=False), narrow, progress))
        idle = 0 if summary.attempted else idle + 1
        if idle > 1 or summary.stopped:
            break
    return done, spent


def _merged(first: BootstrapResult, second: BootstrapResult) -> BootstrapResult:
    documents = {one.path: one for one in first.documents} | {one.path: one for one in second.documents}
    both = first.curated and second.curated
    curated = merged(first.curated, second.curated) if both else second.curated or first.curated  # type: ignore[arg-type]
    return second._replace(
        survey=first.survey,
        documents=tuple(documents.values()),
        curated=curated,
        no_longer=tuple(dict.fromkeys((*first.no_longer, *second.no_longer))),
    )


# --- when somebody else answered --------------------------------------------------------------------------------------


def follow_documents(ports: CuratePorts) -> Sequence[str]:
    """Uses the answers about documents, and asks what follows from them."""
    known = BootstrapFiles(ports).derived().values()
    paths = tuple(one.path for one in known if one.by in (ASKED, READER) and ports.files.exists(one.path))
    if not paths:
        return ()
    wanted = BootstrapOptions(paths, everything_placed=True, ask=False)
    try:
        done = bootstrap(ports, wanted, survey(ports, wanted))
    except CairnError as error:
        return (f"documents wait: {error.message}",)
    read = [one for one in done.documents if one.status == "done"]
    request = done.curated.landed.request if done.curated else ""
    told = [f"{len(read):,} document{'' if len(read) == 1 else 's'} read"] if read else []
    told += [f"their pages are in change request {request}"] if request else []
    return (*told, *(f"{one.path}: {one.error}" for one in done.documents if one.status == "failed"))
