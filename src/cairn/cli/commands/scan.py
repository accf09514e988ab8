"""`cairn scan`: updates the graph from the files."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.events import print_event
from cairn.cli.invocation import Invocation
from cairn.cli.output import reader_may_leave, safe
from cairn.cli.scan_run import print_report, run, scan_json
from cairn.errors import NotFound, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.graph.run_scan import ScanResult

_COMPARE = "compare-with"


@define(
    "scan",
    help="Update the graph from the files. Reads only files that changed, and checks only what they affect. "
    "`cairn scan compare-with FILE` shows the differences from a scan saved with --json.",
    examples=(
        ("cairn scan", "read the files that changed"),
        ("cairn scan --json > before.json", "save a scan"),
        ("cairn scan compare-with before.json", "show the differences since"),
    ),
    exits=(0, 1, 2),
)
@argument("roots", nargs=-1, metavar="[ROOTS]...", help="Folders or files to scan. Default: all.")
@click.option("--changed", is_flag=True, help="Read only files that changed; the default.")
@click.option("--verify", is_flag=True, help="Read every file, also those with the same size and time.")
@click.option("--rebuild", is_flag=True, help="Delete the graph and build it again.")
@click.option("--watch", is_flag=True, help="Scan again whenever a file changes.")
@click.option("-n", "--node", "nodes", multiple=True, metavar="NODE", help="Read this file again, changed or not.")
@click.option("--max-nodes", type=click.IntRange(min=1), help="Stop after so many files.")
@click.option("--strict", is_flag=True, help="Treat problems in frontmatter as errors.")
@click.option("--no-plugins", is_flag=True, help="Load no plugins of other distributions.")
@click.option("--no-built-ins", is_flag=True, help="Load no built-in plugins.")
@click.option("--no-tokens", is_flag=True, help="Don't count tokens; a scan never waits for them.")
@click.option("--no-graph", is_flag=True, help="With --json: print only what changed, without nodes, links and issues.")
@click.option("--events", is_flag=True, help="Print each event as a line of JSON instead of the report.")
@click.option("--allow-empty", is_flag=True, help="Accept a scan that finds no files.")
@click.option("--dry-run", is_flag=True, help="Report what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="If several agent hosts are found, use the first.")
def command(ctx: Invocation, roots: tuple[str, ...], no_plugins: bool, no_built_ins: bool, **given: Any) -> int:
    if given["watch"]:
        from cairn.cli.commands.watch import watch

        return watch(ctx, max_nodes=given["max_nodes"], max_failures=5)
    flags: dict[str, object] = {"scan.strict": True} if given["strict"] else {}
    if given["max_nodes"] is not None:
        flags["scan.max_nodes"] = given["max_nodes"]
    with closing(ctx.app(flags, built_ins=not no_built_ins, installed=not no_plugins)) as app:
        if roots[:1] == (_COMPARE,):
            return _compare(ctx, app, roots[1:])
        return _scan(ctx, app, roots, given)


def _scan(ctx: Invocation, app: "App", roots: tuple[str, ...], given: dict[str, Any]) -> int:
    if given["events"]:
        app.bus.subscribe(lambda event: print_event(ctx, event))
    scanned = run(
        ctx,
        app,
        yes=given["yes"],
        checked=True,
        only=tuple(_relative(ctx, app, root) for root in roots),
        force=tuple(_relative(ctx, app, node) for node in given["nodes"]),
        verify=given["verify"],
        rebuild=given["rebuild"],
        allow_empty=given["allow_empty"],
        dry_run=given["dry_run"],
    )
    with reader_may_leave():
        if not given["events"]:
            _show(ctx, app, scanned, given)
    return 1 if scanned.report.counts["errors"] else 0


def _show(ctx: Invocation, app: "App", scanned: "ScanResult", given: dict[str, Any]) -> None:
    if ctx.json:
        ctx.out.emit_json(scan_json(app, scanned, graph=not given["no_graph"]))
        return
    print_report(ctx, scanned, dry_run=given["dry_run"])
    if scanned.choice.note:
        ctx.out.say(scanned.choice.note)


def _relative(ctx: Invocation, app: "App", name: str) -> str:
    """A path as it was typed, seen from the root of the workspace."""
    target = (ctx.directory / name).resolve()
    root = app.root.resolve()
    if target != root and root not in target.parents:
        raise UsageError(f"`{name}` lies outside of this workspace; name something below {app.root}.")
    if not target.exists():
        raise NotFound(f"There is no `{name}` here.")
    return target.relative_to(root).as_posix()


def _compare(ctx: Invocation, app: "App", files: tuple[str, ...]) -> int:
    from cairn.graph.compare import delta, graph_json, load_dump
    from cairn.graph.subgraph import whole

    if len(files) != 1:
        raise UsageError("`cairn scan compare-with` takes one file, saved with `cairn scan --json`.")
    saved = load_dump(_read(ctx.directory / files[0], files[0]), files[0])
    run(ctx, app)
    found = delta(saved, graph_json(whole(app.store)))
    if ctx.json:
        ctx.out.emit_json({"nodes": found.nodes, "links": found.links, "issues": found.issues})
    else:
        for title, part in (("node", found.nodes), ("link", found.links), ("issue", found.issues)):
            for word, names in part.items():
                for name in names:
                    ctx.out.data(f"{word:>7} {title}: {safe(name)}")
        if found.empty:
            ctx.out.say("nothing is different")
    return 0 if found.empty else 1


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise NotFound(f"There is no file `{name}`; save a scan with `cairn scan --json > {name}`.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"`{name}` cannot be read: {error}.") from error
