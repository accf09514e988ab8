"""Options that several commands have: a file nearby, a span of time, the budget of a model."""

import re
from datetime import UTC, datetime
from pathlib import Path

import click

from cairn.cli.invocation import Invocation
from cairn.errors import UsageError


def from_root(ctx: Invocation, root: Path, path: str) -> str:
    """As the graph has it: from where they stand, else from the root, as other commands print it. A file that is not
    there yet has a place all the same."""
    from cairn.graph.subgraph import spellings

    found = list(spellings(path, root=root, here=ctx.directory))
    if not found:
        raise UsageError(f"{path} is not in this workspace; --near takes files below {root}")
    return next((one for one in found if (root / one).exists()), found[0])


_SPAN = re.compile(r"(\d{1,6})\s*([smhdw])")
_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


def span_ms(text: str, option: str) -> int:
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(f"{option} is a number with its unit, such as 90m, 24h or 7d, not '{text}'")
    return int(found[1]) * _MS[found[2]]


def since_ms(text: str, *, now_ms: int, option: str = "--since") -> int:
    """A span back from now, or a day or moment in UTC."""
    if _SPAN.fullmatch(text.strip().lower()):
        return now_ms - span_ms(text, option)
    try:
        at = datetime.fromisoformat(text.strip())
        return int(at.replace(tzinfo=at.tzinfo or UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise UsageError(f"{option} is a span such as 24h or 7d, or a day such as 2026-01-31, not '{text}'") from None


budget_option = click.option("--budget", metavar="N", help="Limit the cost: 500k for tokens, or $0.50.")
timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Of each answer of a model.",
)
