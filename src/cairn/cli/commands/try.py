"""`cairn try`: the best findings about any repository, before anything is set up."""

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import elapsed
from cairn.cli.width import safe
from cairn.errors import NotFound, NotInitialised, UsageError

if TYPE_CHECKING:
    from cairn.app.trying.finding import Finding
    from cairn.app.trying.looking import Tried

_ROOM = 100


@define(
    "try",
    help="Look at any folder or repository and print the ten best findings about its documents, each with the line, "
    "why it is believed and what to do. Needs no `cairn init` and writes nothing.",
    examples=(
        ("cairn try", "in the root of a repository"),
        ("cairn try ../other --all", "another one, and everything that was found"),
    ),
    exits=(0, 2, 5),
    timed=False,
)
@argument("folder", required=False, metavar="[DIR]", help="Where to look. Default: here.")
@click.option("--all", "everything", is_flag=True, help="All findings, not only the ten best.")
@click.option("--kind", metavar="KIND", help="Only of this kind, such as broken-reference.")
def command(ctx: Invocation, folder: str | None, everything: bool, kind: str | None) -> int:
    from cairn.app.trying.looking import look_around

    root = (ctx.directory / folder if folder else ctx.directory).resolve()
    if not root.is_dir():
        raise UsageError(f"there is no folder {folder or ctx.directory}; name one that is there")
    progress = ctx.out.progress()
    tried = look_around(root, env=ctx.env, progress=progress, kind=kind, everything=everything)
    progress.event("looked")
    _must_exist(kind, tried)
    if ctx.json:
        ctx.out.emit_json(tried.json())
    else:
        _tell(ctx, tried)
        ctx.out.say(f"nothing was written; next: {_next(root)}")
    return 0


def _must_exist(kind: str | None, tried: "Tried") -> None:
    if kind is not None and kind not in tried.kinds:
        raise NotFound(f"There is no kind `{kind}`; here are {', '.join(tried.kinds) or 'no findings at all'}.")


def _tell(ctx: Invocation, tried: "Tried") -> None:
    for number, finding in enumerate(tried.shown, 1):
        _one(ctx, number, finding)
    hidden = len(tried.findings) - len(tried.shown)
    if hidden:
        ctx.out.say(f"{hidden:,} more with --all")
    for problem in tried.problems:
        ctx.out.warn(f"one part of the search failed, the rest is complete: {safe(problem)}")
    ctx.out.say(_looked(tried))
    if tried.left_out:
        ctx.out.say(f"left out, for time or size: {safe('; '.join(tried.left_out))}")


def _next(root: Path) -> str:
    from cairn.config.find import find_root

    try:
        find_root(root)
    except NotInitialised:
        return "`cairn init` makes a workspace, then `cairn check --diff HEAD` says what a change makes false"
    return "`cairn check --diff HEAD` says what a change makes false, before you commit it"


def _one(ctx: Invocation, number: int, finding: "Finding") -> None:
    out = ctx.out
    out.data(f"{number:>2}. {out.style(safe(finding.place.shown), 'bold')}  {out.style(finding.kind, 'dim')}")
    out.data(_wrapped(finding.message))
    for evidence in finding.evidence:
        if evidence.text:
            where = "" if evidence == finding.place else f"{evidence.shown}  "
            out.data(out.style(safe(f"    > {where}{evidence.text}"), "cyan"))
        elif evidence != finding.place:
            out.data(out.style(safe(f"    > {evidence.path}"), "cyan"))
    more = f" And {finding.more:,} more {'place' if finding.more == 1 else 'places'} like it." if finding.more else ""
    out.data(out.style(_wrapped(f"Why: {finding.because}.{more}"), "dim"))
    out.data(_wrapped(f"Do: {finding.fix}"))
    out.data("")


def _wrapped(text: str) -> str:
    indent = " " * 4
    return fill(
        safe(text),
        _ROOM,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _looked(tried: "Tried") -> str:
    looked = tried.looked
    commits = f", {_number(looked['commits'], 'commit')}" if looked["commits"] else ", no history"
    found = _number(len(tried.findings), "finding") if tried.findings else "nothing that we are sure of"
    documents = f"{_number(looked['documents'], 'document')} of {_number(looked['files'], 'file')}{commits}"
    return f"{found} in {documents}, {elapsed(tried.seconds)}"


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
