"""What a corpus covers: its categories, what is in each, and which items of somebody's taxonomy nobody wrote about.

Reports, never gates: an empty cell is a question to a person.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from cairn.core.model.knowledge import Entry, Volatility
from cairn.errors import ConfigError
from cairn.freshness.list_sources import ELSEWHERE
from cairn.knowledge.allowlist import Allowlist
from cairn.knowledge.serving_status import Review, review
from cairn.knowledge.topics import normalize_topic, topic_forms

REVIEWS: Final = ("reviewed", "overdue", "never")
_WORD: Final = re.compile(r"[^\W_]{3,}")
_SAME: Final = {Review.OVERDUE: "overdue", Review.UNREADABLE: "overdue", Review.NEVER: "never"}


class PlacedEntry(NamedTuple):
    """An entry and where it lies."""

    entry: Entry
    corpus: str
    category: str


class CoverageRow(NamedTuple):
    corpus: str
    category: str
    entries: int
    volatility: Mapping[str, int]
    reviews: Mapping[str, int]
    sources: int
    """Distinct ones."""
    unsourced: int
    """Entries that name none."""
    hosts: Mapping[str, int]
    """Sources on the web, by the category of their host on the allowlist."""

    def json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "volatility": dict(self.volatility),
            "reviews": dict(self.reviews),
            "hosts": dict(self.hosts),
        }


def rows_of(placed: Iterable[PlacedEntry], allowlist: Allowlist, today: date) -> list[CoverageRow]:
    groups: dict[tuple[str, str], list[Entry]] = {}
    for one in placed:
        groups.setdefault((one.corpus, one.category), []).append(one.entry)
    rows = [_row(corpus, category, entries, allowlist, today) for (corpus, category), entries in sorted(groups.items())]
    listed = sorted({host for row in rows for host in row.hosts})
    return [row._replace(hosts={host: row.hosts.get(host, 0) for host in listed}) for row in rows]


def _row(corpus: str, category: str, entries: Sequence[Entry], allowlist: Allowlist, today: date) -> CoverageRow:
    volatility = Counter(str(entry.volatility) for entry in entries)
    reviews = Counter(_SAME.get(review(entry, today), "reviewed") for entry in entries)
    sources = {source.reference: source for entry in entries for source in entry.sources}
    hosts = Counter(allowlist.category(s.target) or ELSEWHERE for s in sources.values() if s.kind == "url")
    return CoverageRow(
        corpus,
        category,
        len(entries),
        {str(tier): volatility[str(tier)] for tier in Volatility},
        {word: reviews[word] for word in REVIEWS},
        len(sources),
        sum(not entry.sources for entry in entries),
        hosts,
    )


def table_of(rows: Sequence[CoverageRow]) -> tuple[list[str], list[list[str]]]:
    """Header and lines; a cell with nothing in it is a dot."""
    hosts = list(rows[0].hosts) if rows else []
    tiers = [str(tier) for tier in Volatility]
    header = ["category", "entries", *tiers, *REVIEWS, "sources", "unsourced", *hosts]
    cells = [
        [row.entries, *row.volatility.values(), *row.reviews.values(), row.sources, row.unsourced, *row.hosts.values()]
        for row in rows
    ]
    several = len({row.corpus for row in rows}) > 1
    names = [f"{row.corpus}/{row.category}" if several else row.category for row in rows]
    return header, [[name, *(str(cell or "·") for cell in line)] for name, line in zip(names, cells, strict=True)]


def relies_on(row: CoverageRow, most: int = 3) -> str:
    """The kinds of hosts that most of its sources are at."""
    return ", ".join(f"{name} {count}" for name, count in Counter(row.hosts).most_common(most) if count) or "·"


# --- gaps -----------------------------------------------------------------------------------------------------------


class CoverageGap(NamedTuple):
    topic: str
    signals: int
    nearest: str | None
    """Path of the entry that is most like it."""


def gaps_of(topics: Iterable[str], entries: Sequence[Entry]) -> list[CoverageGap]:
    """Topics that somebody missed and no entry has as its name or topic; the most missed first."""
    known = {form for entry in entries for name in (entry.name, *entry.topics) for form in topic_forms(name)}
    counts = Counter(topic for text in topics if (topic := normalize_topic(text)))
    open_ones = [(topic, count) for topic, count in counts.most_common() if topic not in known]
    finder = NearestEntry(entries)
    return [CoverageGap(topic, count, finder.find(topic.replace("-", " "))) for topic, count in open_ones]


class NearestEntry:
    """The entry that has most words in common with a text; a rare word says more."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._words = {entry.path: _words(_said(entry)) for entry in entries}
        self._counts = Counter(word for words in self._words.values() for word in words)

    def find(self, text: str) -> str | None:
        wanted = _words(text)
        scored = ((sum(1 / self._counts[word] for word in wanted & words), path) for path, words in self._words.items())
        best, path = max(
            ((score, path) for score, path in scored if score), default=(0.0, None), key=lambda one: one[0]
        )
        return path if best else None


def _said(entry: Entry) -> str:
    return f"{entry.name} {entry.title} {entry.summary} {' '.join(entry.topics)}"


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower().removesuffix("s") for word in _WORD.findall(text.replace("-", " ")))


# --- a taxonomy -----------------------------------------------------------------------------------------------------


class TaxonomyItem(NamedTuple):
    title: str
    keywords: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


class Taxonomy(NamedTuple):
    name: str
    items: tuple[TaxonomyItem, ...]


class CoveredItem(NamedTuple):
    item: TaxonomyItem
    entries: tuple[str, ...]
    """Paths."""
    nearest: str | None = None
    """Of an item that nothing covers: the entry that is most like it."""

    def json(self) -> dict[str, Any]:
        return {
            "title": self.item.title,
            "covered": bool(self.entries),
            "entries": list(self.entries),
            "nearest": self.nearest,
        }


def parse_taxonomy(text: str, *, name: str) -> Taxonomy:
    """`name` is how the file is called in the sentence that says what is wrong with it."""
    from cairn.lib.yaml.parse import YamlProblem, load_yaml

    try:
        value = load_yaml(text)
    except YamlProblem as problem:
        where = f" line {problem.line}" if problem.line else ""
        raise ConfigError(f"`{name}`{where} cannot be read: {problem.message}") from None
    if not isinstance(value, dict) or not isinstance(value.get("items"), list) or not value["items"]:
        raise ConfigError(
            f"`{name}` has to be a map with `name` and a list `items`; each has a `title` and `keywords`."
        )
    title = value.get("name")
    items = tuple(_item(item, at, name) for at, item in enumerate(value["items"]))
    return Taxonomy(title if isinstance(title, str) and title else name, items)


def _item(item: Any, at: int, name: str) -> TaxonomyItem:
    known = isinstance(item, dict) and set(item) <= {"title", "keywords", "topics"}
    title = item.get("title") if known else None
    words = _texts(item.get("keywords")) if known else None
    topics = _texts(item.get("topics")) if known else None
    if not isinstance(title, str) or not title.strip() or words is None or topics is None:
        raise ConfigError(
            f"`items[{at}]` in `{name}` has to be {{title: …, keywords: […], topics: […]}}; the title is a text, the "
            "others are lists of texts and may be left out."
        )
    return TaxonomyItem(title.strip(), words, topics)


def _texts(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return ()
    fine = isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)
    return tuple(value) if fine else None


def covered_by(taxonomy: Taxonomy, entries: Sequence[Entry]) -> list[CoveredItem]:
    finder = NearestEntry(entries)
    words = {entry.path: _words(_said(entry)) for entry in entries}
    topics = {
        entry.path: {form for topic in (entry.name, *entry.topics) for form in topic_forms(topic)} for entry in entries
    }
    return [_covered(item, words, topics, finder) for item in taxonomy.items]


def _covered(
    item: TaxonomyItem, words: Mapping[str, frozenset[str]], topics: Mapping[str, set[str]], finder: NearestEntry
) -> CoveredItem:
    """A topic of the item is a topic of the entry, or all words of one of its keywords stand in what the entry says of
    itself; an item without either goes by its title."""
    wanted = {form for topic in item.topics for form in topic_forms(topic)}
    phrases = [_words(keyword) for keyword in item.keywords or (() if item.topics else (item.title,))]
    found = tuple(
        path for path in words if topics[path] & wanted or any(_within(phrase, words[path]) for phrase in phrases)
    )
    nearest = None if found else finder.find(" ".join((item.title, *item.keywords, *item.topics)))
    return CoveredItem(item, found, nearest)


def _within(phrase: frozenset[str], words: frozenset[str]) -> bool:
    return bool(phrase) and phrase <= words


# --- as a file ------------------------------------------------------------------------------------------------------


def as_markdown(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    def row(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    marks = ["---", *("---:" for _ in header[1:])]
    return "\n".join([row(header), row(marks), *map(row, lines)]) + "\n"


def as_csv(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(_counted(lines))
    return text.getvalue()


def _counted(lines: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """With nothing as 0, for programs; a name that a spreadsheet would take for a formula is quoted for it."""
    for name, *cells in lines:
        safe_name = f"'{name}" if name[:1] in "=+-@" else name
        yield [safe_name, *("0" if cell == "·" else cell for cell in cells)]
