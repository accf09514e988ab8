"""`cairn version`: which versions of what are at work."""

import platform

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.version import __version__


@define(
    "version",
    help="Show version information for bug reports.",
    examples=(
        ("cairn version", "for people"),
        ("cairn version --json", "for programs"),
    ),
    exits=(0, 2),
    timed=False,
)
def command(ctx: Invocation) -> int:
    facts = versions()
    if ctx.json:
        ctx.out.emit_json(facts)
    else:
        ctx.out.table([[name, str(value)] for name, value in facts.items()])
    return 0


def versions() -> dict[str, str | int]:
    import sqlite3

    from cairn.app.versions import SPEC, db_schema

    return {
        "cairn": __version__,
        "kernel": __version__,
        "spec": SPEC,
        "dbSchema": db_schema(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
