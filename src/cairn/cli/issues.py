"""Issues as people read them: by file, with the line, the worst first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from cairn.cli.output import Output, safe
from cairn.core.model.issue import Issue, Severity

_WORD = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "note"}
_COLOR = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "blue"}


def _nobody(path: str) -> tuple[str, ...]:  # noqa: ARG001
    return ()


def print_issues(out: Output, issues: Sequence[Issue], owners_of: Callable[[str], tuple[str, ...]] = _nobody) -> None:
    """One block for each file, with its owners at the top."""
    ordered = sorted(issues, key=lambda issue: (issue.path, issue.line or 0, issue.analyzer))
    for path, group in groupby(ordered, key=lambda issue: issue.path):
        owners = f"  {out.style(safe(' '.join(owners_of(path))), 'dim')}" if owners_of(path) else ""
        out.data(out.style(safe(path), "bold") + owners)
        for issue in group:
            for line in _block(out, issue):
                out.data(line)
        out.data("")


def _block(out: Output, issue: Issue) -> Iterator[str]:
    """The problem, the evidence, the fix."""
    from cairn.core.model.issue import places_of

    yield _line(out, issue)
    first, *others = places_of(issue)
    if first.text:
        yield out.style(safe(f"{_INDENT}> {first.text}"), "cyan")
    for sentence in reasons(issue):
        yield f"{_INDENT}{safe(sentence)}"
    if others:
        shown = others if out.verbosity else others[:_PLACES]
        left = len(others) - len(shown)
        more = f" and {left:,} more (listed with -v and --json)" if left else ""
        yield f"{_INDENT}also {safe(', '.join(f'{place.path}:{place.line}' for place in shown))}{more}"
    if issue.fix:
        yield f"{_INDENT}{out.style(safe(f'Fix: {issue.fix.summary}'), 'dim')}"


def reasons(issue: Issue) -> Iterator[str]:
    """The evidence, and why it is only a note."""
    from cairn.core.model.issue import proofs_of

    yield from (f"Evidence: {proof.sentence}" for proof in proofs_of(issue))
    if issue.detail:
        yield f"{'A note, because' if issue.severity is Severity.INFO else 'Evidence:'} {issue.detail}"


def verdict(
    issues: Sequence[Issue],
    counts: Mapping[str, int],
    *,
    unread: bool,
    left_out: bool,
    asked: str = "",
    failed: bool = False,
    aside: int = 0,
) -> str:
    """The last line. Nothing is called free of problems that was not read, not asked for, or not checked."""
    if not counts["documents"] and not issues:
        return without_documents(unread=unread, left_out=left_out)
    few = aside > counts["documents"]
    only = "" if issues else asked + limits(unread=unread, failed=failed, few=few)
    return f"{tally(issues)}{only} ({looked(counts)})"


def limits(*, unread: bool, failed: bool, few: bool) -> str:
    """What "No problems found" does not cover. `few`: more documents were left out than checked."""
    where = " in the documents that were read" if unread else " in the documents that were checked" if few else ""
    return (" by the checks that did not fail" if failed else "") + where


def without_documents(*, unread: bool, left_out: bool) -> str:
    """The last line where nothing was checked."""
    return "No documents were checked" if left_out else "No documents were read" if unread else "No documents found"


def looked(counts: Mapping[str, int]) -> str:
    """`9 documents, 130 files`."""
    return ", ".join(
        f"{counts.get(key, 0):,} {key if counts.get(key) != 1 else key[:-1]}" for key in ("documents", "files")
    )


_INDENT = " " * 16
_PLACES = 6


def _line(out: Output, issue: Issue) -> str:
    place = f"{issue.line:>5}" if issue.line else "     "
    severity = out.style(f"{_WORD[issue.severity]:<7}", _COLOR[issue.severity])
    text = " ".join(issue.message.split())
    return f"{place}  {severity}  {safe(text)}  {out.style(issue.analyzer, 'dim')}"


def print_timings(out: Output, timings: Iterable[tuple[str, float]]) -> None:
    """Where the time went, with -vv."""
    lines = [f"{seconds:>7.2f} s  {stage}" for stage, seconds in timings]
    for line in lines or ["findings from the cache: nothing changed since they were computed"]:
        out.detail(line, level=2)


def tally(issues: Iterable[Issue]) -> str:
    """`2 errors, 1 warning, 4 notes`."""
    counts = dict.fromkeys(Severity, 0)
    for issue in issues:
        counts[issue.severity] += 1
    return counted(counts[Severity.ERROR], counts[Severity.WARN], counts[Severity.INFO])


def counted(errors: int, warnings: int, infos: int) -> str:
    words = [(errors, "error"), (warnings, "warning"), (infos, "note")]
    parts = [f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in words if number]
    return ", ".join(parts) or "No problems found"
