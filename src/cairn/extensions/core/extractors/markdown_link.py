"""Links and images of a Markdown text, and wikilinks, as references to files of the repository."""

import re
from collections.abc import Sequence
from itertools import pairwise
from posixpath import normpath
from typing import Any

from cairn.plugin import ExtractorContext, ExtractorManifest, MarkdownLink, normalize_trigger

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.ASCII | re.IGNORECASE)
_SUFFIX = re.compile(r"[#?]")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|bmp|svg|pdf|csv|canvas|base|mp3|mp4|mov|wav|webm|ogg|json|ya?ml|toml|txt|html?)$",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"\$\{|\{\{|\{%|<[^<>]*+>")
"""Something that a template fills in; what it leads to nobody can say."""
_FROM_ROOT = "mdc:"
"""Before a path that counts from the root, as Cursor writes it in rules: `[guide](mdc:docs/guide.md)`."""
_CONFIDENCE = 0.95


class MarkdownLinks:
    manifest = ExtractorManifest(version="1.0.0", description="Everything that CommonMark calls a link, and wikilinks.")

    def extract(self, ctx: ExtractorContext) -> None:
        links = ctx.document.links
        if not links:
            return
        body, folder = ctx.document.body, ctx.document.path.rpartition("/")[0]
        inside = _images_inside(links) if "[![" in body else {}
        for link in links:
            if link.wiki:
                _emit_wiki(ctx, link)
            elif not link.auto:
                target = _target(link.target, folder)
                if target:
                    data: dict[str, Any] | None = {"image": True} if link.image else None
                    if link.target.startswith(_FROM_ROOT) and _is_example(body, link.start):
                        data = {"example": True}
                    start = inside.get(link.start, link.start)
                    ctx.emit_link(
                        "references",
                        target,
                        _CONFIDENCE,
                        start=start,
                        end=link.end,
                        raw=body[start : link.end],
                        original=link.target.removeprefix(_FROM_ROOT),
                        normalized=target,
                        data=data,
                    )


def _is_example(body: str, start: int) -> bool:
    """Whether a line says so: rules about rules show how to write a link."""
    return "example" in body[body.rfind("\n", 0, start) + 1 : start].lower()


def _images_inside(links: Sequence[MarkdownLink]) -> dict[int, int]:
    """Start of a link whose words are an image, with the end of that image: two links that must not hide each other."""
    ordered = sorted(links, key=lambda link: (link.start, -link.end))
    pairs = ((outer, inner) for outer, inner in pairwise(ordered) if inner.image and inner.end < outer.end)
    return {outer.start: inner.end for outer, inner in pairs}


def _target(written: str, folder: str) -> str:
    """The path from the root that a destination means; empty when it leads nowhere in this repository.

    A path that climbs out of the repository keeps its leading `../`, a folder its trailing `/`; the root is `.`.
    """
    if written.startswith(_FROM_ROOT):
        written, folder = written.removeprefix(_FROM_ROOT), ""
    if ":" in written and _SCHEME.match(written):
        return ""
    if ("{" in written or "<" in written) and _PLACEHOLDER.search(written):
        return ""
    if "#" in written or "?" in written:
        written = _SUFFIX.split(written, maxsplit=1)[0]
    if not written or written.startswith("//"):
        return ""
    if "%" in written:
        written = _unquote(written)
    if written[0] == "/":
        return _clean("", written.lstrip("/"))
    return _clean(folder, written)


def _clean(folder: str, path: str) -> str:
    joined = f"{folder}/{path}" if folder else path
    if "./" not in joined and "//" not in joined and joined[-1:] not in (".", ""):
        return joined
    clean = normpath(joined)
    return f"{clean}/" if joined.endswith("/") and clean != "." else clean


def _unquote(written: str) -> str:
    # Imported here: most texts have no percent sign, and this import is dearer than all of this module.
    from urllib.parse import unquote

    decoded = unquote(written)
    return written if "\0" in decoded else decoded


def _emit_wiki(ctx: ExtractorContext, link: MarkdownLink) -> None:
    """`[[name]]` is looked up among the names of pages, `[[folder/name]]` is a path from the root."""
    name = _SUFFIX.split(link.target, maxsplit=1)[0].strip()
    if not name or "[" in name or "]" in name:  # a matrix: [[1, 2], [3, 4]]
        return
    page = name[:-3] if name[-3:].lower() == ".md" else name
    by_name = "/" not in name and not _ATTACHMENT.search(name)
    if by_name:
        target, normalized = name, "[[" + normalize_trigger(page)
    else:
        target = normalized = _wiki_path(name, ctx.document.path.rpartition("/")[0])
    ctx.emit_link(
        "references",
        target,
        _CONFIDENCE,
        start=link.start,
        end=link.end,
        raw=ctx.document.body[link.start : link.end],
        original=link.target,
        normalized=normalized,
        by_name=by_name,
        data={"image": True} if link.image else None,
    )


def _wiki_path(name: str, folder: str) -> str:
    """Paths in wikilinks count from the root; a bare file name, or one with a leading dot, from its own folder."""
    if "/" not in name or name.startswith("."):
        return _clean(folder, name)
    return _clean("", name.lstrip("/"))


extension = MarkdownLinks()
