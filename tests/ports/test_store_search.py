"""Full-text search, on every database: the same words find the same nodes."""

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.search import Term, TextFilter, TextQuery
from workbench import Bench

FILES = [
    (
        "docs/keys.md",
        "---\ntitle: Signing keys\ntags: [security]\ntype: lesson\n---\nRotate the signing key each May.\n",
    ),
    ("docs/locks.md", "# Locks\n\nA key opens the door. Rotating it is for the locksmith, see `maxRetryCount`.\n"),
    (
        "docs/café.md",
        "---\nstatus: alpha\nnote: {status: beta}\n---\n# Le café\n\nLe résumé de l'année, error E1234.\n",
    ),
    ("docs/検索.md", "# 検索\n\n全文検索は速い。東京都の鍵を交換する。\n"),
    ("docs/ar.md", "# مفتاح\n\nتدوير مِفْتاح التوقيع كل سنة.\n"),
    ("docs/ko.md", "# 서명\n\n서명키를 교체하는 방법.\n"),
    (
        ".claude/agents/smith.md",
        "---\nname: smith\ndescription: Makes keys and locks.\ntags: [metal]\n---\nAsk first.\n",
    ),
]
KEYS, LOCKS, CAFE, JAPANESE, SMITH = "docs/keys.md", "docs/locks.md", "docs/café.md", "docs/検索.md", FILES[-1][0]


@pytest.fixture
def scanned(bench: Bench) -> Bench:
    bench.write_all(FILES)
    bench.scan()
    return bench


def term(*words: str, prefix: bool = False) -> Term:
    return Term((words,), prefix)


def paths(store: SqlStore, query: TextQuery, limit: int = 10, **wanted: object) -> set[str]:
    return {hit.path for hit in store.search(query, TextFilter(**wanted), limit)}  # type: ignore[arg-type]


QUERIES: dict[str, tuple[TextQuery, set[str]]] = {
    "a word": (TextQuery(every=(term("locksmith"),)), {LOCKS}),
    "by its stem": (TextQuery(every=(term("rotated"),)), {KEYS, LOCKS}),
    "every": (TextQuery(every=(term("key"), term("door"))), {LOCKS}),
    "any": (TextQuery(any=(term("locksmith"), term("may"))), {KEYS, LOCKS}),
    "every and any": (TextQuery(every=(term("key"),), any=(term("locksmith"), term("resume"))), {LOCKS}),
    "none": (TextQuery(every=(term("key"),), none=(term("locksmith"), term("metal"))), {KEYS}),
    "none alone takes one away": (
        TextQuery(any=(term("keys"), term("café")), none=(term("year"),)),
        {KEYS, LOCKS, CAFE, SMITH},
    ),
    "titled": (TextQuery(every=(term("key"),), titled=True), {KEYS, SMITH}),
    "a titled phrase": (TextQuery(every=(term("signing", "key"),), titled=True), {KEYS}),
    "a titled prefix": (TextQuery(any=(term("lock", prefix=True), term("locksmith")), titled=True), {LOCKS, SMITH}),
    "phrase": (TextQuery(every=(term("signing", "key"),)), {KEYS}),
    "not the other way round": (TextQuery(every=(term("key", "signing"),)), set()),
    "prefix": (TextQuery(every=(term("lock", prefix=True),)), {LOCKS, SMITH}),
    "phrase that goes on": (TextQuery(every=(term("the", "locksm", prefix=True),)), {LOCKS}),
    "either spelling": (TextQuery(every=(Term((("nothing",), ("opens", "the"))),)), {LOCKS}),
    "accents": (TextQuery(every=(term("resume"),)), {CAFE}),
    "accents asked": (TextQuery(every=(term("Kéy"),)), {KEYS, LOCKS, SMITH}),
    "an error's code": (TextQuery(every=(term("e1234"),)), {CAFE}),
    "camel case in parts": (TextQuery(every=(term("retry", "count"),)), {LOCKS}),
    "camel case as one": (TextQuery(every=(term("maxretrycount"),)), {LOCKS}),
    "in the path": (TextQuery(every=(term("agents"),)), {SMITH}),
    "in a tag": (TextQuery(every=(term("security"),)), {KEYS}),
    "Japanese": (TextQuery(every=(term("全", "文"), term("鍵"))), {JAPANESE}),
    "Japanese, not there": (TextQuery(every=(term("文", "全"),)), set()),
    "Arabic without points": (TextQuery(every=(term("مفتاح"),)), {"docs/ar.md"}),
    "Korean inside a word": (TextQuery(every=(term("명", "키"),)), {"docs/ko.md"}),
    "operators are words": (TextQuery(every=(term("NOT"), term('a" OR "b'))), set()),
    "quotes and zeros": (TextQuery(any=(term("'; DROP \0 TABLE --"), term("door"))), {LOCKS}),
    "no words at all": (TextQuery(any=(term("--"), term("door"))), {LOCKS}),
    "no words, and every one must be there": (TextQuery(every=(term("--"), term("door"))), set()),
}


@pytest.mark.parametrize(("query", "expected"), QUERIES.values(), ids=QUERIES.keys())
def test_what_is_found(scanned: Bench, query: TextQuery, expected: set[str]) -> None:
    assert paths(scanned.store, query) == expected


ANY_KEY = TextQuery(any=(term("key"), term("café")))
FILTERS: dict[str, tuple[dict[str, object], set[str]]] = {
    "kind": ({"nodes": NodeFilter(kinds=("agent",))}, {SMITH}),
    "tag": ({"nodes": NodeFilter(tags=("security", "none"))}, {KEYS}),
    "path": ({"nodes": NodeFilter(path_glob="docs/*")}, {KEYS, LOCKS, CAFE}),
    "type": ({"types": ("lesson",)}, {KEYS}),
    "type by kind": ({"types": ("agent", "lesson")}, {KEYS, SMITH}),
    "status": ({"statuses": ("alpha",)}, {CAFE}),
    "status somewhere else": ({"statuses": ("beta",)}, {CAFE}),
    "all at once": ({"nodes": NodeFilter(kinds=("markdown",)), "types": ("lesson",), "statuses": ("alpha",)}, set()),
}


@pytest.mark.parametrize(("wanted", "expected"), FILTERS.values(), ids=FILTERS.keys())
def test_filters(scanned: Bench, wanted: dict[str, object], expected: set[str]) -> None:
    assert paths(scanned.store, ANY_KEY, **wanted) == expected


def test_a_hit_says_what_a_list_of_hits_shows(scanned: Bench) -> None:
    (hit,) = scanned.store.search(TextQuery(every=(term("smith"),)), TextFilter(), 5)
    assert hit[:5] == (SMITH, "agent", "claude", "smith", "Makes keys and locks.")
    assert '"tags":["metal"]' in hit.frontmatter
    assert hit.score > 0


def test_a_title_weighs_more_than_the_text(bench: Bench) -> None:
    bench.write("a.md", "# Other\n\nThe harbour is mentioned here once, among the words of a longer text.\n")
    bench.write("b.md", "# Harbour\n\nNothing else is said about it, among the words of a longer text.\n")
    bench.scan()
    query = TextQuery(every=(term("harbour"),))
    assert [hit.path for hit in bench.store.search(query, TextFilter(), 5)] == ["b.md", "a.md"]
    assert [hit.path for hit in bench.store.search(query, TextFilter(), 1)] == ["b.md"]


def test_same_scores_come_by_path(bench: Bench) -> None:
    for name in ("c.md", "a.md", "b.md"):
        bench.write(name, "# Same\n\nSame words.\n")
    bench.scan()
    found = bench.store.search(TextQuery(every=(term("same"),)), TextFilter(), 5)
    assert [hit.path for hit in found] == ["a.md", "b.md", "c.md"]


def test_what_a_file_once_said_does_not_find_it(scanned: Bench) -> None:
    for number in range(3):
        scanned.write(KEYS, f"# Nothing\n\nAbout {number}.\n")
        scanned.scan()
    scanned.remove(LOCKS)
    scanned.scan()
    assert paths(scanned.store, TextQuery(any=(term("signing"), term("locksmith")))) == set()
    assert paths(scanned.store, TextQuery(every=(term("nothing"),)), limit=1) == {KEYS}


def test_how_often_a_word_occurs(scanned: Bench) -> None:
    store = scanned.store
    assert store.text_total() == len(FILES)
    assert store.text_frequency(term("key"), at_most=10) == 3
    assert store.text_frequency(term("key"), at_most=2) == 2
    assert store.text_frequency(term("signing", "key"), at_most=10) == 1
    assert store.text_frequency(term("absent"), at_most=10) == 0
    for number in range(3):
        scanned.write(KEYS, f"# Keys\n\nEdited {number} times.\n")
        scanned.scan()
    assert store.text_frequency(term("edited"), at_most=10) == 1
    assert store.text_frequency(term("signing"), at_most=10) == 0
    assert store.text_total() == len(FILES)


def test_tags_are_counted(scanned: Bench) -> None:
    assert scanned.store.tag_counts() == {"metal": 1, "security": 1}


def test_an_empty_store_finds_nothing(store: SqlStore) -> None:
    assert store.search(TextQuery(every=(term("key"),)), TextFilter(), 5) == []
    assert store.text_total() == 0


def test_how_often_a_word_is_a_subject_or_stands_beside_another(scanned: Bench) -> None:
    store = scanned.store
    assert store.text_frequency(term("key"), at_most=10, titled=True) == 2
    assert store.text_frequency(term("door"), at_most=10, titled=True) == 0
    assert store.text_frequency(term("key"), at_most=10, beside=(term("door"), term("metal"))) == 2
    assert store.text_frequency(term("key"), at_most=10, beside=(term("absent"),)) == 0


def test_headings_are_subjects(bench: Bench) -> None:
    bench.write("a.md", "# Harbour\n\n## Cranes\n\nText.\n\n```sh\n# comment\n```\n")
    bench.write("b.rst", "Harbour\n=======\n\nBuoys\n-----\n\nText.\n")
    bench.scan()
    titled = {
        word: bench.store.text_frequency(term(word), at_most=9, titled=True) for word in ("crane", "buoy", "comment")
    }
    assert titled == {"crane": 1, "buoy": 1, "comment": 0}


def test_pages_that_are_left_out_by_scope_do_not_make_a_word_common(scanned: Bench) -> None:
    scanned.write_all([(f"tests/fixtures/{n}.md", "# Zebra\n\nThe door of the zebra.\n") for n in range(5)])
    scanned.scan()
    assert scanned.store.text_total() == len(FILES)
    assert scanned.store.text_frequency(term("door"), at_most=10) == 1
    assert scanned.store.text_frequency(term("zebra"), at_most=10) == 5
    assert len(paths(scanned.store, TextQuery(every=(term("zebra"),)))) == 5


def test_an_index_with_the_words_of_an_older_version_is_made_anew(scanned: Bench) -> None:
    with scanned.store.scan() as session:
        session.clear_texts()
        session.set_meta({**session.meta(), "texts": 1})
    assert paths(scanned.store, TextQuery(every=(term("key"),))) == set()
    scanned.scan(only=("docs",))
    assert paths(scanned.store, TextQuery(every=(term("key"),))) == set()
    report = scanned.scan()
    assert paths(scanned.store, TextQuery(every=(term("key"),))) == {KEYS, LOCKS, SMITH}
    assert not report.changed
