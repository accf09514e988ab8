"""The graph as plain text, for a terminal or a diff."""

from collections.abc import Iterable, Iterator

from cairn.plugin import FormatterContext, FormatterManifest, Issue, Link, Node

_FIRST = ("agent", "command", "skill", "markdown")
_LINE_BREAKS = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


class Ascii:
    manifest = FormatterManifest(version="1.0.0", description="Plain text: counts, documents by kind, links, findings.")

    def format(self, ctx: FormatterContext) -> str:
        return "\n".join(_lines(ctx)) + "\n"


def _lines(ctx: FormatterContext) -> Iterator[str]:
    yield _one_line(ctx.title)
    yield ", ".join(_counts(ctx))
    if ctx.root is not None:
        yield f"around: {ctx.root}"
    for kind in _kinds(ctx.nodes):
        nodes = sorted((node for node in ctx.nodes if node.kind == kind), key=lambda node: node.path)
        yield from ("", f"## {kind} ({len(nodes)})")
        yield from (_node(node) for node in nodes)
    if ctx.links:
        yield from ("", f"## links ({len(ctx.links)})")
        yield from (_link(link) for link in sorted(ctx.links, key=lambda x: (x.source, x.kind, x.target, x.normalized)))
    if ctx.issues:
        yield from ("", f"## findings ({len(ctx.issues)})")
        yield from (_issue(issue) for issue in ctx.issues)


def _counts(ctx: FormatterContext) -> Iterator[str]:
    """In the words of `scan`."""
    urls = sum(node.virtual and "://" in node.path for node in ctx.nodes)
    yield _counted(sum(not node.virtual for node in ctx.nodes), "document")
    yield _counted(len(ctx.links), "link")
    if urls:
        yield f"{_counted(urls, 'URL')} cited"
    if ctx.issues:
        yield _counted(len(ctx.issues), "finding")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _kinds(nodes: Iterable[Node]) -> list[str]:
    return sorted({node.kind for node in nodes}, key=lambda kind: (_rank(kind), kind))


def _rank(kind: str) -> int:
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def _node(node: Node) -> str:
    title = "" if not node.title or node.title == node.path else f"  {_one_line(node.title)}"
    return f"- {node.path}{title}"


def _link(link: Link) -> str:
    target = _one_line(link.resolved or link.target)
    note = "" if link.state == "node" else f"  ({link.state})"
    return f"- {link.source} --{link.kind}--> {target}  [{link.confidence:.2f}]{note}"


def _issue(issue: Issue) -> str:
    place = issue.path if issue.line is None else f"{issue.path}:{issue.line}"
    return f"- [{issue.severity}] {issue.analyzer} {place}: {_one_line(issue.message)}"


def _one_line(text: str) -> str:
    return text.translate(_LINE_BREAKS)


extension = Ascii()
