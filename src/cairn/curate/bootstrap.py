"""Starts a knowledge base from existing documents: imports those that have its form, or lets a model read them all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.candidate import Fate, KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.model_budget import RunnerFailed
from cairn.core.ports.runtime import Progress, Silent
from cairn.curate.bootstrap_survey import (
    RULES,
    BootstrapFiles,
    BootstrapOptions,
    BootstrapState,
    BootstrapSurvey,
    DerivedCandidates,
    Doc,
    Due,
    Estimate,
    estimate,
    text_of,
    tokens_to_read,
)
from cairn.curate.curate import CurateOptions, CurateResult, curate
from cairn.curate.curated_pages import OF_DOCUMENTS, WorkPages
from cairn.curate.import_document import MOST, RemovedStatement, derive, digest_in, origin_of, paired, still_holds
from cairn.curate.land_plan import open_request
from cairn.curate.ports import CuratePorts
from cairn.curate.proposal_prompt import document_questions, read_answer
from cairn.curate.run_journal import FAILED, CurateState, FateStamp
from cairn.curate.shortlist import FOLLOWS
from cairn.errors import CairnError, Refused
from cairn.journal import iso_utc
from cairn.lib.injection.marks import marks
from cairn.lib.scrub.find import redact

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner
    from cairn.curate.shortlist import Near

LOCK: Final = "bootstrap"
LOCK_TTL_MS: Final = 900_000
_ENOUGH: Final = 3
"""Documents in a row that a model fails at, before the others are left for another run."""
_LANDED: Final = (Fate.ADD.value, Fate.MODIFY.value)


class DocumentReading(NamedTuple):
    """What came of one document."""

    path: str
    status: str
    """`done`, `failed`, `unread` when it takes a reader, or `waits` when its candidates could not be curated yet."""
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
    metered: "MeteredRunner | None" = None
    index_problem: str = ""
    to_read: Estimate | None = None
    """What reading the unread documents would cost; None when there are none."""
    tokens: Mapping[str, int] = {}
    """By unread document, what a model would read."""

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(one.path for one in self.documents if one.status == "unread")

    def any(self, *statuses: str) -> bool:
        return any(one.status in statuses for one in self.documents)


_Reader = Callable[[Due], DerivedCandidates | None]
"""None for a document that only a model can read."""


def bootstrap(
    ports: CuratePorts, wanted: BootstrapOptions, survey: BootstrapSurvey, progress: Progress | None = None
) -> BootstrapResult:
    """Each document is written down as soon as it is read, so that a run that dies goes on where it was."""
    CurateState(ports).refuse_tracked()
    reader, metered = _reader(ports, wanted)
    told = progress or Silent()
    if wanted.dry_run:
        run = _Run(ports, wanted, survey, reader, told, lambda: None)
        return run.rehearsed()._replace(metered=metered)
    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS) as lease:
        run = _Run(ports, wanted, survey, reader, told, lease.beat)
        return run.carried_out()._replace(metered=metered)


class _Run:
    def __init__(
        self,
        ports: CuratePorts,
        wanted: BootstrapOptions,
        survey: BootstrapSurvey,
        reader: _Reader,
        progress: Progress,
        beat: Callable[[], None],
    ) -> None:
        self._ports, self._wanted, self._survey, self._reader = ports, wanted, survey, reader
        self._progress, self._beat = progress, beat
        self._files = BootstrapFiles(ports)
        self._before, _ = self._files.state()
        self._stamps = CurateState(ports).stamps()
        self._pages = WorkPages(ports, _proposed(ports, here=wanted.here))
        self._failed: dict[str, str] = {}
        self._unread: set[str] = set()

    def rehearsed(self) -> BootstrapResult:
        if self._wanted.provider != RULES:  # a model that is only asked for show costs what it costs
            return BootstrapResult(self._survey, (), None, tuple(self._of_deleted()))
        derived = self._derived(keep=False)
        curated, no_longer = self._curated(derived)
        documents = tuple(self._read(one, derived.get(one.path), self._stamps) for one in self._survey.due)
        planned = tuple(one._replace(status="done") if one.status == "waits" else one for one in documents)
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
        tokens = tokens_to_read(self._ports, sorted(self._unread))
        cost = estimate(self._ports, tokens) if tokens else None
        return done._replace(to_read=cost, tokens={path: sum(some) for path, some in tokens.items()})

    # --- reading -------------------------------------------------------------------------------------------------

    def _derived(self, *, keep: bool) -> dict[str, DerivedCandidates]:
        """What an earlier run read and did not bring to an end is not read again."""
        known = self._files.derived() if keep else {}
        found: dict[str, DerivedCandidates] = {}
        in_a_row = 0
        for number, due in enumerate(self._survey.due):
            self._progress.step("reading", number, len(self._survey.due))
            self._beat()
            earlier = known.get(due.path)
            if earlier is not None and (earlier.sha256, earlier.by) == (due.sha256, self._wanted.provider):
                found[due.path] = earlier
            elif in_a_row >= _ENOUGH:
                self._failed[due.path] = f"not read, since the {_ENOUGH} before it failed"
            elif (derived := self._tried(due)) is None:
                in_a_row += due.path in self._failed
            else:
                in_a_row = 0
                found[due.path] = derived
                if keep:
                    self._files.add(derived)
        self._progress.event("bootstrap.read")
        return found

    def _tried(self, due: Due) -> DerivedCandidates | None:
        derived, self._failed[due.path] = None, "Cairn failed to read it"
        try:
            with item(due.path):
                derived = self._reader(due)
                del self._failed[due.path]
        except CairnError as error:
            self._failed[due.path] = error.message
        if due.path in self._failed:
            return None
        if derived is None:
            self._unread.add(due.path)
            return None
        return self._named(derived)

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
        how = CurateOptions("here" if self._wanted.here else "request", self._wanted.dry_run)
        return curate(self._ports, how, candidates, revises), tuple(no_longer)

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
        waits = any(one.origin not in stamps for one in derived.candidates)
        nodes = dict.fromkeys(_node(path) for one in derived.candidates if (path := _page_of(one, stamps)))
        return DocumentReading(
            due.path, "waits" if waits else "done", derived.candidates, "", derived.remarks, tuple(nodes)
        )

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


def _reader(ports: CuratePorts, wanted: BootstrapOptions) -> "tuple[_Reader, MeteredRunner | None]":
    if wanted.provider == RULES:
        return lambda due: _verbatim(ports, due), None

    metered = ports.model_runner(wanted.provider, budget=wanted.budget, stage="bootstrap")
    return lambda due: _by_model(ports, due, metered, wanted), metered


def _verbatim(ports: CuratePorts, due: Due) -> DerivedCandidates | None:
    found = derive(text_of(ports, due.path), path=due.path)
    if found is None:
        return None
    clean, remarks = _clean(found)
    return DerivedCandidates(due.path, due.sha256, RULES, clean, remarks)


def _by_model(ports: CuratePorts, due: Due, runner: "MeteredRunner", wanted: BootstrapOptions) -> DerivedCandidates:

    found, remarks = ask(runner, text_of(ports, due.path), path=due.path, timeout_seconds=wanted.timeout_seconds)
    clean, more = _clean(found)
    return DerivedCandidates(due.path, due.sha256, wanted.provider, clean, (*remarks, *more))


def _clean(candidates: Sequence[KnowledgeCandidate]) -> tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]:
    """What looks like a secret stays where it is."""
    from cairn.lib.scrub.find import redact

    kept = tuple(one for one in candidates if not redact(f"{one.title}\n{one.summary}\n{one.body}").counts)
    gone = len(candidates) - len(kept)
    return kept, (f"{gone} with what looks like a secret or personal data left out",) if gone else ()


def ask(
    runner: "MeteredRunner", text: str, *, path: str, timeout_seconds: float
) -> tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]:
    """The candidates of a document, and why others were set aside. Raises a sentence when there is no answer."""
    found: list[KnowledgeCandidate] = []
    remarks: list[str] = []
    for prompt, part in document_questions(redact(text).text, path=path):
        try:
            answer = runner.run(prompt, timeout_seconds=timeout_seconds)
        except RunnerFailed as failed:
            raise Refused(str(failed)) from None
        read = read_answer(answer.text, (part,), where=path, said_at=None)
        if read.problem:
            raise Refused(f"{answer.provider}/{answer.model}: {read.problem}")
        found += read.candidates
        remarks += (*read.remarks, *read.errors)
    placed = [one for one in (_placed(candidate, text, path) for candidate in found) if one is not None]
    if len(placed) < len(found):
        remarks.append(f"{len(found) - len(placed)} whose quotes are not in the document set aside")
    return tuple(placed[:MOST]), tuple(remarks)


def _placed(candidate: KnowledgeCandidate, text: str, path: str) -> KnowledgeCandidate | None:
    """With its quote as it stands in the file, which is not what was sent where something was taken out."""
    quote = candidate.quotes[0].text
    start = text.find(quote)
    if start < 0:
        return None
    return replace(
        candidate,
        origin=origin_of(path, candidate.body),
        quotes=(Quote(path, quote, start, start + len(quote)),),
        taint=Taint.OUTSIDE if marks(text) else Taint.MODEL,
    )
