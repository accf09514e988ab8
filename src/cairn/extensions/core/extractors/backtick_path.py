"""Paths of Markdown files that stand in code, such as `docs/setup.md` between backticks."""

import re
from posixpath import normpath

from cairn.plugin import ExtractorContext, ExtractorManifest

_PATH = re.compile(r"(?<![\w/:.-])(?:\.{1,2}/)?\w[\w.-]*(?:/[\w.-]+)*\.md\b(?![\w/])", re.ASCII)


_EXAMPLE = {"example": True}


def _is_example(body: str, code: int, start: int) -> bool:
    """Whether a path stands in a block of code, or is made of a variable or a pattern."""
    return body.startswith(("```", "~~~"), code) or body[code] == " " or body[start - 1] in "$<{*%~"


class BacktickPath:
    manifest = ExtractorManifest(version="1.0.0", description="Paths of Markdown files in code.")

    def extract(self, ctx: ExtractorContext) -> None:
        if ".md" not in ctx.document.body:
            return
        body, folder = ctx.document.body, ctx.document.path.rpartition("/")[0]
        pieces = (piece for piece in ctx.document.code_ranges if body.find(".md", *piece) >= 0)
        for at, match in ((start, match) for start, end in pieces for match in paths(body[start:end])):
            written = match[0]
            target = normpath(f"{folder}/{written}") if folder else normpath(written)
            example = _is_example(body, at, at + match.start())
            ctx.emit_link(
                "points",
                target,
                0.85,
                start=at + match.start(),
                end=at + match.end(),
                raw=written,
                original=written,
                normalized=target,
                data=_EXAMPLE if example else None,
            )


def paths(code: str) -> list[re.Match[str]]:
    """What `_PATH` finds, looked for only in those words that have `.md` in them.

    A path holds no blank, and neither its look-behind nor its look-ahead minds one, so a search that starts and ends
    at a blank finds the same.
    """
    found: list[re.Match[str]] = []
    end = 0
    while (hit := code.find(".md", end)) >= 0:
        start = max(code.rfind(" ", end, hit), code.rfind("\n", end, hit), end)
        end = code.find(" ", hit)
        end = len(code) if end < 0 else end
        found.extend(_PATH.finditer(code, start, end))
    return found


extension = BacktickPath()
