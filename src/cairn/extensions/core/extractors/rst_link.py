"""References of a reStructuredText page: files, documents, labels, includes, images and the entries of a toctree."""

import re
from posixpath import normpath
from typing import Any

from cairn.plugin import ExtractorContext, ExtractorManifest, PageLink

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.ASCII | re.IGNORECASE)
_CONFIDENCE = 0.95
_LABELS = ("ref", "numref", "std:ref", "std:numref")
_PAGES = ("doc", "std:doc")
_PLACEHOLDER = re.compile(r"\$\{|\{\{|\{%|[|*?]|\{[^{}]*+\}")
_BUILT = re.compile(
    r"(?:.*/)?(?:genindex|py-modindex|modindex|search|modules|_?generated/.*|_?autosummary/.*|autoapi/.*)"
)
"""Pages that Sphinx makes while it builds."""


class RstLinks:
    manifest = ExtractorManifest(
        version="1.0.0", description="References of reStructuredText: links, `:doc:`, `:ref:`, includes, toctrees."
    )

    def extract(self, ctx: ExtractorContext) -> None:
        if ctx.document.format != "rst":
            return
        own = {target.name for target in ctx.document.outline.targets}
        for link in ctx.document.outline.links:
            if link.kind == "role":
                _emit_role(ctx, link, own)
            elif link.kind == "toctree":
                if link.role != "glob" and not _BUILT.fullmatch(link.target):
                    _emit_page(ctx, link)
            elif link.kind in ("link", "image", "include") and not _is_a_word(link):
                _emit_file(ctx, link)


def _is_a_word(link: PageLink) -> bool:
    """Whether the target of `.. _name: word` is no address, but a name that was put in the wrong place."""
    return link.role == "definition" and not any(sign in link.target for sign in "./:#")


def _emit_role(ctx: ExtractorContext, link: PageLink, own: set[str]) -> None:
    role = link.role.lower()
    if role in _LABELS:
        label = " ".join(link.target.lower().split())
        # `page:Title` is a label that the extension autosectionlabel makes.
        if label and ":" not in label and label not in own and not _BUILT.fullmatch(label):
            _emit(ctx, link, label, f"[[ref:{label}", by_name=True)
    elif role in _PAGES and not _BUILT.fullmatch(link.target):
        _emit_page(ctx, link)
    elif role == "download":
        _emit_file(ctx, link)


def _emit_page(ctx: ExtractorContext, link: PageLink) -> None:
    """A page without its suffix. One that starts with `/` counts from the folder of `conf.py`, which a page does not
    know, so that it is looked up by name."""
    written = link.target.strip()
    if not written or _SCHEME.match(written) or _PLACEHOLDER.search(written):
        return
    if written.startswith("/"):
        page = normpath(written.lstrip("/")).removesuffix(".rst")
        _emit(ctx, link, page, f"[[doc:{page}", by_name=True)
    else:
        target = _from_here(ctx, written)
        data = {"page": True, "toctree": True} if link.kind == "toctree" else {"page": True}
        _emit(ctx, link, target, target, data=data)


def _emit_file(ctx: ExtractorContext, link: PageLink) -> None:
    written = re.split(r"[#?]", link.target, maxsplit=1)[0]
    standard = link.kind == "include" and written.startswith("<")
    if not written or standard or _SCHEME.match(written) or _PLACEHOLDER.search(written) or written.startswith("/"):
        return  # a path from `/` counts from the folder of `conf.py`
    target = _from_here(ctx, written)
    _emit(ctx, link, target, target, data={"image": True} if link.image else None)


def _from_here(ctx: ExtractorContext, written: str) -> str:
    folder = ctx.document.path.rpartition("/")[0]
    return normpath(f"{folder}/{written}" if folder else written)


def _emit(
    ctx: ExtractorContext,
    link: PageLink,
    target: str,
    normalized: str,
    *,
    by_name: bool = False,
    data: dict[str, Any] | None = None,
) -> None:
    body = ctx.document.body
    start, end = min(link.start, len(body)), min(max(link.end, link.start), len(body))
    ctx.emit_link(
        "references",
        target,
        _CONFIDENCE,
        start=start,
        end=end,
        raw=body[start:end],
        original=link.target,
        normalized=normalized,
        by_name=by_name,
        data=data,
    )


extension = RstLinks()
