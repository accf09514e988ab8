"""Compares two states of the graph: two scans, some files before and after, or issues with those that are known."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cairn.core.model.graph import Node, issue_json, link_json, node_json
from cairn.core.model.issue import Issue, Place, narrowed, places_of
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


_VERSION = 1


class BaselineComparison(NamedTuple):
    new: tuple[Issue, ...]
    """With the places that are new."""
    known: int
    """Entries of the baseline that are still there."""
    mended: int
    """Entries that are no longer there."""


def fingerprint(issue: Issue) -> str:
    """What stays the same when lines above an issue come and go."""
    return f"{issue.analyzer} {issue.path} {_subject(issue)}"


def fingerprints(issue: Issue) -> list[str]:
    """One for each file and each missing thing."""
    return list(dict.fromkeys(name for place in places_of(issue) for name in _at(issue, place)))


def _at(issue: Issue, place: Place) -> list[str]:
    return [f"{issue.analyzer} {place.path} {target}" for target in place.targets or (_subject(issue),)]


def _subject(issue: Issue) -> str:
    return str((issue.data or {}).get("target", issue.message))


def record(issues: Iterable[Issue]) -> str:
    """The text of a baseline file: sorted, one entry a line, so that it merges well."""
    counts = Counter(name for issue in issues for name in fingerprints(issue))
    body = {"version": _VERSION, "issues": {name: counts[name] for name in sorted(counts)}}
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def load(text: str, name: str) -> Counter[str]:
    try:
        body: Any = json.loads(text)
        if body["version"] != _VERSION:
            raise ConfigError(f"`{name}` is a baseline of version {body['version']}, this Cairn writes {_VERSION}.")
        return Counter({str(key): int(value) for key, value in body["issues"].items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"`{name}` is not a baseline; remove it and run the command again to record a new one."
        ) from error


def compare(issues: Sequence[Issue], known: Counter[str]) -> BaselineComparison:
    left = +known
    new = []
    for issue in issues:
        names = Counter(fingerprints(issue))
        if part := _only(issue, names - left):
            new.append(part)
        left -= names
    mended = left.total()
    return BaselineComparison(tuple(new), (+known).total() - mended, mended)


def _only(issue: Issue, fresh: Mapping[str, int]) -> Issue | None:
    """The issue at its new places."""
    return narrowed(issue, lambda place: any(name in fresh for name in _at(issue, place)))
