"""Options of commands that ask a reader, and the line about what waits for one."""

from typing import TYPE_CHECKING, Any, Final

import click

from cairn.core.model_budget import MODEL_PROVIDERS
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.curate.curate_sessions import ChosenReader

READERS: Final = ("auto", *MODEL_PROVIDERS)

reader_option = click.option(
    "--with", "reader", type=click.Choice(READERS), metavar="NAME", help="Who answers now, such as anthropic."
)


def _renamed(_: click.Context, __: click.Parameter, value: str | None) -> Any:
    if value is not None:
        instead = f"write `--with {value}`" if value in READERS else "leave it out, or name a reader with --with"
        raise UsageError(f"--provider is called --with now: {instead}.")
    return value


renamed_provider = click.option(
    "--provider", metavar="NAME", hidden=True, expose_value=False, callback=_renamed, help="Now --with."
)
"""The old name of `--with`, rejected with the new one."""


def chosen_reader(name: str | None, budget: str | None) -> "ChosenReader | None":
    """None where nobody answers now."""
    from cairn.curate.curate_sessions import ChosenReader

    if name is None and budget is not None:
        raise UsageError("--budget is a ceiling for a reader; name one with --with")
    return None if name is None else ChosenReader(name, budget)


def questions_waiting(app: "App") -> str:
    """In one line; empty when none waits."""
    from cairn.curate.ask_reader import QUESTIONS
    from cairn.jobs.waiting import waiting_line

    return waiting_line(app.store.jobs, app.actions(), [question.id for question in QUESTIONS])
