"""Questions to a person at a terminal."""

from collections.abc import Callable, Sequence

import click

from cairn.cli.invocation import Invocation


def ask_provider(ctx: Invocation) -> Callable[[Sequence[str]], str | None] | None:
    """Which of several agent hosts counts; None when nobody is there to answer."""
    if not ctx.interactive:
        return None

    def ask(found: Sequence[str]) -> str | None:
        ctx.out.say(f"Several agent hosts are used here: {', '.join(found)}.")
        answer: str = click.prompt("Whose rules count?", type=click.Choice(list(found)), default=found[0], err=True)
        return answer

    return ask


def confirmed(ctx: Invocation, question: str, *, yes: bool) -> bool:
    """True by --yes or by a person's word; False when there is nobody to ask."""
    return yes or (ctx.interactive and click.confirm(question, default=False, err=True))
