"""ENTRY.md and the `index.md` of each folder of a base of nodes in its second form, a tree of folders by topic.

The format is another program's, so that a base which both write does not change back and forth. Words that people and
that program wrote into these documents (summaries of folders, the advice at the top) are kept as they are.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cairn.curate.index_document import FOLDER, IndexedNode, nodes_hash, order, recorded_hash
from cairn.lib.markdown.frontmatter import parse

ENTRY: Final = "ENTRY.md"
FOLDER_INDEX: Final = "index.md"
SCHEMA_VERSION: Final = 2
_MOST_PER_TAG: Final = 3
_SECTIONS: Final = (("practice", "## Conventions (how we build)"), ("map", "## Components (what exists)"))
_ADVICE: Final = "> Open only the folders and pages that your task needs."
_SIGNS: Final = re.compile(r"([\\`\[\]])")
_SENTENCE_END: Final = re.compile(r"[.!?][)\]\"'`]*$")
_OURS: Final = ("schema_version:", "nodes_hash:", "node_count:")


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
        for kind, heading in _SECTIONS:
            bullets = [_bullet(node, node.place) for node in self._leaves("") if node.kind == kind]
            parts += ["", heading, *bullets] if bullets else []
        return "\n".join(parts) + "\n"

    def _folder(self, folder: str) -> str:
        leaves = self._leaves(folder)
        here = posixpath.join(FOLDER, folder) if folder else FOLDER
        path = f"{here}/{FOLDER_INDEX}"
        parts = [*self._head(path, self._hash_of(path, leaves), len(leaves))]
        parts += [f"# kenkeep Index: {folder}" if folder else "# kenkeep Index", ""]
        parts += [f"↑ Parent: [{_parent(folder)}](../{FOLDER_INDEX})", ""] if folder else []
        parts += [_advice(self._before.get(path, "")) or self._advice, ""]
        parts += ["## Subfolders", *self._branches(folder, "")]
        for kind, heading in _SECTIONS:
            bullets = [_bullet(node, posixpath.relpath(node.place, here)) for node in leaves if node.kind == kind]
            parts += ["", heading, *(bullets or ["_None yet._"])]
        parts += ["", "## By topic", "", *(self._topics(leaves, here) or ["_No tags yet._"])]
        return "\n".join(parts) + "\n"

    def _hash_of(self, path: str, leaves: Sequence[IndexedNode]) -> str:
        """Of the nodes in one folder. The other program hashes them as it would write them, and nobody compares these
        hashes; where nothing changed, its own stays."""
        theirs = recorded_hash(self._before.get(path, ""))
        if theirs and recorded_hash(self._before.get(ENTRY, "")) == self._hash:
            return theirs
        inside = {_below(node): self._contents[_below(node)] for node in leaves if _below(node) in self._contents}
        return nodes_hash(inside, tree=True)

    def _head(self, path: str, hash: str, count: int) -> list[str]:
        kept = _kept_lines(self._before.get(path, ""))
        own = [f"schema_version: {SCHEMA_VERSION}", f"nodes_hash: '{hash}'", f"node_count: {count}"]
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


def _bullet(node: IndexedNode, where: str) -> str:
    said = f" to learn about: {_inline(node.summary)}" if node.summary.strip() else ""
    return f"- Open [**{_inline(node.title)}**]({where}){said}{''.join(f' #{tag}' for tag in node.tags)}"


def _inline(text: str) -> str:
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _words(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split("-") if word) or name


def _kept_lines(text: str) -> list[str]:
    """The frontmatter of a document without the keys that are made."""
    raw = parse(text).raw or ""
    kept: list[str] = []
    mine = False
    for line in raw.splitlines():
        if line and not line[0].isspace():
            mine = line.startswith(_OURS)
        if not mine and line.strip():
            kept.append(line)
    return kept


def _advice(text: str) -> str:
    """The quoted lines between the title and the first section."""
    body = parse(text).body
    above = re.split(r"^## ", body, maxsplit=1, flags=re.MULTILINE)[0]
    quoted = [line for line in above.split("\n") if line.startswith(">")]
    return "\n\n".join(quoted)
