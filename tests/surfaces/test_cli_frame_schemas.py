"""Every command's JSON has a published schema."""

import json

import jsonschema_rs
import pytest

from cairn.cli.describe import describe_all
from cairn.cli.main import root_group
from program import SCHEMAS


def leaves(entries):
    for entry in entries:
        if entry["commands"]:
            yield from leaves(entry["commands"])
        else:
            yield entry["name"].replace(" ", "-")


@pytest.mark.parametrize("name", [*leaves(describe_all(root_group())["commands"])])
def test_every_command_has_a_schema(name):
    assert (SCHEMAS / f"{name}.schema.json").is_file()


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_every_schema_is_one(path):
    schema = json.loads(path.read_text())
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"cairn:schemas/{path.name.removesuffix('.schema.json')}"
    assert schema["title"]
