import json

import jsonschema_rs
import pytest

from cairn.config.schema import settings_schema
from cairn.config.settings import from_file
from cairn.errors import ConfigError
from program import SCHEMAS


def test_the_published_schema_is_the_table_of_keys():
    published = json.loads((SCHEMAS / "settings.schema.json").read_text())
    assert published == settings_schema()


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"$schema": "x", "scan": {"strict": True, "max_nodes": None}},
        {"plugins": {"core": {"enabled": False, "extensions": {"a": {"settings": {"b": [1]}}}}}},
        {"scan": {"strict": 1}},
        {"scan": {"tokenizer": "x"}},
        {"scan": {"max_nodes": 0}},
        {"plugins": {"core": {"x": 1}}},
        {"nope": 1},
        {"scan": {"ignore": [""]}},
        {"active_provider": ""},
    ],
)
def test_schema_and_loader_agree(tree):
    assert jsonschema_rs.is_valid(settings_schema(), tree) is accepted(tree)


def accepted(tree):
    try:
        from_file("local", "settings.json", json.dumps(tree))
    except ConfigError:
        return False
    return True
