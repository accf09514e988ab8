"""What a page of knowledge says it is related to, depends on, was made from or was replaced by."""

import re
from posixpath import normpath

from cairn.extensions.knowledge.pages import PAGES, line_of
from cairn.plugin import ExtractorContext, ExtractorManifest, KnowledgeBase, Precondition, knowledge_name

_KEYS = ("relates_to", "depends_on", "requires", "derived_from", "superseded_by")
_DEPENDS = ("requires", "depends_on", "depends-on")
_WRITTEN = frozenset((*_KEYS, *(key.replace("_", "-") for key in _KEYS)))
_PATH = re.compile(r"(?!.*://)(?=[^\s:]*+\Z)[^\s:]*(?:/[^\s:]*|\.md)")
_SESSION = re.compile(r"(?:.*/)?_sessions/.*|.*\d{6}.*|.*[0-9a-f]{8}-[0-9a-f]{4}.*|.*\s.*|.*:.*", re.DOTALL)
"""What a node may be derived from besides pages: a session, whose log is not committed, or something in words."""
_CONFIDENCE = 0.95


class Relations:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="Relations between pages of knowledge, from their frontmatter.",
        scope="frontmatter",
        precondition=Precondition(kind=PAGES),
    )

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "Relations":
        return Relations(knowledge)

    def extract(self, ctx: ExtractorContext) -> None:
        frontmatter = ctx.document.frontmatter
        if not frontmatter or _WRITTEN.isdisjoint(frontmatter):
            return
        entry = self._base.entry(ctx.document.path, frontmatter)
        if entry is None:
            return
        for name in entry.relates_to:
            _by_name(ctx, "relates_to", name)
        for name in entry.depends_on:
            _by_name(ctx, "depends_on", name, _DEPENDS)
        if entry.superseded_by:
            _by_name(ctx, "superseded_by", entry.superseded_by)
        for origin in entry.derived_from:
            _origin(ctx, origin)


def _by_name(ctx: ExtractorContext, field: str, name: str, keys: tuple[str, ...] = ()) -> None:
    """The name of an entry; a path, which some write instead, is followed as one."""
    line = line_of(ctx.document, name, *(keys or (field, field.replace("_", "-"))))
    if _PATH.fullmatch(name):
        _by_path(ctx, field, name, line)
    else:
        ctx.emit_field_link(
            "references",
            name,
            _CONFIDENCE,
            field_path=field,
            original=name,
            line=line,
            normalized=knowledge_name(name),
            data={"field": field},
        )


def _by_path(ctx: ExtractorContext, field: str, written: str, line: int) -> None:
    path = normpath(written.partition("#")[0].lstrip("/"))
    ctx.emit_field_link(
        "references", path, _CONFIDENCE, field_path=field, original=path, line=line, data={"field": field}
    )


def _origin(ctx: ExtractorContext, origin: str) -> None:
    if _SESSION.fullmatch(origin):
        return
    _by_name(ctx, "derived_from", origin)


extension = Relations(KnowledgeBase())
