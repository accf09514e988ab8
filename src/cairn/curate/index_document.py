"""INDEX.md and GRAPH.md of a base of nodes, and the hash by which an index says what it was made of."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from cairn.lib.markdown.frontmatter import parse

NAME = "INDEX.md"
SCHEMA_VERSION = 1
_UNITS_PER_TOKEN = 4
_SECTIONS = (("practice", "## Conventions (how we build)"), ("map", "## Components (what exists)"))


class IndexedNode(NamedTuple):
    """A node, as indexes show it: with its values as they are written."""

    place: str
    """Its path below the root of the base, `nodes/practice/practice-small-commits.md`."""
    id: str
    kind: str
    title: str
    size: int
    """Of title, summary and body together, in UTF-16 code units."""
    tags: tuple[str, ...] = ()
    relates_to: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    summary: str = ""


def indexed(place: str, frontmatter: Mapping[str, Any], body: str) -> IndexedNode:
    """Of a page that was found good; what it does not say is nothing."""
    title, summary = str(frontmatter.get("title", "")), str(frontmatter.get("summary", ""))
    lists = {name: _list(frontmatter, name) for name in ("tags", "relates_to", "depends_on", "derived_from")}
    id, kind = str(frontmatter.get("id", "")), str(frontmatter.get("kind", ""))
    size = units(title) + units(summary) + units(body)
    return IndexedNode(place, id, kind, title, size, **lists, summary=summary)


def _list(frontmatter: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = frontmatter.get(name, frontmatter.get(name.replace("_", "-")))
    return tuple(map(str, value)) if isinstance(value, list) else ()


def units(text: str) -> int:
    """Length as the first program counts it."""
    return len(text) + sum(char > "\uffff" for char in text)


def index_document(nodes: Sequence[IndexedNode], hash: str) -> str:
    led_to = _led_to(nodes)
    ordered = sorted(nodes, key=lambda node: (-led_to[node.id], *_title_order(node)))
    parts = [
        *head(hash, len(nodes)),
        "# KB Index",
        "",
        f"_{len(nodes)} nodes • ~{_tokens(nodes)} estimated tokens_",
        "",
    ]
    for kind, heading in _SECTIONS:
        bullets = [_bullet(node) for node in ordered if node.kind == kind]
        parts += ["", heading, *(bullets or ["_None yet._"])]
    parts += ["", "## By topic", "", *(list(_topics(ordered)) or ["_No tags yet._"])]
    return "\n".join(parts) + "\n"


def head(hash: str, count: int, version: int = SCHEMA_VERSION) -> list[str]:
    """The frontmatter of both documents."""
    return ["---", f"schema_version: {version}", f"nodes_hash: '{hash}'", f"node_count: {count}", "---"]


def recorded_hash(text: str) -> str | None:
    """What a document says it was made of; None when it says nothing of that kind."""
    value = parse(text).frontmatter.get("nodes_hash")
    return value if isinstance(value, str) else None


def order(text: str) -> tuple[str, str]:
    """The same on every machine: without case first, then by code points."""
    return text.casefold(), text


def one_line(text: str) -> str:
    """A line break in a title would start a heading of somebody's own in the document."""
    return " ".join(text.splitlines())


def _title_order(node: IndexedNode) -> tuple[str, str, str]:
    return (*order(node.title), node.place)


def _led_to(nodes: Sequence[IndexedNode]) -> Mapping[str, int]:
    """How many relations lead to each."""
    return Counter(target for node in nodes for target in node.relates_to)


def _tokens(nodes: Sequence[IndexedNode]) -> int:
    return -(-sum(node.size for node in nodes) // _UNITS_PER_TOKEN)


def _bullet(node: IndexedNode) -> str:
    tags = "".join(f" #{one_line(tag)}" for tag in node.tags)
    return f"- **{one_line(node.title)}** [`{one_line(node.place)}`]{tags}"


def _topics(ordered: Sequence[IndexedNode]) -> Iterator[str]:
    titles: dict[str, list[str]] = {}
    for node in ordered:
        for tag in node.tags:
            titles.setdefault(tag, []).append(one_line(node.title))
    for tag in sorted(titles, key=lambda tag: (-len(titles[tag]), *order(tag))):
        yield f"- **#{one_line(tag)} ({len(titles[tag])}):** {', '.join(titles[tag])}"


GRAPH_NAME = "GRAPH.md"


def graph_document(nodes: Sequence[IndexedNode], hash: str, *, tree: bool = False) -> str:
    """In a tree each node has its path, since that can't be told from its kind."""
    head_lines = head(hash, len(nodes), 2) if tree else head(hash, len(nodes))
    title = "# kenkeep Graph" if tree else "# KB Graph"
    parts = [*head_lines, title, "", f"Total nodes: {len(nodes)}" if nodes else "_No nodes yet._"]
    for node in sorted(nodes, key=lambda node: (*order(node.id), node.place)):
        parts += ["", f"## {one_line(node.id)}", "", *_facts(node, tree=tree)]
    return "\n".join(parts) + "\n"


def _facts(node: IndexedNode, *, tree: bool) -> Iterator[str]:
    yield f"- **kind:** {node.kind}"
    yield f"- **title:** {one_line(node.title)}"
    if tree:
        yield f"- **path:** {one_line(node.place.removeprefix('nodes/'))}"
    lists = (
        ("tags", node.tags),
        ("relates_to", node.relates_to),
        ("depends_on", node.depends_on),
        ("derived_from", node.derived_from),
    )
    for name, values in lists:
        if values:
            yield f"- **{name}:** {', '.join(map(one_line, values))}"


FOLDER = "nodes"
_OF_A_FOLDER = "index.md"
"""A tree has one in every folder. It is made of the nodes, so it is none; in a base of the first form it is a file like
any other."""


def is_hashed(place: str, *, tree: bool = False) -> bool:
    """Whether a file below `nodes/` counts."""
    return place.endswith(".md") and not (tree and place.rpartition("/")[2] == _OF_A_FOLDER)


def nodes_hash(contents: Mapping[str, bytes], *, tree: bool = False) -> str:
    """Of the files by their paths below `nodes/`, in whatever order they come."""
    hashed = ((place, data) for place, data in contents.items() if is_hashed(place, tree=tree))
    lines = (f"{place}\t{sha256(data).hexdigest()}" for place, data in hashed)
    joined = "\n".join(sorted(lines, key=_code_units))
    return f"sha256:{sha256(joined.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _code_units(line: str) -> bytes:
    """The order that the first program to write such hashes sorts in, which differs beyond the basic plane."""
    return line.encode("utf-16-be", "surrogatepass")
