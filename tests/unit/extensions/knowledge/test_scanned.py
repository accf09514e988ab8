"""Knowledge in real scans: what becomes of pages when files, corpora or the list of hosts change."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.model.knowledge import Corpus
from cairn.core.registry import Registry, build_registry
from cairn.knowledge.base import KnowledgeBase
from snapshot import snapshot
from workbench import Bench, built_in_plugins

KB = Corpus("kb", "kb", "entries")
DOCS = Corpus("docs", "docs", "plain")


def within(*corpora: Corpus, allowlist: str = "") -> Registry:
    base = KnowledgeBase(corpora, allowlist)
    return build_registry(built_in_plugins(), load=import_module, knowledge=lambda: base)


def entry(name: str, more: str = "", body: str = "## Deep Guidance\n") -> str:
    return f"---\nname: {name}\ndescription: About {name}.\n{more}---\n{body}"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, open_memory(now_ms=0), registry=within(KB, DOCS), active=None)


def test_a_relation_is_shown_where_it_is_written(bench: Bench):
    more = "topics: [nowhere-else]\nrelates_to:\n  - nowhere-else\n  - nowhere\n"
    bench.write("kb/x/a.md", entry("a", "x_note: nowhere\n" + more))
    bench.scan()
    assert [(i.line, i.message.split("`")[1]) for i in bench.store.issues()] == [(7, "nowhere-else"), (8, "nowhere")]


def kinds(bench: Bench) -> dict[str, str]:
    return {node.path: node.qualified_kind for node in bench.store.nodes()}


def rules(bench: Bench) -> list[tuple[str, str]]:
    return [(issue.analyzer, issue.path) for issue in bench.store.issues()]


def links(bench: Bench, source: str) -> list[tuple[str, str, str]]:
    return sorted((link.kind, link.resolved or link.target, link.state) for link in bench.store.links(source=source))


def equals_a_rebuild(bench: Bench) -> None:
    fresh = Bench(bench.root, open_memory(now_ms=0), registry=bench.registry, active=bench.active)
    fresh.scan()
    assert snapshot(bench.store) == snapshot(fresh.store)


# --- the graph ------------------------------------------------------------------------------------------------------


def test_pages_sources_and_relations(bench: Bench):
    bench.write("src/app.py", "LIMIT = 3\n")
    more = "relates_to: [Quotas]\nsources:\n  - url: https://vendor.dev/a#b\n  - path: src/app.py#LIMIT\n"
    bench.write("kb/api/limits.md", entry("limits", more))
    bench.write("kb/api/quotas.md", entry("quotas"))
    bench.write("docs/guide.md", "See [there](https://vendor.dev/a) and [here](../kb/api/limits.md).\n")
    bench.write("README.md", "# Read me\n")
    bench.scan()
    assert kinds(bench) == {
        "README.md": "markdown/markdown",
        "docs/guide.md": "knowledge/entry",
        "https://vendor.dev/a": "knowledge/source",
        "kb/api/limits.md": "knowledge/entry",
        "kb/api/quotas.md": "knowledge/entry",
    }
    assert links(bench, "kb/api/limits.md") == [
        ("points", "src/app.py", "file"),
        ("references", "https://vendor.dev/a", "node"),
        ("references", "kb/api/quotas.md", "node"),
    ]
    assert [link.source for link in bench.store.links(resolved="https://vendor.dev/a")] == [
        "docs/guide.md",
        "kb/api/limits.md",
    ]
    assert rules(bench) == [("url-fragment", "kb/api/limits.md")]


def test_a_source_is_there_while_somebody_cites_it(bench: Bench):
    bench.write("kb/a.md", entry("a", "sources: [{url: 'https://vendor.dev/a'}]\n"))
    bench.write("kb/b.md", entry("b", "sources: [{url: 'https://vendor.dev/a'}]\n"))
    bench.scan()
    bench.write("kb/a.md", entry("a"))
    bench.scan()
    assert "https://vendor.dev/a" in kinds(bench)
    bench.remove("kb/b.md")
    bench.scan()
    assert kinds(bench) == {"kb/a.md": "knowledge/entry"}
    equals_a_rebuild(bench)


def test_routes_are_nodes_of_a_file_that_is_one(bench: Bench):
    bench.registry = within(Corpus("all", "", "artefacts"))
    bench.write("paths/index.json", '{"paths": [{"id": "family", "sources": []}]}')
    bench.write("skills/renew/canonical.md", "---\nid: renew\nrequires: [apply]\n---\n")
    bench.write("package/index.json", "{}")
    bench.scan()
    assert kinds(bench) == {
        "paths/index.json": "knowledge/routes",
        "route://paths/index.json#family": "knowledge/route",
        "skills/renew/canonical.md": "knowledge/procedure",
    }
    assert rules(bench) == [("relation-unknown", "skills/renew/canonical.md")]


def test_names_of_pages_are_no_names_of_agents(bench: Bench):
    bench.active = "claude"
    bench.write(".claude/agents/limits.md", "---\nname: limits\ndescription: d\n---\nAsk @quotas.\n")
    bench.write("kb/limits.md", entry("limits", "relates_to: [quotas]\n"))
    bench.write("kb/quotas.md", entry("quotas"))
    bench.scan()
    assert links(bench, "kb/limits.md") == [("references", "kb/quotas.md", "node")]
    assert links(bench, ".claude/agents/limits.md") == [("mentions", "@quotas", "broken")]
    assert rules(bench) == [("reference-broken", ".claude/agents/limits.md")]


def test_a_relation_heals_when_its_page_is_written(bench: Bench):
    bench.write("kb/a.md", entry("a", "relates_to: [b]\n"))
    bench.scan()
    assert rules(bench) == [("relation-unknown", "kb/a.md")]
    bench.write("kb/other/b.md", entry("b"))
    bench.scan()
    assert rules(bench) == []
    bench.move("kb/other/b.md", "kb/other/c.md")
    bench.scan()
    assert rules(bench) == [("name-mismatch", "kb/other/c.md")]
    equals_a_rebuild(bench)


def test_a_circle_comes_and_goes(bench: Bench):
    bench.write("kb/a.md", entry("a", "depends_on: [b]\n"))
    bench.write("kb/b.md", entry("b", "depends_on: [a]\n"))
    bench.scan()
    assert rules(bench) == [("depends-cycle", "kb/a.md")]
    bench.write("kb/b.md", entry("b"))
    bench.scan()
    assert rules(bench) == []


def test_one_name_twice_among_many(bench: Bench):
    for number in range(600):
        bench.write(f"kb/c{number % 7}/e{number}.md", entry(f"e{number}"))
    bench.write("kb/twin/e7.md", entry("e7"))
    bench.scan()
    assert [(issue.analyzer, issue.nodes) for issue in bench.store.issues()] == [
        ("name-duplicate", ("kb/c0/e7.md", "kb/twin/e7.md"))
    ]


def test_a_copy_is_noticed_until_it_is_gone(bench: Bench):
    text = "## Deep Guidance\n\n" + " ".join(f"word{number} follows word{number * 7 % 50}" for number in range(80))
    bench.write("kb/a.md", entry("a", body=text))
    bench.write("kb/b.md", entry("b", body=text.replace("word3 ", "another ")))
    bench.write("kb/c.md", entry("c", body=f"## Deep Guidance\n{text[::-1]}"))
    bench.scan()
    assert rules(bench) == [("near-duplicate", "kb/a.md")]
    bench.remove("kb/b.md")
    bench.scan()
    assert rules(bench) == []


# --- what is not a file ---------------------------------------------------------------------------------------------


def test_without_a_corpus_it_takes_no_part(bench: Bench):
    bench.registry = within()
    assert not any(extension.plugin == "knowledge" for extension in bench.registry.extensions)
    assert "knowledge/entry-invalid" in bench.registry.idle
    bench.write("kb/a.md", "# A\n")
    report = bench.scan()
    assert "knowledge" not in report.providers
    assert kinds(bench) == {"kb/a.md": "markdown/markdown"}


def test_other_corpora_are_seen_by_the_next_scan(bench: Bench):
    bench.write("kb/a.md", "---\nvolatility: fast-moving\n---\n[x](https://vendor.dev/)\n")
    bench.write("docs/b.md", "---\nname: b\n---\n# B\n")
    bench.scan()
    before = rules(bench)
    assert {path for _, path in before} == {"kb/a.md"}
    bench.registry = within(Corpus("kb", "kb", "plain"), Corpus("docs", "docs", "entries"))
    bench.scan()
    assert {path for _, path in rules(bench)} == {"docs/b.md"}
    assert "https://vendor.dev/" in kinds(bench)
    equals_a_rebuild(bench)
    bench.registry = within()
    bench.scan()
    assert rules(bench) == []
    assert kinds(bench) == {"kb/a.md": "markdown/markdown", "docs/b.md": "markdown/markdown"}


def test_the_list_of_hosts_is_asked_again_when_it_changes(bench: Bench):
    bench.write("kb/a.md", entry("a", "sources: [{url: 'https://vendor.dev/a'}]\n"))
    bench.scan()
    assert rules(bench) == []
    bench.registry = within(KB, allowlist="hosts: [example.org]\n")
    bench.scan()
    assert rules(bench) == [("source-off-allowlist", "kb/a.md")]
    bench.registry = within(KB, allowlist="hosts: [vendor.dev]\n")
    bench.scan()
    assert rules(bench) == []
    equals_a_rebuild(bench)


def test_a_list_of_hosts_that_is_broken_forbids_nothing(bench: Bench):
    bench.registry = within(KB, allowlist="hosts: {")
    bench.write("kb/a.md", entry("a", "sources: [{url: 'https://vendor.dev/a'}]\n"))
    assert bench.scan().failures == ()
    assert rules(bench) == []


WRONG = "---\nname: Wrong Name\nvolatility: sometimes\nsources: 7\nlast-reviewed: soon\nowner: me\n---\nToo little.\n"


@pytest.mark.parametrize(
    ("corpus", "path", "found"),
    [
        (KB, "kb/a.md", {"entry-invalid", "name-mismatch", "section-missing"}),
        (Corpus("kb", "kb", "nodes"), "kb/nodes/map/map-a.md", {"entry-invalid"}),
        (Corpus("kb", "kb", "artefacts"), "kb/skills/a/canonical.md", {"entry-invalid"}),
        (Corpus("kb", "kb", "plain"), "kb/a.md", set()),
    ],
)
def test_house_rules_of_one_layout_touch_no_other(bench: Bench, corpus: Corpus, path: str, found: Any):
    bench.registry = within(corpus)
    bench.write(path, WRONG)
    bench.scan()
    assert {rule for rule, _ in rules(bench)} == found


def test_nothing_is_said_twice(bench: Bench):
    """Of what is wrong with a page of knowledge, one analyzer speaks."""
    more = "relates_to: [gone]\nderived_from: [docs/gone.md]\nsources: [{path: src/gone.py}]\n"
    bench.write("kb/a.md", f"---\nname: a\n{more}---\n")
    bench.write("kb/b.md", "---\nname: [\n---\n")
    bench.write("kb/c/x.md", entry("x"))
    bench.write("kb/d/x.md", entry("x"))
    bench.scan()
    assert sorted(rules(bench)) == [
        ("derived-from-dangling", "kb/a.md"),
        ("entry-invalid", "kb/a.md"),
        ("frontmatter-parse-error", "kb/b.md"),
        ("name-duplicate", "kb/c/x.md"),
        ("relation-unknown", "kb/a.md"),
        ("section-missing", "kb/a.md"),
    ]
