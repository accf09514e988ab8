"""`cairn session prune`: logs that are older than the settings allow go now, and not some time today."""

from contextlib import closing

import click

from cairn.cli.define import CairnCommand, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe


def prune_command(group: str) -> CairnCommand:
    """For the group that it belongs to, and for the one in which users of an older program look for it."""

    @define(
        "prune",
        help="Take away logs of sessions, of runs and of hooks that are older than `capture.session_days` and "
        "`capture.log_days` say. That happens by itself once a day; this does it now. Sessions that an older program "
        "left stay until they are curated. `cairn forget --expired` takes everything that is too old.",
        examples=(
            (f"cairn {group} prune --dry-run", "what would go"),
            (f"cairn {group} prune", "take it away"),
        ),
    )
    @click.option("--dry-run", is_flag=True, help="Only say what would go.")
    def command(ctx: Invocation, dry_run: bool) -> int:
        from cairn.capture.retention import prune

        with closing(ctx.app()) as app:
            gone = prune(app, dry_run=dry_run)
        if ctx.json:
            ctx.out.emit_json({"dryRun": dry_run, "removed": gone})
            return 0
        for path in gone:
            ctx.out.data(safe(path))
        ctx.out.say(
            f"{'would go' if dry_run else 'gone'}: {len(gone):,}" if gone else "no log is older than the settings allow"
        )
        return 0

    return command
