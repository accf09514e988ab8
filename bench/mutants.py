"""Does `cairn check --diff` notice what makes a sentence false, and keep quiet about the rest?

Each mutant is one change to a codebase (`mutation.py`). A falsifying one is killed when a sentence that names what it
changed is put in doubt; a neutral one should put nothing in doubt. Codebases are this project and those named on the
command line: any folder with code and Markdown.

    python bench/mutants.py ../some-checkout another/one
"""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cairn.freshness.anchors import Page
from cairn.freshness.code_index import CodeIndex, build_index
from cairn.freshness.delta import compare
from cairn.freshness.doubt import Doubt, Moments, could_concern, doubts
from cairn.kernel.ports.files import FoundFile
from cairn.kernel.ports.vcs import Change
from cairn.kernel.scope import Scope, scope_of
from cairn.kernel.text.frontmatter import parse
from measure import Row, table
from mutation import FALSIFYING, NEUTRAL, Mutant, Place, Tree, falsifying, neutral

HERE = Path(__file__).resolve().parent.parent
LARGEST = 1_000_000
_PASSED_OVER = frozenset({".git", ".venv", "node_modules", "__pycache__", ".cairn", ".tox", "dist", "build"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, help="codebases besides this project")
    parser.add_argument("--most", type=int, default=100, help="mutants of each kind and codebase")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="name survivors and false alarms")
    given = parser.parse_args()
    scores = [score(folder, given.most, given.seed, given.verbose) for folder in (HERE, *given.folders)]
    for one in scores:
        print(one.line())
    print(table(rows(scores)))


class Score(NamedTuple):
    name: str
    killed: Mapping[str, tuple[int, int]]
    """Of each falsifying kind: how many were noticed, and of how many."""
    alarms: Mapping[str, tuple[int, int]]
    """Of each neutral kind: how many were noticed, and of how many."""

    def line(self) -> str:
        said = [f"{kind} {found}/{of}" for kind, (found, of) in (*self.killed.items(), *self.alarms.items())]
        return f"{self.name:<28}{'  '.join(said)}"


def rows(scores: Collection[Score]) -> list[Row]:
    killed, false = total(s.killed for s in scores), total(s.alarms for s in scores)
    detail = ", ".join(f"{kind} {found}/{of}" for kind, (found, of) in per_kind(s.killed for s in scores).items())
    return [
        Row("falsifying mutants noticed", 100 * killed[0] / max(killed[1], 1), "%", 90, 90, detail, at_least=True),
        Row("false alarms", 1000 * false[0] / max(false[1], 1), "per 1,000", 5, 5, f"{false[0]} of {false[1]:,}"),
    ]


def per_kind(tallies: Iterator[Mapping[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    summed: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for tally in tallies:
        for kind, (found, of) in tally.items():
            summed[kind] = (summed[kind][0] + found, summed[kind][1] + of)
    return summed


def total(tallies: Iterator[Mapping[str, tuple[int, int]]]) -> tuple[int, int]:
    pairs = list(per_kind(tallies).values())
    return sum(found for found, _ in pairs), sum(of for _, of in pairs)


# --- one codebase ---------------------------------------------------------------------------------------------------


def score(folder: Path, most: int, seed: int, verbose: bool) -> Score:
    tree = read(folder)
    rng = random.Random(seed)
    state = Memory(tree)
    index = build_index(state)
    name = folder.resolve().name
    killed = tally(falsifying(tree, rng, most), FALSIFYING, lambda m: survivor(m, state, index, verbose))
    alarms = tally(neutral(tree, rng, most), NEUTRAL, lambda m: alarm(m, state, index, verbose))
    return Score(name, killed, alarms)


def tally(
    mutants: Collection[Mutant], kinds: Collection[str], noticed: Callable[[Mutant], bool]
) -> dict[str, tuple[int, int]]:
    found = {kind: [noticed(m) for m in mutants if m.kind == kind] for kind in kinds}
    return {kind: (sum(hits), len(hits)) for kind, hits in found.items()}


def survivor(mutant: Mutant, state: "Memory", index: CodeIndex, verbose: bool) -> bool:
    hit = {Place(d.document, d.line) for d in judged(mutant, state, index)}
    killed = any(near(place, hit) for place in mutant.expected)
    if verbose and not killed:
        where = ", ".join(f"{p.document}:{p.line}" for p in sorted(mutant.expected)[:2])
        print(f"  survived {mutant.kind}: {mutant.what} ({where})", file=sys.stderr)
    return killed


def near(place: Place, hit: Collection[Place]) -> bool:
    """A sentence starts on a line before the name that it has in it."""
    return any(place.document == other.document and 0 <= place.line - other.line <= 12 for other in hit)


def alarm(mutant: Mutant, state: "Memory", index: CodeIndex, verbose: bool) -> bool:
    found = judged(mutant, state, index)
    if verbose and found:
        first = found[0]
        print(f"  alarm {mutant.kind}: {mutant.what}: {first.document}:{first.line} {first.message}", file=sys.stderr)
    return bool(found)


def judged(mutant: Mutant, before: "Memory", index: CodeIndex) -> list[Doubt]:
    """As `check --diff` does it, with the names of all files read only once."""
    after = Memory({p: t for p, t in {**before.tree, **mutant.edits}.items() if t is not None})
    delta = compare(list(changes(mutant, before.tree)), before, after)
    current = [p for p in after.tree if p.endswith(".md") and scope_of(p) is Scope.CURRENT]
    documents = [p for p in current if could_concern(after.tree[p], delta)]
    now = index.at(delta.new, gone=delta.old.keys(), paths=(index.paths - delta.removed) | delta.added)
    pages = (Page(p, parsed.body, parsed.body_line) for p in documents if (parsed := parse(after.tree[p])))
    return doubts(pages, Moments(index, now, delta), lambda path: before.tree.get(path))


def changes(mutant: Mutant, tree: Tree) -> Iterator[Change]:
    for path, text in sorted(mutant.edits.items()):
        yield Change("removed" if text is None else "changed" if path in tree else "added", path)


class Memory:
    """A state of the repository that is nowhere on disk."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def facts(self) -> Mapping[str, FoundFile | None]:
        return dict.fromkeys(self.tree)

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        return {path: self.tree[path].encode() for path in paths if path in self.tree}


def read(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.is_symlink() and not _PASSED_OVER.intersection(parts):
            try:
                found["/".join(parts)] = path.read_text("utf-8") if path.stat().st_size < LARGEST else ""
            except UnicodeDecodeError:
                continue
    return found


if __name__ == "__main__":
    main()
