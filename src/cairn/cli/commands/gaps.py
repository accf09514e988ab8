"""`cairn gaps`: what was looked for and not found, until somebody writes it down."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import since_ms
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import Page, paged, say_more
from cairn.errors import NotFound, UsageError
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.model.lens import Finding
    from cairn.observe.gap_draft import GapDraft
    from cairn.observe.lens_coverage_gaps import GapView, KnowledgeGap

SOURCES = ("manual", "agent_search", "lessons")
_LARGEST = 4 * 1024 * 1024


# --- signal ---------------------------------------------------------------------------------------------------------


@define(
    "signal",
    help="Say that something was looked for and not found. A topic that is missed often enough, by enough people or "
    "projects, becomes a gap that `cairn gaps list` shows.",
    examples=(
        ("cairn gaps signal 'rate limits of the billing API'", "nobody wrote about this"),
        ("cairn gaps signal 3d-rendering --source agent_search --step plan", "what an agent calls"),
    ),
    exits=(0, 1, 2),
    timed=False,
)
@argument("topic", help="What is missing, in a few words.")
@click.option("--excerpt", metavar="TEXT", help="What one wanted to know, at most 200 characters.")
@click.option("--step", metavar="NAME", help="Where in the work that was.")
@click.option("--source", type=click.Choice(SOURCES), default="manual", help="Who says it.")
def signal_command(ctx: Invocation, topic: str, excerpt: str | None, step: str | None, source: str) -> int:
    from cairn.observe.gap_signals import EXCERPT
    from cairn.observe.list_gaps import signal

    with closing(ctx.app()) as app:
        told = signal(app, topic, source=source, step=step, excerpt=excerpt)
    if ctx.json:
        ctx.out.emit_json({"id": told.id, "topic": told.payload["topic"], "redactedFields": list(told.redacted)})
        return 0
    ctx.out.data(safe(str(told.payload["topic"])))
    if excerpt is not None and len(excerpt.strip()) > EXCERPT:
        ctx.out.say(f"only the first {EXCERPT} characters of the excerpt are kept")
    if told.redacted:
        ctx.out.say(safe(f"something private was taken out of {', '.join(told.redacted)}"))
    return 0


# --- list -----------------------------------------------------------------------------------------------------------


@define(
    "list",
    help="List the gaps: topics that were missed often enough in the last 90 days and that no entry covers, the "
    "heaviest first. Topics that are nearly the same are counted together and all named.",
    examples=(
        ("cairn gaps list", "what to write next"),
        ("cairn gaps list --suppressed", "what was missed and is covered now, and by which page"),
        ("cairn gaps list --all --since 14d", "also below the threshold, of two weeks"),
    ),
    exits=(0, 2),
)
@click.option("--all", "everything", is_flag=True, help="Also topics below the threshold, and acknowledged gaps.")
@click.option("--suppressed", is_flag=True, help="Also topics that an entry covers, with the reason.")
@click.option("--since", metavar="SPAN|DAY", help="14d, 2026-01-31; the last 90 days when left out.")
@click.option("--knowledge-root", metavar="DIR", help="Compare with the entries there.")
@paged
def list_command(
    ctx: Invocation, everything: bool, suppressed: bool, since: str | None, knowledge_root: str | None, **page: Any
) -> int:
    from cairn.observe.list_gaps import gap_findings, look_at_gaps

    root = str(ctx.directory / knowledge_root) if knowledge_root else None
    with closing(ctx.app(reads=True)) as app:
        begin = since_ms(since, now_ms=app.clock.now_ms()) if since else None
        asked = everything or suppressed or ctx.json or root is not None
        view = look_at_gaps(
            app, since_ms=begin, knowledge_root=root, always=asked, warn=lambda _, text: ctx.out.warn(safe(text))
        )
        found = gap_findings(app, view)
        if ctx.json:
            ctx.out.emit_json(_list_json(ctx, view, found, Page(**page)))
            return 0
        first = _print_list(ctx, view, found, Page(**page), everything=everything, suppressed=suppressed)
        if first is not None:
            _say_next(ctx, app, first)
    return 0


def _list_json(ctx: Invocation, view: "GapView", found: "list[Finding]", part: Page) -> dict[str, Any]:
    """Findings are those of the topics that are listed."""
    from cairn.observe.audit_result import finding_json
    from cairn.observe.gaps import rule

    shown, more = part.of(ctx, view.gaps)
    topics = {gap.group.lead.topic for gap in shown}
    return {
        "since": iso_utc(view.since_ms),
        "preset": {"name": view.chosen.preset, "why": view.chosen.why, "rule": rule(view.chosen.preset)},
        "knowledge": view.resolution.json() if view.resolution else None,
        "findings": [finding_json(finding) for finding in found if finding.evidence["topic"] in topics],
        "topics": [_gap_json(gap) for gap in shown],
        "more": more,
    }


def _gap_json(gap: "KnowledgeGap") -> dict[str, Any]:
    group, cover = gap.group, gap.cover
    return {
        "topic": group.lead.topic,
        "signals": group.signals,
        "related": [{"topic": one.topic, "signals": one.signals} for one in group.members],
        "projects": len(group.projects),
        "worktrees": len(group.worktrees),
        "days": group.days,
        "firstSeen": iso_utc(group.first_ms),
        "lastSeen": iso_utc(group.last_ms),
        "severity": gap.severity,
        "coveredBy": None if cover is None else {"path": cover.path, "by": cover.by, "reason": cover.reason},
    }


def _print_list(
    ctx: Invocation, view: "GapView", found: "list[Finding]", part: Page, *, everything: bool, suppressed: bool
) -> str | None:
    """The first topic that is to be written about."""
    settled = {finding.evidence["topic"]: finding for finding in found}
    gaps = [gap for gap in view.gaps if _is_shown(gap, settled, everything=everything, suppressed=suppressed)]
    shown, more = part.of(ctx, gaps)
    if gaps:
        header = ("", "topic", "signals", "last", "")
        ctx.out.table([_cells(gap, view, settled.get(gap.group.lead.topic)) for gap in shown], header=header)
        say_more(ctx, more, part.offset + len(shown))
    else:
        ctx.out.data("no gaps" if view.gaps else "no gaps; nobody has missed anything yet")
    _say_rule(ctx, view, hidden=len(view.gaps) - len(gaps))
    return next((gap.group.lead.topic for gap in gaps if gap.open), None)


def _say_next(ctx: Invocation, app: "App", topic: str) -> None:
    from cairn.observe.gap_draft import begun

    if request := begun(app, topic):
        ctx.out.say(f"next: an entry about {safe(topic)} is begun; `cairn change show {safe(request)}` has it")
    else:
        ctx.out.say(f"next: `cairn gaps draft {safe(topic)}` begins an entry")


def _is_shown(gap: "KnowledgeGap", settled: "dict[str, Finding]", *, everything: bool, suppressed: bool) -> bool:
    if gap.cover is not None:
        return suppressed
    if gap.severity is None:
        return everything
    return everything or settled[gap.group.lead.topic].status == "open"


def _cells(gap: "KnowledgeGap", view: "GapView", finding: "Finding | None") -> list[str]:
    from cairn.observe.gaps import counted

    mark = "covered" if gap.cover else gap.severity or "–"
    return [
        "ack" if finding and finding.status == "acknowledged" else mark,
        safe(gap.group.lead.topic),
        counted(gap.group, view.chosen.preset),
        iso_utc(gap.group.last_ms)[:10],
        safe(_remark(gap, finding)),
    ]


def _remark(gap: "KnowledgeGap", finding: "Finding | None") -> str:
    parts = [gap.cover.reason] if gap.cover else []
    if gap.group.others:
        parts.append("with " + ", ".join(f"{one.topic} ({one.signals:,})" for one in gap.group.others))
    if gap.near is not None:
        parts.append(f"{gap.near.path} is about nearly this")
    if finding and finding.ack_note:
        parts.append(finding.ack_note)
    return "; ".join(parts)


def _say_rule(ctx: Invocation, view: "GapView", *, hidden: int) -> None:
    from cairn.observe.gaps import rule

    preset = view.chosen
    ctx.out.say(f"a gap has at least {rule(preset.preset)} (preset {preset.preset}: {preset.why})")
    if hidden:
        ctx.out.say(f"{hidden:,} more below that, covered or acknowledged: `cairn gaps list --all --suppressed`")
    if view.resolution is not None and view.resolution.root is not None:
        entries = view.resolution.covered.entries
        ctx.out.detail(f"compared with {entries:,} entries of {safe(view.resolution.root)}")
        for attempt in view.resolution.attempts:
            told = " ".join(part for part in (attempt.path, attempt.reason) if part)
            ctx.out.detail(f"  {attempt.source}: {attempt.outcome}{f' ({safe(told)})' if told else ''}", level=2)


# --- topics ---------------------------------------------------------------------------------------------------------


@define(
    "topics",
    help="List every topic that was missed in the last 90 days, with how often, and week by week.",
    examples=(
        ("cairn gaps topics", "all of them, most often first"),
        ("cairn gaps topics --limit 10", "the ten that were missed most"),
    ),
)
@paged
def topics_command(ctx: Invocation, **page: Any) -> int:
    from cairn.observe.list_gaps import topics_by_week

    with closing(ctx.app(reads=True)) as app:
        found, part = topics_by_week(app), Page(**page)
    shown, more = part.of(ctx, found.topics)
    if ctx.json:
        ctx.out.emit_json({"weeks": found.weeks, "topics": [row.json() for row in shown], "more": more})
        return 0
    if not found.topics:
        ctx.out.data("nobody has missed anything yet")
        return 0
    header = ("topic", "signals", "projects", "work trees", "days", f"{found.weeks} weeks", "")
    ctx.out.table([_topic_cells(row) for row in shown], header=header)
    say_more(ctx, more, part.offset + len(shown))
    return 0


def _topic_cells(row: Any) -> list[str]:
    numbers = [f"{number:,}" for number in (row.signals, row.projects, row.worktrees, row.days)]
    return [safe(row.topic), *numbers, row.line, safe(row.covered_by or "")]


# --- draft, scan, tail ----------------------------------------------------------------------------------------------


@define(
    "draft",
    help="Begin an entry about a topic: a page with the questions that were asked, as a change request to finish and "
    "merge; with --apply as a file here. As soon as it is in the knowledge base, the gap is gone.",
    examples=(
        ("cairn gaps draft rate-limits --category operations", "as a change request"),
        ("cairn gaps draft rate-limits --apply", "as a file here"),
        ("cairn gaps draft rate-limits --dry-run", "only show it"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("topic", help="As `cairn gaps list` shows it.")
@click.option("--category", metavar="NAME", help="Folder of the corpus that it belongs to.")
@click.option("--corpus", metavar="NAME", help="Which corpus, where there are several.")
@click.option("--apply", is_flag=True, help="Write the file here, instead of opening a change request.")
@click.option("-n", "--dry-run", is_flag=True, help="Print the page, and write nothing.")
def draft_command(
    ctx: Invocation, topic: str, category: str | None, corpus: str | None, apply: bool, dry_run: bool
) -> int:
    from cairn.observe.gap_draft import draft_gap

    with closing(ctx.app()) as app:
        drafted = draft_gap(
            app, topic, category=category, corpus=corpus, apply=apply, dry_run=dry_run, here=ctx.directory
        )
    if ctx.json:
        ctx.out.emit_json(drafted.json())
    else:
        _tell_draft(ctx, drafted)
    return 1 if drafted.held else 0


def _tell_draft(ctx: Invocation, drafted: "GapDraft") -> None:
    out, path = ctx.out, safe(drafted.added.path)
    if drafted.held:
        out.warn(f"no request was opened: {safe(drafted.held)}")
    elif drafted.request is not None:
        out.data(f"change request {drafted.request.id}: {safe(drafted.request.title)}")
        where = f"on the branch {safe(drafted.request.branch)}"
        out.say(f"next: answer its questions {where}, then `cairn change merge {drafted.request.id}`")
    elif drafted.written:
        out.data(path)
        out.say("next: answer its questions, then commit it")
    else:
        out.data(drafted.added.text.rstrip("\n"))
        out.say(f"would be {path}; nothing was written")
    if not drafted.signals:
        out.say("nobody has signalled this topic; it is drafted all the same")


@define(
    "scan",
    help="List the topics that a file of lessons marks as missing: `<!-- gap-topic: name -->` or `missing knowledge: "
    "name`. Records nothing; `cairn gaps list` reads the file in `observe.lessons` anyway.",
    examples=(
        ("cairn gaps scan tasks/lessons.md", "what would be counted"),
        ("cairn gaps scan tasks/lessons.md --json", "for a program"),
    ),
    exits=(0, 2, 5),
)
@argument("file", help="A text file.")
def scan_command(ctx: Invocation, file: str) -> int:
    from cairn.observe.gap_signals import scan_lessons

    found = scan_lessons(_text(ctx.directory / file, file))
    if ctx.json:
        ctx.out.emit_json({"file": file, "topics": [lesson._asdict() for lesson in found]})
    elif found:
        ctx.out.table([[f"{one.line:,}", one.topic, safe(one.excerpt)] for one in found], header=("line", "topic", ""))
    else:
        ctx.out.data("no topics")
    return 0


def _text(path: Path, shown: str) -> str:
    if path.exists() and not path.is_file():
        raise UsageError(f"`{shown}` is no file of text; name one.")
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise NotFound(f"`{shown}` cannot be read: {(error.strerror or 'no reason given').lower()}.") from None
    if len(data) > _LARGEST:
        raise UsageError(f"`{shown}` is larger than 4 MB; that is no file of lessons.")
    return data.decode("utf-8", "replace")


@define(
    "tail",
    help="Print what a prompt can end with, so that an agent says what it did not find. Empty with "
    "CAIRN_GAP_SIGNAL_QUIET=1, or when `observe.gap_tail` is false.",
    examples=(
        ("cairn gaps tail", "for any prompt"),
        ("cairn gaps tail plan", "for the step `plan`"),
    ),
    timed=False,
)
@argument("step", required=False, default="", help="Name of the step that the prompt is for.")
def tail_command(ctx: Invocation, step: str) -> int:
    from cairn.core.gap_tail import tail_for

    with closing(ctx.app(reads=True)) as app:
        text = tail_for(app, step)
    if ctx.json:
        ctx.out.emit_json({"step": step, "text": text})
    elif text:
        ctx.out.data(text.rstrip("\n"))
    return 0


command = define_group(
    "gaps",
    [signal_command, list_command, topics_command, draft_command, scan_command, tail_command],
    help="List missing topics, and draft pages for them.",
    examples=(
        ("cairn gaps signal 'rate limits of the billing API'", "nobody wrote about this"),
        ("cairn gaps", "what to write next"),
        ("cairn gaps draft rate-limits", "begin an entry"),
    ),
    exits=(0, 1, 2, 3, 5),
    bare=list_command,
)
