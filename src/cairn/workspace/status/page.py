"""The page a person opens in the morning. Features add lines to it, each computed when somebody looks."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.model.event import Event
from cairn.core.model.issue import Severity
from cairn.errors import CairnError
from cairn.workspace.ports import WorkspacePorts
from cairn.workspace.status.context import SECTIONS, Level, Section, StatusContext, StatusLine, ago, counted, listed

_DAY_MS = 86_400_000
_TOP = 3


StatusSource = Callable[[StatusContext], Iterator[StatusLine]]


class Status(NamedTuple):
    lines: tuple[StatusLine, ...]
    problems: tuple[str, ...]
    """Sources that failed, each with why."""

    def of(self, section: Section) -> list[StatusLine]:
        return [line for line in self.lines if line.section == section]

    def json(self) -> dict[str, Any]:
        return {
            "sections": {section: [line.json() for line in self.of(section)] for section in SECTIONS},
            "problems": list(self.problems),
        }


def status(
    ports: WorkspacePorts, *, by_category: bool = False, sources: "tuple[tuple[str, StatusSource], ...] | None" = None
) -> Status:
    """All lines, in the order of the sources; a source that fails is named and takes no other with it."""
    desk = StatusContext(ports, by_category=by_category)
    lines: list[StatusLine] = []
    problems: list[str] = []
    for name, source in SOURCES if sources is None else sources:
        try:
            lines += list(source(desk))
        except CairnError as error:
            problems.append(f"{name}: {error.message}")
        except Exception as error:  # one broken line must not cost a person the page
            problems.append(f"{name}: {type(error).__name__}: {error}")
    return Status(tuple(lines), tuple(dict.fromkeys(problems)))


# --- waits for you ----------------------------------------------------------------------------------------------------


def _unscanned(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.store is None:
        yield StatusLine("waits", "nothing was scanned yet", "warn", "cairn scan")


def _problems(desk: StatusContext) -> Iterator[StatusLine]:
    """One line for the errors and one for the warnings: how many, of which rules, in which files most."""
    levels: tuple[tuple[Severity, str, Level], ...] = (
        (Severity.ERROR, "error", "error"),
        (Severity.WARN, "warning", "warn"),
    )
    for severity, word, level in levels:
        issues = [i for i in desk.issues if i.severity == severity and i.analyzer not in _SETTLED_BY_HAND]
        if issues:
            rules = Counter(issue.analyzer for issue in issues)
            files = Counter(issue.path for issue in issues)
            text = f"{counted(len(issues), word)} in {_spread(files)}: {listed(rules)}"
            data = {"count": len(issues), "rules": dict(rules.most_common()), "files": dict(files.most_common(_TOP))}
            yield StatusLine("waits", text, level, "cairn check", data)


def _spread(files: Counter[str]) -> str:
    """In how many files, and which of them has most, if one has."""
    (path, most), *others = files.most_common(2)
    if not others:
        return path
    stands_out = most > others[0][1]
    return f"{len(files):,} files" + (f", {most:,} of them in {path}" if stands_out else "")


_SETTLED_BY_HAND = ("auto-rename-medium", "auto-rename-ambiguous", "orphan")


def _moves(desk: StatusContext) -> Iterator[StatusLine]:
    """Files that moved or went, where a person knows better than a scan."""
    if desk.store is None:
        return
    guessed = [issue for issue in desk.issues if issue.analyzer in _SETTLED_BY_HAND[:2]]
    if guessed:
        text = f"{counted(len(guessed), 'rename')} to confirm, such as {guessed[0].path}"
        yield StatusLine("waits", text, "warn", "cairn check --analyzers auto-rename-medium", {"count": len(guessed)})
    kept = [orphan for orphan in desk.store.orphans() if orphan.kept]
    if kept:
        text = f"{counted(len(kept), 'deleted file')} with stored data, such as {kept[0].path}"
        yield StatusLine("waits", text, "warn", "cairn orphans", {"count": len(kept)})


def _sources(desk: StatusContext) -> Iterator[StatusLine]:
    """Code that a page relies on and that is not what it was when somebody last looked."""
    if desk.store is None:
        return
    from cairn.freshness.drift import CHANGED, MISSING, drift_issues

    drifted = [issue for issue in drift_issues(desk.app) if issue.analyzer in (CHANGED, MISSING)]
    if drifted:
        pages = Counter(issue.path for issue in drifted)
        text = f"{counted(len(drifted), 'source')} changed or deleted since the last review: {listed(pages)}"
        yield StatusLine("waits", text, "warn", "cairn check", {"count": len(drifted), "pages": dict(pages)})


def _unread(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.knowledge_lines import out_of_reach, waiting_to_be_edited, waiting_to_be_read

    yield from waiting_to_be_edited(desk)
    yield from waiting_to_be_read(desk)
    yield from out_of_reach(desk)


def _questions(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.question_lines import questions

    yield from questions(desk)


def _changes(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.feature_lines import changes

    yield from changes(desk)


def _approval(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.knowledge.approve import unapproved, waiting_words

    waiting = unapproved(desk.app) if desk.store is not None else []
    if waiting:
        data = {"count": len(waiting), "pages": waiting[:20]}
        yield StatusLine("waits", waiting_words(len(waiting)), next="cairn approve", data=data)


def _turns(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.feature_lines import turns

    yield from turns(desk)


def _audits(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.feature_lines import audits

    yield from audits(desk)


def _gaps(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.feature_lines import gaps

    yield from gaps(desk)


def _curation(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.feature_lines import curation

    yield from curation(desk)


def _night(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.knowledge_lines import last_run

    yield from last_run(desk)


# --- since yesterday --------------------------------------------------------------------------------------------------


def _happened(desk: StatusContext) -> Iterator[StatusLine]:
    """Events of the last 24 hours, by type."""
    since_ms = desk.now_ms - _DAY_MS
    scans = desk.events("scan_completed", since_ms=since_ms)
    if scans:
        sums = {key: sum(_number(scan, key) for scan in scans) for key in ("added", "changed", "removed", "renamed")}
        moved = ", ".join(f"{counted(number, 'document')} {key}" for key, number in sums.items() if number) or "none"
        yield StatusLine("happened", f"{counted(len(scans), 'scan')} with changes: {moved}", data=sums)
    others = Counter({k: n for k, n in desk.event_counts(since_ms).items() if not k.startswith(_SAID_ELSEWHERE)})
    for kind, count in others.most_common():
        yield StatusLine("happened", f"{count:,} × {kind.replace('_', ' ')}", data={"type": kind, "count": count})


_SAID_ELSEWHERE = ("scan_completed", "turn_", "watchdog_", "alert_")


def _number(event: Event, key: str) -> int:
    value = event.payload.get(key)
    return value if isinstance(value, int) else 0


# --- held back --------------------------------------------------------------------------------------------------------


def _held(desk: StatusContext) -> Iterator[StatusLine]:
    """What a scan passed over, and plugins that don't run."""
    for problem in desk.app.registry.problems:
        yield StatusLine("held", problem.sentence(), "warn", "cairn plugins doctor", {"plugin": problem.plugin})
    for failed in desk.findings.failed:
        yield StatusLine("held", f"not checked: {failed}", "warn", "cairn check")
    if left_out := desk.findings.left_out:
        yield StatusLine("held", f"left out of checks: {left_out}", "info", "cairn check --all")
    passed = Counter(i.analyzer for i in desk.issues if i.analyzer.startswith(("file-", "name-undec", "node-limit")))
    if passed:
        text = f"{counted(passed.total(), 'file')} not read: {listed(passed)}"
        yield StatusLine("held", text, "warn", "cairn check --all", {"rules": dict(passed.most_common())})


# --- health -----------------------------------------------------------------------------------------------------------


def _knowledge(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.workspace.status.knowledge_lines import corpora

    yield from corpora(desk)


def _graph(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    from cairn.graph.scan_request import size_of

    counts = desk.store.counts()
    broken = sum(i.analyzer == "reference-broken" and i.severity != Severity.INFO for i in desk.issues)
    text = f"graph: {size_of(counts, _kinds(desk))}"
    text += f", {counted(broken, 'broken link')}" if broken else ""
    yield StatusLine("health", text, data={"nodes": counts["nodes"], "links": counts["links"], "broken": broken})


def _kinds(desk: StatusContext) -> str:
    from cairn.core.model.graph import shown_kind

    assert desk.store is not None
    specs = (spec for provider in desk.app.registry.providers for spec in provider.manifest.kinds.items())
    virtual = {kind for kind, spec in specs if spec.virtual}
    kinds = {kind: number for kind, number in desk.store.kinds().items() if kind not in virtual}
    return listed(Counter({shown_kind(kind): number for kind, number in kinds.items()}))


def _age(desk: StatusContext) -> Iterator[StatusLine]:
    """When the last scan was, and whether files changed since."""
    if desk.store is None:
        return
    at = desk.store.meta().get("scanned_at_ms")
    if not isinstance(at, int):
        return
    changed = changed_files(desk)
    when = f"last scan {ago(desk.now_ms - at)}"
    if changed:
        text = f"{when}; {counted(changed, 'file')} changed since"
        yield StatusLine("health", text, "warn", "cairn scan", {"scannedAtMs": at, "changedFiles": changed})
    else:
        yield StatusLine("health", f"{when}, nothing changed since", data={"scannedAtMs": at, "changedFiles": 0})


def changed_files(desk: StatusContext) -> int:
    from cairn.graph.extraction import Providers
    from cairn.graph.ingest import compare

    app = desk.app
    providers = app.registry.providers
    suffixes = tuple(sorted({suffix for p in providers for suffix in p.manifest.extensions}))
    if not suffixes or desk.store is None:
        return 0
    walk = app.files.walk(app.scan_request().walk(suffixes))
    found = Providers(providers, None).wanted(walk.files)
    difference = compare(found, desk.store.file_facts(), lambda _: True)
    fresh = {file.path for file in difference.fresh}
    return len(fresh | set(difference.gone))


def _size(desk: StatusContext) -> Iterator[StatusLine]:
    location = desk.app.store_location
    if isinstance(location, Path) and location.is_file():
        beside = (location, location.with_name(f"{location.name}-wal"))
        size = sum(file.stat().st_size for file in beside if file.is_file())
        yield StatusLine("health", f"database: {size / 1_000_000:.1f} MB", data={"bytes": size})


def _kept(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.capture.retention import sizes, sizes_text

    found = sizes(desk.app)
    if text := sizes_text(found):
        yield StatusLine("health", f"kept: {text}", data=found)


# --- words ------------------------------------------------------------------------------------------------------------


SOURCES: tuple[tuple[str, StatusSource], ...] = (
    ("scan", _unscanned),
    ("issues", _problems),
    ("moves", _moves),
    ("sources", _sources),
    ("reading", _unread),
    ("questions", _questions),
    ("changes", _changes),
    ("approval", _approval),
    ("turns", _turns),
    ("curation", _curation),
    ("gaps", _gaps),
    ("audits", _audits),
    ("events", _happened),
    ("held back", _held),
    ("knowledge", _knowledge),
    ("nightly run", _night),
    ("graph", _graph),
    ("last scan", _age),
    ("database", _size),
    ("kept", _kept),
)
"""Who adds lines, in the order of the page. A feature adds one function here."""
