"""Runs a scan for a command, and prints what came of it."""

from typing import TYPE_CHECKING, Any

from cairn.cli.invocation import Invocation, ask_provider
from cairn.cli.issues import counted, without_documents
from cairn.cli.output import safe
from cairn.errors import StoreLocked

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.bus_progress import BusProgress
    from cairn.graph.run_scan import ScanResult


def run(
    ctx: Invocation,
    app: "App",
    *,
    yes: bool = False,
    active: str | None = None,
    checked: bool = False,
    **wanted: Any,
) -> "ScanResult":
    """Scan with a progress bar, and print warnings. `yes` chooses the first of several hosts for good, `active` one for
    this scan. With `checked`, the counts are those of `cairn check`."""
    from cairn.graph.run_scan import run_scan
    from cairn.workspace.findings import as_checked

    progress = _told(ctx, app)
    scanned = run_scan(
        app,
        app.scan_request(**wanted),
        progress=progress,
        ask=(lambda found: found[0]) if yes else ask_provider(ctx),
        active=active,
        remember=not wanted.get("dry_run"),
    )
    if checked and not wanted.get("dry_run"):
        scanned = as_checked(app, scanned, progress)
    for warning in scanned.warnings:
        ctx.out.warn(safe(warning))
    return scanned


def _told(ctx: Invocation, app: "App") -> "BusProgress":
    from cairn.core.bus_progress import BusProgress

    def make_id() -> str:
        import os

        from cairn.jobs.model import run_id

        return run_id(app.clock.now_ms(), os.urandom(2).hex(), "scan")

    return BusProgress(app.bus, app.clock, ctx.out.progress(), make_id)


def bring_up_to_date(ctx: Invocation, app: "App") -> None:
    """Scan for a command that only reads: it shall not fail because somebody else writes."""
    try:
        run(ctx, app)
    except StoreLocked:
        ctx.out.say("note: another process is writing; this is as the last scan left it")


def print_report(ctx: Invocation, scanned: "ScanResult", *, dry_run: bool = False) -> None:
    """The files that changed, then one line that sums up."""
    from cairn.graph.scan_request import size_of

    report, out = scanned.report, ctx.out
    marks = [
        *((out.style("+", "green"), safe(path)) for path in report.added),
        *((out.style("~", "yellow"), safe(path)) for path in report.changed),
        *((out.style("-", "red"), safe(path)) for path in report.removed),
        *((out.style("→", "blue"), f"{safe(old)} → {safe(new)}") for old, new in report.renamed),
    ]
    shown = marks if ctx.verbosity or len(marks) <= 20 else []
    for mark, path in shown:
        out.data(f"{mark} {path}")
    happened = _happened(scanned)
    counts = report.counts
    out.data(f"{'would be: ' if dry_run else ''}{happened}{size_of(counts)}")
    if scanned.left_out:
        out.say(f"Left out: {scanned.left_out}; `cairn check --all` includes them.")
    if scanned.unread:
        out.data(scanned.unread)
    out.data(_verdict(scanned, notes=bool(ctx.verbosity)) + _hint(counts["errors"], counts["warnings"]))


def _verdict(scanned: "ScanResult", *, notes: bool) -> str:
    """As the last line of `cairn check`."""
    counts = scanned.report.counts
    if scanned.documents == 0 and not (counts["errors"] or counts["warnings"]):
        return without_documents(unread=bool(scanned.unread), left_out=bool(scanned.left_out))
    found = counted(counts["errors"], counts["warnings"], counts["infos"] if notes else 0)
    clean = not counts["errors"] and not counts["warnings"]
    return f"{found} in the documents that were read" if scanned.unread and clean else found


def _happened(scanned: "ScanResult") -> str:
    report = scanned.report
    words = [
        (len(report.added), "new"),
        (len(report.changed), "changed"),
        (len(report.removed), "deleted"),
        (len(report.renamed), "moved"),
    ]
    parts = [f"{number:,} {word}" for number, word in words if number]
    return f"{', '.join(parts) or 'nothing changed'}; "


def _hint(errors: int, warnings: int) -> str:
    return f" (see {'it' if errors + warnings == 1 else 'them'} with `cairn check`)" if errors or warnings else ""


def scan_json(app: "App", scanned: "ScanResult", *, graph: bool) -> dict[str, Any]:
    from cairn.graph.compare import SCAN_VERSION, graph_json
    from cairn.graph.subgraph import whole

    report = scanned.report
    out: dict[str, Any] = {
        "schemaVersion": SCAN_VERSION,
        "scannedAt": app.store.meta().get("scanned_at_ms"),
        "activeProvider": report.active_provider,
        "providers": list(report.providers),
        "roots": list(app.settings.texts("scan.roots")),
        "changes": {
            "added": list(report.added),
            "changed": list(report.changed),
            "removed": list(report.removed),
            "renamed": [{"from": old, "to": new} for old, new in report.renamed],
        },
        "oversizedFiles": list(report.oversized),
        "stats": {
            "filesWalked": report.files_walked,
            "filesUnchanged": report.unchanged,
            "filesOversized": len(report.oversized),
            "nodesCount": report.counts["nodes"],
            "linksCount": report.counts["links"],
            "errorsCount": report.counts["errors"],
            "warningsCount": report.counts["warnings"],
            "infosCount": report.counts["infos"],
            "durationMs": report.duration_ms,
        },
        "warnings": list(scanned.warnings),
    }
    return {**out, **graph_json(whole(app.store))} if graph else out
