"""The difference between two scans."""

import json
from pathlib import Path

import pytest

from cairn.errors import ConfigError
from cairn.graph.compare import delta, graph_json, load_dump
from cairn.graph.subgraph import whole
from unit.graph.tiny import World


def test_what_came_went_and_changed(tmp_path: Path):
    world = World(tmp_path)
    world.write({"a.md": "<b.md>", "b.md": "# B", "c.md": "# C"})
    world.use({})
    before = load_dump(json.dumps(graph_json(whole(world.store))), "before")
    assert delta(before, graph_json(whole(world.store))).empty
    (tmp_path / "b.md").unlink()
    world.write({"c.md": "# C2", "d.md": "# D"})
    world.use({})
    found = delta(before, graph_json(whole(world.store)))
    assert found.nodes == {"added": ["d.md"], "removed": ["b.md"], "changed": ["c.md"]}
    assert found.links == {
        "added": ["a.md references b.md (broken)"],
        "removed": ["a.md references b.md (node)"],
    }
    assert not found.empty


NODE = '{"path": "a.md", "kind": "k"}'
BAD = [
    "",
    "{",
    "[]",
    "3",
    '{"nodes": []}',
    '{"nodes": {}, "links": [], "issues": []}',
    '{"nodes": [1], "links": [], "issues": []}',
    '{"nodes": [{}], "links": [], "issues": []}',
    '{"nodes": [{"path": []}], "links": [], "issues": []}',
    '{"nodes": [{"path": 3}], "links": [], "issues": []}',
    f'{{"nodes": [{NODE}], "links": [{{}}], "issues": []}}',
    f'{{"nodes": [{NODE}], "links": [], "issues": [{{"analyzerId": "x", "nodeIds": [], "message": "m"}}]}}',
    f'{{"nodes": [{NODE}], "links": [], "issues": [null]}}',
    '{"nodes":' * 100_000,
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_is_no_saved_scan_is_one_sentence(text: str):
    with pytest.raises(ConfigError, match=r"`f.json` is not .*`cairn scan --json > f.json`"):
        load_dump(text, "f.json")
