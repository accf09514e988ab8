"""What readers ask of a store, on every database, after real scans of real files."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.model.event import packed_id
from cairn.core.model.graph import Triple
from cairn.core.model.issue import Severity
from cairn.core.ports.graph import SORTS, NodeFilter, Orphan, OutlineRow, Rename
from cairn.core.ports.ledger import EventRow
from snapshot import rows, snapshot
from workbench import Bench

SKILL = """---
name: deploy
description: Ships it.
tags: [ops, release]
---
See [the runbook](../../../docs/runbook.md) and [nothing](./missing.md), or ask @reviewer.
"""
AGENT = "---\nname: reviewer\ndescription: Reads.\ntools: Read\n---\nUses /deploy. More at https://example.com/x.\n"
RUNBOOK = (
    "---\ntags: [ops]\n---\n# Runbook\n\nBack to [itself](runbook.md) and [skill](../.claude/skills/deploy/SKILL.md).\n"
)
FILES = [
    (".claude/skills/deploy/SKILL.md", SKILL),
    (".claude/agents/reviewer.md", AGENT),
    ("docs/runbook.md", RUNBOOK),
    ("docs/Äpfel_1.md", "# Äpfel\n"),
    ("docs/Zebra.md", "# Zebra\n" + "z" * 3000),
    ("README.md", "# Read me\n\n[a](docs/runbook.md)\n\n[b](docs/runbook.md)\n"),
]
DEPLOY = ".claude/skills/deploy/SKILL.md"


@pytest.fixture
def scanned(bench: Bench) -> Bench:
    bench.write_all(FILES)
    report = bench.scan()
    assert report.failures == ()
    return bench


def test_nodes_come_in_order_of_code_points(scanned: Bench) -> None:
    assert [n.path for n in scanned.store.nodes()] == sorted(path for path, _ in FILES)
    assert [n.path for n in scanned.store.nodes(["docs/runbook.md", "README.md", "nobody"])] == [
        "README.md",
        "docs/runbook.md",
    ]


def test_a_node_says_everything_about_itself(scanned: Bench) -> None:
    node = scanned.store.node(DEPLOY)
    assert node is not None
    assert (node.kind, node.provider, node.description) == ("skill", "claude", "Ships it.")
    assert node.frontmatter["name"] == "deploy"
    assert [tag.tag for tag in node.tags] == ["ops", "release"]
    assert (node.links_out, node.links_in) == (3, 2)
    assert len(node.body_hash) == len(node.frontmatter_hash) == 64
    assert node.bytes.total == len(SKILL.encode())
    assert node.tokens is None
    assert scanned.store.node("nobody.md") is None
    agent = scanned.store.node(".claude/agents/reviewer.md")
    assert agent is not None
    assert [ref.url for ref in agent.external_refs] == ["https://example.com/x"]


FILTERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "kind": ({"kinds": ("skill",)}, [DEPLOY]),
    "qualified kind": ({"kinds": ("claude/agent", "nothing")}, [".claude/agents/reviewer.md"]),
    "provider": ({"providers": ("claude",)}, [".claude/agents/reviewer.md", DEPLOY]),
    "without a kind": ({"providers": ("claude",), "without": ("agent",)}, [DEPLOY]),
    "tag": ({"tags": ("ops",)}, [DEPLOY, "docs/runbook.md"]),
    "two tags are either": ({"tags": ("ops", "release")}, [DEPLOY, "docs/runbook.md"]),
    "any issue": ({"issues": "any", "path_glob": ".claude/*"}, [DEPLOY]),
    "one issue": ({"issues": "reference-broken"}, [DEPLOY]),
    "glob over slashes": ({"path_glob": "*.md", "kinds": ("skill",)}, [DEPLOY]),
    "glob with a class": ({"path_glob": "docs/[A-Z]*"}, ["docs/Zebra.md"]),
    "glob without a class": ({"path_glob": "docs/[^A-Zr]*"}, ["docs/Äpfel_1.md"]),
    "glob is not a pattern of LIKE": ({"path_glob": "docs/%"}, []),
    "glob with one character": ({"path_glob": "docs/?pfel_1.md"}, ["docs/Äpfel_1.md"]),
    "all of it": ({"kinds": ("skill",), "providers": ("claude",), "tags": ("release",), "issues": "any"}, [DEPLOY]),
    "none": ({"kinds": ("skill",), "providers": ("openai",)}, []),
}


@pytest.mark.parametrize(("wanted", "paths"), FILTERS.values(), ids=FILTERS.keys())
def test_nodes_are_found_by(scanned: Bench, wanted: dict[str, Any], paths: list[str]) -> None:
    assert [n.path for n in scanned.store.find_nodes(NodeFilter(**wanted))] == paths
    assert scanned.store.count_nodes(NodeFilter(**wanted)) == len(paths)


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_lists_everything_and_pages_fit_together(scanned: Bench, sort: str) -> None:
    whole = [n.path for n in scanned.store.find_nodes(NodeFilter(sort_by=sort))]
    assert sorted(whole) == sorted(path for path, _ in FILES)
    pages = [NodeFilter(sort_by=sort, limit=4, offset=start) for start in (0, 4, 8)]
    assert [n.path for page in pages for n in scanned.store.find_nodes(page)] == whole


def test_orders_mean_what_they_say(scanned: Bench) -> None:
    first = {sort: next(scanned.store.find_nodes(NodeFilter(sort_by=sort, limit=1))).path for sort in SORTS}
    assert first["bytes"] == "docs/Zebra.md"
    assert first["links-in"] == "docs/runbook.md"
    assert first["links-out"] == DEPLOY
    assert first["external-refs"] == ".claude/agents/reviewer.md"
    assert first["issues"] == DEPLOY


def test_nodes_without_a_time_come_last(scanned: Bench) -> None:
    scanned.store._db._execute("UPDATE scan_nodes SET modified_at_ms = NULL WHERE path = 'README.md'")
    assert [n.path for n in scanned.store.find_nodes(NodeFilter(sort_by="modified"))][-1] == "README.md"


def test_links_are_found_from_either_end(scanned: Bench) -> None:
    out = list(scanned.store.links(source=DEPLOY))
    assert [(x.target, x.state, x.kind) for x in out] == [
        ("docs/runbook.md", "node", "references"),
        (".claude/skills/deploy/missing.md", "broken", "references"),
        ("@reviewer", "node", "mentions"),
    ]
    assert {x.source for x in scanned.store.links(resolved="docs/runbook.md")} == {
        DEPLOY,
        "README.md",
        "docs/runbook.md",
    }
    both = list(scanned.store.links(source="README.md", resolved="docs/runbook.md"))
    assert [len(x.occurrences) for x in both] == [2]
    assert list(scanned.store.links(source="nobody")) == []


def test_issues_are_found_by_path_and_analyzer_worst_first(scanned: Bench) -> None:
    ranks = [(Severity.ERROR, Severity.WARN, Severity.INFO).index(i.severity) for i in scanned.store.issues()]
    assert ranks == sorted(ranks)
    assert ranks
    [broken] = scanned.store.issues(path=DEPLOY, analyzers=("reference-broken",))
    assert broken.nodes[0] == DEPLOY
    assert list(scanned.store.issues(analyzers=("nobody",))) == []


def test_issues_name_other_nodes_exactly(bench: Bench) -> None:
    for name in ("one_x", "one-x", "ONE_X"):
        bench.write(
            f".claude/agents/{name}.md", f"---\nname: same{'' if name == 'ONE_X' else 1}\ndescription: d\n---\n"
        )
    bench.scan()
    shown = [i.path for i in bench.store.issues(path=".claude/agents/one_x.md", analyzers=("name-collision",))]
    assert shown == [".claude/agents/one-x.md"]
    assert list(bench.store.issues(path=".claude/agents/ONE_X.md", analyzers=("name-collision",))) == []


def test_counts_and_kinds(scanned: Bench) -> None:
    counts = scanned.store.counts()
    assert (counts["nodes"], counts["documents"], counts["urls"]) == (6, 6, 0)
    assert counts["links"] == len(list(scanned.store.links()))
    assert counts["errors"] + counts["warnings"] + counts["infos"] == len(list(scanned.store.issues()))
    assert dict(scanned.store.kinds()) == {"agent": 1, "markdown": 4, "skill": 1}


def test_contributions_are_shown_by_slot(scanned: Bench) -> None:
    shown = {(c.extension, c.key): c.payload for c in scanned.store.contributions(".claude/agents/reviewer.md")}
    assert shown["core/external-url-counter", "urls"] == {"value": 1}


def test_tokens_are_kept_until_the_content_changes(scanned: Bench) -> None:
    scanned.store.keep_tokens("README.md", Triple(1, 2, 3))
    node = scanned.store.node("README.md")
    assert node is not None and node.tokens == Triple(1, 2, 3)
    scanned.write("README.md", "# Other\n")
    scanned.scan()
    node = scanned.store.node("README.md")
    assert node is not None and node.tokens is None


def test_an_empty_store_can_be_read(store: SqlStore) -> None:
    assert list(store.nodes()) == list(store.links()) == list(store.issues()) == []
    assert store.counts() == dict.fromkeys(("nodes", "documents", "urls", "links", "errors", "warnings", "infos"), 0)
    assert (store.meta(), store.kinds(), store.renames(), store.orphans()) == ({}, {}, [], [])
    assert store.check() == []


# --- the ledger's index -------------------------------------------------------------------------------------------


def event(number: int, **changes: Any) -> EventRow:
    row = EventRow(f"id{number:03}", "turn", 1000 + number, "main", "main.jsonl", number * 10)
    return row._replace(**changes)


def index(store: SqlStore, file: str, offset: int, events: list[EventRow], **more: Any) -> int:
    rows = [(packed_id(row.id, row.at_ms), row.type, row.at_ms, row.worktree, row.offset) for row in events]
    return store.index_events(file, offset, rows, **more)


def test_events_are_indexed_by_file_and_offset_and_only_once(store: SqlStore) -> None:
    assert store.ledger_offsets() == {}
    assert index(store, "main.jsonl", 30, [event(1), event(2), event(3)]) == 3
    assert index(store, "main.jsonl", 30, [event(2), event(3)]) == 0
    assert index(store, "main.jsonl", 50, [event(3), event(4), event(4), event(5, type="gap")]) == 2
    assert index(store, "copy.jsonl", 30, [event(1)]) == 0
    assert store.ledger_offsets() == {"main.jsonl": 50, "copy.jsonl": 30}
    assert list(store.events()) == [event(5, type="gap"), event(4), event(3), event(2), event(1)]


def test_events_are_filtered_by_type_and_limited(store: SqlStore) -> None:
    index(store, "main.jsonl", 60, [event(n, type=("turn", "gap", "note")[n % 3]) for n in range(6)])
    assert [e.id for e in store.events(types=("gap",))] == ["id004", "id001"]
    assert [e.id for e in store.events(types=("gap", "note"), limit=3)] == ["id005", "id004", "id002"]
    assert [e.id for e in store.events(limit=0)] == []
    assert list(store.events(types=("nothing",))) == []


def test_events_of_one_moment_have_a_fixed_order(store: SqlStore) -> None:
    index(store, "a", 1, [event(n, at_ms=5) for n in (2, 1, 3)])
    assert [e.id for e in store.events()] == ["id003", "id002", "id001"]


def test_events_since_a_moment(store: SqlStore) -> None:
    index(store, "a", 1, [event(n, type=("turn", "gap")[n % 2]) for n in range(6)])
    assert [e.id for e in store.events(since_ms=1003)] == ["id005", "id004", "id003"]
    assert [e.id for e in store.events(since_ms=1003, types=("gap",), limit=1)] == ["id005"]


def test_the_index_is_cleared_and_made_again(store: SqlStore) -> None:
    index(store, "main.jsonl", 30, [event(1)], inode=2**63 - 1)
    assert store.ledger_positions() == {"main.jsonl": (30, 2**63 - 1)}
    store.clear_index()
    assert (store.ledger_offsets(), list(store.events())) == ({}, [])
    assert index(store, "main.jsonl", 30, [event(1)]) == 1
    store.reset(state=False)
    assert (store.ledger_offsets(), list(store.events())) == ({}, [])


def test_one_transaction_around_several_calls(store: SqlStore) -> None:
    with pytest.raises(RuntimeError), store.writing():
        index(store, "a", 1, [event(1)])
        with store.writing():
            index(store, "b", 1, [event(2)])
        raise RuntimeError
    assert (store.ledger_offsets(), list(store.events())) == ({}, [])
    with store.writing():
        index(store, "a", 1, [event(1)])
        index(store, "b", 1, [event(2)])
    assert len(list(store.events())) == 2


# --- care ---------------------------------------------------------------------------------------------------------


def keep_something(store: SqlStore) -> None:
    with store.scan() as session:
        session.record_orphans([Orphan("o'x \\n %s \\.md", 1, bytes(range(32)), b"", 0)])
        session.record_renames([Rename("r1", "a.md", "b.md", "high", ("b.md",), 7)])


def kept(store: SqlStore) -> list[Any]:
    return [store.orphans(), store.renames()]


def test_reset_empties_the_graph_and_keeps_the_rest(scanned: Bench) -> None:
    keep_something(scanned.store)  # type: ignore[arg-type]
    before, graph = kept(scanned.store), snapshot(scanned.store)  # type: ignore[arg-type]
    scanned.store.reset(state=False)
    assert scanned.store.counts()["nodes"] == 0
    assert scanned.store.meta() == {}
    assert kept(scanned.store) == before  # type: ignore[arg-type]
    scanned.scan()
    assert snapshot(scanned.store) == graph


def test_reset_of_state_empties_everything(scanned: Bench) -> None:
    keep_something(scanned.store)  # type: ignore[arg-type]
    scanned.store.reset(state=True)
    assert kept(scanned.store) == [[], []]  # type: ignore[arg-type]
    assert scanned.store.counts()["nodes"] == 0


def test_a_dump_puts_the_kept_zones_back(store: SqlStore) -> None:
    keep_something(store)
    before = kept(store)
    lines = list(store.dump())
    assert all(line.endswith(";\n") and line.startswith("INSERT INTO state_") for line in lines)
    store.reset(state=True)
    for line in lines:
        store._db._execute(line)
    assert kept(store) == before


def test_a_dump_that_nobody_reads_to_its_end_blocks_nobody(store: SqlStore) -> None:
    keep_something(store)
    lines = store.dump()
    next(lines)
    lines.close()  # type: ignore[attr-defined]
    store.reset(state=True)
    assert list(store.dump()) == []


def test_a_backup_holds_the_kept_zones(scanned: Bench, tmp_path: Path) -> None:
    store: Any = scanned.store
    keep_something(store)
    target = tmp_path / "backup"
    store.backup(str(target))
    if target.read_bytes().startswith(b"SQLite"):
        copy = open_sqlite(target, now_ms=0)
        assert kept(copy) == kept(store)
        assert copy.counts()["nodes"] == 0, "what comes from the files is not in it"
        assert (copy.check(), rows(copy, "SELECT version, name FROM config_schema_versions")) == (
            [],
            [
                (1, "foundation"),
                (2, "results"),
                (3, "archive"),
                (4, "narrow"),
                (5, "jobs"),
                (6, "questions"),
                (7, "trust"),
            ],
        )
        copy.close()
        assert sqlite3.connect(target).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    else:
        text = target.read_text()
        store.reset(state=True)
        store._db._execute(text)
        assert [o.path for o in store.orphans()] == ["o'x \\n %s \\.md"]
    assert store.check() == []


def test_outlines_are_kept_until_somebody_replaces_them(store: SqlStore) -> None:
    first = [OutlineRow("a.py", 1, 2, 3, "{}"), OutlineRow("b'ü.py", 4, 5, 6, "[]"), OutlineRow("c.py", 7, 8, 9, "")]
    store.keep_outlines(first)
    store.keep_outlines([OutlineRow("a.py", 10, 20, 30, "new")], gone=["c.py", "never.py"])
    assert sorted(store.outlines()) == [OutlineRow("a.py", 10, 20, 30, "new"), first[1]]
    store.reset(state=False)
    assert list(store.outlines()) == []
