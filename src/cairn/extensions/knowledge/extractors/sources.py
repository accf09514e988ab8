"""Where a page of knowledge has it from: addresses of the web as virtual nodes, files of the repository as links."""

import re

from cairn.extensions.knowledge.pages import PAGES, line_of
from cairn.plugin import ExtractorContext, ExtractorManifest, KnowledgeBase, MarkdownLink, Precondition

_ADDRESS = re.compile(r"https?://(?:[^\s/?#@]*@)?([^\s/?#@:\[\]]+\.[a-z][^\s/?#@:]*)[^\s#]*", re.IGNORECASE)
_EXAMPLES = ("example.com", "example.org", "example.net", "localhost", ".example", ".test", ".invalid", ".local")
_CONFIDENCE = 0.95


class Sources:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="Sources of pages of knowledge; of plain documentation, the addresses that its text links to.",
        scope="both",
        precondition=Precondition(kind=PAGES),
    )

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "Sources":
        return Sources(knowledge)

    def extract(self, ctx: ExtractorContext) -> None:
        if "sources" in ctx.document.frontmatter:
            self._declared(ctx)
        if "](http" in ctx.document.body or "<http" in ctx.document.body or "]: http" in ctx.document.body:
            self._linked(ctx)

    def _declared(self, ctx: ExtractorContext) -> None:
        entry = self._base.entry(ctx.document.path, ctx.document.frontmatter)
        for number, source in enumerate(entry.sources if entry else ()):
            field, line = f"sources[{number}]", line_of(ctx.document, source.target, "sources")
            if source.kind == "path":
                ctx.emit_field_link(
                    "points",
                    source.target,
                    _CONFIDENCE,
                    field_path=field,
                    original=source.target,
                    line=line,
                    data={"field": "sources"},
                )
            elif address := _address(source.target):
                ctx.emit_node(address, "source", provider="knowledge", title=_title(address))
                ctx.emit_field_link(
                    "references",
                    address,
                    _CONFIDENCE,
                    field_path=field,
                    original=source.reference,
                    line=line,
                    data={"node": "source"},
                )

    def _linked(self, ctx: ExtractorContext) -> None:
        if self._base.layout(ctx.document.path) != "plain":
            return
        for link in ctx.document.links:
            address = "" if link.image or link.wiki else _address(link.target)
            if address and not _is_example(address):
                _emit(ctx, link, address)


def _emit(ctx: ExtractorContext, link: MarkdownLink, address: str) -> None:
    """Only the address itself is taken, so that a link whose text is code stays what else it is."""
    body = ctx.document.body
    at = body.rfind(link.target, link.start, link.end)
    start, end = (at, at + len(link.target)) if at >= 0 else (link.end - 1, link.end)
    ctx.emit_node(address, "source", provider="knowledge", title=_title(address))
    ctx.emit_link(
        "references",
        address,
        _CONFIDENCE,
        start=start,
        end=end,
        raw=body[start:end],
        original=link.target,
        normalized=address,
        data={"node": "source"},
    )


def _address(written: str) -> str:
    """The address of a page, without what is only looked for in it; empty for what is none."""
    match = _ADDRESS.match(written)
    return match[0] if match else ""


def _is_example(address: str) -> bool:
    match = _ADDRESS.match(address)
    host = match[1].lower() if match else ""
    return host.endswith(_EXAMPLES)


def _title(address: str) -> str:
    return address.partition("://")[2].rstrip("/")


extension = Sources(KnowledgeBase())
