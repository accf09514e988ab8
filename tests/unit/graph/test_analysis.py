"""Asking analyzers: phases, reach, attribution, and one that misbehaves."""

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.graph.analysis import Op, fold
from cairn.plugin import AnalyzerContext, Issue, Precondition, Severity, View
from unit.graph.tiny import World, analyzer, bundle, extractor, find, provider

CHIP = View("card.footer.right")


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write({"a.md": "<b.md>", "b.md": "<gone.md>", "c.md": "# C"})
    return made


def on_each_node(ctx: AnalyzerContext) -> Iterable[Issue]:
    return [Issue("x", Severity.WARN, (node.path,), "seen") for node in ctx.nodes()]


def test_an_issue_carries_the_id_of_its_analyzer(world: World):
    world.use({"analyzer/my-rule": analyzer(on_each_node)})
    assert world.issues() == [("my-rule", "a.md"), ("my-rule", "b.md"), ("my-rule", "c.md")]


def test_phases_run_in_order_whatever_the_registration(world: World):
    asked: list[str] = []

    def note(name: str) -> Callable[[AnalyzerContext], list[Issue]]:
        return lambda ctx: asked.append(name) or []  # type: ignore[func-returns-value]

    phases = ("aggregate", "detect", "score")
    world.use({f"analyzer/{phase}": analyzer(note(phase), phase=phase) for phase in phases})
    assert asked == ["score", "detect", "aggregate"]


def test_an_aggregate_counts_what_the_others_found(world: World):
    def count(ctx: AnalyzerContext) -> list[Issue]:
        for found in ctx.issue_counts():
            ctx.emit_contribution(found.path, "chip", {"warnings": found.warnings})
        return []

    counter = analyzer(count, phase="aggregate", ui={"chip": CHIP})
    world.use({"analyzer/counter": counter, "analyzer/rule": analyzer(on_each_node)})
    (shown,) = world.store.contributions("a.md")
    assert shown.payload == {"warnings": 1}


# --- after an edit only what it can reach is looked at ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("reach", "expected"),
    [("node", {"a.md", "b.md"}), ("neighbours", {"a.md", "b.md", "d.md"}), ("graph", {"a.md", "b.md", "c.md", "d.md"})],
)
def test_reach(world: World, reach: str, expected: set[str]):
    """`a` links to `b`, and `d` links to `b` too; `c` stands alone."""
    world.write({"d.md": "<b.md>"})
    seen: list[str] = []
    rule = {"analyzer/r": analyzer(lambda ctx: seen.extend(n.path for n in ctx.nodes()) or [], reach=reach)}
    world.use(rule)
    seen.clear()
    world.write({"a.md": "<b.md> and more"})
    world.use(rule)
    assert set(seen) == expected


def test_nobody_is_asked_when_nothing_changed(world: World):
    asked: list[int] = []
    rule = {"analyzer/r": analyzer(lambda ctx: asked.append(1) or [], reach="graph")}
    world.use(rule)
    world.use(rule)
    assert asked == [1]


@pytest.mark.parametrize("change", [{"version": "2"}, {"reach": "graph", "version": "3"}])
def test_a_new_version_looks_at_everything(world: World, change: dict[str, Any]):
    seen: list[str] = []
    world.use({"analyzer/r": analyzer(on_each_node)})
    world.use({"analyzer/r": analyzer(lambda ctx: seen.extend(n.path for n in ctx.nodes()) or [], **change)})
    assert seen == ["a.md", "b.md", "c.md"]
    assert world.issues() == []


def test_issues_of_an_analyzer_that_is_gone_go_too(world: World):
    world.use({"analyzer/r": analyzer(on_each_node)})
    world.use({})
    assert world.issues() == []


def test_preconditions(world: World):
    def names(ctx: AnalyzerContext) -> list[Issue]:
        return [Issue("x", Severity.INFO, (n.path,), "m") for n in ctx.nodes()]

    lettered = provider("lettered", "b", claims=lambda path: path == "b.md")
    pages = provider("pages")
    made = {
        "provider/lettered": lettered,
        "provider/pages": pages,
        "analyzer/only-b": analyzer(names, precondition=Precondition(kind=("lettered/b",))),
        "analyzer/only-host": analyzer(names, precondition=Precondition(provider=("host",))),
        "analyzer/only-mine": analyzer(names, precondition=Precondition(provider=("pages",))),
        "analyzer/by-a-model": analyzer(names, mode="probabilistic"),
    }
    world.scan(bundle("m", made), active="pages")
    assert world.issues("only-b") == [("only-b", "b.md")]
    assert len(world.issues("only-mine")) == 3
    assert world.issues("only-host", "by-a-model") == []


# --- scores ----------------------------------------------------------------------------------------------------------


def adjusting(op: str, value: Any, pick: Callable[[AnalyzerContext], Iterable[Any]] | None = None, **more: Any) -> Any:
    def evaluate(ctx: AnalyzerContext) -> list[Issue]:
        for link in pick(ctx) if pick else ctx.links():
            ctx.adjust_confidence(link, op, value)  # type: ignore[arg-type]
        return []

    return analyzer(evaluate, **{"phase": "score", **more})


def confidence(world: World) -> dict[str, float]:
    return {link.source: link.confidence for link in world.store.links()}


def test_operations_are_folded_and_each_is_attributed(world: World):
    world.use({"analyzer/one": adjusting("delta", -0.5), "analyzer/two": adjusting("ceil", 0.4)})
    assert confidence(world) == {"a.md": 0.4, "b.md": 0.4}
    rows = [(row.extension, row.op, row.value, row.result) for row in world.store.scores("a.md")]
    assert rows == [("mine/one", "delta", -0.5, 0.4), ("mine/two", "ceil", 0.4, 0.4)]


def test_scores_go_with_who_gave_them(world: World):
    world.use({"analyzer/one": adjusting("delta", -0.5), "analyzer/two": adjusting("delta", -0.1)})
    world.use({"analyzer/two": adjusting("delta", -0.1)})
    assert confidence(world) == {"a.md": 0.9, "b.md": 0.9}
    assert [row.extension for row in world.store.scores("a.md")] == ["mine/two"]
    world.use({})
    assert confidence(world) == {"a.md": 1.0, "b.md": 1.0}
    assert world.store.scores("a.md") == []


# --- analyzers that misbehave ----------------------------------------------------------------------------------------


def reports(*given: Any, **changes: Any) -> Callable[[AnalyzerContext], Any]:
    values = dict(zip(("analyzer", "severity", "nodes", "message"), given, strict=False)) or {
        "analyzer": "x",
        "severity": Severity.WARN,
        "nodes": ("a.md",),
        "message": "m",
    }
    return lambda ctx: [Issue(**{**values, **changes})]


BAD: list[tuple[str, Any, str]] = [
    ("it raises", analyzer(lambda ctx: 1 / 0), "ZeroDivisionError: division by zero"),  # type: ignore[arg-type,return-value]
    ("it ends the program", analyzer(lambda ctx: exit(0)), "SystemExit: 0"),
    ("it returns nothing", analyzer(lambda ctx: None), "TypeError"),  # type: ignore[arg-type,return-value]
    ("it reports something else", analyzer(lambda ctx: ["oh"]), "it reported 'oh', which is not an Issue"),  # type: ignore[list-item]
    ("no node", analyzer(reports(nodes=())), "it reported an issue that names no node"),
    (
        "an unknown severity",
        analyzer(reports(severity="fatal")),
        "`fatal` is not a severity; there are error, warn, info",
    ),
    ("no message", analyzer(reports(message=None)), "it gave None where text belongs"),
    ("a message that cannot be written", analyzer(reports(message="\udcff")), "not valid Unicode"),
    ("a node that is no text", analyzer(reports(nodes=(1,))), "it gave 1 where text belongs"),
    ("a line in words", analyzer(reports(line="three")), "'three' is not the number of a line"),
    ("data that is no JSON", analyzer(reports(data={"x": object()})), "it gave a value that is not JSON"),
    (
        "confidence outside the score phase",
        adjusting("delta", -0.1, phase="detect"),
        "confidence can be adjusted in the score phase only",
    ),
    ("an unknown operation", adjusting("half", 0.5), "confidence is adjusted by set, delta, floor, ceil"),
    ("not a number", adjusting("set", float("nan")), "confidence is adjusted by"),
    ("a number in words", adjusting("set", "low"), "confidence is adjusted by"),
    (
        "a view that it did not declare",
        analyzer(lambda ctx: ctx.emit_contribution("a.md", View("card.footer.right"), {}) or [], ui={"chip": CHIP}),  # type: ignore[func-returns-value]
        "whose object is not one declared in its `ui` map",
    ),
]


@pytest.mark.parametrize(("odd", "sentence"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_one_that_misbehaves_is_named_and_the_others_go_on(world: World, odd: Any, sentence: str):
    made = {"analyzer/before": analyzer(on_each_node), "analyzer/odd": odd, "analyzer/zlast": analyzer(on_each_node)}
    (failure,) = world.use(made).failures
    assert (failure.extension, failure.version) == ("mine/odd", "1")
    assert sentence in failure.message
    assert len(world.issues("before", "zlast")) == 6
    assert world.issues("odd") == []
    again = world.use(made)
    assert [f.extension for f in again.failures] == ["mine/odd"]


def whole_graph(ctx: AnalyzerContext) -> Iterable[Issue]:
    return [Issue("x", Severity.WARN, (node.path,), "m") for node in ctx.graph.nodes()]


def show_everywhere(ctx: AnalyzerContext) -> list[Issue]:
    for node in ctx.graph.nodes():
        ctx.emit_contribution(node.path, CHIP, {})
    return []


@pytest.mark.parametrize(
    "greedy",
    [
        analyzer(whole_graph),
        adjusting("delta", -0.1, lambda ctx: ctx.graph.links()),
        analyzer(show_everywhere, ui={"chip": CHIP}),
    ],
    ids=["issues", "scores", "contributions"],
)
def test_saying_something_beyond_its_reach_is_refused(world: World, greedy: Any):
    world.use({"analyzer/greedy": greedy})
    world.write({"c.md": "# C, edited"})
    (failure,) = world.use({"analyzer/greedy": greedy}).failures
    assert "it declares reach `node` but reported `a.md`, which it was not asked about" in failure.message
    assert len(world.store.scores("a.md")) <= 1


def test_a_link_that_is_in_no_graph_gets_no_score(world: World):
    def invented(ctx: AnalyzerContext) -> Iterable[Any]:
        from types import SimpleNamespace

        return [SimpleNamespace(source="nowhere.md", target="x", kind="references", normalized="x")]

    assert world.use({"analyzer/r": adjusting("delta", -0.1, invented)}).failures == ()


def test_one_that_recovered_speaks_about_everything(world: World):
    broken = [True]

    def moody(ctx: AnalyzerContext) -> Iterable[Issue]:
        if broken[0]:
            raise ValueError("not today")
        return on_each_node(ctx)

    world.use({"analyzer/moody": analyzer(moody)})
    broken.clear()
    broken.append(False)
    assert world.use({"analyzer/moody": analyzer(moody)}).failures == ()
    assert len(world.issues("moody")) == 3


def test_rejected_signals_stay_visible(world: World):
    world.write({"a.md": "<b.md>"})

    def lost(ctx: AnalyzerContext) -> Iterable[Issue]:
        return [
            Issue("x", Severity.WARN, (source,), r.reason, data={"raw": r.signal.raw}) for source, r in ctx.rejections()
        ]

    world.use({"extractor/wide": extractor(find(r"(b\.md)", confidence=0.1)), "analyzer/lost": analyzer(lost)})
    (issue,) = world.store.issues(analyzers=("lost",))
    assert (issue.path, issue.message, issue.data) == ("a.md", "higher-confidence", {"raw": "b.md"})


CASES = [
    ("nobody speaks", 1.0, [], 1.0),
    ("a delta", 1.0, [("core/a", "delta", -0.5)], 0.5),
    ("deltas add up", 1.0, [("core/a", "delta", -0.5), ("core/b", "delta", -0.3)], 0.2),
    ("the last set by id wins", 1.0, [("core/b", "set", 0.2), ("core/a", "set", 0.7)], 0.2),
    ("deltas come after set", 1.0, [("z/z", "delta", -0.1), ("core/a", "set", 0.5)], 0.4),
    ("a floor lifts", 1.0, [("core/a", "set", 0.1), ("core/b", "floor", 0.3), ("core/c", "floor", 0.2)], 0.3),
    ("a ceiling beats a floor", 1.0, [("core/a", "floor", 0.9), ("core/b", "ceil", 0.4)], 0.4),
    (
        "clamped once, at the end",
        1.0,
        [("core/a", "delta", -0.9), ("core/b", "delta", -0.9), ("c/c", "delta", 0.9)],
        0.1,
    ),
    ("never below nothing", 1.0, [("core/a", "delta", -5.0)], 0.0),
    ("never above one", 0.5, [("core/a", "delta", 5.0)], 1.0),
]


@pytest.mark.parametrize(("base", "ops", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_fold(base: float, ops: list[tuple[str, str, float]], expected: float):
    assert fold(base, [Op(*op) for op in ops]) == pytest.approx(expected)


ops = st.lists(
    st.builds(
        Op,
        st.sampled_from(["a/x", "a/y", "b/x"]),
        st.sampled_from(["set", "delta", "floor", "ceil"]),
        st.floats(-1, 1, allow_nan=False),
    ),
    max_size=8,
)


@given(ops, st.randoms(use_true_random=False))
def test_the_order_in_which_they_spoke_does_not_matter(said: list[Op], shuffler: random.Random):
    other = list(said)
    shuffler.shuffle(other)
    assert fold(1.0, said) == fold(1.0, other)
    assert 0.0 <= fold(1.0, said) <= 1.0
