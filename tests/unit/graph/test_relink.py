"""Which extractors count where, and how links follow pages that come, go and change their names."""

import json
from pathlib import Path

import pytest

from cairn.core.model.graph import Candidate, Signal
from cairn.graph.extraction import Providers
from cairn.graph.relink import Referee, unresolved_link
from cairn.graph.resolve import SignalReading, alike
from cairn.plugin import KindSpec, Precondition
from unit.graph.tiny import LINKS, NAMES, World, bundle, extractor, find, provider, registry_of


def rules(active: str | None, kind: str) -> frozenset[str]:
    made = {
        "provider/host": provider("host", kind_priority=("invokes", "mentions")),
        "extractor/any": LINKS,
        "extractor/hosted": extractor(find("(x)"), precondition=Precondition(provider=("host",))),
        "extractor/agents": extractor(find("(x)"), precondition=Precondition(kind=("host/agent",))),
    }
    registry = registry_of(bundle("m", made))
    found = Referee(registry.extractors, Providers(registry.providers, active)).rules(kind)
    assert [found.rank(k) for k in ("invokes", "mentions")] == ([0, 1] if active == "host" else [1000, 1000])
    return frozenset(id.removeprefix("m/") for id in found.active)


@pytest.mark.parametrize(
    ("active", "kind", "expected"),
    [
        (None, "host/page", {"any"}),
        ("host", "host/page", {"any", "hosted"}),
        ("host", "host/agent", {"any", "hosted", "agents"}),
        ("other", "host/agent", {"any", "agents"}),
    ],
)
def test_who_counts(active: str | None, kind: str, expected: set[str]):
    assert rules(active, kind) == expected


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


# files before, files after (None: deleted), state and target of a.md's links after the second scan
CHANGES = [
    ("a page appears", {"a.md": "<b.md>"}, {"b.md": "x"}, [("b.md", "node", "b.md")]),
    ("a page goes", {"a.md": "<b.md>", "b.md": "x"}, {"b.md": None}, [("b.md", "broken", None)]),
    ("a front page appears", {"a.md": "<docs>"}, {"docs/README.md": "x"}, [("docs", "node", "docs/README.md")]),
    (
        "a nearer spelling appears",
        {"a.md": "<docs>", "docs/index.md": "x"},
        {"docs/README.md": "y"},
        [("docs", "node", "docs/README.md")],
    ),
    ("with a trailing slash", {"a.md": "<b.md/>"}, {"b.md": "x"}, [("b.md/", "node", "b.md")]),
    ("a file that is no page appears", {"a.md": "<x.png>"}, {"x.png": "x"}, [("x.png", "file", None)]),
    ("a file that is no page goes", {"a.md": "<x.png>", "x.png": "x"}, {"x.png": None}, [("x.png", "broken", None)]),
    ("a name appears", {"a.md": "@bob"}, {"b.md": "---\nname: Bob\n---\n"}, [("@bob", "node", "b.md")]),
    (
        "a name changes",
        {"a.md": "@bob", "b.md": "---\nname: bob\n---\n"},
        {"b.md": "---\nname: rob\n---\n"},
        [("@bob", "broken", None)],
    ),
    (
        "a name moves to another page",
        {"a.md": "@bob", "b.md": "---\nname: bob\n---\n"},
        {"b.md": "# plain", "c.md": "---\nname: bob\n---\n"},
        [("@bob", "node", "c.md")],
    ),
]


@pytest.mark.parametrize(("before", "after", "expected"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_links_follow_what_they_point_at(world: World, before, after, expected):
    world.write(before)
    world.use({"extractor/names": NAMES})
    world.write({path: text for path, text in after.items() if text is not None})
    for path in (path for path, text in after.items() if text is None):
        (world.root / path).unlink()
    world.use({"extractor/names": NAMES})
    assert [(link.target, link.state, link.resolved) for link in world.store.links(source="a.md")] == expected


def test_reference_paths_are_known_by_name_and_pattern(world: World):
    world.write({"a.md": "<gen/x.md> <api/y.md> <other.md>"})
    world.use({}, reference_paths=("gen/x.md", "api/*"))
    states = {link.target: link.state for link in world.store.links()}
    assert states == {"gen/x.md": "reference", "api/y.md": "reference", "other.md": "broken"}
    world.use({})
    assert {link.state for link in world.store.links()} == {"broken"}


def test_counts_use_what_a_link_resolves_to(world: World):
    world.write({"a.md": "<b> <b.md> <a.md>", "b.md": "x"})
    world.use({})
    nodes = {node.path: (node.links_in, node.links_out) for node in world.store.nodes()}
    assert nodes["b.md"][0] == 2


def test_a_priority_of_kinds_belongs_to_the_active_provider(world: World):
    world.write({"a.md": "<bob>", "bob.md": "---\nname: bob\n---\n"})
    made = {
        "provider/host": provider("host", kind_priority=("mentions",), claims=lambda path: False),
        "provider/pages": provider("pages", spec=KindSpec(label="l", color="#fff", identifiers=("frontmatter.name",))),
        "extractor/paths": extractor(find(r"<(\w+)>", confidence=0.9)),
        "extractor/names": extractor(find(r"(bob)", "mentions", confidence=0.1, by_name=True)),
    }
    world.scan(bundle("m", made))
    assert [link.kind for link in world.store.links(source="a.md")] == ["references"]
    world.scan(bundle("m", made), active="host")
    assert [link.kind for link in world.store.links(source="a.md")] == ["mentions"]


def reading(line: int, start: int, extractor: str = "p/a", original: str = "t", **more) -> SignalReading:
    candidate = Candidate(extractor, "references", "t", 0.5, original, "t", **more)
    return SignalReading(Signal("body", start, start + 1, line, original, (candidate,)), candidate)


def one_link(*readings: SignalReading) -> tuple:
    (group,) = alike(readings)
    return unresolved_link(group)


def test_what_says_the_same_is_one_link():
    *_, line, offset, seen, detail = one_link(
        reading(5, 50), reading(2, 20, "q/b", data={"image": True}), reading(2, 25)
    )
    sources, _, _, _, places, data = json.loads(detail)
    assert (line, offset, seen) == (2, 20, 3)
    assert sources == ["b", "a"]
    assert [(extractor, where) for extractor, _, where, _ in places] == [("b", 2), ("a", 2), ("a", 5)]
    assert data == {"image": True}


def test_one_extractor_says_the_same_on_one_line_once():
    *_, seen, detail = one_link(reading(2, 20), reading(2, 25), reading(2, 30, original="T"))
    assert seen == 2
    assert [(original, offset) for _, original, _, offset in json.loads(detail)[4]] == [("t", 20), ("T", 30)]


def test_two_extractors_that_see_the_same_once_are_both_named():
    *_, seen, detail = one_link(reading(2, 20), reading(2, 20))
    assert (seen, json.loads(detail)) == (1, [["a"], "t", "", "", [], None])


def test_what_has_to_be_escaped_is():
    detail = one_link(reading(1, 0, original='a"\\\n'))[-1]
    assert json.loads(detail)[1] == 'a"\\\n'


def test_another_target_kind_or_trigger_is_another_link():
    base = Candidate("p/a", "references", "t", 0.5, "t", "t")
    others = [base, base._replace(target="u"), base._replace(kind="points"), base._replace(normalized="n")]
    readings = [SignalReading(Signal("body", 0, 1, 1, "t", (c,)), c) for c in others]
    assert len(list(alike(readings))) == 4
