"""Commands answer as they were recorded: exit codes, JSON, files, events, on both databases.

`python tests/golden/record.py` records anew; the difference belongs into the commit that means it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golden import facts, imports, samples
from golden.compare import RECORDED, differences, recorded, table_differences
from golden.play import Player
from golden.record import ON_POSTGRES
from golden.table import commands
from program import cairn
from website import serving

MORE_MODULES = 1.05
"""So many more modules of Cairn may a start import than were recorded."""


@pytest.mark.parametrize("sample", samples.SAMPLES)
def test_commands_answer_as_recorded(sample: str, tmp_path: Path) -> None:
    with serving() as site:
        now = [*Player(sample, tmp_path / "golden", site).play()]
    assert not (text := table_differences(recorded(sample), now)), text


@pytest.mark.parametrize("sample", ON_POSTGRES)
def test_commands_answer_as_recorded_on_postgres(sample: str, tmp_path: Path, postgres_url: str) -> None:
    with serving() as site:
        now = [*Player(sample, tmp_path / "golden", site, database="postgres", url=postgres_url).play()]
    assert not (text := table_differences(recorded(sample, "postgres"), now)), text


def test_every_command_is_played(tmp_path: Path) -> None:
    played = [line.words for sample in samples.SAMPLES for line in commands(sample)]
    everything = cairn("help", "--format", "json", cwd=tmp_path).json()
    missing = [name for name in _names(everything["commands"]) if not any(_is_of(words, name) for words in played)]
    assert missing == []


def _names(commands: list[dict[str, Any]], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for command in commands:
        name = (*before, *command["name"].split()[len(before) :])
        if command["commands"]:
            yield from _names(command["commands"], name)
        else:
            yield name


def _is_of(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return words[: len(name)] == name


def test_no_answer_is_an_error_inside_cairn() -> None:
    assert [record for sample in samples.SAMPLES for record in recorded(sample) if record["code"] == 70] == []


def test_facts_are_as_recorded(tmp_path: Path) -> None:
    before = json.loads((RECORDED / "facts.json").read_text("utf-8"))
    now = json.loads(json.dumps(facts.facts(tmp_path)))
    assert not (text := differences(before, now)), text


def test_tables_are_as_recorded(tmp_path: Path, postgres_url: str) -> None:
    for database, text in facts.tables(tmp_path, postgres_url).items():
        assert text == (RECORDED / f"tables.{database}.sql").read_text("utf-8")


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return imports.imports(tmp_path_factory.mktemp("imports"))


@pytest.mark.parametrize("start", imports.STARTS)
def test_a_start_imports_nothing_new(start: str, imported: dict[str, Any]) -> None:
    before, now = json.loads((RECORDED / "imports.json").read_text("utf-8"))[start], imported[start]
    assert set(now["others"]) <= set(before["others"])
    assert now["cairn"] <= before["cairn"] * MORE_MODULES
    if sys.version_info[:2] == tuple(before["python"]):
        assert set(now["standard"]) <= set(before["standard"])
