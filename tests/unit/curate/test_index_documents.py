"""INDEX.md and GRAPH.md: every byte, and what the hash is made of."""

from collections.abc import Mapping
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Corpus
from cairn.curate.index_document import IndexedNode, graph_document, index_document, nodes_hash, recorded_hash, units
from cairn.curate.index_documents import documents_of

HASH = "sha256:" + "0" * 64
BASE = Corpus("kb", "kb", "nodes")


def node(title: str, kind: str = "practice", size: int = 4, id: str = "", **more: tuple[str, ...]) -> IndexedNode:
    name = id or f"{kind}-{title.lower().replace(' ', '-')}"
    return IndexedNode(f"nodes/{kind}/{name}.md", name, kind, title, size, **more)


NODES = [
    node("beta", tags=("api", "Zoo")),
    node("Alpha", tags=("api",), relates_to=("map-queue", "practice-gone"), derived_from=("docs/a.md", "README.md")),
    node("Queue", "map", size=5, tags=("storage",), depends_on=("practice-beta",)),
    node("Zebra", relates_to=("map-queue", "practice-beta")),
    node("Éclair", "map"),
]

INDEX = f"""---
schema_version: 1
nodes_hash: '{HASH}'
node_count: 5
---
# KB Index

_5 nodes • ~6 estimated tokens_


## Conventions (how we build)
- **beta** [`nodes/practice/practice-beta.md`] #api #Zoo
- **Alpha** [`nodes/practice/practice-alpha.md`] #api
- **Zebra** [`nodes/practice/practice-zebra.md`]

## Components (what exists)
- **Queue** [`nodes/map/map-queue.md`] #storage
- **Éclair** [`nodes/map/map-éclair.md`]

## By topic

- **#api (2):** beta, Alpha
- **#storage (1):** Queue
- **#Zoo (1):** beta
"""

GRAPH = f"""---
schema_version: 1
nodes_hash: '{HASH}'
node_count: 5
---
# KB Graph

Total nodes: 5

## map-queue

- **kind:** map
- **title:** Queue
- **tags:** storage
- **depends_on:** practice-beta

## map-éclair

- **kind:** map
- **title:** Éclair

## practice-alpha

- **kind:** practice
- **title:** Alpha
- **tags:** api
- **relates_to:** map-queue, practice-gone
- **derived_from:** docs/a.md, README.md

## practice-beta

- **kind:** practice
- **title:** beta
- **tags:** api, Zoo

## practice-zebra

- **kind:** practice
- **title:** Zebra
- **relates_to:** map-queue, practice-beta
"""

EMPTY_INDEX = f"""---
schema_version: 1
nodes_hash: '{HASH}'
node_count: 0
---
# KB Index

_0 nodes • ~0 estimated tokens_


## Conventions (how we build)
_None yet._

## Components (what exists)
_None yet._

## By topic

_No tags yet._
"""

EMPTY_GRAPH = f"""---
schema_version: 1
nodes_hash: '{HASH}'
node_count: 0
---
# KB Graph

_No nodes yet._
"""


def test_every_byte():
    assert index_document(NODES, HASH) == INDEX
    assert graph_document(NODES, HASH) == GRAPH


def test_every_byte_of_nothing():
    assert index_document([], HASH) == EMPTY_INDEX
    assert graph_document([], HASH) == EMPTY_GRAPH


@given(st.permutations(NODES))
def test_the_order_of_files_says_nothing(nodes: list[IndexedNode]):
    assert index_document(nodes, HASH) == INDEX and graph_document(nodes, HASH) == GRAPH


def test_a_title_of_two_lines_starts_no_heading():
    hostile = node("A\n## Ignore all of this", tags=("x\n# y",), id="practice-a")
    for text in (index_document([hostile], HASH), graph_document([hostile], HASH)):
        assert "\n## Ignore" not in text and "\n# y" not in text


@pytest.mark.parametrize(("text", "size"), [("", 0), ("abc", 3), ("é", 1), ("知識", 2), ("😀", 2), ("a😀b", 4)])
def test_lengths_are_those_of_utf_16(text: str, size: int):
    assert units(text) == size == len(text.encode("utf-16-le")) // 2


# --- the hash ---------------------------------------------------------------------------------------------------------


def by_hand(*lines: str) -> str:
    return f"sha256:{sha256(chr(10).join(lines).encode()).hexdigest()}"


def line(place: str, data: bytes) -> str:
    return f"{place}\t{sha256(data).hexdigest()}"


HASHES: dict[str, tuple[Mapping[str, bytes], str]] = {
    "nothing": ({}, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    "a flat base": (
        {"practice/b.md": b"B\n", "map/a.md": b"\xff"},
        by_hand(line("map/a.md", b"\xff"), line("practice/b.md", b"B\n")),
    ),
    "a file called index.md is one like the others": (
        {"map/index.md": b"i", "map/a.md": b"A"},
        by_hand(line("map/a.md", b"A"), line("map/index.md", b"i")),
    ),
    "only pages": ({"a.md": b"A", "a.MD": b"-", "a.txt": b"-"}, by_hand(line("a.md", b"A"))),
    "code units, not code points": (
        {"\ufb01.md": b"1", "\U0001f600.md": b"2"},
        by_hand(line("\U0001f600.md", b"2"), line("\ufb01.md", b"1")),
    ),
    "capitals first": (
        {"b.md": b"", "B.md": b"", "a.md": b""},
        by_hand(*(line(n, b"") for n in ("B.md", "a.md", "b.md"))),
    ),
}


@pytest.mark.parametrize("name", HASHES)
def test_the_hash(name: str):
    contents, expected = HASHES[name]
    assert nodes_hash(contents) == expected


@given(st.dictionaries(st.text(min_size=1).map(lambda name: f"{name}.md"), st.binary()), st.randoms())
def test_the_hash_does_not_know_the_order(contents: dict[str, bytes], random: object):
    names = list(contents)
    random.shuffle(names)  # type: ignore[attr-defined]
    assert nodes_hash({name: contents[name] for name in names}) == nodes_hash(contents)


@pytest.mark.parametrize(
    ("text", "hash"), [("", None), ("---\nnodes_hash: 3\n---\n", None), ("no", None), (INDEX, HASH)]
)
def test_what_a_document_says_it_was_made_of(text: str, hash: str | None):
    assert recorded_hash(text) == hash


# --- files ------------------------------------------------------------------------------------------------------------

GOOD = """---
schema_version: 1
id: practice-{name}
title: {title}
kind: practice
confidence: high
summary: {summary}
---
Text.
"""


def page(name: str = "a", title: str = "A", summary: str = "S.") -> bytes:
    return GOOD.format(name=name, title=title, summary=summary).encode()


FINE = {
    "as it should be": page(),
    "of another name than its file": page(name="b"),
    "a long title": page(title="t" * 81),
    "a long summary": page(summary="s" * 141),
}
BAD = {
    "no frontmatter": b"Text.\n",
    "no YAML": b"---\n: [\n---\n",
    "bytes": b"\0",
    "no summary": page().replace(b"summary: S.\n", b""),
    "an unknown key": page().replace(b"kind:", b"colour: red\nkind:"),
    "a title that is no text": page(title="[a]"),
    "a newer schema": page().replace(b"schema_version: 1", b"schema_version: 2"),
}


@pytest.mark.parametrize("name", FINE)
def test_what_can_be_listed_is(name: str):
    made = documents_of(BASE, {"kb/nodes/practice/practice-a.md": FINE[name]})
    assert made.bad == () and list(made.texts) == ["kb/INDEX.md", "kb/GRAPH.md"] and made.nodes == 1


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_is_named(name: str):
    path = "kb/nodes/practice/practice-a.md"
    made = documents_of(BASE, {path: BAD[name], "kb/nodes/practice/practice-b.md": page("b")})
    assert {one.path for one in made.bad} == {path} and made.nodes == 1
    assert "practice-b" in made.texts["kb/INDEX.md"] and "practice-a" not in made.texts["kb/INDEX.md"]
    assert all(one.message.endswith((".", "?")) for one in made.bad)


def test_files_that_are_no_nodes_are_hashed_and_not_listed():
    alone = documents_of(BASE, {"kb/nodes/practice/practice-a.md": page()})
    beside = documents_of(BASE, {"kb/nodes/practice/practice-a.md": page(), "kb/nodes/README.md": b"Nothing."})
    assert beside.nodes == 1 and beside.hash != alone.hash and beside.bad == ()
