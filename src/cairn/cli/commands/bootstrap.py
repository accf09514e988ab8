"""`cairn bootstrap`: makes pages of knowledge from the documents of a repository."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import budget_option
from cairn.cli.curated import asked, cost_words, not_written, to_settle
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import questions_waiting, renamed_provider
from cairn.errors import Refused, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.curate.bootstrap import BootstrapResult
    from cairn.curate.bootstrap_survey import BootstrapOptions, BootstrapSurvey
    from cairn.jobs.ask import ReadNow

_SHOWN = 10


@define(
    "bootstrap",
    help="Make pages of knowledge from the documents of this repository. Documents that already have that form are "
    "imported word for word: decision records in force, and entries of other knowledge bases. About the others "
    "a reader is asked, once you agreed to the cost: with --with it answers right away, otherwise the "
    "questions wait for `cairn judge` or your agent. Pages go into one change request; --apply writes them "
    "into the work tree instead. With --incremental only new and changed documents are taken, and a page that "
    "was made of a changed one follows it. Ends with 1 when a document could not be read or has to wait for a "
    "person.",
    examples=(
        ("cairn bootstrap --dry-run", "which documents, and what would be made of them"),
        ("cairn bootstrap docs/adr --yes", "one folder, without a question"),
        ("cairn bootstrap --incremental --yes", "what is new since the last time"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("paths", nargs=-1, metavar="[PATH]...", help="Documents or folders; without any, the whole workspace.")
@click.option("--incremental", is_flag=True, help="Only documents that are new or changed.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be done; write nothing and ask nothing.")
@click.option("--apply", "here", is_flag=True, help="Edit the pages in the work tree; no request.")
@click.option("-y", "--yes", is_flag=True, help="Don't ask.")
@click.option("--limit", "most", type=click.IntRange(min=1), metavar="N", help="At most so many documents.")
@with_option
@model_option
@budget_option
@renamed_provider
def command(
    ctx: Invocation,
    paths: tuple[str, ...],
    incremental: bool,
    dry_run: bool,
    here: bool,
    yes: bool,
    most: int | None,
    reader: str | None,
    model: str | None,
    budget: str | None,
) -> int:
    from cairn.curate.bootstrap_survey import BootstrapOptions

    with closing(ctx.app()) as app:
        chosen = reading_now(ctx, app, reader, model=model, budget=budget)
        named = tuple(_from_here(ctx, app, path) for path in paths)
        wanted = BootstrapOptions(named, incremental, dry_run, here, most, everything_placed=chosen is not None)
        return _run(ctx, app, wanted, chosen, yes=yes)


def _from_here(ctx: Invocation, app: "App", path: str) -> str:
    """As the workspace names it."""
    import os

    return os.path.relpath(os.path.join(ctx.directory.resolve(), path), app.root.resolve())


def _run(ctx: Invocation, app: "App", wanted: "BootstrapOptions", reader: "ReadNow | None", *, yes: bool) -> int:
    from cairn.curate.bootstrap import bootstrap_with
    from cairn.curate.bootstrap_survey import survey
    from cairn.jobs.spent import is_stopped, spent_value

    found = survey(app, wanted)
    if not wanted.dry_run and found.due:
        _must_be_wanted(ctx, app, found, wanted, yes=yes)
    progress = ctx.out.progress()
    try:
        done, spent = bootstrap_with(app, wanted, found, reader, progress)
        waiting = questions_waiting(app)
    except KeyboardInterrupt:
        progress.event("stopped")
        ctx.out.say("stopped; what was read so far is kept, and the same command goes on from there")
        raise
    if ctx.json:
        from cairn.curate.report import bootstrapped_value

        ctx.out.emit_json({**bootstrapped_value(done, wanted), "spent": spent_value(spent)})
    else:
        _tell(ctx, done, wanted)
        tell_read(ctx, spent, named=reader is not None)
        if waiting:
            ctx.out.say(waiting)
    return int(_code(done) or is_stopped(spent))


def _code(done: "BootstrapResult") -> int:
    left = done.curated is not None and done.curated.left
    return int(done.any("failed", "waits") or left)


def _must_be_wanted(
    ctx: Invocation, app: "App", found: "BootstrapSurvey", wanted: "BootstrapOptions", *, yes: bool
) -> None:
    """The cost is stated before anything is asked, also where nobody has to agree."""
    from cairn.curate.bootstrap import unread_documents
    from cairn.curate.bootstrap_survey import total

    unread = unread_documents(app, found)
    cost = f"; {len(unread):,} by a reader{cost_words(total(app, unread.values()))}" if unread else ""
    if yes:
        if cost:
            ctx.out.say(f"{_many(len(found.due))} to read{cost}")
        return
    if not ctx.interactive:
        raise UsageError(
            f"{_many(len(found.due))} would be read, and there is no terminal to ask on; add --yes to go ahead, or "
            "--dry-run to see the plan and its cost."
        )
    ctx.out.say(f"{_many(len(found.due))} to read{cost}")
    where = "edit pages here" if wanted.here else "ask for a change"
    if not click.confirm(f"Read them and {where}?", default=True, err=True):
        raise Refused("Nothing was read; `cairn bootstrap --dry-run` shows what would be made of them.")


def _many(number: int) -> str:
    return f"{number:,} document{'' if number == 1 else 's'}"


def _tell(ctx: Invocation, done: "BootstrapResult", wanted: "BootstrapOptions") -> None:
    survey = done.survey
    if survey.problem:
        ctx.out.warn(safe(survey.problem))
    _skipped(ctx, survey)
    failed = [one for one in done.documents if one.status == "failed"]
    for one in failed[:_SHOWN]:
        ctx.out.warn(f"{safe(one.path)}: {safe(one.error)}")
    if len(failed) > _SHOWN:
        ctx.out.warn(f"and {len(failed) - _SHOWN} more failed; --json names them all")
    for one in done.documents:
        for remark in one.remarks:
            ctx.out.warn(f"{safe(one.path)}: {safe(remark)}")
    _fates(ctx, done)
    for gone in done.no_longer:
        what = "was deleted" if gone.deleted else "no longer has the text of"
        page = f"; {safe(gone.page)} was made from it" if gone.deleted else f" {safe(gone.page)}"
        ctx.out.warn(f"{safe(gone.document)} {what}{page}: check whether that page is still true")
    if done.index_problem:
        ctx.out.warn(safe(done.index_problem))
    _unread(ctx, done)
    ctx.out.say(_last_words(done, wanted))


def _unread(ctx: Invocation, done: "BootstrapResult") -> None:
    """Those that nobody was asked about: the largest by name, and the total; all with -v."""
    number = len(done.tokens)
    largest = sorted(done.tokens.items(), key=lambda one: (-one[1].tokens_in, one[0]))
    shown = number if ctx.verbosity else _SHOWN
    for path, cost in largest[:shown]:
        ctx.out.say(f"  {safe(path)}  {cost.tokens_in:,} tokens")
    if number > shown:
        ctx.out.say(f"  and {number - shown:,} more; -v lists them all")
    if number:
        takes = "1 document needs" if number == 1 else f"{number:,} documents need"
        ctx.out.say(f"{takes} a reader{cost_words(done.to_read)}")


def _skipped(ctx: Invocation, survey: "BootstrapSurvey") -> None:
    """By reason, all with -v; pages of knowledge need not be read."""
    from cairn.curate.bootstrap_survey import A_PAGE

    loud = [one for one in survey.skipped if one.loud]
    for one in loud[:_SHOWN]:
        ctx.out.warn(safe(one.why) if one.path in one.why else f"{safe(one.path)} was left out: {safe(one.why)}")
    if len(loud) > _SHOWN:
        ctx.out.warn(f"and {len(loud) - _SHOWN} more were left out; --json names them all")
    by_reason: dict[str, list[str]] = {}
    for one in survey.skipped:
        if not one.loud and one.why != A_PAGE:
            by_reason.setdefault(one.why, []).append(one.path)
    for why, paths in by_reason.items():
        shown = len(paths) if ctx.verbosity else _SHOWN
        more = f" and {len(paths) - shown:,} more" if len(paths) > shown else ""
        ctx.out.say(f"left out, {safe(why)}: {', '.join(safe(path) for path in paths[:shown])}{more}")


def _fates(ctx: Invocation, done: "BootstrapResult") -> None:
    if done.curated is None:
        return
    from cairn.curate.report import rows

    for problem in (*done.curated.problems, *done.curated.broken):
        ctx.out.warn(safe(problem))
    found = [[safe(cell) for cell in row] for row in rows(done.curated)]
    ctx.out.table(found, header=("fate", "candidate", "where", "why"))


def _last_words(done: "BootstrapResult", wanted: "BootstrapOptions") -> str:
    from cairn.curate.bootstrap_survey import A_PAGE

    survey = done.survey
    parts = [_what_was_read(done, wanted)]
    if survey.unchanged:
        parts.append(f"{survey.unchanged:,} unchanged")
    if not_read := sum(one.why != A_PAGE for one in survey.skipped):
        parts.append(f"{not_read:,} left out")
    if survey.later:
        parts.append(f"{survey.later:,} more for the next run")
    curated = done.curated
    if curated is not None and curated.landed.request:
        parts.append(asked(curated.landed.request))
    if curated is not None and curated.landed.held:
        parts.append(f"no request was opened: {curated.landed.held}")
    if curated is not None and curated.landed.written:
        parts.append(f"wrote {_pages(len(curated.landed.written))} here")
    if curated is not None and curated.plan.conflicts and not wanted.dry_run:
        parts.append(to_settle(len(curated.plan.conflicts)))
    if wanted.dry_run:
        parts.append(not_written(would=_would_write(done)))
    return "; ".join(part for part in parts if part)


def _would_write(done: "BootstrapResult") -> bool:
    """Rules said what would be; of a model nobody knows."""
    return bool(done.survey.due) and (not done.documents or _has_news(done))


def _has_news(done: "BootstrapResult") -> bool:
    from cairn.curate.report import rows

    return done.curated is not None and bool(rows(done.curated))


def _what_was_read(done: "BootstrapResult", wanted: "BootstrapOptions") -> str:
    survey = done.survey
    if not survey.due:
        return "no document is new or changed" if wanted.incremental else "there is no document to read"
    candidates = sum(len(one.candidates) for one in done.documents)
    failed = sum(one.status == "failed" for one in done.documents)
    tail = f", {failed} failed" if failed else ""
    tail += ", none of them new" if candidates and not _has_news(done) else ""
    taken = f"{_many(len(survey.due) - len(done.unread))} read"
    return f"{taken}, {candidates:,} candidate{'' if candidates == 1 else 's'}{tail}"


def _pages(number: int) -> str:
    return f"{number:,} page{'' if number == 1 else 's'}"
