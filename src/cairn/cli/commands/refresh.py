"""`cairn refresh`: read some files again."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import print_report, run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.graph.compare import Delta
    from cairn.graph.run_scan import ScanResult


@define(
    "refresh",
    help="Read some documents again and run the extractors over them, changed or not; with --stale, only "
    "what changed or was read by older extractors, which is what `cairn scan` does.",
    examples=(
        ("cairn refresh docs/guide.md", "one file"),
        ("cairn refresh code-reviewer release", "by name"),
        ("cairn refresh --stale", "whatever is out of date"),
    ),
    exits=(0, 2, 5),
)
@argument("nodes", nargs=-1, help="Paths or names.")
@click.option("--stale", is_flag=True, help="Everything that is out of date.")
def command(ctx: Invocation, nodes: tuple[str, ...], stale: bool) -> int:
    if stale == bool(nodes):
        raise UsageError("Name the documents to read again, or give --stale.")
    with closing(ctx.app()) as app:
        app.scanned_store()
        return _everything(ctx, app) if stale else _these(ctx, app, nodes)


def _everything(ctx: Invocation, app: "App") -> int:
    scanned = run(ctx, app, checked=True)
    if ctx.json:
        ctx.out.emit_json({"refreshed": [], **_changes(scanned)})
    else:
        print_report(ctx, scanned)
    return 0


def _these(ctx: Invocation, app: "App", names: tuple[str, ...]) -> int:
    from cairn.graph.compare import delta, files_of, state_of
    from cairn.graph.subgraph import node_called

    paths = files_of(node_called(app.store, name, root=app.root, here=ctx.directory) for name in names)
    before = state_of(app.store, paths)
    scanned = run(ctx, app, force=paths)
    found = delta(before, state_of(app.store, paths))
    if ctx.json:
        parts = {"nodes": found.nodes, "links": found.links, "issues": found.issues}
        ctx.out.emit_json({"refreshed": list(paths), **_changes(scanned), "difference": parts})
    else:
        _print(ctx, paths, found)
    return 0


def _changes(scanned: "ScanResult") -> dict[str, Any]:
    report = scanned.report
    renamed = [{"from": old, "to": new} for old, new in report.renamed]
    added, changed, removed = (list(paths) for paths in (report.added, report.changed, report.removed))
    return {"changes": {"added": added, "changed": changed, "removed": removed, "renamed": renamed}}


def _print(ctx: Invocation, paths: tuple[str, ...], found: "Delta") -> None:
    for what, part in (("node", found.nodes), ("link", found.links), ("issue", found.issues)):
        for word, names in part.items():
            for name in names:
                ctx.out.data(f"{word:>7} {what}: {safe(name)}")
    number = f"{len(paths):,} file{'' if len(paths) == 1 else 's'} read again"
    ctx.out.say(f"{number}, nothing is different" if found.empty else number)
