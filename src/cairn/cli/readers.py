"""The old name of `--with`, and the line about what waits for a reader."""

from typing import TYPE_CHECKING, Any

import click

from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App


def _renamed(_: click.Context, __: click.Parameter, value: str | None) -> Any:
    if value in ("extractive", "rules"):
        raise UsageError(f"--provider is called --with now, and `{value}` no longer names a reader: leave it out.")
    if value is not None:
        raise UsageError(f"--provider is called --with now: write `--with {value}`, or leave it out to ask nobody now.")
    return value


renamed_provider = click.option(
    "--provider", metavar="NAME", hidden=True, expose_value=False, callback=_renamed, help="Now --with."
)
"""Rejected with the new name."""


def questions_waiting(app: "App") -> str:
    """About sessions, documents and candidates, in one line; empty when none waits."""
    from cairn.curate.ask_reader import QUESTIONS

    return app.waiting_line([question.id for question in QUESTIONS])
