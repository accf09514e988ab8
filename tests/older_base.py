"""A base of nodes, as an older program leaves it in a repository."""

from collections.abc import Mapping
from pathlib import Path

from repository import make

BASE = ".ai/knowledge-base"
INDEX, GRAPH = f"{BASE}/INDEX.md", f"{BASE}/GRAPH.md"
NODE = """---
schema_version: 1
id: {id}
title: {title}
kind: {kind}
tags: {tags}
derived_from: []
relates_to: {relates_to}
depends_on: {depends_on}
confidence: high
summary: {summary}
---

{body}
"""


def node(id: str, title: str = "", **more: str) -> str:
    said = {"tags": "[]", "relates_to": "[]", "depends_on": "[]", "summary": "What it is about.", "body": "Text."}
    kind = more.pop("kind", id.partition("-")[0])
    return NODE.format(id=id, title=title or id, kind=kind, **{**said, **more})


def path_of(id: str) -> str:
    return f"{BASE}/nodes/{id.partition('-')[0]}/{id}.md"


def files_of(nodes: Mapping[str, str]) -> dict[str, str | None]:
    return {path_of(id): text for id, text in nodes.items()}


NODES = {
    "practice-small-commits": node(
        "practice-small-commits", "Small commits", tags="[git]", relates_to="[map-queue]", body="Commit one idea."
    ),
    "map-queue": node("map-queue", "Queue", tags="[storage]", body="The queue lives in src/queue.py."),
}
SETTINGS: dict[str, str | None] = {
    ".cairn/settings.json": f'{{"corpora": {{"kb": {{"root": "{BASE}", "layout": "nodes"}}}}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}


def make_base(root: Path, nodes: Mapping[str, str] | None = None) -> Path:
    """A repository with that base in it, committed, and no documents yet."""
    return make(root, {**files_of(NODES if nodes is None else nodes), **SETTINGS})
