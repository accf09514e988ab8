"""What a corpus covers: counts by category, gaps, and items of a taxonomy."""

from datetime import date

import pytest

from cairn.core.model.knowledge import Entry, Source, Volatility
from cairn.errors import CairnError
from cairn.freshness.coverage import (
    PlacedEntry,
    as_csv,
    as_markdown,
    covered_by,
    gaps_of,
    parse_taxonomy,
    rows_of,
    table_of,
)
from cairn.knowledge.allowlist import AllowedPlace, Allowlist

TODAY = date(2026, 3, 1)
LIST = Allowlist([AllowedPlace("owasp.org", "", "security")])


def entry(path: str, reviewed: str | None = "2026-02-20", *urls: str, **facts: object) -> Entry:
    name = path.rpartition("/")[2].removesuffix(".md")
    sources = tuple(Source("url", url) for url in urls)
    return Entry(path, "entry", name, name, "", last_reviewed=reviewed, sources=sources, **facts)  # type: ignore[arg-type]


ENTRIES = [
    entry("k/security/session-tokens.md", "2026-02-20", "https://owasp.org/a", volatility=Volatility.STABLE),
    entry("k/security/passwords.md", None, "https://owasp.org/a", "https://elsewhere.org/b"),
    entry("k/data/row-locks.md", "2020-01-01", topics=("PostgreSQL", "locking")),
]
PLACED = [PlacedEntry(one, "k", one.path.split("/")[1]) for one in ENTRIES]


def test_rows_by_category_with_empty_cells() -> None:
    data, security = rows_of(PLACED, LIST, TODAY)
    assert (data.category, data.entries, data.sources, data.unsourced) == ("data", 1, 0, 1)
    assert data.reviews == {"reviewed": 0, "overdue": 1, "never": 0}
    assert data.hosts == {"not on the list": 0, "security": 0}, "the same columns everywhere, so that a gap is seen"
    assert security.reviews == {"reviewed": 1, "overdue": 0, "never": 1} and security.sources == 2
    assert security.hosts == {"not on the list": 1, "security": 1}
    assert security.volatility == {"stable": 1, "evolving": 1, "fast-moving": 0}


def test_as_a_table() -> None:
    header, lines = table_of(rows_of(PLACED, LIST, TODAY))
    assert len({len(line) for line in (header, *lines)}) == 1
    assert lines[0][:5] == ["data", "1", "·", "1", "·"]
    assert as_markdown(header, lines).count("\n") == 4
    assert as_csv(header, lines).splitlines()[1].startswith("data,1,0,1,0")
    assert as_csv(["a"], [["=1+1", "·"]]).splitlines()[1] == "'=1+1,0", "no formula in a spreadsheet"
    assert table_of([]) == (table_of([])[0], [])


def test_gaps_that_nobody_covers() -> None:
    topics = ["Row Locks", "postgresql", "session fixation", "session-fixation", "zzz", ""]
    found = gaps_of(topics, ENTRIES)
    assert [(gap.topic, gap.signals) for gap in found] == [("session-fixation", 2), ("zzz", 1)]
    assert [gap.nearest for gap in found] == ["k/security/session-tokens.md", None]


TAXONOMY = """
name: What we need
items:
  - {title: Tokens of sessions, keywords: [session token]}
  - {title: Locking, topics: [Locking]}
  - {title: Passwords}
  - {title: Backups of tokens, keywords: [backup]}
"""


def test_items_of_a_taxonomy() -> None:
    found = covered_by(parse_taxonomy(TAXONOMY, name="t.yaml"), ENTRIES)
    assert [one.entries for one in found] == [
        ("k/security/session-tokens.md",),
        ("k/data/row-locks.md",),
        ("k/security/passwords.md",),
        (),
    ]
    assert found[3].nearest == "k/security/session-tokens.md" and found[0].nearest is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "t.yaml"),
        ("[]", "`items`"),
        ("items: []", "`items`"),
        ("items: [a]", r"items\[0\]"),
        ("items: [{title: a}, {keywords: [b]}]", r"items\[1\]"),
        ("items: [{title: a, keywords: b}]", r"items\[0\]"),
        ("items: [{title: a, words: [b]}]", r"items\[0\]"),
    ],
)
def test_what_is_wrong_with_a_taxonomy_is_said(text: str, said: str) -> None:
    with pytest.raises(CairnError, match=said):
        parse_taxonomy(text, name="t.yaml")
