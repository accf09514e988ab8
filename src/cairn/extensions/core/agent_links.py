"""Judges broken links of files that agents read: which are certain, and which may be meant otherwise."""

from functools import cached_property
from typing import NamedTuple

from cairn.plugin import AnalyzerContext, Link, Node, NodeFilter, Severity, normalize_trigger

_CALLED = {"mentions": ("agent",), "invokes": ("command", "skill")}
_KINDS = ("agent", "command", "skill")
_ALIKE = 0.85
_SHORTEST = 5
"""A shorter name is like too many others."""


class AgentLinkVerdict(NamedTuple):
    severity: Severity
    meant: str | None = None
    """The name that was probably meant."""


class AgentLinks:
    """Answers for the broken links of one scan; asks the graph only where it must."""

    def __init__(self, ctx: AnalyzerContext) -> None:
        self._ctx = ctx

    def named(self, link: Link) -> AgentLinkVerdict:
        """`@name` may be a handle and `/name` an address, so only a name that is nearly one of ours is an error, and
        `plugin:name` of a plugin that is here."""
        if link.normalized[1:].removeprefix("agent ").partition(":")[0] in self._namespaces(link):
            return AgentLinkVerdict(Severity.ERROR)
        from difflib import get_close_matches  # few files have a name to look for

        name = link.normalized[1:].replace(" ", "-")
        handle = link.kind == "mentions" and "-" not in name  # as often a decorator: `@contextmanager`
        if len(name) >= _SHORTEST and ":" not in name and not handle:
            for known in get_close_matches(name, self._names.get(link.kind, ()), 1, _ALIKE):
                return AgentLinkVerdict(Severity.ERROR, f"{link.original[0]}{known}")
        return AgentLinkVerdict(Severity.INFO)

    def _namespaces(self, link: Link) -> frozenset[str]:
        """Of the nodes here; empty for a name that has none before it."""
        return self._spaces if ":" in link.normalized else frozenset()

    @cached_property
    def _spaces(self) -> frozenset[str]:
        nodes = self._ctx.graph.find_nodes(NodeFilter(kinds=_KINDS))
        return frozenset(normalize_trigger(space) for node in nodes if (space := self._ctx.namespace(node)))

    def pointed(self, link: Link, source: Node) -> AgentLinkVerdict:
        """A path in code is a warning where its folder exists. Skills and plugins work in other repositories, and name
        files of those, or files that are still to be written."""
        elsewhere = source.kind == "skill" or (source.provider == "agent-files" and source.kind in ("agent", "command"))
        if elsewhere or "/" not in link.original.removeprefix("./"):
            return AgentLinkVerdict(Severity.INFO)
        folders = {path.rpartition("/")[0] for path in (link.target, link.original.removeprefix("./"))}
        return AgentLinkVerdict(Severity.WARN if any(map(self._exists, sorted(folders))) else Severity.INFO)

    def _exists(self, folder: str) -> bool:
        wanted = NodeFilter(path_glob=f"{folder}/*", limit=1)
        return bool(folder) and next(iter(self._ctx.graph.find_nodes(wanted)), None) is not None

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        nodes = list(self._ctx.graph.find_nodes(NodeFilter(kinds=_KINDS)))
        return {
            link: sorted({name for node in nodes if node.kind in kinds for name in _names_of(node)})
            for link, kinds in _CALLED.items()
        }


def called_so(ctx: AnalyzerContext, link: Link) -> list[str]:
    """Paths of the nodes that a call may mean by its name, whatever stands before the name."""
    name = link.normalized[1:].replace(" ", "-").rpartition(":")[2]
    nodes = ctx.graph.find_nodes(NodeFilter(kinds=_CALLED[link.kind])) if link.kind in _CALLED else ()
    return sorted(node.path for node in nodes if name in _names_of(node))


def _names_of(node: Node) -> set[str]:
    folder, _, file = node.path.rpartition("/")
    declared = node.frontmatter.get("name")
    spelled = folder.rpartition("/")[2] if node.kind == "skill" else file.rpartition(".")[0]
    return {normalize_trigger(name).replace(" ", "-") for name in (spelled, declared) if isinstance(name, str)}
