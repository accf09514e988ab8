"""Records of a table beside what was recorded before, and their differences in few lines."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from golden.masks import dense
from golden.table import commands

RECORDED = Path(__file__).parent / "recorded"
_MOST_LINES = 40
_ABSENT = "(nothing)"

Record = dict[str, Any]


def file_of(sample: str, database: str = "sqlite") -> Path:
    return RECORDED / (f"{sample}.jsonl" if database == "sqlite" else f"{sample}.{database}.jsonl")


def recorded(sample: str, database: str = "sqlite") -> list[Record]:
    """On PostgreSQL: as on SQLite, but for the records that its own file has."""
    found = _usual(sample)
    if database != "sqlite":
        found |= {record.pop("number"): record for record in read(file_of(sample, database))}
    return [found[number] for number in _played(sample, database)]


def write(sample: str, records: Sequence[Record], database: str = "sqlite") -> None:
    lines = [*records]
    if database != "sqlite":
        usual = _usual(sample)
        numbered = zip(_played(sample, database), records, strict=True)
        lines = [{"number": number, **record} for number, record in numbered if usual.get(number) != record]
    file_of(sample, database).write_text("".join(dense(record) + "\n" for record in lines), encoding="utf-8")


def _usual(sample: str) -> dict[int, Record]:
    return dict(zip(_played(sample, "sqlite"), read(file_of(sample)), strict=False))


def _played(sample: str, database: str) -> list[int]:
    """The numbers of the commands that run on that database."""
    return [number for number, line in enumerate(commands(sample)) if line.only in (None, database)]


def read(file: Path) -> list[Record]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def differences(before: Any, now: Any) -> str:
    """The places that differ, with both values; empty when there are none."""
    lines = [*_differences(before, now, "")]
    more = [f"… and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    return "\n".join([*lines[:_MOST_LINES], *more])


def _differences(before: Any, now: Any, place: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted(before.keys() | now.keys()):
            yield from _differences(before.get(name, _ABSENT), now.get(name, _ABSENT), f"{place}.{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from _differences(old, new, f"{place}[{number}]")
    elif before != now:
        yield f"  {place}: {dense(before)[:300]} → {dense(now)[:300]}"


def table_differences(before: Sequence[Record], now: Sequence[Record]) -> str:
    then, today = ([record["command"] for record in records] for records in (before, now))
    if then != today:
        return "The table has other commands than the recording; run `python tests/golden/record.py`."
    pairs = zip(before, now, strict=True)
    found = [f"cairn {new['command']}\n{text}" for old, new in pairs if (text := differences(old, new))]
    return "\n".join([f"{len(found)} of {len(now)} commands answer otherwise:", *found[:20]]) if found else ""
