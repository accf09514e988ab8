"""The graph as a Mermaid flowchart, for Markdown that renders it."""

from collections.abc import Iterator

from cairn.plugin import FormatterContext, FormatterManifest, Link

_ESCAPES = str.maketrans(
    {"#": "#35;", '"': "#quot;", "&": "#amp;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;"}
)
_DEFAULT_COLOR = "#9ca3af"


class Mermaid:
    manifest = FormatterManifest(version="1.0.0", description="Mermaid flowchart.", content_type="text/vnd.mermaid")

    def format(self, ctx: FormatterContext) -> str:
        return "\n".join(_lines(ctx)) + "\n"


def _lines(ctx: FormatterContext) -> Iterator[str]:
    kinds = {kind: f"k{i}" for i, kind in enumerate(sorted({node.qualified_kind for node in ctx.nodes}))}
    ids = {node.path: f"n{i}" for i, node in enumerate(ctx.nodes)}
    missing = _missing(ctx, ids)
    yield f"%% {_comment(ctx.title)}"
    yield "flowchart LR"
    for node in ctx.nodes:
        yield f'  {ids[node.path]}["{_label(node.title or node.path)}"]:::{kinds[node.qualified_kind]}'
    for target, id in missing.items():
        yield f'  {id}["{_label(target)}"]:::missing'
    for source, target, kind, state in _edges(ctx, {**missing, **ids}):
        yield f"  {source} {'-.->' if state == 'missing' else '-->'}|{kind}| {target}"
    for kind, name in kinds.items():
        color = ctx.kinds[kind].color if kind in ctx.kinds else _DEFAULT_COLOR
        yield f"  classDef {name} fill:{color}22,stroke:{color}"
    if missing:
        yield "  classDef missing fill:#ef444411,stroke:#ef4444,stroke-dasharray:4 3"
    if ctx.root in ids:
        yield f"  style {ids[ctx.root]} stroke-width:3px"


def _end(link: Link) -> str:
    return link.resolved or link.target


def _missing(ctx: FormatterContext, ids: dict[str, str]) -> dict[str, str]:
    """Things that are pointed at and not there."""
    targets = sorted(
        {_end(link) for link in ctx.links if link.state in ("broken", "mismatch", "ambiguous")} - ids.keys()
    )
    return {target: f"m{i}" for i, target in enumerate(targets)}


def _edges(ctx: FormatterContext, ids: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Each pair and kind once, in order; links out of the picture are left out."""
    seen: set[tuple[str, str, str]] = set()
    for link in sorted(ctx.links, key=lambda x: (x.source, _end(x), x.kind)):
        edge = (link.source, _end(link), link.kind)
        if edge in seen or link.source not in ids or edge[1] not in ids:
            continue
        seen.add(edge)
        yield ids[link.source], ids[edge[1]], link.kind, "node" if link.resolved else "missing"


def _label(text: str) -> str:
    return " ".join(text.translate(_ESCAPES).split()) or "#8203;"


def _comment(text: str) -> str:
    # Mermaid takes `%%{` for a directive and reads on to the closing brace.
    return " ".join(text.split()).replace("{", "(").replace("}", ")")


extension = Mermaid()
