"""Shows long lists in pages: `--limit` and `--offset`, and a line with how many rows follow."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import click

from cairn.cli.invocation import Invocation

PAGE = 50
"""Rows for people who name no limit. Programs get all of them."""
_Row = TypeVar("_Row")


class Page(NamedTuple):
    limit: int | None = None
    offset: int = 0

    def at_most(self, ctx: Invocation) -> int | None:
        """None for all."""
        return self.limit if self.limit is not None or ctx.json else PAGE

    def of(self, ctx: Invocation, rows: Sequence[_Row]) -> tuple[Sequence[_Row], int]:
        """The rows of this page, and how many follow."""
        most = self.at_most(ctx)
        shown = rows[self.offset :] if most is None else rows[self.offset : self.offset + most]
        return shown, self.more(len(shown), len(rows))

    def more(self, shown: int, total: int) -> int:
        return max(0, total - self.offset - shown)


def paged(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the two options."""
    limit = click.option(
        "--limit", type=click.IntRange(min=0), metavar="N", help=f"At most N rows ({PAGE}; with --json, all)."
    )
    offset = click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the first N rows.")
    return limit(offset(command))


def say_more(ctx: Invocation, more: int, next_offset: int, *, counted: int | None = None) -> None:
    """`counted` is where counting ended, if it did not go to the end."""
    if more:
        number = f"at least {more:,}" if more == counted else f"{more:,}"
        ctx.out.say(f"{number} more; --offset {next_offset} shows the next")
