"""`@name` calls an agent, `@docs/page.md` takes a file in."""

import re
from posixpath import normpath

from cairn.extensions.claude.destination import in_destination
from cairn.extensions.claude.not_calls import EXAMPLE, NotCalls
from cairn.plugin import ExtractorContext, ExtractorManifest, Precondition, normalize_trigger

# Starts at the literal `@`, so that the engine skips to it, and only then looks at what stands before.
_DIRECTIVE = re.compile(
    r"@(?<![A-Za-z0-9_@]@)(?:\.{1,2}/|/)?[A-Za-z0-9](?:[A-Za-z0-9_\-./]*[A-Za-z0-9_])?(?::[A-Za-z0-9][A-Za-z0-9_-]*)?"
)
_FILE = re.compile(
    r"\.(?:mdx?|jsx?|tsx?|json|ya?ml|toml|txt|html|s?css|less|py|rb|go|rs|java|c|cpp|h|hpp|sh|sql|svg|png|jpe?g|gif"
    r"|webp|pdf)$",
    re.IGNORECASE,
)


class AtDirective:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="`@agent` mentions and `@file` references.",
        precondition=Precondition(provider=("claude",)),
    )

    def extract(self, ctx: ExtractorContext) -> None:
        if ctx.document.format != "markdown":
            return  # no host reads calls in it
        prose = ctx.document.prose
        if "@" not in prose:
            return
        not_calls = NotCalls(ctx.document.body)
        for match in directives(prose):
            if match[0][1] != "/" and not in_destination(prose, match.start()):
                _emit(ctx, match, not_calls)


def directives(prose: str) -> list[re.Match[str]]:
    """All directives. What follows another one without a gap is none: the character before it belongs to the first."""
    found: list[re.Match[str]] = []
    end = -1
    for match in _DIRECTIVE.finditer(prose):
        if match.start() != end:
            found.append(match)
            end = match.end()
    return found


def _emit(ctx: ExtractorContext, match: re.Match[str], not_calls: NotCalls) -> None:
    literal, (start, end) = match[0], match.span()
    path = literal[1:].partition(":")[0]
    covered = not_calls.covers(start)
    if path[0] == "." or _FILE.search(path):
        target = normpath(f"{ctx.document.path.rpartition('/')[0]}/{path}".lstrip("/"))
        ctx.emit_link(
            "references",
            target,
            0.85,
            start=start,
            end=end,
            raw=literal,
            original=literal,
            normalized=target,
            data=EXAMPLE if covered else None,
        )
    else:
        ctx.emit_link(
            "mentions",
            literal,
            0.5,
            start=start,
            end=end,
            raw=literal,
            original=literal,
            normalized=normalize_trigger(literal),
            by_name=True,
            data=EXAMPLE if covered or not_calls.mention(literal, start, end) else None,
        )


extension = AtDirective()
