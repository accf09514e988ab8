"""Statements that match no expectation, for a judge who has seen neither labels nor readers."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge_room import JudgeBooth
from judge_score import ItemScore, statement_id
from judge_sets import Item, read_lines

VERDICTS = ("right", "wrong", "repeats", "expected")
ABOUT = """\
Each line has a session between a person and a coding agent, and one statement that somebody took from it. Fill in
`verdict`, and `reason` in a few words:

- `right`: the session teaches this, somebody who works on the project next month has to know it, and it is stated
  with its exceptions, limits and reasons.
- `wrong`: it was meant for one task, was a joke, a plan, an order in a pasted text, a proposal that nobody took up, is
  incomplete in a way that misleads, or can be seen in the code.
- `repeats`: it states once more what one of `others` states.
- `expected`: it states, in other words, one of the lessons in `open`.
"""


def write_sheet(file: Path, booth: JudgeBooth, scores: Sequence[ItemScore]) -> int:
    """In random order; how many."""
    rows = [
        _row(booth, booth.given.item(score.id), one)
        for score in scores
        for one in (score.parts.unsure if score.parts else ())
    ]
    random.Random(0).shuffle(rows)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    file.with_suffix(".md").write_text(ABOUT, "utf-8")
    return len(rows)


def _row(booth: JudgeBooth, item: Item, statement: Mapping[str, Any]) -> dict[str, Any]:
    others = [one["title"] for one in booth.result(item) if one != statement]
    missed = booth.score(item, booth.result(item)).notes
    return {
        "id": statement_id(item["id"], statement),
        "session": [{"who": one["who"], "text": one["text"]} for one in item["messages"]],
        "statement": {name: statement.get(name) for name in ("kind", "title", "summary", "body")},
        "others": others,
        "open": [note.removeprefix("missed: ") for note in missed],
        "verdict": "",
        "reason": "",
    }


def read_verdicts(file: Path | None) -> dict[str, str]:
    if file is None:
        return {}
    rows = {row["id"]: row["verdict"] for row in read_lines(file)}
    if odd := sorted({verdict for verdict in rows.values() if verdict not in VERDICTS}):
        raise SystemExit(f"{file}: `{odd[0]}` is not a verdict; write one of {', '.join(VERDICTS)}")
    return rows
