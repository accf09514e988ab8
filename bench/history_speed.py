"""Times a real `cairn check --diff A..B` on commits of repositories of about 2,000 files.

usage: python bench/history_speed.py LIST [--clones DIR] [--commits N] [--command PATH] [--out FILE]

The unit is `git diff A B` plus the start of a bare interpreter, each the mean of a run before and one after it,
since the load of a machine changes. Repositories with fewer than 1,000 or more than 5,000 files are skipped.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from history_process import InWorkTree, Timed
from strangers_clones import CLONES, Repository, find_clone, git, read_list, select
from strangers_findings import Cairn

HERE = Path(__file__).parent.parent / ".venv" / "bin" / "cairn"
FILES = range(1000, 5001)
LATEST = 400


def code_commits(clone: Path, head: str, count: int) -> list[tuple[str, str]]:
    """Evenly spread pairs of parent and commit among the latest ones."""
    rows = git(clone, "log", "--first-parent", f"-{LATEST}", "--format=%P %H", head).decode().splitlines()
    pairs = [(row.split()[0], row.split()[-1]) for row in rows if len(row.split()) > 1]
    step = max(1, len(pairs) // count)
    return pairs[::step][:count]


def measure(repository: Repository, clone: Path, given: argparse.Namespace, scratch: Path) -> Iterator[Timed]:
    cairn = Cairn(given.command.absolute(), scratch / "home", given.timeout)
    tree = InWorkTree(clone, repository, scratch, cairn)
    for before, after in code_commits(clone, repository.commit, given.commits):
        try:
            yield tree.time(before, after)
        except subprocess.CalledProcessError:  # the clone lacks a file of this commit
            print(f"{repository.name} {after}: can't be checked out; skipped", file=sys.stderr)
    shutil.rmtree(tree.root, ignore_errors=True)


def row(name: str, timed: Sequence[Timed]) -> str:
    ratios = sorted(one.ratio for one in timed)
    seconds = sorted(one.check for one in timed)
    p95, slow = at(ratios, 0.95), at(seconds, 0.95)
    return (
        f"| {name} | {len(timed)} | {statistics.median(ratios):.1f} | {p95:.1f} | {statistics.median(seconds):.2f}"
        f" | {slow:.2f} |"
    )


def at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, help="repositories, one a line: owner/name commit")
    parser.add_argument("--clones", type=Path, default=CLONES, help="the folder of the clones")
    parser.add_argument("--repository", action="append", default=[], help="only repositories whose name contains this")
    parser.add_argument("--commits", type=int, default=20, help="commits for each repository")
    parser.add_argument("--command", type=Path, default=HERE, help="the cairn program to run")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--out", type=Path, help="a file for the times, as JSON")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    scratch = Path(tempfile.mkdtemp(prefix="history-speed-"))
    results: dict[str, list[Timed]] = {}
    print("| repository | commits | ratio p50 | ratio p95 | seconds p50 | seconds p95 |\n|---|---|---|---|---|---|")
    try:
        for repository in select(read_list(given.list), given.repository):
            clone = find_clone(given.clones, repository)
            if clone and len(git(clone, "ls-tree", "-r", repository.commit).splitlines()) in FILES:
                timed = list(measure(repository, clone, given, scratch))
                if not timed:
                    continue
                results[repository.name] = timed
                print(row(repository.name, results[repository.name]), flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if every := [one for timed in results.values() for one in timed]:
        print(row("all", every))
    if given.out:
        times = {name: [one._asdict() for one in timed] for name, timed in results.items()}
        given.out.write_text(json.dumps(times, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
