"""Collects what a reader is shown of a session: new messages in full, and what is needed to understand them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.session_log import SpokenText
from cairn.curate.questions.learned.question import LEFT_OUT
from cairn.curate.shortlist import Near

PART: Final = 32_000
"""Characters of new messages in one question: about 8,000 tokens."""
EARLIER: Final = 4_000
"""Characters of messages that were read before."""
PAGES: Final = 12
_LONGEST: Final = {"user": 8_000, "assistant": 3_000}
"""Characters that are shown of one message. A longer one of a person holds something that was pasted."""
_TAIL: Final = 3
"""One in so many of the characters that are shown are of its end."""
PEOPLE: Final = {"user": "person", "assistant": "agent"}
_ASKED: Final = 40
"""Messages of the person that pages are looked for with."""
_NEAREST: Final = 3

FindPages = Callable[[KnowledgeCandidate], Sequence[Near]]


class SessionPart(NamedTuple):
    """A stretch of a session that goes into one question."""

    start: int
    through: int
    """Characters of the rendered text."""
    messages: tuple[dict[str, Any], ...]


def next_part(said: Sequence[SpokenText], start: int, end: int) -> SessionPart | None:
    """From the first message that begins at `start` or later, as many whole ones as fit; None when there is none."""
    new = [one for one in said if start <= one.start < end]
    taken: list[dict[str, Any]] = []
    through, size = start, 0
    for number, one in enumerate(new):
        shown = message(one)
        if taken and size + len(shown["text"]) > PART:
            break
        taken.append(shown)
        size += len(shown["text"])
        through = new[number + 1].start if number + 1 < len(new) else end
    before = list(_earlier([one for one in said if one.start < start]))
    return SessionPart(start, through, (*before, *taken)) if taken else None


def _earlier(said: Sequence[SpokenText]) -> Iterator[dict[str, Any]]:
    """The last ones, in their order."""
    kept: list[dict[str, Any]] = []
    size = 0
    for one in reversed(said):
        shown = message(one, earlier=True)
        size += len(shown["text"])
        if size > EARLIER:
            break
        kept.append(shown)
    yield from reversed(kept)


def message(said: SpokenText, *, earlier: bool = False) -> dict[str, Any]:
    text, cut = said.text, []
    if (gone := len(text) - (longest := _LONGEST[said.role])) > 0:
        head, tail = longest - longest // _TAIL, longest // _TAIL
        text, cut = f"{text[:head]}{LEFT_OUT.format(f'{gone:,}')}{text[-tail:]}", [head, gone]
    return {
        "who": PEOPLE[said.role],
        "text": text,
        "start": said.start,
        "cut": cut,
        "earlier": earlier,
        "outside": said.outside,
    }


def learned_input(
    part: SessionPart,
    *,
    session: str,
    date: str,
    found: Sequence[KnowledgeCandidate],
    near: FindPages,
    others: Callable[[], Sequence[Near]] = tuple,
) -> dict[str, Any]:
    """`found` are the candidates of the session so far. Where no page is near, some `others` show in which language
    this base is written: a statement in another one would find no page that is about the same."""
    shown = pages_near([str(message["text"]) for message in _own(part)], near) or others()
    return {
        "session": session,
        "date": date[:10],
        "from": part.start,
        "through": part.through,
        "messages": list(part.messages),
        "found": [{"kind": one.kind, "title": one.title} for one in found],
        "pages": [page_value(page) for page in shown],
    }


def _own(part: SessionPart) -> list[dict[str, Any]]:
    """The person's new messages, the last ones; of a session in which nobody typed, the agent's."""
    new = [one for one in part.messages if not one["earlier"]]
    return ([one for one in new if one["who"] == "person"] or new)[-_ASKED:]


def subject_of(session: str, part: SessionPart) -> str:
    return f"session:{session}@{part.start}-{part.through}"


def pages_near(texts: Sequence[str], near: FindPages, *, most: int = PAGES) -> list[Near]:
    """The pages that most of these texts come near to."""
    found: dict[str, Near] = {}
    points: Counter[str] = Counter()
    for text in texts:
        for rank, page in enumerate(near(_asking(text))[:_NEAREST]):
            found.setdefault(page.path, page)
            points[page.path] += _NEAREST - rank
    return [found[path] for path, _ in sorted(points.items(), key=lambda one: (-one[1], one[0]))[:most]]


def _asking(text: str) -> KnowledgeCandidate:
    """A text in the form in which pages are looked for."""
    line = " ".join(text[:1_000].split())
    return KnowledgeCandidate("", "practice", line[:300], "", line[300:])


def page_value(page: Near) -> dict[str, Any]:
    return {"id": page.id, "kind": page.kind, "title": page.title, "summary": page.summary}
