import dataclasses
import re
from pathlib import Path

import pytest

from cairn.core.model.knowledge import LAYOUTS, Entry, Layout
from cairn.knowledge.fields import CHECKED_ONLY, FIELDS, REQUIRED, fields_by_name, other_name, written_name

PAGE = (Path(__file__).parents[3] / "docs/reference/entries.md").read_text()


def test_the_table_has_every_field_of_an_entry_that_a_page_can_set() -> None:
    attributes = {field.attribute for field in FIELDS} - CHECKED_ONLY
    assert attributes == {field.name for field in dataclasses.fields(Entry)} - {"path", "kind", "extra"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_name_means_two_things_and_what_is_required_is_known(layout: Layout) -> None:
    names = [name for field in FIELDS for name in field.names(layout)]
    assert len(names) == len(set(names))
    assert REQUIRED[layout] <= fields_by_name(layout).keys()


@pytest.mark.parametrize(
    ("attribute", "layout", "name"),
    [
        ("last_reviewed", "entries", "last-reviewed"),
        ("last_reviewed", "nodes", "last_reviewed"),
        ("last_reviewed", "artefacts", "last_reviewed"),
        ("edition", "nodes", "version-pin"),
        ("version_frozen", "entries", "version_pin"),
        ("summary", "entries", "description"),
        ("summary", "nodes", "summary"),
        ("name", "nodes", "id"),
    ],
)
def test_each_layout_writes_its_own_spelling(attribute: str, layout: Layout, name: str) -> None:
    assert written_name(attribute, layout) == name


@pytest.mark.parametrize(
    ("name", "layout", "other"),
    [("description", "nodes", "summary"), ("topics", "nodes", "tags"), ("id", "entries", "name"), ("zzz", "nodes", "")],
)
def test_what_another_layout_calls_it(name: str, layout: Layout, other: str) -> None:
    assert other_name(name, layout) == other


@pytest.mark.parametrize("column", ["entries", "nodes", "artefacts"])
def test_the_page_about_entries_has_the_table(column: Layout) -> None:
    """Names with two words are there once: that both spellings are read is said below the table."""
    rows = [line.split("|")[2:5] for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 6]
    cells = " ".join(row[("entries", "nodes", "artefacts").index(column)] for row in rows[1:])
    listed = set(re.findall(r"`([^`]+)`", cells))
    assert listed == {
        name for field in FIELDS for name in field.names(column) if not is_twin(name, field.names(column))
    }
    required = set(re.findall(r"\*\*`([^`]+)`\*\*", cells))
    assert required == REQUIRED[column]


def is_twin(name: str, names: tuple[str, ...]) -> bool:
    """Another spelling of a name that stands before it."""
    plain = [other.replace("-", "_") for other in names]
    return plain.index(name.replace("-", "_")) < names.index(name)
