"""`/name` runs a command or a skill."""

import re

from cairn.extensions.claude.destination import in_destination
from cairn.extensions.claude.not_calls import EXAMPLE, NotCalls
from cairn.plugin import ExtractorContext, ExtractorManifest, Precondition, normalize_trigger

# Starts at the literal `/`. Possessive, because a name that is followed by `/` is a path and not a shorter name.
# The `<` keeps closing tags such as `</example>` out.
_COMMAND = re.compile(
    r"/(?<![A-Za-z0-9_/.:?#=&<]/)[A-Za-z0-9][A-Za-z0-9_-]*+(?::[A-Za-z0-9][A-Za-z0-9_-]*+)?+(?!/)",
)


class SlashCommand:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="`/command` and `/plugin:skill` calls.",
        precondition=Precondition(provider=("claude",)),
    )

    def extract(self, ctx: ExtractorContext) -> None:
        if ctx.document.format != "markdown":
            return  # no host reads calls in it
        prose, not_calls = ctx.document.prose, None
        for match in _COMMAND.finditer(prose):
            literal, (start, end) = match[0], match.span()
            if in_destination(prose, start):
                continue
            not_calls = not_calls or NotCalls(ctx.document.body)
            example = not_calls.covers(start) or not_calls.command(literal, start, end)
            ctx.emit_link(
                "invokes",
                literal,
                0.8,
                start=start,
                end=end,
                raw=literal,
                original=literal,
                normalized=normalize_trigger(literal),
                by_name=True,
                data=EXAMPLE if example else None,
            )


extension = SlashCommand()
