"""The routes of a `paths/index.json`: each a virtual node of its own."""

from cairn.extensions.knowledge.pages import ROUTES
from cairn.plugin import ExtractorContext, ExtractorManifest, KnowledgeBase, Precondition


class Routes:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="Routes, which stand in one file, as nodes of their own.",
        precondition=Precondition(kind=(ROUTES,)),
    )

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "Routes":
        return Routes(knowledge)

    def extract(self, ctx: ExtractorContext) -> None:
        path = ctx.document.path
        if self._base.kind(path) != "routes":
            return
        for route in self._base.routes(path, ctx.document.text):
            ctx.emit_node(route.path, "route", provider="knowledge", title=route.title)
            ctx.emit_field_link(
                "references",
                route.path,
                1.0,
                field_path=route.name,
                original=route.name,
                line=_line(ctx.document.text, route.name),
                data={"node": "route"},
            )


def _line(text: str, name: str) -> int:
    at = text.find(f'"{name}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


extension = Routes(KnowledgeBase())
