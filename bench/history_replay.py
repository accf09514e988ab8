"""Replays mined cases and sampled commits of one repository, and records what was asserted.

Recall: does the survey of the case's commit, with documents put back, name the line? Precision by proxy: at commits
that change code and documents, with documents put back, how many of the asserted lines did the author edit? Noise: how
many lines are asserted at commits that change code only?
"""

import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from history_mine import Case, Changed
from history_survey import Answer, Asserted, Pages, Surveyor
from history_words import code_lines, tokens

T = TypeVar("T")


class Outcome(NamedTuple):
    case: Case
    line: int
    """From 1, in the document at the case's commit; 0 where the text is not there."""
    found: bool
    by: str
    """The reason that the program gives."""


class Shown(NamedTuple):
    """An asserted line at a sampled commit."""

    commit: Changed
    asserted: Asserted
    text: str
    edited: bool


class Bearing(NamedTuple):
    """Other lines with code on the pages of asserted lines, and how many of them the author edited."""

    lines: int
    edited: int


class Replayed(NamedTuple):
    outcomes: tuple[Outcome, ...]
    both: int
    """Commits that change code and documents."""
    shown: tuple[Shown, ...]
    base: Bearing
    ordinary: int
    """Commits that change code only."""
    noise: tuple[Shown, ...]
    crashes: tuple[str, ...]


class Sample(NamedTuple):
    both: tuple[Changed, ...]
    ordinary: tuple[Changed, ...]


def draw_commits(commits: Sequence[Changed], count: int, seed: str) -> Sample:
    """Draws commits of both sorts; those that only create documents are of neither."""
    dice = random.Random(seed)
    both = [one for one in commits if one.code and any(one.edited.values())]
    ordinary = [one for one in commits if one.code and not one.documents]
    drawn = [dice.sample(pool, min(count, len(pool))) for pool in (both, ordinary)]
    order = {one.id: number for number, one in enumerate(commits)}
    return Sample(*(tuple(sorted(pool, key=lambda one: order[one.id])) for pool in drawn))


def draw_cases(cases: Sequence[Case], groups: int, seed: str) -> list[Case]:
    """The cases of at most this many commits; all of them for 0."""
    commits = sorted({case.commit for case in cases})
    kept = set(random.Random(seed).sample(commits, min(groups, len(commits))) if groups else commits)
    return [case for case in cases if case.commit in kept]


class InTime(Generic[T]):
    """Items until the clock, `time.perf_counter()`, says `until`."""

    def __init__(self, items: Sequence[T], until: float, name: str) -> None:
        self.items, self.until, self.name = items, until, name
        self.reached = 0

    def __iter__(self) -> Iterator[T]:
        for item in self.items:
            if time.perf_counter() > self.until:
                return
            self.reached += 1
            yield item

    @property
    def left(self) -> list[str]:
        """What was not reached, for the reader."""
        count = len(self.items) - self.reached
        return [f"out of time: {count} of {len(self.items)} {self.name} left out"] if count else []


def documents_of(case: Case) -> str:
    """The tree whose documents are judged: put back to the parent's where the commit itself corrected the line."""
    return case.commit if case.late else case.parent


def replay_cases(
    cases: Iterable[Case], surveyor: Surveyor, pages: Pages, until: float
) -> tuple[list[Outcome], list[str]]:
    grouped: dict[tuple[str, str, str], list[Case]] = defaultdict(list)
    for case in cases:
        grouped[case.parent, case.commit, documents_of(case)].append(case)
    outcomes, crashes = [], []
    timed = InTime(list(grouped.items()), until, "commits with cases")
    for (parent, commit, documents), group in timed:
        answer = surveyor.ask(parent, commit, documents)
        crashes += [f"{commit}: {answer.crash}"] if answer.crash else []
        outcomes += [outcome(case, answer, pages.lines(documents, case.path)) for case in group]
    return outcomes, crashes + timed.left


def outcome(case: Case, answer: Answer, page: Sequence[str]) -> Outcome:
    """A line counts as named wherever the document has its text."""
    places = [number for number, text in enumerate(page, 1) if text.rstrip("\r") == case.text]
    named = [one for one in answer.asserted if one.path == case.path and one.line in places]
    line = case.line if case.line in places else (places or [0])[0]
    return Outcome(case, line, bool(named), named[0].reason if named else "")


def replay_both(commits: Iterable[Changed], surveyor: Surveyor, pages: Pages) -> tuple[list[Shown], Bearing, list[str]]:
    """Without pages that the commit removes or moves: put back, they would stand where nothing else is any more."""
    shown, crashes = [], []
    lines = edited = 0
    for commit in commits:
        answer = surveyor.ask(commit.parent, commit.id, commit.parent)
        crashes += [f"{commit.id}: {answer.crash}"] if answer.crash else []
        asserted = [one for one in answer.asserted if pages.lines(commit.id, one.path)]
        shown += [show(commit, one, pages, commit.parent) for one in asserted]
        for path in sorted({one.path for one in asserted}):
            known = {one.line for one in asserted if one.path == path}
            others = [number for number in bearing_lines(pages.lines(commit.parent, path), path) if number not in known]
            lines += len(others)
            edited += sum(number in commit.edited.get(path, ()) for number in others)
    return shown, Bearing(lines, edited), crashes


def replay_ordinary(commits: Iterable[Changed], surveyor: Surveyor, pages: Pages) -> tuple[list[Shown], list[str]]:
    shown, crashes = [], []
    for commit in commits:
        answer = surveyor.ask(commit.parent, commit.id, commit.id)
        crashes += [f"{commit.id}: {answer.crash}"] if answer.crash else []
        shown += [show(commit, one, pages, commit.id) for one in answer.asserted]
    return shown, crashes


def show(commit: Changed, one: Asserted, pages: Pages, documents: str) -> Shown:
    page = pages.lines(documents, one.path)
    text = page[one.line - 1] if 0 < one.line <= len(page) else ""
    return Shown(commit, one, text, one.line in commit.edited.get(one.path, ()))


def bearing_lines(page: Sequence[str], path: str) -> list[int]:
    """Numbers of the lines that write something as code."""
    marked = code_lines(page, path.lower().endswith(".rst"))
    return [number for number, text in enumerate(page, 1) if text.strip() and tokens(text, marked[number - 1])]


def replay(
    cases: Sequence[Case], sample: Sample, surveyor: Surveyor, pages: Pages, until: float = float("inf")
) -> Replayed:
    """Replays until the clock, `time.perf_counter()`, says `until`."""
    outcomes, crashed = replay_cases(cases, surveyor, pages, until)
    both = InTime(sample.both, until, "commits that change code and documents")
    shown, base, also = replay_both(both, surveyor, pages)
    ordinary = InTime(sample.ordinary, until, "commits that change code only")
    noise, too = replay_ordinary(ordinary, surveyor, pages)
    crashes = (*crashed, *also, *both.left, *too, *ordinary.left)
    return Replayed(tuple(outcomes), both.reached, tuple(shown), base, ordinary.reached, tuple(noise), crashes)
