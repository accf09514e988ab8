"""The issues that a person sees."""

from pathlib import Path

import pytest

from cairn.core.registry import Registry
from cairn.errors import NotFound
from cairn.freshness import drift
from cairn.freshness.diff import doubt
from cairn.graph import ingest as intake
from cairn.graph import read_file as reading
from cairn.graph import scan
from cairn.graph.findings.visible import KERNEL_RULES, all_issues, known_rules, only, rule_texts
from cairn.graph.moved_files import HISTORY_RULES
from cairn.plugin import AnalyzerContext, Issue, Severity
from unit.graph.tiny import World, analyzer, bundle, registry_of


def several(ctx: AnalyzerContext) -> list[Issue]:
    return [
        Issue("x", Severity.INFO, ("a.md",), "note", 1),
        Issue("x", Severity.WARN, ("b.md", "a.md"), "warning", 9),
        Issue("x", Severity.WARN, ("b.md",), "earlier", 2),
        Issue("x", Severity.ERROR, ("b.md",), "error"),
    ]


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write({"a.md": "# A", "b.md": "# B", "gone.md": "# G"})
    made.use({"analyzer/rule": analyzer(several)})
    (tmp_path / "gone.md").unlink()
    made.use({"analyzer/rule": analyzer(several, reach="graph")})
    return made


def test_the_worst_first_then_by_place_and_what_went_is_among_them(world: World):
    told = [(str(i.severity), i.path, i.line) for i in all_issues(world.store)]
    assert told == [
        ("error", "b.md", None),
        ("warn", "b.md", 2),
        ("warn", "b.md", 9),
        ("info", "a.md", 1),
        ("info", "gone.md", None),
    ]


def test_only_about_a_node_or_of_an_analyzer(world: World):
    issues = all_issues(world.store)
    assert [i.message for i in only(world.store, issues, node="a.md", analyzers=())] == ["warning", "note"]
    assert [i.analyzer for i in only(world.store, issues, node=None, analyzers=["orphan"])] == ["orphan"]


def test_an_analyzer_that_nobody_has():
    registry = registry_of(bundle("m", {"analyzer/my-rule": analyzer(several)}))
    known_rules(registry, [], ["my-rule", "orphan", "file-oversized"])
    with pytest.raises(NotFound, match="did you mean `my-rule`"):
        known_rules(registry, [], ["my-role"])
    with pytest.raises(NotFound, match="`cairn plugins list` shows them"):
        known_rules(registry, [], ["zzz"])


def test_every_rule_of_the_kernel_is_explained():
    rules = {*reading.FRONTMATTER_RULES, *scan._EACH_TIME, *HISTORY_RULES, intake.OVERSIZED, intake.CAPPED}
    rules |= {"file-binary", "index-stale", *reading.READING_RULES}
    rules |= {drift.CHANGED, drift.MISSING, drift.UNHASHED, drift.UNREAD, doubt.IN_DOUBT, "lock-invalid"}
    assert rules == set(KERNEL_RULES)
    assert all(text.endswith(".") for text in rule_texts(Registry()).values())
