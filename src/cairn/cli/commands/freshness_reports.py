"""`cairn freshness coverage` and `cairn freshness frontier`: reports over all entries."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.save_output import force_option, refuse_to_replace
from cairn.cli.scan_run import run

if TYPE_CHECKING:
    from pathlib import Path

    from cairn.freshness.reports import CoverageReport, FrontierReport


@define(
    "coverage",
    help="Show what the corpora cover: for each category how many entries there are, how fast they move, how many are "
    "reviewed, and which hosts they rely on. With a taxonomy of yours, also which of its items nobody wrote about.",
    examples=(
        ("cairn freshness coverage", "category by category; a dot is an empty cell"),
        ("cairn freshness coverage --taxonomy docs/topics.yaml", "which topics are missing"),
        ("cairn freshness coverage --matrix coverage.csv", "for a spreadsheet; `.md` for a page"),
    ),
    exits=(0, 1, 2, 5),
)
@click.option("--taxonomy", metavar="FILE", help="YAML with `name` and `items`: title, keywords, topics.")
@click.option("--matrix", metavar="FILE", help="Write the table to FILE, as CSV when it ends so, else as Markdown.")
@force_option
def coverage_command(ctx: Invocation, taxonomy: str | None, matrix: str | None, force: bool) -> int:
    from cairn.freshness.reports import coverage

    refuse_to_replace(ctx, matrix, force=force)
    with closing(ctx.app(reads=True)) as app:
        run(ctx, app)
        found = coverage(app, taxonomy=taxonomy, here=ctx.directory)
        if matrix is not None:
            _write(ctx, app.root, found, matrix)
            return 0
    if ctx.json:
        ctx.out.emit_json(found.json())
    else:
        _coverage_for_people(ctx, found)
    return 0


def _write(ctx: Invocation, root: "Path", found: "CoverageReport", matrix: str) -> None:
    from cairn.cli.save_output import deliver
    from cairn.freshness.coverage import as_csv, as_markdown, table_of

    csv = matrix.lower().endswith(".csv")
    header, lines = table_of(found.rows)
    text = as_csv(header, lines) if csv else as_markdown(header, lines)
    deliver(ctx, root, text, format="csv" if csv else "markdown", output=matrix)


def _coverage_for_people(ctx: Invocation, found: "CoverageReport") -> None:
    from cairn.freshness.coverage import relies_on, table_of

    header, lines = table_of(found.rows)
    width = len(header) - (len(found.rows[0].hosts) if found.rows else 0)
    shown = [[*line[:width], relies_on(row)] for line, row in zip(lines, found.rows, strict=True)]
    ctx.out.table([[safe(cell) for cell in line] for line in shown], header=(*header[:width], "relies most on"))
    for gap in found.gaps:
        near = f"; nearest is {gap.nearest}" if gap.nearest else ""
        times = f"{gap.signals} time{'' if gap.signals == 1 else 's'}"
        ctx.out.data(f"missed {times}: {safe(gap.topic)}{safe(near)}")
    missing = [one for one in found.covered if not one.entries]
    for one in missing:
        near = f"; nearest is {one.nearest}" if one.nearest else ""
        ctx.out.data(f"nobody covers: {safe(one.item.title)}{safe(near)}")
    if found.taxonomy is not None:
        done = len(found.covered) - len(missing)
        ctx.out.say(f"{safe(found.taxonomy.name)}: {done:,} of {len(found.covered):,} items are covered")
    if not found.rows:
        ctx.out.say("there is no entry yet; `cairn entry add` makes one")


@define(
    "frontier",
    help="List entries whose subject has a newer release, with the line or link of a source that shows it, and hosts "
    "that several sources link to and no entry cites. Fetches nothing.",
    examples=(
        ("cairn freshness frontier", "what has moved on"),
        ("cairn freshness frontier --json", "with the pin as it would be written"),
    ),
)
def frontier_command(ctx: Invocation) -> int:
    from cairn.freshness.reports import frontier_report

    with closing(ctx.app(reads=True)) as app:
        run(ctx, app)
        report = frontier_report(app)
    if ctx.json:
        ctx.out.emit_json(report.json())
    else:
        _frontier_for_people(ctx, report)
    return 0


def _frontier_for_people(ctx: Invocation, report: "FrontierReport") -> None:
    for entry, ahead in report.ahead:
        ctx.out.data(f"{safe(entry.path)}: {safe(ahead.said)}")
    for one in report.candidates[:20]:
        ctx.out.data(
            f"{safe(one.host)}: linked from {one.sites} sites that {one.entries} entries cite; nobody cites it"
        )
    if not report.pages:
        ctx.out.say("no page of a source was kept yet; `cairn freshness run` looks at them")
    ctx.out.say(
        f"signs of newer editions for {len(report.ahead):,} entries; {len(report.candidates):,} hosts worth a look"
    )
    if report.ahead:
        ctx.out.say("`cairn freshness run` lists them to be read; a pin that ends in `only` is left alone")
    if report.candidates:
        ctx.out.say("`cairn freshness allow add HOST --category C` puts one on the list")
