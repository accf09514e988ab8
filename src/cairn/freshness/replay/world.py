"""The world behind a corpus, played: pages of the web and files of the repository that say things, and change."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from cairn.core.ports.sources import Conditions, FetchFailed, Outcome
from cairn.lib.html.charset import FetchedPage


class FactWording(NamedTuple):
    """One thing that can be said of a subject: as its page says it, as an editor may put it later, as an entry does."""

    page: str
    reworded: str
    entry: str


WORDINGS: Final = (
    FactWording(
        "The {subject} accepts at most {value} orders in an hour.",
        "In an hour, no more than {value} orders are accepted by the {subject}.",
        "Send the {subject} at most {value} orders in an hour.",
    ),
    FactWording(
        "A call to the {subject} times out after {value} seconds.",
        "After {value} seconds, a call to the {subject} times out.",
        "Expect a timeout of the {subject} after {value} seconds.",
    ),
    FactWording(
        "Invoices of the {subject} are due within {value} days.",
        "Invoices which the {subject} sends are due within {value} days.",
        "Pay the invoices of the {subject} within {value} days.",
    ),
    FactWording(
        "The {subject} keeps its log for {value} weeks, then the log is erased.",
        "The log of the {subject} is kept for {value} weeks and erased then.",
        "Fetch the log of the {subject} before {value} weeks are over; it is erased then.",
    ),
    FactWording(
        "A crate of the {subject} has a deposit of {value} euros.",
        "There is a deposit of {value} euros on each crate of the {subject}.",
        "Charge {value} euros as the deposit for a crate of the {subject}.",
    ),
    FactWording(
        "On Saturdays the {subject} closes at {value} o'clock.",
        "The {subject} closes at {value} o'clock on each Saturday.",
        "Be at the {subject} before {value} o'clock on Saturdays.",
    ),
    FactWording(
        "A pallet for the {subject} may weigh up to {value} kilograms.",
        "The {subject} takes pallets of up to {value} kilograms.",
        "Load a pallet for the {subject} with {value} kilograms at most.",
    ),
    FactWording(
        "The {subject} pays a refund after {value} working days.",
        "Refunds are paid by the {subject} after {value} working days.",
        "Tell customers that a refund by the {subject} takes {value} working days.",
    ),
)

_THINGS: Final = (
    *("card reader", "flour mill", "market hall", "courier desk", "milk farm", "label printer", "till", "cold store"),
    *(
        "booking page",
        "bottle yard",
        "parcel locker",
        "tax portal",
        "water meter",
        "egg farm",
        "yeast lab",
        "bank desk",
    ),
    *(
        "salt works",
        "night bus",
        "school canteen",
        "oven maker",
        "bag factory",
        "honey club",
        "fruit hall",
        "repair shop",
    ),
)
_WHICH: Final = (
    *("old", "northern", "red", "second", "quiet", "harbour", "upper", "green", "city", "winter", "little", "western"),
    *("new", "southern", "blue", "third", "busy", "station", "lower", "white", "village", "summer", "great", "eastern"),
    *(
        "round",
        "castle",
        "silver",
        "bridge",
        "forest",
        "market",
        "river",
        "chapel",
        "garden",
        "copper",
        "corner",
        "hill",
    ),
)
_NEWS: Final = (
    "Thanks to everybody who came to our open day.",
    "We are looking for a trainee in the office.",
    "Our brochure has a new photograph on its cover.",
    "The car park behind the building is being paved.",
    "A choir will sing in the yard before the holidays.",
)
_FACTS_OF_PAGE: Final = 5
_FACTS_OF_ENTRY: Final = 2


class ChangeRates(NamedTuple):
    """Of all pages, in a week. That one change in fifty touches what an entry relies on is the usual share."""

    touching: float = 0.004
    noise: float = 0.196
    outage: float = 0.01
    unstable: float = 0.05
    """Pages that never look the same twice; this is a share and not a rate."""


_NOISE: Final = (("stamp", 40), ("navigation", 20), ("news", 20), ("other value", 8), ("redesign", 8), ("reworded", 4))
"""What changes when nothing that matters does, and how often."""


@dataclass(slots=True)
class PlayedPage:
    """What somebody else says. `values` are the facts; everything else is how they are dressed."""

    place: str
    subject: str
    kinds: tuple[int, ...]
    values: list[int]
    unstable: bool = False
    version: int = 0
    stamp: int = 0
    links: int = 3
    design: int = 0
    news: list[str] = field(default_factory=list)
    reworded: set[int] = field(default_factory=set)
    down_until: int = -1

    @property
    def on_the_web(self) -> bool:
        return self.place.startswith("https://")

    def sentences(self) -> list[str]:
        return [self._sentence(at) for at in range(len(self.kinds))]

    def _sentence(self, at: int) -> str:
        wording = WORDINGS[self.kinds[at]]
        text = wording.reworded if at in self.reworded else wording.page
        return text.format(subject=self.subject, value=self.values[at])

    def html(self, look: int) -> str:
        """`look` counts requests: a page that is unstable answers each of them with something else."""
        tag = "p" if self.design % 2 == 0 else "li"
        links = "".join(f"<a href='/{number}'>Topic {number}</a>" for number in range(self.links))
        facts = "".join(f"<{tag} class='d{self.design}'>{sentence}</{tag}>" for sentence in self.sentences())
        news = "".join(f"<p>{text}</p>" for text in self.news)
        whim = f"<h2>Visitors</h2><p>You are number {look * 7919 % 99991}.</p>" if self.unstable else ""
        return (
            f"<html><head><title>The {self.subject}</title></head><body><nav>{links}</nav><main>"
            f"<h1>About the {self.subject}</h1>{facts}{news}{whim}</main>"
            f"<footer>Last updated on day {self.stamp}</footer></body></html>"
        )

    @property
    def digest(self) -> str:
        """Of a file, as somebody who read it stamps an entry with."""
        from cairn.lib.code.read import outline

        return outline(self.place, self.text().encode()).digest

    def text(self) -> str:
        """As a file of the repository."""
        lines = [f"About the {self.subject}", "", *self.sentences(), "", *self.news, f"Printed on day {self.stamp}."]
        return "\n".join(lines) + "\n"


@dataclass(slots=True)
class PlayedEntry:
    """An entry: what somebody wrote down from a page."""

    path: str
    name: str
    page: PlayedPage
    facts: tuple[int, ...]
    """Which of the page's."""
    values: list[int]
    """As the entry has them."""
    volatility: str

    @property
    def wrong(self) -> bool:
        return any(self.page.values[at] != value for at, value in zip(self.facts, self.values, strict=True))

    def sentence(self, nth: int, value: int) -> str:
        return WORDINGS[self.page.kinds[self.facts[nth]]].entry.format(subject=self.page.subject, value=value)

    def text(self) -> str:
        kind = "url" if self.page.on_the_web else "path"
        stamp = "" if self.page.on_the_web else f"\n    hash: sha256:{self.page.digest}"
        said = [self.sentence(nth, value) for nth, value in enumerate(self.values)]
        return (
            f"---\nname: {self.name}\ndescription: What matters about the {self.page.subject}.\n"
            f"topics: [suppliers]\nvolatility: {self.volatility}\nsources:\n  - {kind}: {self.page.place}{stamp}\n"
            "---\n\n"
            f"# The {self.page.subject}\n\n## Summary\n\n{said[0]}\n\n## Deep Guidance\n\n{' '.join(said[1:])}\n"
            "Ask the office when a customer wants it otherwise.\n"
        )


class PlayedWorld:
    """Everything that changes by itself, one day after the other, the same way for the same seed."""

    def __init__(self, entries: int, *, seed: int, rates: ChangeRates | None = None) -> None:
        self.rates = rates or ChangeRates()
        self._random = Random(seed)
        self.pages = list(self._pages(max(1, entries * 3 // 4)))
        self.entries = [self._entry(number) for number in range(entries)]
        self.by_path = {entry.path: entry for entry in self.entries}
        self._by_place: dict[str, list[PlayedEntry]] = {}
        for entry in self.entries:
            self._by_place.setdefault(entry.page.place, []).append(entry)
        self.noise = 0
        """Changes that matter to nobody, counted for each entry that cites the page."""
        self._touched: list[PlayedEntry] = []

    def _pages(self, count: int) -> Iterator[PlayedPage]:
        subjects = [f"{which} {thing}" for which in _WHICH for thing in _THINGS]
        self._random.shuffle(subjects)
        for number in range(count):
            subject = subjects[number % len(subjects)]
            name = f"{subject.replace(' ', '-')}-{number}"
            inside = number % 10 < 3
            place = f"reference/{name}.txt" if inside else f"https://{name}.example/about"
            kinds = tuple(sorted(self._random.sample(range(len(WORDINGS)), _FACTS_OF_PAGE)))
            unstable = not inside and self._random.random() < self.rates.unstable
            yield PlayedPage(place, subject, kinds, [self._random.randint(5, 90) for _ in kinds], unstable)

    def _entry(self, number: int) -> PlayedEntry:
        page = self.pages[number % len(self.pages)]
        facts = tuple(sorted(self._random.sample(range(_FACTS_OF_PAGE), _FACTS_OF_ENTRY)))
        volatility = self._random.choices(("fast-moving", "evolving", "stable"), (2, 5, 3))[0]
        name = f"{page.subject.replace(' ', '-')}-{number}"
        values = [page.values[at] for at in facts]
        return PlayedEntry(f"knowledge/suppliers/{name}.md", name, page, facts, values, volatility)

    def files(self) -> dict[str, bytes]:
        """At the beginning: entries about files are stamped, those about the web are not."""
        inside = {page.place: page.text().encode() for page in self.pages if not page.on_the_web}
        return {**inside, **{entry.path: entry.text().encode() for entry in self.entries}}

    # --- time ------------------------------------------------------------------------------------------------------

    def age(self, weeks: int) -> None:
        """Let time pass without anybody watching: what nobody looked after for so long is partly wrong."""
        share = 1 - (1 - self.rates.touching) ** weeks
        for page in self.pages:
            if self._random.random() < share:
                self._touch(page)
        self._touched.clear()

    def pass_day(self, day: int) -> list[PlayedEntry]:
        """The entries that this day made wrong, once for each change that did."""
        for page in self.pages:
            self._live(page, day)
        touched, self._touched = self._touched, []
        return touched

    def _live(self, page: PlayedPage, day: int) -> None:
        if page.on_the_web and self._happens(self.rates.outage):
            page.down_until = day + self._random.randint(1, 3)
        if self._happens(self.rates.noise):
            self._dress(page, day)
        if self._happens(self.rates.touching):
            self._touch(page)

    def _happens(self, weekly: float) -> bool:
        return self._random.random() < weekly / 7

    def _citing(self, page: PlayedPage) -> list[PlayedEntry]:
        return self._by_place.get(page.place, [])

    def _touch(self, page: PlayedPage) -> None:
        """A value changes that some entry repeats."""
        relied = sorted({at for entry in self._citing(page) for at in entry.facts})
        at = self._random.choice(relied)
        page.values[at] = self._another(page.values[at])
        page.version += 1
        self._touched += [entry for entry in self._citing(page) if at in entry.facts]

    def _another(self, value: int) -> int:
        return self._random.choice([other for other in range(5, 91) if other != value])

    def _dress(self, page: PlayedPage, day: int) -> None:
        page.version += 1
        page.stamp = day
        self.noise += len(self._citing(page))
        match self._random.choices([kind for kind, _ in _NOISE], [weight for _, weight in _NOISE])[0]:
            case "navigation":
                page.links = self._random.randint(2, 9)
            case "news":
                page.news = self._random.sample(_NEWS, self._random.randint(1, 3))
            case "redesign":
                page.design += 1
            case "reworded":
                page.reworded ^= {self._random.randrange(_FACTS_OF_PAGE)}
            case "other value":
                self._elsewhere(page)

    def _elsewhere(self, page: PlayedPage) -> None:
        """A value that no entry repeats."""
        relied = {at for entry in self._citing(page) for at in entry.facts}
        free: Sequence[int] = [at for at in range(_FACTS_OF_PAGE) if at not in relied]
        if free:
            at = self._random.choice(free)
            page.values[at] = self._another(page.values[at])


class PlayedWeb:
    """Pages have an etag unless they are unstable; one that is down answers 503."""

    def __init__(self, world: PlayedWorld) -> None:
        self._pages = {page.place: page for page in world.pages if page.on_the_web}
        self.day = 0
        self.looks = 0

    def fetch(self, url: str, conditions: Conditions | None = None, *, again: bool = False) -> Outcome:
        page = self._pages[url]
        self.looks += 1
        if page.down_until >= self.day:
            return FetchFailed(url, "status", "The server answers 503: it is busy.", retryable=True, status=503)
        etag = None if page.unstable else f'"{page.version}"'
        unchanged = etag is not None and conditions is not None and conditions.etag == etag
        return self._answer(url, page, etag, unchanged)

    def _answer(self, url: str, page: PlayedPage, etag: str | None, unchanged: bool) -> FetchedPage:
        body = b"" if unchanged else page.html(self.looks).encode()
        return FetchedPage(url, url, 304 if unchanged else 200, "text/html; charset=utf-8", body, etag, None, unchanged)

    def fetch_all(self, wanted: Iterable[tuple[str, Conditions]], *, again: bool = False) -> Iterator[Outcome]:
        return (self.fetch(url, conditions, again=again) for url, conditions in wanted)

    def probe(self, url: str) -> Outcome:
        return self.fetch(url)

    def probe_all(self, urls: Iterable[str]) -> Iterator[Outcome]:
        return (self.probe(url) for url in urls)
