"""`cairn conflict`: where a session said otherwise than a page, a person decides."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe, terminal_width
from cairn.cli.paging import Page, paged, say_more

if TYPE_CHECKING:
    from cairn.curate.resolve_conflict import Decision, ShownConflict

ID = "Its id, or the beginning or the end of it, as `cairn conflict list` shows it."
_PIPE = 100
_MISSING = (
    "the program that wrote this kept neither summary nor tags nor relations; the first sentence stands in for the "
    "summary"
)


@define(
    "list",
    help="List pending conflicts, grouped by page.",
    examples=(
        ("cairn conflict list", "pending conflicts"),
        ("cairn conflict list --all", "also what was accepted, rejected or kept"),
    ),
)
@click.option("--all", "everything", is_flag=True, help="Of every status.")
@paged
def list_command(ctx: Invocation, everything: bool, **page: Any) -> int:
    from cairn.curate.resolve_conflict import conflicts, seen_value, short_id

    with closing(ctx.app(reads=True)) as app:
        found, problems = conflicts(app, everything=everything)
    part = Page(**page)
    shown, more = part.of(ctx, found)
    if ctx.json:
        ctx.out.emit_json({"conflicts": [seen_value(one) for one in shown], "more": more, "problems": problems})
        return 0
    for problem in problems:
        ctx.out.warn(safe(problem))
    rows = [
        [
            short_id(c),
            c.status,
            safe(c.target_node_id or "(no page)"),
            safe(c.proposed.title),
            c.taint.word,
            _size(seen),
        ]
        for seen in shown
        for c in (seen.conflict,)
    ]
    ctx.out.table(rows, header=("id", "status", "page", "says", "followed", "change"))
    say_more(ctx, more, part.offset + len(shown))
    if not found:
        ctx.out.say("there is none" if everything else "no conflict waits")
    return 0


@define(
    "show",
    help="Show a conflict: the reason, and the page beside the proposed text.",
    examples=(
        ("cairn conflict show 9f3c-1", "side by side"),
        ("cairn conflict show 9f3c-1 --json", "with the whole proposal"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help=ID)
def show_command(ctx: Invocation, id: str) -> int:
    from cairn.curate.resolve_conflict import conflict_called, look, seen_value

    with closing(ctx.app(reads=True)) as app:
        seen = look(app, conflict_called(app, id))
    if ctx.json:
        ctx.out.emit_json(seen_value(seen))
    else:
        ctx.out.data("\n".join(_page(ctx, seen)))
    return 0


def _size(seen: "ShownConflict") -> str:
    if seen.changed is None or seen.conflict.status != "pending":
        return ""
    return f"{seen.changed:,} line{'' if seen.changed == 1 else 's'}"


def _page(ctx: Invocation, seen: "ShownConflict") -> list[str]:
    from cairn.cli.diff import side_by_side
    from cairn.curate.resolve_conflict import short_id

    conflict, page = seen.conflict, seen.page
    facts = [
        ("conflict", f"{short_id(conflict)} ({conflict.status}), found {conflict.detected_at[:10]}"),
        ("why", conflict.rationale),
        ("followed", f"{conflict.taint.word}; said in {', '.join(conflict.derived_from) or 'an unknown place'}"),
        ("missing", _MISSING if conflict.partial else ""),
        ("suggestion", conflict.suggested_resolution or ""),
        ("settled", f"by {conflict.settled_by} at {conflict.settled_at}" if conflict.settled_at else ""),
        ("reason", str(conflict.extra.get("reason") or "")),
        ("change", _size(seen)),
    ]
    lines = [f"{ctx.out.style(f'{name:<10}', 'dim')} {safe(text)}" for name, text in facts if text]
    room = terminal_width(ctx.out.stdout) if ctx.stdout_tty else _PIPE
    titles = (safe(page.path) if page else "(no such page)", "as it would become")
    return [*lines, "", *side_by_side(ctx.out, page.body if page else "", seen.after, titles=titles, room=room)]


def _settle(ctx: Invocation, id: str, decision: "Decision", *, reason: str = "", here: bool = False) -> int:
    from cairn.curate.resolve_conflict import settle, settled_value

    with closing(ctx.app()) as app:
        settled = settle(app, id, decision, reason=reason, how="here" if here else "request")
    if ctx.json:
        ctx.out.emit_json(settled_value(settled))
    else:
        ctx.out.say(safe(settled.said))
    return int(bool(settled.held))


@define(
    "accept",
    help="Accept a conflict: replace the opposed sentences of the page and leave the rest. Opens a change request; "
    "--apply edits the page in the work tree instead.",
    examples=(
        ("cairn conflict accept 9f3c-1", "ask for it, as a change request"),
        ("cairn conflict accept 9f3c-1 --apply", "edit the page here"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("id", help=ID)
@click.option("--apply", "here", is_flag=True, help="Edit the page in the work tree; no request.")
def accept_command(ctx: Invocation, id: str, here: bool) -> int:
    return _settle(ctx, id, "accepted", here=here)


@define(
    "reject",
    help="Reject a conflict: the page is right. It stays on record, and the same conflict is not raised again.",
    examples=(
        ("cairn conflict reject 9f3c-1", "the page is right as it is"),
        ("cairn conflict reject 9f3c-1 --reason 'that was a try'", "and say why"),
    ),
    exits=(0, 2, 3, 5),
)
@argument("id", help=ID)
@click.option("--reason", default="", metavar="TEXT", help="Kept with it.")
def reject_command(ctx: Invocation, id: str, reason: str) -> int:
    return _settle(ctx, id, "rejected", reason=reason)


@define(
    "keep",
    help="Keep a conflict on record without a decision. The same conflict is not raised again.",
    examples=(
        ("cairn conflict keep 9f3c-1", "leave both as they are"),
        ("cairn conflict keep 9f3c-1 --reason 'depends on the region'", "and say why"),
    ),
    exits=(0, 2, 3, 5),
)
@argument("id", help=ID)
@click.option("--reason", default="", metavar="TEXT", help="Kept with it.")
def keep_command(ctx: Invocation, id: str, reason: str) -> int:
    return _settle(ctx, id, "kept", reason=reason)


command = define_group(
    "conflict",
    [list_command, show_command, accept_command, reject_command, keep_command],
    help="Resolve conflicts between sessions and pages.",
    examples=(
        ("cairn conflict list", "what waits"),
        ("cairn conflict show 9f3c-1", "page and proposal side by side"),
        ("cairn conflict accept 9f3c-1", "take the proposal"),
    ),
    exits=(0, 1, 2, 3, 5),
)
