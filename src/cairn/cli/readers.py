"""Rejects the old name of `--with`, and counts the questions that wait for a reader."""

from typing import TYPE_CHECKING, Any

import click

from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App


def _renamed(_: click.Context, __: click.Parameter, value: str | None) -> Any:
    if value in ("extractive", "rules"):
        raise UsageError(f"--provider is now --with, and `{value}` no longer names a reader: leave it out.")
    if value is not None:
        raise UsageError(f"--provider is now --with: write `--with {value}`, or leave it out to ask no reader now.")
    return value


renamed_provider = click.option(
    "--provider", metavar="NAME", hidden=True, expose_value=False, callback=_renamed, help="Now --with."
)
"""Rejected with the new name."""


def questions_waiting(app: "App") -> str:
    """Counts the sessions, documents and candidates that wait for a reader, in one line; empty when none does."""
    from cairn.curate.ask_reader import QUESTIONS

    return app.waiting_line([question.id for question in QUESTIONS])
