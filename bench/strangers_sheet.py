"""Draws findings into a sheet for a blind judge, and writes the key apart from it.

The sheet is JSON Lines: one item a line, with an empty verdict and reason. It names neither the rule nor the severity
nor the command. The key has those, and which items are decoys.
"""

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.scope import is_read_on_forge
from strangers_clones import Repository
from strangers_findings import Finding

VERDICTS = ("right", "wrong", "arguable", "nobody-cares")
SHARE_OF_DECOYS = 0.1
FIRST = 3


HOW_TO_JUDGE = """# How to judge this sheet

Each line of `sheet.jsonl` is a claim about a public repository at a commit. Work trees: `{trees}/owner+name`.
Read the named file and whatever the claim is about; don't trust the sentence or its evidence. Fill in `verdict` and
`reason` (one sentence with what you read), and add `"judge": "<your name>"` when several people share a sheet.
Don't open `key.json`. Some claims are known to be wrong; a judge who believes one of them is not counted.

- `right`: the claim is true, and the maintainers would want to know.
- `wrong`: the claim is false, or what it complains about works as it is.
- `arguable`: true by the letter, but a maintainer could well disagree that it is a fault.
- `nobody-cares`: true, and nobody would act on it (old records, fixtures, templates, matters of taste).

The folder `.cairn/` in a work tree is of the program under test, not of the repository.
"""


class Item(NamedTuple):
    repository: Repository
    finding: Finding
    drawn_from: tuple[str, ...]
    """`try:1` to `try:3` for the first three of `try`, `check`, `diff`; `decoy`."""

    @property
    def id(self) -> str:
        words = "\0".join((self.repository.name, *map(str, self.finding.identity)))
        return hashlib.sha256(words.encode()).hexdigest()[:10]


def dice_for(seed: int, *words: str) -> random.Random:
    return random.Random(":".join((str(seed), *words)))


def draw(repository: Repository, found: dict[str, list[Finding]], sample: int, notes: int, seed: int) -> list[Item]:
    """The first three of `try`, and of the others a sample of errors and warnings and a smaller one of notes."""
    drawn: dict[tuple[str, int, str], Item] = {}

    def add(one: Finding, source: str) -> None:
        before = drawn.get(one.identity)
        sources = (*(before.drawn_from if before else ()), source)
        drawn[one.identity] = Item(repository, before.finding if before and before.finding.severity else one, sources)

    for command in ("check", "diff"):
        dice = dice_for(seed, repository.name, command)
        loud = sorted((one for one in found.get(command, []) if one.severity != "info"), key=lambda one: one.identity)
        quiet = sorted((one for one in found.get(command, []) if one.severity == "info"), key=lambda one: one.identity)
        for one in [*dice.sample(loud, min(sample, len(loud))), *dice.sample(quiet, min(notes, len(quiet)))]:
            add(one, command)
    for rank, one in enumerate(found.get("try", [])[:FIRST], 1):
        add(one, f"try:{rank}")
    return list(drawn.values())


def decoys_wanted(items: Sequence[Item], seed: int) -> dict[str, int]:
    """How many decoys each repository gets: one tenth of the whole sheet, spread by its number of items."""
    if not items:
        return {}
    total = max(1, round(len(items) * SHARE_OF_DECOYS / (1 - SHARE_OF_DECOYS)))
    chosen = dice_for(seed, "decoys").sample([item.repository.name for item in items], min(total, len(items)))
    return {name: chosen.count(name) for name in sorted(set(chosen))}


def write(out: Path, items: Sequence[Item], repositories: dict[str, dict[str, Any]], seed: int) -> None:
    """Writes `sheet.jsonl` and `key.json`. Items of a repository stay together, in an order that tells nothing."""
    ordered = sorted(items, key=lambda item: (item.repository.name, item.id))
    lines = (json.dumps(blind(item), ensure_ascii=False) for item in ordered)
    (out / "sheet.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    key = {"seed": seed, "repositories": repositories, "items": {item.id: told(item) for item in ordered}}
    (out / "key.json").write_text(json.dumps(key, indent=1, ensure_ascii=False) + "\n", "utf-8")


def blind(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "repository": item.repository.name,
        "commit": item.repository.commit,
        "place": f"{item.finding.path}:{item.finding.line}",
        "claim": item.finding.message,
        "evidence": list(item.finding.evidence),
        "verdict": "",
        "reason": "",
    }


def told(item: Item) -> dict[str, Any]:
    return {
        "repository": item.repository.name,
        "rule": item.finding.rule,
        "severity": item.finding.severity,
        "class": class_of(item.finding),
        "from": list(item.drawn_from),
        "decoy": "decoy" in item.drawn_from,
    }


def class_of(finding: Finding) -> str:
    """The rule, the sort of page, and whether a commit proves it."""
    page = "forge" if is_read_on_forge(finding.path) else "manual"
    return f"{finding.rule} {page}{' dated' if finding.dated else ''}"


def read_sheet(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Reads filled sheets. An item may name its `judge`; otherwise the file's name stands for one."""
    rows = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            if line.strip():
                rows.append({"judge": path.stem} | json.loads(line))
    return rows
