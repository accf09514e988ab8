"""Questions without an answer, as signals of gaps: each once, and one for a topic, an asker and a day."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import cairn.journal as journal
from cairn.changes.write import write_file
from cairn.core.gap_tail import is_quiet
from cairn.core.ledger_events import events_of, with_payloads
from cairn.core.paths import LEDGER
from cairn.core.ports.search import DAY_MS
from cairn.core.search_query import Query, parse_query
from cairn.errors import CairnError, UsageError
from cairn.hook.aside import SPOOL, read_small
from cairn.knowledge.topics import LONGEST, normalize_topic
from cairn.lib.text.parse_json import parse_json
from cairn.lib.text.search_words import LIGHT, STOP, stem

if TYPE_CHECKING:
    from cairn.core.ports.ledger import EventRow, LedgerEventRow
    from cairn.observe.ports import ObservePorts

_WORDS: Final = 5
"""Of a topic; whoever asks in more words mostly says the subject first."""
_MOST: Final = 12
"""Telling words of a question. With more it is a story, or something that was pasted."""
_MASKED: Final = "[REDACTED"
_NUMBER: Final = re.compile(r"\d{6,}")
"""Of a telephone, an order, a customer: private, and no subject either."""
_RUDE: Final = re.compile(
    "(?:mother|bull|dumb)?(?:arse|ass|bastard|bitch|bollock|crap|cunt|damn|dick|fuck|piss|shit|slut|wank|whore)"
    "(?:hole|head|er|ed|ing|y)?s?|wtf"
)
"""Said in anger, and no subject."""


def missed_topic(question: str) -> str | None:
    """As topics are written. None for what had a secret in it, for what only has filters or little words, and for what
    is too long to be a question."""
    if _MASKED in question:
        return None
    try:
        words = list(dict.fromkeys(_telling(parse_query(question))))
    except UsageError:
        return None
    if not 0 < len(words) <= _MOST or not any(_is_name(word) for word in words):
        return None
    topic = normalize_topic("-".join(words[:_WORDS]))
    while len(topic) > LONGEST:
        topic = topic.rpartition("-")[0]
    return topic or None


def _telling(query: Query) -> Iterator[str]:
    run, known = "", None
    for unit in query.units:
        if unit.run is not None and unit.run == known:
            run += unit.shown[-1] if run.endswith(unit.shown[:-1]) else unit.shown
            continue
        if run:
            yield run
        run, known = (unit.shown, unit.run) if unit.run is not None else ("", None)
        if unit.run is None and unit.weight >= 1:
            yield from filter(_tells, normalize_topic(unit.shown).split("-"))
    if run:
        yield run


def _tells(word: str) -> bool:
    known = word in STOP or stem(word) in LIGHT
    return len(word) > 1 and not known and not _RUDE.fullmatch(word) and not _NUMBER.fullmatch(word)


def _is_name(word: str) -> bool:
    """Whether it can stand for a subject; numbers and two letters can't."""
    return not word.isascii() or (len(word) > 2 and not word.isdigit())


SOURCE: Final = "search-miss"
STATE: Final = f"{SPOOL}/misses.json"
_WINDOW_MS: Final = 90 * DAY_MS
"""What was asked longer ago is no gap any more."""
_LOCK_MS: Final = 60_000


class _Miss(NamedTuple):
    id: str
    at_ms: int
    session: str | None
    topic: str

    @property
    def key(self) -> tuple[str | None, int, str]:
        return self.session, self.at_ms // DAY_MS, self.topic


def count_misses(ports: "ObservePorts") -> int:
    """Tell the ledger, whose index is up to date, of those that it does not know yet; how many. Whoever only looks at
    gaps shall not fail because nothing can be written, or because somebody else counts."""

    if not ports.settings.flag("retrieve.misses") or is_quiet(ports) or not _asked(ports).new:
        return 0
    try:
        with ports.locks.hold("misses", ttl_ms=_LOCK_MS):
            return _count(ports)
    except (CairnError, OSError):
        return 0


def _count(ports: "ObservePorts") -> int:
    """Alone now. Whoever was at it a moment ago has told some, so the ledger is read once more."""
    ports.index_ledger()
    asked = _asked(ports)
    if not asked.new:
        return 0
    told = _told(ports, asked.since_ms)
    misses = list(_misses(with_payloads(ports.ledger, asked.rows)))
    known = {miss.key for miss in misses if miss.id in told}
    new = list({miss.key: miss for miss in reversed(misses) if miss.key not in known}.values())[::-1]
    _tell(ports, new)
    last = asked.rows[-1]
    write_file(ports.root, STATE, json.dumps({"v": 1, "last": last.id, "at_ms": last.at_ms}) + "\n", mode=0o600)
    return len(new)


# --- what was asked ---------------------------------------------------------------------------------------------------


class _Asked(NamedTuple):
    since_ms: int
    """The beginning of the day on which the last one was counted: of a day all are needed, to count none again."""
    rows: "list[EventRow]"
    """In order."""
    new: bool


def _asked(ports: "ObservePorts") -> _Asked:
    """In this work tree: a folder that was copied has the questions of the other one, too."""
    last, at_ms = _state(ports)
    now_ms = ports.clock.now_ms()
    since_ms = max(now_ms - _WINDOW_MS, min(at_ms, now_ms)) // DAY_MS * DAY_MS
    own = journal.identity_of(str(ports.root / LEDGER))
    name = journal.worktree_name(own) if own else ""
    found = ports.store.events(types=("search_asked",), since_ms=since_ms)
    rows = sorted((row for row in found if row.worktree == name), key=lambda row: row.id)
    return _Asked(since_ms, rows, bool(rows) and rows[-1].id != last)


def _state(ports: "ObservePorts") -> tuple[str, int]:
    try:
        said = parse_json(read_small(str(ports.root / STATE), 4096))
        return str(said["last"]), int(said["at_ms"])
    except (ValueError, TypeError, KeyError):
        return "", 0


def _misses(rows: "Iterable[LedgerEventRow]") -> Iterator[_Miss]:
    for row in rows:
        said = json.loads(row.payload)
        question, session = said.get("question"), said.get("session")
        if said.get("miss") is True and isinstance(question, str) and (topic := missed_topic(question)):
            yield _Miss(row.id, row.at_ms, session if isinstance(session, str) and session else None, topic)


# --- what is told -----------------------------------------------------------------------------------------------------


def _told(ports: "ObservePorts", since_ms: int) -> set[str]:
    """The questions that signals were made of."""
    rows = events_of(ports.ledger, ports.store, types=("knowledge_gap_signal",), since_ms=since_ms)
    payloads = (json.loads(row.payload) for row in rows if SOURCE in row.payload)
    return {str(said.get("asked")) for said in payloads if said.get("source") == SOURCE}


def _tell(ports: "ObservePorts", misses: list[_Miss]) -> None:
    """As of the time when they were asked. Whoever dies here tells the others the next time."""
    from cairn.core.ledger_events import project_of

    project = project_of(ports)
    for miss in misses:
        payload = {"topic": miss.topic, "source": SOURCE, "project_id": project, "asked": miss.id}
        more: dict[str, Any] = {"session": miss.session} if miss.session else {}
        ports.ledger.append("knowledge_gap_signal", {**payload, **more}, now_ms=miss.at_ms)
