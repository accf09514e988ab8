"""`cairn freshness sources`: what the pages rely on, and how it is with each."""

from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, safe
from cairn.cli.paging import Page, paged, say_more
from cairn.cli.scan_run import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cairn.core.ports.sources import SourceRow
    from cairn.freshness.list_sources import CitedSource, HostCount


@define(
    "sources",
    help="List every source with its last look, how far it can be relied on, and how many pages cite it. Asks nobody: "
    "`cairn freshness run` and `cairn freshness link-check` do that.",
    examples=(
        ("cairn freshness sources", "all of them"),
        ("cairn freshness sources --by-host", "hosts with their category, the most cited first"),
        ("cairn freshness sources --json", "with the pages that cite each"),
    ),
)
@click.option("--by-host", "hosts_only", is_flag=True, help="One line a host.")
@paged
def command(ctx: Invocation, hosts_only: bool, **page: Any) -> int:
    from cairn.freshness.list_sources import by_category, by_host, cited_sources
    from cairn.freshness.select_entries import behind_sources
    from cairn.lib.urls.url import shown_places

    with closing(ctx.app(reads=True)) as app:
        run(ctx, app)
        listed, behind = cited_sources(app), behind_sources(app)
    hosts, categories, allowed = by_host(listed), by_category(listed), shown_places(ctx.env)
    part = Page(**page)
    some_hosts, more_hosts = part.of(ctx, hosts)
    some, more = part.of(ctx, listed)
    if ctx.json:
        shown = _json(some, behind, some_hosts if hosts_only else hosts, categories, allowed, hosts_only=hosts_only)
        ctx.out.emit_json({**shown, "more": more_hosts if hosts_only else more})
        return 0
    if hosts_only:
        rows = [_host_row(ctx.out, host) for host in some_hosts]
        ctx.out.table(rows, header=("host", "category", "sources", "pages", "failing"))
    else:
        rows = [_row(ctx.out, one, behind.get(one.reference, ())) for one in some]
        ctx.out.table(rows, header=("source", "pages", "last look", "stable", "state"))
    say_more(ctx, more_hosts if hosts_only else more, part.offset + len(rows))
    _say(ctx, listed, categories, allowed)
    return 0


def _say(
    ctx: Invocation, listed: "list[CitedSource]", categories: dict[str, tuple[int, int]], allowed: list[str]
) -> None:
    if not listed:
        ctx.out.say("no page names a source yet; `cairn help entry add` shows how")
        return
    on_web = sum(one.source.kind == "url" for one in listed)
    ctx.out.say(f"{len(listed):,} sources: {on_web:,} on the web, {len(listed) - on_web:,} in the repository")
    if categories:
        ctx.out.say("by category: " + ", ".join(f"{safe(name)} {count:,}" for name, (count, _) in categories.items()))
    if allowed:
        ctx.out.say(f"CAIRN_FETCH_ALLOW also allows {', '.join(allowed)}")


def _row(out: Output, one: "CitedSource", behind: "Sequence[str]") -> list[str]:
    return [safe(one.reference), str(len(one.documents)), *_seen(out, one, behind)]


def _seen(out: Output, one: "CitedSource", behind: "Sequence[str]") -> tuple[str, str, str]:
    row = one.row
    changed = out.style(safe(f"changed since {_named(behind)} last found right"), "yellow") if behind else ""
    if one.source.kind == "path":
        return "", "", changed or "in the repository"
    if row is None or (row.seen_at_ms is None and not row.failures):
        return "never", "", "not looked at"
    stable = "" if row.stability is None else f"{row.stability:.0%}"
    if row.failures:
        return _day(row.seen_at_ms) or "never", stable, out.style(safe(_failure(row)), "red")
    if row.pending_hash:
        return _day(row.seen_at_ms) or "", stable, out.style("differs, seen once", "yellow")
    if changed:
        return _day(row.seen_at_ms) or "", stable, changed
    return _day(row.seen_at_ms) or "", stable, "differs each time" if one.unstable else "fine"


def _named(paths: "Sequence[str]") -> str:
    return f"{paths[0]} was" if len(paths) == 1 else f"{len(paths):,} entries, such as {paths[0]}, were"


def _failure(row: "SourceRow") -> str:
    times = "" if row.failures == 1 else f" {row.failures} times, last"
    return f"failed{times} on {_day(row.failed_at_ms)}: {row.reason or row.cause or ''}"


def _host_row(out: Output, host: "HostCount") -> list[str]:
    failing = out.style(str(host.failing), "red") if host.failing else "0"
    return [safe(host.host), safe(host.category), str(host.sources), str(host.documents), failing]


def _day(ms: int | None) -> str | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def _moment(ms: int | None) -> str | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json(
    listed: "Sequence[CitedSource]",
    behind: "Mapping[str, Sequence[str]]",
    hosts: "Sequence[HostCount]",
    categories: dict[str, tuple[int, int]],
    allowed: list[str],
    *,
    hosts_only: bool,
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "hosts": [
            {
                "host": host.host,
                "category": host.category,
                "sources": host.sources,
                "entries": host.documents,
                "failing": host.failing,
            }
            for host in hosts
        ],
        "categories": {
            name: {"sources": sources, "entries": documents} for name, (sources, documents) in categories.items()
        },
        "allowed": allowed,
    }
    return (
        shown
        if hosts_only
        else {
            "sources": [{**_one_json(one), "behind": list(behind.get(one.reference, ()))} for one in listed],
            **shown,
        }
    )


def _one_json(one: "CitedSource") -> dict[str, Any]:
    row = one.row
    return {
        "reference": one.reference,
        "kind": one.source.kind,
        "host": one.host or None,
        "category": one.category or None,
        "entries": list(one.documents),
        "lastLook": _moment(row.seen_at_ms) if row else None,
        "changedAt": _moment(row.changed_at_ms) if row else None,
        "pending": bool(row and row.pending_hash),
        "looks": row.looks if row else 0,
        "stability": row.stability if row else None,
        "unstable": one.unstable,
        "failure": _failure_json(one),
    }


def _failure_json(one: "CitedSource") -> dict[str, Any] | None:
    row = one.row
    if row is None or not row.failures:
        return None
    return {
        "cause": row.cause,
        "reason": row.reason,
        "times": row.failures,
        "at": _moment(row.failed_at_ms),
        "nextTry": _moment(row.next_try_ms),
    }
