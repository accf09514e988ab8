"""The options of commands that may ask a model."""

import click

budget_option = click.option(
    "--budget", metavar="N", help="Ceiling for a model: tokens like 500k, or money like $0.50."
)
timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Of each answer of a model.",
)
