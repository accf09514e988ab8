"""`cairn import`: what agents were told to remember becomes candidates, and an older base is used where it lies."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import budget_option
from cairn.cli.curated import cost_words, tell_curated
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation, confirmed
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import questions_waiting
from cairn.errors import NotFound, Refused, UsageError

if TYPE_CHECKING:
    from cairn.curate.memory import MemoryFile, MemoryReading


@define(
    "list",
    help="Say what there is to bring in, and which command does it. An older knowledge base, files that agents "
    "remember by, and documents that were not read yet. Nothing is written. `cairn import` alone does the same.",
    examples=(("cairn import list", "what is here"), ("cairn import list --json", "for a program")),
    exits=(0, 2),
)
def list_command(ctx: Invocation) -> int:
    from cairn.curate.import_offer import offer, offer_value, offered_rows

    with closing(ctx.app()) as app:
        found = offer(app)
    if ctx.json:
        ctx.out.emit_json(offer_value(found))
        return 0
    ctx.out.table([[safe(cell) for cell in row] for row in offered_rows(found)], header=("what", "found", "next"))
    return 0


@define(
    "memory",
    help="Make pages of the rules that agents were told to remember. Sections with a list of bullets in CLAUDE.md, "
    "AGENTS.md, GEMINI.md, in the rules of Cursor and Copilot, in memory folders, and in files that those name with "
    "`@path` are imported word for word, and curated as by `cairn curate`. About other text a reader is asked. An "
    "unchanged file is skipped, and so are Cairn's own blocks, private spans and what looks like a secret.",
    examples=(
        ("cairn import memory --dry-run", "which files, and what would become of what they say"),
        ("cairn import memory --yes", "ask for it, as a change request, without a question"),
        ("cairn import memory CLAUDE.md --apply", "of one file; edit the pages here"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("files", nargs=-1, metavar="[FILE]…", help="Only these; otherwise those that are found.")
@click.option("--user", is_flag=True, help="Also what Claude Code remembers of this project in your home directory.")
@click.option("--dry-run", is_flag=True, help="Only print the plan.")
@click.option("--apply", "here", is_flag=True, help="Edit the pages in the work tree; no request.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@with_option
@model_option
@budget_option
def memory_command(
    ctx: Invocation,
    files: tuple[str, ...],
    user: bool,
    dry_run: bool,
    here: bool,
    yes: bool,
    reader: str | None,
    model: str | None,
    budget: str | None,
) -> int:
    from cairn.curate.curate import CurateOptions
    from cairn.curate.import_offer import cost_to_read, import_memory, looked_value
    from cairn.curate.memory import look, places
    from cairn.curate.report import curated_value
    from cairn.jobs.spent import is_stopped, spent_value

    with closing(ctx.app()) as app:
        chosen = reading_now(ctx, app, reader, model=model, budget=budget)
        found = places(app, [ctx.directory / Path(name).expanduser() for name in files], user=user)
        _ask_to_read(ctx, [place for place in found if place.outside], yes=yes or bool(files and not user))
        looked = look(app, found)
        if not ctx.json:
            _tell_files(ctx, looked)
        cost = cost_to_read(app, looked)
        if cost is not None and not ctx.json:
            ctx.out.say(f"other text for a reader{cost_words(cost)}")
        _ask_to_curate(ctx, looked, yes=yes or dry_run)
        done = import_memory(app, looked, CurateOptions("here" if here else "request", dry_run), chosen)
        curated, waiting = done.curated, questions_waiting(app)
    if ctx.json:
        value = {**curated_value(curated, dry_run=dry_run), "spent": spent_value(done.spent)}
        ctx.out.emit_json({**value, "files": [looked_value(one) for one in looked]})
        return int(curated.left or is_stopped(done.spent))
    for problem in done.problems:
        ctx.out.warn(safe(problem))
    if curated.plan.fates or curated.left or curated.plan.unread:
        tell_curated(ctx, curated, dry_run=dry_run)
    elif looked and not any(one.rest for one in looked):
        ctx.out.say("nothing new to curate in these files")
    tell_read(ctx, done.spent, named=reader is not None)
    if waiting:
        ctx.out.say(waiting)
    return int(curated.left or is_stopped(done.spent))


def _ask_to_read(ctx: Invocation, own: "list[MemoryFile]", *, yes: bool) -> None:
    """Somebody's own files are shown before they are opened."""
    if not own or yes:
        return
    for place in own:
        ctx.out.say(f"of your own: {safe(str(place.file))}")
    if not ctx.interactive:
        raise UsageError(
            "there is no terminal to ask on; add --yes to read these files of your own, or leave out --user"
        )
    if not confirmed(ctx, f"Read {len(own)} {'file' if len(own) == 1 else 'files'} of your own?", yes=False):
        raise Refused("Nothing was read; without --user only files of this repository are.")


def _ask_to_curate(ctx: Invocation, looked: "list[MemoryReading]", *, yes: bool) -> None:
    total, tokens = sum(len(one.candidates) for one in looked), sum(one.unread for one in looked)
    if not (total or tokens) or yes:
        return
    if not ctx.interactive:
        raise UsageError("there is no terminal to ask on; add --yes to go ahead, or --dry-run to see the plan")
    read = " and ask a reader about the other text" if tokens else ""
    if not confirmed(ctx, f"Curate {total} {'candidate' if total == 1 else 'candidates'}{read}?", yes=False):
        raise Refused("Nothing was changed; --dry-run shows what would become of each.")


def _tell_files(ctx: Invocation, looked: "list[MemoryReading]") -> None:
    if not looked:
        ctx.out.say(
            "no file was found that agents remember by; name one, or add --user for those in your home directory"
        )
        return
    ctx.out.table([_row(one) for one in looked], header=("file", "candidates", "remarks"))


def _row(one: "MemoryReading") -> list[str]:
    named = f"named by {one.place.named_by}" if one.place.named_by else ""
    remarks = [one.skipped, named, *one.remarks]
    return [
        safe(one.place.path),
        "" if one.skipped else str(len(one.candidates)),
        safe(", ".join(filter(None, remarks))),
    ]


@define(
    "base",
    help="Say what of a base in `.ai/knowledge-base` or `.ai/kenkeep` is used, and what is not. Nothing is copied: "
    "nodes, sessions, "
    "conflicts and config.yaml are read and written where they lie. With --take it becomes one of the corpora in the "
    "settings, where it is none yet.",
    examples=(
        ("cairn import base", "what is there"),
        ("cairn import base --take", "curate it from now on"),
    ),
    exits=(0, 2, 5),
)
@click.option("--take", is_flag=True, help="Add it to the corpora in .cairn/settings.json.")
def base_command(ctx: Invocation, take: bool) -> int:
    from cairn.curate.old_base import base_value, facts, found
    from cairn.curate.old_base import take as take_up

    taken = None
    if take:  # the settings are read again afterwards
        with closing(ctx.app()) as app:
            taken = take_up(app)
    with closing(ctx.app()) as app:
        base = found(app)
    if base is None:
        raise NotFound(
            "There is no .ai/knowledge-base or .ai/kenkeep here; `cairn bootstrap` makes candidates of other documents."
        )
    if ctx.json:
        ctx.out.emit_json({**base_value(base), "taken": taken})
        return 0
    for name, value in facts(base):
        ctx.out.data(f"{ctx.out.style(f'{name:<10}', 'dim')} {safe(value)}")
    for note in base.notes:
        ctx.out.warn(safe(note))
    if taken:
        ctx.out.say(f"added the corpus `{taken}` to .cairn/settings.json; commit it")
    return 0


command = define_group(
    "import",
    [list_command, memory_command, base_command],
    bare=list_command,
    help="Bring in what agents were told to remember; say what of an older knowledge base is used.",
    examples=(
        ("cairn import", "what there is to bring in"),
        ("cairn import memory --dry-run", "CLAUDE.md, AGENTS.md and the like"),
        ("cairn import base", "an older .ai/knowledge-base"),
    ),
    exits=(0, 1, 2, 3, 5),
)
