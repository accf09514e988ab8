"""`cairn try`: the best findings about any repository, before anything is set up."""

from contextlib import closing
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.issues import limits, print_timings, without_documents
from cairn.cli.judging import model_option, with_option
from cairn.cli.output import elapsed, safe
from cairn.errors import NotFound, NotInitialised, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.model.issue import Issue
    from cairn.jobs.ask import ReadNow
    from cairn.workspace.try_reading import TryReading
    from cairn.workspace.try_repository import TryResult

_ROOM = 100


@define(
    "try",
    help="Check any folder or repository and print the ten most useful findings, each with its evidence and a fix. "
    "Needs no `cairn init` and writes nothing. With --with a reader also compares passages that may disagree: at most "
    "20 questions, which are sent to it.",
    examples=(
        ("cairn try", "in the root of a repository"),
        ("cairn try ../other --all", "all findings about another repository"),
        ("cairn try --with claude", "and passages that disagree, by a reader"),
    ),
    exits=(0, 1, 2, 5),
    timed=False,
)
@argument("folder", required=False, metavar="[DIR]", help="Check this folder. Default: the current one.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print all findings, also about fixtures and past pages.",
)
@click.option("--kind", metavar="KIND", help="Print only findings of this kind, such as reference-broken.")
@with_option
@model_option
@budget_option
def command(
    ctx: Invocation,
    folder: str | None,
    everything: bool,
    kind: str | None,
    reader: str | None,
    model: str | None,
    budget: str | None,
) -> int:
    from cairn.app.open_workspace import open_in_memory
    from cairn.workspace.try_repository import look_around

    if reader is None and (model or budget):
        raise UsageError("--model and --budget need a reader; name the reader with --with")

    root = (ctx.directory / folder if folder else ctx.directory).resolve()
    if not root.is_dir():
        raise UsageError(f"there is no folder {folder or ctx.directory}; name one that is there")
    progress = ctx.out.progress()
    with closing(open_in_memory(root, env=ctx.env)) as app:
        ask = None if reader is None else _reader(ctx, app, reader, model, budget)  # before anything else is done
        tried = look_around(app, progress=progress, kind=kind, everything=everything)
        read = None if ask is None else _read(app, ask)
    progress.event("looked")
    print_timings(ctx.out, tried.timings)
    _must_exist(kind, tried)
    if ctx.json:
        ctx.out.emit_json({**tried.json(), "read": read.json() if read else None})
    else:
        _tell(ctx, tried, kind)
        if read is not None:
            _tell_read(ctx, read, first=len(tried.shown) + 1)
        ctx.out.say(f"Nothing was written. Next: {_next(root)}.")
    return int(read is not None and read.spent is not None and bool(read.spent.failed or read.spent.stopped))


def _read(app: "App", ask: "ReadNow") -> "TryReading":
    from cairn.workspace.try_reading import read_passages

    return read_passages(app, ask)


def _reader(ctx: Invocation, app: "App", name: str, model: str | None, budget: str | None) -> "ReadNow":
    from cairn.cli.judging import reading_on_trial
    from cairn.workspace.try_reading import MOST

    return reading_on_trial(ctx, app, name, model=model, budget=budget, most=MOST)


def _tell_read(ctx: Invocation, read: "TryReading", *, first: int) -> None:
    out = ctx.out
    for number, finding in enumerate(read.findings, first):
        other = finding.evidence["other"]
        where = f"{finding.source_doc}:{finding.line or 1}"
        out.data(f"{number:>2}. {out.style(safe(where), 'bold')}  {out.style('contradiction', 'dim')}")
        out.data(_wrapped(f"{finding.title}."))
        out.data(_wrapped(f"Evidence: {other['path']}:{other['line']}: {other['text']}"))
        out.data(_wrapped(f"Why: {finding.description}"))
        out.data(_wrapped(f"Fix: {finding.fix_hint}"))
        out.data("")
    for sentence in read.sentences():
        out.say(safe(sentence))


def _must_exist(kind: str | None, tried: "TryResult") -> None:
    if kind is not None and kind not in tried.kinds:
        raise NotFound(f"There is no kind `{kind}`; here are {', '.join(tried.kinds) or 'no findings at all'}.")


def _tell(ctx: Invocation, tried: "TryResult", kind: str | None) -> None:
    for number, finding in enumerate(tried.shown, 1):
        _one(ctx, number, finding)
    hidden = len(tried.findings) - len(tried.shown)
    if hidden:
        ctx.out.say(f"{hidden:,} more with --all")
    for problem in tried.problems:
        ctx.out.warn(f"one check failed, the others are complete: {safe(problem)}")
    for reason in tried.not_checked:
        ctx.out.say(f"Not checked: {safe(reason)}.")
    if tried.left_out:
        ctx.out.say(f"Left out: {tried.left_out}; `--all` includes them.")
    if tried.unread:
        ctx.out.say(safe("; ".join(tried.unread)))
    ctx.out.say(_looked(tried, kind))


def _next(root: Path) -> str:
    from cairn.config.load import find_root

    try:
        find_root(root)
    except NotInitialised:
        return (
            "`cairn init` creates a workspace, in which `cairn check --diff HEAD` checks a change before you commit it"
        )
    return "`cairn check --diff HEAD` lists the sentences that a change makes false, before you commit it"


def _one(ctx: Invocation, number: int, issue: "Issue") -> None:
    """The problem, the evidence, the fix."""
    from cairn.core.model.issue import places_of, proofs_of

    out, places = ctx.out, places_of(issue)
    where = f"{issue.path}:{issue.line or 1}"
    out.data(f"{number:>2}. {out.style(safe(where), 'bold')}  {out.style(issue.analyzer, 'dim')}")
    out.data(_wrapped(issue.message))
    for place in places[:_PLACES]:
        if place.text:
            shown = "" if place == places[0] else f"{place.path}:{place.line}  "
            out.data(out.style(safe(f"    > {shown}{place.text}"), "cyan"))
    if len(places) > _PLACES:
        out.data(f"    and {len(places) - _PLACES:,} more places")
    for proof in proofs_of(issue):
        out.data(_wrapped(f"Evidence: {proof.sentence}"))
    if issue.fix:
        out.data(_wrapped(f"Fix: {issue.fix.summary}"))
    out.data("")


_PLACES = 3


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


def _looked(tried: "TryResult", kind: str | None) -> str:
    looked = tried.looked
    if not looked["documents"] and not tried.findings:
        what = without_documents(unread=bool(tried.unread), left_out=bool(tried.left_out))
        return f"{what} ({_number(looked['files'], 'file')}, {_number(looked['commits'], 'commit')})"
    few = tried.aside > looked["documents"]
    only = (f" by {kind}" if kind else "") + limits(unread=bool(tried.unread), failed=bool(tried.problems), few=few)
    found = _number(len(tried.findings), "finding") if tried.findings else f"No problems found{only}"
    counts = ", ".join(_number(looked[f"{thing}s"], thing) for thing in ("document", "file", "commit"))
    return f"{found} ({counts}), {elapsed(tried.seconds)}"


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
