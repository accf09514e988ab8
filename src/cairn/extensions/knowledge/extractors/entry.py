"""A page of knowledge, read strictly: what is wrong with it, and what its text is like."""

from typing import Any

from cairn.extensions.knowledge.likeness import likeness
from cairn.extensions.knowledge.pages import PAGES, ROUTES
from cairn.extensions.knowledge.problems import KEY, Problem
from cairn.plugin import ExtractorContext, ExtractorManifest, KnowledgeBase, Precondition

_TOLD = "frontmatter-"
"""Rules of this name are told by the scan itself, whatever the file is."""


class EntryExtractor:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="What the analyzers of knowledge need to know of each page.",
        scope="both",
        precondition=Precondition(kind=(*PAGES, ROUTES)),
    )

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "EntryExtractor":
        return EntryExtractor(knowledge)

    def extract(self, ctx: ExtractorContext) -> None:
        document = ctx.document
        if self._base.layout(document.path) in (None, "plain"):
            return
        facts: dict[str, Any] = {}
        if problems := self._problems(document.path, document.text):
            facts[KEY] = problems
        if sketch := likeness(document.body):
            facts["_likeness"] = sketch
        if facts:
            ctx.enrich_node(facts)

    def _problems(self, path: str, text: str) -> list[Problem]:
        reading = self._base.read(path, text)
        if reading is None:
            return []
        found = [("error", p) for p in reading.errors] + [("warn", p) for p in reading.warnings]
        return [[s, p.rule, p.field, p.message, p.line, p.advice] for s, p in found if not p.rule.startswith(_TOLD)]


extension = EntryExtractor(KnowledgeBase())
