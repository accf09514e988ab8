"""`cairn watch`: scan again whenever files change, and say what changed."""

import time
from contextlib import closing
from typing import Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.scan_run import print_report, run, scan_json
from cairn.errors import CairnError, StoreProblem


@define(
    "watch",
    help="Stay, and scan again whenever files change. Says what changed; with --json one object a line. Ends with ^C.",
    examples=(
        ("cairn watch", "keep the graph up to date while you write"),
        ("cairn watch --json | jq .changes", "feed another program"),
    ),
    exits=(0, 2),
    timed=False,
)
@click.option("--max-nodes", type=click.IntRange(min=1), help="Stop each scan after so many files.")
@click.option(
    "--max-consecutive-failures", "max_failures", type=click.IntRange(min=1), default=5, help="Give up after so many."
)
def command(ctx: Invocation, max_nodes: int | None, max_failures: int) -> int:
    return watch(ctx, max_nodes=max_nodes, max_failures=max_failures)


def watch(ctx: Invocation, *, max_nodes: int | None, max_failures: int) -> int:
    flags: dict[str, object] = {} if max_nodes is None else {"scan.max_nodes": max_nodes}
    with closing(ctx.app(flags)) as app:
        _scan(ctx, app)
        ctx.out.say("watching; ^C ends it")
        failures = 0
        for _ in _beats(app):
            try:
                _scan(ctx, app)
                failures = 0
            except CairnError as error:
                failures += 1
                if failures == max_failures or isinstance(error, StoreProblem):
                    raise
                ctx.out.warn(error.message)
    return 0


def _scan(ctx: Invocation, app: Any) -> None:
    scanned = run(ctx, app, checked=True, allow_empty=True)
    if ctx.json:
        from json import dumps

        ctx.out.data(dumps(scan_json(app, scanned, graph=False), ensure_ascii=False))
    elif not scanned.report.quiet:
        print_report(ctx, scanned)


def _beats(app: Any) -> Any:
    from cairn.graph.run_scan import beats

    suffixes = tuple(sorted({s for p in app.registry.providers for s in p.manifest.extensions}))
    debounce = app.settings.integer("scan.watch.debounce_ms") / 1000
    request = app.scan_request().walk(suffixes)
    return beats(app.files, request, clock=app.clock, sleep=time.sleep, debounce=debounce)
