"""A picture of a part of the graph: which formatter draws it, and what that gets to see."""

from collections.abc import Mapping

from cairn.core.extension_points import Formatter, FormatterContext, KindSpec
from cairn.core.registry import Loaded, Registry
from cairn.errors import EnvironmentProblem, UsageError
from cairn.graph.subgraph import Part

_BY_ENDING = {".html": "html", ".json": "json", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".txt": "ascii"}


def format_for(file_name: str) -> str | None:
    """The format that a file name asks for by its ending."""
    return next((format for ending, format in _BY_ENDING.items() if file_name.lower().endswith(ending)), None)


def find_formatter(registry: Registry, id: str) -> Loaded[Formatter]:
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
