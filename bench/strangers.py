"""Runs Cairn over other people's repositories and writes a sheet of its findings for a blind judge.

usage: python bench/strangers.py LIST [--clones DIR] [--out DIR] [--sample N] [--seed N] [--command PATH] [--only WHAT]
       python bench/strangers.py --score SHEET KEY

LIST has one repository a line: `owner/name commit`. Clones are read from DIR/owner+name/repo, bare or not; nothing is
written to them. OUT gets `table.md`, `table.json`, `judge.md` and `sheet.jsonl` (for the judge), and `key.json` (not
for the judge). The judge needs the work trees: keep them with --scratch.
Times are ratios to `git log --raw -2000` in the same run. SHEET is the filled sheet, or a folder of several.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from strangers_clones import CLONES, Repository, Tree, find_clone, git, make_tree, read_list, select
from strangers_decoys import decoys
from strangers_findings import Cairn, Finding, Ran, bare_git_log, findings
from strangers_score import report, score
from strangers_sheet import HOW_TO_JUDGE, Item, decoys_wanted, dice_for, draw, write

HERE = Path(__file__).parent.parent / ".venv" / "bin" / "cairn"
NOT_CODE = (".md", ".markdown", ".mdx", ".rst", ".txt", ".lock", ".json", ".yml", ".yaml", ".toml", ".png", ".svg")


class Measured(NamedTuple):
    tree: Tree
    runs: dict[str, Ran]
    units: dict[str, float]
    """Seconds of a bare `git log` right before each run, since the load of a machine changes."""
    found: dict[str, list[Finding]]
    notes: list[str]

    def facts(self) -> dict[str, Any]:
        """The row of the table, and what the scores need to know of the repository."""
        row: dict[str, Any] = {
            "commit": self.tree.repository.commit,
            "documents": self.tree.documents,
            "missingBlobs": self.tree.missing,
            "seconds": {name: round(run.seconds, 2) for name, run in self.runs.items()},
            "gitLogSeconds": {name: round(seconds, 3) for name, seconds in self.units.items()},
            "ratio": {name: round(self.runs[name].seconds / unit, 1) for name, unit in self.units.items()},
            "exit": {name: run.code for name, run in self.runs.items()},
            "crashes": [f"{name}: {run.crash}" for name, run in self.runs.items() if run.crash],
            "notes": self.notes,
        }
        if "check" in self.runs:
            severities = [one.severity for one in self.found["check"]]
            row["counts"] = {severity: severities.count(severity) for severity in ("error", "warn", "info")}
        if "try" in self.runs:
            row["tryShown"] = len(self.found["try"])
            row["tryDocuments"] = self.runs["try"].answer.get("looked", {}).get("documents")
        if "diff" in self.found:
            row["doubts"] = len(self.found["diff"])
        return row


def measure(cairn: Cairn, tree: Tree, only: str | None, diffs: int) -> Measured:
    measured = Measured(tree, {}, {}, {}, [])
    if only in (None, "try"):
        timed(measured, "try", lambda: cairn.run(tree.root, "try"))
        if wrote := git(tree.root, "status", "--porcelain", "--ignored").decode().splitlines():
            measured.notes.append(f"try wrote {len(wrote)} files, first {wrote[0]}")
    if only != "try":
        timed(measured, "init", lambda: cairn.start(tree.root))
    if only in (None, "check"):
        timed(measured, "check", lambda: cairn.check(tree.root))
    if only == "diff":
        measured.found["diff"] = list(doubts(cairn, tree, diffs, measured.runs))
    return measured


def timed(measured: Measured, name: str, run: Callable[[], Ran]) -> None:
    measured.units[name] = bare_git_log(measured.tree.root)
    measured.runs[name] = run()
    if name != "init":
        measured.found[name] = findings(measured.runs[name].answer)


def doubts(cairn: Cairn, tree: Tree, count: int, runs: dict[str, Ran]) -> Iterator[Finding]:
    """Runs `check --diff` over the latest commits that change code; keeps the slowest run, and each crash."""
    for commit in code_commits(tree, count):
        ran = cairn.run(tree.root, "check", "--diff", f"{commit}^..{commit}")
        if ran.crash or ran.seconds > runs.get("diff", ran).seconds or "diff" not in runs:
            runs[f"diff {commit[:7]}" if ran.crash else "diff"] = ran
        for one in findings(ran.answer):
            yield one._replace(evidence=(f"the change: {commit}", *one.evidence), severity=one.severity or "warn")


def code_commits(tree: Tree, count: int) -> list[str]:
    log = git(tree.root, "log", "--no-merges", "--name-only", "--format=%x00%H", "-400", "HEAD").decode(
        errors="replace"
    )
    found = []
    for part in log.split("\0")[1:]:
        commit, *paths = part.split("\n")
        if any(path and not path.lower().endswith(NOT_CODE) for path in paths):
            found.append(commit)
    return found[:count]


def run_all(given: argparse.Namespace, scratch: Path) -> None:
    cairn = Cairn(given.command.absolute(), scratch / "home", given.timeout)
    table: dict[str, dict[str, Any]] = {}
    drawn: list[Item] = []
    kept: dict[str, Measured] = {}
    for repository in select(read_list(given.list), given.repository):
        measured = measure_one(cairn, repository, given, scratch)
        if measured is None:
            table[repository.name] = {"crashes": ["no clone"]}
            continue
        table[repository.name] = measured.facts()
        drawn += draw(repository, measured.found, given.sample, given.notes, given.seed)
        kept[repository.name] = measured
        print(line_of(repository.name, table[repository.name]), flush=True)
    wording = [item.finding for item in drawn]
    for name, wanted in decoys_wanted(drawn, given.seed).items():
        drawn += wrong_items(kept[name], wording, wanted, given.seed)
    (given.out / "judge.md").write_text(HOW_TO_JUDGE.format(trees=scratch), "utf-8")
    save(given.out, table, drawn, given.seed)


def measure_one(cairn: Cairn, repository: Repository, given: argparse.Namespace, scratch: Path) -> Measured | None:
    clone = find_clone(given.clones, repository)
    if clone is None:
        return None
    tree = make_tree(clone, repository, scratch / repository.name.replace("/", "+"))
    measured = measure(cairn, tree, given.only, given.diffs)
    for name, run in measured.runs.items():
        raw = given.out / "raw" / repository.name.replace("/", "+") / f"{name.replace(' ', '-')}.json"
        raw.parent.mkdir(parents=True, exist_ok=True)
        raw.write_text(json.dumps(run.answer, indent=1, ensure_ascii=False), "utf-8")
    return measured


def wrong_items(measured: Measured, wording: Sequence[Finding], wanted: int, seed: int) -> list[Item]:
    repository = measured.tree.repository
    real = [one for found in measured.found.values() for one in found]
    made = decoys(measured.tree, real, wording, wanted, dice_for(seed, repository.name, "decoys"))
    return [Item(repository, one, ("decoy",)) for one in made]


HEAD = (
    "| repository | documents | read by try | init | check | try | errors / warnings / notes | try shows | exit codes |"
    " crashes and notes |\n|---|---|---|---|---|---|---|---|---|---|"
)


def line_of(name: str, row: dict[str, Any]) -> str:
    ratio, codes, counts = row.get("ratio", {}), row.get("exit", {}), row.get("counts", {})
    cells = [
        name,
        row.get("documents", "–"),
        row.get("tryDocuments", "–"),
        *(f"{ratio[step]}×" if step in ratio else "–" for step in ("init", "check", "try")),
        " / ".join(str(counts[severity]) for severity in counts) or f"{row.get('doubts', '–')} doubts",
        row.get("tryShown", "–"),
        " ".join(f"{step} {code}" for step, code in codes.items()),
        "; ".join([*row["crashes"], *row.get("notes", [])]) or "none",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def save(out: Path, table: dict[str, dict[str, Any]], drawn: Sequence[Item], seed: int) -> None:
    lines = [HEAD, *(line_of(name, row) for name, row in table.items())]
    (out / "table.md").write_text("\n".join(lines) + "\n", "utf-8")
    (out / "table.json").write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    write(out, drawn, {name: row for name, row in table.items() if "documents" in row}, seed)
    wrong = sum("decoy" in item.drawn_from for item in drawn)
    print(f"{len(table)} repositories, {len(drawn)} items of which {wrong} are decoys, in {out}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, nargs="?", help="repositories, one a line: owner/name commit")
    parser.add_argument("--clones", type=Path, default=CLONES, help="the folder of the clones")
    parser.add_argument("--out", type=Path, default=Path("strangers-out"), help="the folder for table, sheet and key")
    parser.add_argument("--sample", type=int, default=20, help="errors and warnings to draw from each repository")
    parser.add_argument("--notes", type=int, default=3, help="notes to draw from each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", type=Path, default=HERE, help="the cairn program to run")
    parser.add_argument("--only", choices=("try", "check", "diff"))
    parser.add_argument("--diffs", type=int, default=20, help="with --only diff: commits of each repository")
    parser.add_argument("--repository", action="append", default=[], help="only repositories whose name contains this")
    parser.add_argument("--timeout", type=float, default=600, help="seconds after which a run is ended")
    parser.add_argument("--scratch", type=Path, help="keep the work trees in this folder")
    parser.add_argument("--score", nargs=2, type=Path, metavar=("SHEET", "KEY"))
    parser.add_argument("--json", action="store_true", help="with --score: print JSON")
    given = parser.parse_args()
    if given.list is None and given.score is None:
        parser.error("give a LIST, or --score SHEET KEY")
    return given


def main() -> None:
    given = arguments()
    if given.score:
        sheet, key = given.score
        scores = score(sorted(sheet.glob("*.jsonl")) if sheet.is_dir() else [sheet], key)
        print(json.dumps(scores, indent=1) if given.json else report(scores))
        return
    if not given.command.exists():
        sys.exit(f"{given.command} does not exist; run `make env`, or name the program with --command")
    given.out.mkdir(parents=True, exist_ok=True)
    scratch = given.scratch or Path(tempfile.mkdtemp(prefix="strangers-"))
    try:
        run_all(given, scratch)
    finally:
        if given.scratch is None:
            shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
