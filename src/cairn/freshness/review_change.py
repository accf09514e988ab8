"""A second opinion about a request or a diff: does it agree with its sources? A person decides."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from cairn.changes.requests import keep_opinion
from cairn.core.model.change import ChangeRequest, ChangeSet, GateRuling, Level, RequestState, Taint
from cairn.core.model.knowledge import Entry, Source
from cairn.core.ports.jobs import ExecutionFilter
from cairn.errors import CairnError, Refused
from cairn.freshness.ask_reader import ask_fresh
from cairn.freshness.audit import EntryPage, SourceVersions, gather, page_of, ports_of
from cairn.freshness.editions import pins_of
from cairn.freshness.extractive.audit import MODEL
from cairn.freshness.extractive.claims import Claim, Fact, bond, claims, facts_of, stands_in, weights_of
from cairn.freshness.extractive.passages import Passage, passages
from cairn.freshness.frontier import EditionAhead, Frontier, shortened
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.questions.review.question import QUESTION as REVIEW
from cairn.freshness.questions.still_true.about_entry import LONGEST_SOURCE
from cairn.freshness.sources import SourceMemory, place_of
from cairn.jobs.ask import Answer, AskedQuestion, ReadNow, Unanswered, Waiting, look_up
from cairn.lib.text.atoms import VALUES, Atom

if TYPE_CHECKING:
    from cairn.jobs.run import JobRunSummary

GATE: Final = "review"
EXTRACTIVE: Final = MODEL
SUBJECT: Final = "request:"
"""Before the id of a change request, as the subject of a question."""

Kind = Literal["differs", "unsupported", "edition", "disagrees"]

_ALIKE: Final = 0.5
"""Of a passage that says the same with another value."""
_RELATED: Final = 0.3
"""Below, a passage is about something else."""
_MOST: Final = 40


class ReviewFinding(NamedTuple):
    path: str
    kind: Kind
    claim: str
    """As the change would write it."""
    why: str
    """One sentence."""
    source: str = ""
    """Reference."""
    quote: str = ""
    """What the source says."""

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "source": self.source or None, "quote": self.quote or None}


class ReviewOpinion(NamedTuple):
    reviewer: str
    """`extractive/2`, or provider and model."""
    doubts: tuple[ReviewFinding, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the reader should know, one sentence each."""
    looked_at: int = 0
    """Statements that are new."""
    waits: bool = False
    """A reader is asked, and has not answered yet."""

    @property
    def level(self) -> Level:
        if any(doubt.kind != "unsupported" for doubt in self.doubts):
            return Level.WARN
        return Level.NOTE if self.doubts or self.remarks else Level.PASS

    def ruling(self, head: str) -> GateRuling:
        facts = ({"reviewer": self.reviewer, "head": head, "remarks": list(self.remarks)},)
        return GateRuling(
            GATE, self.level, self._reason(), facts + tuple(doubt.json() for doubt in self.doubts[:_MOST])
        )

    def _reason(self) -> str:
        counts = {kind: sum(doubt.kind == kind for doubt in self.doubts) for kind in _WORDS}
        found = [f"{count} {_WORDS[kind]}" for kind, count in counts.items() if count]
        if found:
            return f"By {self.reviewer}, of {_counted(self.looked_at)}: {', '.join(found)}."
        if self.remarks:
            return f"By {self.reviewer}: {self.remarks[0]}"
        return f"By {self.reviewer}: nothing speaks against {_counted(self.looked_at)}."


_WORDS: Final[Mapping[Kind, str]] = {
    "differs": "not what the source says",
    "edition": "about another edition",
    "disagrees": "contradicted by a source",
    "unsupported": "that no source bears out",
}


def _counted(number: int) -> str:
    return f"{number} new statement{'' if number == 1 else 's'}"


class ReviewedSource(NamedTuple):
    reference: str
    text: str


class ProposedPage(NamedTuple):
    """A page as a change would leave it."""

    entry: Entry
    body: str
    before: str
    """The body as it is; empty when the page is new."""
    edition_before: str | None
    sources: tuple[ReviewedSource, ...]


def opinion_of(
    kind_of_reviewer: str, pages: Sequence[ProposedPage], ahead: Mapping[str, EditionAhead]
) -> ReviewOpinion:
    """By comparison alone: no model, nothing sent."""
    doubts: list[ReviewFinding] = []
    count = 0
    for page in pages:
        fresh = new_claims(page)
        count += len(fresh)
        doubts += _about_edition(page, ahead.get(page.entry.path))
        doubts += _Sources(page).doubts(fresh)
    return ReviewOpinion(kind_of_reviewer, tuple(doubts), looked_at=count)


def new_claims(page: ProposedPage) -> list[Claim]:
    """What the page says that it did not say before; code shows, and claims nothing."""
    known = {claim.text for claim in claims(page.entry, page.before)} if page.before else set()
    return [claim for claim in claims(page.entry, page.body) if claim.text not in known and not claim.code]


def _about_edition(page: ProposedPage, ahead: EditionAhead | None) -> Iterator[ReviewFinding]:
    entry = page.entry
    if ahead is not None and ahead.own.pinned:
        claim = f"version-pin: {entry.edition}"
        yield ReviewFinding(entry.path, "edition", claim, ahead.said, ahead.source.reference, ahead.sentence)
    if entry.edition and entry.edition != page.edition_before and page.sources:
        for pin in pins_of(entry.edition):
            if pin.version not in (page.edition_before or "") and not any(pin.version in s.text for s in page.sources):
                why = f"No source that was kept says {pin.version} of {pin.family}."
                yield ReviewFinding(entry.path, "edition", f"version-pin: {entry.edition}", why)


# --- claims and passages --------------------------------------------------------------------------------------------


class _Sources:
    def __init__(self, page: ProposedPage) -> None:
        self._path = page.entry.path
        self._passages = [(one, text.reference) for text in page.sources for one in passages(text.text)]
        whole = "\n".join(text.text for text in page.sources)
        self._weights = weights_of(whole, len(self._passages))

    def doubts(self, fresh: Sequence[Claim]) -> Iterator[ReviewFinding]:
        if self._passages:
            for claim in fresh:
                yield from self._about(claim)

    def _about(self, claim: Claim) -> Iterator[ReviewFinding]:
        values = frozenset(atom.key for atom in claim.atoms if atom.kind in VALUES)
        scored = [(bond(claim, one, self._weights, values), one, where) for one, where in self._passages]
        best, passage, where = max(scored, key=lambda scored_one: scored_one[0])
        if best < _RELATED:
            if nowhere := next((fact for fact in facts_of(claim) if not self._contains(fact, claim)), None):
                why = f"No source that was kept contains `{nowhere.text}`."
                yield ReviewFinding(self._path, "unsupported", shortened(claim.text), why)
            return
        near = [one for bound, one, _ in scored if bound >= min(best, _ALIKE)]
        missing = [atom for atom in claim.atoms if atom.key in values and not any(atom.key in one.keys for one in near)]
        if best >= _ALIKE and (pair := _other_value(missing, passage)):
            why = f"It says {pair[0].text}, the source {pair[1].text}."
            yield ReviewFinding(self._path, "differs", shortened(claim.text), why, where, shortened(passage.text))

    def _contains(self, fact: Fact, claim: Claim) -> bool:
        return any(stands_in(fact, one, claim) for one, _ in self._passages)


def _other_value(missing: Sequence[Atom], passage: Passage) -> tuple[Atom, Atom] | None:
    """A value of the claim that the passage has not, and one of the same kind that it has instead."""
    for atom in missing:
        for other in passage.atoms:
            if other.kind == atom.kind and _unit(other) == _unit(atom) and other.key != atom.key:
                return atom, other
    return None


def _unit(atom: Atom) -> str:
    return atom.key.partition(" ")[2]


class ReviewResult(NamedTuple):
    opinion: ReviewOpinion
    request: ChangeRequest | None
    """With the opinion in it; None where a diff was looked at."""
    spent: "JobRunSummary | None" = None
    """None when no reader was asked to answer now."""


def review_request(ports: FreshnessPorts, id: str, reader: ReadNow | None = None) -> ReviewResult:
    """The opinion is about the request as it is; another proposal takes it away again. Without a reader the question
    waits, and the opinion is that of the comparison until it is answered."""
    request = ports.forge.request(id)
    if not request.active:
        raise Refused(f"{request.id} is {request.state}; an opinion about it would come too late.", id=request.id)
    opinion, spent = _reviewed(ports, ports.forge.change(request.id), f"{SUBJECT}{request.id}", reader, queue=True)
    return ReviewResult(opinion, keep_opinion(ports, request, opinion.ruling(request.head)), spent)


def review_diff(ports: FreshnessPorts, diff: bytes, reader: ReadNow | None = None) -> ReviewResult:
    """Nothing is asked without a reader: the next edit makes another diff."""
    from cairn.changes.check_changes import GateRequest, change_of

    change = change_of(ports, GateRequest(diff=diff))
    opinion, spent = _reviewed(ports, change, f"diff:{sha256(diff).hexdigest()[:12]}", reader, queue=False)
    return ReviewResult(opinion, None, spent)


def _reviewed(
    ports: FreshnessPorts, change: ChangeSet, subject: str, reader: ReadNow | None, *, queue: bool
) -> "tuple[ReviewOpinion, JobRunSummary | None]":
    look = _Look(ports, change)
    asked = question_about_change(subject, change, look.pages) if look.pages else None
    spent = None
    if asked is not None and (queue or reader is not None):
        ask_fresh(ports, asked, again=reader is not None)
        spent = None if reader is None else reader((asked.question.id,))
    opinion = _opinion(ports, look, asked)
    remarks = (*_same(change, opinion.reviewer), *opinion.remarks, *look.remarks)
    return opinion._replace(remarks=remarks), spent


def _opinion(ports: FreshnessPorts, look: "_Look", asked: AskedQuestion | None) -> ReviewOpinion:
    """That of a reader who answered, else that of the comparison."""
    outcome = None if asked is None else look_up(asked, store=ports.store.jobs)
    if isinstance(outcome, Answer) and asked is not None:
        fresh = sum(len(new_claims(page)) for page in look.pages)
        return opinion_from(outcome, asked.input, fresh)
    ahead = {page.entry.path: found for page in look.pages if (found := look.frontier.ahead(page.entry))}
    opinion = opinion_of(EXTRACTIVE, look.pages, ahead)
    match outcome:
        case Unanswered(reason, message, _):
            return opinion._replace(remarks=(f"No reader could answer: {message or reason}",))
        case Waiting():
            return opinion._replace(waits=True)
    return opinion


def question_about_change(subject: str, change: ChangeSet, pages: Sequence[ProposedPage]) -> AskedQuestion:
    sources = {source.reference: source.text for page in pages for source in page.sources}
    facts = {
        "title": change.title,
        "pages": [_page_facts(page) for page in pages],
        "evidence": list(dict.fromkeys(_quotes(change))),
        "sources": [
            {"reference": reference, "text": text[:LONGEST_SOURCE], "cut": len(text) > LONGEST_SOURCE}
            for reference, text in sources.items()
        ],
    }
    return AskedQuestion(REVIEW, subject, facts, max(change.taint, Taint.REPOSITORY))


def _page_facts(page: ProposedPage) -> dict[str, Any]:
    after = {claim.text for claim in claims(page.entry, page.body)}
    return {
        "path": page.entry.path,
        "edition": page.entry.edition,
        "edition_before": page.edition_before,
        "new": [claim.text for claim in new_claims(page)],
        "gone": [one.text for one in claims(page.entry, page.before) if one.text not in after] if page.before else [],
        "text": page.body,
    }


def _quotes(change: ChangeSet) -> Iterator[str]:
    for verdict in _verdicts(change):
        for finding in verdict.get("findings") or ():
            quote = " ".join(str(finding.get("source_excerpt") or finding.get("previous_excerpt") or "").split())
            if quote:
                yield f"{finding.get('evidence_url')}: “{quote[:500]}”"


def opinion_from(answer: Answer, facts: Mapping[str, Any], looked_at: int) -> ReviewOpinion:
    """Of a reader, whose quotes were looked up."""
    doubts = [
        ReviewFinding(
            item["page"],
            "disagrees",
            shortened(item["claim"]),
            " ".join(item["why"].split())[:300],
            facts["sources"][item["source"] - 1]["reference"],
            shortened(item["quote"]),
        )
        for item in answer.value["objections"]
    ]
    reviewer = f"{answer.runner or 'reader'}/{answer.model or '?'}"
    return ReviewOpinion(reviewer, tuple(doubts), tuple(answer.problems), looked_at)


def _same(change: ChangeSet, reviewer: str) -> tuple[str, ...]:
    """Whoever made a change is no second opinion about it."""
    if any(str(verdict.get("model", "")) == reviewer for verdict in _verdicts(change)):
        return (f"{reviewer} made this change itself; ask another with --with.",)
    return ()


def _verdicts(change: ChangeSet) -> list[Mapping[str, Any]]:
    said = change.evidence.get("verdict")
    return [one for one in (said if isinstance(said, list) else [said]) if isinstance(one, dict)]


# --- when somebody else answered --------------------------------------------------------------------------------------


def follow_reviews(ports: FreshnessPorts) -> Sequence[str]:
    """Puts the answers about requests that are still open into them."""
    rows = ports.store.jobs.executions(ExecutionFilter(("completed",), (REVIEW.id,)))
    answered = {row.node_id.removeprefix(SUBJECT) for row in rows if row.node_id.startswith(SUBJECT)}
    told = []
    for request in ports.forge.requests(states=(RequestState.OPEN, RequestState.READY)) if answered else ():
        if request.id in answered and not _is_kept(request):
            opinion, _ = _reviewed(ports, ports.forge.change(request.id), f"{SUBJECT}{request.id}", None, queue=True)
            ruling = opinion.ruling(request.head)
            if not opinion.reviewer.startswith("extractive/"):
                keep_opinion(ports, request, ruling)
                told.append(f"{request.id}: {ruling.reason}")
    return told


def _is_kept(request: ChangeRequest) -> bool:
    """Whether a reader's opinion about this very proposal is in the request."""
    facts = [ruling.evidence[0] for ruling in request.rulings if ruling.gate == GATE and ruling.evidence]
    return any(
        one.get("head") == request.head and not str(one.get("reviewer", "")).startswith("extractive/") for one in facts
    )


# --- what there is to look at -----------------------------------------------------------------------------------------


class _Look:
    """Pages of a change as they would be, with what was kept of their sources. Nothing is fetched."""

    def __init__(self, ports: FreshnessPorts, change: ChangeSet) -> None:
        self._ports = ports
        self._memory = SourceMemory(ports.store.web, ports.blobs)
        self.frontier = Frontier(ports)
        self.remarks: list[str] = []
        self.pages: list[ProposedPage] = []
        paths = [edit.path for edit in change.edits if edit.content is not None]
        before = (
            ports.vcs.show([(change.base, path) for path in paths]) if paths and change.base else [None] * len(paths)
        )
        contents = {edit.path: edit.content for edit in change.edits}
        for path, old in zip(paths, before, strict=True):
            self._add(path, contents[path] or b"", old)
        if not self.pages:
            self.remarks.append("There is no page in it whose sources could be compared.")

    def _add(self, path: str, data: bytes, old: bytes | None) -> None:
        after, before = self._page(path, data), self._page(path, old) if old is not None else None
        if after is None:
            return
        if not after.entry.sources:
            self.remarks.append(f"{path} names no sources, so there is nothing to compare it with.")
            return
        sources = tuple(text for source in after.entry.sources if (text := self._text(source, path)))
        body, edition = (before.body, before.entry.edition) if before else ("", None)
        self.pages.append(ProposedPage(after.entry, after.body, body, edition, sources))

    def _page(self, path: str, data: bytes) -> EntryPage | None:
        try:
            return page_of(self._ports, path, data)
        except CairnError:
            return None  # no page, or one that the gate `validate` speaks about

    def _text(self, source: Source, path: str) -> ReviewedSource | None:
        if source.kind == "path":
            [seen] = gather([source], ports_of(self._ports), page=path)
            return ReviewedSource(source.reference, seen.text) if isinstance(seen, SourceVersions) else None
        row = self._memory.row(place_of(source))
        text = self._memory.settled(row)
        if text is None:
            self.remarks.append(f"Nobody kept what {source.reference} says; `cairn freshness run` looks at it.")
            return None
        return ReviewedSource(source.reference, text)
