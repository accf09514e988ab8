"""Candidates as a session's log keeps them: what is proposed, its name, and reading it again without trusting it.

The head of a log holds `proposals: {practice: […], map: […]}`. A candidate is named by its place there, so lists only
ever grow: what is proposed later stands behind what was proposed before. Keys that others add to an item stay.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, get_args

from cairn.core.cues import _MARK, kept
from cairn.core.model.candidate import CONFIDENCES, KEEP_TAG, Kind, KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.model.session import SessionLog
from cairn.core.session_log import SpokenText
from cairn.lib.markdown.blocks import sentences

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
TITLE_LONGEST: Final = 80
MEMORY_ORIGIN: Final = "harness-memory:"
"""How origins of candidates begin that files of agents hold."""
SUMMARY_LONGEST: Final = 140
BODY_LONGEST: Final = 4000
TAGS_MOST: Final = 5

_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_TAINTS: Final = {taint.word: taint for taint in Taint}


class Proposals(NamedTuple):
    candidates: tuple[KnowledgeCandidate, ...]
    problems: tuple[str, ...]
    """One sentence for each item that could not be read; the others are not touched by it."""


def read_proposals(value: Any, *, session: str, where: str, said_at: str | None = None) -> Proposals:
    """What stands in the head of the log `where`. The places of items that are no candidates stay taken."""
    found: list[KnowledgeCandidate] = []
    problems: list[str] = []
    for kind, index, item in _items(value):
        problem = _problem(item, kind)
        if problem:
            problems.append(f"{where}: {kind} {index}: {problem}")
        else:
            found.append(_candidate(item, kind, origin_of(session, kind, index), where, said_at))
    return Proposals(tuple(found), tuple(problems))


def _items(value: Any) -> Iterator[tuple[Kind, int, Any]]:
    lists = value if isinstance(value, Mapping) else {}
    for kind in KINDS:
        items = lists.get(kind)
        for index, item in enumerate(items if isinstance(items, list) else ()):
            yield kind, index, item


def origin_of(session: str, kind: Kind, index: int) -> str:
    return f"{session}:{kind}:{index}"


def _problem(item: Any, kind: Kind) -> str:
    """The first thing that keeps an item from being a candidate; empty when nothing does."""
    if not isinstance(item, Mapping):
        return "it is no mapping"
    if item.get("kind", kind) != kind:
        return f"its kind is `{item['kind']}`, which is not that of its list"
    for name in ("title", "summary", "body"):
        if not isinstance(item.get(name), str) or not item[name].strip():
            return f"its {name} is missing"
    return ""


def _candidate(item: Mapping[str, Any], kind: Kind, origin: str, where: str, said_at: str | None) -> KnowledgeCandidate:
    confidence = item.get("confidence")
    return KnowledgeCandidate(
        origin=origin,
        kind=kind,
        title=one_line(item["title"], TITLE_LONGEST),
        summary=one_line(item["summary"], SUMMARY_LONGEST),
        body=item["body"][:BODY_LONGEST],
        tags=tuple(dict.fromkeys(tag for tag in _texts(item.get("tags")) if tag.strip()))[:TAGS_MOST],
        confidence=next((one for one in CONFIDENCES if one == confidence), "low"),
        # A log that something older wrote does not tell, and what nobody vouches for may follow a stranger's text.
        taint=_TAINTS.get(str(item.get("taint")), Taint.OUTSIDE),
        derived_from=(where,),
        quotes=tuple(_all_quotes(item, where)),
        said_at=item["said_at"] if isinstance(item.get("said_at"), str) else said_at,
        supports=_hint(item.get("supports_existing_node")),
        contradicts=_hint(item.get("contradicts_existing_node")),
        verbatim=_is_typed(item),
    )


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _quotes(value: Any, where: str) -> Iterator[Quote]:
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        start, end = value.get("start"), value.get("end")
        known = isinstance(start, int) and isinstance(end, int)
        yield Quote(where, value["text"], start if known else None, end if known else None)


def _all_quotes(item: Mapping[str, Any], where: str) -> Iterator[Quote]:
    yield from _quotes(item.get("quote"), where)
    more = item.get("more_quotes")
    for one in more if isinstance(more, list) else ():
        yield from _quotes(one, where)


def _hint(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


# --- writing --------------------------------------------------------------------------------------------------------


def candidate_value(candidate: KnowledgeCandidate) -> dict[str, Any]:
    """As an item of the head."""
    value: dict[str, Any] = {
        "kind": candidate.kind,
        "title": candidate.title,
        "summary": candidate.summary,
        "body": candidate.body,
        "tags": list(candidate.tags),
        "confidence": candidate.confidence,
        "taint": candidate.taint.word,
        "said_at": candidate.said_at,
        "supports_existing_node": candidate.supports,
        "contradicts_existing_node": candidate.contradicts,
    }
    quotes = [{"text": one.text, "start": one.start, "end": one.end} for one in candidate.quotes]
    value |= {"quote": quotes[0] if quotes else None, "more_quotes": quotes[1:] or None}
    return {name: one for name, one in value.items() if one is not None}


class AddedProposals(NamedTuple):
    proposals: dict[str, Any]
    """The two lists, with what is new behind what was there."""
    candidates: tuple[KnowledgeCandidate, ...]
    """Those that are new, with their origins."""


def with_candidates(
    before: Any, new: Iterable[KnowledgeCandidate], *, session: str, was_read: bool = False
) -> AddedProposals:
    """What says the same as one that is already there is not proposed again; nor are words that stand there as they
    were typed, or, after a reader's first try, that a candidate rests on already."""
    lists: dict[str, Any] = dict(before) if isinstance(before, Mapping) else {}
    for kind in KINDS:
        lists[kind] = list(lists.get(kind) or ()) if isinstance(lists.get(kind), list) else []
    there = [(kind, item) for kind, _, item in _items(lists) if isinstance(item, Mapping)]
    known = {_named(kind, item) for kind, item in there}
    taken = {
        kind: [
            q for other, item in there for q in _all_quotes(item, "") if _is_typed(item) or (was_read and other == kind)
        ]
        for kind in KINDS
    }
    added: list[KnowledgeCandidate] = []
    for candidate in new:
        identity = _identity(candidate.kind, candidate.title, candidate.body)
        if identity not in known and not overlap(candidate.quotes, taken[candidate.kind]):
            known.add(identity)
            place = len(lists[candidate.kind])
            added.append(replace(candidate, origin=origin_of(session, candidate.kind, place)))
            lists[candidate.kind].append(candidate_value(added[-1]))
    return AddedProposals(lists, tuple(added))


def _is_typed(item: Mapping[str, Any]) -> bool:
    """Whether the item is what was said, word for word."""
    quote = item.get("quote")
    return isinstance(quote, Mapping) and bool(item.get("body") == quote.get("text"))


def overlap(some: Sequence[Quote], others: Sequence[Quote]) -> bool:
    """Whether any of them rest on the same words of a log."""
    spans = [(one.start, one.end) for one in others if one.start is not None and one.end is not None]
    return any(
        one.start < end and start < one.end
        for one in some
        if one.start is not None and one.end is not None
        for start, end in spans
    )


def topics_of(candidates: Sequence[KnowledgeCandidate], before: Sequence[str] = ()) -> tuple[str, ...]:
    """The tags of all of them, each once, in the order in which they came up."""
    return tuple(dict.fromkeys((*before, *(tag for candidate in candidates for tag in candidate.tags))))


def _named(kind: str, item: Mapping[str, Any]) -> bytes:
    return _identity(kind, item.get("title"), item.get("body"))


def _identity(kind: str, title: Any, body: Any) -> bytes:
    words = _WORD.findall(f"{title}\n{body}".lower())
    return sha256("\n".join((kind, *words)).encode("utf-8", "surrogatepass")).digest()


def one_line(text: str, longest: int) -> str:
    """Cut between two words, where that leaves most of it."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line.rfind(" ", longest // 2, longest)
    return line[: cut if cut > 0 else longest - 1].rstrip(" ,;:.–—-") + "…"


MOST_ATTEMPTS: Final = 6
"""Failures in a row after which nobody tries again unasked."""
FIRST_PAUSE_MS: Final = 10 * 60_000
LONGEST_PAUSE_MS: Final = 24 * 3_600_000
ERROR_LONGEST: Final = 500


class QuestionAsked(NamedTuple):
    """A reader is asked about the part that ends here."""

    question: str
    """Its hash."""
    through: int
    candidates: tuple[KnowledgeCandidate, ...] = ()


class ReaderFailure(NamedTuple):
    """Why a reader gave no answer, or not all of it counts."""

    error: str
    candidates: tuple[KnowledgeCandidate, ...] = ()
    """Those that still count."""


class CueOutcome(NamedTuple):
    """Explicit cues were looked for; the session still waits for a reader."""

    candidates: tuple[KnowledgeCandidate, ...]
    through: int


class ReaderOutcome(NamedTuple):
    """A reader has read it."""

    candidates: tuple[KnowledgeCandidate, ...]
    """With their origins, those that are new."""
    through: int
    """Characters of the rendered text that were read."""


Outcome = ReaderFailure | CueOutcome | ReaderOutcome | QuestionAsked


def pause_ms(failures: int) -> int:
    """After so many failures in a row."""
    return min(FIRST_PAUSE_MS << max(0, min(failures - 1, 20)), LONGEST_PAUSE_MS)


def has_new_text(log: SessionLog) -> bool:
    """Whether nobody has looked for explicit cues in some of it, also where it is too short for a reader."""
    if not log.transcript_chars:  # a log by another program, which does not count
        return not log.cues_through and log.proposal_status != "done"
    return log.cues_through < log.transcript_chars


def is_unread(log: SessionLog) -> bool:
    """Whether it waits for a reader, now or after a failure."""
    if log.proposal_status == "failed":
        return True
    return log.proposal_status == "pending" and (log.curated_through < log.transcript_chars or not log.transcript_chars)


def is_due(log: SessionLog, now_ms: int) -> bool:
    """Whether a reader reads this session without being asked for it by name."""
    again = next_try_ms(log)
    return is_unread(log) if log.proposal_status != "failed" else again is not None and now_ms >= again


def next_try_ms(log: SessionLog) -> int | None:
    """When a session that failed is tried again by itself; None when it is not."""
    if log.proposal_status != "failed" or log.proposal_attempts >= MOST_ATTEMPTS:
        return None
    return _tried_ms(log) + pause_ms(log.proposal_attempts)


def _tried_ms(log: SessionLog) -> int:
    """A time that nobody can read lies long ago."""
    try:
        tried = datetime.fromisoformat((log.proposal_tried_at or "").replace("Z", "+00:00"))
    except ValueError:
        return 0
    return int((tried if tried.tzinfo else tried.replace(tzinfo=UTC)).timestamp() * 1000)


def after(log: SessionLog, outcome: Outcome, *, at: str, run_log: str | None = None) -> SessionLog:
    """The log as it stands after a try. `log` is its present state: it may have grown in the meantime."""
    match outcome:
        case CueOutcome(candidates, through):
            return replace(
                log,
                cues_through=max(through, log.cues_through),
                cues_at=at if candidates else log.cues_at,
                topics=topics_of(candidates, log.topics),
            )
        case QuestionAsked(question, through):
            return replace(log, question=question, asked_through=through, proposal_status="pending")
        case ReaderFailure(error, candidates):
            return replace(
                _tried(log, at, run_log),
                topics=topics_of(candidates, log.topics),
                proposal_status="failed",
                proposal_error=_cut(error),
                proposal_attempts=log.proposal_attempts + 1,
            )
        case ReaderOutcome(candidates, through):
            return replace(
                _tried(log, at, run_log),
                proposal_status="pending" if through < log.transcript_chars else "done",
                proposal_error=None,
                proposal_completed_at=at,
                proposal_attempts=0,
                curated_through=max(through, log.curated_through),
                cues_through=max(through, log.cues_through),
                topics=topics_of(candidates, log.topics),
            )


def _tried(log: SessionLog, at: str, run_log: str | None) -> SessionLog:
    known = run_log or log.proposal_log
    return replace(log, proposal_tried_at=at, proposal_log=known, question=None, asked_through=0)


def _cut(error: str) -> str:
    line = " ".join(error.split())
    return line if len(line) <= ERROR_LONGEST else f"{line[:ERROR_LONGEST]}..."


def section(candidates: Sequence[KnowledgeCandidate]) -> str:
    """What the log says to people under its last heading."""
    if not candidates:
        return "Nothing was proposed.\n"
    lines = (f"- {one.kind}: {one.title} ({one.confidence}, {one.taint.word})" for one in candidates)
    return "\n".join(lines) + "\n"


def cued(
    said: Sequence[SpokenText], *, session: str, where: str, through: int = 0, said_at: str | None = None
) -> tuple[KnowledgeCandidate, ...]:
    """Of the messages from `through` on. Their places in the log are given when they are stored."""
    return tuple(
        verbatim(
            "practice",
            one.text,
            statement=one.statement,
            origin=origin_of(session, "practice", 0),
            quote=Quote(where, one.text, message.start + one.start, message.start + one.end),
            said_at=said_at,
        )
        for message in said
        if message.start >= through and (one := kept(message))
    )


def verbatim(
    kind: Kind, text: str, *, origin: str, quote: Quote, statement: str = "", said_at: str | None = None
) -> KnowledgeCandidate:
    """A text as a candidate: nothing in it is reworded, and the title is as much of it as fits."""
    statement = statement or text
    first = re.sub(f"^{_MARK}", "", next((one.text for one in sentences(statement)), statement))
    return KnowledgeCandidate(
        origin=origin,
        kind=kind,
        title=one_line(first, TITLE_LONGEST).rstrip(".。"),
        summary=one_line(first, SUMMARY_LONGEST),
        body=text,
        confidence="medium",
        taint=Taint.PERSON,
        derived_from=(quote.where,),
        quotes=(quote,),
        said_at=said_at,
        verbatim=True,
    )


class NoteText(NamedTuple):
    """What a note says, as far as it can be knowledge."""

    id: str
    summary: str
    decision: str
    tags: tuple[str, ...]
    taint: Taint
    at: str | None = None


def note_candidate(note: NoteText) -> KnowledgeCandidate | None:
    """None unless somebody asked for it to be kept."""
    kind = next((kind for kind, tag in KEEP_TAG.items() if tag in note.tags), None)
    text = "\n\n".join(dict.fromkeys(part.strip() for part in (note.summary, note.decision) if part.strip()))
    if kind is None or not text:
        return None
    where = f"note:{note.id}"
    found = verbatim(kind, text, origin=f"{where}:0", quote=Quote(where, text), said_at=note.at)
    return replace(
        found,
        tags=tuple(tag for tag in note.tags if tag not in KEEP_TAG.values())[:TAGS_MOST],
        taint=note.taint,
        confidence="medium" if note.taint is Taint.PERSON else "low",
    )
