"""Says how many rows a list left out, and how to see them."""

from cairn.cli.invocation import Invocation


def say_more(ctx: Invocation, more: int, next_offset: int, *, counted: int | None = None) -> None:
    """`counted` is where counting ended, if it did not go to the end."""
    if more:
        number = f"at least {more:,}" if more == counted else f"{more:,}"
        ctx.out.say(f"{number} more; --offset {next_offset} shows the next")
