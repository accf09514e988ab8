"""Plants faults in other people's repositories, and counts how many of them `cairn check` finds.

usage: python bench/plant.py LIST [--clones DIR] [--out DIR] [--faults N] [--seed N] [--command PATH]

LIST has one repository a line: `owner/name commit`. Each fault is a commit of its own on a scratch clone: a linked file
renamed, a heading changed, a symbol renamed or removed, a command removed, a version raised. `check` runs on a clone
without the faults and on one with them. A fault is found when a finding that only the second has names a line of a
document (one line more or less) that the fault made wrong.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from plant_faults import (
    Fault,
    Ground,
    changed_headings,
    raised_versions,
    removed_scripts,
    removed_targets,
    renamed_files,
    renamed_labels,
    survey,
)
from plant_symbols import changed_symbols
from strangers_clones import CLONES, Repository, find_clone, git, make_tree, read_list, select
from strangers_findings import Cairn, Finding, findings

HERE = Path(__file__).parent.parent / ".venv" / "bin" / "cairn"
NEAR = 1
LINKS = ("file renamed", "heading changed")


def choose(ground: Ground, wanted: int) -> list[Fault]:
    """Takes faults of all kinds in turn; none may move a file that another one relies on."""
    pools = [
        list(renamed_files(ground)),
        [*changed_headings(ground), *renamed_labels(ground)],
        list(changed_symbols(ground)),
        [*removed_targets(ground), *removed_scripts(ground)],
        list(raised_versions(ground)),
    ]
    for pool in pools:
        ground.dice.shuffle(pool)
    chosen: list[Fault] = []
    while len(chosen) < wanted and any(pools):  # one of each kind in every round
        for pool in pools:
            while pool and len(chosen) < wanted:
                one = pool.pop()
                if fits(one, chosen):
                    chosen.append(one)
                    break
    return chosen


def fits(one: Fault, chosen: Sequence[Fault]) -> bool:
    """Whether the fault leaves alone what the chosen ones rely on, and the other way round."""
    if not one.mentions:
        return False
    apart = all(not (one.moves & (other.uses | other.moves)) and not (one.uses & other.moves) for other in chosen)
    lines = set(chain.from_iterable(other.mentions for other in chosen))
    return apart and not lines & set(one.mentions)


def plant_all(root: Path, faults: Sequence[Fault]) -> None:
    for one in faults:
        one.plant(root)
        git(root, "add", "--update")
        written = git(root, "write-tree", "--missing-ok").decode().strip()
        made = git(root, "commit-tree", written, "-p", "HEAD", "-m", f"Change {one.what}").decode().strip()
        git(root, "update-ref", "HEAD", made)


def finders(one: Fault, new: Sequence[Finding]) -> list[Finding]:
    """New findings that name a line that the fault made wrong."""
    near = {(path, line + step) for path, line in one.mentions for step in range(-NEAR, NEAR + 1)}
    return [found for found in new if found.places & near]


def result(one: Fault, new: Sequence[Finding]) -> dict[str, Any]:
    by = finders(one, new)
    named = {place for place in one.mentions if any(finders(one._replace(mentions=(place,)), by))}
    return {
        "kind": one.kind,
        "what": one.what,
        "mentions": [f"{path}:{line}" for path, line in one.mentions],
        "mentionsNamed": len(named),
        "found": bool(by),
        "by": sorted({f"{found.rule}/{found.severity}" for found in by}),
    }


def checked(cairn: Cairn, root: Path) -> tuple[list[Finding], str]:
    started, ran = cairn.start(root), cairn.check(root)
    return findings(ran.answer), started.crash or ran.crash


def measure(cairn: Cairn, repository: Repository, given: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    clone = find_clone(given.clones, repository)
    if clone is None:
        return {"commit": repository.commit, "crashes": ["no clone"], "faults": [], "newFindings": 0}
    flat = repository.name.replace("/", "+")
    with_faults = make_tree(clone, repository, scratch / f"{flat}-after")
    without = make_tree(clone, repository, scratch / f"{flat}-before")
    faults = choose(survey(with_faults, given.seed), given.faults)
    plant_all(with_faults.root, faults)
    roots = [] if given.dry_run else [without.root, with_faults.root]
    ran = [checked(cairn, root) for root in roots] or [([], ""), ([], "")]
    before, after = ran[0][0], ran[1][0]
    crashes = [crash for _, crash in ran if crash]
    known = {(*one.identity, one.rule) for one in before}
    new = [one for one in after if (*one.identity, one.rule) not in known]
    rows = [result(one, new) for one in faults]
    explained = {found for one in faults for found in finders(one, new)}
    stray = [f"{one.path}:{one.line} [{one.rule}] {one.message}" for one in new if one not in explained]
    return {
        "commit": repository.commit,
        "crashes": crashes,
        "faults": rows,
        "newFindings": len(new),
        "unexplained": stray,
    }


def report(results: dict[str, dict[str, Any]]) -> str:
    faults = [(name, row) for name, of in results.items() for row in of["faults"]]
    lines = [
        f"{name}: {len(of['faults'])} faults, {' '.join(of['crashes']) or 'no crash'}" for name, of in results.items()
    ]
    lines += ["", "| kind | planted | found | % | mentions named |", "|---|---|---|---|---|"]
    kinds = sorted({row["kind"] for _, row in faults})
    groups = {kind: [row for _, row in faults if row["kind"] == kind] for kind in kinds}
    groups["links (file, heading)"] = [row for _, row in faults if row["kind"] in LINKS]
    groups["all"] = [row for _, row in faults]
    lines += [summary(kind, rows) for kind, rows in groups.items() if rows]
    rules = Counter(rule for _, row in faults for rule in row["by"])
    lines += ["", "found by: " + (", ".join(f"{rule} {count}" for rule, count in rules.most_common()) or "none")]
    missed = [(name, row) for name, row in faults if not row["found"]]
    lines += ["", f"missed ({len(missed)}):"]
    lines += [f"- {name}: {row['kind']}: {row['what']}; {', '.join(row['mentions'])}" for name, row in missed]
    return "\n".join(lines)


def summary(kind: str, rows: Sequence[dict[str, Any]]) -> str:
    found = sum(row["found"] for row in rows)
    named, of = sum(row["mentionsNamed"] for row in rows), sum(len(row["mentions"]) for row in rows)
    return f"| {kind} | {len(rows)} | {found} | {100 * found / len(rows):.0f} | {named} of {of} |"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, help="repositories, one a line: owner/name commit")
    parser.add_argument("--clones", type=Path, default=CLONES, help="the folder of the clones")
    parser.add_argument("--out", type=Path, help="a folder for plant.json and plant.md")
    parser.add_argument("--faults", type=int, default=10, help="faults for each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", type=Path, default=HERE, help="the cairn program to run")
    parser.add_argument("--repository", action="append", default=[], help="only repositories whose name contains this")
    parser.add_argument("--timeout", type=float, default=600, help="seconds after which a run is ended")
    parser.add_argument("--scratch", type=Path, help="keep the work trees in this folder")
    parser.add_argument("--dry-run", action="store_true", help="plant, and don't run cairn")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    if not given.command.exists() and not given.dry_run:
        sys.exit(f"{given.command} does not exist; run `make env`, or name the program with --command")
    scratch = given.scratch or Path(tempfile.mkdtemp(prefix="plant-"))
    try:
        cairn = Cairn(given.command.absolute(), scratch / "home", given.timeout)
        chosen = select(read_list(given.list), given.repository)
        results = {repository.name: measure(cairn, repository, given, scratch) for repository in chosen}
    finally:
        if given.scratch is None:
            shutil.rmtree(scratch, ignore_errors=True)
    print(report(results))
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "plant.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (given.out / "plant.md").write_text(report(results) + "\n", "utf-8")


if __name__ == "__main__":
    main()
