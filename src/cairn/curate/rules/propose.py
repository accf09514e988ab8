"""From what was said to candidates: the session's gate, each sentence, and what a session may say in all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cairn.curate.candidates import origin_of
from cairn.curate.rules import tongues
from cairn.curate.rules.changed import changed
from cairn.curate.rules.clauses import Clause, clauses, led, reasoned
from cairn.curate.rules.gate import closed, is_aside
from cairn.curate.rules.lessons import lessons
from cairn.curate.rules.places import apposed, place, remembered
from cairn.curate.rules.practice import practice
from cairn.curate.rules.scope import is_manners, is_question, is_story, is_task, passing, pointing
from cairn.curate.rules.signs import Around, telling
from cairn.curate.rules.speech import Said, Sentence, sentences
from cairn.curate.rules.subjects import is_generic
from cairn.curate.rules.wording import worded
from cairn.curate.rules.words import ONCE, VERBS, begun, word_set
from cairn.kernel.model.candidate import Candidate, Confidence, Kind, Quote
from cairn.kernel.model.change import Taint

MOST: Final = 20
"""Candidates of one session. Who says more rules than that is pasting them."""
MOST_OF_AGENT: Final = 4
_LEAST_WORDS, _MOST_WORDS = 3, 48
_FIRM: Final = re.compile(r"\b(?:always|never|must)\b", re.IGNORECASE)
_NEVER: Final = re.compile(r"^(?:we |you )?(?:never|must never|should never) \w+ \S", re.IGNORECASE)
"""Holds, whatever is said behind it about what to do now."""
_ASKS_ABOUT: Final = re.compile(
    r"\b(?:where|what (?:is|does|are|do)|which|how (?:does|do|is|are)|who (?:sends|handles|owns)|explain"
    r"|walk me through)\b",
    re.IGNORECASE,
)
_DOUBTS: Final = re.compile(
    r"^\W*(?:no\b|nope|wrong|that'?s (?:wrong|not|incorrect)|are you sure|not (?:true|quite|really)|incorrect|hm+\b)",
    re.IGNORECASE,
)
_AS_IT_IS: Final = re.compile(r"^(?:(?:ok|so|currently|right now|hey)\W+)*we\b", re.IGNORECASE)
_MEND: Final = re.compile(
    rf"^(?:(?:please|so|now|can you|could you|ok|and)\s+)*(?:{'|'.join(sorted(ONCE | VERBS))})\s+(?:\w+\s+)?"
    r"(?:it|that|this|them)\b",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(r"^(?:the|our)\s+(?:[\w`./-]+\s+)?[\w`./-]+(?=\s+\w+(?:s|es)\s)", re.IGNORECASE)
_WHY_NEXT: Final = re.compile(
    r"^(?:because\b|otherwise\b|the reason(?: (?:is|being))?(?: that)?\b|that way\b|reason:|it (?:breaks|fails"
    r"|leaks|deadlocks)\b)\s*[,:]?\s*(?P<why>.{8,})$",
    re.IGNORECASE,
)
_CONTENT: Final = re.compile(r"[a-z0-9_.@/+#-]{2,}", re.IGNORECASE)
_REACTION: Final = 400
"""Characters of a message that tells an agent what is wrong with what it did; a longer one is a task."""
_RULE_OF_IT: Final = re.compile(
    r"^(?:(?:so|and|but|please)\s+)*(?P<do>(?:do not|don'?t|never|always)(?: ever)? [a-z]+) (?P<it>it|them)\b",
    re.IGNORECASE,
)
_THING_AT: Final = re.compile(
    r"^(?P<thing>(?:the|our) (?:[\w`./@-]+\s+){1,4}?)(?P<is>is|are|lives?)"
    r" (?:in|at|under|generated|built|made|written)\b",
    re.IGNORECASE,
)
_NAME_ALONE: Final = re.compile(r"^\W*(?:the|our) [\w`./-]+(?: [\w`./-]+){0,2}\W*$", re.IGNORECASE)
_IS_PLAINLY: Final = re.compile(r"^[\w-]+(?: [\w-]+){0,2} (?:is|are) [\w -]{3,40}\W*$", re.IGNORECASE)
_NONE_OF: Final = re.compile(r"^(?:no|never) [\w-]+(?: [\w-]+)?(?: ever| at all)?\W*$", re.IGNORECASE)
_ONLY_NO: Final = re.compile(
    r"^\W*(?:(?:argh|ugh|oh|hm+|uh|hey|ah|wait|sorry)\W+)*"
    r"(?:(?:no+|nope|nah|wrong|stop|please|not like that|that'?s (?:wrong|not right|not it|incorrect|outdated|not true"
    r"(?: any ?more)?))\b\W*)+$",
    re.IGNORECASE,
)
_ONLY_ALWAYS: Final = re.compile(
    r"^\W*(?:(?:always|never|everywhere|period|full stop|no exceptions?|without exceptions?"
    r"|every (?:single )?time|(?:same )?as (?:always|usual))\b\W*)+$",
    re.IGNORECASE,
)
_POLARITY: Final = word_set(
    """
    always never don't not do use using prefer instead of rather than avoid over and the a an we to in for
    """
)


class Proposed(NamedTuple):
    candidates: tuple[Candidate, ...]
    closed: str | None = None
    """Why nothing was taken from the session as a whole."""


class _Found(NamedTuple):
    kind: Kind
    statement: str
    reason: str
    said: Said
    sentence: Sentence

    @property
    def key(self) -> frozenset[str]:
        """What it is about: a later word about the same takes the place of this one."""
        words = {word.lower().strip(".") for word in _CONTENT.findall(self.statement)} - _POLARITY
        return frozenset(words)


def propose(
    said: Sequence[Said], *, session: str, where: str, through: int = 0, said_at: str | None = None
) -> Proposed:
    """What is worth keeping of a session; usually nothing. What stands before `through` was looked at already, and is
    read only to understand the rest."""
    why = closed(said)
    if why is not None:
        return Proposed((), why)
    latest: dict[frozenset[str], _Found] = {}
    for found in (*_of_user(said), *_of_agent(said)):
        latest.pop(found.key, None)
        latest[found.key] = found
    new = [found for found in latest.values() if found.said.start + found.sentence.start >= through]
    new.sort(key=lambda found: found.said.start + found.sentence.start)
    return Proposed(tuple(_named(new[:MOST], session, where, said_at)))


def _named(found: Iterable[_Found], session: str, where: str, said_at: str | None) -> Iterator[Candidate]:
    counts: dict[Kind, int] = {"practice": 0, "map": 0}
    for one in found:
        origin = origin_of(session, one.kind, counts[one.kind])
        counts[one.kind] += 1
        yield _candidate(one, origin, where, said_at)


def _candidate(found: _Found, origin: str, where: str, said_at: str | None) -> Candidate:
    words = worded(found.kind, found.statement, found.reason)
    start = found.said.start + found.sentence.start
    quote = Quote(where, found.sentence.text, start, found.said.start + found.sentence.end)
    return Candidate(
        origin=origin,
        kind=found.kind,
        title=words.title,
        summary=words.summary,
        body=words.body,
        tags=words.tags,
        confidence=_confidence(found),
        taint=_taint(found.said),
        derived_from=(where,),
        quotes=(quote,),
        said_at=said_at,
    )


def _confidence(found: _Found) -> Confidence:
    if found.said.role != "user":
        return "low"
    return "high" if found.reason else "medium"


def _taint(said: Said) -> Taint:
    if said.role == "user":
        return Taint.PERSON
    return Taint.OUTSIDE if said.outside else Taint.MODEL


# --- what people say --------------------------------------------------------------------------------------------------


class Message(NamedTuple):
    """What a person said at once, and where that stands in the session."""

    said: Said
    told: Sequence[Sentence]
    answered: bool
    """An agent has spoken before."""
    opens: bool
    """It is the first one."""

    @property
    def in_task(self) -> bool:
        return bool(self.told) and is_task(self.told[0].text)

    @property
    def reacts(self) -> bool:
        return self.answered and len(self.said.text) <= _REACTION

    def around(self, index: int) -> Around:
        """Where one of its sentences stands."""
        corrects = led(self.told[0].text)[1]
        return Around(corrects, self.reacts, self.opens, index > 0 and self.in_task, len(self.told) == 1)


def messages(said: Iterable[Said]) -> Iterator[Message]:
    """Those of people, without what was only said in passing."""
    answered, opens = False, True
    for one in said:
        if one.role != "user":
            answered = True
        elif not is_aside(one.text):
            yield Message(one, _whole(sentences(one)), answered, opens)
            opens = False


def _of_user(said: Iterable[Said]) -> Iterator[_Found]:
    """What a reader takes; and what none does, but more speaks for it than against. What stands beside something that
    was taken mostly says why, and what is to be mended is how it is not to be."""
    for message in messages(said):
        found = list(_in_message(message))
        taken = {each.sentence for each in found}
        yield from found
        for index, sentence in enumerate(message.told):
            following = message.told[index + 1].text if index + 1 < len(message.told) else ""
            if _MEND.match(following) or taken.intersection(message.told[max(index - 1, 0) : index + 2]):
                continue
            if more := telling(sentence.text, message.around(index)):
                yield _Found(*more, message.said, sentence)


def _in_message(message: Message) -> Iterator[_Found]:
    one, told, in_task, reacts = message.said, message.told, message.in_task, message.reacts
    for index, sentence in enumerate(told):
        if is_question(sentence.text):
            continue
        if abroad := tongues.told(sentence.text):
            yield _Found("practice", abroad.statement, abroad.reason, one, sentence)
            continue
        if since := changed(led(sentence.text)[0]):
            yield _Found(*since, one, sentence)
            continue
        parts = [_seen_with(clause, told, index) for clause in clauses(_naming(sentence.text, told[:index]))]
        if index + 1 < len(told) and _mends(sentence.text, told[index + 1].text):
            continue
        for number, clause in enumerate(parts):
            last = number == len(parts) - 1
            if last and not clause.reason and index + 1 < len(told):
                clause = clause._replace(reason=_why_next(told[index + 1]))
            clause = clause._replace(in_task=in_task and (index, number) > (0, 0), reacts=reacts and not in_task)
            if index + 1 < len(told) and _MEND.match(told[index + 1].text):
                clause = clause._replace(reacts=False)  # it is how it is, and not how it has to be
            if stated := _stated(clause):
                kind, statement, reason = _of_map(*stated, clause.reason)
                rule, thing = apposed(statement) if kind == "practice" else (statement, "")
                yield _Found(kind, rule, reason, one, sentence)
                if thing:
                    yield _Found("map", thing, "", one, sentence)
            elif carried := _carried(clause):
                yield _Found("map", carried, "", one, sentence)


def _whole(told: Sequence[Sentence]) -> list[Sentence]:
    """`The mailer. It reads the queue.`: a name alone is what the next sentence is about. `Money is cents. No floats
    ever.`: what there is none of belongs to what there is."""
    found: list[Sentence] = []
    for sentence in told:
        before = found[-1] if found else None
        text = ""
        if before and _NAME_ALONE.match(before.text) and sentence.text.lower().startswith("it "):
            text = f"{before.text.rstrip(' .:')} {sentence.text[3:]}"
        elif before and _IS_PLAINLY.match(before.text) and _NONE_OF.match(sentence.text):
            text = f"{before.text.rstrip(' .')}, {sentence.text[0].lower()}{sentence.text[1:]}"
        if text and before:
            found[-1] = Sentence(text, before.start, sentence.end)
        else:
            found.append(sentence)
    return found


def _naming(text: str, before: Sequence[Sentence]) -> str:
    """`The tables are in calib/. Don't edit them by hand`: what is meant by *them*, where one sentence before says."""
    ruled = _RULE_OF_IT.match(text)
    named = _THING_AT.match(led(before[-1].text)[0]) if ruled and before else None
    if not ruled or not named or (named["is"].lower() in ("are", "live")) != (ruled["it"].lower() == "them"):
        return text
    thing = named["thing"].strip()
    return f"{ruled['do']} {thing[0].lower()}{thing[1:]}{text[ruled.end() :]}"


def _of_map(kind: Kind, statement: str, reason: str) -> tuple[Kind, str, str]:
    """What is said of a thing behind another fact about it is a fact, too, and no reason."""
    if kind == "map" and reason.lower().startswith(("it ", "it's ")):
        return kind, f"{statement}, {reason}", ""
    return kind, statement, reason


def _seen_with(clause: Clause, told: Sequence[Sentence], index: int) -> Clause:
    """`No. Topics are lower case. Always.`: the little sentences around it say how it is meant."""
    before = told[index - 1].text if index else ""
    after = told[index + 1].text if index + 1 < len(told) else ""
    corrects = clause.corrects or bool(_ONLY_NO.match(before) or _ONLY_NO.match(told[0].text))
    return clause._replace(corrects=corrects, rule=clause.rule or bool(_ONLY_ALWAYS.match(after)))


def _mends(sentence: str, following: str) -> bool:
    """`We do A. Change it.`: A is how it is not to be."""
    return bool(_AS_IT_IS.match(sentence) and not _FIRM.search(sentence) and _MEND.match(following))


def _carried(clause: Clause) -> str | None:
    """`The A worker does that, it listens on B`: the second half says something of its own about A."""
    subject = _SUBJECT.match(clause.text)
    reason = re.sub(r"^it'?s ", "it is ", clause.reason, flags=re.IGNORECASE)
    if not subject or not reason.lower().startswith("it ") or passing(reason):
        return None
    text = f"{subject[0]} {reason[3:]}"
    return None if pointing(text) or is_story(text) else place(text)


def _why_next(sentence: Sentence) -> str:
    found = _WHY_NEXT.match(sentence.text)
    if not found:
        return ""
    why = found["why"].strip(" .")
    return why if sentence.text.lower().startswith(("because", "the reason", "reason", "that way")) else sentence.text


def _stated(clause: Clause) -> tuple[Kind, str] | None:
    """The kind and the words of what a clause states, if that holds beyond the task."""
    firm = clause.rule or bool(_FIRM.search(clause.text))
    if not _LEAST_WORDS - 1 <= len(clause.text.split()) <= _MOST_WORDS:
        return None
    if passing(clause.text, firm=firm):
        head = clause.text.partition(", ")[0]
        return _stated(clause._replace(text=head)) if head != clause.text and _NEVER.match(head) else None
    if not pointing(clause.text) and not is_story(clause.text) and (found := place(clause.text)):
        return "map", found
    said = practice(clause)
    if said is None and clause.rule and not is_story(clause.text) and not pointing(clause.text):
        fact = remembered(clause.text)
        kind: Kind = "practice" if fact and is_generic(clause.text.split()[0]) else "map"
        return (kind, fact) if fact else None
    if said is None or pointing(said) or is_story(said) or is_manners(said) or len(said.split()) < _LEAST_WORDS - 1:
        return None
    return "practice", said


# --- what agents say --------------------------------------------------------------------------------------------------


def _of_agent(said: Sequence[Said]) -> Iterator[_Found]:
    count = 0
    for found in (*_answers(said), *_lessons(said)):
        if count < MOST_OF_AGENT:
            count += 1
            yield found


def _lessons(said: Sequence[Said]) -> Iterator[_Found]:
    for lesson in lessons(said):
        text, reason = reasoned(lesson.sentence.text.rstrip("."))
        yield _Found("map", begun(text), reason, lesson.said, lesson.sentence)


def _answers(said: Sequence[Said]) -> Iterator[_Found]:
    """What an agent explained when somebody asked, and nobody doubted it. What it says of its own work is a story."""
    asked = False
    for index, one in enumerate(said):
        if one.role == "user":
            asked = bool(_ASKS_ABOUT.search(one.text)) and len(one.text) <= 400
        elif asked and not _doubted(said, index):
            for sentence in sentences(one):
                if found := _explained(sentence.text):
                    yield _Found("map", *found, one, sentence)


def _doubted(said: Sequence[Said], index: int) -> bool:
    after = next((one for one in said[index + 1 :] if one.role == "user"), None)
    return after is not None and bool(_DOUBTS.match(after.text))


def _explained(sentence: str) -> tuple[str, str] | None:
    text, reason = reasoned(sentence.strip(" .:"))
    if is_question(sentence) or not _LEAST_WORDS <= len(text.split()) <= _MOST_WORDS:
        return None
    if passing(text) or pointing(text) or is_story(text):
        return None
    found = place(text, by_agent=True)
    return (found, reason) if found else None


# --- notes ------------------------------------------------------------------------------------------------------------


class NoteText(NamedTuple):
    """What a note says, as far as it can be knowledge."""

    id: str
    type: str
    summary: str
    decision: str
    tags: tuple[str, ...]
    taint: Taint
    at: str | None = None


_TAUGHT_BY: Final = ("lesson", "pattern", "decision", "adr")


def propose_note(note: NoteText) -> tuple[Candidate, ...]:
    """A note is somebody's own choice of words, so a decision or a lesson counts as a rule; but it goes through the
    same sieve: what is only about the task stays a note."""
    by_person = note.taint is Taint.PERSON
    if note.type not in _TAUGHT_BY and not (by_person and note.decision):
        return ()
    found: list[Candidate] = []
    where = f"note:{note.id}"
    text = note.decision or note.summary
    for sentence in sentences(Said("user" if by_person else "assistant", text)):
        for clause in () if is_question(sentence.text) else clauses(sentence.text):
            if stated := _stated(clause._replace(rule=True)):
                one = _Found(*stated, clause.reason, Said("user", text), sentence)
                candidate = _candidate(one, f"{where}:{len(found)}", where, note.at)
                confidence: Confidence = candidate.confidence if by_person else "low"
                tags = tuple(dict.fromkeys((*candidate.tags, *note.tags)))[:5]
                found.append(replace(candidate, taint=note.taint, confidence=confidence, tags=tags))
    return tuple(found[:MOST])
