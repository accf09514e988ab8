"""Versions that belong to no single part: the specification that is followed, and the newest database schema."""

import os

SPEC = "0.54.0"
"""Of the map's specification (seed 002)."""


def db_schema() -> int:
    """The number of the newest migration that this Cairn knows."""
    import cairn.adapters.storage as storage

    folder = os.path.join(os.path.dirname(storage.__file__), "sqlite", "migrations")
    numbers = [name.partition("_")[0] for name in os.listdir(folder) if name.endswith(".sql")]
    return max((int(number) for number in numbers if number.isdigit()), default=0)
