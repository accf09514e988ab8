"""What a scan asks of its transaction, call by call, on every database."""

from collections.abc import Iterator
from typing import Any

import pytest

from cairn.adapters.storage.sql.session import SqlSession
from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.model.graph import Candidate, Rejection, Signal, Tag, dump_rejections, dump_signals, load_signals
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.ports.graph import (
    Appearance,
    ContributionRow,
    Degree,
    EnrichmentRow,
    IssueCount,
    LinkRow,
    LinkTarget,
    MissingNode,
    NameRow,
    NodeRow,
    Orphan,
    Rename,
    ScoreRow,
    SharedName,
    TextRow,
    VirtualRow,
)
from cairn.core.ports.runtime import FoundFile
from cairn.core.ports.sources import AttemptRow

HASH = bytes(range(32))


def node(id: int, path: str, **changes: Any) -> NodeRow:
    row = NodeRow(
        id, path, "skill", "claude", "claude/skill", path, "", "{}", HASH, HASH, 10, 20, 1_700, 30, 1_700_000_000, id,
        0, 0, None, None, 0, 1, id,
    )  # fmt: skip
    return row._replace(**changes)


def virtual(id: int, path: str) -> NodeRow:
    return node(id, path, virtual=1, kind="mcp", text_id=None, derived_from='["a.md"]', modified_at_ms=None)


def link(source: int, target: str, resolved: int | None = None, **changes: Any) -> LinkRow:
    detail = '[["markdown-link"],"x","","",[],null]'
    row = LinkRow(source, target, "references", resolved, "node" if resolved else "broken", 1.0, None, 1, 0, 1, detail)
    return row._replace(**changes)


def signal(target: str = "b.md", extractor: str = "core/markdown-link", **changes: Any) -> Signal:
    read = Candidate(extractor, "references", target, 0.95, f"./{target}", target)
    return Signal("body", 3, 9, 2, f"[b](./{target})", (read,))._replace(**changes)


def put_signals(session: SqlSession, rows: list[tuple[int, list[Signal]]]) -> None:
    pairs = [(c.extractor, c.kind) for _, signals in rows for s in signals for c in s.candidates]
    emitters = session.emitters(pairs)
    session.put_signals([(id, dump_signals(signals, emitters)) for id, signals in rows])


def signals_of(session: SqlSession, ids: list[int] | None = None) -> list[list[Signal]]:
    return [load_signals(stored.signals, session.emitters()) for stored in session.stored(ids)]


def issue(path: str = "a.md", rule: str = "broken", **changes: Any) -> Issue:
    return Issue(**{"analyzer": rule, "severity": Severity.WARN, "nodes": (path,), "message": "Look.", **changes})


@pytest.fixture
def session(store: SqlStore) -> Iterator[SqlSession]:
    with store.scan() as opened:
        yield opened


def filled(store: SqlStore) -> None:
    """Three nodes: a points at b twice over and at a file that is not there; c is on its own."""
    with store.scan() as session:
        session.put_nodes([node(1, "a.md"), node(2, "b.md", provider="openai"), node(3, "c.md", kind=None)])
        session.put_links([1], [link(1, "b.md", 2), link(1, "b", 2, kind="mentions", name="b"), link(1, "gone.md")])
        session.put_names([NameRow("b", 2, "file"), NameRow("shared", 1, "name"), NameRow("shared", 2, "name")])
        session.settle(None)
        session.set_meta({"scanned_at_ms": 5})


# --- what is there ------------------------------------------------------------------------------------------------


def test_an_empty_store_has_nothing(session: SqlSession) -> None:
    assert (session.last_id(), session.last_text_id(), session.text_counts()) == (0, 0, (0, 0))
    assert session.meta() == {}
    assert session.facts() == set()
    assert session.ids(["a.md"]) == {}
    assert session.paths([1]) == set()
    assert session.living([1]) == set()
    assert list(session.stored()) == []
    assert list(session.rows()) == []
    assert session.targets() == []
    assert session.named() == []
    assert session.virtuals() == []
    assert session.extractor_sets() == {}
    assert session.issue_analyzers() == set()


def test_empty_lists_are_fine(session: SqlSession) -> None:
    assert session.ids([]) == {}
    assert session.paths([]) == set()
    assert session.living([]) == set()
    assert session.gone([]) == []
    assert list(session.stored([])) == []
    assert list(session.rows([])) == []
    assert session.targets([]) == []
    assert session.named([]) == []
    assert session.names_by_node([]) == {}
    assert session.linkers(paths=[], names=[]) == set()
    assert session.neighbours([]) == set()
    assert session.resolved_from([]) == set()
    session.put_nodes([])
    session.put_texts([])
    session.forget_details([])
    session.drop_nodes([])
    session.set_aside([])
    session.drop_issues(rules=())
    assert session.forget_orphans([]) == 0


def test_nodes_come_back_as_they_went_in(session: SqlSession) -> None:
    rows = [node(1, "a.md", title="Ä 日本", frontmatter='{"a":"\\u0000"}'), virtual(2, "mcp://x")]
    session.put_nodes(rows)
    assert list(session.rows()) == rows
    assert list(session.rows([2])) == rows[1:]
    assert session.virtual_rows() == rows[1:]
    assert session.ids(["a.md", "mcp://x", "no"]) == {"a.md": 1, "mcp://x": 2}
    assert session.paths([1, 2, 9]) == {"a.md", "mcp://x"}
    assert session.living([1, 9]) == {1}
    assert session.last_id() == 2


def test_a_node_with_the_same_id_makes_way(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.put_nodes([node(1, "a.md", title="new")])
        assert [(row.path, row.title) for row in session.rows([1])] == [("a.md", "new")]
    assert store.counts()["nodes"] == 2


def test_facts_are_those_of_files_read_or_set_aside(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md", size=3, mtime_ns=4, inode=5), virtual(2, "mcp://x")])
    big = FoundFile("big.md", 9, 8, 7)
    session.set_aside([(big, "file-oversized")])
    assert sorted(session.facts()) == [FoundFile("a.md", 3, 4, 5), big]
    assert session.set_aside_paths() == {"big.md": "file-oversized"}


def test_large_numbers_fit(session: SqlSession) -> None:
    huge = 2**63 - 1
    session.put_nodes([node(1, "a.md", size=huge, mtime_ns=huge, inode=huge)])
    assert session.facts() == {FoundFile("a.md", huge, huge, huge)}


def test_a_file_set_aside_again_has_one_row(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.set_aside([(FoundFile("big.md", 1, 1, 1), "file-oversized")])
        session.set_aside([(FoundFile("big.md", 2, 2, 2), "file-binary")])
        assert session.set_aside_paths() == {"big.md": "file-binary"}
        session.add_issues([issue("big.md", "file-binary"), issue("big.md", "other")])
        session.drop_aside(["big.md"])
        assert session.set_aside_paths() == {}
    assert [i.analyzer for i in store.issues()] == ["other"]


def test_gone_says_the_hashes_of_files(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md", body_hash=b"b" * 32, frontmatter_hash=b"f" * 32), virtual(2, "mcp://x")])
    assert session.gone(["a.md", "mcp://x"]) == [MissingNode("a.md", b"b" * 32, b"f" * 32)]


def test_targets_and_names_are_of_visible_nodes_in_order_of_path(session: SqlSession) -> None:
    session.put_nodes([node(1, "z.md"), node(2, "B.md"), node(3, "a.md"), node(4, "hidden.md", kind=None)])
    session.put_names([NameRow("x", id, "name") for id in (1, 2, 3, 4)])
    assert {target.path for target in session.targets()} == {"z.md", "B.md", "a.md"}
    assert session.targets(["a.md", "hidden.md"]) == [LinkTarget(3, "a.md", "skill", "claude", 0)]
    assert [target.path for _, target in session.named()] == ["B.md", "a.md", "z.md"]
    assert [target.path for _, target in session.named(["x"])] == ["B.md", "a.md", "z.md"]
    assert session.named(["y"]) == []
    assert session.names_by_node([1, 4]) == {1: {"x"}, 4: {"x"}}


def test_linkers_are_found_by_path_by_resolved_node_and_by_name(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        assert session.linkers(paths=["gone.md"], names=[]) == {1}
        assert session.linkers(paths=["b.md"], names=[]) == {1}
        assert session.linkers(paths=[], names=["b"]) == {1}
        assert session.linkers(paths=["c.md"], names=["nobody"]) == set()
        assert session.loose_targets() == [("gone.md", None, "broken")]
        assert session.neighbours([1]) == {2}
        assert session.neighbours([2]) == {1}
        assert session.resolved_from([1]) == {2}


def test_links_out_of_the_repository_are_not_loose(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md")])
    session.put_links([1], [link(1, "../x.md", state="outside"), link(1, "y.md", state="file")])
    assert session.loose_targets() == [("y.md", None, "file")]


# --- writing ------------------------------------------------------------------------------------------------------

TWO_READINGS = Signal(
    "body", 1, 5, 1, "/run", (Candidate("a/b", "invokes", "run", 0.8, "/run", "run", True, {"k": [1]}, "why"),) * 2
)

SIGNALS = {
    "a plain one": signal(),
    "by name": signal(candidates=(Candidate("claude/x", "invokes", "/go", 0.8, "/go", "go", True),), raw="/go"),
    "its target is its text": signal("b.md", raw="b.md"),
    "no target": signal(candidates=(Candidate("a/b", "points", "", 0.5, "", ""),)),
    "of the frontmatter": signal(scope="frontmatter", field_path="tools[0]", context="line"),
    "with data": signal(candidates=(Candidate("a/b", "points", "x", 1.0, "x", "x", False, {"a": None}),)),
    "with empty data": signal(candidates=(Candidate("a/b", "points", "x", 1.0, "x", "x", False, {}),)),
    "with a reason": signal(candidates=(Candidate("a/b", "points", "x", 1.0, "x", "x", False, None, "since"),)),
    "two readings": TWO_READINGS,
    "odd characters": signal('a"\\\n\t\u2028日.md'),
}


@pytest.mark.parametrize("wanted", SIGNALS.values(), ids=SIGNALS.keys())
def test_signals_come_back_as_they_went_in(session: SqlSession, wanted: Signal) -> None:
    session.put_nodes([node(1, "a.md")])
    put_signals(session, [(1, [wanted, signal()])])
    assert signals_of(session, [1]) == [[wanted, signal()]]
    assert [(s.id, s.path, s.kind, s.provider) for s in session.stored()] == [(1, "a.md", "skill", "claude")]


def test_signals_of_an_earlier_scan_are_read_by_a_later_one(store: SqlStore) -> None:
    with store.scan() as session:
        session.put_nodes([node(1, "a.md"), node(2, "b.md")])
        put_signals(session, [(1, [signal()])])
    with store.scan() as session:
        put_signals(session, [(2, [signal(extractor="new/one"), signal()])])
        assert signals_of(session) == [[signal()], [signal(extractor="new/one"), signal()]]


def test_stored_can_be_read_while_links_are_written(session: SqlSession) -> None:
    session.put_nodes([node(id, f"{id}.md") for id in range(1, 50)])
    put_signals(session, [(id, [signal()]) for id in range(1, 50)])
    seen = 0
    for stored in session.stored():
        session.put_links([stored.id], [link(stored.id, "b.md")])
        seen += 1
    assert seen == 49
    assert len(list(session.focus(None).links(None))) == 49


def test_extractor_sets_have_one_number_whatever_the_order(store: SqlStore) -> None:
    with store.scan() as session:
        first = session.extractor_set(["b@1", "a@1"])
        assert session.extractor_set(("a@1", "b@1")) == first
        second = session.extractor_set([])
        assert second != first
        session.put_nodes([node(1, "a.md", extractors=first), virtual(2, "mcp://x")._replace(extractors=first)])
    with store.scan() as session:
        assert session.extractor_sets() == {first: ("a@1", "b@1"), second: ()}
        assert session.extractor_set(["a@1", "b@1"]) == first
        assert session.nodes_with_set(first) == [(1, "a.md", "claude/skill")]


def test_refit_takes_out_what_some_extractors_said(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md")])
    put_signals(session, [(1, [signal(extractor="old/one"), signal(extractor="kept/one")])])
    session.put_contributions([ContributionRow(1, by, "k", "card", "{}") for by in ("old/one", "kept/one")])
    session.put_enrichments([EnrichmentRow(1, by, "{}") for by in ("old/one", "kept/one")])
    session.refit(1, ["old/one"], dump_signals([signal(extractor="kept/one")], session.emitters()), 7)
    assert [s.candidates[0].extractor for s in signals_of(session)[0]] == ["kept/one"]
    assert session.nodes_with_set(7) == [(1, "a.md", "claude/skill")]
    assert [c.extension for c in session.focus(None).graph().contributions("a.md")] == ["kept/one"]


def test_what_hangs_on_a_node_is_forgotten_but_not_the_node(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        put_signals(session, [(1, [signal()]), (2, [signal()])])
        session.put_tags([TagRow_(1, "x"), TagRow_(2, "x")])
        session.put_virtuals([VirtualRow(1, "mcp://x", "mcp", "claude", "x")])
        session.put_rejections([1], [(1, dump_rejections([rejection()]))])
        session.add_issues([issue("a.md"), issue("b.md")])
        session.put_issues("core/other", None, [issue("a.md", "other")])
        session.forget_details([1])
        assert [s.id for s in session.stored()] == [2]
        assert session.names_by_node([1, 2]) == {2: {"b", "shared"}}
        assert session.virtuals() == []
        assert list(session.focus(None).rejections()) == []
        assert session.ids(["a.md"]) == {"a.md": 1}
    assert [(i.path, i.analyzer) for i in store.issues()] == [("a.md", "other"), ("b.md", "broken")]
    assert [n.tags for n in store.nodes()] == [(), (Tag("x", "frontmatter"),)]


def TagRow_(id: int, tag: str) -> Any:
    from cairn.core.ports.graph import TagRow

    return TagRow(id, tag, "frontmatter")


def rejection() -> Rejection:
    return Rejection(TWO_READINGS, "a/b", "invokes", "run", "longer-range", "c/d", 1, 9, 1)


def test_rejections_are_replaced_for_these_sources_only(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        both = [(1, dump_rejections([rejection()])), (2, dump_rejections([rejection(), rejection()]))]
        session.put_rejections([1, 2], both)
        session.put_rejections([2], [])
        assert list(session.focus(None).rejections()) == [("a.md", rejection())]
        assert list(session.focus({2}).rejections()) == []


def test_the_last_of_two_contributions_of_one_key_counts(store: SqlStore) -> None:
    with store.scan() as session:
        session.put_nodes([node(1, "a.md"), node(2, "b.md")])
        session.put_contributions([ContributionRow(1, "x/y", "k", "card", '{"n": 1}')] * 2)
        session.put_contributions([ContributionRow(1, "x/y", "k", "card", '{"n": 2}')])
        session.put_contributions([ContributionRow(2, "x/y", "k", "card", '{"n": 3}')])
        session.put_contributions([ContributionRow(1, "x/z", "k", "card", '{"n": 4}')])
    assert [(c.extension, c.payload) for c in store.contributions("a.md")] == [("x/y", {"n": 2}), ("x/z", {"n": 4})]
    with store.scan() as session:
        session.replace_contributions("x/y", {1}, [])
    assert [c.extension for c in store.contributions("a.md")] == ["x/z"]
    assert [c.extension for c in store.contributions("b.md")] == ["x/y"]
    with store.scan() as session:
        session.drop_contributions(keep=["x/z"])
    assert list(store.contributions("b.md")) == []
    with store.scan() as session:
        session.replace_contributions("x/z", None, [ContributionRow(2, "x/z", "k", "card", "{}")])
    assert list(store.contributions("a.md")) == []


def test_enrichments_are_kept_by_extractor(store: SqlStore) -> None:
    with store.scan() as session:
        session.put_nodes([node(1, "a.md")])
        session.put_enrichments([EnrichmentRow(1, "x/y", '{"n": 1}'), EnrichmentRow(1, "x/y", '{"n": 2}')])
    assert store.enrichments("a.md") == {"x/y": {"n": 2}}
    assert store.enrichments("b.md") == {}


def test_virtuals_come_in_order_with_the_file_that_implies_them(session: SqlSession) -> None:
    session.put_nodes([node(1, "b.md"), node(2, "a.md"), node(3, "hidden.md", kind=None)])
    session.put_virtuals([VirtualRow(id, "mcp://x", "mcp", "claude", "x") for id in (1, 2, 3)])
    session.put_virtuals([VirtualRow(1, "mcp://a", "mcp", "claude", "a")] * 2)
    assert session.virtuals() == [
        ("mcp://a", "mcp", "claude", "a", "b.md"),
        ("mcp://x", "mcp", "claude", "x", "a.md"),
        ("mcp://x", "mcp", "claude", "x", "b.md"),
    ]


def test_appearances_claims_names_and_facts_can_be_set(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.set_claims([(1, "openai/skill")])
        session.set_appearances([Appearance(1, None, None, 0), Appearance(3, "page", "core", 1)])
        session.replace_names([1, 2], [NameRow("new", 2, "name")])
        session.touch([FoundFile("b.md", 1, 2_000_000, 3)])
        session.put_external_refs([(2, '[["http://x",1,"x"]]', 1), (3, None, 0)])
        assert session.names_by_node([1, 2, 3]) == {2: {"new"}}
        assert FoundFile("b.md", 1, 2_000_000, 3) in session.facts()
        assert session.focus(None).reserved() == {"c.md"}
        assert [row.claims for row in session.rows([1])] == ["openai/skill"]
    assert [(n.path, n.kind, n.modified_at_ms) for n in store.nodes()] == [("b.md", "skill", 2), ("c.md", "page", 1700)]
    assert [len(n.external_refs) for n in store.nodes()] == [1, 0]


def test_dropped_nodes_leave_the_links_that_pointed_at_them(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.add_issues([issue("b.md"), issue("a.md")])
        session.put_issues("core/other", None, [issue("b.md", "other")])
        session.drop_nodes([2])
        session.settle(None)
        assert session.ids(["a.md", "b.md"]) == {"a.md": 1}
        assert session.living([1, 2]) == {1}
    assert [(x.target, x.state, x.resolved) for x in store.links(source="a.md")] == [
        ("b", "broken", None),
        ("b.md", "broken", None),
        ("gone.md", "broken", None),
    ]
    assert [i.path for i in store.issues()] == ["a.md"]
    assert [(n.links_out, n.links_in) for n in store.nodes()] == [(3, 0)]


def test_links_are_replaced_by_source_and_counted_again(store: SqlStore) -> None:
    filled(store)
    assert [(n.path, n.links_out, n.links_in) for n in store.nodes()] == [("a.md", 3, 0), ("b.md", 0, 2)]
    with store.scan() as session:
        session.put_links([1], [link(1, "a.md", 1)])
        session.put_links([2], [link(2, "a.md", 1), link(2, "c.md", 3)])
        session.settle({1})
    assert [(n.path, n.links_out, n.links_in) for n in store.nodes()] == [("a.md", 1, 2), ("b.md", 0, 2)]
    with store.scan() as session:
        session.settle({1, 2, 3})
    assert [(n.path, n.links_out, n.links_in) for n in store.nodes()] == [("a.md", 1, 2), ("b.md", 2, 0)]


def test_scores_set_the_confidence_of_links(store: SqlStore) -> None:
    filled(store)
    first = ScoreRow(1, "b.md", "references", "b.md", "x/y", "set", 0.25, 0.25)
    with store.scan() as session:
        session.put_scores(None, [first])
    assert [x.confidence for x in store.links() if x.target == "b.md"] == [0.25]
    assert store.scores("a.md") == [first._replace(source_id=0)]
    with store.scan() as session:
        session.put_scores({2}, [])
    assert len(store.scores("a.md")) == 1
    with store.scan() as session:
        session.put_scores({1, 2}, [])
    assert store.scores("a.md") == []
    assert {x.confidence for x in store.links()} == {1.0}


# --- issues -------------------------------------------------------------------------------------------------------

FULL = issue(
    "a.md",
    nodes=("a.md", "b.md"),
    line=3,
    detail="More.",
    fix=Fix("Do.", True),
    data={"z": 1, "a": [None, "日"]},
    severity=Severity.ERROR,
)


def test_issues_come_back_as_they_went_in(store: SqlStore) -> None:
    with store.scan() as session:
        assert session.put_issues("core/broken", None, [FULL, issue("c.md")]) == {"a.md", "b.md", "c.md"}
        assert session.issue_analyzers() == {"core/broken"}
    assert list(store.issues()) == [FULL, issue("c.md")]


def test_put_issues_names_only_what_changed(store: SqlStore) -> None:
    with store.scan() as session:
        session.put_issues("core/broken", None, [FULL, FULL, issue("c.md"), issue("d.md")])
    with store.scan() as session:
        assert session.put_issues("core/broken", None, [FULL, FULL, issue("c.md"), issue("d.md")]) == set()
        assert session.put_issues("core/broken", {"c.md"}, [issue("c.md", message="Other.")]) == {"c.md"}
        assert session.put_issues("core/broken", None, [FULL, issue("d.md")]) == {"a.md", "b.md", "c.md"}
        assert session.put_issues("core/other", None, []) == set()
    assert list(store.issues()) == [FULL, issue("d.md")]


def test_issues_can_be_dropped_by_rule_and_place(store: SqlStore) -> None:
    with store.scan() as session:
        session.add_issues([issue("a.md", "one"), issue("b.md", "one"), issue("a.md", "two")])
        session.put_issues("core/one", None, [issue("a.md", "one")])
        session.put_issues("core/two", None, [issue("b.md", "two")])
        session.set_severity(["two"], "error")
        session.drop_issues(rules=["one"], paths=["b.md"])
        session.drop_issues(rules=["core/two"])
        session.drop_issues(rules=[], paths=["a.md"])
        assert session.issue_analyzers() == {"core/one"}
    assert [(i.path, i.analyzer, i.severity.value) for i in store.issues()] == [
        ("a.md", "two", "error"),
        ("a.md", "one", "warn"),
        ("a.md", "one", "warn"),
    ]


# --- texts and meta -----------------------------------------------------------------------------------------------


def test_texts_are_counted_and_cleared(store: SqlStore) -> None:
    with store.scan() as session:
        session.put_nodes([node(1, "a.md"), node(2, "b.md")])
        session.put_texts([TextRow(id, "n", "t", "s", "b") for id in (1, 2)])
        assert (session.text_counts(), session.last_text_id()) == ((2, 2), 2)
    with store.scan() as session:
        session.drop_nodes([2])
        assert session.text_counts() == (2, 1)
        assert session.last_text_id() == 2, "the number of an outdated row must not be given out again"
        session.put_texts([TextRow(3, "n", "t", "s", "b")])
        session.clear_texts()
        assert session.text_counts() == (0, 1)
        session.put_texts([TextRow(1, "n", "t", "s", "b")])
        assert session.text_counts() == (1, 1)


def test_meta_keeps_json(store: SqlStore) -> None:
    with store.scan() as session:
        session.set_meta({"a": [1, None, "日"], "b": 1})
        session.set_meta({"b": {"c": True}})
    assert store.meta() == {"a": [1, None, "日"], "b": {"c": True}}


def test_clear_drops_what_comes_from_files_and_keeps_the_rest(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        put_signals(session, [(1, [signal()])])
        session.put_texts([TextRow(1, "n", "t", "s", "b")])
        session.extractor_set(["a@1"])
        session.set_aside([(FoundFile("big.md", 1, 1, 1), "file-oversized")])
        session.record_orphans([Orphan("old.md", 1, HASH, HASH, 0)])
        session.clear()
        assert session.meta() == {}
        assert session.facts() == set()
        assert (session.last_id(), session.text_counts()) == (0, (0, 0))
        assert session.extractor_sets() == {}
        session.put_nodes([node(1, "a.md")])
        put_signals(session, [(1, [signal()])])
        assert signals_of(session) == [[signal()]]
    assert [orphan.path for orphan in store.orphans()] == ["old.md"]


def test_abandoning_leaves_everything_as_it_was(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.drop_nodes([1, 2, 3])
        session.set_meta({"scanned_at_ms": 9})
        session.abandon()
    assert store.counts()["nodes"] == 2
    assert store.meta() == {"scanned_at_ms": 5}


# --- kept state ---------------------------------------------------------------------------------------------------


def test_renames_are_recorded_newest_first_each_with_an_id(store: SqlStore) -> None:
    with store.scan() as session:
        session.record_renames([Rename("", "a.md", "b.md", "high", (), 1)])
        session.record_renames([Rename("", "", "c.md", "ambiguous", ("x.md", "y.md"), 2)])
    newest, oldest = store.renames()
    assert newest._replace(id="") == Rename("", "", "c.md", "ambiguous", ("x.md", "y.md"), 2)
    assert oldest._replace(id="") == Rename("", "a.md", "b.md", "high", (), 1)
    assert newest.id and oldest.id and newest.id != oldest.id
    with store.scan() as session:
        session.forget_rename(newest.id)
    assert store.renames() == [oldest]


def test_orphans_are_recorded_once(store: SqlStore) -> None:
    with store.scan() as session:
        session.record_orphans([Orphan("a.md", 1, HASH, HASH, 0), Orphan("B.md", 1, HASH, HASH, 0)])
        session.record_orphans([Orphan("a.md", 2, b"n" * 32, HASH, 0)])
    assert store.orphans() == [Orphan("B.md", 1, HASH, HASH, 0), Orphan("a.md", 2, b"n" * 32, HASH, 0)]
    with store.scan() as session:
        assert session.forget_orphans(["a.md", "nobody.md"]) == 1
    assert [orphan.path for orphan in store.orphans()] == ["B.md"]


def test_kept_state_follows_a_path(store: SqlStore) -> None:
    keep = store._db._execute
    keep("INSERT INTO state_favorites VALUES ('old.md', 1), ('taken.md', 1), ('other.md', 1)")
    keep("INSERT INTO state_plugin_values VALUES ('p', 'old.md', 'k', '1', 1), ('p', 'taken.md', 'k', '2', 1)")
    with store.scan() as session:
        session.record_orphans([Orphan("old.md", 1, HASH, HASH, 0)])
    assert [orphan.kept for orphan in store.orphans()] == [2]
    with store.scan() as session:
        assert session.move_state("old.md", "new.md") == 2
        assert session.move_state("new.md", "taken.md") == 0, "what is there already stays"
    assert [orphan.kept for orphan in store.orphans()] == [0]


def test_what_was_tried_follows_a_path(store: SqlStore) -> None:
    """An entry that moved has failed as often as before."""
    rows = [AttemptRow(path, 2, "timeout", "slow", 1, 2) for path in ("old.md", "taken.md")]
    store.web.keep_attempts(rows)
    with store.scan() as session:
        session.move_state("old.md", "new.md")
    assert [row.path for row in store.web.attempts()] == ["new.md", "taken.md"]
    with store.scan() as session:
        session.move_state("new.md", "taken.md")
    assert [row.path for row in store.web.attempts()] == ["new.md", "taken.md"], "what is there already stays"
    store.web.forget_attempts(["new.md"])
    assert [row.path for row in store.web.attempts()] == ["taken.md"], "and it goes by its new name"


# --- the questions of analyzers -----------------------------------------------------------------------------------


def test_focus_limits_what_is_seen(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        session.put_links([2], [link(2, "b.md", 2), link(2, "a.md", 1, seen=2)])
        session.settle(None)
        everything, some = session.focus(None), session.focus({2})
        assert [n.path for n in everything.nodes()] == ["a.md", "b.md"]
        assert [n.path for n in some.nodes()] == ["b.md"]
        assert len(list(everything.links(None))) == 5
        assert [x.target for x in some.links(None)] == ["a.md", "b.md"]
        assert [x.target for x in everything.links("broken")] == ["gone.md"]
        assert list(some.links("broken")) == []
        assert [x.source for x in everything.self_links()] == ["b.md"]
        assert [x.source for x in some.self_links()] == ["b.md"]
        assert list(session.focus({1}).self_links()) == []
        assert [(s, t, {x.kind for x in xs}) for s, t, xs in everything.mixed_links()] == [
            ("a.md", "b.md", {"references", "mentions"})
        ]
        assert list(some.mixed_links()) == []
        assert [(s, t, len(xs)) for s, t, xs in everything.repeated_links()] == [
            ("a.md", "b.md", 2),
            ("b.md", "a.md", 1),
        ]
        assert [(s, t) for s, t, _ in some.repeated_links()] == [("b.md", "a.md")]
        assert [x.source for x in everything.links_to(["b.md"])] == ["a.md", "a.md", "b.md"]
        assert [x.source for x in some.links_to(["b.md"])] == ["b.md"]
        assert list(some.links_to([])) == []
        assert list(some.shared_names()) == [SharedName("shared", ("a.md", "b.md"))]
        assert list(everything.degrees()) == [Degree("a.md", 1, 3), Degree("b.md", 2, 1)]
        assert list(some.degrees()) == [Degree("b.md", 2, 1)]
        assert some.graph().node("a.md") is not None


def test_the_focus_may_move_between_questions(store: SqlStore) -> None:
    filled(store)
    with store.scan() as session:
        first, second = session.focus({1}), session.focus({2})
        links = first.links(None)
        assert [n.path for n in second.nodes()] == ["b.md"]
        assert list(second.links(None)) == []
        assert len(list(links)) == 3


def test_mixed_links_to_nothing_are_grouped_by_target(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md")])
    kinds = ("references", "mentions", "points")
    session.put_links([1], [link(1, "x.md", kind=kind) for kind in kinds] + [link(1, "y.md"), link(1, "y.md")])
    [(source, target, links)] = session.focus(None).mixed_links()
    assert (source, target, sorted(x.kind for x in links)) == ("a.md", "x.md", ["mentions", "references"])


def test_issue_counts_are_by_every_node_that_is_named(session: SqlSession) -> None:
    session.put_nodes([node(1, "a.md"), node(2, "b.md")])
    session.put_issues("core/x", None, [FULL, issue("a.md"), issue("a.md", severity=Severity.INFO)])
    assert list(session.focus(None).issue_counts()) == [IssueCount("a.md", 1, 1), IssueCount("b.md", 1, 0)]
    assert list(session.focus({2}).issue_counts()) == [IssueCount("b.md", 1, 0)]
