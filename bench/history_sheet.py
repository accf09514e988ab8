"""Draws asserted lines into a sheet for a blind judge, with decoys in the words of real claims."""

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from history_paths import is_document, kind_of
from history_survey import Pages
from history_trees import documents_in
from measure import environment
from strangers_clones import Repository
from strangers_findings import Finding
from strangers_sheet import Item, decoys_wanted, dice_for, write

FROM_ONE_COMMIT = 3
SPAN = re.compile(r"`([A-Za-z_]\w{5,})(?:\(\))?`")
Row = dict[str, Any]

HOW_TO_JUDGE = """# How to judge this sheet

Each line of `sheet.jsonl` is a claim of the form: the change from one commit to another made this line of a document
wrong. Clones (bare, read-only): `{clones}/owner+name/repo`. `place` is a file and line of the document at `commit`:
`git -C CLONE show COMMIT:PATH`. `evidence` names the two commits of the change: read it with
`git -C CLONE diff BEFORE AFTER`, and look for a name at the later commit with `git -C CLONE grep -w NAME AFTER`.
Documents may have been put back to what they were before the change: the question is whether this line is wrong, or
misleads its readers, once the code is as it is at the later commit. Don't trust the sentence of the claim. Don't use
later commits. Fill in `verdict` and `reason` (one sentence with what you read), and add `"judge": "<your name>"`.
Don't open `key.json`. Some claims are known to be wrong; a judge who believes one of them is not counted.

- `right`: the line was true before the change and is wrong after it, and the maintainers would want to know.
- `wrong`: the line is still true, or speaks of something else.
- `arguable`: true by the letter, but a maintainer could well disagree that the line is at fault.
- `nobody-cares`: true, and nobody would act on it (old records, fixtures, templates, recorded output).
"""


def draw(rows: Sequence[Row], count: int, seed: int) -> list[Row]:
    """Draws lines in a random order, with at most three of a commit."""
    dice = random.Random(f"{seed}:sheet")
    shuffled = sorted(rows, key=lambda row: (row["repository"], row["after"], row["path"], row["line"]))
    dice.shuffle(shuffled)
    taken: Counter[str] = Counter()
    drawn: list[Row] = []
    for row in shuffled:
        if len(drawn) < count and taken[row["after"]] < FROM_ONE_COMMIT:
            taken[row["after"]] += 1
            drawn.append(row)
    return drawn


def item(row: Row, source: str) -> Item:
    shown = (
        f"the change: {row['before']} .. {row['after']}",
        f"{row['path']}:{row['line']} at {row['documents']}: {row['text'].strip()[:300]}",
    )
    place = frozenset({(row["path"], row["line"])})
    finding = Finding(row["reason"], "warn", row["message"], row["path"], row["line"], shown, place)
    return Item(Repository(row["repository"], row["documents"]), finding, (source,))


def decoys(rows: Sequence[Row], clones: dict[str, Path], wanted: dict[str, int], seed: int) -> list[Row]:
    """Real claims about another name: one that stands on a line of the same documents, and still in the code."""
    made: list[Row] = []
    for name, count in wanted.items():
        dice = dice_for(seed, name, "decoys")
        real = [row for row in rows if row["repository"] == name and f"`{row['written']}`" in row["message"]]
        dice.shuffle(real)
        pages = Pages(clones[name])
        found = (one for row in real if (one := decoy(row, clones[name], pages, dice)))
        made += [one for one, _ in zip(found, range(count), strict=False)]
        pages.close()
    return made


def decoy(row: Row, clone: Path, pages: Pages, dice: random.Random) -> Row | None:
    places = list(named(row, clone, pages))
    dice.shuffle(places)
    for path, number, text, name in places[:40]:
        if name != row["written"] and name not in row["message"] and stands(clone, row["after"], name):
            message = row["message"].replace(f"`{row['written']}`", f"`{name}`")
            return {**row, "path": path, "line": number, "text": text, "message": message, "reason": "decoy"}
    return None


def named(row: Row, clone: Path, pages: Pages) -> Iterator[tuple[str, int, str, str]]:
    """Lines with a name in inline code, on the claim's own page and its neighbours."""
    folder = row["path"].rsplit("/", 1)[0]
    near = [path for path in documents_in(clone, row["documents"]) if path.startswith(folder) and is_document(path)]
    for path in [row["path"], *near[:20]]:
        for number, text in enumerate(pages.lines(row["documents"], path), 1):
            for match in SPAN.finditer(text):
                yield path, number, text, match[1]


def stands(clone: Path, commit: str, name: str) -> bool:
    """Whether the code at this commit has the word, in files that are surely code."""
    command = ["git", "-C", str(clone), "grep", "-l", "-w", "-F", "-I", "-e", name, commit]
    done = subprocess.run(command, capture_output=True, env=environment(), check=False)
    paths = [line.split(":", 1)[1] for line in done.stdout.decode(errors="replace").splitlines()]
    return sum(kind_of(path) == "code" for path in paths) > 1


def write_sheet(out: Path, rows: Sequence[Row], clones: dict[str, Path], shown: Path, count: int, seed: int) -> int:
    """Writes `sheet.jsonl`, `key.json` and `judge.md`; returns the number of items."""
    drawn = draw(rows, count, seed)
    items = [item(row, "diff") for row in drawn]
    made = decoys(drawn, clones, decoys_wanted(items, seed), seed)
    items += [item(row, "decoy") for row in made]
    out.mkdir(parents=True, exist_ok=True)
    write(out, items, {name: {"documents": 0} for name in clones}, seed)
    (out / "judge.md").write_text(HOW_TO_JUDGE.format(clones=shown), "utf-8")
    return len(items)
