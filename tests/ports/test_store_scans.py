"""Histories of a workspace, scanned into every store: the same graph in each, and never half of one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.storage.sql.session import SqlSession
from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.registry import ExtensionSwitches
from cairn.errors import StoreLocked
from cairn.plugin import AnalyzerManifest, Candidate, ExtractorManifest, Issue, Severity
from snapshot import rows, snapshot
from stores import OpenStore
from workbench import Bench, built_ins, with_extension

Step = Callable[[Bench], None]


def page(name: str, text: str) -> Step:
    return lambda bench: bench.write(name, text)  # type: ignore[return-value]


def front(**values: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items()) + "---\n"


class Chatty:
    """Says everything that an extractor may say."""

    manifest = ExtractorManifest(version="1", description="for tests", ui={})

    def extract(self, ctx: Any) -> None:
        ctx.enrich_node({"words": len(ctx.document.body.split())})
        at = ctx.document.body.find("/deploy")
        if at >= 0:
            readings = [
                ctx.candidate(kind, "x.md", 0.9, original="/deploy", normalized="x.md", data={"n": [1]}, rationale="r")
                for kind in ("references", "points")
            ]
            ctx.emit_signal(at, at + 7, "/deploy", *readings)


class Judge:
    """Lowers the confidence of links to pages that are not there, and complains about pairs."""

    manifest = AnalyzerManifest(version="1", description="for tests", phase="score", reach="node")

    def evaluate(self, ctx: Any) -> list[Issue]:
        for link in ctx.links(state="broken"):
            ctx.adjust_confidence(link, "set", 0.5)
            ctx.adjust_confidence(link, "delta", -0.125)
        return []


def everything_on() -> Any:
    registry = built_ins(ExtensionSwitches(enabled=lambda *_: True))
    return with_extension(with_extension(registry, "extractor", Chatty(), id="chatty"), "analyzer", Judge(), id="judge")


HISTORY: list[tuple[str, Step]] = [
    ("a first page", page("README.md", "# Read me\n\nSee [deploy](.claude/skills/deploy/SKILL.md) and /deploy.\n")),
    (
        "a skill with tools",
        page(".claude/skills/deploy/SKILL.md", front(name="deploy", description="d", tags="[a, Ä]") + "[x](gone.md)\n"),
    ),
    (
        "an agent and two servers",
        page(".claude/agents/r.md", front(name="r", description="d", tools="mcp__gh__get, mcp__db__q") + "@deploy\n"),
    ),
    ("the same name again", page(".claude/agents/s.md", front(name="r", description="d") + "/deploy\n")),
    ("a page in another script", page("docs/日本/頁.md", "# 日本語\n\n全文検索 [x](../../README.md)\n")),
    ("broken frontmatter", page("docs/bad.md", "---\na: [1\n---\n# Bad\n")),
    ("a target that appears", page(".claude/skills/deploy/gone.md", "# Here\n")),
    ("a file that is no text", lambda bench: bench.write("docs/bin.md", b"\x00\x01\x02") and None),
    ("a file that is too large", page("docs/big.md", "x" * 2_000_000)),
    ("an edit", page("README.md", "# Read me\n\n@r and [self](README.md) [self](README.md#top) https://e.org/a\n")),
    ("a move", lambda bench: bench.move("docs/日本/頁.md", "docs/moved.md")),
    ("a removal", lambda bench: bench.remove(".claude/agents/r.md")),
    ("a smaller file", page("docs/big.md", "# Small now\n")),
    ("a character zero in a title", page("docs/zero.md", '---\ntitle: "a\\0b"\nname: "n\\0"\n---\n# x\n')),
    ("a very long name", page("docs/long.md", front(name="n" * 60_000, tags=f"[{'t' * 30_000}]") + "x\n")),
    ("nothing", lambda bench: None),
]


@pytest.fixture
def benches(tmp_path: Path, every_store: dict[str, SqlStore]) -> dict[str, Bench]:
    return {name: Bench(tmp_path / "work", store, registry=everything_on()) for name, store in every_store.items()}


def without_zeros(value: Any) -> Any:
    """PostgreSQL cannot hold the character zero; it shows the replacement character there."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {without_zeros(key): without_zeros(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_zeros(item) for item in value]
    return type(value)(map(without_zeros, value)) if type(value) is tuple else value


def test_one_history_leaves_the_same_in_every_store(benches: dict[str, Bench]) -> None:
    first = benches["memory"]
    for name, step in HISTORY:
        step(first)
        for bench in benches.values():
            bench.scan()
        graphs = {kind: without_zeros(snapshot(bench.store)) for kind, bench in benches.items()}
        assert graphs["sqlite"] == graphs["memory"], name
        assert graphs["postgres"] == graphs["memory"], name
        assert set(graphs["memory"]["leftovers"].values()) == {0}, name
    lists = {kind: readable(bench.store) for kind, bench in benches.items()}
    assert without_zeros(lists["memory"]) == lists["postgres"]
    assert lists["memory"] == lists["sqlite"]


def readable(store: Any) -> dict[str, Any]:
    """The same things in the order in which a reader gets them."""
    return {
        "nodes": [n.path for n in store.nodes()],
        "links": [(x.source, x.target, x.confidence, x.line, x.offset, x.resolved) for x in store.links()],
        "issues": [(i.analyzer, i.nodes, i.line, i.message) for i in store.issues()],
        "orphans": [orphan.path for orphan in store.orphans()],
        "renames": [rename[1:5] for rename in store.renames()],
        "scores": [store.scores(n.path) for n in store.nodes()],
        "enrichments": [dict(store.enrichments(n.path)) for n in store.nodes()],
    }


def test_a_rebuild_gives_the_same_graph_as_the_history(benches: dict[str, Bench]) -> None:
    for _, step in HISTORY:
        step(benches["memory"])
        for bench in benches.values():
            bench.scan()
    for bench in benches.values():
        before = snapshot(bench.store)
        bench.scan(rebuild=True)
        assert snapshot(bench.store) == before


def test_switching_the_provider_and_back_restores_the_graph(bench: Bench) -> None:
    for _, step in HISTORY:
        step(bench)
    bench.scan()
    before = snapshot(bench.store)
    bench.active = "openai"
    bench.scan()
    assert snapshot(bench.store) != before
    bench.active = "claude"
    bench.scan()
    assert snapshot(bench.store) == before


def test_an_extractor_that_comes_and_goes_leaves_no_trace(bench: Bench) -> None:
    for _, step in HISTORY:
        step(bench)
    bench.scan()
    before, few = snapshot(bench.store), bench.registry
    bench.registry = everything_on()
    bench.scan()
    more = snapshot(bench.store)
    assert any("test/chatty" in repr(signals) for signals in more["signals"].values())
    assert any(link[1] == "x.md" for link in more["links"])
    assert any(row[1] == "test/chatty" for row in more["enrichments"])
    bench.scan(rebuild=True)
    assert snapshot(bench.store) == more
    bench.registry = few
    bench.scan()
    assert snapshot(bench.store) == before


# --- a crash ------------------------------------------------------------------------------------------------------

METHODS = ["put_nodes", "put_signals", "put_texts", "put_links", "settle", "put_issues", "set_meta", "record_orphans"]


class Crash(Exception):
    pass


@pytest.mark.parametrize("method", METHODS)
def test_a_crash_in_the_middle_leaves_the_graph_before(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    for _, step in HISTORY[:6]:
        step(bench)
    bench.scan()
    before = snapshot(bench.store)
    bench.write("README.md", "# Other\n\n[x](docs/bad.md)\n")
    bench.remove(".claude/agents/s.md")

    real = getattr(SqlSession, method)

    def crash(self: SqlSession, *args: Any, **kwargs: Any) -> None:
        real(self, *args, **kwargs)
        raise Crash

    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr(SqlSession, method, crash)
        bench.scan()
    assert snapshot(bench.store) == before
    bench.scan()
    node = bench.store.node("README.md")
    assert node is not None and node.title == "Other"


class Broken:
    manifest = AnalyzerManifest(version="1", description="for tests", reach="graph")

    def evaluate(self, ctx: Any) -> list[Issue]:
        list(ctx.links())
        raise ValueError("no")


def test_an_analyzer_that_raises_is_reported_and_the_scan_ends_well(bench: Bench) -> None:
    bench.registry = with_extension(built_ins(), "analyzer", Broken())
    bench.write("README.md", "[x](gone.md)\n")
    report = bench.scan()
    assert [failure.extension for failure in report.failures] == ["test/probe"]
    assert [i.analyzer for i in bench.store.issues()] == ["reference-broken"]


class Interrupting:
    manifest = AnalyzerManifest(version="1", description="for tests", reach="graph")

    def evaluate(self, ctx: Any) -> list[Issue]:
        raise KeyboardInterrupt


def test_an_interruption_leaves_the_graph_before(bench: Bench) -> None:
    bench.write("README.md", "# One\n")
    bench.scan()
    before = snapshot(bench.store)
    bench.write("README.md", "# Two\n")
    calm, bench.registry = bench.registry, with_extension(built_ins(), "analyzer", Interrupting())
    with pytest.raises(KeyboardInterrupt):
        bench.scan()
    assert snapshot(bench.store) == before
    bench.registry = calm
    assert bench.scan().changed == ("README.md",)


# --- two connections ----------------------------------------------------------------------------------------------


def test_a_reader_sees_the_old_graph_until_the_scan_commits(shared: OpenStore, tmp_path: Path) -> None:
    writer, reader = shared(), shared()
    bench = Bench(tmp_path / "work", writer)
    bench.write("a.md", "# A\n")
    bench.scan()
    seen: list[list[str]] = []

    class Look:
        manifest = AnalyzerManifest(version="1", description="for tests", reach="graph")

        def evaluate(self, ctx: Any) -> list[Issue]:
            seen.append([n.path for n in reader.nodes()])
            seen.append([n.path for n in ctx.nodes()])
            return [Issue("probe", Severity.INFO, ("b.md",), "Seen.")]

    bench.registry = with_extension(built_ins(), "analyzer", Look())
    bench.write("b.md", "# B\n")
    bench.scan()
    assert seen == [["a.md"], ["a.md", "b.md"]]
    assert [n.path for n in reader.nodes()] == ["a.md", "b.md"]
    assert [i.analyzer for i in reader.issues()] == ["probe"]
    reader.close()
    writer.close()


def test_a_second_writer_is_told_to_come_back(shared: OpenStore) -> None:
    first, second = shared(), shared(timeout=0.1)
    with first.scan() as session:
        session.set_meta({"a": 1})
        with pytest.raises(StoreLocked, match="Another process is writing"), second.scan():
            pass
        with pytest.raises(StoreLocked):
            second.reset(state=True)
        assert second.meta() == {}
    with second.scan() as session:
        assert session.meta() == {"a": 1}
        session.set_meta({"a": 2})
    assert first.meta() == {"a": 2}
    first.close()
    second.close()


def test_two_that_open_at_once_make_one_schema(shared: OpenStore) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        versions = list(pool.map(lambda _: opened_version(shared), range(8)))
    assert (
        versions
        == [
            [
                (1, "foundation"),
                (2, "results"),
                (3, "archive"),
                (4, "narrow"),
                (5, "jobs"),
                (6, "questions"),
                (7, "trust"),
            ]
        ]
        * 8
    )


def opened_version(shared: OpenStore) -> list[tuple[Any, ...]]:
    store = shared(timeout=10)
    try:
        return rows(store, "SELECT version, name FROM config_schema_versions")
    finally:
        store.close()


# --- the full-text index ------------------------------------------------------------------------------------------


def found(store: Any, words: str) -> list[str]:
    """Paths of the nodes that hold these words one after the other."""
    from cairn.lib.text.search_words import searchable

    if type(store._db).__name__ == "PostgresDatabase":
        from cairn.adapters.storage.postgres.words import words as cut

        query = "SELECT n.path FROM scan_text t JOIN scan_nodes n ON n.text_id = t.id WHERE t.words @@ phraseto_tsquery"
        cursor = store._db._execute(f"{query}('scan_words', %s) ORDER BY n.path", (cut(searchable(words)),))
    else:
        phrase = '"' + searchable(words).replace('"', '""') + '"'
        query = "SELECT n.path FROM scan_text t JOIN scan_nodes n ON n.text_id = t.rowid WHERE scan_text MATCH ?"
        cursor = store._db._execute(f"{query} ORDER BY n.path", (phrase,))
    return [row[0] for row in cursor]


TEXTS = {
    "guide.md": "# The Guide\n\nHow to reload the café cache, see docs/runbooks/cache_reload.md.\n",
    "jp.md": "# 検索\n\n全文検索は速い。東京都\n",
    "tagged.md": "---\ntitle: Titled\ndescription: A summary line.\ntags: [operations]\n---\nBody.\n",
}

WORDS = {
    "a word of the body": ("reload", ["guide.md"]),
    "whatever its case": ("RELOAD", ["guide.md"]),
    "with and without its accent": ("cafe", ["guide.md"]),
    "a part of a path in the text": ("runbooks", ["guide.md"]),
    "a phrase": ("reload the café cache", ["guide.md"]),
    "not a phrase": ("the reload", []),
    "a word inside of others, in a script without blanks": ("東京", ["jp.md"]),
    "two characters that are apart": ("検都", []),
    "a title": ("titled", ["tagged.md"]),
    "a summary": ("summary line", ["tagged.md"]),
    "a tag": ("operations", ["tagged.md"]),
    "a file's name": ("tagged", ["tagged.md"]),
}


@pytest.mark.parametrize(("words", "paths"), WORDS.values(), ids=WORDS.keys())
def test_words_are_found(bench: Bench, words: str, paths: list[str]) -> None:
    for path, text in TEXTS.items():
        bench.write(path, text)
    bench.scan()
    assert found(bench.store, words) == paths


def test_words_that_went_are_not_found_again(bench: Bench) -> None:
    bench.write("a.md", "aardvark\n")
    bench.write("b.md", "badger\n")
    bench.scan()
    bench.remove("b.md")
    bench.scan()
    bench.write("c.md", "camel\n")
    bench.write("a.md", "antelope\n")
    bench.scan()
    assert [found(bench.store, word) for word in ("aardvark", "badger", "antelope", "camel")] == [
        [],
        [],
        ["a.md"],
        ["c.md"],
    ]


def test_the_index_is_made_anew_when_too_much_of_it_is_outdated(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.graph.scan._STALE_TEXTS", 3)
    for name in "abcd":
        bench.write(f"{name}.md", f"word{name}\n")
    bench.scan()
    sizes = []
    for turn in range(6):
        bench.write("a.md", f"turn{turn}\n")
        bench.scan()
        with bench.store.scan() as session:
            sizes.append(session.text_counts())
    assert max(total for total, _ in sizes) <= 8
    assert all(current == 4 for _, current in sizes)
    assert [found(bench.store, word) for word in ("turn5", "wordb", "wordd", "worda")] == [
        ["a.md"],
        ["b.md"],
        ["d.md"],
        [],
    ]


def test_a_page_with_more_words_than_fit_is_indexed_from_its_beginning(bench: Bench) -> None:
    many = " ".join(f"w{n:x}" for n in range(150_000))
    bench.write("many.md", f"---\ndescription: {many[:200_000]}\n---\nfirstword {many}\n")
    bench.scan(max_file_size=4_000_000)
    assert found(bench.store, "firstword") == ["many.md"]


def test_the_memory_of_a_candidate_is_whole(bench: Bench) -> None:
    """A signal with two readings, data and reasons survives the store."""
    bench.registry = everything_on()
    bench.write("a.md", "use /deploy\n")
    bench.scan()
    [signals] = snapshot(bench.store)["signals"].values()
    rich = [s for s in signals if len(s.candidates) == 2]
    assert [type(c) for s in rich for c in s.candidates] == [Candidate, Candidate]
    assert [c.data for s in rich for c in s.candidates] == [{"n": [1]}, {"n": [1]}]
