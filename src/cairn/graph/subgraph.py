"""A part of the graph: a node with everything that is known about it, its neighbours, or what a query selects."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.model.graph import Contribution, Link, Node, Triple, issue_json, link_json, node_json
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import GraphView, ScoreRow
from cairn.core.ports.runtime import Files, ReadFailed, Tokenizer
from cairn.core.ports.store import Store
from cairn.errors import CairnError, NotFound, UsageError
from cairn.lib.markdown.frontmatter import decode, split
from cairn.lib.text.names import hint, normalize_trigger


class Part(NamedTuple):
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    issues: tuple[Issue, ...]


def find_node(graph: GraphView, name: str) -> Node:
    """The node at a path, or the only one with that name, title or end of path."""
    path = name.removeprefix("./")
    found = graph.node(path)
    if found is not None:
        return found
    nodes = list(graph.nodes())
    matches = _matching(nodes, path)
    if len(matches) == 1:
        return matches[0]
    if matches:
        shown = ", ".join(f"`{node.path}`" for node in matches[:5])
        more = f" and {len(matches) - 5} more" if len(matches) > 5 else ""
        raise UsageError(f"`{name}` may be {shown}{more}; name one by its path.", candidates=[n.path for n in matches])
    raise NotFound(_nothing_like(name, nodes))


def _matching(nodes: Iterable[Node], name: str) -> list[Node]:
    wanted = normalize_trigger(name.lstrip("@/"))
    ending = f"/{name}"
    return [n for n in nodes if n.path.endswith(ending) or wanted in _names(n)]


def _names(node: Node) -> set[str]:
    folder, _, file = node.path.rpartition("/")
    names = [node.title, str(node.frontmatter.get("name", "")), file, file.rpartition(".")[0]]
    if file.lower() == "skill.md":
        names.append(folder.rpartition("/")[2])
    return {normalize_trigger(name) for name in names if name}


def _nothing_like(name: str, nodes: Iterable[Node]) -> str:
    paths = (node.path for node in nodes)
    return f"There is no document `{name}`; {hint(name, paths, '`cairn list` shows what there is.', at_least=0.5)}"


def whole(graph: GraphView) -> Part:
    return Part(tuple(graph.nodes()), tuple(graph.links()), tuple(graph.issues()))


def around(graph: GraphView, root: str, depth: int | None) -> Part:
    """The node, and what can be reached over links in either direction in so many steps."""
    links = [link for link in graph.links() if link.resolved is not None]
    next_to: dict[str, set[str]] = {}
    for link in links:
        assert link.resolved is not None
        next_to.setdefault(link.source, set()).add(link.resolved)
        next_to.setdefault(link.resolved, set()).add(link.source)
    reached = frontier = {root}
    steps = 0
    while frontier and (depth is None or steps < depth):
        frontier = {other for path in frontier for other in next_to.get(path, ())} - reached
        reached = reached | frontier
        steps += 1
    return _restricted(graph, reached, graph.links())


def _restricted(graph: GraphView, paths: set[str], links: Iterable[Link]) -> Part:
    """These nodes, the links between them (and their loose ones), the issues shown at them."""
    kept = tuple(link for link in links if link.source in paths and (link.resolved is None or link.resolved in paths))
    issues = tuple(issue for issue in graph.issues() if issue.path in paths)
    return Part(tuple(graph.nodes(sorted(paths))), kept, issues)


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """`kind=a,b has=issues path=glob tag=x`; every word restricts further."""

    kinds: tuple[str, ...] = ()
    has_issues: bool = False
    paths: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def parse_query(words: Iterable[str]) -> GraphQuery:
    found: dict[str, tuple[str, ...]] = {}
    for word in " ".join(words).split():
        key, equals, value = word.partition("=")
        if not equals or not value or key not in ("kind", "has", "path", "tag"):
            raise UsageError(f"`{word}` is not part of a query; write kind=…, has=issues, path=… or tag=….")
        if key in found:
            raise UsageError(f"`{key}` is given twice; put the values in one, as in {key}=a,b.")
        found[key] = tuple(part for part in value.split(",") if part)
    if found.get("has", ("issues",)) != ("issues",):
        raise UsageError("has= knows `issues` only.")
    return GraphQuery(found.get("kind", ()), "has" in found, found.get("path", ()), found.get("tag", ()))


def select(graph: GraphView, query: GraphQuery, issues: Iterable[Issue] | None = None) -> Part:
    """The nodes that fit, and the links of which both ends do. `issues` are asked for instead of those of the scan."""
    asked = (graph.issues() if issues is None else issues) if query.has_issues else ()
    troubled = {path for issue in asked for path in issue.nodes}
    paths = {node.path for node in graph.nodes() if _fits(node, query, troubled)}
    part = _restricted(graph, paths, graph.links())
    return part._replace(links=tuple(link for link in part.links if link.resolved in paths))


def _fits(node: Node, query: GraphQuery, troubled: set[str]) -> bool:
    return (
        (not query.kinds or node.kind in query.kinds or node.qualified_kind in query.kinds)
        and (not query.has_issues or node.path in troubled)
        and (not query.paths or any(fnmatchcase(node.path, pattern) for pattern in query.paths))
        and (not query.tags or bool({tag.tag for tag in node.tags} & set(query.tags)))
    )


def node_called(graph: GraphView, name: str, *, root: Path, here: Path) -> Node:
    """The node at that path below `here`, else below the root, else the only one of that name. An address is found as
    people copy it."""
    for path in (*spellings(name, root=root, here=here), *addresses(name)):
        found = graph.node(path)
        if found is not None:
            return found
    return find_node(graph, name)


def addresses(name: str) -> Iterator[str]:
    """Ways to write the address of the web that a name may be: pages are known without what follows a `#`, and a slash
    at the end makes no difference to anybody."""
    if name.startswith(("http://", "https://")):
        page = name.partition("#")[0]
        yield from (page, page.rstrip("/"), f"{page}/")


def path_called(name: str, known: Callable[[str], bool], *, root: Path, here: Path) -> str:
    """The same for a file that is gone: the first spelling that is known, else the name from the root."""
    return next((path for path in spellings(name, root=root, here=here) if known(path)), name.removeprefix("./"))


def spellings(name: str, *, root: Path, here: Path) -> Iterator[str]:
    """Paths from the root that the name may stand for, the likelier one first. The file need not be there."""
    home = root.resolve()
    folder = here.resolve()
    for base in dict.fromkeys((folder, home)):
        target = _without_dots(base / name)
        if home in target.parents:
            yield target.relative_to(home).as_posix()


def _without_dots(path: Path) -> Path:
    """`a/../b` is `b`; links in the file system are left alone, since nodes are named by where they lie."""
    return Path(os.path.normpath(path))


KEPT = "cl100k_base"
"""Counts in this encoding are kept. Others, and estimates, are made anew each time: the store has room for one."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    tokens: Triple
    tokenizer: str
    exact: bool


def tokens_of(node: Node, *, store: Store, files: Files, tokenizer: Tokenizer) -> TokenCount | None:
    """None when there is no file to count, or when it is not the one that was scanned."""
    if node.virtual:
        return None
    if node.tokens is not None and tokenizer.name == KEPT:
        return TokenCount(node.tokens, KEPT, True)
    parts = _scanned_text(node, files)
    if parts is None:
        return None
    head, body = (tokenizer.count(part) for part in parts)
    counted = TokenCount(Triple(head, body, head + body), tokenizer.name, tokenizer.exact)
    if tokenizer.name == KEPT:
        with suppress(CairnError):  # a busy or read-only database is no reason not to answer
            store.keep_tokens(node.path, counted.tokens)
    return counted


def _scanned_text(node: Node, files: Files) -> tuple[str, str] | None:
    """Frontmatter with its fences, and body, if the file is still what the scan saw."""
    try:
        data, _ = files.read(node.path)
    except ReadFailed:
        return None
    text = decode(data).text
    for body in (split(text).body, ""):  # a file without a body, such as TOML, is all frontmatter
        if sha256(body.encode()).hexdigest() == node.body_hash and len(data) == node.bytes.total:
            return text[: len(text) - len(body)], body
    return None


@dataclass(frozen=True, slots=True)
class Inspection:
    node: Node
    tokens: TokenCount | None
    links_out: tuple[Link, ...]
    links_in: tuple[Link, ...]
    issues: tuple[Issue, ...]
    contributions: tuple[Contribution, ...]
    """By slot."""
    scores: tuple[ScoreRow, ...]
    enrichments: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        node = self.node if self.tokens is None else self.node._replace(tokens=self.tokens.tokens)
        return {
            "node": node_json(node),
            "tokenizer": self.tokens.tokenizer if self.tokens else None,
            "linksOut": [link_json(link) for link in self.links_out],
            "linksIn": [link_json(link) for link in self.links_in],
            "issues": [issue_json(issue) for issue in self.issues],
            "contributions": [_contribution_json(c) for c in self.contributions],
            "scores": [_score_json(row) for row in self.scores],
            "enrichments": dict(self.enrichments),
        }


def inspect(
    store: Store, node: Node, *, files: Files, tokenizer: Tokenizer | None, issues: Iterable[Issue]
) -> Inspection:
    counted = tokens_of(node, store=store, files=files, tokenizer=tokenizer) if tokenizer else None
    return Inspection(
        node=node._replace(tokens=None),
        tokens=counted,
        links_out=tuple(store.links(source=node.path)),
        links_in=tuple(store.links(resolved=node.path)),
        issues=tuple(issue for issue in issues if node.path in issue.nodes),
        contributions=tuple(sorted(store.contributions(node.path), key=lambda c: (c.slot, c.extension, c.key))),
        scores=tuple(store.scores(node.path)),
        enrichments=store.enrichments(node.path),
    )


def end_of(link: Link) -> str:
    """The node that a link leads to, else what was written."""
    return link.resolved or link.target


def seen(link: Link) -> int:
    """How often the source says it."""
    return max(len(link.occurrences), 1)


def mentions_and_targets(links: Sequence[Link]) -> tuple[int, int]:
    """How often the text links, and to how many different things."""
    return sum(map(seen, links)), len({end_of(link) for link in links})


def by_kind(links: Sequence[Link]) -> list[tuple[str, list[Link]]]:
    ordered = sorted(links, key=lambda link: (link.kind, link.line, link.offset, link.target))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda link: link.kind)]


def by_slot(contributions: Sequence[Contribution]) -> list[tuple[str, list[Contribution]]]:
    return [(slot, list(group)) for slot, group in groupby(contributions, key=lambda c: c.slot)]


def _contribution_json(contribution: Contribution) -> dict[str, Any]:
    return {
        "extensionId": contribution.extension,
        "contributionId": contribution.key,
        "slot": contribution.slot,
        "payload": dict(contribution.payload),
    }


def _score_json(row: ScoreRow) -> dict[str, Any]:
    return {
        "extensionId": row.extension,
        "target": row.target,
        "kind": row.kind,
        "normalizedTrigger": row.normalized,
        "op": row.op,
        "value": row.value,
        "confidence": row.result,
    }
