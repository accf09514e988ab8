"""The text of index documents: INDEX.md and GRAPH.md of a base, and those of a tree of folders."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

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


ENTRY: Final = "ENTRY.md"
FOLDER_INDEX: Final = "index.md"
TREE_SCHEMA_VERSION: Final = 2
_MOST_PER_TAG: Final = 3
_TREE_SECTIONS: Final = (
    ("practice", "## Conventions (how we build)"),
    ("map", "## Components (what exists)"),
)
_ADVICE: Final = "> Open only the folders and pages that your task needs."
_SIGNS: Final = re.compile(r"([\\`\[\]])")
_SENTENCE_END: Final = re.compile(r"[.!?][)\]\"'`]*$")
_OURS: Final = ("schema_version:", "nodes_hash:", "node_count:")
_CONFLICT_MARKS: Final = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


def tree_documents(
    nodes: Sequence[IndexedNode], contents: Mapping[str, bytes], before: Mapping[str, str], hash: str
) -> dict[str, str]:
    """By their places below the base. `contents` are the nodes by their places below `nodes/`, `before` are the
    documents as they are."""
    return _Tree(nodes, contents, before, hash).documents()


class _Tree:
    def __init__(
        self, nodes: Sequence[IndexedNode], contents: Mapping[str, bytes], before: Mapping[str, str], hash: str
    ) -> None:
        led_to = Counter(target for node in nodes for target in node.relates_to)
        self._nodes = sorted(nodes, key=lambda node: (-led_to[node.id], *order(node.title), node.place))
        self._contents, self._before, self._hash = contents, before, hash
        self._folders = _folders(nodes)
        self._advice = _advice(before.get(ENTRY, "")) or _ADVICE
        self._by_tag = _ranked(self._nodes)

    def documents(self) -> dict[str, str]:
        made = {f"{FOLDER}/{posixpath.join(folder, FOLDER_INDEX)}": self._folder(folder) for folder in self._folders}
        return {ENTRY: self._entry(), **made}

    def _entry(self) -> str:
        parts = [*self._head(ENTRY, self._hash, len(self._nodes)), "# kenkeep", "", self._advice, ""]
        parts += ["## Branches", *self._branches("", f"{FOLDER}/")]
        for kind, heading in _TREE_SECTIONS:
            bullets = [_tree_bullet(node, node.place) for node in self._leaves("") if node.kind == kind]
            parts += ["", heading, *bullets] if bullets else []
        return "\n".join(parts) + "\n"

    def _folder(self, folder: str) -> str:
        leaves = self._leaves(folder)
        path = posixpath.join(FOLDER, folder, FOLDER_INDEX)
        before = self._before.get(path, "")
        body = self._folder_body(folder, path, leaves)

        def document(hash: str) -> str:
            return "\n".join([*self._head(path, hash, len(leaves)), *body]) + "\n"

        theirs = recorded_hash(before)
        kept = theirs and (recorded_hash(self._before.get(ENTRY, "")) == self._hash or document(theirs) == before)
        return document(theirs if theirs and kept else self._hash_of(leaves))

    def _folder_body(self, folder: str, path: str, leaves: Sequence[IndexedNode]) -> list[str]:
        here = posixpath.dirname(path)
        parts = [f"# kenkeep Index: {folder.replace('/', ' / ')}" if folder else "# kenkeep Index", ""]
        parts += [f"↑ Parent: [{_parent(folder)}](../{FOLDER_INDEX})", ""] if folder else []
        parts += [_advice(self._before.get(path, "")) or self._advice, ""]
        parts += ["## Subfolders", *self._branches(folder, "")]
        for kind, heading in _TREE_SECTIONS:
            bullets = [_tree_bullet(node, posixpath.relpath(node.place, here)) for node in leaves if node.kind == kind]
            parts += ["", heading, *(bullets or ["_None yet._"])]
        return [*parts, "", "## By topic", "", *(self._topics(leaves, here) or ["_No tags yet._"])]

    def _hash_of(self, leaves: Sequence[IndexedNode]) -> str:
        """Of the nodes in one folder. The other program hashes them as it would write them, and nobody compares these
        hashes, so its own stays in a document that lists the same."""
        inside = {_below(node): self._contents[_below(node)] for node in leaves if _below(node) in self._contents}
        return nodes_hash(inside, tree=True)

    def _head(self, path: str, hash: str, count: int) -> list[str]:
        kept = _kept_lines(self._before.get(path, ""))
        own = [f"schema_version: {TREE_SCHEMA_VERSION}", f"nodes_hash: '{hash}'", f"node_count: {count}"]
        return ["---", *own, *kept, "---"]

    def _leaves(self, folder: str) -> list[IndexedNode]:
        return [node for node in self._nodes if posixpath.dirname(_below(node)) == folder]

    def _branches(self, folder: str, prefix: str) -> list[str]:
        below = [one for one in self._folders if one and posixpath.dirname(one) == folder]
        return [self._branch(one, prefix) for one in sorted(below, key=order)] or ["_None._"]

    def _branch(self, folder: str, prefix: str) -> str:
        name = posixpath.basename(folder)
        said = parse(self._before.get(f"{FOLDER}/{folder}/{FOLDER_INDEX}", "")).frontmatter.get("summary")
        words = said.strip() if isinstance(said, str) and said.strip() else _words(name)
        stop = "" if _SENTENCE_END.search(words) else "."
        where = f"{prefix}{folder if prefix else name}/{FOLDER_INDEX}"
        return f"- Load [`{name}/`]({where}) for more information on {_inline(words)}{stop}"

    def _topics(self, leaves: Sequence[IndexedNode], here: str) -> list[str]:
        counts = Counter(tag for node in leaves for tag in node.tags)
        lines: list[str] = []
        for tag in sorted(counts, key=lambda tag: (-counts[tag], *order(tag))):
            lines.append(f"### #{tag}")
            for node in self._by_tag[tag][:_MOST_PER_TAG]:
                said = f" — {_inline(node.summary)}" if node.summary.strip() else ""
                lines.append(f"- Open [**{_inline(node.title)}**]({posixpath.relpath(node.place, here)}){said}")
        return lines


def _below(node: IndexedNode) -> str:
    return node.place.removeprefix(f"{FOLDER}/")


def _folders(nodes: Iterable[IndexedNode]) -> list[str]:
    """All that have a node somewhere below, the root first."""
    found = {""}
    for node in nodes:
        folder = posixpath.dirname(_below(node))
        while folder:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return sorted(found, key=order)


def _parent(folder: str) -> str:
    return posixpath.basename(posixpath.dirname(folder)) or "kenkeep"


def _ranked(nodes: Sequence[IndexedNode]) -> dict[str, list[IndexedNode]]:
    """By tag, those first that share the most of their tags with the others of it."""
    groups: dict[str, list[IndexedNode]] = {}
    for node in nodes:
        for tag in dict.fromkeys(node.tags):
            groups.setdefault(tag, []).append(node)
    return {tag: sorted(group, key=lambda node: -_likeness(node, group)) for tag, group in groups.items()}


def _likeness(node: IndexedNode, group: Sequence[IndexedNode]) -> float:
    own = set(node.tags)
    return round(sum(len(own & set(one.tags)) / len(own | set(one.tags)) for one in group if one is not node), 12)


def _tree_bullet(node: IndexedNode, where: str) -> str:
    said = f" to learn about: {_inline(node.summary)}" if node.summary.strip() else ""
    return f"- Open [**{_inline(node.title)}**]({where}){said}{''.join(f' #{tag}' for tag in node.tags)}"


def _inline(text: str) -> str:
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _words(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split("-") if word) or name


def _kept_lines(text: str) -> list[str]:
    """The frontmatter of a document without the keys that are made."""
    kept: list[str] = []
    mine = False
    for line in _without_conflicts((parse(text).raw or "").splitlines()):
        if line and not line[0].isspace():
            mine = line.startswith(_OURS)
        if not mine and line.strip():
            kept.append(line)
    return kept


def _without_conflicts(lines: Sequence[str]) -> Iterator[str]:
    """A merge that conflicts in keys that are made anew leaves nothing to decide. Other conflicts stay for a person."""
    block: list[str] = []
    for line in lines:
        if block or line.startswith("<<<<<<<"):
            block.append(line)
        else:
            yield line
        if block and line.startswith(">>>>>>>"):
            yield from (() if all(one.startswith((*_OURS, *_CONFLICT_MARKS)) for one in block) else block)
            block = []
    yield from block


def _advice(text: str) -> str:
    """The quoted lines between the title and the first section."""
    body = parse(text).body
    above = re.split(r"^## ", body, maxsplit=1, flags=re.MULTILINE)[0]
    quoted = [line for line in above.split("\n") if line.startswith(">")]
    return "\n\n".join(quoted)
