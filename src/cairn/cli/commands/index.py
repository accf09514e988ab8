"""`cairn index`: the documents that list the nodes of a base."""

import posixpath
from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.curate.index_documents import Base, Rebuilt


@define(
    "rebuild",
    help="Make INDEX.md and GRAPH.md of every base of nodes anew. A node with errors is named and left out, and the "
    "command ends with 1. Corpora of other layouts have no such documents.",
    examples=(
        ("cairn index rebuild", "after nodes were edited by hand"),
        ("cairn index rebuild --stage", "before a commit: only if they are out of date, and staged"),
        ("cairn index rebuild --dry-run", "which would change?"),
    ),
    exits=(0, 1, 2, 3),
)
@click.option("--stage", is_flag=True, help="Do nothing if they fit the nodes already; else stage both, and only them.")
@click.option("-n", "--dry-run", is_flag=True, help="Write nothing; say what would be written.")
def rebuild_command(ctx: Invocation, stage: bool, dry_run: bool) -> int:
    from cairn.curate.index_documents import rebuild_documents

    with closing(ctx.app()) as app:
        rebuilt = rebuild_documents(app, stage=stage, dry_run=dry_run)
    if ctx.json:
        ctx.out.emit_json(rebuilt.json(dry_run=dry_run))
    else:
        _tell(ctx, rebuilt, dry_run=dry_run)
    return int(bool(rebuilt.bad))


def _tell(ctx: Invocation, rebuilt: "Rebuilt", *, dry_run: bool) -> None:
    from cairn.curate.index_documents import why_no_node

    out = ctx.out
    for one in rebuilt.bad:
        out.data(f"{safe(one.path)}:{one.line}: {safe(one.message)}")
    for path in rebuilt.changed:
        out.data(safe(path))
    if rebuilt.bad:
        files = len({one.path for one in rebuilt.bad})
        out.warn(f"{files:,} {'file is' if files == 1 else 'files are'} not listed; fix the errors above")
    elif not rebuilt.bases:
        out.say("No index to rebuild: no corpus has the layout `nodes`.")
    for base in rebuilt.bases:
        out.say(_sentence(base, dry_run=dry_run, staged=bool(rebuilt.staged)))
        if base.unlisted:
            others = f" and {len(base.unlisted) - 1:,} more" if len(base.unlisted) > 1 else ""
            out.warn(f"not listed: {safe(base.unlisted[0])}{others}: {why_no_node(base.corpus)}")


def _sentence(base: "Base", *, dry_run: bool, staged: bool) -> str:
    many = f"{base.nodes:,} {'node' if base.nodes == 1 else 'nodes'}"
    where = safe(base.corpus.name)
    if not base.documents:
        return f"{where}: there is no node to list yet"
    if not base.changed:
        tail = ", and staged" if staged and not dry_run and not base.was_fresh else ""
        names = {posixpath.basename(path) for path in base.documents} - {"index.md"}
        listed = " and ".join(sorted(names, key=lambda name: (name == "GRAPH.md", name)))
        return f"{where}: {listed} fit its {many}{tail}"
    if dry_run:
        return f"{where}: would be made of {many}"
    return f"{where}: made of {many}{' and staged' if staged else ''}"


command = define_group(
    "index",
    [rebuild_command],
    help="Make the documents that list the nodes of a base.",
    examples=(
        ("cairn index rebuild", "after nodes were edited by hand"),
        ("cairn index rebuild --stage", "in a hook before commits"),
    ),
    exits=(0, 1, 2, 3),
)
