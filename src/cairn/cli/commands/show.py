"""`cairn show`: everything about one document, on one page."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, columns, safe, severity_color, state_color
from cairn.lib.urls.url import is_external

if TYPE_CHECKING:
    from cairn.core.model.graph import Contribution, Link, Node
    from cairn.core.model.issue import Issue
    from cairn.core.ports.graph import ScoreRow
    from cairn.graph.subgraph import Inspection, TokenCount
    from cairn.jobs.node_reports import NodeReport

_WIDTH = 80


@define(
    "show",
    help="Show one document of the last scan, or a URL that documents cite: sizes, tags, links both ways, issues, what "
    "plugins say about it, and what readers reported (a summary, suggested tags, risks); or the note of a turn.",
    examples=(
        ("cairn show docs/guide.md", "by path"),
        ("cairn show code-reviewer", "by name, when only one document has it"),
        ("cairn show note:t4", "a note, as `cairn search` names it"),
    ),
    exits=(0, 2, 5),
)
@argument("node", help="Path, or a name, title or end of a path that only one node has; note:… for a note.")
def command(ctx: Invocation, node: str) -> int:
    if node.startswith("note:"):
        return _note(ctx, node)
    from cairn.core.model.knowledge import KINDS
    from cairn.graph.subgraph import inspect, node_called
    from cairn.jobs.node_reports import reports_about
    from cairn.retrieve.query_log import told_read
    from cairn.workspace.findings import every_issue

    with closing(ctx.app(reads=True)) as app:
        store = app.scanned_store()
        found = node_called(store, node, root=app.root, here=ctx.directory)
        seen = inspect(store, found, files=app.files, tokenizer=app.tokenizer, issues=every_issue(app))
        read = reports_about(found.path, store=store.jobs, files=app.files, actions=app.actions)
        if found.kind in KINDS:
            told_read(app, found.path, surface="cli")
    if ctx.json:
        ctx.out.emit_json({**seen.json(), "reports": [one.json() for one in read]})
        return 0
    ctx.out.data("\n".join(_page(ctx.out, seen, read)))
    if seen.tokens is None and app.tokenizer and not found.virtual:
        ctx.out.say(f"`{safe(found.path)}` is no longer what was scanned; `cairn scan` brings the graph up to date")
    return 0


def _note(ctx: Invocation, name: str) -> int:
    """A hit of a search may be a note, and is opened like any other."""
    from cairn.capture.list_turns import show_turn
    from cairn.cli.commands.turns import tell_turn
    from cairn.retrieve.query_log import told_read

    with closing(ctx.app(reads=True)) as app:
        listed = show_turn(app, name)
        if listed.note:
            told_read(app, f"note:{listed.turn.turn_id}", surface="cli")
    return tell_turn(ctx, listed)


def _page(out: Output, seen: "Inspection", read: "Sequence[NodeReport]") -> Iterator[str]:
    yield from _head(out, seen.node, seen.tokens)
    for report in read:
        outdated = ", of an earlier text" if report.outdated else ""
        title = f"{safe(report.action)} (by {safe(report.model or 'a reader')}{outdated})"
        yield from _section(out, title, [*_reported(report.report)])
    yield from _section(out, _links_out_title(seen.links_out), _links_out(out, seen.links_out))
    yield from _section(out, f"Links in ({len(seen.links_in)})", _links_in(seen.links_in))
    refs = seen.node.external_refs
    lines = columns([[f"line {ref.line}", safe(ref.url)] for ref in refs]) if refs else ()
    yield from _section(out, f"External references ({len(refs)})", lines)
    yield from _section(out, f"Issues ({len(seen.issues)})", _issues(out, seen.node.path, seen.issues))
    yield from _section(out, "Contributions", _contributions(out, seen.contributions))
    yield from _section(out, "Confidence", _scores(seen.scores))
    yield from _section(out, "Enrichments", _pairs(_for_people(seen.enrichments)))


def _reported(report: Mapping[str, Any]) -> Iterator[str]:
    """What a reader answered: a summary with its points, suggested tags, risks."""
    yield from _wrapped(str(report.get("summary", "")), _WIDTH)
    for point in report.get("keyPoints", ()):
        first, *rest = _wrapped(str(point), _WIDTH - 2) or [""]
        yield from (f"- {first}", *(f"  {line}" for line in rest))
    if tags := report.get("tags"):
        yield "suggested: " + ", ".join(safe(str(one["tag"])) for one in tags)
    for risk in report.get("findings", ()):
        yield f"{safe(str(risk['severity']))}: {safe(str(risk['title']))}"


def _section(out: Output, title: str, lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    """Nothing at all when there is nothing to say."""
    body = [f"  {line}" for line in lines]
    if body:
        yield from ("", out.style(title, "bold"), *body)


def _head(out: Output, node: "Node", tokens: "TokenCount | None") -> Iterator[str]:
    yield out.style(safe(node.title), "bold")
    yield from columns([[out.style(name, "dim"), text] for name, text in _facts(node, tokens)])
    if node.description:
        yield from ("", *_wrapped(node.description, _WIDTH))


def _is_url(node: "Node") -> bool:
    return node.virtual and is_external(node.path)


def _kind(node: "Node") -> str:
    from cairn.core.model.graph import qualified_kind

    if _is_url(node):
        return "cited URL"
    return safe(qualified_kind(node)) + (" (virtual)" if node.virtual else "")


def _facts(node: "Node", tokens: "TokenCount | None") -> Iterator[tuple[str, str]]:
    yield "URL" if _is_url(node) else "path", safe(node.path)
    yield "kind", _kind(node)
    if node.derived_from:
        yield "named by", safe(", ".join(node.derived_from))
    if not node.virtual:
        yield "size", f"{node.bytes.total:,} bytes ({node.bytes.frontmatter:,} frontmatter, {node.bytes.body:,} body)"
    if tokens:
        about = "" if tokens.exact else "about "
        kind = tokens.tokenizer if tokens.exact else "estimated; the extra `tokens` counts them"
        yield "tokens", f"{about}{tokens.tokens.total:,} ({kind})"
    if node.tags:
        yield "tags", ", ".join(f"{safe(tag.tag)} ({tag.source})" for tag in node.tags)


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(safe(" ".join(text.split())), width, break_long_words=False, break_on_hyphens=False)


def _links_out_title(links: Sequence["Link"]) -> str:
    from cairn.graph.subgraph import mentions_and_targets

    total, unique = mentions_and_targets(links)
    return f"Links out ({total}, {unique} unique)"


def _links_out(out: Output, links: Sequence["Link"]) -> Iterator[str]:
    from cairn.graph.subgraph import by_kind

    for kind, group in by_kind(links):
        yield out.style(f"{safe(kind)} ({len(group)})", "cyan")
        yield from (f"  {line}" for line in columns([_link_row(out, link) for link in group]))


def _link_row(out: Output, link: "Link") -> list[str]:
    from cairn.graph.subgraph import end_of, seen

    state = "" if link.state == "node" else out.style(link.state, state_color(link.state))
    times = f"× {seen(link)}" if seen(link) > 1 else ""
    return [f"line {link.line}", safe(end_of(link)), f"{link.confidence:.2f}", state, times]


def _links_in(links: Sequence["Link"]) -> list[str]:
    return columns([[safe(link.source), safe(link.kind), f"line {link.line}"] for link in links]) if links else []


def _issues(out: Output, path: str, issues: Sequence["Issue"]) -> Iterator[str]:
    from cairn.cli.issues import reasons
    from cairn.core.model.issue import places_of

    for issue in issues:
        here = next((place for place in places_of(issue) if place.path == path), None)
        place = f"line {here.line}" if here and here.line else ""
        elsewhere = f"at {safe(issue.path)}" if here is None else ""
        severity = out.style(str(issue.severity), severity_color(issue.severity))
        yield "  ".join(part for part in (severity, safe(issue.analyzer), place, elsewhere) if part)
        for sentence in (issue.message, *reasons(issue)):
            yield from (f"  {line}" for line in _wrapped(sentence, _WIDTH - 4))
        if issue.fix:
            yield from (out.style(f"  {line}", "dim") for line in _wrapped(issue.fix.summary, _WIDTH - 4))


def _contributions(out: Output, contributions: Sequence["Contribution"]) -> Iterator[str]:
    from cairn.graph.subgraph import by_slot

    for slot, group in by_slot(contributions):
        yield out.style(safe(slot), "cyan")
        rows = [[safe(f"{c.extension} {c.key}"), _payload(c.payload)] for c in group]
        yield from (f"  {line}" for line in columns(rows))


def _payload(payload: Mapping[str, Any]) -> str:
    """A chip says its value, the rest its JSON."""
    rest = {key: value for key, value in payload.items() if key != "value"}
    parts = [_text(payload["value"])] if "value" in payload else []
    return " ".join([*parts, *(f"{safe(key)}={_text(value)}" for key, value in rest.items())])


def _text(value: object) -> str:
    return safe(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _scores(scores: Sequence["ScoreRow"]) -> list[str]:
    rows = [
        [f"{safe(row.kind)} {safe(row.target)}", safe(row.extension), f"{row.op} {row.value:g} → {row.result:.2f}"]
        for row in scores
    ]
    return columns(rows) if rows else []


def _for_people(enrichments: Mapping[str, Any]) -> dict[str, Any]:
    """Without what extensions keep for themselves, under keys that start with a low line."""
    shown = {
        name: {key: item for key, item in value.items() if not key.startswith("_")}
        if isinstance(value, dict)
        else value
        for name, value in enrichments.items()
    }
    return {name: value for name, value in shown.items() if value}


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return columns([[safe(name), _text(value)] for name, value in values.items()]) if values else []
