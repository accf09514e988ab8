"""Nodes, links and issues as JSON: the published names, and nothing that is empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model import graph
from cairn.core.model.graph import Candidate, Rejection, Signal, issue_json, link_json, node_json
from cairn.plugin import ExternalRef, Fix, Issue, Link, Node, Occurrence, Severity, Tag, Triple
from program import fits_schema

PLAIN = Node("a.md", "page", "p", "A", "", {}, "00", "11", Triple(0, 3, 3))
RICH = Node(
    "mcp://x",
    "mcp",
    "p",
    "X",
    "d",
    {"name": "x"},
    "00",
    "11",
    Triple(1, 2, 3),
    modified_at_ms=5,
    tokens=Triple(1, 1, 2),
    links_in=1,
    external_refs=(ExternalRef("https://a", 3, "https://a"),),
    tags=(Tag("t", "topics"),),
    virtual=True,
    derived_from=("a.md",),
)
LINK = Link("a.md", "b", "references", 0.5, ("x",), "b", "b", False, 3, 9, "[b]", (Occurrence("x", "b", 3, 9),))
ISSUE = Issue("rule", Severity.WARN, ("a.md", "b.md"), "m")


def test_a_plain_node_has_no_optional_keys():
    body = node_json(PLAIN)
    assert not {"tokens", "modifiedAtMs", "externalRefs", "virtual", "derivedFrom"} & body.keys()
    assert (body["bytes"], body["externalRefsCount"]) == ({"frontmatter": 0, "body": 3, "total": 3}, 0)


def test_a_rich_node_has_all():
    body = node_json(RICH)
    assert body["externalRefs"] == [{"url": "https://a", "line": 3, "originalTrigger": "https://a"}]
    assert (body["virtual"], body["derivedFrom"], body["modifiedAtMs"]) == (True, ["a.md"], 5)
    assert body["tags"] == [{"tag": "t", "source": "topics"}]
    assert body["tokens"] == {"frontmatter": 1, "body": 1, "total": 2}


@pytest.mark.parametrize(
    ("change", "key"), [({"resolved": "b.md"}, "resolvedTarget"), ({"data": {"image": True}}, "data")]
)
def test_a_link(change: dict[str, object], key: str):
    assert key not in link_json(LINK)
    assert link_json(LINK._replace(**change))[key] == next(iter(change.values()))
    assert link_json(LINK)["occurrences"] == [
        {"extractor": "x", "originalTrigger": "b", "location": {"line": 3, "offset": 9}}
    ]


def test_an_issue():
    assert issue_json(ISSUE) == {"analyzerId": "rule", "severity": "warn", "nodeIds": ["a.md", "b.md"], "message": "m"}
    full = Issue("rule", Severity.ERROR, ("a.md",), "m", 3, "more", Fix("do it", True), {"target": "x"})
    assert issue_json(full) == {
        "analyzerId": "rule",
        "severity": "error",
        "nodeIds": ["a.md"],
        "message": "m",
        "line": 3,
        "detail": "more",
        "fix": {"summary": "do it", "autofixable": True},
        "data": {"target": "x"},
    }


HASH = "ab" * 32


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (node_json(PLAIN._replace(body_hash=HASH, frontmatter_hash=HASH)), "node"),
        (node_json(RICH._replace(body_hash="", frontmatter_hash="")), "node"),
        (link_json(LINK), "link"),
        (link_json(LINK._replace(resolved="b.md", state="node", data={"image": True})), "link"),
        (issue_json(ISSUE), "issue"),
    ],
)
def test_each_fits_its_published_schema(value: dict[str, object], schema: str):
    fits_schema(value, schema)


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(0, 10**6)
data = st.none() | st.dictionaries(texts, st.none() | st.booleans() | numbers | texts, max_size=3)
candidates = st.builds(
    Candidate, texts, texts, texts, st.floats(0, 1), texts, texts, st.booleans(), data, st.just("") | texts
)
signals = st.builds(
    Signal,
    st.just("body") | st.sampled_from(["frontmatter", "sidecar"]),
    numbers,
    numbers,
    numbers,
    texts,
    st.lists(candidates, min_size=1, max_size=3).map(tuple),
    st.just("") | texts,
    st.just("") | texts,
)


@given(st.lists(signals, max_size=4))
def test_signals(wanted: list[Signal]) -> None:
    emitters = graph.Emitters()
    text = graph.dump_signals(wanted, emitters)
    known = graph.Emitters(emitters.take_fresh())
    assert graph.load_signals(text, known) == wanted
    assert [type(c) for s in graph.load_signals(text, known) for c in s.candidates] == [
        Candidate for s in wanted for _ in s.candidates
    ]


@given(
    st.lists(st.builds(Rejection, signals, texts, texts, texts, texts, texts, numbers, numbers, numbers), max_size=3)
)
def test_rejections(wanted: list[Rejection]) -> None:
    assert graph.load_rejections(graph.dump_rejections(wanted)) == wanted


def test_emitters_are_numbered_once_and_told_once() -> None:
    emitters = graph.Emitters([(3, "a/b", "points")])
    assert emitters.number("a/b", "points") == 3
    assert emitters.number("a/b", "invokes") == emitters.number("a/b", "invokes") == 4
    assert emitters.take_fresh() == [(4, "a/b", "invokes")]
    assert emitters.take_fresh() == []
    assert emitters.name(4) == ("a/b", "invokes")
