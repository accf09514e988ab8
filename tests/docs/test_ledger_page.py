"""The page on the ledger tells of every type that people may tell, and of every field of it."""

from pathlib import Path

import pytest

from cairn.core.ledger_events import FILLED_IN
from cairn.core.model.event import Event, field_schemas, needed_fields, parse_event, payload_problems
from cairn.journal import TOLD

PAGE = (Path(__file__).parents[2] / "docs/reference/ledger.md").read_text()
ROWS = {row.split("`")[1]: row for row in PAGE.splitlines() if row.startswith("| `") and row.split("`")[1] in TOLD}


@pytest.mark.parametrize("kind", TOLD)
def test_every_type_has_a_row_with_its_fields(kind: str) -> None:
    shared = {"task_id", "branch"}
    assert [name for name in field_schemas(kind) if f"`{name}" not in ROWS[kind] and name not in shared] == []
    needs = ROWS[kind].split("|")[2]
    assert [name for name in needed_fields(kind) if name not in FILLED_IN and f"`{name}`" not in needs] == []


def test_the_line_that_is_shown_is_one() -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith('{"v":1')]
    event = parse_event(line.encode())
    assert isinstance(event, Event)
    assert payload_problems(event.type, event.payload) == []
