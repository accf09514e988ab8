"""Lessons that were learned more than once: the same thing said, or found out, in several sessions.

Two statements are the same when the same words are asked for and the same words refused, in the same order; only small
words, inflections and the way of asking may differ. What is not surely the same is not put together.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from cairn.kernel.model.session import Host, Segment
from cairn.kernel.text.atoms import stem

LEAST_SESSIONS: Final = 2
TEMPLATE: Final = 300
"""Characters from which on a message that two sessions share word for word was not typed twice."""


class Saying(NamedTuple):
    """One time that something was said to an agent, or found out by one."""

    statement: str
    """In words that hold from now on."""
    quote: str
    """The sentence, scrubbed."""
    host: Host
    session: str
    at: str | None
    """When, in ISO 8601, where the host tells."""
    place: int = 0
    """Byte of the transcript."""
    by_person: bool = True
    message: str = ""
    message_id: str = ""
    began: str = ""
    """The whole message, the host's own id of it, and the first one of its session: by these a copy is noticed."""


class Lesson(NamedTuple):
    statement: str
    """As it was said last."""
    sayings: tuple[Saying, ...]
    """The first of each session, the oldest first."""

    @property
    def learned_by(self) -> Literal["people", "agents", "both"]:
        """Whether people said it, or agents found it out."""
        people = {saying.by_person for saying in self.sayings}
        return "both" if len(people) > 1 else "people" if True in people else "agents"


class Meaning(NamedTuple):
    wanted: tuple[str, ...]
    refused: tuple[str, ...]

    def opposes(self, other: "Meaning") -> bool:
        """What one asks for is what the other refuses."""
        return bool((self.wanted and self.wanted == other.refused) or (self.refused and self.refused == other.wanted))


def learned_more_than_once(sayings: Iterable[Saying]) -> list[Lesson]:
    """Those of most sessions first. What somebody took back later is left out."""
    told = sorted(_each_once(sayings), key=lambda saying: (saying.at or "", saying.session, saying.place))
    last_of: dict[Meaning, int] = {}
    groups: dict[Meaning, list[Saying]] = {}
    for number, saying in enumerate(told):
        meaning = meaning_of(saying.statement)
        if meaning.wanted or meaning.refused:
            groups.setdefault(meaning, []).append(saying)
            last_of[meaning] = number
    lessons = [
        Lesson(group[-1].statement, tuple(_first_of_each(group)))
        for meaning, group in _joined(groups).items()
        if not any(meaning.opposes(other) and number > last_of[meaning] for other, number in last_of.items())
    ]
    lessons = [lesson for lesson in lessons if len(lesson.sayings) >= LEAST_SESSIONS]
    return sorted(lessons, key=lambda lesson: (-len(lesson.sayings), lesson.statement))


def _joined(groups: dict[Meaning, list[Saying]]) -> dict[Meaning, list[Saying]]:
    """`Use pnpm` and `use pnpm, not npm` are one, as long as only one thing is refused."""
    found = {meaning: list(group) for meaning, group in groups.items()}
    for meaning in groups:
        more = [other for other in found if other.wanted == meaning.wanted and other.refused]
        if meaning.wanted and not meaning.refused and len(more) == 1:
            found[more[0]] = sorted(found[more[0]] + found.pop(meaning), key=lambda saying: saying.at or "")
    return found


def _first_of_each(group: Sequence[Saying]) -> Iterator[Saying]:
    seen: set[tuple[str, str]] = set()
    for saying in group:
        if (saying.host, saying.session) not in seen:
            seen.add((saying.host, saying.session))
            yield saying


# --- said twice, or copied ------------------------------------------------------------------------------------------


def _each_once(sayings: Iterable[Saying]) -> Iterator[Saying]:
    """A host that resumes a session begins the new transcript with the old messages, and a program sends the same
    prompt every night. Neither is somebody who has to say it again."""
    told = list(sayings)
    sessions_of: dict[str, set[str]] = {}
    for saying in told:
        sessions_of.setdefault(saying.message, set()).add(saying.session)
    seen: set[tuple[str, str]] = set()
    for saying in told:
        copied = len(saying.message) >= TEMPLATE and len(sessions_of[saying.message]) > 1
        signs = {(sign, saying.quote) for sign in (saying.message_id, saying.at) if sign}
        signs |= {(f"{saying.began}\n{saying.message}", saying.quote)} if saying.began else set()
        if not copied and not signs & seen:
            yield saying
        seen |= signs


# --- what a statement means -----------------------------------------------------------------------------------------

_I: Final = re.IGNORECASE
_LEADING: Final = re.compile(r"((?:for|in|inside|on|with|to|when|before|after|if)\s[^,]{1,60}),\s+(.+)", _I | re.DOTALL)
_RATHER: Final = re.compile(r",?\s+(?:instead of|rather than|and not|but not|and never)\s+|,\s+(?:not|never)\s+", _I)
_REFUSES: Final = re.compile(r"(?:never|don'?t(?: ever)?|do not(?: ever)?|avoid|stop|no)\s+", _I)
_TOKEN: Final = re.compile(r"`[^`]+`|[^\s`,;:()\"“”]+")
_SMALL: Final = frozenset(
    re.findall(
        r"\w+",
        """
        the a an our your my its this these those some any all every each always please just must should shall have has
        to of that is are be we you i it they there here and for in on with by at do use using used run call called via
        also when whenever then so as
        """,
    )
)
_NOT: Final = frozenset({"not", "never", "no", "without", "cannot", "don't", "doesn't", "isn't", "can't", "mustn't"})


def meaning_of(statement: str) -> Meaning:
    """What is asked for and what is refused. Names, paths and numbers count as they are."""
    text = statement.strip(" .!")
    if found := _LEADING.fullmatch(text):
        text = f"{found[2]} {found[1]}"
    if found := _REFUSES.match(text):
        return Meaning((), _words(text[found.end() :]))
    wanted, *refused = _RATHER.split(text, maxsplit=1)
    return Meaning(_words(wanted), _words(" ".join(refused)))


def _words(text: str) -> tuple[str, ...]:
    """A command between backticks is as many words as it has without them."""
    tokens = (part for token in _TOKEN.findall(text) for part in token.strip("`").split())
    return tuple(word for token in tokens if (word := _word(token)))


def _word(token: str) -> str:
    bare = token.strip("'.!?")
    if bare.lower() in _NOT:
        return "not"
    if bare.lower() in _SMALL:
        return ""
    plain = bare.isalpha() and (bare.islower() or bare.istitle())
    return stem(bare.lower()) if plain else bare.lower()


# --- what failed, and then went well --------------------------------------------------------------------------------

_NEEDS: Final = re.compile(
    r"(?P<subject>(?:the |our |all )?(?:[\w`./@-]+ ){1,5}?)(?:needs?|requires?|only works?|fails? (?:unless|without)"
    r"|expects?|depends? on|must (?:be|have|run)|has to be|have to be)\s.{4,}",
    _I,
)
_ABOUT_NOW: Final = re.compile(
    r"\b(?:i|i'm|i'll|let me|we|you|now|first|next|still|this|that|it|these|they|there|here|maybe|probably|might|may"
    r"|seems?|looks?|should|could|would)\b",
    _I,
)
_NAMES: Final = re.compile(r"`[^`]+`|\b[A-Z][A-Z0-9_]{2,}\b|(?<!\w)--?[a-z][\w-]+|\b[\w-]+(?:[/._]\w[\w-]*)+")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_LONGEST: Final = 240


class Mended(NamedTuple):
    sentence: str
    segment: Segment


def mended(segments: Iterable[Segment]) -> Iterator[Mended]:
    """What an agent said was needed, between a tool that failed and the same tool on the same thing going well."""
    for turn in _turns(segments):
        went_well = {(t.name, t.target): at for at, one in enumerate(turn) for t in one.tools if t.ok and t.target}
        failed: set[tuple[str, str]] = set()
        for index, segment in enumerate(turn):
            sentences = list(needs(segment.text)) if failed else []
            if sentences and any(went_well.get(tool, -1) >= index for tool in failed):
                yield from (Mended(sentence, segment) for sentence in sentences)
            failed |= {(tool.name, tool.target) for tool in segment.tools if tool.ok is False}


def _turns(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """What the agent said and did until the person spoke again."""
    turn: list[Segment] = []
    for segment in segments:
        if segment.role == "assistant":
            turn.append(segment)
        elif not segment.injected:
            yield turn
            turn = []
    yield turn


def needs(text: str) -> Iterator[str]:
    """Sentences that say in general what something needs, and name it. What is only supposed, or about now, is none."""
    for raw in _SENTENCE.split(text):
        sentence = raw.strip(" .*-")
        fits = len(sentence) <= _LONGEST and _NEEDS.fullmatch(sentence) and _NAMES.search(sentence)
        if fits and not _ABOUT_NOW.search(_NAMES.sub("", sentence)):
            yield sentence
