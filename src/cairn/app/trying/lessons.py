"""What people had to tell agents again and again, by the transcripts of past sessions; read only on a person's word."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground
from cairn.capture.lessons import Lesson, Meaning, Saying, learned_more_than_once, meaning_of, mended
from cairn.kernel.model.session import Segment
from cairn.kernel.ports.sessions import FoundTranscript

KIND: Final = "lesson"
MOST_SESSIONS: Final = 400
LARGEST: Final = 100_000_000
SECONDS: Final = 12.0
"""The other finders want to have their turn too."""
_MOST_CHARACTERS: Final = 3_000_000
"""Of what was said in one session."""
_QUOTED: Final = 200
_SHOWN: Final = 3
_WHO: Final = {"people": "A person told agents", "agents": "Agents found out", "both": "It came up"}
_CERTAINTY, _HARM = 0.92, 0.92


def find(ground: Ground, env: Mapping[str, str]) -> Iterator[Finding]:
    lessons = learned_more_than_once(
        saying for found in _transcripts(ground, env) for saying in _said_in(ground, found)
    )
    for lesson in lessons:
        yield _finding(ground, lesson)


def _transcripts(ground: Ground, env: Mapping[str, str]) -> Iterator[FoundTranscript]:
    """Newest first, as long as there is time."""
    from cairn.adapters.transcripts.find import find_transcripts

    found = find_transcripts(env, ground.root)
    end = ground.deadline.spent() + SECONDS
    for number, one in enumerate(found):
        if number >= MOST_SESSIONS or ground.deadline.spent() > end:
            ground.deadline.say(f"{len(found) - number:,} of {len(found):,} sessions, the oldest")
            return
        if one.size > LARGEST and one.host != "opencode":  # whose size is that of all its sessions together
            ground.deadline.say("sessions of which the transcript is huge")
            continue
        ground.sessions = (ground.sessions or 0) + 1
        yield one


# --- one session ----------------------------------------------------------------------------------------------------


def _said_in(ground: Ground, found: FoundTranscript) -> list[Saying]:
    """A transcript that cannot be read, or not be scrubbed, says nothing."""
    from cairn.errors import CairnError

    try:
        talk = _Talk(found, _segments(ground, found))
        return [*_by_people(talk), *_by_agents(talk)]
    except (CairnError, OSError):
        ground.deadline.say("transcripts that cannot be read")
        return []


def _segments(ground: Ground, found: FoundTranscript) -> list[Segment]:
    """Scrubbed, without what the host or Cairn itself put in, and without what was forgotten."""
    from cairn.app.capture.forgotten import NEVER, barred_through
    from cairn.app.capture.transcripts import open_transcript
    from cairn.capture.transcripts import segments

    barred = barred_through(ground.root, found.session)
    if barred == NEVER:
        return []
    transcript = open_transcript(Path(found.path), found.host, found.session)
    kept: list[Segment] = []
    left = _MOST_CHARACTERS
    for segment in segments(found.host, transcript.chunks(barred), start=barred):
        if left < 0 or ground.deadline.over():
            ground.deadline.say("the rest of a long session")
            break
        if not segment.injected:
            left -= len(segment.text)
            kept.append(segment._replace(text=_scrubbed(segment.text)))
    return kept


def _scrubbed(text: str) -> str:
    from cairn.scrub.find import redact

    return redact(text).text if text else ""


def _by_people(talk: "_Talk") -> Iterator[Saying]:
    """Rules, corrections and facts, in the words of those who said them."""
    from cairn.curate.rules import propose
    from cairn.kernel.model.change import Taint

    session = talk.found.session
    for candidate in propose(talk.said, session=session, where=session).candidates:
        quote = candidate.quotes[0] if candidate.quotes else None
        if candidate.taint is Taint.PERSON and quote is not None and quote.start is not None:
            yield talk.saying(candidate.body.partition("\n")[0], quote.text, talk.at(quote.start))


def _by_agents(talk: "_Talk") -> Iterator[Saying]:
    """What was needed to mend a failure: a tool then went well, or a person said so."""
    from cairn.curate.rules.lessons import lessons

    found = [(sentence, segment) for sentence, segment in mended(talk.segments) if "[REDACTED" not in sentence]
    found += [(lesson.sentence.text, talk.at(lesson.said.start)) for lesson in lessons(talk.said)]
    for sentence, segment in found:
        yield talk.saying(sentence, sentence, segment)._replace(by_person=False)


class _Talk:
    """One session, as its readers want it."""

    def __init__(self, found: FoundTranscript, segments: list[Segment]) -> None:
        from cairn.curate.rules.speech import Said

        self.found, self.segments = found, segments
        self._spoken = [segment for segment in segments if segment.text]
        self._starts = [0, *accumulate(len(segment.text) + 1 for segment in self._spoken)]
        said = zip(self._spoken, self._starts, strict=False)
        self.said = [Said(segment.role, segment.text, start) for segment, start in said]
        self._began = next((one.text for one in self._spoken if one.role == "user"), "")

    def at(self, place: int) -> Segment:
        """The message that stands there, in characters of all of them."""
        return self._spoken[bisect_right(self._starts, place) - 1]

    def saying(self, statement: str, quote: str, segment: Segment) -> Saying:
        own = segment.id or ""
        return Saying(
            statement.strip(" ."),
            quote,
            self.found.host,
            self.found.session,
            segment.at,
            segment.start,
            message=segment.text,
            message_id="" if own.startswith("@") else own,  # an offset is no name
            began=self._began,
        )


# --- the finding ----------------------------------------------------------------------------------------------------


def _finding(ground: Ground, lesson: Lesson) -> Finding:
    count = len(lesson.sayings)
    who = _WHO[lesson.learned_by]
    newest = lesson.sayings[::-1]
    evidence = tuple(_evidence(saying) for saying in newest[:_SHOWN])
    because = "the transcripts of these sessions say the same, and no later one says otherwise"
    more = max(0, count - _SHOWN)
    message = f"{who} in {count:,} sessions: {lesson.statement}."
    return Finding(KIND, message, evidence, because, _fix(ground, lesson), _CERTAINTY, _HARM, more=more)


def _evidence(saying: Saying) -> Evidence:
    day = f", {saying.at[:10]}" if saying.at else ""
    where = f"{saying.host} session {saying.session[:8]}{day}"
    return Evidence(f"{saying.host}:{saying.session}", 1, saying.quote[:_QUOTED], where)


def _fix(ground: Ground, lesson: Lesson) -> str:
    written = _written(ground, meaning_of(lesson.statement))
    if written:
        return f"`{written.path}:{written.line}` seems to say it; make sure that agents get to read that."
    return "Write it down where agents read it, such as AGENTS.md, so that it need not be learned again."


def _written(ground: Ground, meaning: Meaning) -> Evidence | None:
    """A line of a document that has every word of it, or, where it is one word only, says just that."""
    words = {*meaning.wanted, *meaning.refused} - {"not"}
    starts = [word[:4] for word in words]
    for page in ground.pages(history=False):
        for number, line in enumerate(page.lines, 1):
            low = line.lower()
            if all(start in low for start in starts):
                found = meaning_of(line.strip(" -*#>"))
                if found == meaning or (len(words) > 1 and words <= {*found.wanted, *found.refused}):
                    return page.evidence(number)
    return None
