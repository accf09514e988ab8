"""Vectors of pages in the store, the same on every database."""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.search import TextFilter, VectorRow
from workbench import Bench


def keep(store: SqlStore, model: str = "m") -> list[str]:
    missing = store.vectors.missing(model, 10)
    store.vectors.keep(model, [VectorRow(one.body_hash, one.frontmatter_hash, one.path.encode()) for one in missing])
    return [one.path for one in missing]


def vectors(store: SqlStore, model: str = "m") -> dict[str, bytes]:
    return dict(store.vectors.all(model, 10))


def test_a_page_has_one_until_it_says_something_else(bench: Bench, store: SqlStore) -> None:
    bench.write("a.md", "# A\n\nOne.\n")
    bench.write("b.md", "# B\n\nTwo.\n")
    bench.scan()
    assert store.vectors.count_missing("m") == 2
    assert [one.path for one in store.vectors.missing("m", 1)] == ["a.md"]
    assert keep(store) == ["a.md", "b.md"]
    assert vectors(store) == {"a.md": b"a.md", "b.md": b"b.md"}
    bench.write("a.md", "# A\n\nThree.\n")
    bench.scan()
    assert vectors(store) == {"b.md": b"b.md"}
    assert keep(store) == ["a.md"]
    bench.write("a.md", "# A\n\nOne.\n")
    bench.scan()
    assert store.vectors.count_missing("m") == 0, "what it once said is still known"


def test_pages_that_say_the_same_share_one(bench: Bench, store: SqlStore) -> None:
    for name in ("a.md", "b.md"):
        bench.write(name, "# Same\n\nWords.\n")
    bench.scan()
    keep(store)
    assert set(vectors(store)) == {"a.md", "b.md"}


def test_what_nobody_needs_is_dropped(bench: Bench, store: SqlStore) -> None:
    bench.write("a.md", "# A\n\nOne.\n")
    bench.scan()
    keep(store)
    keep(store, "other")
    bench.write("a.md", "# A\n\nTwo.\n")
    bench.scan()
    keep(store)
    assert store.vectors.tidy("m") == 2
    assert vectors(store) == {"a.md": b"a.md"}
    assert vectors(store, "other") == {}


def test_texts_by_path_pass_the_filter(bench: Bench, store: SqlStore) -> None:
    for name in ("docs/a.md", "docs/b.md", "c.md"):
        bench.write(name, f"# {name}\n\nWords.\n")
    bench.scan()
    asked = ["docs/b.md", "c.md", "docs/a.md", "gone.md"]
    assert [hit.path for hit in store.texts_at(asked, TextFilter())] == ["c.md", "docs/a.md", "docs/b.md"]
    below = TextFilter(NodeFilter(path_glob="docs/*"))
    assert [hit.path for hit in store.texts_at(asked, below)] == ["docs/a.md", "docs/b.md"]
    assert store.texts_at(asked, TextFilter(statuses=("alpha",))) == []
