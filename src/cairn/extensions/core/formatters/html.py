"""Draws the map: one HTML page that needs no server and no network."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from cairn.extensions.core.colours import distinct
from cairn.plugin import FormatterContext, FormatterManifest, Issue, Link, Node

_PARTS = Path(__file__).parent / "html_page"
_SCRIPTS = ("groups.js", "treemap.js", "map.js", "panel.js", "table.js", "page.js")
_LONGEST_TEXT = 400
_UNKNOWN = "#9ca3af"
_TEMPLATE = re.compile(r"\{[%{]")
# Inside of a script element only `<` can end it; the others keep the data harmless wherever it is pasted.
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


class Html:
    manifest = FormatterManifest(
        version="1.0.0",
        description="The map: folders, documents and links on one page, for a browser; works offline.",
        content_type="text/html",
    )

    def format(self, ctx: FormatterContext) -> str:
        parts = {
            "title": _escaped(" ".join(ctx.title.split())),
            "summary": _escaped(_cut(" ".join(ctx.summary.split()))),
            "style": _read("page.css"),
            "script": "\n".join(_read(name) for name in _SCRIPTS),
            "data": _embedded(_graph(ctx)),
        }
        return _fill(_read("page.html"), parts)


def _read(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _fill(template: str, parts: dict[str, str]) -> str:
    """Put each part in the place of its marker, in one pass: a marker inside a part stays text."""
    out: list[str] = []
    for piece in template.split("@@"):
        out.append(parts.get(piece, piece))
    return "".join(out)


def _embedded(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_HARMLESS)


def _graph(ctx: FormatterContext) -> dict[str, Any]:
    places = {node.path: i for i, node in enumerate(ctx.nodes)}
    labels = Counter(_label(ctx, node.qualified_kind) for node in ctx.nodes)
    order = sorted(labels, key=lambda label: (-labels[label], label))
    colours = distinct({label: _colour(ctx, label) for label in order})
    return {
        "title": " ".join(ctx.title.split()),
        "root": places.get(ctx.root) if ctx.root is not None else None,
        "kinds": [{"label": label, "color": colours[label]} for label in order],
        "nodes": [_node(node, order.index(_label(ctx, node.qualified_kind))) for node in ctx.nodes],
        "links": [_link(link, places) for link in ctx.links if link.source in places],
        "issues": [_issue(issue, places) for issue in ctx.issues],
    }


def _label(ctx: FormatterContext, kind: str) -> str:
    """One entry of the legend. Kinds of two providers that have one label are one."""
    spec = ctx.kinds.get(kind)
    return kind if spec is None else spec.label


def _colour(ctx: FormatterContext, label: str) -> str:
    return next((spec.color for _, spec in sorted(ctx.kinds.items()) if spec.label == label), _UNKNOWN)


def _node(node: Node, kind: int) -> dict[str, Any]:
    out: dict[str, Any] = {"path": node.path, "title": _cut(_title(node)), "kind": kind}
    if node.virtual and node.path.startswith(("http://", "https://")):
        out["url"] = True
    elif node.virtual:
        out["virtual"] = True
    if node.description:
        out["text"] = _cut(node.description)
    if node.tags:
        out["tags"] = sorted({tag.tag for tag in node.tags})
    if node.external_refs:
        out["urls"] = [ref.url for ref in node.external_refs]
    return out


def _title(node: Node) -> str:
    """The name of the file where a template fills in the title."""
    if not node.title or not _TEMPLATE.search(node.title):
        return node.title or node.path
    *folders, name = node.path.split("/")
    stem = name.partition(".")[0]
    return (folders[-1] if folders and stem in ("index", "_index", "README") else stem).replace("-", " ")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _link(link: Link, places: dict[str, int]) -> dict[str, Any]:
    out: dict[str, Any] = {"from": places[link.source], "kind": link.kind, "line": link.line, "state": link.state}
    if link.resolved in places:
        out["to"] = places[link.resolved]
    else:
        out["target"] = link.resolved or link.target
    return out


def _issue(issue: Issue, places: dict[str, int]) -> dict[str, Any]:
    out: dict[str, Any] = {
        "severity": str(issue.severity),
        "rule": issue.analyzer,
        "text": issue.message,
        "nodes": [places[path] for path in issue.nodes if path in places],
    }
    if issue.line is not None:
        out["line"] = issue.line
    if issue.fix is not None:
        out["fix"] = issue.fix.summary
    return out


def _escaped(text: str) -> str:
    from html import escape  # brings a table of all named characters along

    return escape(text)


extension = Html()
