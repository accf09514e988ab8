"""Draws a part of the graph: by a formatter that is plugged in, or as Markdown tables."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from itertools import groupby

from cairn.core.extension_points import Formatter, FormatterContext, KindSpec
from cairn.core.model.graph import Link, Node
from cairn.core.model.issue import Issue, narrowed
from cairn.core.registry import LoadedExtension, Registry
from cairn.errors import EnvironmentProblem, UsageError
from cairn.graph.scan_request import size_of
from cairn.graph.subgraph import Part
from cairn.workspace.findings import for_people
from cairn.workspace.llms_txt import body_reader, first_paragraph, front_summary
from cairn.workspace.ports import WorkspacePorts

_BY_ENDING = {".html": "html", ".json": "json", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".txt": "ascii"}


def format_for(file_name: str) -> str | None:
    """The format that a file name asks for by its ending."""
    return next((format for ending, format in _BY_ENDING.items() if file_name.lower().endswith(ending)), None)


def find_formatter(registry: Registry, id: str) -> LoadedExtension[Formatter]:
    found = next((f for f in registry.formatters if id in (f.id, f.qualified)), None)
    if found is None:
        known = ", ".join(sorted(f.id for f in registry.formatters)) or "none, all formatters are off"
        raise UsageError(f"There is no format `{id}`; there are {known}.", formats=[f.id for f in registry.formatters])
    return found


def draw(registry: Registry, format: str, part: Part, *, title: str, root: str | None = None, summary: str = "") -> str:
    """The same graph gives the same text."""
    formatter = find_formatter(registry, format)
    ctx = FormatterContext(part.nodes, part.links, part.issues, kind_specs(registry), title, root, summary)
    try:
        return formatter.extension.format(ctx)
    except Exception as error:
        what = f"{formatter.qualified} {formatter.manifest.version}"
        raise EnvironmentProblem(
            f"plugin {what} (extension-error) could not draw the graph: {type(error).__name__}: {error}; "
            "choose another format.",
            extension=formatter.qualified,
        ) from error


def kind_specs(registry: Registry) -> Mapping[str, KindSpec]:
    """By qualified kind."""
    return {f"{p.id}/{kind}": spec for p in registry.providers for kind, spec in p.manifest.kinds.items()}


_JSON = "application/json"
_FEW = 60


def drawn(ports: WorkspacePorts, format: str, part: Part, *, root: str | None = None, notes: bool = False) -> str:
    """What a formatter prints on its way must not end up in the picture. JSON has the issues of the scan, everything
    else those that `check` prints."""
    machine = find_formatter(ports.registry, format).manifest.content_type == _JSON
    body_of = body_reader(ports)
    shown = part if machine else _described(as_checked(ports, part, notes=notes), body_of)
    summary = front_summary(part.nodes, body_of)
    with redirect_stdout(sys.stderr):
        return draw(ports.registry, format, shown, title=title_of(ports), root=root, summary=summary)


def _described(part: Part, body_of: Callable[[str], str | None]) -> Part:
    """In a small graph, pages that have no description get their first paragraph: there is room to show it."""
    if len(part.nodes) > _FEW:
        return part

    def described(node: Node) -> Node:
        if node.description or node.virtual:
            return node
        return node._replace(description=first_paragraph(body_of(node.path) or ""))

    return part._replace(nodes=tuple(map(described, part.nodes)))


def as_checked(ports: WorkspacePorts, part: Part, *, notes: bool = False) -> Part:
    """The part with the issues that `check` prints."""
    found = for_people(ports, notes=notes)
    whole = len(part.nodes) == ports.store.counts()["nodes"]
    return part._replace(issues=found if whole else _within(found, part))


def _within(issues: tuple[Issue, ...], part: Part) -> tuple[Issue, ...]:
    """At the places that are in this part."""
    paths = {node.path for node in part.nodes}
    return tuple(kept for issue in issues if (kept := narrowed(issue, lambda place: place.path in paths)))


def title_of(ports: WorkspacePorts) -> str:
    return ports.root.resolve().name or "graph"


_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#!~$"} | {"&": "&amp;"})


def markdown(part: Part, *, title: str) -> str:
    return "\n".join(_lines(part, title)) + "\n"


def _lines(part: Part, title: str) -> Iterator[str]:
    yield f"# {_text(title)}"
    yield ""
    urls = sum(node.virtual and "://" in node.path for node in part.nodes)
    counts = {"documents": sum(not node.virtual for node in part.nodes), "links": len(part.links), "urls": urls}
    yield f"{size_of(counts)}, {len(part.issues):,} finding{'' if len(part.issues) == 1 else 's'}."
    titles = {node.path: node.title for node in part.nodes}
    links = {source: list(group) for source, group in groupby(part.links, key=lambda link: link.source)}
    ordered = sorted(part.nodes, key=lambda node: (node.qualified_kind, node.path))
    for kind, nodes in groupby(ordered, key=lambda node: node.qualified_kind):
        rows = [_row(node, links.get(node.path, ()), titles) for node in nodes]
        yield from ("", f"## {_text(kind)} ({len(rows)})", "")
        yield from ("| path | title | description | links to |", "|---|---|---|---|", *rows)
    if part.issues:
        yield from ("", f"## Findings ({len(part.issues)})", "")
        yield from map(_issue, part.issues)


def _row(node: Node, links: Iterable[Link], titles: dict[str, str]) -> str:
    targets = dict.fromkeys(link.resolved for link in links if link.resolved and link.resolved != node.path)
    linked = ", ".join(_link(path, titles.get(path) or path) for path in targets)
    return f"| {_link(node.path, node.path)} | {_text(node.title)} | {_text(node.description)} | {linked} |"


def _link(path: str, label: str) -> str:
    from urllib.parse import quote

    return f"[{_text(label)}]({quote(path)})"


def _issue(issue: Issue) -> str:
    place = issue.path if issue.line is None else f"{issue.path}:{issue.line}"
    return f"- **{issue.severity}** {_text(place)}: {_text(issue.message)} ({_text(issue.analyzer)})"


def _text(text: str) -> str:
    """Text of others on one line, without any meaning in Markdown."""
    return " ".join(text.split()).translate(_SPECIAL)
