"""What a run of the curator did, for people: a row for each candidate, and what to do next."""

from typing import TYPE_CHECKING

from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.curate.bootstrap_survey import Estimate
    from cairn.curate.curate import CurateResult
    from cairn.curate.propose import UnreadSessions

_SHOWN = 10


def tell_curated(ctx: Invocation, curated: "CurateResult", *, dry_run: bool, again: bool = False) -> None:
    """`again`: only what failed before was looked at."""
    from cairn.curate.report import rows

    if curated.resumed:
        ctx.out.say(f"finished the run {curated.resumed} first, which had been stopped in the middle")
    _warn(ctx, curated)
    found = [[safe(cell) for cell in row] for row in rows(curated)]
    ctx.out.table(found, header=("fate", "candidate", "where", "why"))
    ctx.out.say(_last_words(curated, dry_run=dry_run, again=again))


def tell_unread(ctx: Invocation, unread: "UnreadSessions", waiting: str) -> None:
    """What is waiting for a reader, and what one failed to read."""
    from cairn.curate.propose import RETRY, could_not_be_read

    if waiting:
        ctx.out.say(waiting)
    if unread.failed:
        ctx.out.say(f"{could_not_be_read(unread.failed)}: `{RETRY}` asks again")


def _warn(ctx: Invocation, curated: "CurateResult") -> None:
    for problem in (*curated.problems, *([curated.landed.stale] if curated.landed.stale else [])):
        ctx.out.warn(safe(problem))
    if curated.broken:
        shown = curated.broken[:_SHOWN]
        more = len(curated.broken) - len(shown)
        ctx.out.warn(f"broken pages, which Cairn can't edit until they are fixed ({len(curated.broken):,}):")
        for line in (*shown, *([f"and {more} more; `cairn check` lists them all"] if more else [])):
            ctx.out.say(f"  {safe(line)}")


def asked(request: str) -> str:
    """Of a change request what it is called, how to look at it, and how it lands."""
    return f"change request {request}: `cairn change diff {request}` shows it, `cairn change merge {request}` lands it"


def cost_words(about: "Estimate | None") -> str:
    """What reading costs, behind the words that name what is read."""
    if about is None:
        return ""
    money = "" if about.dollars is None else f", ${about.dollars:.2f}"
    return f": about {about.tokens_in:,} tokens to read and {about.tokens_out:,} to write{money}"


def to_settle(conflicts: int) -> str:
    return f"{conflicts:,} conflict{'' if conflicts == 1 else 's'} to settle: `cairn conflict list`"


def not_written(*, would: bool) -> str:
    """Of a dry run; `would`: without --dry-run something is written."""
    return f"nothing was written{'; leave out --dry-run to go ahead' if would else ''}"


def _last_words(curated: "CurateResult", *, dry_run: bool, again: bool) -> str:
    plan, landed = curated.plan, curated.landed
    if not (plan.fates or plan.failures or curated.waiting or plan.unread):
        return "no candidate failed before" if again else "no candidates to curate"
    parts = []
    if landed.request:
        parts.append(asked(landed.request))
    if landed.held:
        parts.append(f"no request was opened: {landed.held}")
    if landed.written:
        parts.append(f"edited {len(landed.written)} {'page' if len(landed.written) == 1 else 'pages'} here")
    if plan.conflicts and not dry_run:
        parts.append(to_settle(len(plan.conflicts)))
    if plan.failures and not dry_run:
        parts.append(f"{len(plan.failures)} failed: `cairn curate --retry-failed` tries again")
    if dry_run:
        would = plan.edits or plan.conflicts
        parts.append(not_written(would=bool(would)))
    return "; ".join(parts) or "nothing had to be changed"
