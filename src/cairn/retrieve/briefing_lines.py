"""What an agent is told when it begins: the best lines for which a hard budget has room, and counts of the rest.

Every word of it is paid for: the frame, the nudge and the mark by which it is known again count like the lines. Where
not even the frame fits, nothing is said.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from cairn.knowledge.topics import topic_forms
from cairn.retrieve.excerpt import said

Group = Literal["rules", "components", "pages"]
HEADINGS: Final[Mapping[Group, str]] = {
    "rules": "How things are done here:",
    "components": "What there is:",
    "pages": "Worth reading:",
}
_SHARES: Final[Mapping[Group, float]] = {"rules": 0.5, "components": 0.2, "pages": 0.3}
"""Of the room, before what nobody used goes to the others."""
TITLE: Final = 80
SUMMARY: Final = 200
_PATH: Final = 200
_TOPIC: Final = 30
_TOPICS: Final = 4
_MISSES: Final = 5
"""Lines that were too long for what is left; after so many there is no room."""
_RESERVE: Final = 45
"""Tokens that counts of the rest may take."""
_MARK: Final = 14
_MARK_OF_LINE: Final = 6
"""Tokens of the mark at the end, by itself and for each line."""


class BriefingLine(NamedTuple):
    """A page that may be told of."""

    path: str
    title: str
    summary: str
    group: Group
    topics: tuple[str, ...] = ()
    label: str = ""
    """A word of warning, such as `new`."""
    worth: float = 0.0

    @property
    def line(self) -> str:
        """One line, whatever the page says; empty for one that could not be opened by what a line can say."""
        if said(self.path, _PATH) != self.path:
            return ""
        label = f", {self.label}" if self.label else ""
        return f"- {': '.join(self.words)} (`{self.path}`{label})"

    @property
    def words(self) -> tuple[str, ...]:
        """Title and summary. A title that the path or the summary says, too, is not paid for twice."""
        title, summary = said(self.title, TITLE), said(self.summary, SUMMARY)
        name = self.path.rpartition("/")[2].rpartition(".")[0]
        known = summary.casefold().startswith(title.rstrip(".").casefold()) or topic_forms(title) == topic_forms(name)
        if not summary or known:
            return (summary or title,)
        return (title.rstrip("."), summary)


class TopicCount(NamedTuple):
    """How pages that were left out are counted."""

    topic: str
    pages: int


class BriefingText(NamedTuple):
    text: str
    tokens: int
    shown: tuple[BriefingLine, ...] = ()
    more: tuple[TopicCount, ...] = ()
    """What was left out, by topic; those of no topic that others share under an empty one."""
    nudge: str = ""

    @property
    def left(self) -> int:
        return sum(counted.pages for counted in self.more)


EMPTY: Final = BriefingText("", 0)


class BriefingWords(NamedTuple):
    """What a briefing is made of, beside its lines."""

    head: str
    nudge: str
    mark: Callable[[str], str]
    count: Callable[[str], int]


def brief(
    offers: Mapping[Group, Iterator[BriefingLine]],
    everything: Sequence[BriefingLine],
    words: BriefingWords,
    budget: int,
) -> BriefingText:
    """`offers` are those that may be shown, the best first, and are asked for as long as there is room; `everything`
    is counted where it is not shown."""
    room = budget - words.count(f"{words.head}\n{_text((), '', words)}") - _RESERVE - _MARK
    shown = _chosen({group: _Offer(offers[group]) for group in HEADINGS if group in offers}, words, room)
    for attempt in _ever_shorter(shown, everything, words):
        if attempt.tokens <= budget:
            return attempt
    return EMPTY


def _ever_shorter(
    shown: list[BriefingLine], everything: Sequence[BriefingLine], words: BriefingWords
) -> Iterator[BriefingText]:
    """First the counts lose their topics, then lines go, then the nudge: an estimate may have been too low."""
    more: tuple[TopicCount, ...] = ()
    for number in range(len(shown), -1, -1):
        kept = _in_order(shown[:number])
        there = {page.path for page in kept}
        more = counts([page for page in everything if page.path not in there])
        if not kept and not more and not words.nudge:
            return
        for topics in (_TOPICS, 0):
            yield _briefing(kept, more, topics, words)
    yield _briefing((), more, 0, words._replace(nudge=""))


def _briefing(
    kept: tuple[BriefingLine, ...], more: tuple[TopicCount, ...], topics: int, words: BriefingWords
) -> BriefingText:
    text = _text(kept, rest(more, topics) if kept else only(more), words)
    return BriefingText(text, words.count(text), kept, more, words.nudge)


# --- choosing ---------------------------------------------------------------------------------------------------------


class _Offer:
    """Pages of one group, looked at one by one; one that was too long for now may fit later."""

    def __init__(self, pages: Iterator[BriefingLine]) -> None:
        self._pages = pages
        self._back: list[BriefingLine] = []

    def take(self, room: int, cost: Callable[[BriefingLine], int]) -> Iterator[BriefingLine]:
        """Those that fit, as long as any does."""
        waiting, self._back = self._back, []
        while len(self._back) < _MISSES:
            page = waiting.pop(0) if waiting else next(self._pages, None)
            if page is None:
                return
            if (price := cost(page)) <= room:
                room -= price
                yield page
            else:
                self._back.append(page)
        self._back += waiting


def _chosen(offers: Mapping[Group, _Offer], words: BriefingWords, room: int) -> list[BriefingLine]:
    """Each group takes its share; what is left over goes to all of them in their order."""
    chosen: list[BriefingLine] = []
    seen: set[tuple[str, str]] = set()
    left = room

    def cost(page: BriefingLine) -> int:
        line = page.line
        again = _meaning(page) in seen or not line
        return room + 1 if again else words.count(f"{line}\n") + _MARK_OF_LINE

    rounds = [(group, int(room * share)) for group, share in _SHARES.items()] + [(group, room) for group in _SHARES]
    for group, share in rounds:
        if group not in offers:
            continue
        heading = 0 if any(page.group == group for page in chosen) else words.count(f"{HEADINGS[group]}\n")
        for page in offers[group].take(min(share, left) - heading, cost):
            left -= cost(page)
            seen.add(_meaning(page))
            chosen.append(page)
        left -= heading if any(page.group == group for page in chosen) else 0
    return chosen


def _meaning(page: BriefingLine) -> tuple[str, str]:
    return said(page.title, TITLE).casefold(), said(page.summary, SUMMARY).casefold()


def _in_order(chosen: Sequence[BriefingLine]) -> tuple[BriefingLine, ...]:
    return tuple(page for group in HEADINGS for page in chosen if page.group == group)


# --- words ------------------------------------------------------------------------------------------------------------


def counts(pages: Sequence[BriefingLine]) -> tuple[TopicCount, ...]:
    """Each page once: under the one of its topics that most of them have."""
    common = Counter(topic for page in pages for topic in page.topics)
    found = Counter(max(page.topics, key=lambda t: (common[t], t), default="") for page in pages)
    shared = {topic: number for topic, number in found.items() if topic and number > 1}
    alone = sum(found.values()) - sum(shared.values())
    ordered = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
    return tuple(TopicCount(topic, number) for topic, number in [*ordered, ("", alone)] if number)


def rest(more: Sequence[TopicCount], topics: int) -> str:
    """`12 more about orders, 3 about payment, 7 others: …`; empty when nothing was left out."""
    if not more:
        return ""
    named = [(said(one.topic, _TOPIC), one.pages) for one in more if one.topic][:topics]
    others = sum(one.pages for one in more) - sum(pages for _, pages in named)
    parts = [f"{pages} about {topic}" for topic, pages in named] + (_others(others) if named else [])
    return f"Not shown: {', '.join(parts) or others}. `cairn search WORDS` finds them."


def _others(number: int) -> list[str]:
    return [f"{number} other{'s' if number > 1 else ''}"] if number else []


def only(more: Sequence[TopicCount]) -> str:
    """Where no page is shown."""
    pages = sum(one.pages for one in more)
    what = "a page" if pages == 1 else f"{pages:,} pages"
    return (
        f"There {'is' if pages == 1 else 'are'} {what} of knowledge here; `cairn search WORDS` finds what fits."
        if pages
        else ""
    )


def _text(shown: Sequence[BriefingLine], more: str, words: BriefingWords) -> str:
    lines = [words.head] if shown else []
    for group, heading in HEADINGS.items():
        own = [page.line for page in shown if page.group == group]
        lines += [heading, *own] if own else []
    lines += [line for line in (more, words.nudge) if line]
    inside = "\n".join(lines)
    # The summary by itself, too: that is how an agent would repeat it.
    told = "\n\n".join([*(page.line for page in shown), *(page.words[-1] for page in shown)])
    return f"<cairn-briefing>\n{inside}\n</cairn-briefing>\n{words.mark(told)}".strip()
