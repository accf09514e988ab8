"""Replays the history of other people's repositories, to judge `check --diff` by what authors corrected.

usage: python bench/history.py [CLONE…] [--list FILE] [--clones DIR] [--out DIR] [--commits N] [--sample N] [--seed N]
                               [--excluded N] [--misses N] [--shown N] [--sheet N] [--jobs N] [--minutes N]

CLONE is a git directory or a work tree; FILE has one repository a line: `owner/name commit`, read from
DIR/owner+name/repo. Nothing is written to the clones, and only git is used to mine them. A case is a line of a document
that an author corrected because something left the code, or a value changed there. The replay asks `check --diff`, in
this process, about the commit that made the line wrong, with the documents as they were before. OUT gets `report.md`,
`report.json`, `cases.jsonl` (pointers with their outcome) and `asserted.jsonl` (lines at sampled commits); with --sheet
also `sheet.jsonl` and `judge.md` (for the judge) and `key.json` (not for the judge).

A repository whose history takes more than --minutes to mine is left out; and so is what its replay does
not reach in as many minutes. A commit has a minute. All of these are named.
"""

import argparse
import hashlib
import json
import os
import pickle
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from history_limits import OutOfTime, within
from history_mine import Case, Changed, mine
from history_process import InWorkTree
from history_replay import Outcome, Shown, documents_of, draw_cases, draw_commits, replay
from history_report import HistoryResult, markdown, summary
from history_sheet import write_sheet
from history_stream import open_source, stream
from history_survey import InProcess, Pages
from strangers_clones import CLONES, Repository, find_clone, git, read_list, select
from strangers_findings import Cairn

ALL = 1_000_000
TIMEOUT = 300.0
PARTS = "definitions filter mine paths stream values words".split()
MINER = b"".join((Path(__file__).parent / f"history_{part}.py").read_bytes() for part in PARTS)
"""The miner's own text, read when it starts: a history mined by another one is not used."""


class HistoryClone(NamedTuple):
    """A clone to read, and the commit at which its history ends."""

    name: str
    root: Path
    commit: str


class HistoryOptions(NamedTuple):
    commits: int
    sample: int
    seed: int
    kinds: tuple[str, ...]
    cache: Path | None
    groups: int
    """Commits with cases to replay for each repository; 0 for all."""
    program: Path | None
    scratch: Path
    minutes: float
    """To mine a repository, and again to replay it."""


def places(given: argparse.Namespace) -> Iterator[HistoryClone]:
    for root in given.clone:
        head = git(root, "rev-parse", "HEAD").decode().strip()
        yield HistoryClone(name_of(root), root, head)
    listed: list[Repository] = read_list(given.list) if given.list else []
    for repository in select(listed, given.repository):
        clone = find_clone(given.clones, repository)
        if clone is None:
            print(f"{repository.name}: no clone in {given.clones}; skipped", file=sys.stderr)
        else:
            yield HistoryClone(repository.name, clone, repository.commit)


def name_of(root: Path) -> str:
    inside = [part for part in root.resolve().parts if part not in ("repo", ".git")]
    return inside[-1].replace("+", "/")


class MinedHistory(NamedTuple):
    cases: list[Case]
    commits: list[Changed]
    """The first one is the opening tree."""
    missing: int


def mined_history(place: HistoryClone, commits: int, cache: Path | None) -> MinedHistory:
    """Mines the clone, or reads what the same miner found there before."""
    key = hashlib.sha256(MINER + repr((place.name, place.commit, commits)).encode()).hexdigest()[:24]
    kept = cache / f"{key}.pickle" if cache else None
    if kept and kept.exists():
        return MinedHistory(*pickle.loads(kept.read_bytes()))
    source = open_source(place.root, place.commit, commits)
    found = MinedHistory(*mine(stream(source, commits), place.name.split("/")[-1]), len(source.missing))
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(tuple(found)))
        part.replace(kept)
    return found


def surveyor_of(place: HistoryClone, wanted: HistoryOptions) -> InProcess | InWorkTree:
    if wanted.program is None:
        return InProcess(place.root, wanted.scratch / place.name.replace("/", "+"))
    cairn = Cairn(wanted.program.absolute(), wanted.scratch / "home", TIMEOUT)
    return InWorkTree(place.root, Repository(place.name, place.commit), wanted.scratch, cairn)


def run(place: HistoryClone, wanted: HistoryOptions) -> HistoryResult:
    started = time.perf_counter()
    with within(wanted.minutes * 60):
        cases, commits, missing = mined_history(place, wanted.commits, wanted.cache)
    mined = time.perf_counter()
    chosen = [case for case in cases if not case.excluded and (not wanted.kinds or case.kind in wanted.kinds)]
    sample = draw_commits(commits[1:], wanted.sample, f"{wanted.seed}:{place.name}")
    chosen = draw_cases(chosen, wanted.groups, f"{wanted.seed}:{place.name}")
    surveyor, pages = surveyor_of(place, wanted), Pages(place.root)
    try:
        replayed = replay(chosen, sample, surveyor, pages, mined + wanted.minutes * 60)
    finally:
        pages.close()
    ended = time.perf_counter()
    return HistoryResult(
        place.commit,
        len(commits),
        missing,
        surveyor.lacking,
        tuple(cases),
        replayed,
        mined - started,
        ended - mined,
    )


def run_all(chosen: Sequence[HistoryClone], wanted: HistoryOptions, jobs: int) -> Iterator[tuple[str, HistoryResult]]:
    """Yields each repository's result; one that fails is named and skipped."""
    if jobs < 2:
        runs: Iterator[HistoryResult | str] = (attempt(place, wanted) for place in chosen)
        yield from finished(chosen, runs)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from finished(chosen, pool.map(attempt, chosen, [wanted] * len(chosen)))


def attempt(place: HistoryClone, wanted: HistoryOptions) -> HistoryResult | str:
    try:
        return run(place, wanted)
    except (Exception, SystemExit, OutOfTime) as problem:
        return f"{type(problem).__name__}: {problem}"


def finished(
    chosen: Sequence[HistoryClone], runs: Iterator[HistoryResult | str]
) -> Iterator[tuple[str, HistoryResult]]:
    for place, one in zip(chosen, runs, strict=True):
        if isinstance(one, str):
            print(f"{place.name}: skipped, {one}", file=sys.stderr)
            continue
        seconds = f"mined in {one.mining:.1f} s, replayed in {one.replaying:.1f} s"
        print(f"{place.name}: {one.commits} commits, {len(one.replayed.outcomes)} cases; {seconds}", file=sys.stderr)
        for problem in one.replayed.crashes:
            print(f"  {problem}", file=sys.stderr)
        yield place.name, one


def pointer(repository: str, one: Outcome) -> dict[str, Any]:
    """A case as it may be committed: where it is, and nothing that others wrote."""
    return {
        "repository": repository,
        "before": one.case.parent,
        "after": one.case.commit,
        "documents": documents_of(one.case),
        "fix": one.case.fix,
        "path": one.case.path,
        "line": one.line,
        "hash": hashlib.sha256(one.case.text.encode()).hexdigest()[:16],
        "kind": one.case.kind,
        "form": one.case.form,
        "found": one.by if one.found else "",
    }


def asserted(repository: str, one: Shown, kind: str) -> dict[str, Any]:
    return {
        "repository": repository,
        "commits": kind,
        "before": one.commit.parent,
        "after": one.commit.id,
        "documents": one.commit.parent if kind == "both" else one.commit.id,
        "path": one.asserted.path,
        "line": one.asserted.line,
        "reason": one.asserted.reason,
        "written": one.asserted.written,
        "message": one.asserted.message,
        "text": one.text,
        "edited": one.edited if kind == "both" else None,
    }


def write_lines(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


def write(out: Path, results: dict[str, HistoryResult]) -> list[dict[str, Any]]:
    """Writes the report and the lists; returns the asserted lines."""
    out.mkdir(parents=True, exist_ok=True)
    total = summary(results)
    (out / "report.md").write_text(markdown(total) + "\n", "utf-8")
    (out / "report.json").write_text(json.dumps(total, indent=1, ensure_ascii=False) + "\n", "utf-8")
    every = [(name, one.replayed) for name, one in results.items()]
    write_lines(out / "cases.jsonl", (pointer(name, one) for name, run in every for one in run.outcomes))
    both = [asserted(name, one, "both") for name, run in every for one in run.shown]
    ordinary = [asserted(name, one, "ordinary") for name, run in every for one in run.noise]
    write_lines(out / "asserted.jsonl", iter(both + ordinary))
    return both + ordinary


def print_cases(cases: Sequence[tuple[str, Case]], count: int, seed: int, title: Callable[[Case], str]) -> None:
    """Prints a sample of cases, with the evidence that a reader needs."""
    for name, case in random.Random(seed).sample(cases, min(count, len(cases))):
        print(
            f"\n{name} {title(case)} {case.kind} {case.commit[:10]} (fixed in {case.fix[:10]}) {case.path}:{case.line}"
        )
        print(f"  | {case.text.strip()[:200]}")
        for loss in case.losses[:3]:
            print(f"  {loss.form or '-'} {loss.written}: {loss.evidence[:200]}")


def print_shown(name: str, one: Shown, kind: str) -> None:
    state = "edited" if one.edited else kind
    print(f"\n{name} [{one.asserted.reason}] {state} {one.commit.id[:10]} {one.asserted.path}:{one.asserted.line}")
    print(f"  | {one.text.strip()[:200]}\n  {one.asserted.message[:300]}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", nargs="*", type=Path, help="git directories or work trees")
    parser.add_argument("--list", type=Path, help="repositories, one a line: owner/name commit")
    parser.add_argument("--clones", type=Path, default=CLONES, help="the folder of the clones of the list")
    parser.add_argument("--repository", action="append", default=[], help="only repositories whose name contains this")
    parser.add_argument("--out", type=Path, help="a folder for the report and the lists")
    parser.add_argument("--commits", type=int, default=ALL, help="read only this many latest commits")
    parser.add_argument("--sample", type=int, default=25, help="commits of each sort to replay, for each repository")
    parser.add_argument("--kind", action="append", default=[], help="only cases of this kind: same, late, values")
    parser.add_argument("--cache", type=Path, help="a folder for mined histories, to mine each only once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", type=int, default=0, help="replay only this many commits with cases")
    parser.add_argument("--command", type=Path, help="run this cairn program in work trees, instead of this process")
    parser.add_argument("--scratch", type=Path, help="keep the work trees in this folder")
    parser.add_argument("--excluded", type=int, default=0, metavar="N", help="print N excluded cases")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="print N cases that count")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="print N cases that were not found")
    parser.add_argument("--shown", type=int, default=0, metavar="N", help="print N asserted lines that were not edited")
    parser.add_argument("--sheet", type=int, default=0, metavar="N", help="draw N asserted lines for a blind judge")
    parser.add_argument("--jobs", type=int, default=1, help="repositories to read at the same time")
    parser.add_argument("--minutes", type=float, default=10, help="time to mine a repository, and again to replay it")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    chosen = list(places(given))
    if not chosen:
        sys.exit("name a clone, or a list with --list and the folder of its clones with --clones")
    scratch = given.scratch or Path(tempfile.mkdtemp(prefix="history-"))
    wanted = HistoryOptions(
        given.commits,
        given.sample,
        given.seed,
        tuple(given.kind),
        given.cache,
        given.groups,
        given.command,
        scratch,
        given.minutes,
    )
    results: dict[str, HistoryResult] = {}
    rows: list[dict[str, Any]] = []
    try:
        for name, one in run_all(chosen, wanted, given.jobs):
            results[name] = one
            if given.out:  # after each repository, so that a run that is ended leaves something
                rows = write(given.out, results)
    finally:
        if given.scratch is None:
            shutil.rmtree(scratch, ignore_errors=True)
    print(markdown(summary(results)))
    report_samples(given, results)
    if given.out and given.sheet:
        clones = {place.name: place.root for place in chosen}
        count = write_sheet(given.out, rows, clones, given.clones, given.sheet, given.seed)
        print(f"{given.out / 'sheet.jsonl'}: {count} items for the judge", file=sys.stderr)


def report_samples(given: argparse.Namespace, results: dict[str, HistoryResult]) -> None:
    every = [(name, case) for name, one in results.items() for case in one.cases]
    print_cases(
        [(name, case) for name, case in every if case.excluded],
        given.excluded,
        given.seed,
        lambda one: f"[{one.excluded}]",
    )
    print_cases(
        [(name, case) for name, case in every if not case.excluded], given.cases, given.seed, lambda _: "[case]"
    )
    missed = [(name, one.case) for name, run in results.items() for one in run.replayed.outcomes if not one.found]
    print_cases(missed, given.misses, given.seed, lambda _: "[missed]")
    shown = [(name, one, "not edited") for name, run in results.items() for one in run.replayed.shown if not one.edited]
    shown += [(name, one, "ordinary") for name, run in results.items() for one in run.replayed.noise]
    for name, one, kind in random.Random(given.seed).sample(shown, min(given.shown, len(shown))):
        print_shown(name, one, kind)


if __name__ == "__main__":
    main()
