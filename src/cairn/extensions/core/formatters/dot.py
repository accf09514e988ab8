"""The graph in the language of Graphviz."""

from collections.abc import Iterator

from cairn.plugin import FormatterContext, FormatterManifest, Link, Node

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "", "\0": "\ufffd"})
_ENTITIES = str.maketrans({"&": "&amp;"})
_STYLES = {"mentions": "dashed", "points": "dotted"}
_DEFAULT_COLOR = "#9ca3af"


class Dot:
    manifest = FormatterManifest(version="1.0.0", description="Graphviz DOT digraph.", content_type="text/vnd.graphviz")

    def format(self, ctx: FormatterContext) -> str:
        return "\n".join(_lines(ctx)) + "\n"


def _lines(ctx: FormatterContext) -> Iterator[str]:
    paths = {node.path for node in ctx.nodes}
    yield f"digraph {_quoted(ctx.title)} {{"
    yield '  graph [rankdir=LR, charset="UTF-8"];'
    yield '  node [shape=box, style="rounded,filled", fontname="Helvetica"];'
    yield '  edge [fontname="Helvetica", fontsize=10];'
    for node in ctx.nodes:
        yield _node(ctx, node)
    for target in sorted(
        {_end(link) for link in ctx.links if link.state in ("broken", "mismatch", "ambiguous")} - paths
    ):
        look = 'style="rounded,dashed", color="#ef4444", fontcolor="#ef4444"'
        yield f"  {_quoted(target)} [label={_label(target)}, {look}];"
        paths.add(target)
    yield from _edges(ctx, paths)
    yield "}"


def _node(ctx: FormatterContext, node: Node) -> str:
    spec = ctx.kinds.get(node.qualified_kind)
    color = spec.color if spec else _DEFAULT_COLOR
    width = ", penwidth=3" if node.path == ctx.root else ""
    texts = f"label={_label(node.title or node.path)}, tooltip={_label(node.path)}"
    return f'  {_quoted(node.path)} [{texts}, color="{color}", fillcolor="{color}22"{width}];'


def _edges(ctx: FormatterContext, paths: set[str]) -> Iterator[str]:
    """Each pair and kind once, in order; links out of the picture are left out."""
    seen: set[tuple[str, str, str]] = set()
    for link in sorted(ctx.links, key=lambda x: (x.source, _end(x), x.kind)):
        edge = (link.source, _end(link), link.kind)
        if edge in seen or link.source not in paths or edge[1] not in paths:
            continue
        seen.add(edge)
        style = _STYLES.get(link.kind, "solid")
        color = "" if link.resolved else ', color="#ef4444"'
        yield f"  {_quoted(link.source)} -> {_quoted(edge[1])} [label={_quoted(link.kind)}, style={style}{color}];"


def _end(link: Link) -> str:
    return link.resolved or link.target


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _label(text: str) -> str:
    """Graphviz reads entities such as `&lt;` in texts that it shows, though not in names."""
    return _quoted(text.translate(_ENTITIES))


extension = Dot()
