"""Compares two states of the graph: two scans, or some files before and after they were read again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cairn.core.model.graph import Node, issue_json, link_json, node_json
from cairn.core.ports.graph import GraphView
from cairn.errors import ConfigError
from cairn.graph.subgraph import Part

SCAN_VERSION = 1


@dataclass(frozen=True, slots=True)
class Delta:
    """Paths of nodes, keys of links, keys of issues."""

    nodes: Mapping[str, list[str]]
    links: Mapping[str, list[str]]
    issues: Mapping[str, list[str]]

    @property
    def empty(self) -> bool:
        return not any(names for part in (self.nodes, self.links, self.issues) for names in part.values())


def graph_json(part: Part) -> dict[str, Any]:
    return {
        "nodes": [node_json(node) for node in part.nodes],
        "links": [link_json(link) for link in part.links],
        "issues": [issue_json(issue) for issue in part.issues],
    }


def load_dump(text: str, name: str) -> dict[str, Any]:
    try:
        dump = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"`{name}` is not JSON; save a scan with `cairn scan --json > {name}`.") from error
    if not isinstance(dump, dict) or not _is_scan(dump):
        raise ConfigError(f"`{name}` is not a saved scan; make one with `cairn scan --json > {name}`.")
    return dump


def _is_scan(dump: dict[str, Any]) -> bool:
    """Whether everything that is compared is where it should be."""
    if not all(isinstance(dump.get(key), list) for key in ("nodes", "links", "issues")):
        return False
    try:
        named = all(isinstance(path, str) for path in _nodes(dump))
        return named and _links(dump) is not None and _issues(dump) is not None
    except (KeyError, TypeError, AttributeError, IndexError):
        return False


def delta(before: Mapping[str, Any], after: Mapping[str, Any]) -> Delta:
    old, new = _nodes(before), _nodes(after)
    nodes = _sides(old, new)
    nodes["changed"] = sorted(path for path in old.keys() & new.keys() if old[path] != new[path])
    return Delta(nodes, _sides(_links(before), _links(after)), _sides(_issues(before), _issues(after)))


def _sides(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[str]]:
    return {"added": sorted(new.keys() - old.keys()), "removed": sorted(old.keys() - new.keys())}


def _nodes(dump: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    keys = ("kind", "provider", "bodyHash", "frontmatterHash")
    return {node["path"]: tuple(node.get(key) for key in keys) for node in dump["nodes"]}


def _links(dump: Mapping[str, Any]) -> dict[str, bool]:
    return {f"{link['source']} {link['kind']} {link['target']} ({link['state']})": True for link in dump["links"]}


def _issues(dump: Mapping[str, Any]) -> dict[str, bool]:
    return {f"{issue['analyzerId']} {issue['nodeIds'][0]}: {issue['message']}": True for issue in dump["issues"]}


def files_of(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The files to read; a virtual node stands for those that name it."""
    found = [path for node in nodes for path in (node.derived_from if node.virtual else (node.path,))]
    return tuple(dict.fromkeys(found))


def state_of(graph: GraphView, paths: Iterable[str]) -> dict[str, Any]:
    """These nodes with their links out and their issues, as far as a difference needs them."""
    wanted = list(paths)
    return graph_json(
        Part(
            tuple(graph.nodes(wanted)),
            tuple(link for path in wanted for link in graph.links(source=path)),
            tuple(issue for path in wanted for issue in graph.issues(path=path) if issue.path == path),
        )
    )
