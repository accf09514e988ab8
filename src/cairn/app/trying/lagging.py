"""Documents that lag behind the code: what `cairn check --diff` would have said when the code was changed.

For each commit that wrote lines about code, everything that changed since then is compared with those lines. Only what
a sentence says and what is surely no longer so is told, and only if no other finder has told it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.adapters.vcs.git import Git
from cairn.app.trying.changed import KIND as CHANGED
from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.gone import KIND as GONE
from cairn.app.trying.gone import excused
from cairn.app.trying.ground import Ground, Page
from cairn.app.trying.naming import written_by
from cairn.freshness.code_index import Reading, is_code
from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.signature import difference
from cairn.freshness.states import Span
from cairn.freshness.survey import Ports, survey
from cairn.kernel.places import is_code_noise
from cairn.kernel.ports.vcs import Commit
from cairn.kernel.text.tense import is_example

_MOST_COMMITS = 12
_MOST_FILES = 3_000
_GONE = (Reason.REMOVED, Reason.RENAMED)
_WORD = re.compile(r"\w+")


def find(ground: Ground) -> Iterator[Finding]:
    if not ground.has_past or not ground.documents:
        return
    if sum(map(is_code, ground.paths)) > _MOST_FILES:
        ground.deadline.say("values of the code, which is large, when looking for documents that lag behind")
        return
    causes: dict[str, list[Lag]] = defaultdict(list)
    for lag in _lags(ground):
        if (lag.page.path, lag.doubt.line) not in ground.told:
            causes[lag.doubt.message].append(lag)
    yield from (_finding(lags) for lags in causes.values())


class Lag(NamedTuple):
    page: Page
    doubt: Doubt
    written: Commit
    """When the line was."""


def _lags(ground: Ground) -> Iterator[Lag]:
    ports = Ports(ground.files, Git(ground.root), ground.store, Reading(ground.probe, memory={}))
    for commit, lines in _written(ground):
        if ground.deadline.over():
            ground.deadline.say("some older commits")
            return
        for doubt in _doubts(ground, ports, commit, lines):
            page = ground.page(doubt.document)
            if page is not None and page.prose_lines[doubt.line - 1].strip() and not _is_excused(page, doubt):
                yield Lag(page, doubt, commit)


def _written(ground: Ground) -> Iterator[tuple[Commit, dict[str, set[int]]]]:
    """Commits with the lines that they wrote and that have code in them, those with most lines first."""
    found: dict[Commit, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for page in ground.pages(history=False):
        if ground.deadline.over():
            break
        lines = [number for number, text in enumerate(page.prose_lines, 1) if "`" in text]
        for line, commit in (written_by(ground, page, lines) if lines else {}).items():
            found[commit][page.path].add(line)
    sizes = Counter({commit: sum(map(len, pages.values())) for commit, pages in found.items()})
    for commit, _ in sizes.most_common(_MOST_COMMITS):
        yield commit, found[commit]


def _doubts(ground: Ground, ports: Ports, commit: Commit, lines: dict[str, set[int]]) -> Iterator[Doubt]:
    found = survey(Span(commit.id, None), list(lines), ports).doubts
    certain = [doubt for doubt in found if doubt.certain and doubt.line in lines[doubt.document]]
    present = _present(ground, (doubt for doubt in certain if doubt.reason in _GONE and _names(doubt)))
    for doubt in certain:
        if _is_of_a_flag(doubt) or (doubt.reason in _GONE and doubt.written not in present):
            yield doubt


def _is_of_a_flag(doubt: Doubt) -> bool:
    """Whether the sentence gives what a flag was, and not what it is; of other values `changed` tells."""
    if doubt.reason is not Reason.CHANGED or not doubt.old.startswith("--"):
        return False
    return not difference(doubt.new, doubt.old).stands_in(doubt.sentence)


def _names(doubt: Doubt) -> bool:
    """A symbol, and not a file."""
    return bool(doubt.old)


def _present(ground: Ground, doubts: Iterable[Doubt]) -> set[str]:
    """Which of the names as they are written some code still has in it, whatever it means there."""
    names = {doubt.written: _literal(doubt.written) for doubt in doubts}
    if not names:
        return set()
    seen = [
        line.text for line in ground.past.words("HEAD", sorted(set(names.values()))) if not is_code_noise(line.path)
    ]
    return {written for written, name in names.items() if any(_stands(name, text) for text in seen)}


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _literal(written: str) -> str:
    """The part of a name that must stand wherever it is defined."""
    if flag := re.search(r"--[\w-]+", written):
        return flag[0]
    words = _WORD.findall(written.partition("(")[0])
    return words[-1] if words else written


def _finding(lags: Sequence[Lag]) -> Finding:
    """One for all sentences that the same change made false."""
    doubt, written = lags[0].doubt, lags[0].written
    when = f"when the line was written ({written.short}, {written.date})"
    because = f"it was `{doubt.old[:100]}` {when}" if doubt.old else f"it was there {when}"
    evidence = [lag.page.evidence(lag.doubt.line) for lag in lags[:2]]
    if doubt.code_line:
        evidence.append(Evidence(doubt.path, doubt.code_line, doubt.new[:160]))
    kind = CHANGED if doubt.reason is Reason.CHANGED else GONE
    fix = "Say what holds today, or drop the sentence."
    return Finding(kind, doubt.message, tuple(evidence), because, fix, 0.88, 0.93, more=max(0, len(lags) - 2))


def _is_excused(page: Page, doubt: Doubt) -> bool:
    return excused(page, doubt.line) or is_example(doubt.sentence)
