"""`cairn db`: look after the database."""

import os
from pathlib import Path

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation, confirmed
from cairn.core.ports.store import Keeper
from cairn.errors import Refused

_yes = click.option("--yes", is_flag=True, help="Don't ask.")
_dry_run = click.option("-n", "--dry-run", is_flag=True, help="Say what would be done, and do nothing.")


@define(
    "backup",
    help="Write the kept state (favourites, plugin values, renames, what is known of sources) to a file. The graph is "
    "not in it: a scan makes it again from your files, as the ledger's index is made from the ledger.",
    examples=(
        ("cairn db backup", "into .cairn/backups, named by the time"),
        ("cairn db backup ../safe.db", "to a file of your choice"),
    ),
    exits=(0, 2, 5),
)
@argument(
    "file", required=False, metavar="[FILE]", type=click.Path(path_type=Path), help="Where to; it must not exist."
)
def backup_command(ctx: Invocation, file: Path | None) -> int:
    from cairn.app.choose_keeper import choose_keeper
    from cairn.core.paths import BACKUPS
    from cairn.workspace.database import backup

    app = ctx.app()
    made = backup(choose_keeper(app), file, folder=app.root / BACKUPS, now_ms=app.clock.now_ms())
    if ctx.json:
        ctx.out.emit_json({"file": str(made.file), "bytes": made.bytes})
    else:
        ctx.out.data(str(made.file))
    return 0


@define(
    "restore",
    help="Put a backup in the place of the database. The file is checked first; the database that it replaces is kept "
    "beside it, with a name that ends in `.before-restore`.",
    examples=(
        ("cairn db restore .cairn/backups/20260102T030405Z.db", "bring a backup back"),
        ("cairn scan", "afterwards: make the graph again"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("file", type=click.Path(path_type=Path), help="What `cairn db backup` wrote.")
@_yes
def restore_command(ctx: Invocation, file: Path, yes: bool) -> int:
    from cairn.workspace.database import restore

    keeper = _keeper(ctx)
    if file.is_file():
        keeper.inspect(file)
        _ask(ctx, keeper, f"Replace {keeper.label} by {file}?", yes=yes)
    done = restore(keeper, file)
    if ctx.json:
        ctx.out.emit_json({"file": str(done.file), "schema": done.schema, "before": done.before})
    else:
        ctx.out.data(f"restored {done.file} (schema {done.schema})")
        if done.before:
            ctx.out.say(f"what was there is kept as {done.before}")
        ctx.out.say("run `cairn scan` to make the graph again")
    return 0


@define(
    "reset",
    help="Forget the graph; the next scan makes it anew from your files. With --state also forget what is kept beside "
    "it, with --hard take the database itself away, even a damaged one.",
    examples=(
        ("cairn db reset --dry-run", "what would be done"),
        ("cairn db reset --yes", "forget the graph"),
        ("cairn db reset --hard --yes", "begin anew, when the database is damaged"),
    ),
    exits=(0, 1, 2),
)
@click.option(
    "--state", is_flag=True, help="Also forget favourites, plugin values, renames and what is known of sources."
)
@click.option("--hard", is_flag=True, help="Remove the database, sound or damaged.")
@_yes
@_dry_run
def reset_command(ctx: Invocation, state: bool, hard: bool, yes: bool, dry_run: bool) -> int:
    from cairn.workspace.database import reset

    keeper = _keeper(ctx)
    planned = reset(keeper, state=state, hard=hard, dry_run=True)
    if planned.changed and not dry_run:
        _ask(ctx, keeper, f"{_LOSS[planned.what]} in {keeper.label}: go ahead?", yes=yes)
        planned = reset(keeper, state=state, hard=hard)
    if ctx.json:
        removed = list(planned.removed)
        body = {"what": planned.what, "changed": planned.changed, "dryRun": dry_run, "removed": removed}
        ctx.out.emit_json({**body, "database": keeper.label})
    elif not planned.changed:
        ctx.out.data(f"there is no database at {keeper.label}; nothing to do")
    else:
        would = "would be " if dry_run else ""
        for line in planned.removed or (f"{_GONE[planned.what]} in {keeper.label}",):
            ctx.out.data(f"{line} {would}{'removed' if planned.removed else 'emptied'}")
    return 0


_LOSS = {
    "scan": "This forgets the graph, which a scan makes again,",
    "state": "This forgets the graph and everything kept beside it",
    "hard": "This takes away the database with everything kept",
}
_GONE = {"scan": "the graph", "state": "the graph and the kept state"}


@define(
    "dump",
    help="Write the kept state as SQL to stdout. It fits an empty database of the same schema, made by "
    "`cairn db reset --state`.",
    examples=(
        ("cairn db dump > state.sql", "keep it as text"),
        ("cairn db dump | grep state_renames", "look at a part of it"),
    ),
    exits=(0, 2, 5),
)
def dump_command(ctx: Invocation) -> int:
    from contextlib import closing

    from cairn.workspace.database import dump

    keeper = _keeper(ctx)
    with closing(dump(keeper)) as lines:
        if ctx.json:
            ctx.out.emit_json({"schema": keeper.version(), "sql": "".join(lines)})
        else:
            for line in lines:
                ctx.out.data(line.removesuffix("\n"))
    return 0


@define(
    "migrate",
    help="Bring the database to the newest schema. Every command does that by itself; this one says what was done.",
    examples=(
        ("cairn db migrate --dry-run", "what is pending"),
        ("cairn db migrate", "do it"),
    ),
)
@_dry_run
def migrate_command(ctx: Invocation, dry_run: bool) -> int:
    from cairn.workspace.database import migrate

    keeper = _keeper(ctx)
    done = migrate(keeper, dry_run=dry_run)
    if ctx.json:
        applied = [{"version": step.version, "name": step.name} for step in done.applied]
        pending = [{"version": step.version, "name": step.name} for step in done.pending]
        ctx.out.emit_json({"before": done.before, "after": done.after, "applied": applied, "pending": pending})
    else:
        for step in done.applied:
            ctx.out.data(f"applied {step.version} {step.name}")
        for step in done.pending:
            ctx.out.data(f"pending {step.version} {step.name}")
        if not done.applied and not done.pending:
            ctx.out.data(f"nothing to do, the schema is {done.after}")
    return 0


@define(
    "shell",
    help="Open the database in its own program, sqlite3 or psql. With --json only say how it would be called.",
    examples=(
        ("cairn db shell", "look around in SQL"),
        ("cairn db shell --json", "the command line"),
    ),
    exits=(0, 2, 5),
    timed=False,
)
def shell_command(ctx: Invocation) -> int:
    import shutil
    import subprocess

    from cairn.workspace.database import shell

    keeper = _keeper(ctx)
    path = ctx.env.get("PATH")
    wanted = shell(keeper, installed=lambda program: shutil.which(program, path=path) is not None)
    if ctx.json:
        ctx.out.emit_json({"command": list(wanted.command)})
        return 0
    return 0 if subprocess.call(wanted.command, env={**os.environ, **wanted.environment}) == 0 else 2


command = define_group(
    "db",
    [backup_command, restore_command, dump_command, reset_command, migrate_command, shell_command],
    help="Look after the database: back it up, restore, write out, empty, migrate, open.",
    examples=(
        ("cairn db backup", "before something risky"),
        ("cairn db reset --hard --yes", "when the database is damaged"),
    ),
    exits=(0, 1, 2, 5),
)


def _keeper(ctx: Invocation) -> Keeper:
    from cairn.app.choose_keeper import choose_keeper

    return choose_keeper(ctx.app())


def _ask(ctx: Invocation, keeper: Keeper, question: str, *, yes: bool) -> None:
    if keeper.exists() and not confirmed(ctx, question, yes=yes):
        raise Refused("Nothing was changed; say --yes to go ahead.")
