"""What `reconcile` and `undo-rename` say at their end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.graph.moved_files import MovedState


def say_moved(ctx: Invocation, moved: "MovedState", warnings: Sequence[str], *, dry_run: bool, sentence: str) -> int:
    for warning in warnings:
        ctx.out.warn(warning)
    if ctx.json:
        ctx.out.emit_json({"from": moved.old, "to": moved.new, "movedFacts": moved.rows, "dryRun": dry_run})
    elif dry_run:
        ctx.out.data(f"what is kept about `{safe(moved.old)}` would move to `{safe(moved.new)}`")
    else:
        facts = f"{moved.rows:,} kept fact{'' if moved.rows == 1 else 's'} moved"
        ctx.out.data(f"{safe(sentence)}; {facts if moved.rows else 'nothing was kept about it'}")
    return 0
